"""A client's connection: one question, one answer, and an error that names the server when there is none."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from typing import Any

import zmq
from numpy.typing import NDArray
from zmq.utils.monitor import parse_monitor_message

from ._bell import LOOK, Bell
from ._errors import RefusedError, WireError
from ._frames import MAX_ARRAYS, MAX_MESSAGE_BYTES, Buffer, FrameError, Message, VersionError, decode, encode
from ._router import COPY_BELOW_BYTES, send_frames
from ._shared import BLOCK_BYTES, SharedBlock
from ._watched import NO_LINGER, watch

_WATCHED = zmq.EVENT_CONNECTED | zmq.EVENT_DISCONNECTED
_STRETCH_MS = 100


class Connection:
    """Blocking, for one thread. ``name`` is how errors call the server, by default its endpoint.

    ZeroMQ connects in the background and again after a loss; `request` notices a loss at once, because whatever was
    asked before it will never be answered.
    """

    def __init__(self, endpoint: str, *, name: str = "", timeout_s: float = 50.0, connect_s: float = 5.0) -> None:
        self.endpoint, self.name = endpoint, name or endpoint
        self.timeout_s, self.connect_s = timeout_s, connect_s
        self._numbers = itertools.count(1)
        self._block: SharedBlock | None = None
        self._bell: Bell | None = None
        self._shared = self._rings = False
        self._open()

    def _open(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
        self._connected = False
        self._socket = context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, NO_LINGER)
        self._socket.setsockopt(zmq.RCVTIMEO, _STRETCH_MS)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
        self._socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        self._socket.setsockopt(zmq.IPV6, 1 if "[" in self.endpoint else 0)
        self._monitor, self._shut = watch(self, self._socket, _WATCHED)
        try:
            self._socket.connect(self.endpoint)
        except zmq.ZMQError as error:
            self.close()
            raise WireError(f"{self.name} is no address that can be connected to: {error}") from None

    def offer_block(self, size: int = BLOCK_BYTES) -> dict[str, Any] | None:
        """Return the description of a shared block for the hello, None where there can be none."""
        if self._block is None:
            self._block = SharedBlock.create(size)
        if self._block is None:
            return None
        # New ones each time: what somebody once opened could take a message from whoever it is for.
        self._silence()
        self._bell = Bell.create()
        return {**self._block.offer, "bell": self._bell.offer} if self._bell else self._block.offer

    def use_block(self, accepted: bool, bell: bool = False) -> None:
        """Send arrays through the shared block from now on, if the server has found it, and headers beside it."""
        self._shared = accepted and self._block is not None
        self._rings = self._shared and bell and self._bell is not None
        if self._bell is not None and self._rings:
            self._bell.agreed()
        else:
            self._silence()

    def _silence(self) -> None:
        if self._bell is not None:
            self._bell.close()
        self._bell, self._rings = None, False

    @property
    def shared(self) -> bool:
        """Whether arrays go through shared memory."""
        return self._shared

    @property
    def rings(self) -> bool:
        """Whether small messages go through the pipes beside it."""
        return self._rings

    def request(
        self,
        type_: str,
        fields: Mapping[str, Any] | None = None,
        arrays: Mapping[str, NDArray[Any]] | None = None,
        *,
        jpeg: bool = False,
        timeout_s: float | None = None,
    ) -> Message:
        """Ask and wait for the answer of the same number; an answer to an earlier question is dropped.

        An ``error`` or ``refuse`` raises `RefusedError`; silence, loss and bytes that are no answer raise `WireError`.
        """
        number = next(self._numbers)
        block = self._block.view if self._shared and self._block is not None and arrays else None
        try:
            frames = encode(type_, number, fields, arrays, jpeg=jpeg and block is None, block=block)
        except FrameError as error:
            raise WireError(f"cannot send {type_!r} to {self.name}: {error}") from None
        limit = self.timeout_s if timeout_s is None else timeout_s
        # A server that is gone has ended its pipe, so that nobody need ask ZeroMQ whether the connection stands.
        bell = self._bell if self._rings else None
        if bell is None or not bell.ask(frames):
            bell = None
            self._require_connected(min(limit, self.connect_s))
            send_frames(self._socket, frames)
        try:
            answer = self._answer(type_, number, limit, bell)
        except BaseException:
            # An answer that comes late would lie before the next one.
            self._silence()
            raise
        if answer.type in ("error", "refuse"):
            reason = " ".join(str(answer.fields.get("reason")).split())[:500]
            raise RefusedError(f"{self.name}: {reason}", str(answer.fields.get("code", "")))
        return answer

    def _require_connected(self, limit_s: float) -> None:
        """Wait for the first connection; a connection that was lost meanwhile is an error."""
        lost = self._hear_monitor()
        if lost:
            raise WireError(f"{self.name} closed the connection: it has stopped or was restarted")
        deadline = time.monotonic() + limit_s
        while not self._connected:
            left = deadline - time.monotonic()
            if left <= 0 or not self._monitor.poll(max(1, int(left * 1000))):
                raise WireError(f"{self.name} cannot be reached: is a server running there?")
            self._hear_monitor()

    def _hear_monitor(self) -> bool:
        """Note connections made and lost; return whether one was lost."""
        lost = False
        while int(self._monitor.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            event = parse_monitor_message(self._monitor.recv_multipart())["event"]
            self._connected = event == zmq.EVENT_CONNECTED
            lost |= event == zmq.EVENT_DISCONNECTED
        return lost

    def _answer(self, type_: str, number: int, limit_s: float, bell: Bell | None) -> Message:
        """Wait in short stretches, after each of which we look whether the connection still stands.

        That is cheaper than waiting for socket and monitor together, above all for many clients on few cores.
        """
        deadline = time.monotonic() + limit_s
        while True:
            try:
                first = self._next(bell)
            except EOFError:
                raise WireError(f"{self.name} closed the connection before it answered {type_!r}") from None
            if first is None:
                if self._hear_monitor():
                    raise WireError(f"{self.name} closed the connection before it answered {type_!r}")
                if time.monotonic() > deadline:
                    raise WireError(f"{self.name} did not answer {type_!r} within {limit_s:g} s")
                continue
            if bell is not None and first == LOOK:
                bell = None
                continue
            message = self._read(first, type_, whole=bell is not None)
            # Number 0 answers a request whose number the server could not read.
            if message.id == number or (message.id == 0 and message.type == "error"):
                return message

    def _next(self, bell: Bell | None) -> bytes | None:
        """Return the first frame of what comes next, None after a stretch of silence."""
        if bell is not None:
            return bell.hear(_STRETCH_MS)
        try:
            return self._socket.recv()
        except zmq.Again:
            return None

    def _read(self, first: bytes, type_: str, *, whole: bool) -> Message:
        frames: list[Buffer] = [first]
        more = not whole and self._socket.getsockopt(zmq.RCVMORE)
        while more:
            frame = self._socket.recv(copy=False)
            more = frame.more
            if len(frames) <= MAX_ARRAYS:
                frames.append(frame.bytes if len(frame) < COPY_BELOW_BYTES else frame.buffer)
        try:
            return decode(frames)
        except VersionError as error:
            raise WireError(f"{self.name} speaks another version: {error}") from None
        except FrameError as error:
            raise WireError(f"{self.name} sent no answer to {type_!r}: {error}") from None

    def reconnect(self) -> None:
        """Drop everything of the old connection, answers under way included, and connect anew."""
        self._close_socket()
        self.use_block(False)
        self._open()

    def _close_socket(self) -> None:
        self._shut()

    def close(self) -> None:
        """Free socket and shared block."""
        self._close_socket()
        self.use_block(False)
        if self._block is not None:
            self._block.close()
            self._block = None
