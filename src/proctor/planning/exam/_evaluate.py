"""Ask a model every question of a plan, several at a time, and keep each answer as a row the moment it comes.

Scenes are set up and rendered in this thread, one after the other; asking waits on the network, in threads of its own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from proctor.core import EpisodeSpec, PolicySpec, ProctorError, named_rng, named_seed, write_whole
from proctor.core.chat import ChatError
from proctor.results import Episode, PlanFields, RunFolder, now
from proctor.results import Tally as RowTally
from proctor.run.plan import Plan, PlanTask
from proctor.sim import SimEnv
from proctor.tasks.knowledge import SUFFIX, read_knowledge_file

from .._judge import judge
from .._model import Model
from .._problem import ProblemError
from .._prompt import PromptOptions, data_url, messages, without_pictures
from ..views import VIEWS
from ._question import Question, dimension_of, question_of
from ._row import NO_PRICES, Prices, answered, asked_fields, plan_row, row_ids, view_path

# Examples before the question: other tasks of the same dimension, from layouts and splits the question does not use.
#
# Which tasks are shown is drawn per question by a stored seed; a task's example is the same for all questions, so it is
# rendered once. In the transfer setting (the default) a question's own task is never among its examples.

_OTHER = {"seen": "unseen", "unseen": "seen"}


@dataclass(frozen=True, slots=True)
class ShotOptions:
    """How many examples, by which seed, and whether a question's own task may be among them."""

    count: int = 0
    seed: int = 0
    same_task: bool = False


class Shots:
    """The examples of a run, made when first needed. ``folder`` takes the files of the other split."""

    def __init__(
        self, env: SimEnv, tasks: Sequence[PlanTask], options: ShotOptions, cameras: Sequence[str], folder: Path
    ) -> None:
        self._env, self._options, self._cameras = env, options, tuple(cameras)
        self._specs = {task.task: self._spec(task, folder) for task in tasks} if options.count else {}
        self._made: dict[str, Question | None] = {}

    def of(self, spec: EpisodeSpec) -> list[Question]:
        wanted = self._options.count
        if not wanted:
            return []
        others = [task for task in self._specs if self._options.same_task or task != spec.task]
        rng = named_rng(self._options.seed, "shots", replace(spec, policy="", policy_args={}).pair_id)
        order = [others[int(k)] for k in rng.permutation(len(others))]
        own = dimension_of(spec)
        # Those of the same dimension first; sorting keeps the drawn order among them.
        order.sort(key=lambda task: dimension_of(self._specs[task]) != own)
        found: list[Question] = []
        for task in order:
            if len(found) == wanted:
                break
            question = self._make(task)
            if question is not None:
                found.append(question)
        if len(found) < wanted:
            raise ProctorError(
                f"--shots {wanted}: {len(found) or 'none'} of the other tasks can serve as examples for {spec.task}; "
                "select more tasks, or use --shots-from any"
            )
        return found

    def _make(self, task: str) -> Question | None:
        """Return a task's example, None for a task that is no planning problem."""
        if task not in self._made:
            try:
                self._made[task] = question_of(self._env, self._specs[task], self._cameras)
            except ProblemError:
                self._made[task] = None
        return self._made[task]

    def _spec(self, task: PlanTask, folder: Path) -> EpisodeSpec:
        """Return an episode that is in no examination: of another seed, and of the other split where there is one."""
        if task.path.endswith(SUFFIX):
            file = read_knowledge_file(Path(task.path))
            if file.split in _OTHER:
                path = folder / f"{file.task}_{_OTHER[file.split]}{SUFFIX}"
                write_whole(path, f'task = "{file.task}"\nsplit = "{_OTHER[file.split]}"\n'.encode())
                task = replace(task, path=str(path.resolve()))
        return Plan(tasks=(task,), episodes=1, seed=named_seed(self._options.seed, "examples") >> 11, policy="")[0]


_LOG = logging.getLogger(__name__)

GIVE_UP_AFTER = 5
"""So many errors in a row, for each question that is asked at the same time, and the run stops: the server is down."""


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """How a run asks."""

    prompt: PromptOptions = field(default_factory=PromptOptions)
    shots: ShotOptions = field(default_factory=ShotOptions)
    cameras: tuple[str, ...] = VIEWS
    concurrency: int = 1
    prices: Prices = NO_PRICES

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise ProctorError(f"--concurrency is {self.concurrency}: it must be at least 1")
        if self.shots.count < 0:
            raise ProctorError(f"--shots is {self.shots.count}: it must be at least 0")


class Progress(Protocol):
    """Hears what happens."""

    def begin(self, total: int, done: int) -> None:
        """Hear how many questions there are and how many have an answer."""
        ...

    def row(self, episode: Episode) -> None:
        """Hear of an answer or error, which is on record."""
        ...

    def note(self, text: str) -> None: ...


@dataclass(slots=True)
class Tally:
    """What a run came to. ``error`` is the last one; ``gave_up`` the one after which it stopped, "" if it did not."""

    planned: int
    skipped: int = 0
    asked: int = 0
    errors: int = 0
    unfit: int = 0
    interrupted: bool = False
    gave_up: str = ""
    error: str = ""
    in_a_row: int = 0


