"""Any Gymnasium environment by id.

Actions are in [-1, 1]: a Box is spanned by its bounds; of a Discrete space with n values the largest of n numbers wins.
Pictures in the observation (uint8 [H, W, 3]) are cameras, named by their keys; everything else, flattened, is the
state. Success is ``info["is_success"]`` or ``info["success"]`` at any step; with ``success_return`` it is a return of
the whole episode that is at least that. There is no other rule: nothing is guessed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import platform
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

SUCCESS_KEYS = ("is_success", "success")
ARGUMENTS = ("success_return", "success", "cameras", "kwargs")
RENDERED = "render"
DEFAULT_HZ = 20.0


class Side:
    """One environment at a time."""

    def __init__(self) -> None:
        self.env: Any = None
        self.name = ""
        self.args: dict[str, Any] = {}
        self.observation: Any = None
        self.success_return: float | None = None

    def versions(self) -> dict[str, str]:
        """Return what decides the behaviour, as far as it is installed."""
        found = {"python": platform.python_version()}
        for package in ("gymnasium", "numpy", "mujoco", "gymnasium-robotics"):
            try:
                found[package] = importlib.metadata.version(package)
            except importlib.metadata.PackageNotFoundError:
                continue
        return found

    def tasks(self, selector: str) -> list[dict[str, Any]]:
        """Return the environment called ``selector``; all registered ones for an empty text."""
        if not selector:
            names = [name for name, spec in gymnasium.registry.items() if spec.entry_point is not None]
            return [self._task(name, gymnasium.registry[name]) for name in sorted(names)]
        module, _, name = selector.rpartition(":")
        try:
            if module:
                importlib.import_module(module)
            spec = gymnasium.spec(name)
        except (gymnasium.error.Error, ImportError) as error:
            raise SystemExit(f"no Gymnasium environment {selector!r}: {' '.join(str(error).split())}") from None
        return [self._task(selector, spec)]

    def _task(self, name: str, spec: Any) -> dict[str, Any]:
        return {"task": name, "suite": "", "instruction": "", "max_steps": spec.max_episode_steps, "starts": None}

    def open(self, task: str, args: dict[str, Any]) -> dict[str, Any]:
        """Make the environment and describe it."""
        for name in args:
            if name not in ARGUMENTS:
                raise SystemExit(f"unknown --env-arg {name!r} for Gymnasium (there are {', '.join(ARGUMENTS)})")
        self.name, self.args = task, args
        extra = dict(args.get("kwargs", {}))
        wanted = str(args.get("cameras", ""))
        if wanted not in ("", RENDERED):
            raise SystemExit(f"--env-arg cameras={wanted}: there is only cameras={RENDERED}")
        if wanted:
            extra["render_mode"] = "rgb_array"
        try:
            self.env = gymnasium.make(task, **extra)
        except Exception as error:
            raise SystemExit(f"Gymnasium could not make {task!r}: {' '.join(str(error).split())}") from error
        action_dim, mode = self._actions()
        self.pictures = [path for path, space in leaves(self.env.observation_space) if is_picture(space)]
        self._success_rule()
        # The start of a fresh environment is looked at once, so that the size of the state is a fact.
        self.observation, _ = self.env.reset(seed=0)
        return {
            "name": f"gymnasium:{task}",
            "cameras": [*self.pictures, *([RENDERED] if wanted else [])],
            "state_dim": len(self.state()),
            "action_dim": action_dim,
            "control_mode": mode,
            "control_hz": float(self.env.metadata.get("render_fps") or DEFAULT_HZ),
            "rules": {
                "success": "info" if self.success_return is None else f"return >= {self.success_return:g}",
                "kwargs": json.dumps(args.get("kwargs", {}), sort_keys=True),
            },
        }

    def reset(self, task: str, seed: int, episode: int) -> None:
        """Begin an episode."""
        if task != self.name:
            raise SystemExit(f"this process serves {self.name}, not {task}")
        # Gymnasium takes seeds below 2**31 everywhere; ours have 53 bits, of which the low ones are as good as any.
        self.observation, _ = self.env.reset(seed=seed % 2**31)

    def state(self) -> Any:
        """Return the observation without pictures, flattened, in the order of the space."""
        parts = [
            np.asarray(spaces.flatten(space, value), np.float64).reshape(-1)
            for (_, space), value in zip(
                leaves(self.env.observation_space),
                values_of(self.env.observation_space, self.observation),
                strict=True,
            )
            if not is_picture(space)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def picture(self, camera: str, size: int) -> Any:
        """Return a camera's picture, resized to ``size`` if it has another."""
        if camera == RENDERED:
            return resized(np.asarray(self.env.render(), np.uint8), size)
        names = [path for path, _ in leaves(self.env.observation_space)]
        seen = list(values_of(self.env.observation_space, self.observation))
        return resized(np.asarray(seen[names.index(camera)], np.uint8), size)

    def judge(self, returned: float) -> bool:
        """Say whether an episode with this sum of rewards was a success by the user's threshold, if there is one."""
        return self.success_return is not None and returned >= self.success_return

    def step(self, action: Any) -> dict[str, Any]:
        """Advance once."""
        self.observation, reward, terminated, truncated, info = self.env.step(self._native(action))
        ended = bool(terminated or truncated)
        told = [info[key] for key in SUCCESS_KEYS if key in info]
        if self.success_return is None and ended and not told:
            raise SystemExit(f"{self.name} ended an episode without info['is_success']: give success_return")
        success = self.success_return is None and bool(told and told[0])
        return {"reward": float(reward), "success": success, "cost": info.get("cost"), "ended": ended}

    def probe(self, task: str, episode: int, args: dict[str, Any]) -> dict[str, Any]:
        """There is nothing to settle in an environment of which nothing is known."""
        raise SystemExit("there is no settle probe for Gymnasium environments")

    def close(self) -> None:
        """Close the environment."""
        if self.env is not None:
            self.env.close()

    def _actions(self) -> tuple[int, str]:
        space = self.env.action_space
        if isinstance(space, spaces.Discrete):
            return int(space.n), "discrete_argmax"
        if isinstance(space, spaces.Box):
            if not (np.isfinite(space.low).all() and np.isfinite(space.high).all()):
                raise SystemExit(f"the actions of {self.name} have no bounds, so [-1, 1] cannot be mapped to them")
            return int(np.prod(space.shape)), "box_normalised"
        raise SystemExit(f"the actions of {self.name} are {type(space).__name__}: only Box and Discrete can be served")

    def _native(self, action: Any) -> Any:
        space = self.env.action_space
        if isinstance(space, spaces.Discrete):
            return int(space.start) + int(np.argmax(action))
        low, high = space.low.reshape(-1).astype(np.float64), space.high.reshape(-1).astype(np.float64)
        spanned = low + (np.asarray(action, np.float64) + 1.0) / 2.0 * (high - low)
        return np.clip(spanned, low, high).reshape(space.shape).astype(space.dtype)

    def _success_rule(self) -> None:
        given = self.args.get("success_return")
        if given is not None:
            if isinstance(given, bool) or not isinstance(given, (int, float)):
                raise SystemExit(f"--env-arg success_return={given}: it must be a number")
            self.success_return = float(given)
            return
        if self.args.get("success") == "info":
            return
        _, info = self.env.reset(seed=0)
        *_, after = self.env.step(self.env.action_space.sample())
        if not any(key in told for told in (info, after) for key in SUCCESS_KEYS):
            registered = getattr(self.env.spec, "reward_threshold", None)
            known = f" (its registered reward threshold is {registered:g})" if registered is not None else ""
            raise SystemExit(
                f"{self.name} does not say what success is (no is_success in info): give the return that counts as "
                f"success, --env-arg success_return=NUMBER{known}, or --env-arg success=info if it says so at the end"
            )


