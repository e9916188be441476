"""The laws of the one launcher: a child answers, says how it ended, and outlives neither `end` nor its parent."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from proctor.core import ChildProcess, PythonChild, start_python

PATIENCE_S = 20.0
MODULE = """
import logging, os, signal, subprocess, sys, time

def echo(connection, *args):
    logging.getLogger("proctor.a_child").warning("begun")
    connection.send((args, os.getpid(), "PYTEST_CURRENT_TEST" in os.environ))
    while True:
        try:
            message = connection.recv()
        except EOFError:
            return
        connection.send(message)

def crash(connection, number):
    print("the last thing it said", file=sys.stderr)
    os.kill(os.getpid(), number)

def parent_of_two(connection):
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    connection.send(other.pid)
    time.sleep(600)

def deaf(connection):
    time.sleep(600)

def nested(connection):
    # Start a child of our own, from a thread that ends, and be killed.
    import threading
    from proctor.core import start_python
    made = []
    thread = threading.Thread(target=lambda: made.append(start_python(deaf)))
    thread.start()
    thread.join()
    connection.send(made[0].pid)
    time.sleep(600)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    name = f"children_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return importlib.import_module(name)


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def eventually(what: Callable[[], bool]) -> bool:
    limit = time.monotonic() + PATIENCE_S
    while not what() and time.monotonic() < limit:
        time.sleep(0.02)
    return what()


def test_a_function_runs_elsewhere_and_answers_until_its_connection_ends(module: ModuleType, tmp_path: Path) -> None:
    child = start_python(module.echo, 3, "it's", log=tmp_path / "log", environ={"PYTHONPATH": str(tmp_path)})
    args, pid, inherited = child.connection.recv()
    assert (args, pid, inherited) == ((3, "it's"), child.pid, False)
    child.connection.send({"a": [1.5]})
    assert child.connection.recv() == {"a": [1.5]}
    assert child.end(patience_s=PATIENCE_S) == "exit code 0"
    assert child.last_words().endswith(f"WARNING proctor.a_child [{pid}]: begun")


def test_how_it_ended_and_its_last_words(module: ModuleType, tmp_path: Path) -> None:
    child = start_python(module.crash, int(signal.SIGSEGV), log=tmp_path / "log")
    assert child.how_it_ended() in ("running", "signal SIGSEGV")
    assert child.wait(PATIENCE_S)
    assert child.end() == child.how_it_ended() == "signal SIGSEGV"
    assert child.last_words() == "the last thing it said"
    command = [sys.executable, "-c", "print('open http://x', flush=True); raise SystemExit(3)"]
    program = ChildProcess(command, log=tmp_path / "other")
    assert program.wait_for_line("open ", PATIENCE_S) == "http://x"
    assert program.wait_for_line("never ", PATIENCE_S) is None
    assert program.end(patience_s=PATIENCE_S) == "exit code 3"


def test_ending_it_ends_what_it_started(module: ModuleType) -> None:
    child = start_python(module.parent_of_two)
    other = child.connection.recv()
    assert not gone(other)
    assert child.end() == "signal SIGKILL"
    assert eventually(lambda: gone(other))


def test_it_outlives_the_thread_that_started_it(module: ModuleType) -> None:
    made: list[PythonChild] = []
    thread = threading.Thread(target=lambda: made.append(start_python(module.echo)))
    thread.start()
    thread.join()
    (child,) = made
    child.connection.recv()
    child.connection.send("still there")
    assert child.connection.recv() == "still there"
    child.end(patience_s=PATIENCE_S)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes a second")
def test_it_dies_with_its_parent_however_that_ends(module: ModuleType) -> None:
    parent = start_python(module.nested)
    child = parent.connection.recv()
    assert not gone(child)
    os.kill(parent.pid, signal.SIGKILL)
    assert eventually(lambda: gone(child))
    parent.end()


def test_what_another_process_cannot_import_is_refused() -> None:
    def inner(connection: object) -> None: ...

    with pytest.raises(ValueError, match="cannot be imported"):
        start_python(inner)


def test_a_program_with_a_pipe_for_input_ends_with_it(tmp_path: Path) -> None:
    code = "import sys; sys.stdin.read(); print('end of input')"
    program = ChildProcess([sys.executable, "-c", code], log=tmp_path / "log", own_session=False, stdin_pipe=True)
    assert program.alive
    ps = subprocess.run(["ps", "-o", "sid=", "-p", str(program.pid)], capture_output=True, text=True, check=False)
    assert not ps.stdout.strip() or int(ps.stdout) == os.getsid(0)
    program.end()
    assert not program.alive
