"""The generated tasks as a `proctor.core.TaskSource`: how plans, worlds and certificates reach them."""

from __future__ import annotations

from pathlib import Path

from proctor.core import DrawnFacts, digest_of

from ._draw import KnowledgeEpisode, draw
from ._file import SUFFIX, read_knowledge_file
from ._tasks import knowledge_task, knowledge_tasks


class KnowledgeSource:
    """Draws the tasks of ``.bench`` files."""

    suffix = SUFFIX

    def fingerprint(self, path: Path) -> str:
        """Return a hash of what the file asks for, however it is written."""
        return digest_of(read_knowledge_file(path))

    def facts(self, path: Path) -> DrawnFacts:
        """Read the file; the limit is that of the nominal plan."""
        file = read_knowledge_file(path)
        return DrawnFacts(f"bench/{file.family}", knowledge_task(file.task).max_steps, file.include)

    def draw(self, path: Path, seed: int, episode: int) -> KnowledgeEpisode:
        return draw(path, seed, episode)

    def locate(self, name: str) -> str | None:
        """Return the suite and file name of a task by its number in the catalogue (``P07``)."""
        task = next((task for task in knowledge_tasks().values() if task.id == name), None)
        return f"knowledge/{task.kind}/{task.slug}" if task else None


SOURCE = KnowledgeSource()
