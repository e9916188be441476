"""The coordinator against agents that are only a socket: leases, late rows, files, strangers."""

from __future__ import annotations

import os
import socket
from functools import partial

import pytest
from fleet_tools import ENV, POLICY, WORLD, FleetRun, StubAgent, exactly_once, wait_until

from proctor.core import EnvSpec, ProctorError
from proctor.plan import Plan, PlanTask
from proctor.record import read_episodes, read_history
from proctor.rollout import PlanMismatchError, RunOptions, WorkerError, execute
from proctor.rollout.fleet import Coordinator, FleetError, FleetOptions
from proctor.rollout.fleet import _messages as wire


def test_two_agents_share_a_plan_in_blocks_that_shrink(make_plan, tmp_path):
    plan = make_plan(40)
    with FleetRun(plan, tmp_path / "r") as run:
        agents = [StubAgent(run, host="one").join(), StubAgent(run, host="two", capacity=2).join()]
        for agent in agents:
            agent.hear("lease")
        over = False
        while not over:
            for agent in agents:
                if agent.leased:
                    agent.report(agent.leased.pop(0))
                    over = agent.hear("ack", "done")["t"] == "done"
                elif agent.socket.poll(20):
                    over = agent.hear("lease", "drop", "ping", "done")["t"] == "done"
        assert all(agent.blocks[0] >= 10 and agent.blocks[-1] == 1 for agent in agents)
        result = run.finish()
    assert (result.ran, result.errors) == (120, 0)
    assert {row.host for row in exactly_once(plan, tmp_path / "r")} == {"one", "two"}


def test_an_agent_that_is_gone_is_noticed_at_once_and_its_episodes_go_to_others(make_plan, tmp_path):
    plan = make_plan(4)
    with FleetRun(plan, tmp_path / "r", lease_s=600.0) as run:
        dead = StubAgent(run, host="dead").join()
        dead.hear("lease")
        dead.report(dead.leased.pop(0))
        dead.hear("ack")
        dead.close()
        other = StubAgent(run, host="other").join()
        # The lease would last ten minutes: it is the closed connection that tells.
        other.run_all()
        run.finish()
        assert any("dead:1 is gone; its" in note for note in run.notes)
    rows = exactly_once(plan, tmp_path / "r")
    assert [row.host for row in rows].count("dead") == 1


def test_a_silent_agent_loses_its_lease_and_its_late_row_counts_if_nobody_was_faster(make_plan, tmp_path):
    plan = make_plan(2, tasks=1)
    with FleetRun(plan, tmp_path / "r", lease_s=1.0) as run:
        slow = StubAgent(run, host="slow", capacity=2).join()
        slow.hear("lease")
        wait_until(lambda: len(slow.leased) == 2 or slow.hear("lease"))
        run.wait_for_note("slow:1 was silent for 1 s; its 2 episodes go to others")
        other = StubAgent(run, host="other").join()
        other.hear("lease")
        held = other.leased.pop(0)
        # The connection still stands, but the session is void: the row is not even looked at before a new hello.
        late = next(episode for episode in slow.leased if episode["id"] != held["id"])
        slow.report(late)
        slow.hear("again")
        assert read_history(tmp_path / "r") == []
        slow.join()
        slow.report(late)
        assert slow.hear("ack")["id"] == late["id"]
        # An error is believed only from the holder; the completed row of the slow one still counts.
        slow.report(held, status="infra_error", error="too late")
        assert slow.hear("ack")["id"] == held["id"]
        slow.report(held)
        assert slow.hear("ack")["id"] == held["id"]
        run.finish()
        assert other.hear("drop", "done")["t"] == "drop"
    assert {row.host for row in exactly_once(plan, tmp_path / "r")} == {"slow"}


