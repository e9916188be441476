"""Goals and costs over conditions that a test switches, one control step per word."""

from __future__ import annotations

from proctor.sim import Monitor
from proctor.tasks.cbddl import parse

NAMES = ("a", "b", "c", "d")
TERMINAL = {"d"}


class Lamps:
    """Conditions that the test switches: ``(Up a)`` reads lamp a."""

    def __init__(self) -> None:
        self.on: set[str] = set()


def monitor(goal: str, cost: str = "", rule: str = "hold", compat: str = "corrected") -> Monitor:
    objects = " ".join(f"{name} - apple" for name in NAMES)
    text = f"""(define (problem X) (:domain robosuite) (:language x) (:regions) (:fixtures t - table)
    (:objects {objects}) (:obj_of_interest) (:init) (:goal {goal}) {f"(:cost {cost})" if cost else ""})"""

    class Scene:
        task = parse(text)

    made = Monitor(Scene(), compat)  # type: ignore[arg-type]
    made.begin(rule)
    return made


def play(monitor: Monitor, lamps: Lamps, script: list[str]) -> list[float]:
    """Run one control step per word; its letters are the lamps that are lit. Return the cost of each step."""
    costs = []
    for word in script:
        lamps.on = set(word)
        costs.append(monitor.update()[0])
    return costs
