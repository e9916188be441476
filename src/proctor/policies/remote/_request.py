"""A blocking ZeroMQ request connection of a policy. Whatever goes wrong is one line that names the server."""

from __future__ import annotations

import time

import zmq
from zmq.utils.monitor import parse_monitor_message

from proctor.policies.wire import MAX_FOREIGN_BYTES, WireError, endpoint_of, watch

_CONNECT_S = 5.0


class RequestLink:
    """A REQ socket, and a monitor that notices at once when the server goes away: its answer would never come."""

    def __init__(self, name: str, address: str, timeout_s: float) -> None:
        self.name, self.timeout_s = name, timeout_s
        self._endpoint = endpoint_of(address)
        self._socket: zmq.Socket[bytes] | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a socket; the server behind it may be gone."""
        return self._socket is not None

    def open(self) -> None:
        """Connect; ZeroMQ would wait for a server for ever, we do not."""
        self.close()
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
        socket = context.socket(zmq.REQ)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.MAXMSGSIZE, MAX_FOREIGN_BYTES)
        socket.setsockopt(zmq.IPV6, 1 if "[" in self._endpoint else 0)
        self._monitor, self._shut = watch(self, socket, zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED)
        self._socket = socket
        socket.connect(self._endpoint)
        limit = min(_CONNECT_S, self.timeout_s)
        if not self._monitor.poll(round(limit * 1000)) or self._lost():
            self.close()
            raise WireError(f"{self.name} cannot be reached: is a ZeroMQ server there?")

    def request(self, data: bytes, what: str) -> bytes:
        """Send one message and return the answer to it."""
        assert self._socket is not None
        try:
            return self._answer(self._socket, data, what)
        except BaseException:
            # An alarm that interrupts the wait leaves an answer under way, which must not pass for the next one.
            self.close()
            raise

    def _answer(self, socket: zmq.Socket[bytes], data: bytes, what: str) -> bytes:
        if self._lost():
            raise WireError(f"{self.name} closed the connection: it has stopped or was restarted")
        socket.send(data)
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(self._monitor, zmq.POLLIN)
        deadline = time.monotonic() + self.timeout_s
        while True:
            left = deadline - time.monotonic()
            ready = dict(poller.poll(max(0, round(left * 1000))))
            if socket in ready:
                frames = socket.recv_multipart()
                if len(frames) != 1:
                    raise WireError(f"{self.name} answered {what!r} with {len(frames)} frames, expected one")
                return frames[0]
            if self._monitor in ready and self._lost():
                raise WireError(
                    f"{self.name} closed the connection before it answered {what!r} (it stopped, or the answer "
                    f"has more than {MAX_FOREIGN_BYTES} bytes)"
                )
            if left <= 0:
                raise WireError(f"{self.name} did not answer {what!r} within {self.timeout_s:g} s")

    def _lost(self) -> bool:
        lost = False
        while self._monitor.poll(0):
            lost |= parse_monitor_message(self._monitor.recv_multipart())["event"] == zmq.EVENT_DISCONNECTED
        return lost

    def close(self) -> None:
        """Close the socket; the next use opens another."""
        if self._socket is not None:
            self._shut()
            self._socket = None