def test_a_late_duplicate_is_dropped_and_leaves_the_files_of_the_first_alone(make_plan, tmp_path):
    plan = make_plan(3, tasks=1)
    out = tmp_path / "r"
    with FleetRun(plan, out, lease_s=1.0) as run:
        slow = StubAgent(run, host="slow", capacity=3).join()
        slow.hear("lease")
        run.wait_for_note("slow:1 was silent")
        fast = StubAgent(run, host="fast", capacity=3).join()
        fast.hear("lease")
        first = fast.leased.pop(0)
        fast.say("file", b"film of the fast one", id=first["id"], kind="video", offset=0)
        fast.report(first, files={"video": 20}, video=f"videos/{first['id']}.mp4")
        fast.hear("ack")
        slow.join()
        slow.say("file", b"film of the slow one", id=first["id"], kind="video", offset=0)
        slow.report(first, files={"video": 20}, video=f"videos/{first['id']}.mp4")
        assert slow.hear("ack")["id"] == first["id"]
        fast.run_all()
        run.finish()
    exactly_once(plan, out)
    assert [path.read_bytes() for path in (out / "videos").iterdir()] == [b"film of the fast one"]


def test_files_come_in_pieces_and_only_whole(make_plan, tmp_path):
    plan = make_plan(1, tasks=1)
    out = tmp_path / "r"
    film = os.urandom(3 * wire.CHUNK + 5)
    with FleetRun(plan, out) as run:
        agent = StubAgent(run).join()
        agent.hear("lease")
        (episode,) = agent.leased
        named = {"video": f"videos/{episode['id']}.mp4", "steps_file": "../../etc/passwd"}
        agent.say("file", film[: wire.CHUNK], id=episode["id"], kind="video", offset=0)
        agent.report(episode, files={"video": len(film)}, **named)
        agent.hear("again")
        assert read_history(out) == []
        agent.leased.clear()
        agent.join().hear("lease")
        for offset in range(0, len(film), wire.CHUNK):
            agent.say("file", film[offset : offset + wire.CHUNK], id=episode["id"], kind="video", offset=offset)
        agent.report(episode, files={"video": len(film)}, **named)
        agent.hear("ack")
        run.finish()
    (row,) = read_episodes(out)
    assert (row.video, row.steps_file) == (f"videos/{episode['id']}.mp4", "")
    assert (out / row.video).read_bytes() == film
    assert [path.name for path in (out / "videos").iterdir()] == [f"{episode['id']}.mp4"]


def test_an_episode_that_takes_three_hosts_down_is_an_infra_error_that_names_them(make_plan, tmp_path):
    plan = make_plan(1, tasks=2)
    with FleetRun(plan, tmp_path / "r", lease_s=600.0) as run:
        for number in range(3):
            agent = StubAgent(run, host=f"h{number}").join()
            agent.hear("lease")
            assert agent.leased[0]["attempt"] == number + 1
            agent.close()
            run.wait_for_note(f"h{number}:1 is gone")
        StubAgent(run, host="good").join().run_all()
        result = run.finish()
    assert (result.ran, result.errors) == (2, 1)
    bad, good = sorted(read_episodes(tmp_path / "r"), key=lambda row: row.status == "completed")
    assert bad.status == "infra_error"
    assert bad.error == "the host that ran it was lost 3 times: h0:1, h1:1, h2:1"
    assert bad.attempt == 3
    assert (good.status, good.attempt) == ("completed", 1)


@pytest.mark.parametrize(
    ("hello", "says"),
    [
        ({"token": "guess"}, "wrong token"),
        ({"token": ""}, "wrong token"),
        ({"proctor": "0.0.1"}, "stub has proctor 0.0.1, this run has"),
        ({"mujoco": "3.3.2"}, "stub has mujoco 3.3.2, this run has"),
        ({"v": 2}, "stub has protocol 2, this run has 1"),
    ],
)
def test_who_does_not_fit_is_refused_with_one_line_and_the_run_goes_on(make_plan, tmp_path, hello, says):
    plan = make_plan(1)
    with FleetRun(plan, tmp_path / "r", token="secret") as run:
        stranger = StubAgent(run, **hello)
        stranger.say("hello", **stranger.hello)
        line = stranger.hear("refuse", "welcome")["line"]
        assert says in line
        assert "\n" not in line
        assert "secret" not in line
        # A refused peer has no session: what it sends is not taken.
        stranger.say("ready", policy=wire.as_map(POLICY), env=wire.as_map(WORLD))
        stranger.hear("again")
        StubAgent(run).join().run_all()
        run.finish()
    exactly_once(plan, tmp_path / "r")


