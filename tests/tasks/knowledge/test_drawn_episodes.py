"""Laws of drawn episodes: deterministic, clean, balanced, on the right side of the split, and whole."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import proctor.tasks.suites
from proctor.tasks.cbddl import atoms_of, parse
from proctor.tasks.knowledge import KnowledgeError, draw, drawable, knowledge_tasks
from proctor.tasks.knowledge.facts import side, table

TASKS = [task for task in knowledge_tasks().values() if task.slug in drawable()]
SUITES = Path(proctor.tasks.suites.__file__).parent / "knowledge"


def test_all_easy_and_medium_tasks_are_drawn():
    assert {task.slug for task in knowledge_tasks().values() if task.feasibility != "hard"} <= set(drawable())


def test_an_episode_is_clean_and_whole():
    for task in TASKS:
        drawn = draw(task.slug, 7, 3)
        parsed = parse(drawn.text, task.slug)
        # Nothing of the catalogue's variables is left, and every name is that of something declared.
        assert "$" not in "\n".join(line for line in drawn.text.splitlines() if not line.startswith(";"))
        declared = {entity.name for entity in (*parsed.fixtures, *parsed.objects)}
        named = [str(arg) for call in parsed.plan for arg in call.args if isinstance(arg, str)]
        assert {name.partition("/")[0] for name in (*named, *parsed.intent)} <= declared, task.id
        assert parsed.plan
        assert parsed.subgoals
        assert parsed.intent
        assert drawn.instruction == parsed.language
        assert drawn.max_steps == 20 * (15 + 10 * len(parsed.plan))


def test_an_episode_is_the_same_in_another_process_and_other_seeds_give_others():
    program = "from proctor.tasks.knowledge import *; print(*(draw(slug, 7, 3).task_hash for slug in drawable()))"
    environment = {**os.environ, "PYTHONHASHSEED": "12"}
    again = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert again.stdout.split() == [draw(slug, 7, 3).task_hash for slug in drawable()]
    for slug in drawable():
        others = {draw(slug, seed, episode).task_hash for seed, episode in ((7, 3), (8, 3), (7, 4), (9, 5))}
        assert len(others) > 1, slug


def test_the_goal_is_about_the_proved_answer():
    for task in TASKS:
        drawn = draw(task.slug, 11, 5)
        parsed = parse(drawn.text, task.slug)
        # What an order or a set question is about, and what a button stands before, is named by the plan.
        about = {str(arg).partition("/")[0] for call in parsed.plan for arg in call.args}
        about |= {str(name).partition("/")[0] for atom in atoms_of(parsed.goal) for name in _names(atom.args)}
        if any(call.skill == "press" for call in parsed.plan) and len(parsed.plan) == 1:
            assert parsed.plan[0].args[0].startswith(f"button_{drawn.proof.names[0].rpartition('_')[2]}")
        else:
            assert {name.partition("/")[0] for name in drawn.proof.names} & about, task.id


def _names(args):
    for arg in args:
        yield from arg if isinstance(arg, tuple) else (arg,)


def test_slots_are_asked_for_equally_often():
    for slug in ("select_fruit", "select_drink", "select_poker", "select_mahjong", "density_qa"):
        drawn = [draw(slug, seed, seed) for seed in range(56)]
        for count in {one.facts["slots"] for one in drawn}:
            slots = Counter(one.facts["slot"] for one in drawn if one.facts["slots"] == count)
            assert len(slots) == count
            assert max(slots.values()) - min(slots.values()) <= 1


def test_every_fruit_is_the_target_four_times_in_four_turns():
    kinds = side("fruits", "all")
    targets = Counter(draw("select_fruit", seed, seed).target for seed in range(4 * len(kinds)))
    assert targets == dict.fromkeys(kinds, 4)


@pytest.mark.parametrize(("split", "parity"), [("seen", 0), ("unseen", 1)])
@pytest.mark.parametrize(
    ("slug", "category", "name"),
    [
        ("select_fruit", "fruit", "fruits"),
        ("select_toy", "toy", "toys"),
        ("select_drink_common_sense", "drink", "drinks"),
        ("add_condiment_spatial", "condiment", "condiments"),
        ("insert_flower", "flower", "flowers"),
    ],
)
def test_a_side_of_the_split_has_its_own_kinds_and_instances(slug, category, name, split, parity):
    for seed in range(6):
        parsed = parse(draw(slug, seed, seed, split=split).text, slug)
        things = [parsed.look(e.name) for e in parsed.objects if e.category == category]
        assert things
        assert {dict(look.look)["kind"] for look in things} <= set(table(name)["split"][split])
        assert {look.seed % 2 for look in things} == {parity}


def test_names_in_an_instruction_are_those_of_the_things_asked_for():
    for seed in range(10):
        drawn = draw("select_fruit", seed, seed)
        assert re.search(rf"\b{drawn.target}\b", drawn.instruction)
        assert drawn.proof.names[0].rpartition("_")[0] == drawn.target


def test_the_suites_in_the_package_are_those_of_the_catalogue():
    found = {path.relative_to(SUITES).as_posix(): path.read_text() for path in SUITES.rglob("*.*") if path.is_file()}
    script = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "write_knowledge_suites.py"))
    assert found == script["suite_files"](), "run scripts/write_knowledge_suites.py"


def test_an_unknown_task_is_answered_with_the_name_that_was_meant():
    with pytest.raises(KnowledgeError, match="did you mean 'select_fruit'"):
        draw("select_fruits", 0, 0)
