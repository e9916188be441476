"""Probes fail for the reason they are built for: the grounding by what it cannot read, the hands by noise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from shared_scene import SCENE, TASKS, write_suite

from proctor.sim import SimEnv  # isort: skip (chooses the OpenGL backend, so it must come before MuJoCo)

from proctor.core import Observation, ProctorError
from proctor.policies.probes import (
    DeafPolicy,
    KeywordGrounding,
    KeywordPolicy,
    NearestGrounding,
    NearestPolicy,
    NoisyPolicy,
    ReferentCandidate,
    trigram_vectors,
)
from proctor.run.engine import run_episode
from proctor.run.plan import InstructionVariant, Plan, PlanTask
from proctor.tasks.cbddl import read_task

APPLE, LEMON, BOWL = TASKS


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_suite(tmp_path_factory.mktemp("suites"))


@pytest.fixture(scope="module")
def env() -> Iterator[SimEnv]:
    env = SimEnv()
    yield env
    env.close()


def told(suite: Path, task: str, text: str):
    """Return the spec of ``task`` with ``text`` sent in place of its instruction."""
    file = suite / "L0" / f"{task.replace(' ', '_')}.cbddl"
    given = (InstructionVariant(text),)
    ref = PlanTask("fruit/L0/x@v1", "fruit", "L0", read_task(file).text_hash, task, 300, str(file), variants=given)
    return Plan((ref,), 1, 3, "probe", language="paraphrase")[0]


def play(env: SimEnv, policy: DeafPolicy, spec):
    policy.bind(env)
    return run_episode(env, policy, spec)


def candidates() -> list[ReferentCandidate]:
    goal = read_task  # any object will do: the groundings never look at the goal
    return [ReferentCandidate(text, text, goal) for text in TASKS]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        (APPLE, APPLE),
        ("Could you please PUT the red apple on the small plate?", APPLE),
        ("place the apple on the plate", None),
        ("put the fruit on the plate", None),
        ("put the apple on the platter", None),
        ("", None),
        ("put the apple on the plate and the bowl", APPLE),
    ],
)
def test_keywords_must_all_be_said(text, understood):
    found = KeywordGrounding().choose(text, candidates())
    assert (found.instruction if found else None) == understood


def test_nearest_takes_the_most_similar_and_always_takes_one():
    nearest = NearestGrounding(trigram_vectors)
    for text in TASKS:
        assert nearest.choose(text, candidates()).instruction == text
    assert nearest.choose("place the lemons onto the plate", candidates()).instruction == LEMON
    assert nearest.choose("unrelated words", candidates()) is not None
    assert nearest.choose("  ", candidates()) is None
    assert nearest.choose("x", []) is None


def test_trigrams_are_counts_of_spelling():
    a, b = trigram_vectors(["abc", "abd"])
    assert a.sum() == b.sum() == 5
    assert (trigram_vectors(["abc"]) == a).all()
    assert not (a == b).all()


def test_the_keyword_policy_does_what_it_was_told_in_a_shared_scene(env, suite):
    right = play(env, KeywordPolicy(), told(suite, APPLE, "please put the apple on the plate"))
    assert right.outcome.success
    assert right.policy.privileged
    policy = KeywordPolicy()
    other = play(env, policy, told(suite, APPLE, LEMON))
    assert other.outcome.success is False
    assert "lemon" in policy.understood
    # It did put the lemon there: the other task's goal holds in this scene.
    assert env.monitor.goal_atom_holds(_atom(suite, LEMON))
    assert not env.monitor.goal_atom_holds(_atom(suite, APPLE))


def _atom(suite: Path, task: str):
    goal = read_task(suite / "L0" / f"{task.replace(' ', '_')}.cbddl").goal
    return goal.items[0]


def test_what_is_not_understood_is_not_done(env, suite):
    policy = KeywordPolicy()
    row = play(env, policy, told(suite, APPLE, "deposit the fruit upon the dish"))
    assert row.outcome.success is False
    assert policy.understood == ""
    assert policy.done
    assert row.costs.total == 0


def test_a_goal_that_the_scene_has_not_ends_in_holding_still(env, tmp_path):
    suite = write_suite(tmp_path)
    other = suite / "L0" / "put_the_apple_on_the_spot.cbddl"
    text = SCENE.format(language="put the apple on the spot", theme="apple_1", place="main_table_spot_region")
    spot = "(spot_region (:target main_table) (:ranges ((0.0 0.0 0.1 0.1))))"
    other.write_text(text.replace("(:regions", f"(:regions {spot}"))
    policy = KeywordPolicy()
    row = play(env, policy, told(suite, APPLE, "put the apple on the spot"))
    assert "spot" in policy.understood
    assert (row.status, row.outcome.success) == ("completed", False)
    assert "main_table_spot_region" in policy.failure


def test_a_deaf_policy_does_the_task_whatever_it_is_told(env, suite):
    for text in (LEMON, "", "close the drawer"):
        assert play(env, DeafPolicy(), told(suite, APPLE, text)).outcome.success


def test_noise_disturbs_motion_but_not_the_gripper_and_differs_by_episode(env, suite):
    def actions(policy, spec, count=12):
        policy.bind(env)
        env.reset(spec)
        policy.reset(spec.instruction_sent, spec)
        seen = []
        for step in range(count):
            action = policy.act(Observation({}, np.zeros(8), "", step))
            seen.append(action)
            env.step(action)
        return np.array(seen)

    one, two = (
        told(suite, APPLE, "put the apple on the plate now"),
        told(suite, APPLE, "now put the apple on the plate"),
    )
    quiet = actions(NoisyPolicy(noise=0.0), one)
    loud = actions(NoisyPolicy(noise=0.3), one)
    again = actions(NoisyPolicy(noise=0.3), one)
    assert (loud == again).all()
    assert not (loud[:, :6] == actions(NoisyPolicy(noise=0.3), two)[:, :6]).all()
    assert (loud[:, 6] == quiet[:, 6]).all()
    assert np.abs(loud).max() <= 1
    assert 0.05 < np.abs(loud[0, :6] - quiet[0, :6]).mean() < 1


def test_wrong_arguments_are_explained():
    with pytest.raises(ProctorError, match="noise is -1"):
        NoisyPolicy(noise=-1)
    with pytest.raises(ProctorError, match="unknown embedding 'bert'"):
        NearestPolicy(embedding="bert")
    assert NearestPolicy(embedding="trigrams").spec().name == "nearest"
    assert KeywordPolicy(noise=0.2).spec().fingerprint != KeywordPolicy().spec().fingerprint
