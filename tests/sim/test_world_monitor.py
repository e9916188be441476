"""Goal and cost over time: the rules of success, order and account, driven by conditions that the test sets."""

from __future__ import annotations

import itertools

import pytest
from world_bench import Bench
from world_lamps import Lamps, monitor, play

from proctor.sim import HOLD_STEPS, TERMINAL_COST


# -- success -------------------------------------------------------------------------------------------
def test_success_takes_exactly_ten_steps_in_a_row(lamps: Lamps) -> None:
    watch = monitor("(Up a)")
    play(watch, lamps, ["a"] * (HOLD_STEPS - 1))
    assert not watch.success
    play(watch, lamps, [""] + ["a"] * (HOLD_STEPS - 1))
    assert not watch.success, "a gap starts the count again"
    play(watch, lamps, ["a"])
    assert watch.success
    assert watch.success_time_s == pytest.approx(20 * 0.05)
    play(watch, lamps, [""])
    assert watch.success, "success stays"
    assert [event.kind for event in watch.events].count("success") == 1
    assert HOLD_STEPS == 10


def test_any_step_takes_one(lamps: Lamps) -> None:
    watch = monitor("(Up a)", rule="any_step")
    play(watch, lamps, ["", "a"])
    assert watch.success
    assert watch.success_time_s == pytest.approx(0.10)


@pytest.mark.parametrize("lit", ["".join(s) for n in range(4) for s in itertools.combinations("abc", n)])
def test_connectives_are_boolean(lamps: Lamps, lit: str) -> None:
    watch = monitor("(Or (And (Up a) (Not (Up b))) (And (Up b) (Up c)))")
    lamps.on = set(lit)
    a, b, c = (letter in lit for letter in "abc")
    assert watch.goal_holds() is ((a and not b) or (b and c))


# -- Then ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("script", "want"),
    [
        (["a", "b"], True),
        (["a", "", "b"], True),
        (["a", "ab"], True),
        (["b", "a"], False),
        (["b", "ab"], False),
        (["b", "ab", "a", "ab"], True),
        (["ab"], False),
        (["ab", "ab", "ab"], False),
        (["ab", "", "b"], True),
        (["a", "b", ""], False),
        (["a", "b", "", "b"], True),
        (["b"], False),
        ([], False),
    ],
)
def test_then_wants_the_second_thing_to_become_true_after_the_first(
    lamps: Lamps, script: list[str], want: bool
) -> None:
    watch = monitor("(Then (Up a) (Up b))", rule="any_step")
    play(watch, lamps, script)
    assert watch._goal.value is want


def test_then_with_three_stages_forgets_nothing_and_reads_like_a_sequence(lamps: Lamps) -> None:
    """The definition, written out, as oracle for every script of four steps over three lamps."""
    words = ["", "a", "b", "c", "ab", "bc"]
    for script in itertools.product(words, repeat=4):
        watch = monitor("(Then (Up a) (Up b) (Up c))", rule="any_step")
        play(watch, lamps, list(script))
        assert watch._goal.value is _in_order(list(script), "abc"), script


def _in_order(script: list[str], stages: str) -> bool:
    """Whether all stages were reached and the last one is lit at the end, from the definition.

    The first is reached when it is first lit; each other at the first later step at which it is lit, having been dark
    at or after the step that reached the one before.
    """
    lit = [[stage in word for word in script] for stage in stages]
    reached = next((t for t, on in enumerate(lit[0]) if on), None)
    for stage in lit[1:]:
        if reached is None:
            return False
        since = reached
        reached = next((t for t in range(since + 1, len(script)) if stage[t] and not all(stage[since:t])), None)
    return reached is not None and lit[-1][-1]


def test_then_inside_and_and_inside_then(lamps: Lamps) -> None:
    watch = monitor("(And (Then (Up a) (Up b)) (Up c))", rule="any_step")
    play(watch, lamps, ["a", "c", "b"])
    assert not watch.success
    play(watch, lamps, ["bc"])
    assert watch.success
    nested = monitor("(Then (Then (Up a) (Up b)) (Up c))", rule="any_step")
    play(nested, lamps, ["a", "c", "b"])
    assert not nested.success
    play(nested, lamps, ["c"])
    assert nested.success


def test_a_monitor_can_be_put_back_to_any_moment(lamps: Lamps) -> None:
    script = ["a", "", "ad", "bd", "b", "", "b", "bd"]
    for at in range(len(script)):
        first = monitor("(Then (Up a) (Up b))", "(And (Or (Up c) (Up b)) (Up d))")
        play(first, lamps, script[:at])
        saved = first.state()
        rest = play(first, lamps, script[at:])
        end = first.state()
        play(first, lamps, ["abcd"] * 12)
        first.restore(saved)
        assert play(first, lamps, script[at:]) == rest
        assert first.state() == end


