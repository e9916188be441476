"""One episode: environment and policy stepped together under a time limit until success, step limit or error.

Above 500 lines: the clock, the options and the check of actions have no other use than this loop.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any, Literal, NoReturn, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from proctor.core import (
    Env,
    EnvSpec,
    EpisodeSpec,
    Event,
    Observation,
    Outcome,
    Policy,
    PolicySpec,
    ProctorError,
    Shard,
    StepDebt,
    TellingPolicy,
    Timing,
)
from proctor.policies import GRIPPER_OPEN, Exchange, describe_exception, exchanging
from proctor.results import (
    NOTHING,
    Episode,
    Status,
    StoreError,
    Tally,
    TraceWriter,
    VideoWriter,
    make_row,
    noted,
    write_steps,
)

# What a policy may return: finite numbers of the agreed shape in [-1, 1]. Anything else is its error, never ours.

# Rounding in a policy's own arithmetic may leave this much above 1.
TOLERANCE = 1e-6


class ActionError(ValueError):
    """The returned value is not an action; the text names the step and what was found."""


def as_chunk(value: Any, spec: PolicySpec, step: int, *, clip: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return ``value`` as actions [H, D] within [-1, 1], and for each whether it had to be clipped."""
    try:
        array = np.asarray(value)
    except Exception as error:
        raise ActionError(f"act() at step {step} returned {type(value).__name__}, not an array: {error}") from None
    expected = f"({spec.action_dim},)" + (f" or (1..{spec.chunk}, {spec.action_dim})" if spec.chunk > 1 else "")
    if array.dtype.kind not in "fiu":
        raise ActionError(
            f"act() at step {step} returned dtype {array.dtype} ({type(value).__name__}), expected real numbers of "
            f"shape {expected}"
        )
    chunk = array.astype(np.float64).reshape(1, -1) if array.ndim == 1 else array.astype(np.float64)
    if chunk.ndim != 2 or chunk.shape[1] != spec.action_dim or not 1 <= len(chunk) <= spec.chunk:
        raise ActionError(f"act() at step {step} returned shape {array.shape}, expected {expected}")
    if not np.isfinite(chunk).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(chunk))[0])
        where = f"action {row}, dimension {column} (shape {array.shape})"
        raise ActionError(f"act() at step {step} returned {chunk[row, column]} in {where}")
    outside = np.abs(chunk) > 1.0 + TOLERANCE
    if outside.any() and not clip:
        row, column = (int(i) for i in np.argwhere(outside)[0])
        raise ActionError(
            f"act() at step {step} returned {chunk[row, column]:g} in action {row}, dimension {column}, outside "
            f"[-1, 1]: scale the policy's output, or clip it with --clip-actions"
        )
    return np.clip(chunk, -1.0, 1.0), np.logical_or.reduce(outside, axis=1)


