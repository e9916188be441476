"""Sessions that play themselves, for tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from proctor.station.session import ArmPolicy, SceneCard, Session, TrialSchedule

SECRET = bytes(range(32))


def cards(count: int, items: int = 1) -> list[SceneCard]:
    """Scenes that are not of the 90: any test scene will do."""
    return [
        SceneCard(str(i), f"place/ID/{i}", f"Place item {i}.", "It lies there.", "easy", "ID", items)
        for i in range(1, count + 1)
    ]


def arms(count: int, humans: int = 0) -> list[ArmPolicy]:
    """Policies p0, p1, ... and people h0, h1, ..."""
    policies = [ArmPolicy(f"p{i}", "zero", {"size": i}) for i in range(count)]
    return [*policies, *(ArmPolicy(f"h{i}", "human", kind="human") for i in range(humans))]


def schedule(
    scenes: int = 3, policies: int = 2, repeats: int = 1, humans: int = 0, items: int = 1, secret: bytes = SECRET
) -> TrialSchedule:
    """A small schedule from a fixed secret."""
    return TrialSchedule.make(cards(scenes, items), arms(policies, humans), repeats, secret, "test")


def new_session(folder: Path, made: TrialSchedule | None = None, **options: object) -> Session:
    """A session whose clock ticks one second per line."""
    return Session.create(folder, made or schedule(), clock=ticking(), **options)  # type: ignore[arg-type]


def ticking() -> Callable[[], float]:
    """A clock that goes one second each time it is looked at."""
    now = 1_790_000_000.0

    def clock() -> float:
        nonlocal now
        now += 1.0
        return now

    return clock


def ready(session: Session) -> None:
    """Bring the current trial to where it can start."""
    session.act("begin_scene")
    session.act("gate_result", passed=True, worst_mm=2.0)


def run_trial(session: Session, label: str = "success", elapsed_s: float = 20.0, **outcome: object) -> None:
    """Run and score the current trial."""
    ready(session)
    session.act("start")
    session.act("stop", reason="operator", elapsed_s=elapsed_s)
    session.act("outcome", label=label, **outcome)


def play(session: Session, rates: dict[str, float], seed: int = 0, void: Sequence[int] = ()) -> None:
    """Play a session to its end: each arm succeeds at its rate; trials numbered in ``void`` are declared invalid."""
    rng, number = random.Random(seed), 0
    while True:
        ready(session)
        session.act("start")
        success = rng.random() < rates[session.arm_for().label]
        elapsed = rng.uniform(10, 60) if success else 90.0
        session.act("stop", reason="operator" if success else "timeout", elapsed_s=elapsed, error="secret server")
        if number in void:
            session.act("invalid", reason="the lamp fell over")
        else:
            session.act("outcome", label="success" if success else "timeout")
        number += 1
        if session.state().finished:
            return
        session.act("next")
