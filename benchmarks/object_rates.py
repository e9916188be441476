"""How well the things of the bench suite stand and are picked up: one on the table, left alone, then lifted.

    python benchmarks/object_rates.py [--category fruit ...] [--seeds 5] [--every-kind] [--jobs 1]

A thing stands where it was put when 1 s after the scene has settled it has moved less than 5 mm and tilts less than 5
degrees. It is picked when the expert's plan (pick, lift) holds it 8 cm above its start for half a second. Kinds take
turns over the seeds; with --every-kind each kind has its own seeds. What lives in holders (cards, tubes, flowers) is
measured by `benchmarks/skill_rates.py`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from proctor.assets import Look, categories, looks_of, make
from proctor.core import EpisodeSpec, Observation
from proctor.policies.scripted import ExpertPolicy
from proctor.sim import SimEnv

IN_HOLDERS = frozenset({"card", "flower", "tube"})
NOTHING = Observation({}, np.zeros(8), "", 0)
REST = np.array([0, 0, 0, 0, 0, 0, -1.0])
HZ, MAX_STEPS = 20, 400
MOVED_M, TILT_DEG = 0.005, 5.0
TEXT = """(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language Pick it up)
  (:regions (spot (:target main_table) (:ranges ((-0.28 -0.22 -0.02 0.22))) (:yaw_rotation (({low} {high})))))
  (:fixtures main_table - table)
  (:objects thing_1 - {category})
  (:looks (thing_1 (seed {seed}){look}))
  (:obj_of_interest thing_1)
  (:init (On thing_1 main_table_spot))
  (:goal (And (Held thing_1) (LiftedBy thing_1 0.08)))
  (:plan (pick thing_1) (lift))
)
"""


@dataclass(frozen=True)
class Case:
    """One thing and the layout it stands in."""

    category: str
    look: Look
    seed: int


@dataclass(frozen=True)
class Result:
    """What became of it."""

    case: Case
    moved_m: float
    tilt_deg: float
    picked: bool
    why: str

    @property
    def stands(self) -> bool:
        return self.moved_m < MOVED_M and self.tilt_deg < TILT_DEG


def cases(names: list[str], seeds: int, every_kind: bool) -> Iterator[Case]:
    """Yield what is to be tried: the first look of a category takes turns, or has ``seeds`` of each of its values."""
    for name in names:
        first = next(((key, values) for key, values in looks_of(name).items() if values and key != "property"), None)
        kinds: list[Look] = [()] if first is None else [((first[0], value),) for value in first[1]]
        count = seeds * len(kinds) if every_kind else max(seeds, 1)
        yield from (Case(name, kinds[k % len(kinds)], k) for k in range(count))


def write(case: Case, folder: Path) -> Path:
    """Write the task of a case."""
    look = "".join(f" ({key} {_text(value)})" for key, value in case.look)
    turned = make(case.category, case.seed, case.look).face is None
    yaw = 3.14 if turned else 0.15
    path = folder / f"{case.category}_{case.seed}.cbddl"
    path.write_text(TEXT.format(category=case.category, seed=case.seed, look=look, low=-yaw, high=yaw))
    return path


def _text(value: str) -> str:
    """Write a look: square brackets stand for parentheses."""
    return '"' + value.replace("(", "[").replace(")", "]") + '"'


def measure(case: Case) -> Result:
    """Let a thing stand for a second, then have it picked up."""
    with tempfile.TemporaryDirectory() as folder:
        path = write(case, Path(folder))
        spec = EpisodeSpec(
            "bench", path.stem, "L0", "", 0, case.seed, "Pick it up", "none", task_path=str(path), max_steps=MAX_STEPS
        )
        env, policy = SimEnv(), ExpertPolicy()
        policy.bind(env)
        env.reset(spec)
        body = env.scene.data.body("thing_1")
        before = body.xpos.copy()
        for _ in range(HZ):
            env.step(REST)
        moved, tilt = float(np.linalg.norm(body.xpos - before)), _tilt_deg(body.xmat)
        env.reset(spec)
        policy.reset("", spec)
        steps = 0
        while steps < MAX_STEPS and not env.step(policy.act(NOTHING)).success:
            steps += 1
        return Result(case, moved, tilt, bool(env.finish().success), policy.failure)


def _tilt_deg(xmat: np.ndarray) -> float:
    return float(np.degrees(np.arccos(np.clip(xmat.reshape(3, 3)[2, 2], -1.0, 1.0))))


def main() -> None:
    """Print a line per category and one per failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--category", action="append")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--every-kind", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    names = options.category or [
        name
        for name in categories("knowledge")
        if name not in IN_HOLDERS and make(name, 0).kind == "object" and make(name, 0).grasps
    ]
    todo = list(cases(names, options.seeds, options.every_kind))
    with ProcessPoolExecutor(options.jobs) as pool:
        results = list(pool.map(measure, todo))
    print(f"{'category':<16}{'stands':>10}{'picked':>10}")
    for name in names:
        mine = [r for r in results if r.case.category == name]
        print(f"{name:<16}{_share([r.stands for r in mine])}{_share([r.picked for r in mine])}")
    print(f"{'all':<16}{_share([r.stands for r in results])}{_share([r.picked for r in results])}")
    for r in results:
        if not (r.stands and r.picked):
            kind = "/".join(value for _, value in r.case.look)
            stood = f"moved {1000 * r.moved_m:.1f} mm, tilt {r.tilt_deg:.1f} deg"
            picked = "picked" if r.picked else f"not picked {r.why}"
            print(f"  {r.case.category} {kind} seed {r.case.seed}: {stood}, {picked}")


def _share(flags: list[bool]) -> str:
    return f"{sum(flags)}/{len(flags)}".rjust(10)


if __name__ == "__main__":
    main()
