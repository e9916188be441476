"""The console as a running server: a socket, uvicorn on it, and the address to open."""

from __future__ import annotations

import socket
import threading
from typing import Final

import uvicorn

from proctor.core import ProctorError

from ._app import make_app
from ._desk import Desk
from ._guard import Access

_MAX_WS_BYTES: Final = 1024
_START_S: Final = 30.0


class ConsoleServer:
    """Serves a desk on ``host``:``port`` (0: any free port). `url` holds the token behind its #.

    `run` serves in this thread until Ctrl-C; as a context manager it serves in a thread of its own.
    """

    def __init__(self, desk: Desk, host: str = "127.0.0.1", port: int = 0, token: str | None = None) -> None:
        self._socket = _listen(host, port)
        self.port = int(self._socket.getsockname()[1])
        self.access = Access(host, self.port, token)
        config = uvicorn.Config(
            make_app(desk, self.access),
            log_config=None,
            access_log=False,
            server_header=False,
            ws_max_size=_MAX_WS_BYTES,
            ws_per_message_deflate=False,
            limit_concurrency=64,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address for the operator's browser."""
        return self.access.url

    def run(self) -> None:
        """Serve until the process is told to end."""
        self._server.run(sockets=[self._socket])

    def __enter__(self) -> ConsoleServer:
        self._thread = threading.Thread(target=self.run, name="console", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(_START_S)


def _listen(host: str, port: int) -> socket.socket:
    if host in ("0.0.0.0", "::", ""):
        # Said by `Access`, before anything listens.
        Access(host, port)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(64)
    except OSError as error:
        found.close()
        raise ProctorError(f"cannot listen on {host}:{port}: {error.strerror}; choose another --port") from None
    return found
