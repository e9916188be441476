"""The detector on telemetry with known truth, and each of its thresholds from both sides."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gripper_stories import ZONES, Score, TrueEvent, make_episode, score
from session_helpers import new_session, run_trial, schedule

from proctor.station.arm import JOINTS, JointVector, Unit
from proctor.station.detect import (
    CLOSED_DEG,
    OPEN_DEG,
    Judged,
    Thresholds,
    TrialTelemetry,
    Zones,
    confirm,
    disagreement,
    find_candidates,
    judge,
    review_queue,
)
from proctor.station.session import SessionError
from proctor.station.twin import Reach

HZ = 30.0
SOURCE, TARGET, OUTSIDE = (0.26, -0.15), (0.26, 0.15), (0.08, 0.0)
HELD_OUT = range(30_000, 30_250)

Part = tuple[float, float, float, tuple[float, float]]


def tape(*parts: Part) -> TrialTelemetry:
    """Telemetry of (seconds, command, measured grip, place) after one another, without noise."""
    rows = [part[1:] for part in parts for _ in range(round(part[0] * HZ))]
    n = len(rows)
    return TrialTelemetry(
        np.arange(n) / HZ,
        np.array([row[0] for row in rows], dtype=float),
        np.array([row[1] for row in rows], dtype=float),
        np.array([row[2] for row in rows], dtype=float).reshape(n, 2),
    )


def placing(
    hold_s: float = 1.0, grip: float = 0.5, at: tuple[float, float] = TARGET, after_s: float = 1.0
) -> TrialTelemetry:
    """One item from the source to somewhere."""
    half = hold_s / 2
    return tape((1.0, 0, 0, SOURCE), (half, 1, grip, SOURCE), (half, 1, grip, at), (after_s, 0, 0, at))


def _events(judged: Judged) -> list[TrueEvent]:
    return [TrueEvent(o.candidate.kind, o.verdict, o.candidate.time_s) for o in judged.operations]


def test_f1_on_held_out_seeds_and_every_disagreement_is_queued() -> None:
    total, wrong, queued, kinds = Score(), 0, 0, set()
    for seed in HELD_OUT:
        episode = make_episode(seed)
        judged = judge(episode.telemetry, ZONES, episode.items)
        total += score(_events(judged), episode.truth)
        kinds |= {(event.kind, event.verdict) for event in episode.truth}
        assert bool(disagreement(judged, episode.placed)) >= (judged.count != episode.placed)
        # An operator who counted differently, whichever way, is always asked again.
        assert disagreement(judged, judged.count + 1)
        assert disagreement(judged, judged.count - 1)
        wrong += judged.count != episode.placed
        queued += bool(disagreement(judged, episode.placed))
    assert kinds == {
        ("release", "success"),
        ("release", "failure"),
        ("release", "neutral"),
        ("drop", "failure"),
        ("drop", "neutral"),
    }
    assert total.found > 800
    assert total.f1 >= 0.97, total
    assert wrong <= queued <= 0.15 * len(HELD_OUT)


def test_the_score_is_the_definition() -> None:
    truth = [
        TrueEvent("release", "success", 1.0),
        TrueEvent("drop", "failure", 5.0),
        TrueEvent("release", "success", 9.0),
    ]
    found = [
        TrueEvent("release", "success", 1.5),
        TrueEvent("release", "failure", 5.0),
        TrueEvent("release", "success", 9.51),
    ]
    assert score(found, truth) == Score(1, 2, 2)
    assert score(found, truth).f1 == pytest.approx(2 / 6)
    assert score(truth, truth).f1 == 1.0
    assert score([], []).f1 == 1.0
    assert score([truth[0], truth[0]], truth[:1]) == Score(1, 1, 0)


def test_a_plain_placing() -> None:
    (operation,) = judge(placing(), ZONES).operations
    assert (operation.verdict, operation.zone, operation.picked_zone, operation.ledger) == (
        "success",
        "target",
        "source",
        0,
    )
    assert operation.candidate.time_s == pytest.approx(2.0, abs=0.05)
    assert operation.candidate.hold_s == pytest.approx(1.0, abs=0.05)
    assert operation.candidate.displacement_m == pytest.approx(0.30, abs=1e-6)


@pytest.mark.parametrize(("hold_s", "found"), [(0.27, 0), (0.33, 1)])
def test_a_hold_has_a_least_length(hold_s: float, found: int) -> None:
    telemetry = tape((1.0, 0, 0, SOURCE), (hold_s, 1, 0.5, SOURCE), (1.0, 0, 0, SOURCE))
    assert len(find_candidates(telemetry)) == found


@pytest.mark.parametrize(("open_s", "found"), [(0.10, 1), (0.30, 2)])
def test_an_opening_shorter_than_the_plateau_is_chatter(open_s: float, found: int) -> None:
    telemetry = tape(
        (1.0, 0, 0, SOURCE), (1.0, 1, 0.5, SOURCE), (open_s, 0, 0.5, SOURCE), (1.0, 1, 0.5, TARGET), (1.0, 0, 0, TARGET)
    )
    assert len(find_candidates(telemetry)) == found


@pytest.mark.parametrize(("command", "found"), [(0.59, 0), (0.61, 1)])
def test_a_partial_close_is_no_grasp(command: float, found: int) -> None:
    telemetry = tape((1.0, 0, 0, SOURCE), (1.0, command, 0.5, SOURCE), (1.0, 0, 0, SOURCE))
    assert len(find_candidates(telemetry)) == found


@pytest.mark.parametrize(("command", "found"), [(0.41, 0), (0.39, 1)])
def test_a_partial_opening_is_no_release(command: float, found: int) -> None:
    telemetry = tape((1.0, 0, 0, SOURCE), (1.0, 1, 0.5, SOURCE), (1.0, command, 0.5, SOURCE))
    assert len(find_candidates(telemetry)) == found


@pytest.mark.parametrize(
    ("grip", "verdicts"),
    [(0.05, []), (0.15, ["success"]), (0.89, ["success"]), (0.91, ["unknown"]), (0.93, ["unknown"]), (0.95, [])],
)
def test_the_bands_of_the_measured_grip(grip: float, verdicts: list[str]) -> None:
    assert [operation.verdict for operation in judge(placing(grip=grip), ZONES).operations] == verdicts


@pytest.mark.parametrize(("grip", "verdicts"), [(0.69, ["success"]), (0.72, ["unknown"]), (0.76, [])])
def test_the_bands_are_measured_from_the_command(grip: float, verdicts: list[str]) -> None:
    """A policy that closes to 0.8 only: 0.76 is where it wanted to be, 0.69 is something in between."""
    telemetry = tape((1.0, 0, 0, SOURCE), (0.5, 0.8, grip, SOURCE), (0.5, 0.8, grip, TARGET), (1.0, 0, 0, TARGET))
    assert [operation.verdict for operation in judge(telemetry, ZONES).operations] == verdicts


@pytest.mark.parametrize(("command", "grip", "kinds"), [(0.62, 0.57, ["release"]), (0.72, 0.67, ["drop"])])
def test_a_command_that_comes_to_meet_the_jaws_is_no_slump(command: float, grip: float, kinds: list[str]) -> None:
    """The gap closes in both; only in the second did the jaws move (by more than slump_rise)."""
    parts: list[Part] = [(1.0, 0, 0, SOURCE), (0.5, 0.71, 0.55, SOURCE), (0.4, command, grip, SOURCE)]
    found = find_candidates(tape(*parts, (1.0, 0, 0, SOURCE)))
    assert [candidate.kind for candidate in found] == kinds


@pytest.mark.parametrize(
    ("slump", "slump_s", "kinds"),
    [(0.93, 1.0, ["release"]), (0.95, 1.0, ["drop"]), (0.95, 0.07, ["release"]), (0.95, 0.2, ["drop"])],
)
def test_a_drop_is_a_slump_into_the_closed_band_that_lasts(slump: float, slump_s: float, kinds: list[str]) -> None:
    parts: list[Part] = [(1.0, 0, 0, SOURCE), (1.0, 1, 0.5, SOURCE), (slump_s, 1, slump, OUTSIDE)]
    if slump_s < 1:
        parts.append((1.0, 1, 0.5, OUTSIDE))
    found = find_candidates(tape(*parts, (1.0, 0, 0, OUTSIDE)))
    assert [candidate.kind for candidate in found] == kinds
    if kinds == ["drop"]:
        assert found[0].time_s == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(("gap_s", "verdict"), [(0.3, "success"), (0.6, "unknown")])
def test_a_gap_makes_it_unknown(gap_s: float, verdict: str) -> None:
    whole = placing(hold_s=3.0)
    keep = (whole.time_s < 2.0) | (whole.time_s > 2.0 + gap_s)
    holed = TrialTelemetry(whole.time_s[keep], whole.target_grip[keep], whole.grip[keep], whole.position_m[keep])
    assert [operation.verdict for operation in judge(holed, ZONES).operations] == [verdict]


@pytest.mark.parametrize(("after_s", "verdict"), [(0.1, "unknown"), (0.3, "success")])
def test_a_record_that_ends_with_the_release(after_s: float, verdict: str) -> None:
    assert [operation.verdict for operation in judge(placing(after_s=after_s), ZONES).operations] == [verdict]


def test_what_is_still_held_at_the_end_is_no_event() -> None:
    assert find_candidates(tape((1.0, 0, 0, SOURCE), (2.0, 1, 0.5, SOURCE))) == []


def test_no_telemetry_and_no_positions() -> None:
    assert judge(tape(), ZONES) == Judged((), 0)
    blind = placing()
    blind = dataclasses.replace(blind, position_m=np.full_like(blind.position_m, np.nan))
    assert [operation.verdict for operation in judge(blind, ZONES).operations] == ["unknown"]
    deaf = dataclasses.replace(placing(), grip=np.full(len(placing().grip), np.nan))
    assert judge(deaf, ZONES).operations == ()


@pytest.mark.parametrize(
    ("y", "verdict"),
    [
        (0.15, "success"),
        (0.055, "unknown"),
        (0.065, "unknown"),
        (0.04, "failure"),
        (-0.15, "neutral"),
        (0.3, "failure"),
    ],
)
def test_zones_and_their_edges(y: float, verdict: str) -> None:
    (operation,) = judge(placing(at=(0.26, y)), ZONES).operations
    assert operation.verdict == verdict


def test_the_ledger_runs() -> None:
    """Placed, moved within the target, taken out, placed again: two successes, but one item lies there."""

    def carry(start: tuple[float, float], end: tuple[float, float]) -> list[Part]:
        return [(1.0, 0, 0, start), (0.5, 1, 0.5, start), (0.5, 1, 0.5, end), (0.5, 0, 0, end)]

    moved = (0.22, 0.2)
    story = [*carry(SOURCE, TARGET), *carry(TARGET, moved), *carry(moved, SOURCE), *carry(SOURCE, TARGET)]
    judged = judge(tape(*story), ZONES, items=1)
    assert [(o.verdict, o.ledger) for o in judged.operations] == [
        ("success", 0),
        ("neutral", 1),
        ("failure", 1),
        ("success", 0),
    ]
    assert judged.count == 1
    assert disagreement(judged, 1) == ""
    assert "detector counts 1, operator 2" in disagreement(judged, 2)
    more = judge(tape(*carry(SOURCE, TARGET), *carry(SOURCE, TARGET)), ZONES, items=1)
    assert [operation.verdict for operation in more.operations] == ["success", "unknown"]
    assert "unknown" in disagreement(more, 1)
    thin_air = judge(tape(*carry(TARGET, SOURCE)), ZONES)
    assert [operation.verdict for operation in thin_air.operations] == ["unknown"]


def test_order_and_doubles_of_samples_do_not_matter() -> None:
    episode = make_episode(3)
    data = episode.telemetry
    order = np.random.default_rng(0).permutation(len(data.time_s))
    mixed = TrialTelemetry(data.time_s[order], data.target_grip[order], data.grip[order], data.position_m[order])
    assert judge(mixed, ZONES, episode.items) == judge(data, ZONES, episode.items)
    later = dataclasses.replace(data, time_s=data.time_s + 1000.0)
    times = [o.candidate.time_s - 1000.0 for o in judge(later, ZONES, episode.items).operations]
    assert times == pytest.approx([o.candidate.time_s for o in judge(data, ZONES, episode.items).operations], abs=0.04)


def test_thresholds_can_be_set() -> None:
    assert find_candidates(placing(hold_s=1.0), Thresholds(hold_s=1.2)) == []
    assert len(find_candidates(placing(hold_s=1.0), Thresholds(hold_s=0.9))) == 1


POSES = {"near": (-30.0, 40.0, -60.0, 90.0, 0.0), "far": (30.0, 40.0, -60.0, 90.0, 0.0)}


def _write(path: Path, data: TrialTelemetry, places: dict[str, tuple[float, float]]) -> None:
    """Write telemetry as the trial's recorder does: true degrees of every joint."""
    columns = {"time_s": data.time_s.tolist()}
    for name, grip in (("command.gripper", data.target_grip), ("measured.gripper", data.grip)):
        columns[name] = (OPEN_DEG + grip * (CLOSED_DEG - OPEN_DEG)).tolist()
    names = {place: name for name, place in places.items()}
    for i, joint in enumerate(JOINTS[:5]):
        columns[f"measured.{joint}"] = [POSES[names[x, y]][i] for x, y in data.position_m.tolist()]
    pq.write_table(pa.table(columns), path)


