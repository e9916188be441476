"""The referee: it agrees where the label is right, and it finds scenes with two answers and labels that are wrong."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import referee
from referee import Scene, Thing, best_hands, judge, labels_of, meant, plain, read, strength, wins

from proctor.tasks.cbddl import Task, parse
from proctor.tasks.knowledge import draw, drawable
from proctor.tasks.knowledge.facts import attribute_table, bank

HERE = Path(referee.__file__).parent


def episode(slug: str, number: int = 0) -> str:
    return draw(slug, 40 + number, number).text


def task(text: str) -> Task:
    return parse(text, "referee.cbddl")


@pytest.mark.parametrize("numbers", [range(5), pytest.param(range(5, 60), marks=pytest.mark.nightly)])
def test_agrees_with_the_goal_of_every_task(numbers: range) -> None:
    for slug in drawable():
        for number in numbers:
            verdict = judge(task(episode(slug, number)))
            assert verdict.word == "agree", f"{slug} {number}: {verdict}"


def swapped(text: str, first: str, second: str) -> str:
    """Return a text whose goal asks for ``second`` where it asked for ``first``."""
    head, goal, tail = re.split(r"(\(:goal .*\)\n)", text, maxsplit=1)
    return head + re.sub(rf"\b{first}\b", second, goal) + tail


@pytest.mark.parametrize(
    "slug", ["select_fruit", "select_fruit_semantic", "density_qa", "play_mahjong", "select_poker"]
)
def test_finds_a_wrong_label(slug: str) -> None:
    """Whatever other thing of the kind the goal names instead, the referee says so."""
    text = episode(slug, 1)
    right = task(text)
    labelled = next(str(arg) for arg in re.findall(r"[\w]+_\d+", text.split("(:goal")[1]))
    category = next(e.category for e in (*right.fixtures, *right.objects) if e.name == labelled)
    others = [e.name for e in (*right.fixtures, *right.objects) if e.category == category and e.name != labelled]
    assert others
    for other in others:
        assert judge(task(swapped(text, labelled, other))).word == "disagree"


def test_finds_a_wrong_place() -> None:
    text = episode("select_toy_spatial")
    box = re.search(r"\(:goal \(Placed \w+ (giftbox_\d)\)", text)
    assert box
    for other in {"giftbox_1", "giftbox_2", "giftbox_3"} - {box[1]}:
        assert judge(task(swapped(text, box[1], other))).word == "disagree"


def test_finds_a_scene_with_two_of_a_kind() -> None:
    text = episode("select_fruit")
    asked = re.search(r"\(:goal \(Placed (\w+?)_1 ", text)
    assert asked
    kind = re.search(rf'\({asked[1]}_1 \(seed \d+\) \(kind "([^"]+)"\)', text)
    assert kind
    doubled = re.sub(r'\(kind "[^"]+"\)', f'(kind "{kind[1]}")', text)
    verdict = judge(task(doubled))
    assert verdict.word == "ambiguous"
    assert len(verdict.readings) >= 3


def test_finds_a_fact_that_two_things_share() -> None:
    """Citrus among an orange and a lemon, where the prover's scenes hold one of them."""
    scene = Scene(
        (Thing("plate_1", "serving_plate", {}, (0.0, 0.0, 0.0)), *(fruit(kind) for kind in ("orange", "lemon", "plum")))
    )
    names = {
        thing
        for found in read("Put the fruit that is a citrus fruit on the plate.", scene)
        for thing, _ in found.wishes
    }
    assert names == {"orange_1", "lemon_1"}


def test_counts_doubtful_things_as_fitting() -> None:
    """Lemonade may be of limes: a scene with both has two answers, though a table calls one of them unknown."""
    scene = Scene((Thing("plate_1", "serving_plate", {}, (0.0, 0.0, 0.0)), fruit("lemon"), fruit("lime")))
    assert len(read("The children want to sell lemonade. Put the fruit we squeeze on the plate.", scene)) == 2