def hold_action(action_dim: int, last: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the action that holds still: no motion, the gripper as the ``last`` action had it, open before any."""
    action = np.zeros(action_dim)
    action[-1] = GRIPPER_OPEN if last is None else last[-1]
    return action


# Time spent in policy and environment, and the limit on a policy's answer.
#
# Two lines of defence: an alarm signal interrupts Python code in this process; a heartbeat in shared memory lets the
# parent see a call that the alarm cannot interrupt, and end the whole worker.

POLICY, ENV = 0, 1


class PolicyTimeout(BaseException):
    """Raised inside a policy call that takes too long. No `Exception`, which policies catch and ignore."""


class Beat(Protocol):
    """Two numbers that another process can read."""

    def __setitem__(self, index: int, value: float, /) -> None: ...


class Guard:
    """Times a worker's calls. ``beat`` holds, for policy and environment, when the running call began, else 0.

    Only the main thread has an alarm. ``interrupted`` says that it rang inside the policy, whose state is then unknown.
    """

    def __init__(self, policy_limit_s: float, beat: Beat | None = None) -> None:
        self.policy_limit_s = policy_limit_s
        self.policy_s = 0.0
        self.env_s = 0.0
        self.interrupted = False
        self._beat: Beat = [0.0, 0.0] if beat is None else beat
        self._alarm = threading.current_thread() is threading.main_thread()

    def restart(self) -> None:
        """Set the clocks to zero for a new episode."""
        self.policy_s = self.env_s = 0.0
        self.interrupted = False

    @contextlib.contextmanager
    def policy(self) -> Iterator[None]:
        """Time a policy call and raise `PolicyTimeout` when it exceeds the limit, even if it returns in the end."""
        began = time.monotonic()
        self._beat[POLICY] = began
        try:
            with self._armed():
                yield
        except PolicyTimeout:
            self.interrupted = True
            raise
        finally:
            self._beat[POLICY] = 0.0
            self.policy_s += time.monotonic() - began
        if time.monotonic() - began > self.policy_limit_s:
            # With an alarm the policy has caught it and gone on, who knows how.
            self.interrupted = self._alarm
            raise PolicyTimeout

    @contextlib.contextmanager
    def env(self) -> Iterator[None]:
        began = time.monotonic()
        self._beat[ENV] = began
        try:
            yield
        finally:
            self._beat[ENV] = 0.0
            self.env_s += time.monotonic() - began

    @contextlib.contextmanager
    def _armed(self) -> Iterator[None]:
        if not self._alarm:
            yield
            return
        previous = signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, self.policy_limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, previous)


def _ring(number: int, frame: FrameType | None) -> NoReturn:
    raise PolicyTimeout


# How to run, apart from what to run.

VideoMode = Literal["none", "all", "failures"]

DEFAULT_ENV = "proctor.sim:SimEnv"


@dataclass(frozen=True, slots=True)
class EpisodeOptions:
    """What happens around an episode. Nothing here changes the trajectory of a policy that keeps the rules.

    ``policy_timeout_s`` limits each call of ``reset`` and ``act``. ``out`` is the run folder for videos, steps
    and traces; traced are the first ``trace_requests`` requests of the first ``trace_episodes`` episodes of each task.
    """

    clip_actions: bool = False
    policy_timeout_s: float = 60.0
    video: VideoMode = "none"
    video_cameras: tuple[str, ...] = ()
    video_size: int = 256
    record_steps: bool = False
    trace_episodes: int = 0
    trace_requests: int = 32
    out: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a plan is carried out: on ``workers`` processes, each with ``envs_per_worker`` episodes at a time.

    ``env`` is the import path of the environment's factory. ``policy`` says how to build the policy where the plan's
    name for it is only a label (a server moves to another port and is still the same policy); empty: by its name.
    ``address`` is what rows say of that, ``policy`` unless given. A policy call that ignores its alarm (it hangs in
    native code) is ended with its worker after ``grace_s`` more; an environment call may take ``env_timeout_s``. Only
    the episodes of ``shard`` are run, into a folder of their own.
    """

    workers: int = 1
    envs_per_worker: int = 1
    env: str = DEFAULT_ENV
    env_args: dict[str, Any] = field(default_factory=dict)
    policy: str = ""
    address: str | None = None
    episode: EpisodeOptions = field(default_factory=EpisodeOptions)
    grace_s: float = 5.0
    env_timeout_s: float = 600.0
    shard: Shard = field(default_factory=Shard)


_LOG = logging.getLogger(__name__)

T = TypeVar("T")
# Actions, and of each whether it was clipped.
Chunk: TypeAlias = list[tuple[NDArray[np.float64], bool]]


class _PolicyFaultError(Exception):
    """The policy broke a rule; the text says which."""


class _EnvFaultError(Exception):
    """The environment failed."""


def run_episode(
    env: Env,
    policy: Policy,
    spec: EpisodeSpec,
    options: EpisodeOptions | None = None,
    *,
    policy_spec: PolicySpec | None = None,
    env_spec: EnvSpec | None = None,
    guard: Guard | None = None,
    attempt: int = 1,
) -> Episode:
    """Run ``spec`` and return its row, whatever policy and environment do; raises only if its files cannot be written.

    Chunks are executed here, one action per control step. The environment renders only when the policy is about to be
    asked, and only the policy's cameras (and each step when a video is wanted). An exception or a rule broken by the
    policy gives ``policy_error``; an exception of the environment gives ``infra_error``.

    Under ``charge`` timing the steps that a request's latency is worth pass between the question and the first action
    of the answer: first what ``spec.execute`` left of the chunk before, then steps that hold still.
    """
    options = options or EpisodeOptions()
    return _Run(
        env,
        policy,
        spec,
        options,
        policy_spec or policy.spec(),
        env_spec or env.spec(),
        guard or Guard(options.policy_timeout_s),
    ).row(attempt)


class _Run:
    def __init__(
        self,
        env: Env,
        policy: Policy,
        spec: EpisodeSpec,
        options: EpisodeOptions,
        policy_spec: PolicySpec,
        env_spec: EnvSpec,
        guard: Guard,
    ) -> None:
        self.env, self.policy, self.spec, self.options = env, policy, spec, options
        self.policy_spec, self.env_spec, self.guard = policy_spec, env_spec, guard
        self.tally = Tally()
        self.timing, self.debt = Timing.parse(spec.timing), StepDebt(env_spec.control_hz)
        self.waits: list[Event] = []
        self.actions: list[NDArray[np.float64]] = []
        self.states: list[NDArray[np.float64]] = []
        self.cameras = options.video_cameras or env_spec.cameras[:1]
        self.film: VideoWriter | None = None
        if options.video != "none" and options.out is not None and self.cameras:
            self.film = VideoWriter(options.out / "videos" / f"{spec.episode_id}.mp4", env_spec.control_hz)
        self.trace: TraceWriter | None = None
        if options.out is not None and spec.episode < options.trace_episodes:
            self.trace = TraceWriter(options.out / "traces" / f"{spec.episode_id}.zip", options.trace_requests)

    def row(self, attempt: int) -> Episode:
        self.guard.restart()
        began = time.perf_counter()
        outcome, status, error = self._outcome()
        with self._writing():
            self._keep(outcome, status)
        self.tally.wall_s = time.perf_counter() - began
        self.tally.policy_s, self.tally.env_s = self.guard.policy_s, self.guard.env_s
        self.tally.notes = self._notes()
        try:
            if self.waits:
                events = sorted((*outcome.events, *self.waits), key=lambda event: event.step)
                outcome = replace(outcome, events=tuple(events))
            row = self._row(outcome, status, error, attempt)
            Episode.from_json(row.to_json())
        except (TypeError, ValueError) as problem:
            error = f"the environment's outcome cannot be recorded: {problem}"
            row = self._row(NOTHING, "infra_error", error, attempt)
        ended = error or ("success" if row.outcome.success else "no success")
        told = (self.spec.task, self.spec.episode, row.status, ended, row.outcome.steps, row.timing.wall_s)
        _LOG.log(logging.INFO if row.error else logging.DEBUG, "%s episode %d: %s, %s, %d steps, %.1f s", *told)
        return row

    def _notes(self) -> Mapping[str, Any]:
        """Return what the policy tells of the episode; an episode is never lost over what it tells."""
        if not isinstance(self.policy, TellingPolicy):
            return {}
        try:
            notes = dict(self.policy.notes())
            noted(notes)
        except Exception as error:
            return {"error": f"notes() raised {describe_exception(error)}"}
        return notes

    def _row(self, outcome: Outcome, status: Status, error: str, attempt: int) -> Episode:
        return make_row(
            self.spec,
            self.policy_spec,
            self.env_spec,
            status=status,
            error=error,
            outcome=outcome,
            tally=self.tally,
            attempt=attempt,
        )

    def _outcome(self) -> tuple[Outcome, Status, str]:
        try:
            self._play()
            return self._env(self.env.finish), "completed", ""
        except _PolicyFaultError as fault:
            try:
                return self._env(self.env.finish), "policy_error", str(fault)
            except _EnvFaultError:
                return NOTHING, "policy_error", str(fault)
        except _EnvFaultError as fault:
            return NOTHING, "infra_error", str(fault)

    def _play(self) -> None:
        began = time.perf_counter()
        self._env(self.env.reset, self.spec)
        _LOG.debug("%s episode %d: set up in %.2f s", self.spec.task, self.spec.episode, time.perf_counter() - began)
        self._ask("reset()", self.policy.reset, self.spec.instruction_sent, self.spec)
        self._note_state()
        left_over: Chunk = []
        while not self._at_the_end():
            observation = self._look()
            chunk = self._request(observation)
            if self._wait(left_over):
                return
            now = chunk[: self.spec.execute] if self.spec.execute else chunk
            left_over = chunk[len(now) :]
            for number, (action, clipped) in enumerate(now, start=1):
                if self._at_the_end():
                    return
                # The frame after the last action is the one that the policy is shown next.
                if self._step(action, clipped, film=number < len(now)):
                    return

    def _request(self, observation: Observation) -> Chunk:
        if self.trace is None or self.trace.full:
            return self._answer(observation, Exchange())
        step, error, chunk = len(self.actions), "", None
        with exchanging(observation) as exchange:
            try:
                chunk = self._answer(observation, exchange)
            except _PolicyFaultError as fault:
                error = str(fault)
                raise
            finally:
                with self._writing():
                    self.trace.add(
                        exchange.sent,
                        exchange.answer,
                        None if chunk is None else np.array([action for action, _ in chunk]),
                        step=step,
                        server=exchange.server,
                        latency_ms=1000.0 * exchange.latency_s,
                        error=error,
                    )
        return chunk

    def _answer(self, observation: Observation, exchange: Exchange) -> Chunk:
        step = len(self.actions)
        asked = time.perf_counter()
        value = self._ask(f"act() at step {step}", self.policy.act, observation)
        exchange.latency_s = time.perf_counter() - asked
        self.tally.latencies_s.append(exchange.latency_s)
        if exchange.answer is None:
            exchange.answer = value
        self.tally.policy_calls += 1
        try:
            chunk, clipped = as_chunk(value, self.policy_spec, step, clip=self.options.clip_actions)
        except ActionError as error:
            raise _PolicyFaultError(str(error)) from None
        return list(zip(chunk, map(bool, clipped), strict=True))

    def _wait(self, left_over: Chunk) -> bool:
        """Let the time of the last request pass in the world, if it is charged; return whether the episode is over."""
        if self.timing.mode == "pause":
            return False
        latency = self.tally.latencies_s[-1] if self.timing.latency_s is None else self.timing.latency_s
        began = len(self.actions)
        over = False
        for number in range(self.debt.steps(latency)):
            over = self._at_the_end()
            if over:
                break
            last = self.actions[-1] if self.actions else None
            still = hold_action(self.env_spec.action_dim, last)
            action, clipped = left_over[number] if number < len(left_over) else (still, False)
            over = self._step(action, clipped, film=True)
            if over:
                break
        waited = len(self.actions) - began
        self.tally.waited_steps += waited
        if waited:
            self.waits.append(Event(began, began / self.env_spec.control_hz, "wait", value=float(waited)))
        return over

    def _at_the_end(self) -> bool:
        return len(self.actions) >= self.spec.max_steps

    def _step(self, action: NDArray[np.float64], clipped: bool, *, film: bool) -> bool:
        """Carry out one action; return whether the episode is over."""
        result = self._env(self.env.step, action)
        self.actions.append(action)
        self._note_state()
        self.tally.actions_clipped += clipped
        over = result.success or result.ended or self._at_the_end()
        if film or over:
            self._film()
        return over

    def _look(self) -> Observation:
        """Observe for the policy; the same frame serves the video when it shows what the video needs."""
        asked = self.policy_spec
        observation: Observation = self._env(self.env.observe, asked.cameras, asked.image_size)
        if asked.image_size == self.options.video_size and set(self.cameras) <= set(asked.cameras):
            self._film(observation)
        else:
            self._film()
        return observation

    def _note_state(self) -> None:
        """Keep the state that the environment would show a policy; without cameras nothing is rendered."""
        if self.options.record_steps and self.options.out is not None:
            self.states.append(self._env(self.env.observe, (), self.policy_spec.image_size).state)

    def _film(self, observation: Observation | None = None) -> None:
        if self.film is None:
            return
        if observation is None:
            observation = self._env(self.env.observe, self.cameras, self.options.video_size)
        frame = np.concatenate([observation.images[camera] for camera in self.cameras], axis=1)
        with self._writing():
            self.film.add(frame)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn a disk that takes no more into the end of the run: the next episode would fare no better."""
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"cannot write videos, steps or traces to {self.options.out}: {error.strerror or error}; finished "
                f"episodes are kept: make room and run the same command again"
            ) from None

    def _keep(self, outcome: Outcome, status: Status) -> None:
        out = self.options.out
        if self.film is not None:
            good = status == "completed" and outcome.success
            if self.film.close(keep=not (good and self.options.video == "failures")):
                self.tally.video = f"videos/{self.film.path.name}"
        if self.options.record_steps and out is not None:
            file = out / "steps" / f"{self.spec.episode_id}.npz"
            actions = np.array(self.actions, dtype=np.float64).reshape(-1, self.env_spec.action_dim)
            write_steps(file, actions, np.array(self.states, dtype=np.float64).reshape(-1, self.env_spec.state_dim))
            self.tally.steps_file = f"steps/{file.name}"
        if self.trace is not None and self.trace.close():
            self.tally.trace = f"traces/{self.trace.path.name}"

    def _ask(self, where: str, call: Callable[..., T], *args: Any) -> T:
        try:
            with self.guard.policy():
                return call(*args)
        except PolicyTimeout:
            raise _PolicyFaultError(
                f"{where} gave nothing within {self.guard.policy_limit_s:g} s: allow more with --policy-timeout"
            ) from None
        except ProctorError as error:
            # A policy of ours (one behind a wire) knows what is wrong and names the other side.
            raise _PolicyFaultError(f"{where}: {error}") from error
        except (Exception, SystemExit) as error:
            raise _PolicyFaultError(f"{where} raised {describe_exception(error)}") from error

    def _env(self, call: Callable[..., T], *args: Any) -> T:
        try:
            with self.guard.env():
                return call(*args)
        except ProctorError as error:
            # The environment knows what is wrong with the task and says so in a line of its own.
            raise _EnvFaultError(str(error)) from error
        except Exception as error:
            raise _EnvFaultError(f"{getattr(call, '__name__', 'env')}() raised {describe_exception(error)}") from error
