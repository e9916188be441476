"""One episode: an environment and a policy stepped together until success, the step limit, or an error."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

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
    StepDebt,
    TellingPolicy,
    Timing,
)
from proctor.policies import Exchange, describe_exception, exchanging
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

from ._actions import ActionError, as_chunk, hold_action
from ._guard import Guard, PolicyTimeout
from ._options import EpisodeOptions

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
