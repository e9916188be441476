"""Knowledge: 100 tasks whose episodes are generated, each with a proof that its instruction has one answer.

``tasks.json`` says what a task is: goal, sub-goals and reference plan over variables (``$t``). A file of ``domains/``
draws its episodes, a file of ``scenes/`` says where things stand.

A domain is a function under ``@recipe(slug, ...)`` that takes the `Sampler` (randomness, cycles, the task) and returns
`EpisodeParts`: draw the things (``sample_candidates``: target and slot by turn, so that targets stay balanced; or
``sampler.turn``), ask about them (``by_bank``), put them into a scene, and let ``one_of`` (or ``prove_in``) prove the
answer and bind the task's variables to entity names. Raise `RejectedError` to draw again. Where the number of steps is
drawn, give the parts their own goal and sub-goals (``chain``).
A scene is a function that fills a `SceneText` with ``scene.put(Piece(name, category, seed, looks), where)``: a `Spot`
on the table (world frame, metres) or a `SitePlace`, a site of another thing (``shelf_1/slot2``). All its randomness
comes from ``sampler.of("scene")``, so that tracks with the same family share the layout.

To check one task: ``proctor knowledge show P07 -e 3`` (its text), ``proctor check P07`` (lint, start, expert, noop,
uniqueness), ``proctor render``; `proctor knowledge ls` says which tasks can be drawn.
After adding a task: ``python scripts/write_knowledge_suites.py``.
"""

from ._draw import VERSION, KnowledgeEpisode, draw, drawable
from ._errors import KnowledgeError
from ._file import SUFFIX, TRACKS, KnowledgeFile, read_knowledge_file, track_tasks
from ._manifest import balance, entry, manifest, verify
from ._source import SOURCE
from ._tasks import Difficulty, KnowledgeSubgoal, KnowledgeTask, knowledge_task, knowledge_tasks
from .facts import Proof, Split

__all__ = [
    "SOURCE",
    "SUFFIX",
    "TRACKS",
    "VERSION",
    "Difficulty",
    "KnowledgeEpisode",
    "KnowledgeError",
    "KnowledgeFile",
    "KnowledgeSubgoal",
    "KnowledgeTask",
    "Proof",
    "Split",
    "balance",
    "draw",
    "drawable",
    "entry",
    "knowledge_task",
    "knowledge_tasks",
    "manifest",
    "read_knowledge_file",
    "track_tasks",
    "verify",
]
