"""Digest everything a scene gets from every category, and compare with digests that were stored before a change.

    python benchmarks/asset_digests.py FILE [--only NAME ...] [--seeds 2]

Without FILE it writes one; with it, it names what differs. Numbers count by value, arrays by their bytes. Every value
of every look is made, and every combination where there are at most 60.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import itertools
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from proctor.assets import Asset, attach, categories, looks_of, make

COMBINATIONS = 60
FREE_TEXTS = ("Two words", "120")


def feed(digest: Any, value: Any) -> None:
    """Add a value to a digest: what it is and all that is in it."""
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif isinstance(value, bool | np.bool_) or value is None or isinstance(value, str):
        digest.update(f"{value}\0".encode())
    elif isinstance(value, int | float | np.number):
        digest.update(float(value).hex().encode() + b"\0")
    elif dataclasses.is_dataclass(value):
        for field in sorted(dataclasses.fields(value), key=lambda field: field.name):
            digest.update(field.name.encode() + b"=")
            feed(digest, getattr(value, field.name))
    elif isinstance(value, dict):
        for key, item in value.items():
            feed(digest, key)
            feed(digest, item)
    else:
        digest.update(b"(")
        for item in value:
            feed(digest, item)
        digest.update(b")")


def compiled(asset: Asset) -> Any:
    """Return the arrays of the MuJoCo model that holds nothing but ``asset``."""
    import mujoco

    spec = mujoco.MjSpec()
    attach(spec, spec.worldbody, asset, "it", free=asset.kind == "object")
    model = spec.compile()
    names = [name for name in dir(model) if not name.startswith("_") and isinstance(getattr(model, name), np.ndarray)]
    return [(name, getattr(model, name)) for name in sorted(names)]


def looks(name: str) -> list[tuple[tuple[str, str], ...]]:
    """Return the looks of a category that are made."""
    allowed = {key: values or FREE_TEXTS for key, values in looks_of(name).items()}
    found: dict[tuple[tuple[str, str], ...], None] = {(): None}
    for key, values in allowed.items():
        found.update({((key, value),): None for value in values})
    if np.prod([len(values) for values in allowed.values()]) <= COMBINATIONS:
        keys = tuple(allowed)
        found.update({tuple(zip(keys, way, strict=True)): None for way in itertools.product(*allowed.values())})
    return list(found)


def digests(name: str, seeds: int) -> dict[str, str]:
    """Return a digest for every instance of a category that is made."""
    out = {}
    for look in looks(name):
        for seed in range(seeds + 2 if not look else seeds):
            digest = hashlib.sha256()
            try:
                asset = make(name, seed, look)
            except ValueError:  # a free text that must be a number
                continue
            feed(digest, asset)
            if seed == 0:
                feed(digest, compiled(asset))
            out[f"{name} {seed} {dict(look)}"] = digest.hexdigest()[:16]
    return out


def main() -> None:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", nargs="*", default=None, help="categories")
    parser.add_argument("--seeds", type=int, default=2)
    options = parser.parse_args()
    start = time.perf_counter()
    names = options.only or categories()
    stored = json.loads(options.file.read_text()) if options.file.exists() else None
    now: dict[str, str] = {}
    wrong: list[str] = []
    for name in names:
        try:
            now |= digests(name, options.seeds)
        except Exception as error:  # a category that cannot be made is a difference, and the others are still compared
            wrong.append(f"{name}: {type(error).__name__}: {error}")
    if stored is None:
        options.file.write_text(json.dumps(now, indent=0))
    else:
        expected = {key: value for key, value in stored.items() if key.split(" ")[0] in names}
        wrong += [key for key in expected.keys() | now.keys() if expected.get(key) != now.get(key)]
    lost = sorted(set(wrong))
    print(f"{len(now)} instances of {len(names)} categories, {len(lost)} differ, {time.perf_counter() - start:.0f} s")
    if lost:
        for name, count in Counter(line.split(" ")[0] for line in lost).items():
            print(f"{name} {count}: {next(line for line in lost if line.split(' ')[0] == name)[:160]}")
        sys.exit(1)


if __name__ == "__main__":
    main()