def test_things_side_by_side_have_no_order() -> None:
    """Cards 1 cm apart: which is the second from the left cannot be sworn to."""
    near = Scene(tuple(card("7", suit, 0.01 * n) for n, suit in enumerate(("clubs", "hearts", "spades"))))
    apart = Scene(tuple(card("7", suit, 0.1 * n) for n, suit in enumerate(("clubs", "hearts", "spades"))))
    assert len(read("Pick up the second card from the left.", near)) == 3
    (one,) = read("Pick up the first card from the left.", apart)
    assert dict(one.wishes).keys() == {"7_spades"}


def test_equal_ranks_have_two_largest_cards() -> None:
    scene = Scene((card("K", "clubs", 0.0), card("K", "hearts", 0.1), card("4", "hearts", 0.2)))
    assert len(read("Pick up the largest card. Aces are high.", scene)) == 2
    assert len(read("Pick up the third largest card. Aces are high.", scene)) == 1


def test_unreadable_words_are_no_agreement() -> None:
    text = episode("select_fruit").replace("(:language ", "(:language Frobnicate it. ;")
    text = re.sub(r"\(:language Frobnicate it\. ;.*\)\n", "(:language Frobnicate it.)\n", text)
    assert judge(task(text)).word == "unread"


def test_copies_of_a_digit_may_change_places() -> None:
    """44 can be laid in two ways: a goal that accepts both agrees, one that fixes which cube is left does not."""
    text = next(text for text in map(twins, range(60)) if text)
    both = re.search(r"\(Or (\(Ordered [^)]*\([^)]*\) [\d.]+\)) \(Ordered", text)
    assert judge(task(text)).word == "agree"
    assert both
    one_way = re.sub(r"\(Or (\(Ordered [^)]*\([^)]*\) [\d.]+\)) \(Ordered [^)]*\([^)]*\) [\d.]+\)\)", r"\1", text)
    assert judge(task(one_way)).word == "ambiguous"


def twins(number: int) -> str:
    """Return an episode of the number game whose answer has two equal digits, or nothing."""
    text = episode("play_math_game", number)
    return text if "(Or (Ordered" in text else ""


NAILS = {
    "nail1": (0.0, 0.12, 0.33),
    "nail2": (0.0, -0.12, 0.33),
    "nail3": (-0.03, 0.12, 0.15),
    "nail4": (0.0, -0.12, 0.15),
}


def test_a_picture_goes_on_the_nail_in_the_corner_and_a_loose_nail_is_driven_first() -> None:
    panel = Thing("panel_1", "panel", {}, (0.0, 0.0, 0.0), sites=NAILS)
    pictures = [
        Thing(f"picture_{n}", "picture_frame", {"style": s}, (0.0, 0.0, 0.0))
        for n, s in ((1, "op art"), (2, "ink wash"))
    ]
    one = Scene((panel, pictures[0]))
    (right,) = read("Hang the picture on the upper right nail.", one)
    assert dict(right.wishes) == {"picture_1": {"panel_1/nail2"}}
    (lower,) = read("Please hang the picture on the lower left nail.", one)
    assert dict(lower.wishes) == {"picture_1": {"panel_1/nail3"}, "panel_1/nail3": {"driven"}}
    assert len(read("Hang the picture on the wall.", one)) == 4
    (loose,) = read("One nail is loose. Fix it with the hammer.", one)
    assert dict(loose.wishes) == {"panel_1/nail3": {"driven"}}
    assert len(read("Hang the ink wash picture on the upper left nail.", Scene((panel, *pictures)))) == 1


def test_what_runs_on_power_is_plugged_in() -> None:
    things = [Thing(f"{name}_1", name, {}, (0.0, 0.0, 0.0)) for name in ("juicer", "lid", "plug", "socket")]
    (found,) = read("Make plum juice. The juicer has no power yet.", Scene((*things, fruit("plum"), fruit("pear"))))
    assert dict(found.wishes)["plug_1"] == {"socket_1"}


def test_how_a_ball_is_struck_is_not_part_of_the_answer() -> None:
    text = episode("select_billiards")
    goal = re.search(r"\(:goal (\(Or .*\))\)\n", text)
    assert goal
    ball = re.search(r"\(In (\w+) ", goal[1])
    assert ball
    other = "billiard_ball_2" if ball[1] == "billiard_ball_1" else "billiard_ball_1"
    struck = f"(And {goal[1]} (StruckBy {ball[1]} ({other})) (NeverHeld {ball[1]}))"
    assert labels_of(task(text.replace(goal[1], struck)).goal) == labels_of(task(text).goal)