def test_garbage_oversized_and_malformed_messages_are_survived(make_plan, tmp_path):
    plan = make_plan(2)
    with FleetRun(plan, tmp_path / "r") as run:
        host, port = run.address.removeprefix("tcp://").split(":")
        for data in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(4096), b"\xff" + b"\0" * 8 + b"\x7f", b""):
            with socket.create_connection((host, int(port))) as raw:
                raw.sendall(data)
        stranger = StubAgent(run)
        for frames in (
            [b""],
            [b"\xc1"],
            [b"\x93\x01"],
            [b"\xdf\xff\xff\xff\xff"],
            [b"\x91" * 100_000],
            [wire.pack("hello")[0]] * 40,
            wire.pack("hello"),
            wire.pack("hello", token=5, host="x", pid=1, capacity=1),
            wire.pack("hello", **{**stranger.hello, "capacity": 10**9}),
            wire.pack("no such thing"),
        ):
            stranger.socket.send_multipart(frames)
        # A stranger's megabyte is not unpacked; it may be the row of an agent that was forgotten.
        stranger.socket.send_multipart([b"\xdd\x00\x0f\xff\xff" + b"\x90" * 0xFFFFF])
        stranger.hear("again")
        # Above the limit the connection is closed before the frame is read.
        big = StubAgent(run)
        big.join()
        big.hear("lease")
        big.socket.send_multipart([b"x" * (wire.MAX_FRAME + 1)])
        run.wait_for_note("stub:1 is gone")
        # An agent with a session that breaks the rules loses it.
        agent = StubAgent(run, host="sloppy").greet()
        (episode, *_) = big.leased
        for wrong in (
            {"row": "{}", "files": {}},
            {"row": "not json", "files": {}},
            {"files": {}},
            {"row": agent.row(episode).to_json(), "files": {"video": 7}},
        ):
            agent.say("row", **wrong)
            agent.hear("again")
            agent.greet()
        agent.say("file", b"x", id=episode["id"], kind="../../bad", offset=0)
        agent.hear("again")
        agent.greet().say("file", b"x" * (wire.CHUNK + 1), id=episode["id"], kind="video", offset=0)
        agent.hear("again")
        assert read_history(tmp_path / "r") == []
        agent.join().run_all()
        run.finish()
    exactly_once(plan, tmp_path / "r")


def test_a_foreign_row_is_acknowledged_and_forgotten(make_plan, tmp_path):
    plan, other = make_plan(1), make_plan(1, seed=8)
    with FleetRun(plan, tmp_path / "r") as run:
        agent = StubAgent(run).join()
        foreign = {"id": other[0].episode_id, "attempt": 1, "spec": wire.as_map(other[0])}
        agent.report(foreign)
        assert agent.hear("ack")["id"] == other[0].episode_id
        agent.run_all()
        run.finish()
    exactly_once(plan, tmp_path / "r")


def test_a_host_with_another_policy_or_world_is_refused_and_named(make_plan, tmp_path):
    with FleetRun(make_plan(1), tmp_path / "r") as run:
        good = StubAgent(run, host="good").join()
        good.hear("lease")
        other = StubAgent(run, host="other").join(env=EnvSpec("stub", ("agentview",), fingerprint={"mujoco": "9"}))
        line = other.hear("refuse")["line"]
        assert line.startswith("other:1 has another environment (fingerprint {'mujoco': '9'}")
        good.run_all()
        run.finish()
    exactly_once(make_plan(1), tmp_path / "r")


