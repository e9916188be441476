"""One task as a `gymnasium.Env`, with the observation keys that LeRobot reads."""

from __future__ import annotations

import atexit
import dataclasses
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from proctor.core import VISION_LEVELS, EpisodeSpec, ProctorError, did_you_mean, episode_spec
from proctor.tasks.suites import TaskRef, entry_of, find, instruction_of

if TYPE_CHECKING:
    from proctor.sim import SimEnv

OPTIONS = ("episode", "instruction", "vision")
ACTIONS = 7
# Tool position (m), axis-angle (rad), fingers (m). The arm reaches 0.9 m from its base, which stands beside the table.
STATE_LIMIT = np.array([3.0, 3.0, 3.0, np.pi, np.pi, np.pi, 0.1, 0.1])


class ProctorEnv(gymnasium.Env[dict[str, Any], NDArray[np.float32]]):  # type: ignore[misc]
    """A task, its episodes numbered as in ``proctor run``.

    Observation: ``pixels`` (camera to uint8 [size, size, 3]; left out without cameras) and ``agent_pos`` [8]. Reward 1
    on success, which terminates; else 0. Truncated after ``max_steps``, the suite's unless given.

    ``reset(seed=s)`` begins episode 0 of the run with seed ``s``; each ``reset()`` after it the next episode. Options:
    ``episode`` (go to that one), ``vision`` and ``instruction`` (for this episode only). The layout is that of
    ``proctor run --seed s``, same task, same episode; ``pair_id`` in ``info`` is then that of its row. Without a seed
    ever given, ``s`` is drawn at random.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 20}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        task: str,
        cameras: Sequence[str] = ("agentview", "wrist"),
        image_size: int = 256,
        vision: str = "V0",
        success_rule: Literal["hold", "any_step"] = "hold",
        compat: Literal["corrected", "paper"] = "corrected",
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._ref = _one_task(task)
        self._cameras, self._image_size, self._vision = tuple(cameras), image_size, _checked_vision(vision)
        self._rules: dict[str, Any] = {"success_rule": success_rule, "compat": compat}
        if success_rule not in ("hold", "any_step") or compat not in ("corrected", "paper"):
            raise ProctorError(
                f"success_rule={success_rule!r}, compat={compat!r}: there are 'hold' and 'any_step', 'corrected' and "
                f"'paper'"
            )
        if not 16 <= image_size <= 1024:
            raise ProctorError(f"image_size is {image_size}: allowed are 16 to 1024")
        if max_steps is not None and max_steps < 1:
            raise ProctorError(f"max_steps is {max_steps}: it must be at least 1")
        if render_mode not in (None, "rgb_array"):
            raise ProctorError(f"render_mode is {render_mode!r}: there is only 'rgb_array'")
        self.render_mode = render_mode
        self._max_episode_steps = max_steps or self._ref.max_steps
        self._entry = entry_of(self._ref, max_steps)
        self._sim: SimEnv | None = None
        self._spec: EpisodeSpec | None = None
        self._run_seed: int | None = None
        self._episode = -1
        self._steps, self._cost = 0, 0.0
        self._over = True
        self.action_space = spaces.Box(-1.0, 1.0, (ACTIONS,), np.float32)
        self.observation_space = _observation_space(self._known_cameras(), image_size)

    # -- what LeRobot asks for ----------------------------------------------------------------------------------------
    @property
    def task(self) -> str:
        """The task's id, as in ``proctor ls``."""
        return self._ref.id

    @property
    def task_description(self) -> str:
        """The text for the policy in the current episode; before the first, the task's own."""
        return instruction_of(self._ref) if self._spec is None else self._spec.instruction_sent

    # -- gymnasium.Env ------------------------------------------------------------------------------------------------
    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; see the class for which."""
        super().reset(seed=seed)
        chosen = dict(options or {})
        for name in chosen:
            if name not in OPTIONS:
                hint = did_you_mean(name, OPTIONS)
                raise ProctorError(f"unknown reset option {name!r} (there are {', '.join(OPTIONS)}){hint}")
        self._number_episode(seed, chosen.get("episode"))
        self._spec = self._episode_spec(chosen.get("vision"), chosen.get("instruction"))
        self._simulator().reset(self._spec)
        self._steps, self._cost, self._over = 0, 0.0, False
        observation = self._observation()
        _close_at_exit(self)
        return observation, self._described({"is_success": False, "cost": 0.0, "cost_total": 0.0, "events": []})

    def step(self, action: NDArray[np.float32]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Advance 50 ms. Values outside [-1, 1] are clipped."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over, or none has begun: call reset() first")
        result = self._simulator().step(self._checked(action))
        self._steps += 1
        self._cost += float(result.cost)
        terminated = bool(result.success)
        truncated = not terminated and self._steps >= self._max_episode_steps
        info = {
            "is_success": terminated,
            "cost": float(result.cost),
            "cost_total": self._cost,
            "events": [dataclasses.asdict(event) for event in result.events],
        }
        if terminated or truncated:
            self._over = True
            info |= self._account()
        return self._observation(), float(terminated), terminated, truncated, self._described(info)

    def render(self) -> NDArray[np.uint8] | None:
        """Return what the first camera sees, as the policy would see it."""
        if self.render_mode is None:
            return None
        camera = self._cameras[0] if self._cameras else "agentview"
        return self._simulator().observe((camera,), self._image_size).images[camera]

    def close(self) -> None:
        if self._sim is not None:
            self._sim.close()
        self._sim, self._over = None, True
        _OPEN.discard(self)

    # -- inside -------------------------------------------------------------------------------------------------------
    def _number_episode(self, seed: int | None, episode: Any) -> None:
        if episode is not None and (not isinstance(episode, int | np.integer) or episode < 0):
            raise ProctorError(f"reset option 'episode' is {episode!r}: it must be a whole number from 0")
        if seed is not None:
            self._run_seed, self._episode = int(seed), -1
        elif self._run_seed is None:
            self._run_seed = int(self.np_random.integers(2**31))
        self._episode = self._episode + 1 if episode is None else int(episode)

    def _episode_spec(self, vision: str | None, instruction: str | None) -> EpisodeSpec:
        assert self._run_seed is not None
        spec = episode_spec(
            self._entry,
            self._episode,
            run_seed=self._run_seed,
            policy="gymnasium",
            language="W0" if instruction is None else "given",
            sent=instruction,
            vision=self._vision if vision is None else _checked_vision(vision),
            **self._rules,
        )
        self._max_episode_steps = spec.max_steps
        return spec

    def _simulator(self) -> SimEnv:
        if self._sim is None:
            from proctor.sim import SimEnv

            self._sim = SimEnv()
        return self._sim

    def _known_cameras(self) -> tuple[str, ...]:
        from proctor.sim import CAMERAS

        for camera in self._cameras:
            if camera not in CAMERAS:
                hint = did_you_mean(camera, CAMERAS)
                raise ProctorError(f"no camera {camera!r} (there are {', '.join(CAMERAS)}){hint}")
        return self._cameras

    def _observation(self) -> dict[str, Any]:
        seen = self._simulator().observe(self._cameras, self._image_size)
        state = {"agent_pos": seen.state}
        return {"pixels": dict(seen.images), **state} if self._cameras else state

    def _checked(self, action: NDArray[np.float32]) -> NDArray[np.float64]:
        values = np.asarray(action, np.float64)
        if values.shape != (ACTIONS,) or not np.isfinite(values).all():
            raise ProctorError(f"an action is {ACTIONS} finite numbers, not {values.tolist()}")
        return np.clip(values, -1.0, 1.0)

    def _account(self) -> dict[str, Any]:
        """Close the episode: terminal cost included, every cost expression by name."""
        outcome = self._simulator().finish()
        return {
            "cost_total": float(outcome.cost_total),
            "costs": {entry.name: float(entry.cost) for entry in outcome.costs},
            "trajectory_hash": outcome.trajectory_hash,
        }

    def _described(self, info: dict[str, Any]) -> dict[str, Any]:
        assert self._spec is not None
        return {
            **info,
            "episode_id": self._spec.episode_id,
            "pair_id": self._spec.pair_id,
            "episode": self._spec.episode,
            "seed": self._spec.seed,
            "instruction": self._spec.instruction_sent,
            "vision": self._spec.vision,
        }


def make_env(
    task: str,
    *,
    cameras: Sequence[str] = ("agentview", "wrist"),
    image_size: int = 256,
    vision: str = "V0",
    success: Literal["hold", "any_step"] = "hold",
    compat: Literal["corrected", "paper"] = "corrected",
    max_steps: int | None = None,
) -> ProctorEnv:
    """Return one task as a Gymnasium environment; see `ProctorEnv`. Its layouts are those of `proctor.evaluate`."""
    return ProctorEnv(task, cameras, image_size, vision, success, compat, max_steps, render_mode="rgb_array")


_OPEN: weakref.WeakSet[ProctorEnv] = weakref.WeakSet()


def _close_at_exit(env: ProctorEnv) -> None:
    """Close ``env`` at the end of the program if nobody else does: renderers freed after OpenGL has gone complain.

    OpenGL's own hook is set with the first picture and the last hook set is the first called, so ours is set again.
    """
    _OPEN.add(env)
    atexit.unregister(_close_all)
    atexit.register(_close_all)


def _close_all() -> None:
    for env in list(_OPEN):
        env.close()


def _one_task(selector: str) -> TaskRef:
    refs = find(selector)
    if len(refs) > 1:
        raise ProctorError(f"{selector!r} names {len(refs)} tasks, an environment has one: as {refs[0].id!r}")
    return refs[0]


def _checked_vision(level: str) -> str:
    if level not in VISION_LEVELS:
        hint = did_you_mean(str(level), VISION_LEVELS)
        raise ProctorError(f"unknown vision level {level!r} (there are {', '.join(VISION_LEVELS)}){hint}")
    return level


def _observation_space(cameras: Sequence[str], size: int) -> spaces.Dict:
    offered: dict[str, spaces.Space[Any]] = {"agent_pos": spaces.Box(-STATE_LIMIT, STATE_LIMIT, dtype=np.float64)}
    if cameras:
        offered["pixels"] = spaces.Dict({name: spaces.Box(0, 255, (size, size, 3), np.uint8) for name in cameras})
    return spaces.Dict(offered)
