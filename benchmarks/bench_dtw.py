"""Dynamic time warping of 143,000 paths, ours against fastdtw, in one run.

    python benchmarks/bench_dtw.py [--paths 143000] [--peer 300] [--plain 200]

The paths are of the published size (4,092 paraphrases x 5 seeds x 7 models, 50 points, 3 axes), each compared with the
mean of its task. fastdtw (Salvador and Chan 2007) is installed into .cache/fastdtw on the first run and measured on
some of the same paths; without a package index its column is left out and a line says so. Both are also compared with
a plain table in Python, which is what "exact" means here.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.analysis.failures import POINTS, dtw_distances

CACHE = Path(__file__).resolve().parents[1] / ".cache"
PEER = CACHE / "fastdtw"
Floats = NDArray[np.float64]
GROUPS = 70


def made_paths(count: int) -> Floats:
    """Smooth paths: a straight reach at an uneven pace, bent by a few sine waves."""
    rng = np.random.default_rng(0)
    time_axis = np.linspace(0.0, 1.0, POINTS)
    pace = time_axis[None, :] ** rng.uniform(0.6, 1.6, size=(count, 1))
    waves = np.sin(np.pi * pace[:, :, None] * np.arange(1, 5))
    bends = np.einsum("nkw,nwd->nkd", waves, rng.normal(scale=0.1, size=(count, 4, 3)))
    return bends + pace[:, :, None] * np.array([0.3, 0.0, 0.2])


def plain(x: Floats, y: Floats) -> float:
    """The table of the definition, cell by cell."""
    above = [0.0] + [math.inf] * len(y)
    for a in x.tolist():
        row = [math.inf]
        for j, b in enumerate(y.tolist()):
            row.append(math.dist(a, b) + min(above[j + 1], row[j], above[j]))
        above = row
    return above[-1] / len(x)


def load_peer() -> Callable[..., Any] | None:
    """Return fastdtw, installing it once; None with a line of explanation where that is not possible."""
    if not PEER.exists():
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            str(PEER),
            "fastdtw==0.3.4",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print("fastdtw could not be installed, its column is left out:", (done.stderr.splitlines() or ["?"])[-1])
            return None
    sys.path.append(str(PEER))
    from fastdtw import fastdtw

    return fastdtw  # type: ignore[no-any-return]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--paths", type=int, default=143_000)
    parser.add_argument("--peer", type=int, default=300, help="paths that fastdtw gets")
    parser.add_argument("--plain", type=int, default=200, help="paths that the plain table gets")
    options = parser.parse_args()
    threads = min(2, os.cpu_count() or 1)
    paths = made_paths(options.paths)
    groups = np.array_split(np.arange(len(paths)), GROUPS)
    references = [paths[group].mean(axis=0) for group in groups]

    result: dict[str, Any] = {"paths": len(paths), "points": POINTS, "threads": threads, "load": os.getloadavg()[0]}
    ours = np.empty(len(paths))
    for engine in ("numpy", "numba"):
        began = time.perf_counter()
        for group, reference in zip(groups, references, strict=True):
            ours[group] = dtw_distances(paths[group], reference, engine=engine, threads=threads)  # type: ignore[arg-type]
        result[f"{engine}_s"] = time.perf_counter() - began
    table = [plain(path, references[0]) for path in paths[: options.plain]]
    result["largest_difference_to_plain"] = float(np.abs(ours[: options.plain] - table).max())

    peer = load_peer()
    if peer is not None:
        began = time.perf_counter()
        theirs = [
            peer(path, references[0], dist=lambda a, b: float(np.linalg.norm(a - b)))[0]
            for path in paths[: options.peer]
        ]
        euclidean_s = (time.perf_counter() - began) / options.peer
        began = time.perf_counter()
        for path in paths[: options.peer]:
            peer(path, references[0], dist=2)
        peer_s = min(euclidean_s, (time.perf_counter() - began) / options.peer)
        excess = np.array(theirs) / POINTS / ours[: options.peer]
        result["fastdtw_ms_each"] = 1e3 * peer_s
        result["fastdtw_too_long_by_up_to"] = float(excess.max() - 1)
        for engine in ("numpy", "numba"):
            result[f"times_faster_{engine}"] = peer_s * len(paths) / result[f"{engine}_s"]
    CACHE.mkdir(exist_ok=True)
    (CACHE / "bench_dtw.json").write_text(json.dumps(result, indent=2) + "\n")
    for name, value in result.items():
        print(f"{name:28} {value:.6g}" if isinstance(value, float) else f"{name:28} {value}")


if __name__ == "__main__":
    main()
