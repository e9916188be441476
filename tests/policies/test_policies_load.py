"""From text to policy: what is found, what arguments become, what is said when it fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core import EpisodeSpec, Observation, Policy, ProctorError
from proctor.policies import (
    NoopPolicy,
    PolicyLoadError,
    RandomPolicy,
    ReplayPolicy,
    describe_exception,
    load_policy,
    parse_arguments,
    parse_policy,
    policy_spec,
    registered,
)

GOOD = """
from proctor.core import PolicySpec
import numpy as np

class Mine:
    def __init__(self, speed: float = 1.0, *, name: str = "mine"):
        self.speed, self.name = speed, name
    def spec(self):
        return PolicySpec(name=self.name)
    def reset(self, instruction, episode): ...
    def act(self, observation):
        return np.zeros(7)

class Deaf:
    def spec(self): ...
    def reset(self, instruction, episode): ...

class Mute(Mine):
    def spec(self):
        return "no"

class Broken(Mine):
    def __init__(self):
        raise OSError("weights are gone")

def make(n):
    return Mine(n)

ready = Mine()
number = 5
"""


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("good_policy", "bad_policy", "odd_policy"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "good_policy.py").write_text(GOOD)
    (tmp_path / "bad_policy.py").write_text("import no_such_library\n")
    (tmp_path / "odd_policy.py").write_text("def f(:\n")


def spec(seed: int = 3, **more) -> EpisodeSpec:
    return EpisodeSpec("s", "s/L0/t@v1", "L0", "h", 0, seed, "do it", "random", **more)


def look(step: int = 0) -> Observation:
    return Observation({}, np.zeros(8), "do it", step)


def test_builtin_names_are_registered_and_policies_satisfy_the_protocol():
    assert {"expert", "reckless", "noop", "random", "replay"} <= set(registered())
    for name in ("noop", "random"):
        policy = load_policy(name)
        assert isinstance(policy, Policy)
        assert policy_spec(name, policy).fingerprint


def test_import_path_from_the_current_folder_with_arguments():
    name, args = parse_policy("good_policy:Mine", ["speed=0.5", "name=robo"])
    policy = load_policy(name, args)
    assert (policy.speed, policy.name) == (0.5, "robo")
    assert load_policy("good_policy:make", {"n": 4}).speed == 4
    assert load_policy("good_policy:ready").name == "mine"


def test_fingerprint_follows_the_source(tmp_path):
    first = policy_spec("x", load_policy("good_policy:Mine")).fingerprint
    assert first == policy_spec("x", load_policy("good_policy:make", {"n": 2})).fingerprint
    (tmp_path / "good_policy.py").write_text(GOOD + "\n# changed\n")
    assert policy_spec("x", load_policy("good_policy:Mine")).fingerprint != first


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exprt", "did you mean 'expert'?"),
        ("wxyz", "write package.module:Class for a policy of your own"),
        ("a b:c", "is not an import path"),
    ],
)
def test_wrong_names(text, says):
    with pytest.raises(PolicyLoadError) as error:
        parse_policy(text)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("name", "args", "says"),
    [
        ("nowhere_policy:X", {}, "there is no module 'nowhere_policy'"),
        ("good_policy:Minn", {}, "good_policy has no 'Minn'; did you mean 'Mine'?"),
        ("good_policy:Deaf", {}, "has no method act()"),
        ("good_policy:number", {}, "is a int: name a class or a function"),
        ("good_policy:Mine", {"sped": 1}, "did you mean 'speed'?"),
        ("good_policy:make", {}, "missing a required argument: 'n'; give it with --policy-arg key=value"),
        ("good_policy:Broken", {}, "could not be built: OSError: weights are gone ("),
        ("bad_policy:X", {}, "No module named 'no_such_library'"),
        ("odd_policy:X", {}, "odd_policy.py:1)"),
        ("good_policy:ready", {"a": 1}, "it takes no --policy-arg"),
        ("replay", {"path": "nowhere"}, "nowhere is not a run folder"),
    ],
)
def test_what_cannot_be_loaded_says_why_on_one_line(name, args, says):
    with pytest.raises(ProctorError) as error:
        load_policy(name, args)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 2


def test_a_spec_that_is_none_is_refused():
    with pytest.raises(PolicyLoadError, match=r"spec\(\) returned str, not proctor\.core\.PolicySpec"):
        policy_spec("x", load_policy("good_policy:Mute"))


def test_innermost_own_frame_is_named_even_inside_a_library():
    try:
        json.loads("{")
    except ValueError as error:
        text = describe_exception(error)
    assert "test_policies_load.py:" in text
    assert text.startswith("JSONDecodeError: ")


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.none() | st.integers() | st.text() | st.booleans()
    )
)
def test_json_values_come_through(values):
    assert parse_arguments([f"{k}={json.dumps(v)}" for k, v in values.items()], "--policy-arg") == values


def test_plain_text_values_and_inline_arguments():
    read = parse_arguments(["a=runs/x", "b=1e3", "c=x=y", "d=NaN"], "-")
    assert read == {"a": "runs/x", "b": 1000.0, "c": "x=y", "d": "NaN"}
    assert parse_policy("replay:path=runs/x", ["k=1"]) == ("replay", {"path": "runs/x", "k": 1})
    for bad in ("novalue", "=1", "a-b=1"):
        with pytest.raises(PolicyLoadError, match="write key=value"):
            parse_arguments([bad], "--policy-arg")


def test_noop_holds_still_with_the_gripper_open():
    assert NoopPolicy().act(look()).tolist() == [0, 0, 0, 0, 0, 0, -1]


def test_random_depends_on_the_episode_alone_and_fills_its_cube():
    a, b = RandomPolicy(), RandomPolicy()
    a.reset("x", spec(3))
    first = np.array([a.act(look()) for _ in range(2000)])
    b.reset("y", spec(4))
    assert not np.array_equal(first[0], b.act(look()))
    b.reset("y", spec(3))
    assert np.array_equal(first, [b.act(look()) for _ in range(2000)])
    unit = first / 0.25
    assert np.abs(unit).max() <= 1.0
    # Uniform on [-1, 1]: mean 0, variance 1/3; bounds are 5 standard errors of 14,000 draws.
    assert abs(unit.mean()) < 5 * (1 / 3) ** 0.5 / unit.size**0.5
    assert abs(unit.var() - 1 / 3) < 5 * (4 / 45) ** 0.5 / unit.size**0.5


def test_replay_gives_back_the_recorded_actions_of_the_same_pair(tmp_path):
    run = tmp_path / "run"
    (run / "steps").mkdir(parents=True)
    actions = np.random.default_rng(0).uniform(-1, 1, (4, 7))
    np.savez(run / "steps" / "e.npz", actions=actions)
    (run / "episodes.jsonl").write_text(
        json.dumps({"pair_id": spec().pair_id, "episode_id": "e", "steps_file": "steps/e.npz"}) + "\n" + '{"torn'
    )
    policy = ReplayPolicy(str(run))
    policy.reset("do it", spec())
    assert np.array_equal([policy.act(look(i)) for i in range(4)], actions)
    with pytest.raises(ProctorError, match="ends after 4 steps"):
        policy.act(look(4))
    with pytest.raises(ProctorError, match="no recording"):
        policy.reset("do it", spec(99))


def test_replay_of_a_run_without_steps_says_how_to_record_them(tmp_path):
    (tmp_path / "episodes.jsonl").write_text(json.dumps({"pair_id": "x", "steps_file": ""}) + "\n")
    with pytest.raises(ProctorError, match="--record-steps"):
        ReplayPolicy(str(tmp_path))