def test_a_job_that_cannot_be_built_ends_the_run_before_it_begins_but_not_later(make_plan, tmp_path):
    with FleetRun(make_plan(1), tmp_path / "a") as run:
        agent = StubAgent(run, host="h")
        agent.say("hello", **agent.hello)
        agent.hear("welcome")
        agent.say("failed", line="there is no module\n'nowhere'")
        with pytest.raises(WorkerError, match=r"^there is no module 'nowhere' \(on h:1\)$"):
            run.finish()
    assert not (tmp_path / "a").exists()
    with FleetRun(make_plan(1), tmp_path / "b") as run:
        good = StubAgent(run).join()
        good.hear("lease")
        bad = StubAgent(run, host="h")
        bad.say("hello", **bad.hello)
        bad.hear("welcome")
        bad.say("failed", line="no disk")
        run.wait_for_note("h:1 cannot go on: no disk")
        good.run_all()
        run.finish()
    exactly_once(make_plan(1), tmp_path / "b")


def test_resume_on_other_code_is_refused_as_it_is_locally(make_plan, tmp_path):
    with FleetRun(make_plan(1), tmp_path / "r") as run:
        StubAgent(run).join().run_all()
        run.finish()
    with FleetRun(make_plan(2), tmp_path / "r") as run:
        StubAgent(run).join(env=EnvSpec("stub", ("agentview",), fingerprint={"mujoco": "9"}))
        with pytest.raises(PlanMismatchError, match="has another mujoco"):
            run.finish()


def test_task_files_travel_once_and_by_content(tmp_path):
    files = []
    for number in range(2):
        files.append(tmp_path / f"t{number}.cbddl")
        files[-1].write_text(f"(define {number})")
    tasks = tuple(PlanTask(f"x/L0/t{n}@v1", "x", "L0", f"hash{n}", "do", 5, str(file)) for n, file in enumerate(files))
    plan = Plan(tasks, 60, 7, "noop")
    with FleetRun(plan, tmp_path / "r") as run:
        agent = StubAgent(run).join()
        sent = []
        while True:
            message = agent.hear("lease", "done")
            if message["t"] == "done":
                break
            sent += list(message["tasks"])
            while agent.leased:
                agent.report(agent.leased.pop(0))
        run.finish()
    assert sorted(sent) == ["hash0", "hash1"]
    assert agent.tasks["hash1"] == {"path": str(files[1]), "inside": "", "data": b"(define 1)"}


def test_listening_to_the_world_makes_up_a_token_and_loopback_needs_none(make_plan, tmp_path, monkeypatch):
    monkeypatch.delenv("PROCTOR_TOKEN", raising=False)
    with FleetRun(make_plan(1), tmp_path / "open", listen="tcp://0.0.0.0:0") as run:
        assert len(run.given_token) >= 20
        assert not run.address.startswith("tcp://0.0.0.0")
    with FleetRun(make_plan(1), tmp_path / "loopback") as run:
        assert run.given_token == ""


def test_an_address_that_is_wrong_or_taken_is_one_line(make_plan, tmp_path):
    for listen in ("here", "tcp://*", "tcp://127.0.0.1:99999", "ipc:///tmp/x"):
        with pytest.raises(FleetError, match="write tcp://HOST:PORT"):
            FleetRun(make_plan(1), tmp_path / "r", listen=listen).__enter__().finish()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ProctorError, match=r"cannot listen at .*: Address already in use"):
            FleetRun(make_plan(1), tmp_path / "r", listen=listen).__enter__().finish()
    assert not (tmp_path / "r").exists()


def test_a_run_that_cannot_be_announced_gives_its_address_back(make_plan, tmp_path):
    addresses = []

    def announce(address: str, token: str) -> None:
        addresses.append(address)
        raise OSError("the pipe is gone")

    fleet = FleetOptions(listen="tcp://127.0.0.1:0", announce=announce)
    with pytest.raises(OSError, match="the pipe is gone"):
        execute(make_plan(1), tmp_path / "r", RunOptions(env=ENV), source=partial(Coordinator, fleet=fleet))
    with socket.create_server(("127.0.0.1", int(addresses[0].rpartition(":")[2]))):
        pass