def fruit(kind: str) -> Thing:
    return Thing(f"{kind}_1", "fruit", {"kind": kind}, (-0.2, 0.0, 0.0))


def card(rank: str, suit: str, y: float) -> Thing:
    return Thing(f"{rank}_{suit}", "card", {"rank": rank, "suit": suit}, (-0.1, y, 0.0))


def test_strength_orders_all_shapes_as_poker_does() -> None:
    hands = (
        "2h 7c 9d Js Kc",
        "2h 2c 9d Js Kc",
        "2h 2c 9d 9s Kc",
        "2h 2c 2d 9s Kc",
        "Ah 2c 3d 4s 5c",
        "6h 2c 3d 4s 5c",
        "2h 7h 9h Jh Kh",
        "2h 2c 2d 9s 9c",
        "2h 2c 2d 2s 9c",
        "Ah 2h 3h 4h 5h",
        "10h Jh Qh Kh Ah",
    )
    found = [strength([card(word[:-1], word[-1], 0.0) for word in hand.split()]) for hand in hands]
    assert found == sorted(set(found))


def test_best_hands_are_beaten_by_no_other_choice() -> None:
    rng = np.random.default_rng(5)
    deck = [card(rank, suit, 0.0) for rank in (*map(str, range(2, 11)), *"JQKA") for suit in "cdhs"]
    for _ in range(20):
        dealt = [deck[int(i)] for i in rng.permutation(52)[:7]]
        best = best_hands(dealt)
        assert all(strength(hand) <= strength(best[0]) for hand in combinations(dealt, 5))


@pytest.mark.parametrize(
    ("hand", "won"),
    [
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 1p E E", True),
        ("1m 1m 2m 2m 3m 3m 4p 4p 5p 5p 6s 6s E E", True),
        ("1m 9m 1p 9p 1s 9s E S W N C F B E", True),
        ("1m 2m 4m 4m 5m 6m 7m 8m 9m 1p 1p 1p E E", False),
        ("8m 9m 1p 4m 5m 6m 7m 8m 9m 1p 1p 1p E E", False),
    ],
)
def test_winning_hands(hand: str, won: bool) -> None:
    assert wins(hand.split()) is won


def texts() -> list[tuple[str, str, tuple[str, ...], str]]:
    """Every instruction of the banks that states facts: id, table, attributes, text."""
    found = []
    for number in (*(f"P{n:02}" for n in range(26, 51)), "C03", "C07", "C09", "C29"):
        for entry in bank(number).entries:
            if entry.ask == "attribute" and "attributes" in entry.params:
                facts = (str(entry.params["table"]), tuple(entry.params["attributes"]))  # type: ignore[arg-type]
                found += [(entry.id, *facts, text) for text in entry.texts]
            elif entry.ask == "attribute":
                name = str(entry.params["table"])
                filled = [(a, f.phrase) for a, f in attribute_table(name).attributes.items()]
                found += [(entry.id, name, (a,), text.format(fact=p)) for a, p in filled for text in entry.texts]
    return found


def test_cues_mean_what_the_tables_mean() -> None:
    """Two tables written apart: what a text points at is all that is true, and nothing that is false."""
    checked = texts()
    assert len(checked) > 700
    for name, table, attributes, text in checked:
        facts = attribute_table(table)
        values = {item: [truth(facts.value(item, a.lstrip("!")), a) for a in attributes] for item in facts.items}
        true = {item for item, found in values.items() if all(found)}
        false = {item for item, found in values.items() if False in found}
        kinds = meant(plain(text), facts.category)
        assert kinds is not None, (name, text)
        assert true <= kinds, (name, text, true - kinds)
        assert not kinds & false, (name, text, kinds & false)


def truth(value: bool | None, attribute: str) -> bool | None:
    return not value if attribute.startswith("!") and value is not None else value


def test_shares_no_code_with_the_generator() -> None:
    """It imports nothing of the generator; the shared tables are read as data."""
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("proctor.tasks.knowledge"), path.name
