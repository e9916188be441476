"""Serves one environment to the process that started it: ``python _server.py NAME ENDPOINT``.

The wire is Proctor's (``policies/wire/_frames.py``, loaded by its path) over a ZeroMQ PAIR socket in a private
folder. Requests: env_tasks, env_open, env_reset, env_observe, env_step, env_finish, env_probe, env_close; the answer
has the same type, or is ``error`` with one line and ``mistake`` true where the user has to change something. The
process ends when its standard input does, that is with whoever started it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import zmq

HERE = Path(__file__).resolve().parent


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"proctor_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Account:
    """What an episode has come to, the same for every simulator. ``cost`` is the simulator's own where it tells one."""

    def __init__(self, control_hz: float) -> None:
        self.control_hz = control_hz
        self.steps = self.cost_steps = 0
        self.returned = self.cost = 0.0
        self.success_at: int | None = None
        self.cost_at: int | None = None
        self.events: list[list[Any]] = []
        self.ended = False
        self.digest = hashlib.sha256()

    def note(self, kind: str, value: float = 0.0) -> None:
        """Keep an event: [step, time in s, kind, name, value]."""
        self.events.append([self.steps, self.steps / self.control_hz, kind, "", value])

    def step(self, action: Any, state: Any, told: dict[str, Any]) -> dict[str, Any]:
        """Account for one step; ``told`` has reward, success, cost (or None), ended."""
        first = len(self.events)
        self.steps += 1
        self.digest.update(np.ascontiguousarray(action, np.float64).tobytes())
        self.digest.update(np.ascontiguousarray(state, np.float64).tobytes())
        self.returned += float(told["reward"])
        cost = float(told["cost"] or 0.0)
        if cost:
            self.cost += cost
            self.cost_steps += 1
            if self.cost_at is None:
                self.cost_at = self.steps
                self.note("cost_on", cost)
        if told["success"] and self.success_at is None:
            self.success_at = self.steps
            self.note("success")
        if told["ended"] and not self.ended:
            self.note("ended")
        self.ended = self.ended or bool(told["ended"])
        return {
            "success": self.success_at is not None,
            "cost": cost,
            "ended": self.ended,
            "events": self.events[first:],
        }

    def finish(self, success: bool) -> dict[str, Any]:
        """Return the outcome, the sum of rewards as an event. ``success``: the whole episode makes it one."""
        if success and self.success_at is None:
            self.success_at = self.steps
            self.note("success")
        self.note("return", self.returned)
        return {
            "success_step": self.success_at,
            "steps": self.steps,
            "cost": self.cost,
            "cost_steps": self.cost_steps,
            "cost_step": self.cost_at,
            "events": self.events,
            "trajectory_hash": self.digest.hexdigest()[:32],
        }


class Server:
    """Answers one request at a time."""

    def __init__(self, side: Any, frames: Any) -> None:
        self.side, self.frames = side, frames
        self.account = Account(1.0)
        self.control_hz = 1.0

    def answer(self, message: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return fields and arrays of the answer to ``message``."""
        handler = getattr(self, f"on_{message.type}", None)
        if handler is None:
            raise SystemExit(f"unknown request {message.type!r}")
        answer: tuple[dict[str, Any], dict[str, Any]] = handler(message.fields, message.arrays)
        return answer

    def on_env_tasks(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """List the tasks whose name begins with ``selector``."""
        return {"tasks": self.side.tasks(fields["selector"]), "versions": self.side.versions()}, {}

    def on_env_open(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Prepare for ``task`` and say what the environment offers."""
        spec = self.side.open(fields["task"], dict(fields["args"]))
        self.control_hz = float(spec["control_hz"])
        fingerprint = {**self.side.versions(), **spec.pop("rules")}
        return {"spec": {**spec, "fingerprint": fingerprint}}, {}

    def on_env_reset(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode of ``task`` with ``seed`` and ``episode``."""
        self.side.reset(fields["task"], int(fields["seed"]), int(fields["episode"]))
        self.account = Account(self.control_hz)
        self.account.digest.update(np.ascontiguousarray(self.side.state(), np.float64).tobytes())
        return {}, {}

    def on_env_observe(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the state and pictures of ``cameras``."""
        size = int(fields["image_size"])
        pictures = {f"image:{camera}": self.side.picture(camera, size) for camera in fields["cameras"]}
        return {"step": self.account.steps}, {"state": np.asarray(self.side.state(), np.float64), **pictures}

    def on_env_step(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Advance by ``action``; after the end nothing moves any more."""
        action = arrays["action"]
        if self.account.ended:
            return {"success": self.account.success_at is not None, "cost": 0.0, "ended": True, "events": []}, {}
        told = self.side.step(action)
        return self.account.step(action, self.side.state(), told), {}

    def on_env_finish(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Close the episode's account."""
        return self.account.finish(self.side.judge(self.account.returned)), {}

    def on_env_probe(self, fields: dict[str, Any], arrays: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Let an episode's start settle without a policy and say what moved."""
        return {"probe": self.side.probe(fields["task"], int(fields["episode"]), fields["args"])}, {}


def one_line(error: BaseException) -> str:
    """Return type, message and place of an exception."""
    where = traceback.extract_tb(error.__traceback__)
    place = f" ({where[-1].filename}:{where[-1].lineno})" if where else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"


def end_with_parent(folder: Path) -> None:
    """End this process, whatever it is doing, as soon as nobody holds the other end of its standard input.

    Whoever started it can then no longer remove the ``folder`` that both share.
    """

    def watch() -> None:
        while os.read(0, 4096):
            pass
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def main(name: str, endpoint: str) -> None:
    """Serve until env_close or the parent's end."""
    end_with_parent(Path(endpoint.removeprefix("ipc://")).parent)
    frames = load(HERE.parents[2] / "policies" / "wire" / "_frames.py")
    socket: Any = zmq.Context.instance().socket(zmq.PAIR)
    socket.setsockopt(zmq.LINGER, 1000)
    socket.setsockopt(zmq.MAXMSGSIZE, frames.MAX_MESSAGE_BYTES)
    socket.connect(endpoint)
    server: Server | None = None
    while True:
        message = frames.decode([bytes(frame) for frame in socket.recv_multipart()])
        if message.type == "env_close":
            socket.send_multipart(frames.encode("env_close", message.id))
            socket.close()
            return
        try:
            if server is None:
                server = Server(load(HERE / f"_{name}.py").Side(), frames)
            fields, arrays = server.answer(message)
            reply = frames.encode(message.type, message.id, fields, arrays)
        except SystemExit as stop:
            reply = frames.encode("error", message.id, {"message": str(stop.code), "mistake": True})
        except Exception as error:
            traceback.print_exc()
            reply = frames.encode("error", message.id, {"message": one_line(error), "mistake": False})
        sys.stdout.flush()
        socket.send_multipart(reply)


if __name__ == "__main__":
    # The folder of this file must not be searched for modules, simulators have names too; the user's own is.
    sys.path[:] = [os.getcwd(), *(entry for entry in sys.path if Path(entry or ".").resolve() != HERE)]
    main(*sys.argv[1:])
