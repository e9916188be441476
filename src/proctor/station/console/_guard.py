"""Access control of the console: token, origin, host, size and rate of requests.

Rules, for every request, before any of it is read:

1. **Host** must be an address the console was started for; a name that an attacker points at us (DNS rebinding) is
   none.
2. **Origin**: whatever changes something, and every WebSocket, must come from the console's own page; a request that
   does not say where it comes from is refused, and so is one the browser itself marks as cross-site.
3. **Cookie**: everything but the page itself and the sign-in needs it. It is HttpOnly and SameSite=Strict, holds a
   random secret of this start of the console (not the token), and is compared in constant time.
4. **Size and rate**: a body has at most 16 KiB, whatever its header says; changes come at most 20 a second, sign-ins at
   most 5 in 10 seconds.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, Final

from proctor.core import ProctorError
from proctor.policies.wire import is_loopback, same_token

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES: Final = 16 * 1024
MAX_LOGIN_BYTES: Final = 1024
CHANGES_PER_S: Final = 20
LOGINS_PER_10_S: Final = 5
PUBLIC: Final = frozenset({"/", "/login"})
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Rate:
    """At most ``count`` in any ``seconds``."""

    def __init__(self, count: int, seconds: float) -> None:
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=count)

    def take(self) -> bool:
        """Return whether one more is allowed now, and count it if so."""
        now = time.monotonic()
        if len(self._times) == self._times.maxlen and now - self._times[0] < self._seconds:
            return False
        self._times.append(now)
        return True


class Access:
    """The token of one start of the console, the cookie it is exchanged for, and the addresses that are ours."""

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        if host in ("0.0.0.0", "::", ""):
            raise ProctorError(
                f"--host {host or '(empty)'} is no address a browser can be held to: name the address of this machine "
                "that the tablet will open, or 127.0.0.1"
            )
        self.token = token or secrets.token_urlsafe(24)
        self._cookie = secrets.token_urlsafe(24)
        # Browsers keep cookies by host, not by port: two consoles on one machine must not take each other's.
        self.cookie_name = f"proctor_console_{port}"
        names = {"127.0.0.1", "localhost", "[::1]"} if is_loopback(host) else {f"[{host}]" if ":" in host else host}
        self.hosts = frozenset(f"{name}:{port}" for name in names)
        self.origins = frozenset(f"http://{name}" for name in self.hosts)
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}/#{self.token}"
        self.logins = Rate(LOGINS_PER_10_S, 10.0)
        self.changes = Rate(CHANGES_PER_S, 1.0)

    def sign_in(self, token: object) -> str | None:
        """Return the header that sets the cookie if ``token`` is ours."""
        if not isinstance(token, str) or not same_token(token, self.token):
            return None
        return f"{self.cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def known(self, headers: Mapping[str, str]) -> bool:
        """Return whether the request holds the cookie."""
        try:
            jar = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        held = jar.get(self.cookie_name)
        return held is not None and same_token(held.value, self._cookie)

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and one line for a request that may not pass."""
        headers = headers_of(scope)
        websocket = scope["type"] == "websocket"
        changes = websocket or scope["method"] not in ("GET", "HEAD")
        if headers.get("host", "") not in self.hosts:
            return 403, "this address is not the console's: open the one it printed"
        if changes and headers.get("origin", "") not in self.origins:
            return 403, "this did not come from the console's own page"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this came from another site"
        open_to_all = scope["path"] in PUBLIC or scope["path"].startswith("/static/")
        if not open_to_all and not self.known(headers):
            return 401, "not signed in: open the address that 'proctor station console' printed"
        return self._too_many(scope) if changes and not websocket else None

    def _too_many(self, scope: Scope) -> tuple[int, str] | None:
        if scope["path"] == "/login":
            return None if self.logins.take() else (429, "too many attempts to sign in: wait ten seconds")
        # A safety stop is never too much.
        return None if self.changes.take() or scope["path"] == "/api/stop" else (429, "too many keys at once: wait")


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers; of one that is given twice nothing is believed."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        found[key] = "" if key in found else value.decode("latin-1")
    return found


class ConsoleGuard:
    """ASGI middleware: applies `Access` and the size limit, and puts `HEADERS` on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with the refusal."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._access.refusal(scope)
        if scope["type"] == "websocket":
            if refused:
                await send({"type": "websocket.close", "code": 1008, "reason": refused[1][:100]})
            else:
                await self._app(scope, receive, send)
            return
        sender = _with_headers(send)
        body = None if refused else await _body(receive, scope)
        if body is None:
            status, text = refused or (413, "the request is too big")
            await answer(sender, status, text)
            return
        await self._app(scope, _replay(body, receive), sender)


async def _body(receive: Receive, scope: Scope) -> bytes | None:
    """Read the whole body, or give up as soon as it is too long."""
    limit = MAX_LOGIN_BYTES if scope["path"] == "/login" else MAX_BODY_BYTES
    told = headers_of(scope).get("content-length", "0")
    if not told.isdigit() or int(told) > limit:
        return None
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > limit:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    pending = True

    async def once() -> Message:
        nonlocal pending
        if pending:
            pending = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return once


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        await send(message)

    return wrapped


async def answer(send: Send, status: int, text: str) -> None:
    import json

    body = json.dumps({"error": text}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
