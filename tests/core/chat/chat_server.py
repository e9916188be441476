"""A chat server whose answers a test decides, request by request; it keeps what it was sent."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Said:
    """An answer: status, body (in parts, each sent by itself), headers."""

    body: bytes | Iterator[bytes] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def said(text: Any, finish: str = "stop", usage: tuple[int, int] | None = None, **message: Any) -> Said:
    """Return an ordinary answer."""
    answer: dict[str, Any] = {
        "model": "fake-1",
        "choices": [{"message": {"role": "assistant", "content": text} | message, "finish_reason": finish}],
    }
    if usage is not None:
        answer["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Said(json.dumps(answer).encode())


class ChatServer:
    """Listens on a free port of this host."""

    def __init__(self, answer: Callable[[dict[str, Any]], Said]) -> None:
        self.answer = answer
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                outer.headers.append(dict(self.headers))
                # A client that waited long enough is gone.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self._send(outer.answer(body))

            def _send(self, answer: Said) -> None:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in [answer.body] if isinstance(answer.body, bytes) else answer.body:
                    self.wfile.write(part)
                    self.wfile.flush()

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> ChatServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
