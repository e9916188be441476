"""Ask a model every question of a plan, several at a time, and keep each answer the moment it comes.

Scenes are set up and rendered in this thread, one after the other; asking waits on the network, in threads of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from proctor.core import EpisodeSpec, ProctorError, write_whole
from proctor.core.chat import ChatError, Reply
from proctor.run.plan import Plan
from proctor.sim import SimEnv

from .._call import Call
from .._judge import ANSWERED, Judgement, failed, judge
from .._model import Model
from .._problem import ProblemError
from .._prompt import PromptOptions, data_url, messages, without_pictures
from ..views import VIEWS
from ._ledger import Ledger
from ._question import Question, dimension_of, question_id, question_of
from ._shots import ShotOptions, Shots

GIVE_UP_AFTER = 5
"""So many errors in a row, for each question that is asked at the same time, and the run stops: the server is down."""


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """How a run asks."""

    prompt: PromptOptions = field(default_factory=PromptOptions)
    shots: ShotOptions = field(default_factory=ShotOptions)
    cameras: tuple[str, ...] = VIEWS
    concurrency: int = 1

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

    def line(self, line: Mapping[str, Any]) -> None:
        """Hear of an answer or error."""
        ...

    def note(self, text: str) -> None:
        """Hear of something odd."""
        ...


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


def evaluate(plan: Plan, model: Model, ledger: Ledger, options: EvalOptions, progress: Progress) -> Tally:
    """Ask what has no answer yet. Ctrl-C lets the questions that are out come back, and stops."""
    tally = Tally(len(plan))
    left = [spec for spec in plan if not ledger.answered(question_id(spec))]
    tally.skipped = tally.planned - len(left)
    progress.begin(tally.planned, tally.skipped)
    if not left:
        return tally
    env = SimEnv()
    try:
        _Asker(plan, model, ledger, options, progress, tally, env).ask_all(left)
    finally:
        env.close()
    return tally


class _Asker:
    """One run of the questions."""

    def __init__(
        self,
        plan: Plan,
        model: Model,
        ledger: Ledger,
        options: EvalOptions,
        progress: Progress,
        tally: Tally,
        env: SimEnv,
    ) -> None:
        self._model, self._ledger, self._options, self._progress = model, ledger, options, progress
        self._tally, self._env = tally, env
        self._shots = Shots(env, plan.tasks, options.shots, options.cameras, ledger.folder / "shots")
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
        head = _head(question, [shot.id for shot in shots], prompt)
        future = pool.submit(self._ask, question, built, head)
        future.add_done_callback(self._done)

    def _ask(self, question: Question, built: Sequence[Mapping[str, Any]], head: Mapping[str, Any]) -> None:
        if self._tally.gave_up:
            return
        try:
            reply = self._model.ask(built, question.spec)
        except ChatError as error:
            self._keep({**head, "outcome": failed(error), "error": str(error)})
            return
        self._keep({**head, **_answer(reply), **_judged(judge(reply, question.problem))})

    def _keep(self, line: Mapping[str, Any]) -> None:
        self._ledger.answers.keep(line)
        with self._lock:
            tally = self._tally
            tally.asked += 1
            if line["outcome"] in ANSWERED:
                tally.in_a_row = 0
            else:
                tally.errors += 1
                tally.in_a_row += 1
                tally.error = str(line["error"])
                if tally.in_a_row >= GIVE_UP_AFTER * self._options.concurrency:
                    tally.gave_up = tally.error
            self._progress.line(line)

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
                    name = view_path(question.id, view.camera + suffix)
                    path = self._ledger.folder / name
                    if not path.exists():
                        write_whole(path, file)
                    names[data_url(file)] = name
        return names


def view_path(identity: str, picture: str) -> str:
    """Return where a run folder keeps a picture."""
    return Path("views", identity, f"{picture}.png").as_posix()


def _head(question: Question, shots: Sequence[str], prompt: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    spec, problem = question.spec, question.problem
    return {
        "id": question.id,
        "task": spec.task,
        "suite": spec.suite,
        "level": spec.level,
        "dimension": dimension_of(spec),
        "episode": spec.episode,
        "seed": spec.seed,
        "task_hash": spec.task_hash,
        "instruction": spec.instruction_sent,
        "marks": {str(number): name for number, name in question.viewed.marks.items()},
        "views": [view.camera for view in question.viewed.views],
        "reference": plain_calls(problem.marked(problem.plan)),
        "shots": list(shots),
        "prompt": list(prompt),
    }


def _answer(reply: Reply) -> dict[str, Any]:
    return {
        "answer": reply.text,
        "finish": reply.finish,
        "refusal": reply.refusal,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "served_by": reply.model,
        "tries": reply.tries,
        "wall_s": round(reply.wall_s, 3),
    }


def _judged(judgement: Judgement) -> dict[str, Any]:
    score, paper, done = judgement.score, judgement.paper, judgement.execution
    return {
        "outcome": judgement.outcome,
        "note": judgement.parsed.note,
        "reasoning": judgement.parsed.reasoning,
        "plan": plain_calls(judgement.parsed.calls),
        "bound": [str(call) for call in score.bound],
        "verdicts": list(score.verdicts),
        "exact": score.exact,
        "score": score.total,
        "skill_f1": score.skill.f1,
        "parameter_f1": score.parameter.f1,
        "call_f1": score.call.f1,
        "order_precision": score.order.precision,
        "order_recall": score.order.recall,
        "order_f1": score.order.f1,
        "length_ratio": score.length_ratio,
        "paper": {**asdict(paper), "total": paper.total},
        "runs": done is not None and done.runs,
        "reached": done is not None and done.reached,
        "progress": done.progress if done is not None else 0.0,
        "faults": list(done.faults) if done is not None else [],
        "why_not": [attempt.why_not for attempt in done.attempts] if done is not None else [],
    }


def plain_calls(calls: Sequence[Call]) -> list[dict[str, Any]]:
    """Return calls as JSON values."""
    return [{"skill": call.skill, "args": dict(call.args)} for call in calls]
