"""The batching rule by itself, with a clock of our own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.serving import Batching

POSITIVE = st.floats(1e-4, 10.0)
FORWARD_S, PER_ITEM_S = 0.040, 0.0015
EVERYONE = [str(number) for number in range(64)]


def names(count: int) -> list[str]:
    return EVERYONE[:count]


@given(st.integers(1, 64), st.integers(1, 64), st.integers(0, 64), st.lists(POSITIVE, max_size=12))
def test_nobody_waits_longer_than_a_quarter_of_the_median_forward(
    max_batch: int, waiting: int, others: int, forwards: list[float]
) -> None:
    rule, clock = Batching(max_batch), 100.0
    for forward in forwards:
        rule.ran(clock, clock + forward, ())
        clock += forward
    recent = sorted(forwards[-9:])
    half = len(recent) // 2
    middle = 0.0 if not recent else recent[half] if len(recent) % 2 else (recent[half - 1] + recent[half]) / 2
    wait_s = rule.wait_s(clock, names(waiting), clock, waiting + others)
    assert 0.0 <= wait_s <= 0.25 * middle + 1e-9
    assert rule.wait_s(clock + wait_s + 1e-6, names(waiting), clock, waiting + others) == 0.0


@given(st.integers(1, 64), st.integers(1, 64), st.integers(0, 64))
def test_a_full_batch_or_the_last_live_session_goes_at_once(max_batch: int, waiting: int, others: int) -> None:
    rule = Batching(max_batch)
    rule.ran(0.0, 1.0, ())
    wait_s = rule.wait_s(1.0, names(waiting), 1.0, waiting + others)
    assert (wait_s == 0.0) == (waiting >= max_batch or others == 0)


def test_waiting_counts_from_when_the_device_fell_idle() -> None:
    """From arrival alone, half of the clients would always be run without the other half."""
    rule = Batching(16)
    rule.ran(0.0, 1.0, ())
    assert rule.wait_s(1.0, names(4), 0.1, 8) == 0.25
    assert rule.wait_s(1.2, names(4), 1.1, 8) == 1.1 + 0.25 - 1.2


def test_the_first_request_of_all_does_not_wait() -> None:
    assert Batching(16).wait_s(5.0, names(1), 5.0, 8) == 0.0


def test_a_slow_first_call_is_soon_forgotten() -> None:
    rule, clock = Batching(16), 0.0
    for forward in (60.0, 0.1, 0.1):
        rule.ran(clock, clock + forward, ())
        clock += forward
    assert rule.wait_s(clock, names(1), clock, 8) < 0.026


def simulate(
    sessions: int,
    max_batch: int,
    think_s: float,
    batches: int,
    *,
    per_item_s: float = PER_ITEM_S,
    apart_s: float = 0.001,
    groups: bool = True,
) -> tuple[list[int], float]:
    """Closed loop on a simulated clock: each session asks again ``think_s`` after its answer.

    A forward takes 40 ms and ``per_item_s`` per request; sessions begin ``apart_s`` after each other. Return the batch
    sizes and the requests per second. Without ``groups`` the rule is not told who was answered last.
    """
    rule, clock = Batching(max_batch), 0.0
    arrives = {session: apart_s * session for session in range(sessions)}
    waiting: list[tuple[float, int]] = []
    sizes: list[int] = []
    while len(sizes) < batches:
        came = sorted((when, session) for session, when in arrives.items() if when <= clock)
        for when, session in came:
            waiting.append((when, session))
            del arrives[session]
        if waiting:
            asking = [str(session) for _, session in waiting]
            wait_s = rule.wait_s(clock, asking, waiting[0][0], sessions)
            if wait_s == 0.0:
                batch, waiting = waiting[:max_batch], waiting[max_batch:]
                took = FORWARD_S + per_item_s * len(batch)
                rule.ran(clock, clock + took, asking[:max_batch] if groups else EVERYONE)
                clock += took
                sizes.append(len(batch))
                for _, session in batch:
                    arrives[session] = clock + think_s
                continue
            clock = min([clock + wait_s + 1e-9, *(when for when in arrives.values() if when > clock)])
        else:
            clock = min(arrives.values())
    return sizes, sum(sizes) / clock


@given(st.integers(1, 24), st.integers(1, 24), st.floats(0.0, 0.2))
def test_batches_never_exceed_the_limit_and_nobody_starves(sessions: int, max_batch: int, think_s: float) -> None:
    sizes, _ = simulate(sessions, max_batch, think_s, 60)
    assert max(sizes) <= max_batch
    assert min(sizes) >= 1


@pytest.mark.parametrize(
    ("sessions", "max_batch", "think_s"),
    [(8, 8, 0.0005), (8, 16, 0.0005), (3, 16, 0.0005), (8, 16, 0.1), (24, 16, 0.0005), (1, 16, 0.0), (40, 16, 0.3)],
)
def test_closed_loops_come_close_to_the_bound(sessions: int, max_batch: int, think_s: float) -> None:
    """The bound: full batches without a pause, or every session in one batch, whichever is less."""
    full = min(sessions, max_batch)
    bound = min(full / (FORWARD_S + PER_ITEM_S * full), sessions / (FORWARD_S + PER_ITEM_S * full + think_s))
    assert simulate(sessions, max_batch, think_s, 200)[1] > 0.94 * bound


@pytest.mark.parametrize(
    ("sessions", "think_s", "per_item_s"), [(28, 0.04, 0.0054), (16, 0.04, 0.003), (8, 0.03, 0.0015)]
)
def test_groups_that_take_turns_keep_the_device_busy(sessions: int, think_s: float, per_item_s: float) -> None:
    """Two groups, each at work while the other is computed: waiting for those just answered is a fifth of the time."""
    apart_s = (FORWARD_S + per_item_s * sessions / 2) / (sessions / 2)
    half = sessions // 2
    bound = half / (FORWARD_S + per_item_s * half)
    loops = {"per_item_s": per_item_s, "apart_s": apart_s}
    assert simulate(sessions, 32, think_s, 300, **loops)[1] > 0.95 * bound
    assert simulate(sessions, 32, think_s, 300, **loops, groups=False)[1] < 0.85 * bound


def test_a_group_whose_others_come_is_always_waited_for() -> None:
    """One straggler and seven that return at once: they fall in step and stay so."""
    rule, clock = Batching(16), 0.0
    for _ in range(50):
        clock += 1.0
        rule.ran(clock, clock + 0.04, EVERYONE[1:8])
        clock += 0.04
        assert rule.wait_s(clock, EVERYONE[:1], clock, 8) > 0.0
        assert rule.wait_s(clock + 0.005, EVERYONE[:8], clock, 8) == 0.0


def test_after_waits_in_vain_the_rule_tries_again_ever_more_rarely() -> None:
    rule, clock, waits = Batching(16), 0.0, []
    groups = (EVERYONE[:4], EVERYONE[4:8])
    rule.ran(clock, clock + 0.04, groups[1])
    for number in range(400):
        clock += 0.04
        asking = groups[number % 2]
        wait_s = rule.wait_s(clock, asking, clock, 8)
        if wait_s > 0.0:
            waits.append(number)
            clock += wait_s
            assert rule.wait_s(clock, asking, clock - wait_s, 8) == 0.0
        rule.ran(clock, clock + 0.04, asking)
    gaps = [later - first for first, later in pairwise(waits)]
    assert gaps[:4] == [1, 1, 9, 17]
    assert max(gaps) <= 129
