"""Laws of the plan: order, seeds, identity, constant memory, what may extend what."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core import ProctorError, episode_seed
from proctor.run.plan import InstructionVariant, Plan, PlanTask, contains, difference


def task(i: int, level: str = "L0", **more) -> PlanTask:
    return PlanTask(
        **{
            "task": f"s/{level}/t{i}@v1",
            "suite": "s",
            "level": level,
            "task_hash": f"h{i}",
            "instruction": f"do {i}",
            "max_steps": 50,
            "path": f"/a/{i}",
            **more,
        }
    )


def plan(tasks: int | tuple[PlanTask, ...] = 3, episodes: int = 4, **more) -> Plan:
    tasks = tasks if isinstance(tasks, tuple) else tuple(map(task, range(tasks)))
    return Plan(**{"tasks": tasks, "episodes": episodes, "seed": 7, "policy": "noop", **more})


@given(tasks=st.integers(1, 7), episodes=st.integers(1, 9), limit=st.none() | st.integers(1, 80))
def test_index_iteration_and_length_agree_and_ids_are_unique(tasks, episodes, limit):
    p = plan(tasks, episodes, limit=limit)
    specs = list(p)
    assert len(specs) == len(p) == min(tasks * episodes, limit or tasks * episodes)
    assert specs == [p[i] for i in range(len(p))] == p[:]
    assert p[-1] == specs[-1]
    assert len({s.episode_id for s in specs}) == len(specs)
    assert [p.episodes_of(i) for i in range(tasks)] == [sum(s.task == t.task for s in specs) for t in p.tasks]
    with pytest.raises(IndexError):
        p[len(p)]


@given(tasks=st.integers(1, 6), episodes=st.integers(1, 6), stop=st.integers(1, 36))
def test_every_prefix_is_balanced_over_tasks(tasks, episodes, stop):
    counts = [0] * tasks
    for spec in list(plan(tasks, episodes))[:stop]:
        counts[int(spec.task.split("/t")[1].partition("@")[0])] += 1
    assert max(counts) - min(counts) <= 1


def test_seed_is_shared_by_policies_and_by_versions_and_differs_elsewhere():
    a, b = plan(policy="noop"), plan(policy="random", policy_args={"x": 1})
    assert [s.seed for s in a] == [s.seed for s in b]
    assert [s.pair_id for s in a] == [s.pair_id for s in b]
    assert not {s.episode_id for s in a} & {s.episode_id for s in b}
    assert episode_seed(7, "s/L0/t0@v1", 3) == episode_seed(7, "s/L0/t0@v2", 3)
    seeds = [episode_seed(r, f"s/L0/t{t}@v1", e) for r in range(5) for t in range(20) for e in range(20)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= s < 2**53 for s in seeds)


def test_seeds_and_ids_are_the_same_in_another_process():
    code = "import test_plan as t; print([s.episode_id for s in t.plan()])"
    here = Path(__file__).parent
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=here).stdout
    assert out.strip() == str([s.episode_id for s in plan()])


def test_ids_are_pinned_because_old_folders_must_resume():
    assert episode_seed(7, "s/L0/t0@v1", 0) == 4848196143097730
    assert plan()[0].episode_id == "33f04c6f6c798508"


def test_memory_does_not_grow_with_length():
    tracemalloc.start()
    p = plan(10, 10**12)
    assert len(p) == 10**13
    assert p[10**13 - 1].episode == 10**12 - 1
    iterator = iter(p)
    for _ in range(1000):
        next(iterator)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000


def test_description_round_trips_through_json():
    p = plan(policy_args={"a": [1, 2.5, None]}, limit=5)
    again = Plan.from_description(json.loads(json.dumps(p.describe())))
    assert again == p
    assert again.plan_hash == p.plan_hash
    moved = replace(p, tasks=tuple(replace(t, path="/elsewhere") for t in p.tasks))
    assert moved.plan_hash == p.plan_hash
    assert replace(p, seed=8).plan_hash != p.plan_hash


@given(
    a=st.tuples(st.integers(1, 5), st.integers(1, 5), st.none() | st.integers(1, 25)),
    b=st.tuples(st.integers(1, 5), st.integers(1, 5), st.none() | st.integers(1, 25)),
)
def test_contains_is_set_inclusion(a, b):
    p, q = (plan(t, e, limit=n) for t, e, n in (a, b))
    ids_p, ids_q = ({s.episode_id for s in x} for x in (p, q))
    assert contains(p, q) == (ids_q <= ids_p)
    assert (difference(p, q) is None) == (ids_q <= ids_p or ids_p <= ids_q)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"policy": "random"}, "--policy was 'noop' and is now 'random'"),
        ({"policy_args": {"k": 1}}, "--policy-arg was {} and is now {'k': 1}"),
        ({"seed": 8}, "--seed was 7 and is now 8"),
        ({"success_rule": "any_step"}, "--success was 'hold'"),
        ({"compat": "paper"}, "--compat was 'corrected'"),
        ({"tasks": (task(0), task(1), task(2, task_hash="other"))}, "task s/L0/t2@v1 has changed"),
        ({"tasks": (task(0), task(1), task(2, max_steps=9))}, "--max-steps was 50 and is now 9"),
        ({"tasks": (task(9, "L1"),)}, "neither contains the other"),
    ],
)
def test_a_contradiction_names_its_argument(change, says):
    text = difference(plan(), plan(**change))
    assert text is not None
    assert says in text


@pytest.mark.parametrize(
    "change", [{"episodes": 9}, {"episodes": 1}, {"limit": 2}, {"tasks": (task(0), task(1), task(2), task(3, "L1"))}]
)
def test_more_or_fewer_of_the_same_is_no_contradiction(change):
    assert difference(plan(), plan(**change)) is None


@pytest.mark.parametrize("change", [{"episodes": 0}, {"limit": 0}, {"tasks": ()}, {"tasks": (task(1), task(1))}])
def test_senseless_plans_are_refused(change):
    with pytest.raises(ProctorError):
        plan(**change)


def test_variants_of_instruction_and_image_are_part_of_both_ids_and_leave_the_seed():
    wrong = tuple(task(i, wrong=("do this", "do that", f"do {i} twice")) for i in range(3))
    plans = [plan(wrong), *(plan(wrong, language=x) for x in ("none", "wrong")), plan(wrong, vision="V3")]
    for name in ("episode_id", "pair_id"):
        assert len({getattr(p[0], name) for p in plans}) == len(plans)
    assert len({tuple(s.seed for s in p) for p in plans}) == 1
    assert plans[0][0].episode_id == plan()[0].episode_id, "the other instructions matter only where they are sent"
    assert [s.instruction_sent for s in plans[0]] == [s.instruction for s in plans[0]]
    assert {s.instruction_sent for s in plans[1]} == {""}
    many = plan(wrong, 60, language="wrong")
    assert all(s.instruction_sent in wrong[i % 3].wrong for i, s in enumerate(many))
    counts = [[s.instruction_sent for s in many].count(text) for text in ("do this", "do that")]
    assert all(35 < count < 85 for count in counts), "a third of 180 each"
    assert Plan.from_description(json.loads(json.dumps(many.describe()))) == many
    changed = plan((*wrong[:2], task(2, wrong=("else",))), 60, language="wrong")
    assert difference(many, changed) == "suite s has other instructions than before"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"vision": "V9"}, "unknown --vision 'V9' (there are V0, V1, V2, V3, V4)"),
        ({"language": "W9"}, "unknown language variant 'W9'"),
        ({"language": "wrong"}, "--instruction wrong: suite s has only the instruction 'do 0'"),
    ],
)
def test_variants_that_do_not_exist_are_refused(change, says):
    with pytest.raises(ProctorError) as refused:
        plan(**change)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [({"vision": "V2"}, "--vision was 'V0' and is now 'V2'"), ({"language": "none"}, "--instruction was 'W0'")],
)
def test_another_variant_is_another_run(change, says):
    assert says in difference(plan(), plan(**change))


def variants(count: int) -> tuple[InstructionVariant, ...]:
    return tuple(InstructionVariant(f"text {i}", "addition_deletion", "hint", '{"a": "b"}') for i in range(count))


@given(counts=st.lists(st.integers(1, 6), min_size=1, max_size=5), episodes=st.integers(1, 3), cut=st.integers(1, 40))
def test_paraphrases_are_each_told_once_per_round(counts, episodes, cut):
    tasks = tuple(task(i, variants=variants(n)) for i, n in enumerate(counts))
    p = plan(tasks, episodes, language="paraphrase")
    specs = list(p)
    assert len(specs) == sum(counts) * episodes
    for which, n in enumerate(counts):
        own = [s for s in specs if s.task == tasks[which].task]
        assert [s.episode for s in own] == list(range(n * episodes))
        assert [s.sent for s in own] == [f"text {i}" for i in range(n)] * episodes
        assert p.episodes_of(which) == len(own)
    assert len({s.episode_id for s in specs}) == len(specs)
    assert {s.object_type for s in specs} == {"addition_deletion"}
    part = replace(p, limit=cut)
    assert [part.episodes_of(i) for i in range(len(counts))] == [
        sum(s.task == t.task for s in list(part)) for t in tasks
    ]
    assert difference(part, p) is None
    assert contains(p, part)
    assert Plan.from_description(json.loads(json.dumps(p.describe()))) == p


def test_a_drawn_variant_depends_on_the_seed_and_other_texts_are_another_run():
    tasks = (task(0, variants=variants(8)), task(1, variants=variants(8)))
    p = plan(tasks, 30, language="W2")
    sent = {s.sent for s in p}
    assert len(sent) == 8
    assert [s.sent for s in p] == [s.sent for s in plan(tasks, 30, language="W2", policy="other")]
    assert [s.seed for s in p] == [s.seed for s in plan(tuple(map(task, range(2))), 30)]
    other = plan((task(0, variants=variants(7)), tasks[1]), 30, language="W2")
    assert "texts for task s/L0/t0@v1 have changed" in difference(p, other)
    with pytest.raises(ProctorError, match="no text for task"):
        plan(2, language="antonym")


def test_how_a_text_differs_is_no_part_of_the_id():
    plain = InstructionVariant("text 0")
    one = plan((task(0, variants=(plain,)),), 1, language="W1")[0]
    two = plan((task(0, variants=variants(1)),), 1, language="W1")[0]
    assert one.episode_id == two.episode_id
    assert one.substitutions != two.substitutions
