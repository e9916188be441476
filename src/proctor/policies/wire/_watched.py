"""A ZeroMQ socket and the monitor that tells when its connection comes and goes."""

from __future__ import annotations

import uuid
import weakref
from typing import Any

import zmq

NO_LINGER = 0


Watch = tuple["zmq.Socket[bytes]", "weakref.finalize[Any, Any]"]


def watch(owner: object, socket: zmq.Socket[bytes], events: int) -> Watch:
    """Return the monitor of ``socket`` and the function that closes both; it is called with the owner's end at latest.

    A monitor without a reader stops ZeroMQ's thread, and with it every connection of the process, at the next event. So
    both sockets outlive an owner that nobody closed, and are then closed in the right order.
    """
    # A name of our own: pyzmq's is made of a descriptor's number, which a socket that is still closing may share.
    endpoint = f"inproc://proctor-{uuid.uuid4().hex}"
    socket.monitor(endpoint, events)
    monitor: zmq.Socket[bytes] = socket.context.socket(zmq.PAIR)
    monitor.setsockopt(zmq.LINGER, NO_LINGER)
    monitor.connect(endpoint)
    return monitor, weakref.finalize(owner, _shut, socket, monitor)


def _shut(watched: zmq.Socket[bytes], monitor: zmq.Socket[bytes]) -> None:
    watched.monitor(None, 0)
    monitor.close(NO_LINGER)
    watched.close(NO_LINGER)
