"""A policy behind a foreign wire sees and does what it would here: our clients against our servers, wire by wire."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from foreign_support import SIZE, WIRES, Witness, episode, observation, serving

from proctor.core import ProctorError, SpecMismatchError
from proctor.policies import load_policy
from proctor.serving import Engine

# RoboArena does not carry episodes; states go as 32-bit numbers where the wire's own arrays are such.
EXACT_STATE = {"openpi", "vla-eval"}
TELLS_EPISODE = {"openpi", "gr00t", "vla-eval"}


def connect(wire: str, address: str, **args: Any) -> Any:
    return load_policy(f"{wire}://{address}", args)


def extra(wire: str) -> dict[str, Any]:
    # A RoboArena server does not say how long its chunks are or what it renders at.
    return {"chunk": 4, "render_size": SIZE} if wire == "roboarena" else {}


@pytest.mark.parametrize("wire", WIRES)
def test_what_the_policy_sees_and_what_comes_back(wire: str) -> None:
    witness = Witness()
    with serving(wire, witness) as address:
        policy = connect(wire, address, **extra(wire))
        spec = policy.spec()
        assert (spec.cameras, spec.image_size, spec.action_dim) == (("agentview", "wrist"), SIZE, 7)
        policy.reset("pick the apple", episode())
        first = observation(0)
        actions = policy.act(first)
        policy.close()
    seen = witness.seen[0]
    for camera in first.images:
        np.testing.assert_array_equal(seen.images[camera], first.images[camera])
    np.testing.assert_allclose(seen.state, first.state, atol=0 if wire in EXACT_STATE else 1e-7)
    assert (seen.instruction, seen.step) == ("pick the apple", 0)
    instruction, told = witness.episodes[0]
    assert instruction == "pick the apple"
    if wire in TELLS_EPISODE:
        assert told == episode()
    expected = Witness().act(first)
    np.testing.assert_allclose(actions, expected[: len(actions)], atol=1e-6)
    assert len(actions) == (1 if wire == "vla-eval" else 4)


@pytest.mark.parametrize("wire", WIRES)
def test_each_episode_begins_once_and_steps_are_counted(wire: str) -> None:
    witness = Witness()
    with serving(wire, witness) as address:
        policy = connect(wire, address, **extra(wire))
        for seed, text in ((1, "first"), (2, "second"), (3, "second")):
            policy.reset(text, episode(seed, text))
            for step in (0, 4):
                policy.act(observation(step, text))
        policy.close()
    assert [text for text, _ in witness.episodes] == ["first", "second", "second"]
    if wire in TELLS_EPISODE:
        assert [told.seed for _, told in witness.episodes] == [1, 2, 3]
    if wire != "vla-eval":
        assert len(witness.seen) == 6


def test_vla_eval_hands_out_a_chunk_one_action_at_a_time() -> None:
    witness = Witness()
    with serving("vla-eval", witness) as address:
        policy = connect("vla-eval", address)
        policy.reset("pick the apple", episode())
        actions = np.concatenate([policy.act(observation(step)) for step in range(5)])
        policy.close()
    expected = np.concatenate([Witness().act(observation(0)), Witness().act(observation(4))[:1]])
    np.testing.assert_allclose(actions, expected, atol=1e-6)
    assert [seen.step for seen in witness.seen] == [0, 4]


@pytest.mark.parametrize("wire", WIRES)
def test_a_policy_without_cameras_needs_no_pictures(wire: str) -> None:
    witness = Witness(cameras=(), chunk=1)
    with serving(wire, witness) as address:
        policy = connect(wire, address)
        assert policy.spec().cameras == ()
        policy.reset("go", episode(text="go"))
        assert policy.act(observation(0, "go", ())).shape == (1, 7)
        policy.close()


@pytest.mark.parametrize("wire", WIRES)
def test_many_clients_at_once_share_batches(wire: str) -> None:
    clients = 4
    gathered = threading.Barrier(clients)
    problems: list[BaseException] = []
    with serving(wire, Witness()) as address:

        def one(seed: int) -> None:
            try:
                policy = connect(wire, address, **extra(wire))
                policy.reset(f"client {seed}", episode(seed, f"client {seed}"))
                gathered.wait(60)
                for step in range(6):
                    actions = policy.act(observation(step * 4, f"client {seed}"))
                    expected = step * 4 if wire == "openpi" else None
                    assert expected is None or abs(actions[0, 0] * 1000 - expected) < 1e-3
                policy.close()
            except BaseException as error:
                problems.append(error)

        threads = [threading.Thread(target=one, args=(seed,)) for seed in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert not problems


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(("given", "good"), [("right", True), ("wrong", False), ("", False)])
def test_tokens(wire: str, given: str, good: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROCTOR_TOKEN", raising=False)
    with serving(wire, Witness(), token="right") as address:
        policy = connect(wire, address, token=given, **extra(wire))
        if good:
            assert policy.spec().action_dim == 7
        else:
            with pytest.raises(ProctorError, match=r"token") as caught:
                policy.spec()
            assert "\n" not in str(caught.value)
            assert address in str(caught.value)
        policy.close()


@pytest.mark.parametrize("wire", WIRES)
def test_port_in_use(wire: str) -> None:
    import importlib

    from proctor.serving import FRONT_ENDS

    with serving(wire, Witness()) as address:
        engine = Engine(Witness)
        front = importlib.import_module(FRONT_ENDS[wire]).serve_forever
        with pytest.raises(ProctorError, match=r"is in use; choose another --port"):
            front(engine, "127.0.0.1", int(address.rpartition(":")[2]), "", threading.Event(), lambda port: None)
        engine.stop()


@pytest.mark.parametrize("wire", WIRES)
def test_nobody_there(wire: str) -> None:
    with serving(wire, Witness()) as address:
        pass
    policy = connect(wire, address, timeout=2)
    with pytest.raises(ProctorError, match=r"cannot be reached") as caught:
        policy.spec()
    assert address in str(caught.value)


def test_replicas_must_serve_the_same_policy() -> None:
    with serving("openpi", Witness()) as one, serving("openpi", Witness(cameras=())) as other:
        policy = connect("openpi", f"{one},{other}")
        with pytest.raises(ProctorError, match="replicas must serve the same policy"):
            policy.spec()
        policy.close()


def test_an_episode_goes_to_a_replica_that_lives() -> None:
    witness = Witness()
    with serving("openpi", Witness()) as dead:
        pass
    with serving("openpi", witness) as alive:
        policy = connect("openpi", f"{dead},{alive}", timeout=5)
        for seed in range(4):
            policy.reset("go", episode(seed, "go"))
            policy.act(observation(0, "go"))
        policy.close()
    assert [told.seed for _, told in witness.episodes] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"orient": "upsidedown"}, "known are upright"),
        ({"gripper": "backwards"}, "known are close_positive"),
        ({"chunk": 0}, "whole number above 0"),
        ({"cameras": 3}, "names with commas"),
        ({"timeout": -1}, "seconds above 0"),
        ({"camera": "agentview"}, "did you mean 'cameras'"),
    ],
)
def test_arguments_that_make_no_sense(args: dict[str, Any], says: str) -> None:
    with serving("openpi", Witness()) as address, pytest.raises(ProctorError, match=says):
        connect("openpi", address, **args).spec()


@pytest.mark.parametrize("state", ["x", "x:a", "x:1-b"])
def test_gr00t_state_parts_that_make_no_sense(state: str) -> None:
    with pytest.raises(ProctorError, match="write name:index"):
        connect("gr00t", "127.0.0.1:1", state=state)


def test_a_mismatch_is_refused_naming_both_sides() -> None:
    from proctor.core import EnvSpec, require_compatible

    with serving("openpi", Witness()) as address:
        spec = connect("openpi", address, action_dim=8).spec()
    with pytest.raises(SpecMismatchError, match=r"'witness' needs action_dim=8, environment 'sim' has action_dim=7"):
        require_compatible(spec, EnvSpec("sim", ("agentview", "wrist")))