def test_the_review_queue_of_a_session(tmp_path: Path) -> None:
    reach = Reach()
    points = {name: reach.point(JointVector((*pose, 0.0), Unit.TRUE_DEGREES)) for name, pose in POSES.items()}
    places = {name: (float(x), float(y)) for name, (x, y, _) in points.items()}
    near, far = places["near"], places["far"]
    boxes = {name: [x - 0.05, x + 0.05, y - 0.05, y + 0.05] for name, (x, y) in places.items()}
    zones = {"target": boxes["far"], "source": boxes["near"]}
    assert (Zones.from_dict(zones).of(far), Zones.from_dict(zones).of(near)) == ("target", "source")
    placed = tape((1.0, 0, 0, near), (0.5, 1, 0.5, near), (0.5, 1, 0.5, far), (1.0, 0, 0, far))
    idle = tape((3.0, 0, 0, near))
    with new_session(tmp_path / "s", schedule(scenes=3), station={"zones": zones}) as session:
        # (telemetry, operator's label): agree, agree, and four ways of not agreeing
        stories = [
            (placed, "success"),
            (idle, "fail"),
            (idle, "success"),
            (placed, "fail"),
            (None, "fail"),
            (b"x", "fail"),
        ]
        for number, (telemetry, label) in enumerate(stories):
            path = session.trial_folder() / "telemetry.parquet"
            if isinstance(telemetry, bytes):
                path.write_bytes(telemetry)
            elif telemetry is not None:
                _write(path, telemetry, places)
            run_trial(session, label)
            if number < 5:
                session.act("next")
        trials = [attempt.id for attempt in session.progress.attempts]
        queue = review_queue(session)
        assert [item.trial for item in queue] == trials[2:]
        assert [item.reason for item in queue[:3]] == [
            "detector counts 0, operator 1",
            "detector counts 1, operator 0",
            "there is no telemetry",
        ]
        assert "cannot read" in queue[3].reason
        with pytest.raises(SessionError, match="marks are"):
            confirm(session, trials[2], [("thrown", 1.0), ("placed", 1.0)], "anna")
        with pytest.raises(SessionError, match="the operator counted 1 placed, you mark 0"):
            confirm(session, trials[2], [("dropped", 1.0)], "anna")
        confirm(session, trials[2], [("placed", 11.0)], "anna")
        assert [item.trial for item in review_queue(session)] == trials[3:]
        row = session.rows()[2]
        assert [event.time_s for event in row.outcome.events if event.kind == "operation"] == [11.0]
        assert row.outcome.success
