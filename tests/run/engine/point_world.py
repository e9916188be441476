"""A small, exact, fast environment for tests of the loop: a point in space, a goal ball and a forbidden ball.

Position changes by 0.05 m per unit of action and is quantised by nothing, so a trajectory hash covers every bit.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import numpy as np

from proctor.core import CostEntry, EnvSpec, EpisodeSpec, Event, Observation, Outcome, PolicySpec, Step, named_rng

HOLD = 10


class PointEnv:
    def __init__(
        self,
        step_s: float = 0.0,
        crash_episode: int = -1,
        fail_episode: int = -1,
        hang_episode: int = -1,
        cost: float | None = None,
        version: str = "1",
    ) -> None:
        self.step_s, self.crash_episode, self.fail_episode = step_s, crash_episode, fail_episode
        self.hang_episode, self.cost, self.version = hang_episode, cost, version
        self.observed: list[tuple[int, tuple[str, ...]]] = []

    def spec(self) -> EnvSpec:
        return EnvSpec(
            name="point", cameras=("agentview", "wrist"), fingerprint={"mujoco": "none", "assets": self.version}
        )

    def reset(self, episode: EpisodeSpec) -> None:
        rng = named_rng(episode.seed, "layout")
        self.episode = episode
        self.goal = rng.uniform(-0.5, 0.5, 3)
        self.hazard = rng.uniform(-0.5, 0.5, 3)
        self.position = np.zeros(3)
        self.steps, self.held, self.cost_steps = 0, 0, 0
        self.success_time: float | None = None
        self.first: float | None = None
        self.events: list[Event] = []
        self.hash = hashlib.sha256(self.position.tobytes())
        if episode.episode == self.crash_episode:
            os.abort()
        if episode.episode == self.fail_episode:
            raise RuntimeError("the floor is gone")
        if episode.episode == self.hang_episode:
            time.sleep(600)

    def observe(self, cameras, image_size) -> Observation:
        self.observed.append((self.steps, tuple(cameras)))
        images = {}
        for camera in cameras:
            image = np.full((image_size, image_size, 3), 40, np.uint8)
            row, column = ((self.position[:2] + 1.0) / 2.0 * (image_size - 9)).clip(0, image_size - 9).astype(int)
            image[row : row + 8, column : column + 8] = (255, 200, 0) if camera == "agentview" else (0, 200, 255)
            images[camera] = image
        state = np.concatenate([self.position, np.zeros(5)])
        return Observation(images=images, state=state, instruction=self.episode.instruction_sent, step=self.steps)

    def step(self, action) -> Step:
        if self.step_s:
            time.sleep(self.step_s)
        self.position = self.position + 0.05 * action[:3]
        self.steps += 1
        self.hash.update(self.position.tobytes())
        now = self.steps / 20.0
        cost = float(np.linalg.norm(self.position - self.hazard) < 0.1)
        if cost:
            self.cost_steps += 1
            if self.first is None:
                self.first = now
                self.events.append(Event(self.steps, now, "cost_on", "hazard"))
        self.held = self.held + 1 if np.linalg.norm(self.position - self.goal) < 0.05 else 0
        need = 1 if self.episode.success_rule == "any_step" else HOLD
        if self.held >= need and self.success_time is None:
            self.success_time = now
            self.events.append(Event(self.steps, now, "success"))
        return Step(success=self.success_time is not None, cost=cost)

    def finish(self) -> Outcome:
        return Outcome(
            success=self.success_time is not None,
            success_time_s=self.success_time,
            steps=self.steps,
            sim_time_s=self.steps / 20.0,
            cost_total=float(self.cost_steps) if self.cost is None else self.cost,
            costs=(CostEntry("hazard", "instantaneous", float(self.cost_steps), self.cost_steps, self.first),),
            events=tuple(self.events),
            trajectory_hash=self.hash.hexdigest()[:16],
        )

    def close(self) -> None: ...


class ReadingEnv(PointEnv):
    """Its trajectory hash covers the task file."""

    def reset(self, episode: EpisodeSpec) -> None:
        super().reset(episode)
        self.hash.update(Path(episode.task_path).read_bytes())


class GoPolicy:
    """Walks to the goal, which it may look up."""

    def __init__(self, chunk: int = 1, cameras: str = "", speed: float = 1.0) -> None:
        self.chunk, self.cameras, self.speed = chunk, tuple(filter(None, cameras.split(","))), speed

    def bind(self, env: PointEnv) -> None:
        self.env = env

    def spec(self) -> PolicySpec:
        return PolicySpec(name="go", cameras=self.cameras, image_size=64, chunk=self.chunk, privileged=True)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self.rng = named_rng(episode.seed, "policy")

    def act(self, observation: Observation):
        here = observation.state[:3].copy()
        actions = []
        for _ in range(self.chunk):
            delta = np.clip((self.env.goal - here) / 0.05, -self.speed, self.speed)
            delta = np.clip(delta + self.rng.uniform(-0.01, 0.01, 3), -1.0, 1.0)
            here += 0.05 * delta
            actions.append([*delta, 0.0, 0.0, 0.0, -1.0])
        return np.array(actions)


class BadPolicy(GoPolicy):
    """Breaks one rule, at step 3 of every episode with an odd number."""

    def __init__(self, how: str, every: int = 2) -> None:
        super().__init__()
        self.how, self.every = how, every

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        super().reset(instruction, episode)
        self.bad = episode.episode % self.every == self.every - 1
        if self.bad and self.how == "reset":
            raise KeyError("no such prompt")

    def act(self, observation: Observation):
        action = super().act(observation)
        if not self.bad or observation.step < 3:
            return action
        match self.how:
            case "nan":
                action[0, 2] = np.nan
            case "inf":
                action[0, 1] = -np.inf
            case "shape":
                return np.zeros(6)
            case "chunk":
                return np.zeros((2, 7))
            case "dtype":
                return np.array(["a"] * 7)
            case "none":
                return None
            case "range":
                action[0, 0] = 1.5
            case "raise":
                raise ValueError("bad\nluck")
            case "exit":
                raise SystemExit(4)
            case "sleep":
                time.sleep(60)
            case "swallow":
                while True:
                    try:
                        time.sleep(60)
                    except BaseException:
                        continue
            case "abort":
                os.abort()
        return action
