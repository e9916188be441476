"""The verifier accepts what means the same and refuses what does not, with the reason."""

from __future__ import annotations

import pytest
from goal_scene import GOAL, SCENE, TASKS
from hypothesis import given
from hypothesis import strategies as st

from proctor.tasks.words import CELLS, control, generate, verify

BOWL = "put the bowl on the plate"
DRAWER = "open the middle drawer of the cabinet"


@pytest.mark.parametrize(
    ("original", "text"),
    [
        (BOWL, "Place the basin upon the platter."),
        (BOWL, "Is the black bowl on the dinner plate yet?"),
        (BOWL, "I want the bowl to be put on the plate"),
        (DRAWER, "The middle drawer of the cabinet is still closed"),
        (DRAWER, "pull out the central compartment of the dresser"),
        ("turn on the stove", "If the cooker is off, switch it on"),
        ("turn on the stove", "Could you get the hob going?"),
        ("push the plate to the front of the stove", "slide the plate over to the front of the range"),
        ("put the cream cheese in the bowl", "drop the soft cheese into the bowl"),
    ],
)
def test_the_same_in_other_words_is_accepted(original, text):
    assert verify(text, original, SCENE).reasons == ()


@pytest.mark.parametrize(
    ("original", "text", "why"),
    [
        (BOWL, "put the wine bottle on the plate", "does not name"),
        (BOWL, "put the bowl on the stove", "does not name"),
        (BOWL, "put the mug on the plate", "nothing in the scene"),
        (BOWL, "put the container on the plate", "names 3 things"),
        (BOWL, "put the vessel on the plate", "names 2 things"),
        (BOWL, "put the bowl under the plate", "must be 'on'"),
        (BOWL, "put the bowl next to the plate", "must be 'on'"),
        (BOWL, "put the bowl down", "'the plate' is not mentioned"),
        (BOWL, "remove the bowl on the plate", "opposite of 'put'"),
        (BOWL, "put the white bowl on the plate", "says 'white' where it is 'black'"),
        (BOWL, BOWL.upper() + "!", "same words"),
        (DRAWER, "close the middle drawer of the cabinet", "opposite of 'open'"),
        (DRAWER, "shut the middle drawer of the cabinet", "opposite of 'open'"),
        (DRAWER, "open the top drawer of the cabinet", "'middle' of 'the middle drawer' is lost"),
        (DRAWER, "open the drawer of the cabinet", "'middle' of 'the middle drawer' is lost"),
        ("turn on the stove", "turn off the stove", "opposite of 'turn on'"),
        ("turn on the stove", "switch the stove off", "opposite of 'turn on'"),
        ("turn on the stove", "look at the stove", "nothing says 'turn on'"),
        ("put the cream cheese in the bowl", "put the cream cheese on the bowl", "must be 'in'"),
        ("push the plate to the front of the stove", "pull the plate to the front of the stove", "opposite of 'push'"),
        ("push the plate to the front of the stove", "push the plate to the back of the stove", "to the front of"),
        (BOWL, "", "is empty"),
        (BOWL, "put the bowl on the plate 🙂", "only plain English"),
        (BOWL, "mets le bol sur l'assiette", "is not mentioned"),
        (BOWL, "Here are 3 variations: place the bowl on the plate", "preamble"),
        (BOWL, "1. place the bowl on the plate", "preamble"),
        (BOWL, "Sure! Place the bowl on the plate", "preamble"),
        (BOWL, "place the bowl on the plate " * 2000, "at most 60"),
    ],
)
def test_another_meaning_is_refused_with_its_reason(original, text, why):
    verdict = verify(text, original, SCENE)
    assert not verdict.accepted
    assert any(why in reason for reason in verdict.reasons), verdict.reasons


def test_a_name_that_nobody_listed_is_a_doubt_and_not_a_reason():
    verdict = verify("put the kom on the plate", BOWL, SCENE)
    assert verdict.reasons == ()
    assert "kom" in verdict.doubts[0]
    assert not verdict.accepted


def test_what_is_ambiguous_depends_on_the_scene():
    alone = {"bowl_1": ("bowl",), "plate_1": ("plate",)}
    assert verify("put the vessel on the plate", BOWL, alone).accepted
    assert not verify("put the vessel on the plate", BOWL, SCENE).accepted
    two = {"a": ("bowl", "white bowl"), "b": ("bowl", "red bowl"), "plate_1": ("plate",)}
    assert "names 2 things" in verify("place the bowl on the plate", BOWL, two).reasons[0]
    assert verify("place the white bowl upon the plate", "put the white bowl on the plate", two).accepted
    swapped = verify("place the red bowl upon the plate", "put the white bowl on the plate", two)
    assert "does not name" in swapped.reasons[0]


def test_several_things_told_apart_stay_the_same_several():
    scene = {"t1": ("tomato",), "t2": ("tomato",), "bowl_1": ("bowl",), "board_1": ("cutting board", "board")}
    original = "pick the tomato on the cutting board and place it on the bowl"
    assert verify("grab the tomato on the chopping board and place it on the bowl", original, scene).accepted
    assert "is not mentioned" in verify("grab the tomato and place it on the bowl", original, scene).reasons[0]
    apples = {"a1": ("apple",), "a2": ("apple",), "box_1": ("box",)}
    whole = "pick up all of the apples and place them in the box"
    assert verify("grab all of the apples and place them in the box", whole, apples).accepted
    between = {"onion_1": ("onion",), "m1": ("mug",), "m2": ("mug",)}
    push = "push the onion to the region between the mugs"
    assert verify("shove the onion over to the area between the mugs", push, between).accepted


def test_a_scene_without_the_things_of_the_instruction_is_said():
    verdict = verify("place the bowl on the plate", BOWL, {"mug_1": ("mug",)})
    assert "the original's 'the bowl' names nothing in the scene" in verdict.reasons


@pytest.mark.parametrize("original", GOAL)
def test_misleading_controls_never_pass(original):
    others = [text for text in GOAL if text != original]
    for kind in ("wrong", "wrong_object", "antonym"):
        for seed in range(12):
            text = control(kind, original, seed, others=others, scene=SCENE)
            assert text is not None
            assert not verify(text, original, SCENE).accepted, (kind, text)


def test_a_paraphrase_of_one_task_is_none_of_another():
    texts = generate(TASKS, CELLS[::6], per_task=3)
    assert len(texts) > 200
    for item in texts:
        for other in GOAL:
            if other != item.original:
                assert not verify(item.text, other, SCENE).accepted, (item.text, other)


@given(st.text(max_size=80))
def test_any_text_gets_a_verdict(text):
    assert isinstance(verify(text, BOWL, SCENE).accepted, bool)
