"""``proctor serve`` as a user meets it: its one line, its exit codes, its template in an empty environment."""

from __future__ import annotations

import ast
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from serving_support import PATIENCE_S, Process, episode, seen, until

from proctor.core import ProctorError
from proctor.policies.adapters import adapter_names
from proctor.policies.remote import RemotePolicy
from proctor.policies.wire import RefusedError, WireError
from proctor.serving import template_text

ECHO = "serving_support:Echo"


def refused(folder: Path, *arguments: str) -> str:
    """Run a serve command that must refuse; return its only line."""
    server = Process(*arguments, folder=folder, wait=False)
    out, error = server.process.communicate(timeout=PATIENCE_S)
    assert server.process.returncode == 2, out + error
    assert error.startswith("error: ")
    assert len(error.splitlines()) == 1
    return error


def test_a_server_says_where_it_is_serves_and_drains(tmp_path: Path) -> None:
    server = Process(ECHO, "--port", "0", "--metrics-port", "0", "--policy-arg", "name=mine", folder=tmp_path)
    policy = RemotePolicy(server.url)
    assert policy.spec().name == "mine"
    policy.reset("pick", episode())
    assert policy.act(seen(value=51))[0, 0] == pytest.approx(0.2)
    server.process.send_signal(signal.SIGTERM)

    def stopping() -> bool:
        try:
            other = RemotePolicy(server.url)
        except RefusedError as error:
            return "takes no new episodes" in str(error)
        other.close()
        return False

    until(stopping)
    assert policy.act(seen(1, value=51))[0, 0] == pytest.approx(0.2), "an episode under way may end"
    policy.close()
    out, error = server.process.communicate(timeout=PATIENCE_S)
    assert (server.process.returncode, error) == (0, "")
    assert f"mine (mine-1) is served on {server.url}" in out
    assert f"proctor run arena --policy {server.url}" in out


def test_metrics_and_health_over_http(tmp_path: Path) -> None:
    server = Process(ECHO, "--port", "0", "--metrics-port", "0", folder=tmp_path)
    assert server.process.stdout is not None
    line = server.process.stdout.readline()
    root = line.split("metrics on ")[1].split("/metrics")[0]
    with urllib.request.urlopen(f"{root}/health", timeout=PATIENCE_S) as page:
        assert json.load(page) == {"status": "ready", "episodes": 0, "outstanding": 0}
    policy = RemotePolicy(server.url)
    policy.reset("pick", episode())
    policy.act(seen())
    with urllib.request.urlopen(f"{root}/metrics", timeout=PATIENCE_S) as page:
        text = page.read().decode()
        assert page.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "\nproctor_requests_total 1\n" in text
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{root}/secrets", timeout=PATIENCE_S)
    policy.close()
    assert server.end()[0] == 0


