"""The bench: 100 tasks whose episodes are generated, each with a proof that its instruction has one answer.

``tasks.json`` says what a task is: goal, sub-goals and reference plan over variables (``$t``). A file of ``domains/``
draws its episodes, a file of ``scenes/`` says where things stand.

A domain is a function under ``@recipe(slug, ...)`` that takes the deal (randomness and wheels), the task and the file,
and returns a `Draft`: deal the things (``deal_lineup``: target and slot by turn, so that targets stay balanced; or
``deal.turn``), ask about them (an asker: ``by_bank``), put them into a scene, and let
``one_of`` (or ``prove_in``) prove the answer and bind the task's variables to entity names. Raise `RejectedError` to
deal again. Where the number of steps is drawn, give the draft its own goal and sub-goals (``chain``).
A scene is a function that fills a `SceneText` with ``scene.put(Piece(name, category, seed, looks), where)``: a `Spot`
on the table (world frame, metres) or a `Niche`, a site of another thing (``shelf_1/slot2``). All its randomness comes
from ``deal.of("scene")``, so that tracks with the same family share the layout.

To check one task: ``proctor knowledge show P07 -e 3`` (its text), ``proctor check P07`` (lint, start, expert, noop,
uniqueness), ``proctor render``; `proctor knowledge ls` says which tasks can be drawn.
After adding a task: ``python scripts/write_bench_suites.py``.
"""

from ._deal import Split
from ._draw import VERSION, Drawn, draw, drawable
from ._errors import BenchError
from ._file import SUFFIX, TRACKS, BenchFile, read_bench, track_tasks
from ._manifest import balance, entry, manifest, verify
from ._suites import suite_files
from ._tasks import BenchTask, Difficulty, Subgoal, bench_task, bench_tasks
from .facts import Proof

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
    "balance",
    "bench_task",
    "bench_tasks",
    "draw",
    "drawable",
    "entry",
    "manifest",
    "read_bench",
    "suite_files",
    "track_tasks",
    "verify",
]
