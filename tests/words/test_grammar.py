"""The parser reads every instruction of our suites without loss, and refuses what is no instruction."""

from __future__ import annotations

from pathlib import Path

import pytest
from goal_scene import GOAL

from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import builtin_suites, instruction_of, tasks_of
from proctor.tasks.words import LanguageError, acts_of, fields, lexicon, parse_instruction

SHARED = Path(__file__).parents[3] / "shared" / "data"
# Commands. What the bench says is questions and conversation, which no word is exchanged in.
WRITTEN = [ref for suite in builtin_suites() for ref in tasks_of(suite) if not ref.family]
OURS = sorted({instruction_of(ref) for ref in WRITTEN} | set(GOAL))


def test_a_command_written_again_is_the_same_text():
    for text in OURS:
        # Three things in a row are joined with commas, however they were written.
        plain = text.lower().replace(" and the tomato and", ", the tomato and")
        assert str(parse_instruction(text)).lower() == plain


def test_upstream_instructions_are_read_too():
    files = sorted(SHARED.rglob("*.bddl"))
    if not files:
        pytest.skip("shared/data is not here")
    for file in files:
        text = read_task(file).language
        assert parse_instruction(text).clauses, text


def test_parts_of_a_clause():
    command = parse_instruction("Push the onion to the region between the mugs")
    (clause,) = command.clauses
    assert (clause.act, clause.relation) == ("push", "to")
    assert str(clause.theme[0]) == "the onion"
    assert clause.landmark[0].posts[0][0] == "between"
    both = parse_instruction("pick up the tomato on the cutting board and place it on the bowl in the top drawer")
    (act,) = acts_of(both, lexicon())
    assert (act.kind, act.theme, act.relation) == ("put", "the tomato on the cutting board", "on")
    assert act.landmark == "the bowl in the top drawer"


def test_forms_of_several_acts_and_of_plurals():
    two = fields(acts_of(parse_instruction("open the top drawer and put the bowl inside"), lexicon()))
    assert two["state"] == "the top drawer is open and the bowl is inside"
    assert two["done"] == "the top drawer opened and the bowl put inside"
    assert two["steps"] == "open the top drawer, pick up the bowl, and put it inside"
    many = fields(acts_of(parse_instruction("pick up the scissors and place them on the cutting board"), lexicon()))
    assert many["not"] == "the scissors are not on the cutting board"
    assert many["base_it"] == "place them on the cutting board"
    stove = fields(acts_of(parse_instruction("turn on the stove"), lexicon()))
    assert (stove["base_it"], stove["done"], stove["is_q"]) == ("turn it on", "the stove turned on", "is the stove on")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the instruction is empty"),
        ("  \n ", "the instruction is empty"),
        ("put the bowl " * 4000, "has 12000 words, at most 120"),
        ("把碗放在盘子上", "only plain English"),
        ("Поставь миску на тарелку", "only plain English"),
        ("put the 🍎 on the plate", "only plain English"),
        ("...!?", "has no words"),
        ("put the bowl on the plate\nand then stop", "several lines"),
        ("juggle the bowl", "no verb that is known"),
        ("Here are 20 variations of the instruction", "no verb that is known"),
    ],
)
def test_what_is_no_instruction_is_refused_in_one_line(text, says):
    with pytest.raises(LanguageError, match=says) as caught:
        parse_instruction(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
