"""What LeRobot itself answers, beside what our adapter answers; run by the LeRobot environment's Python.

``lerobot_oracle.py CHECKPOINTS TASK SEED STEPS EXPERT OUT`` writes OUT/compare.json: adapter against ``select_action``
of a lone episode, on made-up observations; and what LeRobot's evaluator makes of the expert's actions (EXPERT). And
OUT/KIND.npz: the actions of LeRobot alone on a task, through Gymnasium.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import torch
from lerobot.configs.policies import PreTrainedConfig
from lerobot.envs.factory import make_env
from lerobot.envs.utils import close_envs, preprocess_observation
from lerobot.policies.factory import get_policy_class, make_pre_post_processors
from lerobot.scripts.lerobot_eval import rollout
from scipy.spatial.transform import Rotation

import proctor.run.gym
from proctor.policies.adapters.act import ACT
from proctor.policies.adapters.diffusion import Diffusion
from proctor.policies.adapters.smolvla import SmolVLA
from proctor.policies.adapters.xvla import XVLA
from proctor.run.gym.lerobot import ProctorEnvConfig

TEXTS = ("pick up the apple", "put the mug on the plate, carefully", "open the drawer")
STEPS = 9


class Poses(XVLA):
    """X-VLA before its poses become steps, to be compared with LeRobot's own."""

    def to_steps(self, memory: Any, observation: Any, actions: np.ndarray) -> np.ndarray:
        return actions


ADAPTERS = {"act": ACT, "ensemble": ACT, "diffusion": Diffusion, "smolvla": SmolVLA, "xvla": Poses}


class Alone:
    """LeRobot's policy as LeRobot's evaluator drives it, for one episode."""

    def __init__(self, folder: Path) -> None:
        config = PreTrainedConfig.from_pretrained(folder)
        config.device = "cpu"
        self.policy = get_policy_class(config.type).from_pretrained(folder, config=config)
        self.pre, self.post = make_pre_post_processors(config, pretrained_path=str(folder))

    def begin(self, seed: int) -> None:
        digest = hashlib.sha256(f"{seed}\x1fpolicy\x1f0".encode()).digest()
        torch.manual_seed(int.from_bytes(digest[:8], "big") >> 1)
        self.policy.reset()

    def act(self, pictures: dict[str, np.ndarray], state: np.ndarray, text: str) -> np.ndarray:
        seen = preprocess_observation({"pixels": pictures, "agent_pos": state})
        with torch.inference_mode():
            return np.asarray(self.post(self.policy.select_action(self.pre(seen | {"task": [text]})))[0])


def as_libero(images: dict[str, np.ndarray], kind: str) -> dict[str, np.ndarray]:
    """Return upright pictures as LIBERO's: bottom row first, then turned by 180 degrees (X-VLA's wrist is not)."""
    raw = {camera: picture[::-1] for camera, picture in images.items()}
    wrist = raw["wrist"] if kind == "xvla" else np.rot90(raw["wrist"], 2)
    return {"image": np.rot90(raw["agentview"], 2).copy(), "wrist_image": wrist.copy()}


def observation(session: int, step: int) -> SimpleNamespace:
    rng = np.random.default_rng([session, step])
    images = {camera: rng.integers(0, 256, (64, 64, 3), dtype=np.uint8) for camera in ("agentview", "wrist")}
    return SimpleNamespace(images=images, state=rng.normal(size=8), instruction=TEXTS[session], step=step)