def evaluate(plan: Plan, model: Model, folder: RunFolder, options: EvalOptions, progress: Progress) -> Tally:
    """Ask what has no answer yet. Ctrl-C lets the questions that are out come back, and stops."""
    tally = Tally(len(plan))
    left = [spec for spec in plan if folder.ledger.status(row_ids(spec)[0]) != "completed"]
    tally.skipped = tally.planned - len(left)
    _LOG.info("%s: %d questions, %d of them answered before", folder.path, tally.planned, tally.skipped)
    progress.begin(tally.planned, tally.skipped)
    if not left:
        return tally
    env = SimEnv()
    try:
        _Questioner(plan, model, folder, options, progress, tally, env).ask_all(left)
    finally:
        env.close()
    return tally


class _Questioner:
    """One run of the questions."""

    def __init__(
        self,
        plan: Plan,
        model: Model,
        folder: RunFolder,
        options: EvalOptions,
        progress: Progress,
        tally: Tally,
        env: SimEnv,
    ) -> None:
        self._model, self._folder, self._options, self._progress = model, folder, options, progress
        self._tally, self._env, self._env_spec = tally, env, env.spec()
        self._policy = PolicySpec(name=model.name, cameras=options.cameras)
        self._shots = Shots(env, plan.tasks, options.shots, options.cameras, folder.path / "shots")
        self._room = threading.BoundedSemaphore(2 * options.concurrency)
        self._lock = threading.Lock()
        self._broken: BaseException | None = None

    def ask_all(self, specs: Sequence[EpisodeSpec]) -> None:
        pool = ThreadPoolExecutor(self._options.concurrency, thread_name_prefix="ask")
        try:
            for spec in specs:
                self._room.acquire()
                if self._tally.gave_up or self._broken is not None:
                    break
                self._submit(pool, spec)
            pool.shutdown()
        except KeyboardInterrupt:
            self._tally.interrupted = True
            pool.shutdown(cancel_futures=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        if self._broken is not None:
            raise self._broken

    def _submit(self, pool: ThreadPoolExecutor, spec: EpisodeSpec) -> None:
        try:
            question = question_of(self._env, spec, self._options.cameras)
        except ProblemError as error:
            self._tally.unfit += 1
            self._progress.note(str(error))
            self._room.release()
            return
        shots = self._shots.of(spec)
        asked = [shot.asked() for shot in shots]
        built = messages(question.asked(), asked, self._options.prompt)
        names = self._save_views([question, *shots])
        prompt = without_pictures(built, names)
        fields = asked_fields(question, [row_ids(shot.spec)[1] for shot in shots], prompt)
        future = pool.submit(self._ask, question, built, fields)
        future.add_done_callback(self._done)

    def _ask(self, question: Question, built: Sequence[Mapping[str, Any]], fields: PlanFields) -> None:
        if self._tally.gave_up:
            return
        spec, tally = question.spec, RowTally(started_at=now(), policy_calls=1)
        attempt = self._folder.ledger.attempts(row_ids(spec)[0]) + 1
        try:
            reply = self._model.ask(built, spec)
        except ChatError as error:
            row = plan_row(spec, fields, self._policy, self._env_spec, tally, error=error, attempt=attempt)
        else:
            tally.wall_s = tally.policy_s = round(reply.wall_s, 3)
            tally.latencies_s.append(reply.wall_s)
            judgement = judge(reply, question.problem)
            fields = answered(fields, reply, judgement, self._options.prices)
            progress = judgement.execution.progress if judgement.execution else 0.0
            row = plan_row(spec, fields, self._policy, self._env_spec, tally, progress=progress, attempt=attempt)
        self._keep(row)

    def _keep(self, row: Episode) -> None:
        with self._lock:
            self._folder.append(row)
            tally = self._tally
            tally.asked += 1
            if row.status == "completed":
                tally.in_a_row = 0
            else:
                tally.errors += 1
                tally.in_a_row += 1
                tally.error = row.error
                if tally.in_a_row >= GIVE_UP_AFTER * self._options.concurrency:
                    tally.gave_up = tally.error
            _LOG.debug("%s: %s, %.1f s", row.spec.task, row.error or "answered", row.timing.wall_s)
            self._progress.row(row)

    def _done(self, future: Future[None]) -> None:
        self._room.release()
        if not future.cancelled() and future.exception() is not None:
            self._broken = self._broken or future.exception()

    def _save_views(self, questions: Sequence[Question]) -> dict[str, str]:
        """Write the pictures that are not there yet; return their names by data URL."""
        names: dict[str, str] = {}
        for question in questions:
            for view in question.viewed.views:
                for suffix, file in (("", view.clean), ("_marked", view.marked)):
                    name = view_path(row_ids(question.spec)[1], view.camera + suffix)
                    path = self._folder.path / name
                    if not path.exists():
                        write_whole(path, file)
                    names[data_url(file)] = name
        return names
