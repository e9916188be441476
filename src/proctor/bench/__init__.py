"""The bench: 100 tasks whose episodes are generated, each with a proof that its instruction has one answer."""

from ._deal import Split
from ._draw import VERSION, Drawn, deck_hash, draw, drawable
from ._errors import BenchError
from ._file import SUFFIX, TRACKS, BenchFile, read_bench, track_tasks
from ._suites import suite_files
from ._tasks import BenchTask, Difficulty, Subgoal, bench_task, bench_tasks
from .knowledge import Proof

__all__ = [
    "SUFFIX",
    "TRACKS",
    "VERSION",
    "BenchError",
    "BenchFile",
    "BenchTask",
    "Difficulty",
    "Drawn",
    "Proof",
    "Split",
    "Subgoal",
    "bench_task",
    "bench_tasks",
    "deck_hash",
    "draw",
    "drawable",
    "read_bench",
    "suite_files",
    "track_tasks",
]
