"""Things by what they look like and by what is known of them."""

from __future__ import annotations

from collections.abc import Sequence

from .._model import Answer, Found, Item, Question, one
from .._tables import attribute_table, table
from ._registry import rule


@rule("look", "exactly one item of the category has these looks")
def by_look(question: Question, items: Sequence[Item]) -> Found:
    """Params: any looks (``kind``, ``rank``, ``suit``, ``title``, ``text``, ...) and, mostly, ``category``."""
    wanted = {key: value for key, value in question.params.items() if key != "category"}
    fits = [
        item.name
        for item in items
        if question.get("category") in (None, item.category)
        and all(item.looks.get(key) == value for key, value in wanted.items())
    ]
    return Found(one(*fits))


@rule("attribute", "exactly one item has all attributes, and for none it is unknown")
def by_attribute(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``table``, ``attributes`` (joined by and; ``!name`` negates)."""
    facts = attribute_table(question["table"])
    asked = [item for item in items if item.category == facts.category]
    values = {item.name: facts.values(item.look(facts.look), question["attributes"]) for item in asked}
    doubts = [name for name, value in values.items() if value is None]
    present = {item.look(facts.look) for item in asked}
    pairs = table(question["table"]).get("confusable_pairs_never_together", ())
    doubts += [f"{a} beside {b}" for a, b in pairs if {a, b} <= present]
    return Found(one(*(name for name, value in values.items() if value)), tuple(doubts))


@rule("need", "exactly one item of the whole scene, of whatever category, has the attribute")
def by_need(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``needs``, a list of ``table.attribute`` joined by or: each speaks for the items of its category."""
    answers: set[Answer] = set()
    doubts: list[str] = []
    for text in question["needs"]:
        name, _, attribute = text.partition(".")
        facts = attribute_table(name)
        for item in items:
            if item.category == facts.category:
                value = facts.value(item.look(facts.look), attribute)
                answers |= one(item.name) if value else set()
                doubts += [item.name] if value is None else []
    return Found(frozenset(answers), tuple(doubts))


@rule("style", "exactly one painting of the style, and no two confusable styles in the scene")
def by_style(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``style``."""
    boards = [item for item in items if "style" in item.looks]
    styles = {item.looks["style"] for item in boards}
    pairs = table("paintings")["confusable_pairs_never_together"]
    doubts = [f"{a} beside {b}" for a, b in pairs if {a, b} <= styles]
    return Found(one(*(item.name for item in boards if item.looks["style"] == question["style"])), tuple(doubts))


@rule("country", "exactly one flower lists the country, and none is claimed for it besides")
def by_country(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``country``."""
    listed = table("flowers")["national_or_emblem_flower"]
    claimed = table("flowers")["also_claimed"].get(question["country"], ())
    flowers = [item for item in items if item.category == "flower"]
    doubts = tuple(item.name for item in flowers if item.look("kind") in claimed)
    return Found(one(*(item.name for item in flowers if question["country"] in listed[item.look("kind")])), doubts)


@rule("every", "there is at least one item of the category; all of them are the answer")
def every(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``."""
    names = tuple(sorted(item.name for item in items if item.category == question["category"]))
    return Found(frozenset({(names,)} if names else ()))


@rule("loose_nail", "exactly one nail stands out by at least 2 cm, every other one by less than 3 mm")
def loose_nail(question: Question, items: Sequence[Item]) -> Found:
    """No params: ``out_mm`` among a nail's looks is how far it stands out."""
    nails = {item.name: float(item.look("out_mm")) for item in items if item.category == "nail"}
    doubts = tuple(name for name, out in nails.items() if 3 <= out < 20)
    return Found(one(*(name for name, out in nails.items() if out >= 20)), doubts)


@rule("state", "exactly one item is in the state (fresh, wilted)")
def by_state(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``category``, ``state``."""
    fits = [item for item in items if item.category == question["category"]]
    return Found(one(*(item.name for item in fits if item.look("state") == question["state"])))


@rule(
    "solution_colour", "the asked solution is coloured, alone in its colour, and stands beside none confusable with it"
)
def by_colour(question: Question, items: Sequence[Item]) -> Found:
    """Params: ``solution``, asked for by name while the tubes carry no tags: its colour must give it away."""
    chemistry = table("chemistry")
    colour = {name: entry["colour"] for name, entry in chemistry["solutions"].items()}
    tubes = [item for item in items if item.category == "tube"]
    present = {item.look("solution") for item in tubes}
    asked = question["solution"]
    doubts = [f"{a} beside {b}" for a, b in chemistry["confusable_colours"] if {a, b} <= present]
    if colour[asked] == "colourless":
        doubts.append(f"{asked} is colourless")
    return Found(one(*(item.name for item in tubes if colour[item.look("solution")] == colour[asked])), tuple(doubts))
