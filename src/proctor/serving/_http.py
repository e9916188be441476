"""``/metrics`` for Prometheus and ``/health`` for whoever restarts servers, on a port of their own."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ._engine import Engine
from ._replica import EngineError


class MetricsServer:
    """Answers in a thread of its own. Use as a context manager."""

    def __init__(self, engine: Engine, host: str, port: int) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/metrics":
                    self._reply(200, "text/plain; version=0.0.4", engine.metrics_text())
                elif self.path == "/health":
                    status = engine.status()
                    body = {"status": status, "episodes": engine.episodes(), "outstanding": engine.outstanding()}
                    self._reply(200 if status == "ready" else 503, "application/json", json.dumps(body) + "\n")
                else:
                    self._reply(404, "text/plain", "known are /metrics and /health\n")

            def _reply(self, code: int, kind: str, text: str) -> None:
                body = text.encode()
                self.send_response(code)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing: a scrape every few seconds is no news."""

        try:
            self._server = ThreadingHTTPServer((host, port), Handler)
        except OSError as error:
            raise EngineError(f"cannot listen on {host}:{port} for metrics: {error.strerror}; choose another") from None
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)

    def __enter__(self) -> MetricsServer:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
