"""The engine: sessions apart from one another, errors where they belong, batches in order."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from serving_support import PATIENCE_S, Counter, Echo, episode, seen, until

from proctor.core import PolicySpec
from proctor.policies import SingleSession
from proctor.serving import Engine, EngineError, process_devices
from proctor.serving import _replica as replica_module


@pytest.fixture
def echo():
    return Echo()


@pytest.fixture
def engine(echo):
    made = Engine(lambda: SingleSession(echo))
    made.wait(PATIENCE_S)
    yield made
    echo.release.set()
    made.stop()


def begun(engine: Engine, text: str = "pick") -> str:
    session = engine.open()
    engine.begin(session, text, episode()).result(PATIENCE_S)
    return session


def test_an_answer_is_that_of_its_observation(engine: Engine) -> None:
    session = begun(engine)
    answer = engine.act(session, seen(step=3, value=51)).result(PATIENCE_S)
    assert answer.actions.shape == (1, 7)
    assert answer.actions[0, :4] == pytest.approx([0.2, 0.003, 0.001, 0.001])
    assert answer.batch == 1
    assert answer.queue_s >= 0.0
    assert answer.compute_s >= 0.0


def test_sessions_never_share_state_however_they_interleave(engine: Engine) -> None:
    sessions = [begun(engine) for _ in range(6)]
    assert len(set(sessions)) == 6

    def play(index: int) -> list[float]:
        session, counts = sessions[index], []
        for step in range(20):
            action = engine.act(session, seen(step, value=index * 10)).result(PATIENCE_S).actions[0]
            assert action[0] == pytest.approx(index * 10 / 255.0)
            assert action[1] == pytest.approx(step / 1000.0)
            counts.append(round(action[2] * 1000))
        return counts

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(play, range(6))) == [list(range(1, 21))] * 6


def test_all_who_wait_are_run_together_in_the_order_they_came(engine: Engine, echo: Echo) -> None:
    blocker = begun(engine, "block")
    others = [begun(engine) for _ in range(5)]
    first = engine.act(blocker, seen())
    until(lambda: len(echo.batches) == 1)
    futures = [engine.act(session, seen()) for session in others]
    assert engine.outstanding() == 6
    echo.release.set()
    first.result(PATIENCE_S)
    assert [future.result(PATIENCE_S).batch for future in futures] == [5] * 5
    assert echo.batches[1] == others


def test_a_batch_never_exceeds_the_limit() -> None:
    echo = Echo()
    engine = Engine(lambda: SingleSession(echo), max_batch=4)
    engine.wait(PATIENCE_S)
    blocker, others = begun(engine, "block"), [begun(engine) for _ in range(10)]
    engine.act(blocker, seen())
    until(lambda: len(echo.batches) == 1)
    futures = [engine.act(session, seen()) for session in others]
    echo.release.set()
    for future in futures:
        future.result(PATIENCE_S)
    assert max(map(len, echo.batches)) == 4
    assert [session for batch in echo.batches[1:] for session in batch] == others
    engine.stop()


def test_a_client_that_vanished_is_not_waited_for(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica_module, "SILENCE_S", 0.0)
    gone, here = begun(engine), begun(engine)
    engine.act(gone, seen()).result(PATIENCE_S)
    assert engine.episodes() == 0
    assert engine.act(here, seen()).result(PATIENCE_S).batch == 1
    assert engine.act(gone, seen()).result(PATIENCE_S).actions[0, 2] == pytest.approx(0.002), "it may come back"


def test_a_late_joiner_is_served_like_the_others(engine: Engine) -> None:
    first = begun(engine)
    for step in range(3):
        engine.act(first, seen(step)).result(PATIENCE_S)
    late = begun(engine)
    assert engine.act(late, seen()).result(PATIENCE_S).actions[0, 2] == pytest.approx(0.001)
    assert engine.act(first, seen(3)).result(PATIENCE_S).actions[0, 2] == pytest.approx(0.004)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise", "ValueError: the model has no more memory"),
        ("shape", r"\(4, 6\)"),
        ("long", "5 actions"),
        ("text", "expected"),
    ],
)
def test_an_error_reaches_its_session_and_the_engine_lives(engine: Engine, text: str, words: str) -> None:
    bad, good = begun(engine, text), begun(engine)
    with pytest.raises(EngineError, match=words):
        engine.act(bad, seen()).result(PATIENCE_S)
    assert engine.act(good, seen()).result(PATIENCE_S).batch == 1
    engine.begin(bad, "pick", episode(1)).result(PATIENCE_S)
    assert engine.act(bad, seen()).result(PATIENCE_S).actions[0, 2] == pytest.approx(0.001)
    assert "proctor_errors_total" in engine.metrics_text()


def test_a_policy_that_refuses_an_episode_says_why(engine: Engine) -> None:
    session = engine.open()
    with pytest.raises(EngineError, match="RuntimeError: no such object"):
        engine.begin(session, "refuse", episode()).result(PATIENCE_S)


def test_rules_of_sessions(engine: Engine, echo: Echo) -> None:
    with pytest.raises(EngineError, match="unknown session"):
        engine.act("made up", seen()).result(PATIENCE_S)
    session = engine.open()
    with pytest.raises(EngineError, match="not begun"):
        engine.act(session, seen()).result(PATIENCE_S)
    blocked = begun(engine, "block")
    waiting = engine.act(blocked, seen())
    with pytest.raises(EngineError, match="one at a time"):
        engine.act(blocked, seen()).result(PATIENCE_S)
    echo.release.set()
    waiting.result(PATIENCE_S)
    engine.close(blocked)
    engine.close(blocked)
    with pytest.raises(EngineError, match="unknown session"):
        engine.act(blocked, seen()).result(PATIENCE_S)
    until(lambda: blocked not in echo.calls)


def test_a_closed_session_leaves_no_request_behind(engine: Engine, echo: Echo) -> None:
    blocked, other = begun(engine, "block"), begun(engine)
    running = engine.act(blocked, seen())
    until(lambda: len(echo.batches) == 1)
    waiting = engine.act(other, seen())
    engine.close(other)
    with pytest.raises(EngineError, match="closed"):
        waiting.result(PATIENCE_S)
    echo.release.set()
    running.result(PATIENCE_S)


def test_draining_lets_episodes_end_and_begins_none(engine: Engine) -> None:
    session = begun(engine)
    engine.drain()
    assert engine.status() == "draining"
    assert engine.act(session, seen()).result(PATIENCE_S).batch == 1
    with pytest.raises(EngineError, match="stopping"):
        engine.begin(session, "pick", episode(1)).result(PATIENCE_S)
    with pytest.raises(EngineError, match="stopping"):
        engine.open()


def test_a_plain_policy_has_one_object_per_session_and_they_are_used_again() -> None:
    Counter.made = 0
    engine = Engine(Counter)
    assert engine.wait(PATIENCE_S).name == "counter"
    sessions = [begun(engine) for _ in range(3)]
    for count in (1, 2):
        for session in sessions:
            assert engine.act(session, seen()).result(PATIENCE_S).actions[0, 0] == pytest.approx(count / 1000.0)
    bad = begun(engine, "raise")
    with pytest.raises(EngineError, match="ValueError: cannot"):
        engine.act(bad, seen()).result(PATIENCE_S)
    assert Counter.made == 4
    for session in (*sessions, bad):
        engine.close(session)
    for session in [begun(engine) for _ in range(4)]:
        assert engine.act(session, seen()).result(PATIENCE_S).actions[0, 0] == pytest.approx(0.001)
    assert Counter.made == 4
    engine.stop()


def test_every_call_of_the_policy_comes_from_one_thread() -> None:
    made: list[Echo] = []

    def build() -> SingleSession:
        made.append(Echo())
        return SingleSession(made[0])

    engine = Engine(build)
    engine.wait(PATIENCE_S)
    engine.act(begun(engine), seen()).result(PATIENCE_S)
    assert len(made[0].threads) == 1
    assert threading.get_ident() not in made[0].threads
    engine.stop()


class Broken:
    def __init__(self) -> None:
        raise OSError("no weights in this folder")


def test_a_policy_that_cannot_be_loaded_is_reported_in_one_line() -> None:
    engine = Engine(Broken)
    with pytest.raises(EngineError, match="no weights in this folder"):
        engine.wait(PATIENCE_S)
    assert engine.status() == "failed"
    with pytest.raises(EngineError, match="no policy"):
        engine.open()


class Privileged(Counter):
    def spec(self) -> PolicySpec:
        return PolicySpec("oracle", privileged=True, fingerprint="x")


def test_a_privileged_policy_cannot_be_served() -> None:
    with pytest.raises(EngineError, match="privileged"):
        Engine(Privileged).wait(PATIENCE_S)


class Plain:
    """An adapter: it knows nothing of ours."""

    def __init__(self) -> None:
        self.episodes: list[object] = []

    def spec(self) -> dict:
        return {"name": "plain", "cameras": ["agentview"], "chunk": 2, "fingerprint": "plain-1"}

    def begin(self, session, instruction, episode) -> None:
        self.episodes.append(episode)

    def act_batch(self, sessions, observations):
        return [np.zeros((2, 7)) for _ in sessions]

    def end(self, session) -> None:
        pass


def test_an_adapter_with_maps_is_a_policy() -> None:
    plain = Plain()
    engine = Engine(lambda: SingleSession(plain))
    assert engine.wait(PATIENCE_S) == PolicySpec("plain", cameras=("agentview",), chunk=2, fingerprint="plain-1")
    assert engine.act(begun(engine), seen()).result(PATIENCE_S).actions.shape == (2, 7)
    assert plain.episodes[0]["instruction"] == "pick"
    engine.stop()


def test_replicas_share_the_episodes_and_one_that_dies_is_replaced(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path.parent), prepend=":")
    monkeypatch.syspath_prepend(str(replica_path()))
    monkeypatch.chdir(replica_path())
    engine = Engine(devices=process_devices("serving_support:Echo", {"name": "copy"}, 2))
    assert engine.wait(PATIENCE_S).name == "copy"
    sessions = [begun(engine) for _ in range(4)]
    futures = [engine.act(session, seen(value=51)) for session in sessions]
    assert all(future.result(PATIENCE_S).actions[0, 0] == pytest.approx(0.2) for future in futures)
    assert [replica.live(0.0) >= 0 for replica in engine._replicas] == [True, True]
    assert sorted(len(replica._places) for replica in engine._replicas) == [2, 2]
    deadly = begun(engine, "die")
    with pytest.raises(EngineError, match=r"died \(exit code 7\)"):
        engine.act(deadly, seen()).result(PATIENCE_S)
    until(lambda: engine.status() == "ready")
    again = begun(engine)
    assert engine.act(again, seen()).result(PATIENCE_S).actions.shape == (1, 7)
    lost = [session for session in sessions if _is_lost(engine, session)]
    assert len(lost) == 2, "the episodes of the other replica go on"
    engine.stop()


def _is_lost(engine: Engine, session: str) -> bool:
    error = engine.act(session, seen()).exception(PATIENCE_S)
    return error is not None


def replica_path():
    from serving_support import HERE

    return HERE


def test_gpus_are_given_out_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,6")
    assert [device._gpu for device in process_devices("noop", {}, 3)] == ["4", "6", "4"]


def test_metrics_are_what_prometheus_reads(engine: Engine) -> None:
    session = begun(engine)
    for step in range(3):
        engine.act(session, seen(step)).result(PATIENCE_S)
    lines = engine.metrics_text().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert values["proctor_requests_total"] == "3"
    assert values['proctor_batch_size_bucket{le="1"}'] == "3"
    assert values['proctor_request_seconds_bucket{le="+Inf"}'] == values["proctor_request_seconds_count"] == "3"
    assert values["proctor_sessions"] == "1"
    buckets = [int(v) for k, v in values.items() if k.startswith("proctor_request_seconds_bucket")]
    assert buckets == sorted(buckets)
    helped = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert all(any(name.startswith(known) for known in helped) for name in values)


def test_a_factory_may_be_any_callable() -> None:
    engine = Engine(partial(lambda word: SingleSession(Echo(name=word)), "partial"))
    assert engine.wait(PATIENCE_S).name == "partial"
    engine.stop()
