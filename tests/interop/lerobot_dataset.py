"""Runs in LeRobot's environment: opens a dataset with its own LeRobotDataset and prints what it finds as JSON.

Nothing of ours is imported. Films: torchcodec needs a system FFmpeg and torchvision of today reads no films, so where
LeRobot's own decoder cannot run, PyAV (which LeRobot brings along) decodes in its place; nothing else is changed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import av
import lerobot.datasets.lerobot_dataset as module
import numpy as np
import torch
from lerobot.datasets.lerobot_dataset import LeRobotDataset


def decode(path: Any, timestamps: list[float], tolerance_s: float, backend: str | None = None) -> torch.Tensor:
    times, pictures = [], []
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        for frame in film.decode(stream):
            times.append(float(frame.pts * stream.time_base))
            pictures.append(frame.to_ndarray(format="rgb24"))
            if times[-1] >= max(timestamps) + 1:
                break
    chosen = []
    for wanted in timestamps:
        nearest = int(np.argmin(np.abs(np.array(times) - wanted)))
        assert abs(times[nearest] - wanted) < tolerance_s, (times[nearest], wanted)
        chosen.append(torch.from_numpy(pictures[nearest]).permute(2, 0, 1).float() / 255)
    return torch.stack(chosen)


def main() -> None:
    root, indices = Path(sys.argv[1]), json.loads(sys.argv[2])
    dataset = LeRobotDataset("local/bench", root=root)
    if dataset.meta.video_keys:
        module.decode_video_frames = decode
    items = []
    for index in indices:
        item = dataset[index]
        items.append(
            {
                "action": item["action"].tolist(),
                "state": item["observation.state"].tolist(),
                "timestamp": float(item["timestamp"]),
                "episode": int(item["episode_index"]),
                "task": item["task"],
                "pictures": {
                    key: {
                        "shape": list(item[key].shape),
                        "pixels": item[key][:, ::16, ::16].permute(1, 2, 0).mul(255).round().int().tolist(),
                    }
                    for key in dataset.meta.camera_keys
                },
            }
        )
    loader = torch.utils.data.DataLoader(dataset, batch_size=4, num_workers=0)
    batch = next(iter(loader))
    found = {
        "episodes": dataset.meta.total_episodes,
        "frames": dataset.num_frames,
        "fps": dataset.fps,
        "cameras": dataset.meta.camera_keys,
        "video_keys": dataset.meta.video_keys,
        "robot": dataset.meta.robot_type,
        "names": dataset.meta.features["action"]["names"],
        "tasks": list(dataset.meta.tasks.index),
        "stats": {key: sorted(value) for key, value in dataset.meta.stats.items()},
        "mean": dataset.meta.stats["observation.state"]["mean"].tolist(),
        "batch": list(batch["action"].shape),
        "items": items,
    }
    print(">>> " + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
