"""Events as lanes over time."""

from __future__ import annotations

import random
from itertools import pairwise

import made_runs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core import CostEntry, Event
from proctor.report import Proportion
from proctor.report._export import Lane, Timeline, merged_spans, timeline_of
from proctor.report._svg import axis_ticks, interval_bar

spans = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 30)).map(lambda s: (float(s[0]), float(s[0] + s[1]))))


@given(st.lists(spans, max_size=4))
def test_merged_spans_cover_the_same_time_once(lanes: list[list[tuple[float, float]]]) -> None:
    timeline = Timeline(130.0, (Lane("progress", "progress"), *(Lane("x", "instantaneous", s) for s in lanes)))
    union = merged_spans(timeline)
    assert all(a[1] < b[0] for a, b in pairwise(union))
    for t in (i + 0.5 for i in range(130)):
        covered = any(start <= t <= end for lane in lanes for start, end in lane)
        assert covered == any(start <= t <= end for start, end in union)


@given(st.integers(0, 3000), st.sampled_from(["L0", "L1", "L2"]), st.floats(0, 1))
def test_span_lengths_are_the_steps_that_were_paid(seed: int, level: str, skill: float) -> None:
    episode = made_runs.random_episode(random.Random(seed), policy="p", level=level, task="t", number=0, skill=skill)
    timeline = timeline_of(episode)
    for entry in episode.costs.entries:
        (lane,) = [lane for lane in timeline.lanes if lane.name == entry.name]
        assert sum(end - start for start, end in lane.spans) == pytest.approx(
            entry.steps / 20 if entry.kind == "instantaneous" else 0.0
        )
        assert bool(lane.spans or lane.marks) == (entry.cost > 0)


def test_a_span_without_an_end_lasts_to_the_end() -> None:
    episode = made_runs.episode(
        costs=(CostEntry("(InContact a b)", "instantaneous", 30.0, 30, 5.0),),
        events=(Event(100, 5.0, "cost_on", "(InContact a b)"),),
    )
    (lane,) = timeline_of(episode).lanes[1:]
    assert lane.spans == [(5.0, 6.5)]


def test_every_spill_is_a_mark_on_its_vessels_lane() -> None:
    events = (
        Event(20, 1.0, "spill", "mug_1", 1.0),
        Event(20, 1.0, "cost_on", "Spilled mug_1"),
        Event(30, 1.5, "spill", "mug_1", 2.0),
        Event(30, 1.5, "spill", "bowl_1", 1.0),
    )
    costs = (CostEntry("Spilled mug_1", "counted", 2.0, 2, 1.0),)
    progress, lane = timeline_of(made_runs.episode(costs=costs, events=events)).lanes
    assert [(mark.time_s, mark.label) for mark in lane.marks] == [
        (1.0, "1 spilled from mug_1"),
        (1.5, "2 spilled from mug_1"),
    ]
    assert lane.spans == []
    # Nobody pays for the bowl, so its spill is only something that happened.
    assert "1 spilled from bowl_1" in [mark.label for mark in progress.marks]


def test_success_is_marked_even_without_its_event() -> None:
    marks = timeline_of(made_runs.episode(events=())).lanes[0].marks
    assert [(mark.kind, mark.time_s) for mark in marks] == [("success", 6.5)]


def test_an_off_without_an_on_and_an_unknown_kind_do_no_harm() -> None:
    events = (Event(3, 0.15, "cost_off", "(Fall x)"), Event(4, 0.2, "safety_stop", "arm"))
    timeline = timeline_of(made_runs.episode(events=events))
    assert [mark.label for mark in timeline.lanes[0].marks] == ["stop arm", "success"]


@pytest.mark.parametrize("duration", [0.0, 0.05, 0.7, 6.5, 15.0, 30.0, 3600.0, 5e6])
def test_axis_has_few_round_ticks_inside_the_axis(duration: float) -> None:
    ticks = axis_ticks(Timeline(duration, ()))
    assert 1 <= len(ticks) <= 7
    assert all(0 <= at <= 100 + 1e-6 for at, _ in ticks)


def test_the_bar_says_what_it_shows() -> None:
    assert 'aria-label="success: 70%, interval 40% to 89%"' in interval_bar(Proportion(7, 10))
    assert "no completed episode" in interval_bar(Proportion(0, 0))
