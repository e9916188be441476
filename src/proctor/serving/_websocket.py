"""A WebSocket server for a front-end: address, token, health, limits, stop."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from proctor.core import ProctorError
from proctor.policies.wire import MAX_FOREIGN_BYTES, Convention, WireError, same_token

from ._engine import Engine

_STOP_CHECK_S = 0.1
_DRAIN_S = 30.0
_CLOSE_S = 2.0
_INTERNAL_ERROR = 1011


class Front(Protocol):
    """What speaks one wire: ``page`` answers plain GET requests by path and query, or returns None."""

    def page(self, connection: ServerConnection, path: str, query: dict[str, list[str]]) -> Response | None: ...

    async def handle(self, connection: ServerConnection) -> None: ...


def run_websocket(
    make_front: Callable[[Engine, Convention], Front],
    default: Convention,
    engine: Engine,
    host: str,
    port: int,
    token: str,
    stop: threading.Event,
    on_ready: Callable[[int], None],
    *,
    convention: Convention | None = None,
) -> None:
    """Answer clients until ``stop``; ``on_ready`` hears the port.

    Pages of a browser may not connect (they send an Origin): a web page must not reach a server on the loopback.
    """
    front = make_front(engine, convention or default)

    def entrance(connection: ServerConnection, request: Request) -> Response | None:
        url = urlsplit(request.path)
        query = parse_qs(url.query)
        page = front.page(connection, url.path, query)
        if page is not None or same_token(_given_token(request, query), token):
            return page
        return connection.respond(HTTPStatus.UNAUTHORIZED, "the token is missing or wrong\n")

    async def main() -> None:
        try:
            server = await serve(
                front.handle,
                host,
                port,
                process_request=entrance,
                origins=[None],
                compression=None,
                max_size=MAX_FOREIGN_BYTES,
                max_queue=2,
                ping_interval=None,
                close_timeout=_CLOSE_S,
                server_header=None,
            )
        except OSError as error:
            reason = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror or error})"
            raise WireError(f"{host}:{port} {reason}; choose another --port (0 takes a free one)") from None
        async with server:
            on_ready(server.sockets[0].getsockname()[1])
            while not stop.is_set():
                await asyncio.sleep(_STOP_CHECK_S)
            await _drained(engine)

    asyncio.run(main())


async def _drained(engine: Engine) -> None:
    """Wait for the answers that are under way."""
    deadline = asyncio.get_running_loop().time() + _DRAIN_S
    while engine.outstanding() and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(_STOP_CHECK_S)


def _given_token(request: Request, query: dict[str, list[str]]) -> str | None:
    """Return the token of ``Authorization: Api-Key T`` (or Bearer), or of ``?token=T`` for clients without headers."""
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() in ("api-key", "bearer"):
        return value.strip()
    return query["token"][-1] if "token" in query else None


def health(connection: ServerConnection, engine: Engine, good: str) -> Response:
    """Return 200 with ``good`` once the policy is loaded, else 503 with the status."""
    status = engine.status()
    if status == "ready":
        return connection.respond(HTTPStatus.OK, good)
    return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"{status}\n")


async def refuse(connection: ServerConnection, error: Exception) -> None:
    """Send the error as a text frame and close, as openpi's servers do."""
    try:
        await connection.send(fault_line(error))
        await connection.close(_INTERNAL_ERROR, "the error is in the text before")
    except ConnectionClosed:
        return


def fault_line(error: Exception) -> str:
    """Return an error on one line; ours speak for themselves, others are named."""
    text = " ".join(str(error).split())
    ours = isinstance(error, ProctorError | ValueError)
    return text if ours and text else f"{type(error).__name__}: {text}"


def json_page(connection: ServerConnection, status: HTTPStatus, text: str) -> Response:
    response: Any = connection.respond(status, text)
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/json"
    page: Response = response
    return page