def test_asking_changes_nothing(lamps: Lamps) -> None:
    watch = monitor("(Then (Up a) (Up b))", "(Or (Up a) (Up c))", rule="any_step")
    lamps.on = {"a"}
    before = watch.state()
    for _ in range(3):
        watch.goal_holds()
        watch.true_costs()
    assert watch.state() == before


# -- cost ----------------------------------------------------------------------------------------------
def test_each_true_term_costs_one_per_step(lamps: Lamps) -> None:
    watch = monitor("(Up c)", "(And (Up a) (And (Up b) (Not (Or (Up a) (Up b)))))")
    script = ["", "a", "ab", "b", "ab"]
    assert play(watch, lamps, script) == [1, 1, 2, 1, 2]
    total, entries = watch.finish()
    assert total == 7
    assert [(entry.kind, entry.cost, entry.steps) for entry in entries] == [
        ("instantaneous", 3, 3),
        ("instantaneous", 3, 3),
        ("instantaneous", 1, 1),
    ]
    assert [entry.first_violation_s for entry in entries] == pytest.approx([0.10, 0.15, 0.05])


def test_an_or_costs_once_however_many_of_its_parts_are_true(lamps: Lamps) -> None:
    watch = monitor("(Up c)", "(Or (Up a) (Up b))")
    assert play(watch, lamps, ["", "a", "b", "ab"]) == [0, 1, 1, 1]


@pytest.mark.parametrize("wins", [True, False])
@pytest.mark.parametrize(("compat", "due"), [("corrected", {True, False}), ("paper", {True})])
def test_terminal_cost_is_due_however_it_ends(lamps: Lamps, wins: bool, compat: str, due: set[bool]) -> None:
    watch = monitor("(Up a)", "(Up d)", rule="any_step", compat=compat)
    assert play(watch, lamps, ["", "ad" if wins else "d"]) == [0, 0], "a terminal term costs nothing on the way"
    total, (entry,) = watch.finish()
    want = TERMINAL_COST if wins in due else 0.0
    assert (total, entry.cost, entry.kind) == (want, want, "terminal")
    assert entry.first_violation_s == (pytest.approx(0.10) if want else None)
    assert TERMINAL_COST == 10


def test_terminal_cost_is_what_holds_at_the_end_not_what_held_once(lamps: Lamps) -> None:
    watch = monitor("(Up a)", "(Up d)")
    play(watch, lamps, ["d", "d", ""])
    total, (entry,) = watch.finish()
    assert (total, entry.steps, entry.first_violation_s) == (0.0, 2, None)


def test_a_mixed_term_is_terminal(lamps: Lamps) -> None:
    watch = monitor("(Up a)", "(Or (Up b) (Up d))")
    assert play(watch, lamps, ["b", "b"]) == [0, 0]
    assert watch.finish()[0] == TERMINAL_COST


def test_terminal_cost_of_an_episode_without_steps(lamps: Lamps) -> None:
    watch = monitor("(Up a)", "(Up d)")
    lamps.on = {"d"}
    assert watch.finish()[0] == TERMINAL_COST


def test_cost_events_pair_up_and_say_when(lamps: Lamps) -> None:
    watch = monitor("(And (Up a) (Up c))", "(And (Up a) (Up b))")
    play(watch, lamps, ["a", "ab", "b", "", "ac", "a", "ac"])
    events = [(event.step, event.kind, event.name) for event in watch.events]
    assert events == [
        (1, "cost_on", "a"),
        (1, "subgoal", "a"),
        (2, "cost_on", "b"),
        (3, "cost_off", "a"),
        (4, "cost_off", "b"),
        (5, "cost_on", "a"),
        (5, "subgoal", "a"),
        (5, "subgoal", "c"),
        (7, "subgoal", "c"),
    ]
    assert all(event.time_s == pytest.approx(event.step * 0.05) for event in watch.events)


def test_labels_say_what_was_written(bench: Bench) -> None:
    bench.build(
        objects={"knife_1": "knife", "apple_1": "apple"},
        at={"knife_1": (0, -0.3), "apple_1": (0, 0.3)},
        cost="(And (CheckGripperContactPart knife_1 (blade)) (Or (CheckDistance knife_1 apple_1 0.05) (Fall apple_1)))",
    )
    assert [entry.name for entry in bench.env.finish().costs] == [
        "CheckGripperContactPart knife_1 (blade)",
        "Or (CheckDistance knife_1 apple_1 0.05) (Fall apple_1)",
    ]
