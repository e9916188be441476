"""Solvers against independent ones: poker by brute force, mahjong by search, chemistry by balance."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations

import pytest

from proctor.core import ProctorError
from proctor.tasks.knowledge.facts import table
from proctor.tasks.knowledge.facts.solvers import (
    best_by_brute_force,
    best_fives,
    evaluate,
    events,
    ions,
    kinds,
    rank_value,
    strength,
    to_avoid,
    waits,
    wins,
    wins_by_search,
    worth,
)

DECK = [(rank, suit) for rank in range(2, 15) for suit in "cdhs"]


def test_best_five_of_seven_is_what_brute_force_finds() -> None:
    rng = random.Random(8)
    for _ in range(2000):
        cards = rng.sample(DECK, 7)
        assert set(best_fives(cards)) == set(best_by_brute_force(cards)), cards


def test_best_five_of_narrow_decks_where_rare_hands_are_common() -> None:
    rng = random.Random(9)
    low = [card for card in DECK if card[0] in (2, 3, 4, 5, 6, 14)]
    suited = [card for card in DECK if card[1] in "ch"]
    for deck in (low, suited):
        for _ in range(500):
            cards = rng.sample(deck, 7)
            assert set(best_fives(cards)) == set(best_by_brute_force(cards)), cards


@pytest.mark.parametrize("case", table("cards")["compare_tests"], ids=lambda case: f"{case['a']} | {case['b']}")
def test_both_evaluators_order_the_known_hands(case: dict[str, str]) -> None:
    a, b = ([(rank_value(text[:-1]), text[-1]) for text in case[key].split()] for key in "ab")
    expected = {"a>b": 1, "tie": 0}[case["expect"]]
    assert (strength(a) > strength(b)) - (strength(a) < strength(b)) == expected
    assert (worth(a) > worth(b)) - (worth(a) < worth(b)) == expected


def test_the_wheel_is_the_lowest_straight() -> None:
    wheel = [(14, "c"), (2, "d"), (3, "h"), (4, "s"), (5, "c")]
    assert strength(wheel) == (4, (5,))
    assert strength([(14, "c"), (2, "d"), (3, "h"), (4, "s"), (13, "c")])[0] == 0


def _tiles(text: str) -> list[str]:
    runs = re.findall(r"(\d+)([mps])|([ESWNCFB])", text.replace(" ", ""))
    return [tile for numbers, suit, honour in runs for tile in ([n + suit for n in numbers] or [honour])]


@pytest.mark.parametrize("case", table("mahjong")["solver_tests"], ids=lambda case: case["hand13"])
def test_waits_of_the_known_hands(case: dict[str, object]) -> None:
    hand = _tiles(str(case["hand13"]))
    assert len(hand) == 13
    assert waits(hand) == tuple(case["waits"])  # type: ignore[arg-type]


def test_a_winning_hand_is_what_exhaustive_search_finds() -> None:
    rng = random.Random(10)
    won = 0
    for _ in range(300):
        suit = [f"{number}{rng.choice('mp')}" for number in range(1, 10)] * 4
        rng.shuffle(suit)
        hand = [tile for index, tile in enumerate(suit) if suit[:index].count(tile) < 4][:14]
        assert wins(hand) == wins_by_search(hand), hand
        won += wins(hand)
    assert 0 < won < 300


def atoms(formula: str) -> Counter[str]:
    """Return how many atoms of each element a formula has: ``Pb(NO3)2`` is Pb 1, N 2, O 6."""
    stack: list[Counter[str]] = [Counter()]
    for match in re.finditer(r"([A-Z][a-z]?)(\d*)|\(|\)(\d*)", formula):
        if match[0] == "(":
            stack.append(Counter())
        elif match[0].startswith(")"):
            for element, count in stack.pop().items():
                stack[-1][element] += count * int(match[3] or 1)
        else:
            stack[-1][match[1]] += int(match[2] or 1)
    return stack[0]


def balances(equation: str) -> bool:
    """Return whether both sides of ``2 HCl + Na2CO3 -> ...`` have the same atoms."""
    sides: list[Counter[str]] = []
    for text in equation.split("->"):
        sides.append(Counter())
        for term in text.split(" + "):
            factor, _, formula = term.strip().rpartition(" ")
            sides[-1].update({element: count * int(factor or 1) for element, count in atoms(formula).items()})
    return sides[0] == sides[1]


def test_every_reaction_balances_and_is_the_only_event_of_its_ions() -> None:
    for row in table("chemistry")["reactions"]:
        assert balances(row["equation"]), row["equation"]
        assert not to_avoid(*row["solutions"])
        (event,) = events(*row["solutions"])
        assert (event.event, event.product, event.colour or None) == (
            row["event"],
            row["product"],
            row["product_colour"],
        )
        left, right = row["equation"].split("->")
        assert set(row["solutions"]) == {term.split()[-1] for term in left.split(" + ")}
        assert row["product"] in {term.split()[-1] for term in right.split(" + ")}


def test_an_equation_that_does_not_balance_is_found() -> None:
    assert not balances("AgNO3 + NaCl -> AgCl + KNO3")
    assert not balances("Pb(NO3)2 + KI -> PbI2 + 2 KNO3")
    assert atoms("Pb(NO3)2") == {"Pb": 1, "N": 2, "O": 6}


# "Pb2+", "H+", "SO4 2-", "NO3-": the number of a single-element cation's charge stands without a space.
CHARGE = re.compile(r"( ?[23])?\+$|( [23])?-$")


def _charge(ion: str) -> int:
    match = CHARGE.search(ion)
    assert match is not None
    return int(match[1] or 1) if ion.endswith("+") else -int(match[2] or 1)


def _element(ion: str) -> str:
    return CHARGE.sub("", ion)


def test_a_solution_s_ions_are_its_formula_and_their_charges_cancel() -> None:
    for formula in table("chemistry")["solutions"]:
        pair = ions(formula)
        if pair is not None:
            cation, anion = pair
            ratio = _charge(cation), -_charge(anion)
            both = {}
            for name, count in ((_element(cation), ratio[1]), (_element(anion), ratio[0])):
                for element, number in atoms(name).items():
                    both[element] = both.get(element, 0) + number * count
            found = atoms(formula)
            assert set(both) == set(found), formula
            assert len({both[element] / found[element] for element in found}) == 1, formula


def test_a_precipitate_is_made_of_its_ions() -> None:
    for row in table("chemistry")["clear_precipitates"]:
        names = [_element(ion) for ion in row["ions"]]
        assert set(atoms(row["product"])) == set(atoms(names[0])) | set(atoms(names[1]))


def test_no_pair_of_ions_is_both_clear_and_to_avoid() -> None:
    clear = {frozenset(row["ions"]) for row in table("chemistry")["clear_precipitates"]}
    assert not clear & {frozenset(pair) for pair in table("chemistry")["avoid_pairs_ions"]}


def test_mixing_is_symmetric() -> None:
    for a, b in combinations(table("chemistry")["solutions"], 2):
        assert events(a, b) == events(b, a)
        assert to_avoid(a, b) == to_avoid(b, a)


def test_every_word_problem_has_a_whole_number_below_a_thousand() -> None:
    answers = [evaluate(row["expression"]) for row in table("math_problems")["problems"]]
    assert len(set(answers)) == len(answers) == 40
    assert all(10 <= answer < 1000 for answer in answers)
    for row, answer in zip(table("math_problems")["problems"], answers, strict=True):
        assert eval(row["expression"]) == answer  # Python itself is the second opinion


@pytest.mark.parametrize("text", ["7//2", "1//0", "2**3", "a+1", "1.5*2"])
def test_what_is_not_whole_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(ProctorError):
        evaluate(text)


def test_there_are_34_kinds_of_tile() -> None:
    assert len(kinds()) == len(set(kinds())) == 34
