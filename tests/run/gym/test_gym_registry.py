"""Ids: every task has one, the form of the issue works, and no id of anybody else is read differently."""

from __future__ import annotations

import re
import subprocess
import sys

import gymnasium
import pytest
from gymnasium.envs import registration
from hypothesis import given
from hypothesis import strategies as st

import proctor.run.gym
from proctor.core import ProctorError
from proctor.tasks.suites import TaskRef, builtin_suites, find, tasks_of

REFS = [ref for suite in builtin_suites() for ref in tasks_of(suite)]
# Gymnasium 1.1 to 1.4; kept here as the oracle, because importing proctor.run.gym has widened the one in use.
ORIGINAL = re.compile(r"^(?:(?P<namespace>[\w:-]+)\/)?(?:(?P<name>[\w:.-]+?))(?:-v(?P<version>\d+))?$")


def test_every_task_is_registered_once() -> None:
    ours = {name for name in gymnasium.registry if name.startswith("proctor/")}
    assert ours == {proctor.run.gym.env_id(ref) for ref in REFS} | {proctor.run.gym.ANY_TASK}
    assert len(REFS) == len(ours) - 1 >= 180


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    proctor.run.gym.register_tasks()
    assert gymnasium.registry == before


def test_every_id_is_found_and_survives_json() -> None:
    for ref in REFS:
        name = proctor.run.gym.env_id(ref)
        spec = gymnasium.spec(name)
        assert registration.EnvSpec.from_json(spec.to_json()).id == name


@pytest.mark.parametrize(
    "refs",
    [
        pytest.param(list({ref.suite: ref for ref in REFS}.values()), id="one of a suite"),
        pytest.param(REFS, id="all", marks=pytest.mark.nightly),
    ],
)
def test_an_id_is_made(refs: list[TaskRef]) -> None:
    for ref in refs:
        env = gymnasium.make(proctor.run.gym.env_id(ref), cameras=())
        assert isinstance(env, proctor.run.gym.ProctorEnv), "no wrapper hides task_description"
        assert env.task == ref.id
        assert env.task_description
        assert env._max_episode_steps == ref.max_steps
        env.close()


def test_the_oracle_is_the_installed_pattern() -> None:
    code = "from gymnasium.envs.registration import ENV_ID_RE; print(ENV_ID_RE.pattern)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == ORIGINAL.pattern


@given(st.text(alphabet="proctaL0-v1./:_ ", max_size=24) | st.from_regex(ORIGINAL, fullmatch=True))
def test_other_ids_are_read_as_before(name: str) -> None:
    before, after = ORIGINAL.fullmatch(name), registration.ENV_ID_RE.fullmatch(name)
    if before:
        assert after
        assert after.groupdict() == before.groupdict()
    elif after:
        assert name.startswith("proctor/")
        assert name.count("/") > 1


def test_a_module_prefix_does_without_the_import() -> None:
    name = proctor.run.gym.env_id(REFS[0])
    code = f"import gymnasium; e = gymnasium.make('proctor.run.gym:{name}', cameras=()); print(e.task)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == REFS[0].id


def test_without_a_version_the_latest_is_used() -> None:
    name = proctor.run.gym.env_id(REFS[0])
    with pytest.warns(UserWarning, match="latest versioned"):
        env = gymnasium.make(name.rpartition("-v")[0], cameras=())
    assert env.spec is not None
    assert env.spec.id == name


def test_importing_reads_no_task_and_no_simulator() -> None:
    code = "import sys, proctor.run.gym; print(*sorted({'mujoco', 'torch', 'scipy'} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == ""


def test_a_misspelt_name_is_suggested() -> None:
    name = proctor.run.gym.env_id(REFS[0])
    with pytest.raises(gymnasium.error.Error, match="Did you mean"):
        gymnasium.make(name.replace("pick", "pik", 1))


def test_a_task_file_of_ones_own(tmp_path: object) -> None:
    path = find("goal")[0].path
    env = gymnasium.make(proctor.run.gym.ANY_TASK, task=str(path), cameras=())
    assert env.unwrapped.task.endswith(f"{path.stem}@v1")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"task": "goal"}, "names 10 tasks"),
        ({"task": "goal/L0/opn"}, "unknown suite or task"),
        ({"cameras": ("wirst",)}, "did you mean 'wrist'"),
        ({"vision": "V9"}, "unknown vision level 'V9'"),
        ({"image_size": 4}, "16 to 1024"),
        ({"max_steps": 0}, "at least 1"),
        ({"success_rule": "once"}, "success_rule='once'"),
    ],
)
def test_mistakes_are_one_line(arguments: dict[str, object], part: str) -> None:
    with pytest.raises(ProctorError, match=part) as caught:
        gymnasium.make(proctor.run.gym.ANY_TASK, **{"task": REFS[0].id, **arguments})
    assert "\n" not in str(caught.value)