def leaves(space: Any, path: str = "") -> Any:
    """Yield (name, space) of every part that is neither Dict nor Tuple, in the space's own order."""
    if isinstance(space, spaces.Dict):
        for key, part in space.spaces.items():
            yield from leaves(part, f"{path}/{key}" if path else str(key))
    elif isinstance(space, spaces.Tuple):
        for index, part in enumerate(space.spaces):
            yield from leaves(part, f"{path}/{index}" if path else str(index))
    else:
        yield path or "observation", space


def values_of(space: Any, value: Any) -> Any:
    """Yield the values that belong to `leaves`."""
    if isinstance(space, spaces.Dict):
        for key, part in space.spaces.items():
            yield from values_of(part, value[key])
    elif isinstance(space, spaces.Tuple):
        for part, inner in zip(space.spaces, value, strict=True):
            yield from values_of(part, inner)
    else:
        yield value


def is_picture(space: Any) -> bool:
    """Return whether a space holds uint8 images [H, W, 3]."""
    return isinstance(space, spaces.Box) and space.dtype == np.uint8 and len(space.shape) == 3 and space.shape[2] == 3


def resized(image: Any, size: int) -> Any:
    """Return ``image`` as [size, size, 3]: a triangle filter, as wide as the step between the pixels it reads."""
    if image.shape[:2] == (size, size):
        return image
    rows, columns = weights(image.shape[0], size), weights(image.shape[1], size)
    height, width, depth = image.shape
    tall = (rows @ image.reshape(height, width * depth).astype(np.float32)).reshape(size, width, depth)
    mixed = np.matmul(columns, tall)
    return np.clip(np.rint(mixed), 0, 255).astype(np.uint8)


def weights(old: int, new: int) -> Any:
    """Return the matrix [new, old] of a triangle filter; every row sums to 1."""
    scale = old / new
    reach = max(scale, 1.0)
    centres = (np.arange(new) + 0.5) * scale - 0.5
    matrix = np.clip(1.0 - np.abs(np.arange(old)[None, :] - centres[:, None]) / reach, 0.0, None)
    return (matrix / matrix.sum(axis=1, keepdims=True)).astype(np.float32)
