"""Addresses, loopback, tokens, specs as maps."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core import EnvSpec, EpisodeSpec, PolicySpec
from proctor.policies.wire import (
    BindError,
    FrameError,
    Router,
    WireError,
    endpoint_of,
    is_loopback,
    require_token,
    same_token,
    spec_from_map,
    spec_to_map,
)


@pytest.mark.parametrize(
    ("address", "endpoint"),
    [
        ("127.0.0.1:8000", "tcp://127.0.0.1:8000"),
        ("localhost:1", "tcp://127.0.0.1:1"),
        ("gpu-3.lab.example:65535", "tcp://gpu-3.lab.example:65535"),
        ("[::1]:8000", "tcp://[::1]:8000"),
        ("/run/policy.sock", "ipc:///run/policy.sock"),
    ],
)
def test_addresses(address: str, endpoint: str) -> None:
    assert endpoint_of(address) == endpoint


@pytest.mark.parametrize(
    "address", ["", "host", "host:", ":80", "host:0", "host:65536", "a b:80", "host:80/x", "::1:80"]
)
def test_no_addresses(address: str) -> None:
    with pytest.raises(WireError, match="write host:port"):
        endpoint_of(address)


def test_only_loopback_goes_without_a_token() -> None:
    for host in ("127.0.0.1", "127.8.9.1", "::1", "localhost"):
        assert is_loopback(host)
        require_token(host, "")
    for host in ("0.0.0.0", "::", "10.0.0.3", "gpu-3"):
        require_token(host, "secret")
        with pytest.raises(WireError, match="--token"):
            require_token(host, "")


def test_tokens() -> None:
    assert same_token(None, "")
    assert same_token("s3cret", "s3cret")
    for wrong in (None, "", "s3cre", "s3crett", b"s3cret", 3, "s3cr\udce9t"):
        assert not same_token(wrong, "s3cret")


def test_a_port_in_use_is_said_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BindError, match="in use"):
            Router(f"tcp://127.0.0.1:{taken.getsockname()[1]}")


def test_a_socket_path_in_use_is_not_taken_over_and_a_stale_one_is(tmp_path) -> None:
    path = tmp_path / "a.sock"
    first = Router(f"ipc://{path}")
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(BindError, match="in use"):
        Router(f"ipc://{path}")
    first.close()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
    Router(f"ipc://{path}").close()


WORDS = st.text(max_size=10)


@given(
    st.builds(
        PolicySpec,
        name=WORDS,
        cameras=st.lists(WORDS).map(tuple),
        image_size=st.integers(0, 5000),
        control_hz=st.floats(1, 100),
        chunk=st.integers(1, 100),
        privileged=st.booleans(),
        fingerprint=WORDS,
    )
)
def test_policy_specs_survive(spec: PolicySpec) -> None:
    values = {key: list(value) if isinstance(value, tuple) else value for key, value in spec_to_map(spec).items()}
    assert spec_from_map(PolicySpec, {**values, "of_a_later_version": 1}) == spec


def test_episode_and_env_specs_survive() -> None:
    episode = EpisodeSpec("s", "t", "L0", "h", 3, 2**52, "pick", "p", policy_args={"a": [1]}, sent="grab")
    assert spec_from_map(EpisodeSpec, spec_to_map(episode)).episode_id == episode.episode_id
    env = EnvSpec("e", ("a", "b"), fingerprint={"mujoco": "3"})
    assert spec_from_map(EnvSpec, spec_to_map(env)) == env


@pytest.mark.parametrize(
    "change", [{"name": 3}, {"cameras": "agentview"}, {"chunk": "4"}, {"chunk": True}, {"control_hz": None}]
)
def test_values_of_another_type_are_named(change: dict) -> None:
    with pytest.raises(FrameError, match=rf"PolicySpec: .*\$\.{next(iter(change))}"):
        spec_from_map(PolicySpec, {"name": "x", **change})


def test_a_missing_name_is_named() -> None:
    with pytest.raises(FrameError, match="missing required field `name`"):
        spec_from_map(PolicySpec, {})
