"""The server's socket: a ZeroMQ ROUTER that hands over whole messages, however much a peer sends.

A multipart message that is too long is read and thrown away frame by frame; a single frame above the limit makes ZeroMQ
itself cut the connection before the bytes are stored. Stand-alone like ``_frames.py``; needs pyzmq.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
from collections.abc import Callable
from typing import Any

import zmq

from ._bell import LOOK, OpenedBell, open_bell
from ._frames import MAX_ARRAY_BYTES, MAX_ARRAYS, Buffer

# Clients that may ring: each costs two descriptors, of which a process has about a thousand. Others use the socket.
MAX_BELLS = 64
# Below this a copy is cheaper than ZeroMQ's bookkeeping for a shared buffer.
COPY_BELOW_BYTES = 65536


def send_frames(socket_: Any, frames: list[Any]) -> None:
    """Send a message; large arrays are handed over, small frames are copied."""
    if len(frames) == 1:
        socket_.send(frames[0])
    else:
        large = any(getattr(frame, "nbytes", 0) >= COPY_BELOW_BYTES for frame in frames)
        socket_.send_multipart(frames, copy=not large)


class BindError(OSError):
    """The address cannot be listened on."""


class Router:
    """Listens on ``endpoint`` (``tcp://host:port``, port 0 for any free one; ``ipc:///path``)."""

    def __init__(self, endpoint: str) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.LINGER, 500)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_ARRAY_BYTES)
        self._socket.setsockopt(zmq.IPV6, 1 if "[" in endpoint else 0)
        self._ipc = endpoint.removeprefix("ipc://") if endpoint.startswith("ipc://") else ""
        try:
            self._bind(endpoint)
        except (zmq.ZMQError, OSError) as error:
            self._socket.close(0)
            self._context.term()
            reason = "it is in use" if getattr(error, "errno", 0) == zmq.EADDRINUSE else str(error)
            raise BindError(f"cannot listen on {endpoint}: {reason}") from None
        self.endpoint: str = self._socket.getsockopt_string(zmq.LAST_ENDPOINT)
        self.port = 0 if self._ipc else int(self.endpoint.rpartition(":")[2])
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._bells: dict[bytes, OpenedBell] = {}
        self._ringers: dict[int, bytes] = {}
        self._rung: list[int] = []

    def _bind(self, endpoint: str) -> None:
        if self._ipc and os.path.exists(self._ipc):
            # ZeroMQ would take the path over from a server that still listens there.
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(self._ipc) == 0:
                    raise zmq.ZMQError(zmq.EADDRINUSE)
            os.unlink(self._ipc)
        self._socket.bind(endpoint)
        if self._ipc:
            os.chmod(self._ipc, 0o600)

    def watch(self, descriptor: int) -> None:
        """Let `wait` return also when this file descriptor can be read."""
        self._poller.register(descriptor, zmq.POLLIN)

    def wait(self, timeout_s: float | None) -> set[int]:
        """Wait for a message or a watched descriptor; return the descriptors that can be read."""
        # Rounded up: a wait that ends early would be begun again and again until its time has come.
        events = self._poller.poll(None if timeout_s is None else math.ceil(timeout_s * 1000))
        ready = [entry for entry, _ in events if isinstance(entry, int)]
        self._rung = [entry for entry in ready if entry in self._ringers]
        return {entry for entry in ready if entry not in self._ringers}

    def hang(self, peer: bytes, offer: Any) -> bool:
        """Hear a peer through the pipes that it offers beside its block, too; return whether they could be opened."""
        self.unhang(peer)
        bell = open_bell(offer) if len(self._bells) < MAX_BELLS else None
        if bell is None:
            return False
        self._bells[peer], self._ringers[bell.asked] = bell, peer
        self._poller.register(bell.asked, zmq.POLLIN)
        return True

    def unhang(self, peer: bytes) -> None:
        """Close a peer's pipes, if it has some."""
        bell = self._bells.pop(peer, None)
        if bell is not None:
            del self._ringers[bell.asked]
            self._poller.unregister(bell.asked)
            bell.close()

    def receive(self) -> tuple[bytes, list[Buffer]] | None:
        """Return (peer, frames) of the next message without waiting, None if there is none.

        What came through a pipe is found after a `wait` that noticed it.
        """
        while self._rung:
            ringer = self._ringers.get(self._rung.pop())
            if ringer is None:
                continue
            found = self._bells[ringer].take()
            if found:
                return ringer, [found]
            if found is not None:
                self.unhang(ringer)
        # Asking first is cheaper than the exception of a receive that finds nothing.
        if not int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            return None
        receive = self._socket.recv
        peer: bytes = receive()
        frames: list[Buffer] = []
        more = self._socket.getsockopt(zmq.RCVMORE)
        if more:
            frames.append(receive())
            more = self._socket.getsockopt(zmq.RCVMORE)
        while more:
            frame = receive(copy=False)
            more = frame.more
            if len(frames) <= MAX_ARRAYS:
                frames.append(frame.bytes if len(frame) < COPY_BELOW_BYTES else frame.buffer)
        return peer, frames

    def send(self, peer: bytes, frames: list[Any]) -> None:
        """Send to a peer, the way it asked; one that is gone is ignored."""
        bell = self._bells.get(peer)
        if bell is None or not bell.waits:
            self._send(peer, frames)
            return
        bell.waits = False
        if not bell.tell(frames):
            self._send(peer, frames)
            bell.tell([LOOK])

    def _send(self, peer: bytes, frames: list[Any]) -> None:
        try:
            self._socket.send(peer, zmq.SNDMORE)
            send_frames(self._socket, frames)
        except zmq.ZMQError:
            return

    def each(self, handle: Callable[[bytes, list[Buffer]], None], limit: int = 1000) -> None:
        """Hand every message that is there to ``handle``."""
        for _ in range(limit):
            found = self.receive()
            if found is None:
                return
            handle(*found)

    def close(self) -> None:
        """Send what is queued, then free the address."""
        for peer in list(self._bells):
            self.unhang(peer)
        self._socket.close()
        self._context.term()
        if self._ipc:
            with contextlib.suppress(OSError):
                os.unlink(self._ipc)
