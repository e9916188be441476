"""Servers behind Proctor's wire that restart, die, drain or stand beside others."""

from __future__ import annotations

import gc
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from serving_support import PATIENCE_S, Echo, episode, fronted, remote, seen, serve_forever, served, until

from proctor.policies import SingleSession
from proctor.policies.remote import RemotePolicy
from proctor.policies.wire import Connection, RefusedError, Router, WireError
from proctor.serving import Engine


def test_a_server_that_restarts_within_an_episode_ends_the_episode_only() -> None:
    first = Engine(lambda: SingleSession(Echo()), threaded=False)
    with fronted(first) as url:
        policy = RemotePolicy(url, timeout=PATIENCE_S)
        policy.reset("pick", episode())
        policy.act(seen())
    port = int(url.rpartition(":")[2])
    with pytest.raises(WireError, match=f"{url}.*closed the connection"):
        policy.act(seen(1))
    engine, stop, ready = Engine(lambda: SingleSession(Echo())), threading.Event(), threading.Event()
    thread = threading.Thread(
        target=serve_forever, args=(engine, "127.0.0.1", port, "", stop, lambda number: ready.set())
    )
    thread.start()
    assert ready.wait(PATIENCE_S)
    policy.reset("pick", episode(1))
    assert policy.act(seen())[0, 2] == pytest.approx(0.001)
    policy.close()
    stop.set()
    thread.join(PATIENCE_S)
    engine.stop()


def test_a_server_that_dies_while_it_thinks_is_noticed_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    router = Router(f"tcp://127.0.0.1:{port}")
    connection = Connection(router.endpoint, timeout_s=PATIENCE_S)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(connection.request, "act")
        while router.receive() is None:
            router.wait(0.1)
        router.close()
        with pytest.raises(WireError, match="closed the connection before it answered 'act'"):
            asked.result(PATIENCE_S / 2)
    connection.close()


def test_episodes_go_to_the_replica_with_the_fewest_and_around_one_that_is_gone() -> None:
    with served(Echo()) as (first, one), served(Echo()) as (second, other):
        both = f"{first},{second.removeprefix('proctor://')}"
        policies = [RemotePolicy(both) for _ in range(4)]
        for policy in policies:
            policy.reset("pick", episode())
            policy.act(seen())
        assert (one.episodes(), other.episodes()) == (2, 2)
        other.drain()
        for policy in policies:
            policy.reset("pick", episode(1))
            policy.act(seen())
        assert one.episodes() == 4
        for policy in policies:
            policy.close()


def test_replicas_that_differ_are_refused() -> None:
    with served(Echo()) as (first, _), served(Echo(name="other")) as (second, _):
        both = f"{first},{second.removeprefix('proctor://')}"
        with pytest.raises(RefusedError, match=r"'other'.*'echo'"):
            RemotePolicy(both)


def test_a_policy_that_is_refused_leaves_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    close = Connection.close
    monkeypatch.setattr(Connection, "close", lambda self: (closed.append(self.name), close(self))[1])
    with served(Echo()) as (first, _), served(Echo(name="other")) as (second, _):
        with pytest.raises(RefusedError):
            RemotePolicy(f"{first},{second.removeprefix('proctor://')}")
        assert closed == [first, second]


def test_a_connection_that_nobody_closed_is_closed_with_its_monitor_and_stops_no_other() -> None:
    """Were its sockets left to the collector, the monitor might go first, and ZeroMQ's thread would wait for ever."""
    with served(Echo()) as (url, _):
        lost = Connection(url.replace("proctor", "tcp"), timeout_s=PATIENCE_S)
        lost.request("hello", {"token": ""})
        sockets = (lost._socket, lost._monitor)
        del lost
        gc.collect()
        assert all(each.closed for each in sockets)
    with served(Echo()) as (url, _), remote(url) as policy:
        assert policy.spec().name == "echo"


def test_a_replica_that_cannot_be_reached_is_passed_over() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    with served(Echo()) as (url, _), remote(f"{url},{nobody}") as policy:
        policy.reset("pick", episode())
        assert policy.act(seen(value=51))[0, 0] == pytest.approx(0.2)


def test_a_drained_server_refuses_the_next_episode_with_its_name() -> None:
    with served(Echo()) as (url, engine), remote(url) as policy:
        policy.reset("pick", episode())
        engine.drain()
        assert policy.act(seen()).shape == (1, 7)
        with pytest.raises(RefusedError, match=f"{url}: the server is stopping and takes no new episodes"):
            policy.reset("pick", episode(1))
        until(lambda: engine.outstanding() == 0)
