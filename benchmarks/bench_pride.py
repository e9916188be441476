"""PRIDE of 4,092 distinct pairs: cold and from the cache, each in a process of its own held to one core.

    python benchmarks/bench_pride.py [--pairs 4092]

The texts are made here, of the published length (ten originals, a prefix, an adverb and another object name each), so
the measurement needs no data.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ORIGINALS = {
    "open the middle drawer of the cabinet": ("cabinet", "cupboard", "sideboard", "storage unit"),
    "open the top drawer and put the bowl inside": ("bowl", "dish", "vessel", "container"),
    "push the plate to the front of the stove": ("stove", "range", "cooker", "hob"),
    "put the bowl on the plate": ("plate", "dish", "platter", "saucer"),
    "put the bowl on the stove": ("stove", "range", "cooktop", "burner"),
    "put the bowl on top of the cabinet": ("cabinet", "cupboard", "closet", "dresser"),
    "put the cream cheese in the bowl": ("bowl", "basin", "vessel", "cup"),
    "put the wine bottle on the rack": ("rack", "holder", "stand", "shelf"),
    "put the wine bottle on top of the cabinet": ("cabinet", "cupboard", "locker", "chest"),
    "turn on the stove": ("stove", "range", "cooker", "burner"),
}
PREFIXES = (
    "", "Please ", "Could you ", "Would you please ", "I need you to ", "I want you to ", "Go ahead and ", "Can you ",
    "Walk over, then ", "It is time to ", "Make sure to ", "Try to ",
)  # fmt: skip
ADVERBS = ("", "carefully ", "gently ", "slowly ", "quickly ", "quietly ", "firmly ", "now ", "neatly ")


def made_pairs(count: int) -> list[tuple[str, str]]:
    pairs = []
    for (original, names), prefix, adverb in itertools.product(ORIGINALS.items(), PREFIXES, ADVERBS):
        for name in names:
            pairs.append((original, f"{prefix}{adverb}{original.replace(names[0], name)}"))
    if count > len(pairs):
        raise SystemExit(f"at most {len(pairs)} pairs can be made")
    step = len(pairs) / count
    return [pairs[int(place * step)] for place in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=4092)
    pairs = made_pairs(parser.parse_args().pairs)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{len(set(pairs))} distinct pairs, one core, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.csv"
        with file.open("w", newline="") as handle:
            writer = csv.writer(handle)
            writer.writerow(["original_instruction", "new_instruction"])
            writer.writerows(pairs)
        environment = {**os.environ, "PROCTOR_CACHE": folder}
        command = [str(Path(sys.executable).parent / "proctor"), "pride", str(file), "--json"]
        for name in ("cold", "from the cache"):
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            began = time.perf_counter()
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
            wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            processor = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
            print(f"{name:15} {wall:6.2f} s waited, {processor:6.2f} s of processor")


if __name__ == "__main__":
    main()
