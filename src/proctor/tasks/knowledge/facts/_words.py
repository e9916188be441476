"""Words for the parameters of a question, to fill the gaps of an instruction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ._model import Item, Question
from ._tables import attribute_table, table
from .rules import class_of

Words: TypeAlias = dict[str, str]
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
# Kinds whose name in the tables is not how one says it.
SAID = {
    "rice box": "box of rice",
    "pasta box": "box of pasta",
    "crisps bag": "bag of crisps",
    "biscuit box": "box of biscuits",
    "cooked rice bowl": "bowl of cooked rice",
    "soup bowl": "bowl of soup",
}
_GENRES = {"novel": "novel", "essay": "book of essays", "biography": "biography"}
_WITH_ARTICLE = ("Netherlands", "United States")
_MOST = {
    "largest": ("largest", "most", "fastest", "heaviest"),
    "smallest": ("smallest", "least", "slowest", "lightest"),
}
# Dishes of which one cooks one.
_COUNTED = {"base", "chowder", "omelette", "quiche", "salad", "soup", "stir-fry"}
_DISHES = {
    "steak": "a steak",
    "grilled fish fillet": "a grilled fish fillet",
    "steak and a soup starter": "a steak with a soup before it",
    # Where chopsticks lie is a matter of country: across, in front of the plate, or beside it. So it is said.
    "sushi": "sushi, with chopsticks laid where a knife would be",
}


def words(question: Question, items: Sequence[Item]) -> Words:
    """Return the words that an instruction may use for a question about ``items``."""
    if question.kind in ("inside", "nth_place", "side_of"):
        return _placed(question, items)
    if question.kind == "group":
        names = dict.fromkeys(class_of(question["table"], item) for item in items)
        return dict(zip(("first", "second"), names, strict=False))
    return _WORDS.get(question.kind, _plain)(question)


def tile_name(kind: str) -> str:
    """Return how a tile is called: ``5s`` is five of bamboo, ``E`` the east wind."""
    spoken: Mapping[str, str] = table("mahjong")["spoken"]
    return f"{NUMBERS[int(kind[0])]} of {spoken[kind[1]]}" if len(kind) == 2 else spoken[kind]


def rank_name(rank: str) -> str:
    """Return how a rank is called: ``Q`` is queen, ``7`` stays."""
    return RANKS.get(rank, rank)


def _plain(question: Question) -> Words:
    return {key: str(value) for key, value in question.params.items()}


def _look(question: Question) -> Words:
    found = _plain(question)
    if question.get("category") == "mahjong":
        found["tile"] = tile_name(question["kind"])
    if "kind" in found:
        found["kind"] = SAID.get(found["kind"], found["kind"])
    if "rank" in found:
        found["rank"] = rank_name(found["rank"])
    if "solution" in found:
        found["solution"] = table("solutions")["spoken"][found["solution"]]
    return found


def _about(question: Question) -> Words:
    subject = question["subject"]
    return {"subject": subject, "book_about": _GENRES.get(subject, f"book about {subject}")}


def _land(question: Question) -> Words:
    country = question["country"]
    return {"country": country, "land": f"the {country}" if country in _WITH_ARTICLE else country}


def _beat(question: Question) -> Words:
    name = rank_name(question["rank"])
    return {"rank": name, "a_rank": f"{'an' if name in ('8', 'ace') else 'a'} {name}"}


def _magnet(question: Question) -> Words:
    if question["attracted"]:
        return {"attracts": "attracts", "attract_question": "attract"}
    return {"attracts": "does not attract", "attract_question": "not attract"}


def _reaction(question: Question) -> Words:
    if question["event"] == "neutralisation":
        return {"outcome": "an acid and a base neutralise each other"}
    if question["event"] == "gas":
        return {"outcome": "bubbles of carbon dioxide"}
    colour = question.get("colour")
    product = question.get("product")
    said = f"a {colour} precipitate" if colour else "a precipitate"
    return {"outcome": f"{said} of {table('chemistry')['product_names'][product]}" if product else said}


def _recipe(question: Question) -> Words:
    dish = question["dish"]
    article = "an" if dish[0] in "aeiou" else "a"
    return {"dish": dish, "a_dish": f"{article} {dish}" if _COUNTED & set(dish.split()) else dish}


def _fact(question: Question) -> Words:
    facts = attribute_table(question["table"])
    return {"fact": " and ".join(facts.attributes[name].phrase for name in question["attributes"] if name[0] != "!")}


def _placed(question: Question, items: Sequence[Item]) -> Words:
    found: Words = {}
    if "n" in question.params:
        found["nth"] = ORDINALS[question["n"] - 1]
    if "side" in question.params:
        found["side"] = question["side"]
        found["side_word"] = f"{question['side']} side" if question["side"] in ("near", "far") else question["side"]
    if "inside" in question.params:
        found["layer"] = question["inside"].rpartition("/")[2].rpartition("_")[2]
    if "of_kind" in question.params:
        found["kind"] = SAID.get(question["of_kind"], question["of_kind"])
    anchor = next((item for item in items if item.name == question.get("anchor")), None)
    if anchor is not None:
        found["anchor"] = SAID.get(anchor.looks.get("kind", ""), anchor.looks.get("kind", anchor.category))
    return found


def _nth(question: Question) -> str:
    n, end = question["n"], question.get("end", "largest")
    return end if n == 1 else f"{ORDINALS[n - 1]} {end}"


def _problem(question: Question) -> str:
    rows = table("math_problems")["problems"]
    return next(str(row["question"]) for row in rows if row["id"] == question["problem"])


_WORDS: dict[str, Callable[[Question], Words]] = {
    "attribute": _fact,
    "ball_value": lambda q: {"points": f"{NUMBERS[q['points']]} point{'s' * (q['points'] > 1)}"},
    "beat_card": _beat,
    "country": _land,
    "look": _look,
    "magnet": _magnet,
    "material": lambda q: dict(zip(_MOST["largest"], _MOST[q["direction"]], strict=True)),
    "menu": lambda q: {"dish": _DISHES.get(q["dish"], q["dish"])},
    "nth_card": lambda q: {"nth_largest": _nth(q)},
    "number": lambda q: {"problem": _problem(q)},
    "reaction": _reaction,
    "recipe": _recipe,
    "run_tile": lambda q: {"first": tile_name(q["have"][0]), "second": tile_name(q["have"][1])},
    "solution_colour": lambda q: {"solution": table("solutions")["spoken"][q["solution"]]},
    "style": lambda q: {"style": table("paintings")["spoken"][q["style"]]},
    "subject": _about,
    "weight": lambda q: dict(zip(_MOST["largest"], _MOST[q["direction"]], strict=True)),
}
