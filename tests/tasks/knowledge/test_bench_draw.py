"""Laws of drawn episodes: deterministic, clean, balanced, on the right side of the split, and whole."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path

import pytest

import proctor.tasks.suites
from proctor.tasks.cbddl import atoms_of, parse
from proctor.tasks.knowledge import BenchError, bench_tasks, draw, drawable
from proctor.tasks.knowledge._draw import _drawn
from proctor.tasks.knowledge.facts import side, table

TASKS = [task for task in bench_tasks().values() if task.slug in drawable()]
SUITES = Path(proctor.tasks.suites.__file__).parent / "knowledge"


def test_all_easy_and_medium_tasks_are_drawn():
    assert {task.slug for task in bench_tasks().values() if task.feasibility != "hard"} <= set(drawable())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_an_episode_is_clean_whole_and_the_same_each_time(task):
    first = draw(task.slug, 7, 3)
    _drawn.cache_clear()
    again = draw(task.slug, 7, 3)
    assert again.text == first.text
    assert again.task_hash == first.task_hash
    parsed = parse(first.text, task.slug)
    # Nothing of the table's own notation is left, and every name is that of something declared.
    body = "\n".join(line for line in first.text.splitlines() if not line.startswith(";"))
    assert "$" not in body
    declared = {entity.name for entity in (*parsed.fixtures, *parsed.objects)}
    named = [str(arg) for call in parsed.plan for arg in call.args if isinstance(arg, str)]
    assert {name.partition("/")[0] for name in (*named, *parsed.intent)} <= declared
    assert parsed.plan
    assert parsed.subgoals
    assert parsed.intent
    assert first.instruction == parsed.language
    assert first.max_steps == 20 * (15 + 10 * len(parsed.plan))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_other_seeds_and_other_episodes_are_other_episodes(task):
    texts = {draw(task.slug, seed, episode).text for seed, episode in ((1, 0), (2, 0), (1, 1))}
    assert len(texts) == 3


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_goal_is_about_the_proved_answer(task):
    drawn = draw(task.slug, 11, 5)
    parsed = parse(drawn.text, task.slug)
    # What an order or a set question is about, and what a button stands before, is named by the plan.
    about = {str(arg).partition("/")[0] for call in parsed.plan for arg in call.args}
    about |= {str(name).partition("/")[0] for atom in atoms_of(parsed.goal) for name in _names(atom.args)}
    if any(call.skill == "press" for call in parsed.plan) and len(parsed.plan) == 1:
        assert parsed.plan[0].args[0].startswith(f"button_{drawn.proof.names[0].rpartition('_')[2]}")
    else:
        assert {name.partition("/")[0] for name in drawn.proof.names} & about


def _names(args):
    for arg in args:
        yield from arg if isinstance(arg, tuple) else (arg,)


@pytest.mark.parametrize("slug", ["select_fruit", "select_drink", "select_poker", "select_mahjong", "density_qa"])
def test_targets_and_slots_are_asked_for_equally_often(slug):
    drawn = [draw(slug, seed, seed) for seed in range(56)]
    for count in {one.facts["slots"] for one in drawn}:
        slots = Counter(one.facts["slot"] for one in drawn if one.facts["slots"] == count)
        assert len(slots) == count
        assert max(slots.values()) - min(slots.values()) <= 1


def test_every_fruit_is_the_target_four_times_in_four_turns_of_the_wheel():
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


def test_what_cannot_be_drawn_says_so_in_one_line(monkeypatch):
    monkeypatch.setattr("proctor.tasks.knowledge._draw._recipes", {})
    _drawn.cache_clear()
    with pytest.raises(BenchError, match=r"^bench task select_fruit cannot be drawn yet; `proctor knowledge ls`"):
        draw("select_fruit", 0, 0)


def test_an_unknown_task_is_answered_with_the_name_that_was_meant():
    with pytest.raises(BenchError, match="did you mean 'select_fruit'"):
        draw("select_fruits", 0, 0)
