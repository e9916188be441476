"""Write a small random-weight ACT checkpoint for an SO-101, and what LeRobot itself answers; run by LeRobot's Python.

``lerobot_bench_checkpoint.py FOLDER SEEN OUT``: FOLDER gets the checkpoint, SEEN (.npz) holds pictures and states, OUT
(.npz) gets the chunk that ``predict_action_chunk`` gives for each, through the checkpoint's own processors.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from lerobot.configs.types import FeatureType, PolicyFeature
from lerobot.policies.factory import get_policy_class, make_policy_config, make_pre_post_processors

SHAPES = {"top": (3, 48, 64), "wrist": (3, 48, 64)}
CHUNK = 8


def main() -> None:
    folder, seen, out = map(Path, sys.argv[1:4])
    torch.manual_seed(11)
    config = make_policy_config(
        "act",
        device="cpu",
        push_to_hub=False,
        input_features={
            "observation.state": PolicyFeature(FeatureType.STATE, (6,)),
            **{f"observation.images.{name}": PolicyFeature(FeatureType.VISUAL, size) for name, size in SHAPES.items()},
        },
        output_features={"action": PolicyFeature(FeatureType.ACTION, (6,))},
        pretrained_backbone_weights=None,
        chunk_size=CHUNK,
        n_action_steps=CHUNK,
        dim_model=64,
        n_heads=4,
        dim_feedforward=64,
        n_encoder_layers=1,
        n_vae_encoder_layers=1,
    )
    policy = get_policy_class("act")(config).eval()
    policy.save_pretrained(folder)
    pre, post = make_pre_post_processors(config, dataset_stats=statistics())
    for processor in (pre, post):
        processor.save_pretrained(folder)
    given = np.load(seen)
    chunks = []
    with torch.inference_mode():
        for row in range(len(given["state"])):
            batch = {
                f"observation.images.{name}": torch.from_numpy(given[name][row]).permute(2, 0, 1)[None].float() / 255
                for name in SHAPES
            }
            batch["observation.state"] = torch.from_numpy(given["state"][row])[None].float()
            chunk = policy.predict_action_chunk(pre(batch))
            chunks.append(post(chunk.reshape(CHUNK, 6)).numpy())
    np.savez(out, chunks=np.stack(chunks))


def statistics() -> dict[str, dict[str, torch.Tensor]]:
    """Joints in LeRobot's degrees around a pose above the floor, the gripper from 0 to 100."""
    image = {"mean": torch.full((3, 1, 1), 0.4), "std": torch.full((3, 1, 1), 0.3)}
    mean = torch.tensor([0.0, -60.0, 60.0, 30.0, 0.0, 50.0])
    joints = {"mean": mean, "std": torch.tensor([20.0, 8.0, 8.0, 15.0, 30.0, 20.0])}
    return {"observation.state": joints, "action": joints, **{f"observation.images.{name}": image for name in SHAPES}}


if __name__ == "__main__":
    main()
