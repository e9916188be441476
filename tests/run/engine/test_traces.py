"""What a trace keeps is what passed: byte by byte what the server got, and its answer before and after conversion."""

from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import pytest
from point_world import BadPolicy, GoPolicy, PointEnv
from websockets.sync.server import ServerConnection, serve

from proctor.policies import load_policy
from proctor.policies.wire import openpi
from proctor.report import write_report
from proctor.results import read_episodes, read_trace, read_traced_picture
from proctor.run.engine import EpisodeOptions, RunOptions, execute, run_episode

CAMERAS = {"observation/image": "agentview", "observation/wrist_image": "wrist"}
TRACED = {"trace_episodes": 1, "trace_requests": 3}


@pytest.fixture
def openpi_server():
    """A server of openpi's wire that keeps what it received; yields its address and that list."""
    received: list[dict[str, Any]] = []

    def talk(connection: ServerConnection) -> None:
        connection.send(openpi.encode({"model": "test"}))
        for message in connection:
            assert isinstance(message, bytes)
            received.append(openpi.decode(message))
            actions = np.tile(np.float32([0.5, 0, 0, 0, 0, 0, 0.25]), (10, 1))
            connection.send(openpi.encode({"actions": actions}))

    with serve(talk, "127.0.0.1", 0, max_size=None) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.socket.getsockname()[1]}", received
        server.shutdown()


def play(spec, policy, out, env=None, **more):
    options = EpisodeOptions(out=out, **{**TRACED, **more})
    return run_episode(env or PointEnv(), policy, spec, options)


def test_a_trace_holds_what_an_openpi_server_received_and_what_it_answered(make_plan, tmp_path, openpi_server):
    address, received = openpi_server
    policy = load_policy(f"openpi://{address}", {"gripper": "open_positive", "image_size": 96, "motion_scale": 0.5})
    row = play(make_plan()[0], policy, tmp_path)
    policy.close()
    file = tmp_path / row.files.trace
    requests = read_trace(file)
    assert [request.step for request in requests] == [0, 5, 10]
    for request, got in zip(requests, received, strict=False):
        assert request.server == f"openpi://{address}"
        assert set(request.sent) == set(got)
        for key in CAMERAS:
            assert request.sent[key]["shape"] == [96, 96, 3]
            assert read_traced_picture(file, *request.sent[key]["pictures"]).tobytes() == got[key].tobytes()
        np.testing.assert_array_equal(request.sent["observation/state"]["values"], got["observation/state"])
        assert request.sent["prompt"] == got["prompt"] == "Reach 0"
        raw, executed = np.array(request.answer["values"]), np.array(request.actions["values"])
        assert (raw.shape, executed.shape) == ((10, 7), (5, 7))
        np.testing.assert_array_equal(executed[:, 6], -raw[:5, 6])
        np.testing.assert_allclose(executed[:, :6], 0.5 * raw[:5, :6])


@pytest.mark.parametrize("chunk", [1, 4])
def test_of_a_policy_in_the_worker_the_observation_is_kept(make_plan, tmp_path, chunk):
    env = PointEnv()
    policy = GoPolicy(chunk=chunk)
    policy.bind(env)
    row = play(make_plan()[0], policy, tmp_path, env)
    env.reset(make_plan()[0])
    spec = policy.spec()
    first = env.observe(spec.cameras, spec.image_size)
    requests = read_trace(tmp_path / row.files.trace)
    assert [request.step for request in requests] == [0, chunk, 2 * chunk]
    sent = requests[0].sent
    assert (sent["text"], sent["step"], sent["state"]["values"]) == (first.instruction, 0, first.state.tolist())
    for camera in spec.cameras:
        kept = read_traced_picture(tmp_path / row.files.trace, *sent[f"images/{camera}"]["pictures"])
        np.testing.assert_array_equal(kept, first.images[camera])


def test_tracing_changes_no_result_and_keeps_what_was_wrong(make_plan, tmp_path):
    def at(out, policy=None, **more):
        env = PointEnv()
        policy = policy or GoPolicy()
        policy.bind(env)
        return play(make_plan()[0], policy, out, env, **more)

    assert at(tmp_path / "a").result() == at(None).result()
    broken = at(tmp_path / "b", BadPolicy("nan", every=1), trace_requests=9)
    *good, bad = read_trace(tmp_path / "b" / broken.files.trace)
    assert all(request.actions and not request.error for request in good)
    assert (bad.error, bad.actions, bad.step) == (broken.error, None, 3)
    assert np.isnan(bad.answer["values"]).any()


def test_the_first_episode_of_each_task_is_traced_and_the_report_shows_it(make_plan, tmp_path):
    options = RunOptions(env="point_world:PointEnv", episode=EpisodeOptions(**TRACED))
    execute(make_plan(2, tasks=2), tmp_path / "run", options)
    rows = read_episodes(tmp_path / "run")
    assert {bool(row.files.trace) for row in rows if row.spec.episode == 0} == {True}
    assert not any(row.files.trace for row in rows if row.spec.episode)
    assert not list((tmp_path / "run" / "traces").glob("*.part*"))
    write_report([tmp_path / "run"], tmp_path / "report")
    for row in rows:
        page = (tmp_path / "report" / "episode" / f"{row.episode_id}.html").read_text()
        assert ("What the policy was sent" in page) == bool(row.files.trace)
        for request in read_trace(tmp_path / "run" / row.files.trace) if row.files.trace else ():
            assert f"Step {request.step}" in page
            assert json.dumps(request.sent["text"]).strip('"') in page
