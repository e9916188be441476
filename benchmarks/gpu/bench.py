"""How well one GPU is kept busy, beside the plain loop that evaluation scripts have; on a machine with an NVIDIA GPU.

    python benchmarks/gpu/bench.py --page docs/reference/tables/gpu_speed.md

A model of a VLA's size with random weights (`model.py`) is asked for chunks of ten actions by tasks of
``arena/static_obstacles`` whose pictures the same GPU draws. *Plain loop*: one process, one environment, the model in
it, asked for one observation at a time. *Served*: ``proctor serve`` and ``proctor run`` with many environments.
Every figure is a slope of two runs, a short and a long one, so that loading does not count.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STEPS = 200
BATCHES = (1, 2, 4, 8, 16, 32)


def environment() -> dict[str, str]:
    path = os.pathsep.join([str(HERE), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path.rstrip(os.pathsep), "OMP_NUM_THREADS": "1"}


def forwards() -> tuple[str, float, dict[int, float]]:
    """Return the GPU's name, the model's parameters and the seconds of a forward by batch size, nothing else on."""
    import numpy as np
    import torch
    from model import SIZE, RandomVla

    policy = RandomVla()
    found = {}
    for batch in BATCHES:
        pictures, states = np.zeros((2 * batch, SIZE, SIZE, 3), np.uint8), np.zeros((batch, 8))
        times = []
        for _ in range(15):
            began = time.perf_counter()
            policy.forward(pictures, ["put the apple on the plate"] * batch, states)
            times.append(time.perf_counter() - began)
        found[batch] = sorted(times)[len(times) // 2]
    name, size = torch.cuda.get_device_name(), float(policy.parameters)
    del policy
    torch.cuda.empty_cache()
    return name, size, found


def run(policy: str, episodes: int, workers: int, envs: int, folder: Path) -> float:
    """Return the seconds of an examination."""
    command = [sys.executable, "-m", "proctor", "run", "arena/static_obstacles", "--policy", policy, "--limit"]
    command += [str(episodes), "--episodes", "100", "--max-steps", str(STEPS), "--workers", str(workers)]
    command += ["--envs-per-worker", str(envs), "--out", tempfile.mkdtemp(dir=folder) + "/run"]
    began = time.perf_counter()
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return time.perf_counter() - began


def metrics(address: str) -> dict[str, float]:
    with urllib.request.urlopen(address) as answer:
        text = answer.read().decode()
    return {name: float(value) for name, value in re.findall(r"^(proctor_\w+) ([\d.e+-]+)$", text, re.MULTILINE)}


def served(workers: int, envs: int, few: int, many: int, folder: Path) -> dict[str, float]:
    ready, log = folder / "url", folder / "server.log"
    command = [sys.executable, "-m", "proctor", "serve", "model:RandomVla", "--port", "0", "--metrics-port", "0"]
    command += ["--max-batch", str(max(BATCHES)), "--ready-file", str(ready)]
    with log.open("w") as out, subprocess.Popen(command, env=environment(), stdout=out, stderr=out) as process:
        try:
            while not ready.exists():
                if process.poll() is not None:
                    sys.exit(f"bench: the server did not start\n{log.read_text()}")
                time.sleep(0.1)
            address = re.search(r"http://[^\s,]+", log.read_text())
            assert address is not None
            url = ready.read_text().strip()
            marks, seconds = [metrics(address[0])], []
            for episodes in (few, many):
                seconds.append(run(url, episodes, workers, envs, folder))
                marks.append(metrics(address[0]))
        finally:
            process.kill()
    short, long = ({name: later[name] - first[name] for name in later} for first, later in pairwise(marks))
    extra = {name: long[name] - short[name] for name in long}
    extra_s = seconds[1] - seconds[0]
    forwards_made = extra["proctor_compute_seconds_count"]
    return {
        "steps_per_s": (many - few) * STEPS / extra_s,
        "batch": extra["proctor_requests_total"] / forwards_made,
        "forward_s": extra["proctor_compute_seconds_sum"] / forwards_made,
        "busy": extra["proctor_compute_seconds_sum"] / extra_s,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--envs", type=int, default=4, help="environments per worker")
    parser.add_argument("--episodes", type=int, default=400)
    parser.add_argument("--page", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    name, size, alone = forwards()
    print(f"{name}: forward {', '.join(f'{b}: {s * 1e3:.1f} ms' for b, s in alone.items())}", flush=True)
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        plain_few, plain_many = 2, 2 + max(2, arguments.episodes // 15)
        plain = [run("model:RandomVla", n, 1, 1, folder) for n in (plain_few, plain_many)]
        plain_rate = (plain_many - plain_few) * STEPS / (plain[1] - plain[0])
        print(f"plain loop: {plain_rate:.0f} steps/s", flush=True)
        few = arguments.workers * arguments.envs
        ours = served(arguments.workers, arguments.envs, few, few + arguments.episodes, folder)
    print(ours, flush=True)
    page = f"""# One GPU, kept busy

Written by `python benchmarks/gpu/bench.py --page docs/reference/tables/gpu_speed.md`; no figure is typed. A model of
{size / 1e9:.1f} billion random weights, shaped like a VLA (two pictures of 224 × 224, chunks of ten actions that are
refined in ten steps), plays `arena/static_obstacles`. The same GPU computes the model and draws the pictures. Steps are
control steps of 50 ms.

Machine: {name}, {os.cpu_count()} CPU threads.

| | control steps/s | mean batch | mean forward | share of the time in a forward |
|---|---:|---:|---:|---:|
| plain loop: one process, one environment, the model in it | {plain_rate:,.0f} | 1 | {alone[1] * 1e3:.0f} ms | |
| `proctor serve` and `proctor run`, {arguments.workers} workers × {arguments.envs} environments \
| {ours["steps_per_s"]:,.0f} | {ours["batch"]:.1f} | {ours["forward_s"] * 1e3:.0f} ms | {ours["busy"]:.0%} |

**{ours["steps_per_s"] / plain_rate:.1f} times** the plain loop. A forward with nothing else on the GPU:

| observations together | {" | ".join(str(batch) for batch in alone)} |
|---|{"---:|" * len(alone)}
| milliseconds | {" | ".join(f"{seconds * 1e3:.1f}" for seconds in alone.values())} |
"""
    print(page)
    if arguments.page is not None:
        arguments.page.write_text(page)


if __name__ == "__main__":
    main()