def served(policy: Any, sessions: list[int]) -> dict[int, np.ndarray]:
    """Return STEPS actions of each session. Two begin together and ask together, one begins a step later."""
    queues: dict[int, list[np.ndarray]] = {session: [] for session in sessions}
    done: dict[int, list[np.ndarray]] = {session: [] for session in sessions}
    for session in sessions:
        policy.begin(str(session), TEXTS[session], {"seed": 100 + session})
    for tick in range(STEPS + len(sessions)):
        live = [session for i, session in enumerate(sessions) if i // 2 <= tick and len(done[session]) < STEPS]
        asking = [session for session in live if not queues[session]]
        if asking:
            seen = [observation(session, len(done[session])) for session in asking]
            chunks = policy.act_batch([str(session) for session in asking], seen)
            for session, chunk in zip(asking, chunks, strict=True):
                queues[session].extend(chunk)
        for session in live:
            done[session].append(queues[session].pop(0))
    return {session: np.stack(actions) for session, actions in done.items()}


def compare(kind: str, folder: Path) -> dict[str, Any]:
    policy = ADAPTERS[kind](str(folder), trained_on="proctor", mirror=True)
    answers = served(policy, [0, 1, 2])
    alone = Alone(folder)
    differences, spreads = [], []
    for session, actions in answers.items():
        alone.begin(100 + session)
        seen = [observation(session, step) for step in range(STEPS)]
        expected = np.stack([alone.act(as_libero(one.images, kind), policy.state(one), TEXTS[session]) for one in seen])
        differences.append(np.abs(actions - expected).max())
        spreads.append(expected.std(axis=0).max())
    across = float(np.abs(answers[1] - answers[0]).max())
    worst, spread = float(np.max(differences)), float(np.max(spreads))  # a NaN stays one
    return {"worst": worst, "spread": spread, "across": across, "spec": policy.spec()}


def controllers_pose(position: np.ndarray, rotation: Any) -> np.ndarray:
    """Return a pose of ours as LIBERO's controller has it: 6.9 mm back along z, axes turned by -90 degrees about z."""
    axes = (rotation * Rotation.from_rotvec(np.array([0.0, 0.0, -np.pi / 2]))).as_matrix()
    return np.r_[position - 0.0069 * axes[:, 2], axes[:, 0], axes[:, 1]]


def reached(folder: Path) -> dict[str, float]:
    """Return how far the pose that X-VLA's steps add up to is from targets within reach; and its steps to a far one."""
    policy = XVLA(str(folder))
    rng = np.random.default_rng(3)
    state = np.concatenate([[0.1, 0.0, 1.1], Rotation.from_euler("xyz", [3.0, 0.2, -0.4]).as_rotvec(), [0.04, 0.04]])
    policy.begin("one", TEXTS[0], {"seed": 1})
    session, error, commanded = policy.memory("one"), 0.0, (state[:3], Rotation.from_rotvec(state[3:6]))
    for step in (0, 3):  # the second request comes after 3 of 5 steps; the measured pose has not moved at all
        position, rotation = commanded
        targets, poses = [], []
        for _ in range(5):
            position = position + rng.uniform(-0.04, 0.04, 3)
            rotation = Rotation.from_rotvec(rng.uniform(-0.2, 0.2, 3)) * rotation
            targets.append(np.r_[controllers_pose(position, rotation), rng.random(), np.zeros(10)])
        steps = policy.to_steps(session, SimpleNamespace(state=state, step=step), np.stack(targets))
        for values, target in zip(steps, targets, strict=True):
            turn = Rotation.from_rotvec(0.5 * values[3:6])
            commanded = (commanded[0] + 0.05 * values[:3], turn * commanded[1])
            poses.append(commanded)
            error = max(error, float(np.abs(controllers_pose(*commanded) - target[:9]).max()))
            assert values[6] == (1.0 if target[9] > 0.5 else -1.0)
        commanded = poses[2]
    far = policy.to_steps(session, SimpleNamespace(state=state, step=99), np.arange(20.0)[None] * 5)
    told = policy.state(SimpleNamespace(state=state))
    pose = np.r_[controllers_pose(state[:3], Rotation.from_rotvec(state[3:6])), np.zeros(11)]
    return {"error": error, "far": float(np.abs(far).max()), "state": float(np.abs(told - pose).max())}


def episode(folder: Path, task: str, seed: int, steps: int) -> np.ndarray:
    """Return the actions of LeRobot alone on ``task``."""
    env = gymnasium.make(proctor.run.gym.ANY_TASK, task=task, image_size=64, max_steps=steps)
    seen, info = env.reset(seed=seed)
    alone, actions, over = Alone(folder), [], False
    alone.begin(info["seed"])
    while not over:
        actions.append(alone.act(as_libero(seen["pixels"], ""), seen["agent_pos"], info["instruction"]))
        seen, _, terminated, truncated, info = env.step(actions[-1])
        over = terminated or truncated
    env.close()
    return np.stack(actions)


class Recorded(torch.nn.Module):
    """Actions from a file, in the shape of a LeRobot policy."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.actions = torch.from_numpy(np.load(path)["actions"])

    def reset(self) -> None:
        self.step = 0

    def select_action(self, batch: dict[str, Any]) -> torch.Tensor:
        self.step += 1
        return self.actions[min(self.step, len(self.actions)) - 1].repeat(len(batch["task"]), 1)


def evaluated(task: str, seed: int, expert: Path) -> dict[str, Any]:
    """Return what LeRobot's own rollout says of the expert: on the layout it solved, and on the next one."""
    envs = make_env(ProctorEnvConfig(task=task, trained_on="proctor", image_size=32), n_envs=2)
    as_they_are: list[Any] = [lambda value: value] * 4
    done = rollout(envs["proctor"][0], Recorded(expert), *as_they_are, seeds=[seed, seed + 1])
    close_envs(envs)
    return {"success": done["success"].any(dim=1).tolist(), "steps": done["done"].logical_not().sum(dim=1).tolist()}


def main() -> None:
    root, task, seed, steps = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    expert, out = Path(sys.argv[5]), Path(sys.argv[6])
    found: dict[str, Any] = {kind: compare(kind, root / kind) for kind in ADAPTERS}
    found |= {"reached": reached(root / "xvla"), "evaluated": evaluated(task, seed, expert)}
    (out / "compare.json").write_text(json.dumps(found))
    for kind in ("act", "smolvla"):
        np.savez(out / f"{kind}.npz", actions=episode(root / kind, task, seed, steps))


if __name__ == "__main__":
    main()
