"""The one reader of noun phrases and relations: which things a text names, how many, where, and what it asks for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proctor.run.plan import nouns_in
from proctor.tasks.suites import builtin_suites, instruction_of, tasks_of
from proctor.tasks.words import (
    SceneNames,
    content_words,
    describe,
    lexicon,
    mentions,
    noun_phrases,
    placement,
    referents,
    singulars,
    tokens,
)

BOWLS = {"a": ("bowl", "white bowl"), "b": ("bowl", "black bowl"), "c": ("plate",)}
SHOP = {
    "t1": ("tomato",), "t2": ("tomato",), "b1": ("bowl", "porcelain bowl"), "b2": ("bowl", "porcelain bowl"),
    "cereal": ("cereal",), "cabinet": ("cabinet", "drawer"), "board": ("cutting board", "board"), "vase": ("vase",),
    "plate": ("plate",), "table": ("table",),
}  # fmt: skip


def test_the_longest_phrase_names_a_thing_and_a_plural_all_of_them() -> None:
    for text, want in (
        ("Put the white bowl on the plate", {"white bowl": ("a",), "plate": ("c",)}),
        ("Put the bowl on the Plate.", {"bowl": ("a", "b"), "plate": ("c",)}),
        ("Put the black bowl next to the white bowl", {"black bowl": ("b",), "white bowl": ("a",)}),
        ("Put the pear on the bowling ball", {}),
        ("Put it beside the three-plate rack", {}),
        ("Put all of the bowls on the plate", {"bowls": ("a", "b"), "plate": ("c",)}),
        ("Put the white bowls on the plates", {"white bowls": ("a",), "plates": ("c",)}),
        ("", {}),
    ):
        assert referents(text, BOWLS) == want, text
    for noun, many in (
        ("apple", "apples"), ("peach", "peaches"), ("strawberry", "strawberries"), ("box", "boxes"), ("toy", "toys"),
        ("tomato", "tomatoes"), ("knife", "knives"), ("scissors", "scissors"),
    ):  # fmt: skip
        assert noun in singulars(many)
        (found,) = mentions(f"Pick up the {many}", SceneNames({"x": (noun,), "y": (noun,)}))
        assert (found.name, found.entities, found.many) == (many, ("x", "y"), noun != many)


def test_a_phrase_knows_its_modifiers_its_preposition_and_whether_it_is_denied() -> None:
    text = "Put the second small plate onto the black bowl, not the white bowl"
    plate, black, white = mentions(text, SceneNames(BOWLS))
    assert (plate.modifiers, plate.ordinal, plate.preposition) == (("second", "small"), "second", "")
    assert (black.preposition, black.negated, white.negated) == ("onto", False, True)
    # With a lexicon other names are known, and a name of nothing is kept.
    basin, left, kom = mentions("put the basin to the left of the kom", SceneNames(BOWLS, lexicon()))
    assert left.generic
    assert (basin.entities, basin.many, kom.entities, kom.preposition) == (("a", "b"), False, (), "to the left of")


def test_relations_are_read_where_they_tell_things_apart() -> None:
    for text, want in (
        (
            "Pick the tomato next to the cereal and place it on the porcelain bowl between the cabinet and the board",
            [("tomato", "next to", ["cereal"], ""), ("porcelain bowl", "between", ["cabinet", "board"], "")],
        ),
        (
            "Pick up the tomato in the top layer of the drawer and place it on the bowl at the top of the cabinet",
            [("tomato", "in", ["drawer"], "top"), ("bowl", "on", ["cabinet"], "")],
        ),
        (
            "Pick the tomato on the table and place it on the bowl in the second drawer",
            [("tomato", "on", ["table"], ""), ("bowl", "in", ["drawer"], "middle")],
        ),
        (
            "Pick the tomato on top of the cabinet and place it on the bowl on the top layer of the cabinet",
            [("tomato", "on", ["cabinet"], ""), ("bowl", "on", ["cabinet"], "top")],
        ),
        (
            "Take the tomato beside the tall vase and put it on the bowl beside it",
            [("tomato", "next to", ["vase"], ""), ("bowl", "next to", ["it"], "")],
        ),
        (
            "Take the tomato to the left of the vase and put it on the bowl in front of the board",
            [("tomato", "left of", ["vase"], ""), ("bowl", "in front of", ["board"], "")],
        ),
        (
            "Grab the tomato right of the vase and put it on the bowl behind it",
            [("tomato", "right of", ["vase"], ""), ("bowl", "behind", ["it"], "")],
        ),
        ("Put the tomato on the plate", [("tomato", "", [], ""), ("plate", "", [], "")]),
        ("Take the tomato out of the drawer", [("tomato", "", [], ""), ("drawer", "", [], "")]),
        (
            "Pick up the tomato and place it in the top layer of the cabinet",
            [("tomato", "", [], ""), ("cabinet", "", [], "")],
        ),
        ("Pick up the tomato next to the window", [("tomato", "", [], "")]),
    ):
        found = []
        for phrase in noun_phrases(text, SHOP):
            relation = phrase.relation
            anchors = [a if isinstance(a, str) else a.name for a in relation.anchors] if relation else []
            kind, layer = (relation.kind, relation.layer) if relation else ("", "")
            found.append((phrase.head.name, kind, anchors, layer))
        assert found == want, text


def test_a_placement_names_two_things_and_a_relation_between_them() -> None:
    kinds = {kind: (kind,) for kind in ("block", "bowl", "plate")}
    for text, want in (
        ("Stack red block on blue block", ("red", "block", "blue", "block")),
        ("please put the shiny block into a bowl", ("shiny", "block", "", "bowl")),
        ("collect 3 blocks on top of the pink plate", ("3", "blocks", "pink", "plate")),
        ("put the block beside the bowl", None),
        ("look at the block on the plate", None),
        ("press the button", None),
    ):
        found = placement(text, kinds)
        said = tuple(word for m in found for word in (" ".join(m.modifiers), m.name)) if found is not None else None
        assert said == want, text


def test_a_description_says_where_its_thing_stands() -> None:
    row = describe("second pear from the left on the upper shelf")
    assert (row.noun.strip(), row.place, row.side, row.layer) == ("pear", 1, "left", "upper")
    assert (describe("rightmost card").place, describe("closest card").side) == (0, "near")
    beside = describe("pear right of the orange")
    assert (beside.noun, beside.relation, beside.other) == ("pear", "right of", "the orange")
    inside = describe("peach that is in the tray")
    assert (inside.noun, inside.relation, inside.other) == ("peach", "in", "tray")
    assert describe("them").pronoun
    assert content_words("The ace of Monet's spades") == ["a", "monet", "spades"]


def test_every_instruction_of_our_task_files_names_only_things_of_its_scene() -> None:
    for ref in (ref for suite in builtin_suites() for ref in tasks_of(suite) if not ref.family):
        scene, words = nouns_in(ref.path), tokens(instruction_of(ref))
        found = mentions(words, SceneNames(scene))
        assert found, ref.id
        for mention in found:
            assert words[mention.start : mention.end] == mention.name.split()
            assert set(mention.entities) <= set(scene)
            assert mention.entities, mention
        assert referents(instruction_of(ref), scene).keys() == {mention.name for mention in found}


SOME_WORDS = st.lists(st.sampled_from(tokens("the a not pick put white bowl bowls plate on of"))).map(" ".join)


@given(st.text(max_size=60) | SOME_WORDS)
def test_any_text_is_read(text: str) -> None:
    words = tokens(text)
    for names in (SceneNames(BOWLS), SceneNames(BOWLS, lexicon())):
        for mention in mentions(text, names):
            assert " ".join(words).count(mention.text) >= 1
    assert all(phrase.head.entities for phrase in noun_phrases(text, BOWLS))
    assert describe(text).text == text.strip()
