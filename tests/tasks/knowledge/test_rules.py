"""Laws of the rules and tables: one answer or a refusal, whatever is unknown refuses, order of items never matters."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from question_scenes import scene_with_answer

from proctor.core import ProctorError
from proctor.tasks.knowledge.facts import (
    ATTRIBUTE_TABLES,
    TABLES,
    Item,
    NotUniqueError,
    Question,
    attribute_table,
    known_kinds,
    prove,
    side,
    table,
)

HAND = tuple(f"mahjong_{number}" for number in range(1, 14))
# Kind of question, number of things, what else is fixed.
DRAWS = [
    *(("attribute", 3, {"table": name}) for name in ATTRIBUTE_TABLES if name != "snacks"),
    *((kind, 3, {}) for kind in ("country", "style", "state", "solution_colour", "magnet", "weight", "match_style")),
    *(
        (kind, 4, {})
        for kind in ("subject", "author", "nth_card", "beat_card", "ball_value", "extreme_ball", "storage")
    ),
    *(("material", 3, {"property": name}) for name in table("materials")["properties"]),
    *(("recipe", 5, {"dish": name}) for name in table("recipes")["recipes"]),
    *(("group", 4, {"table": name}) for name in ("books", "toys", "bakery", "drinks")),
    *(("menu", 4, {"dish": name, "hand": "right_handed"}) for name in table("dining")["menu_to_cutlery"]),
    *(("book_order", 3, {"by": by}) for by in ("year", "author")),
    *(("reaction", 4, {"event": name}) for name in ("precipitate", "gas", "neutralisation")),
    ("best_five", 7, {}),
    ("odd_tile", 6, {}),
    ("run_tile", 6, {}),
    ("wait", 3, {"hand": HAND}),
    ("clear_table", 3, {}),
    ("red_then_best", 3, {}),
    ("number", 6, {"problem": "math21"}),
]


@pytest.mark.parametrize(("kind", "count", "params"), DRAWS, ids=str)
def test_a_scene_with_one_answer_has_it_in_whatever_order_it_is_read(kind: str, count: int, params: dict) -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        items, proof = scene_with_answer(rng, kind, count, **params)
        mixed = [items[int(index)] for index in rng.permutation(len(items))]
        winner = prove(proof.question, mixed).winner
        if kind == "number":  # Copies of a digit are equal: the first one in the scene is named.
            assert len(winner) == len(proof.winner)
        else:
            assert {frozenset(group) for group in winner} == {frozenset(group) for group in proof.winner}
        assert set(proof.names) <= {item.name for item in items}


@pytest.mark.parametrize("name", [name for name in ATTRIBUTE_TABLES if name != "snacks"])
def test_a_twin_of_the_answer_or_an_unknown_fact_refuses(name: str) -> None:
    facts = attribute_table(name)
    for attribute, fact in facts.attributes.items():
        question = Question("attribute", {"table": name, "attributes": (attribute,)})
        known = [item for item in facts.items if fact.of(item) is False]
        true = Item("a", facts.category, {facts.look: sorted(fact.true)[0]})
        false = Item("b", facts.category, {facts.look: known[0]})
        assert prove(question, [true, false]).names == ("a",)
        with pytest.raises(NotUniqueError, match="2 answers"):
            prove(question, [true, replace(true, name="c"), false])
        with pytest.raises(NotUniqueError, match="0 answers"):
            prove(question, [false])
        for unknown in fact.unknown:
            with pytest.raises(NotUniqueError, match="in doubt"):
                prove(question, [true, Item("u", facts.category, {facts.look: unknown})])


def test_a_negated_fact_is_its_opposite_and_unknown_stays_unknown() -> None:
    facts = attribute_table("drinks")
    for item in facts.items:
        for attribute in facts.attributes:
            value, opposite = facts.value(item, attribute), facts.value(item, f"!{attribute}")
            assert opposite == (None if value is None else not value)
    assert facts.values("red wine", ("from_grapes", "contains_alcohol")) is True
    assert facts.values("grape juice", ("from_grapes", "contains_alcohol")) is False
    assert facts.values("lemonade", ("carbonated", "lemons_and_sugar")) is None


def test_every_table_tells_its_source_and_unit_and_cannot_be_changed() -> None:
    for name in TABLES:
        data = table(name)
        assert data["source"]
        assert data["unit"]
        with pytest.raises(TypeError):
            data["source"] = "changed"  # type: ignore[index]
    with pytest.raises(ProctorError, match="fruits"):
        table("fruit")


def test_splits_are_disjoint_and_cover_what_may_be_asked() -> None:
    for name in (*ATTRIBUTE_TABLES, "books", "math_problems"):
        seen, unseen = set(side(name, "seen")), set(side(name, "unseen"))
        if name != "snacks":
            assert not seen & unseen
            assert len(side(name, "all")) == len(seen) + len(unseen)
    assert len(side("books", "all")) == 50
    titles = {entry["title"] for key in ("classics", "invented") for entry in table("books")[key]}
    assert set(side("books", "all")) == titles


def test_no_country_has_two_flowers_and_each_has_a_status() -> None:
    listed = [c for countries in table("flowers")["national_or_emblem_flower"].values() for c in countries]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(table("flowers")["status"])


@pytest.mark.parametrize(
    ("name", "attribute", "item", "rival"),
    [
        ("flowers", "on_a_tree", "cherry blossom", "orchid"),  # Most orchids sit on trees.
        ("flowers", "seeds_for_oil", "sunflower", "peony"),  # Peony seed oil is sold for cooking.
        ("flowers", "seeds_for_oil", "sunflower", "thistle"),  # Safflower is one.
        ("flowers", "thorny_stem", "rose", "lotus"),  # Its stalks are prickly.
        ("flowers", "mothers_day", "carnation", "daffodil"),  # Mothering Sunday in Britain.
        ("flowers", "high_alps", "edelweiss", "daisy"),
        ("drinks", "from_the_tap", "still water", "beer"),
        ("recipes", "not_for_vegetarians", "steak", "egg"),
        ("paintings", "few_flat_colours", "flat poster", "op art"),
    ],
)
def test_a_fact_that_a_reader_could_claim_for_another_thing_is_not_asked(
    name: str, attribute: str, item: str, rival: str
) -> None:
    facts = attribute_table(name)
    question = Question("attribute", {"table": name, "attributes": (attribute,)})
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(question, [Item(kind, facts.category, {facts.look: kind}) for kind in (item, rival)])


def _books(*titles: str) -> list[Item]:
    return [Item(title, "book", {"title": title}) for title in titles]


def test_a_subject_is_not_asked_beside_a_book_that_might_be_counted_to_it() -> None:
    travel = Question("subject", {"subject": "travel"})
    assert prove(travel, _books("Twelve Islands by Ferry", "Emma")).names == ("Twelve Islands by Ferry",)
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(travel, _books("Twelve Islands by Ferry", "Gulliver's Travels"))
    subjects = {
        entry.get("subject", entry.get("genre")) for key in ("classics", "invented") for entry in table("books")[key]
    }
    assert {
        entry["also"] for key in ("classics", "invented") for entry in table("books")[key] if "also" in entry
    } < subjects


def test_no_classic_is_a_textbook() -> None:
    budget = Question("study", {"need": "household budget"})
    assert prove(budget, _books("Counting Coins: Household Budgets", "Emma")).names
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(budget, _books("The Wealth of Nations", "Emma"))


def test_winds_and_dragons_may_be_counted_as_two_suits() -> None:
    def row(*kinds: str) -> list[Item]:
        return [Item(f"{kind}_{number}", "mahjong", {"kind": kind}) for number, kind in enumerate(kinds)]

    odd = Question("odd_tile")
    assert prove(odd, row("E", "S", "C", "F", "2p")).names == ("2p_4",)
    assert prove(odd, row("2p", "3p", "C")).names == ("C_2",)
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(odd, row("E", "S", "W", "C", "2p"))


def test_the_dutch_have_two_flowers_when_a_daisy_stands_by() -> None:
    """The tulip by custom, the daisy by the vote of 2023."""
    dutch = Question("country", {"country": "Netherlands"})
    tulip, daisy, iris = (Item(kind, "flower", {"kind": kind}) for kind in ("tulip", "daisy", "iris"))
    assert prove(dutch, [tulip, iris]).names == ("tulip",)
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(dutch, [tulip, daisy])


def test_snooker_s_known_sums() -> None:
    values = table("billiards")["snooker_values"]
    colours = [value for name, value in values.items() if name != "red"]
    assert sum(colours) == table("billiards")["colours_only_total"] == 27
    assert 15 * (values["red"] + max(colours)) + sum(colours) == table("billiards")["max_break"] == 147


def _samples(*materials: str, volumes: tuple[float, ...] = ()) -> list[Item]:
    sizes = volumes or (0.0,) * len(materials)
    return [Item(m, "sample", {"material": m}, volume_cm3=v) for m, v in zip(materials, sizes, strict=True)]


def test_materials_whose_intervals_touch_are_never_compared() -> None:
    for name, data in table("materials")["properties"].items():
        for a, b in combinations(data["values"], 2):
            (_, low_a, high_a), (_, low_b, high_b) = data["values"][a], data["values"][b]
            question = Question("material", {"property": name, "direction": "largest"})
            if low_a <= high_b and low_b <= high_a:
                with pytest.raises(NotUniqueError):
                    prove(question, _samples(a, b))
            elif max(low_a / high_b, low_b / high_a) >= data["gap_ratio"]:
                assert prove(question, _samples(a, b)).names == ((a if low_a > low_b else b),)


def test_weight_counts_both_density_and_size() -> None:
    question = Question("weight", {"direction": "largest"})
    assert prove(question, _samples("cork", "steel", volumes=(64.0, 64.0))).names == ("steel",)
    assert prove(question, _samples("cork", "steel", volumes=(64000.0, 64.0))).names == ("cork",)
    with pytest.raises(NotUniqueError):
        prove(question, _samples("copper", "steel", volumes=(64.0, 64.0)))


def _row(*ys: float, xs: tuple[float, ...] = (), kind: str = "apple") -> list[Item]:
    places = zip(xs or (0.0,) * len(ys), ys, strict=True)
    return [Item(f"i{n}", "fruit", {"kind": kind}, at=at, radius=0.02) for n, at in enumerate(places)]


def test_left_is_plus_y_and_a_mirror_swaps_the_sides() -> None:
    row = _row(0.2, 0.0, -0.2)
    for n in (1, 2, 3):
        left = Question("nth_place", {"category": "fruit", "n": n, "side": "left"})
        right = Question("nth_place", {"category": "fruit", "n": n, "side": "right"})
        assert prove(left, row).names == (f"i{n - 1}",)
        assert prove(right, row).names == (f"i{3 - n}",)
    with pytest.raises(NotUniqueError, match="too close"):
        prove(Question("nth_place", {"category": "fruit", "n": 1, "side": "left"}), _row(0.2, 0.19))


def test_beside_needs_a_clear_gap_and_more_aside_than_deep() -> None:
    anchor = Item("lemon", "fruit", {"kind": "lemon"}, at=(0.0, 0.0), radius=0.02)
    question = Question("side_of", {"category": "fruit", "anchor": "lemon", "side": "left", "of_kind": "apple"})
    assert prove(question, [anchor, *_row(0.1, -0.1)]).names == ("i0",)
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(question, [anchor, *_row(0.1, 0.055, xs=(0.0, 0.0))])
    with pytest.raises(NotUniqueError, match="0 answers"):
        prove(question, [anchor, *_row(0.1, xs=(0.3,))])


def test_an_acid_beside_a_carbonate_is_no_clear_neutralisation() -> None:
    tubes = [Item(name, "tube", {"solution": name}) for name in ("HCl", "NaOH", "KNO3")]
    question = Question("reaction", {"event": "neutralisation"})
    assert set(prove(question, tubes).names) == {"HCl", "NaOH"}
    with pytest.raises(NotUniqueError, match="in doubt"):
        prove(question, [*tubes, Item("Na2CO3", "tube", {"solution": "Na2CO3"})])


def test_an_unknown_kind_of_question_is_named() -> None:
    assert "attribute" in known_kinds()
    with pytest.raises(ProctorError, match="did you mean 'attribute'"):
        prove(Question("atribute"), [])
