"""Replicas in processes of their own.

Several copies in one process would share one Python lock and one CUDA context, and a crash in native code would take
all of them; a process each has neither problem, can be bound to a GPU of its own before anything is imported, and is
started again when it dies. A single replica stays in the server's process, which saves copying observations to it.
"""

from __future__ import annotations

import contextlib
import glob
import logging
import os
import signal
import struct
from collections.abc import Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from proctor.core import EpisodeSpec, Observation, PolicySpec, ProctorError, PythonChild, start_python
from proctor.policies import describe_exception, load_policy
from proctor.policies.wire import (
    FrameError,
    Message,
    decode,
    encode,
    observation_arrays,
    observation_from,
    spec_from_map,
    spec_to_map,
)

from ._device import Device, DeviceError, DeviceLostError, LocalDevice, Result

_LOG = logging.getLogger(__name__)


def process_devices(name: str, args: Mapping[str, Any], count: int) -> list[Device]:
    """Return ``count`` devices; each has one of the machine's GPUs, in turn, if there are any."""
    gpus = visible_gpus()
    return [ProcessDevice(name, args, gpus[i % len(gpus)] if gpus else None) for i in range(count)]


def visible_gpus() -> list[str]:
    """Return what ``CUDA_VISIBLE_DEVICES`` allows, or else the numbers of the NVIDIA devices that the system shows."""
    allowed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if allowed is not None:
        return [part.strip() for part in allowed.split(",") if part.strip()]
    return [str(i) for i in range(len(glob.glob("/dev/nvidia[0-9]*")))]


class ProcessDevice:
    """A `LocalDevice` in a child process, over an inherited socket pair, in the frames of our wire."""

    def __init__(self, name: str, args: Mapping[str, Any], gpu: str | None) -> None:
        self._name, self._args, self._gpu = name, dict(args), gpu
        self._child: PythonChild | None = None

    def load(self) -> PolicySpec:
        """Start the child and wait until it has built the policy."""
        self.close()
        environ = dict(os.environ)
        if self._gpu is not None:
            environ["CUDA_VISIBLE_DEVICES"] = self._gpu
        self._child = start_python(main, environ=environ)
        answer = self._ask("load", {"name": self._name, "args": self._args})
        return spec_from_map(PolicySpec, answer.fields["spec"])

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        self._ask("begin", {"session": session, "instruction": instruction, "episode": spec_to_map(episode)})

    def act(self, sessions: Sequence[str], observations: Sequence[Observation]) -> list[Result]:
        """Send every observation, then read every result."""
        try:
            for session, seen in zip(sessions, observations, strict=True):
                fields = {"session": session, "instruction": seen.instruction, "step": seen.step}
                _send(self._wire(), encode("observe", 0, fields, observation_arrays(seen)))
        except OSError:
            raise self._lost() from None
        self._ask("act", {})
        results: list[Result] = []
        for _ in sessions:
            message = self._receive()
            results.append(message.fields["reason"] if message.type == "error" else message.arrays["actions"])
        return results

    def end(self, session: str) -> None:
        self._ask("end", {"session": session})

    def close(self) -> None:
        if self._child is not None:
            self._child.end(patience_s=3.0)
        self._child = None

    def _ask(self, type_: str, fields: dict[str, Any]) -> Message:
        try:
            _send(self._wire(), encode(type_, 0, fields))
        except OSError:
            raise self._lost() from None
        answer = self._receive()
        if answer.type == "error":
            raise DeviceError(answer.fields["reason"])
        return answer

    def _receive(self) -> Message:
        try:
            return _receive(self._wire())
        except (EOFError, OSError, FrameError):
            raise self._lost() from None

    def _wire(self) -> Connection:
        assert self._child is not None
        return self._child.connection

    def _lost(self) -> DeviceLostError:
        ended = self._child is not None and self._child.wait(1.0)
        how = f"died ({self._child.how_it_ended()})" if self._child and ended else "closed its connection"
        _LOG.warning("policy %s: process %s", self._name, how)
        return DeviceLostError(f"the process of policy {self._name!r} {how}")


def main(connection: Connection) -> None:
    """Serve one parent until it closes the connection. Ctrl-C is the parent's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        _Child(connection).run()


class _Child:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._device: LocalDevice | None = None
        self._batch: list[tuple[str, Observation]] = []

    def run(self) -> None:
        while True:
            message = _receive(self._connection)
            if message.type == "observe":
                seen = observation_from(message, message.fields["instruction"])
                self._batch.append((message.fields["session"], seen))
                continue
            try:
                self._answer(message)
            except (DeviceError, ProctorError) as error:
                _send(self._connection, encode("error", 0, {"reason": str(error)}))
            except Exception as error:
                _send(self._connection, encode("error", 0, {"reason": describe_exception(error)}))

    def _answer(self, message: Message) -> None:
        fields: dict[str, Any] = {}
        results: list[Result] = []
        if message.type == "load":
            name = message.fields["name"]
            self._device = LocalDevice(name, partial(load_policy, name, message.fields["args"]))
            fields["spec"] = spec_to_map(self._device.load())
        assert self._device is not None
        if message.type == "begin":
            episode = spec_from_map(EpisodeSpec, message.fields["episode"])
            self._device.begin(message.fields["session"], message.fields["instruction"], episode)
        elif message.type == "end":
            self._device.end(message.fields["session"])
        elif message.type == "act":
            batch, self._batch = self._batch, []
            results = self._device.act([session for session, _ in batch], [seen for _, seen in batch])
        _send(self._connection, encode("ok", 0, fields))
        for result in results:
            if isinstance(result, str):
                _send(self._connection, encode("error", 0, {"reason": result}))
            else:
                _send(self._connection, encode("actions", 0, {}, {"actions": result}))


def _send(connection: Connection, frames: list[Any]) -> None:
    connection.send_bytes(struct.pack("<I", len(frames)))
    for frame in frames:
        connection.send_bytes(frame if isinstance(frame, bytes) else memoryview(frame).cast("B"))


def _receive(connection: Connection) -> Message:
    (count,) = struct.unpack("<I", connection.recv_bytes())
    return decode([connection.recv_bytes() for _ in range(count)])