def test_a_killed_server_that_comes_back_takes_the_next_episode(tmp_path: Path) -> None:
    path = str(tmp_path / "s.sock")
    server = Process(ECHO, "--socket", path, folder=tmp_path)
    assert server.url == f"proctor://{path}"
    policy = RemotePolicy(server.url)
    policy.reset("pick", episode())
    policy.act(seen())
    server.end(signal.SIGKILL)
    with pytest.raises(WireError, match=f"proctor://{path}.*closed the connection"):
        policy.act(seen(1))
    server = Process(ECHO, "--socket", path, folder=tmp_path)
    policy.reset("pick", episode(1))
    assert policy.act(seen())[0, 2] == pytest.approx(0.001)
    policy.close()
    assert server.end()[0] == 0


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"cannot listen on tcp://127.0.0.1:{port}: it is in use" in refused(tmp_path, ECHO, "--port", port)
        assert "for metrics" in refused(tmp_path, ECHO, "--port", "0", "--metrics-port", port)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["expert", "--port", "0"], "privileged"),
        (["nop", "--port", "0"], "did you mean 'noop'"),
        (["noop", "--host", "0.0.0.0", "--port", "0"], "give --token"),
        (["noop", "--wire", "openpy", "--port", "0"], "did you mean 'openpi'"),
        (["proctor://127.0.0.1:1", "--port", "0"], "served already"),
        (["no.such.module:Policy", "--port", "0"], "there is no module"),
        ([ECHO, "--replicas", "2", "--policy-arg", "nam=x", "--port", "0"], "did you mean 'name'"),
        ([ECHO, "--wire", "openpi", "--socket", "x"], "--socket is for the proctor wire"),
        ([], "name a policy"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert words in refused(tmp_path, *arguments)


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment with numpy, msgpack and pyzmq and nothing else, least of all proctor."""
    site = tmp_path / "site"
    site.mkdir()
    for name in ("numpy", "msgpack", "zmq"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        for path in (package, *package.parent.glob(f"{package.name}.libs"), *package.parent.glob("pyzmq.libs")):
            if not (site / path.name).exists():
                (site / path.name).symlink_to(path)
    return {"PYTHONPATH": str(site), "PATH": os.environ["PATH"]}


def test_the_template_runs_with_three_packages_only(tmp_path: Path, bare: dict[str, str]) -> None:
    file, ready = tmp_path / "my_server.py", tmp_path / "ready"
    file.write_text(template_text(), encoding="utf-8")
    alone = [sys.executable, "-S"]
    without = subprocess.run([*alone, "-c", "import proctor"], env=bare, capture_output=True, text=True, check=False)
    assert "No module named 'proctor'" in without.stderr
    command = [*alone, str(file), "--port", "0", "--ready-file", str(ready), "--arg", "speed=0.5", "--token", "s3cret"]
    process = subprocess.Popen(command, env=bare, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: ready.exists() and ready.read_text().endswith("\n"), alive=process)
    url = ready.read_text().strip()
    with pytest.raises(RefusedError, match="token"):
        RemotePolicy(url, token="guess")
    policies = [RemotePolicy(url, token="s3cret", shm=shm) for shm in (True, False)]
    for policy in policies:
        assert (policy.spec().name, policy.spec().chunk) == ("my-policy", 8)
        policy.reset("pick", episode())
        actions = policy.act(seen(value=51, size=256, cameras=("agentview", "wrist")))
        assert actions.shape == (8, 7)
        assert actions[:, 2] == pytest.approx(np.full(8, 0.1))
        with pytest.raises(RefusedError, match="it needs"):
            policy.act(seen(size=256))
        policy.close()
    process.send_signal(signal.SIGTERM)
    out, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, error) == (0, "")
    assert url in out


def test_a_template_that_cannot_load_or_listen_says_so(tmp_path: Path, bare: dict[str, str]) -> None:
    file = tmp_path / "my_server.py"
    file.write_text(template_text(), encoding="utf-8")

    def run(*arguments: str) -> str:
        command = [sys.executable, "-S", str(file), *arguments]
        done = subprocess.run(command, env=bare, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        return done.stderr

    assert "could not be loaded: TypeError" in run("--port", "0", "--arg", "sped=1")
    assert "give --token" in run("--host", "0.0.0.0")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "in use" in run("--port", str(taken.getsockname()[1]))


@pytest.mark.parametrize("name", adapter_names())
def test_every_adapter_fits_into_the_template(name: str) -> None:
    tree = ast.parse(template_text(name), feature_version=(3, 10))
    imported = {alias.name.split(".")[0] for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module.split(".")[0] for node in tree.body if isinstance(node, ast.ImportFrom) and node.module}
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))
    assert imported - set(sys.stdlib_module_names) == {"numpy", "msgpack", "zmq"}


def test_an_adapter_that_is_not_there() -> None:
    with pytest.raises(ProctorError, match="did you mean 'openvla'"):
        template_text("opnvla")
    with pytest.raises(ProctorError, match="has no class 'Nothing'"):
        template_text("openvla:Nothing")
