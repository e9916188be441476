"""One POST to ``/chat/completions``, asked again while the server is busy."""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import json
import logging
import math
import os
import random
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ._reply import ChatError, ChatTimeoutError, Reply, read_reply

_LOG = logging.getLogger(__name__)

KEY_VARIABLE = "PROCTOR_ENDPOINT_KEY"
LONGEST_PAUSE_S = 60.0
LONGEST_TIMEOUT_S = 1e6
LONGEST_REASON = 200
LARGEST_BODY = 16 << 20
"""Bytes of an answer: a plan has a thousandth of that, and a server that never stops must not fill the memory."""
_BUSY = (408, 409, 425, 429, 500, 502, 503, 504)
_PATH = "/chat/completions"


@dataclass(frozen=True, slots=True)
class Chat:
    """Where to ask and how: ``url`` up to ``/v1``; a key, if the server wants one, is in the variable ``key_variable``.

    The key is read at the moment of asking and appears in no text that leaves this class: not in errors, and not in an
    answer, should the server repeat it. ``extra`` goes into the request as it is.
    """

    url: str
    model: str
    timeout_s: float = 60.0
    retries: int = 3
    temperature: float | None = 0.7
    max_tokens: int | None = None
    seed: int | None = None
    pause_s: float = 1.0
    key_variable: str = KEY_VARIABLE
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ChatError(f"endpoint {self.url!r}: give its address, as in http://localhost:8000/v1")
        if not 0 < self.timeout_s <= LONGEST_TIMEOUT_S or self.retries < 0:
            raise ChatError(
                f"the endpoint's timeout must be above 0 and at most {LONGEST_TIMEOUT_S:g} s, its retries at least 0"
            )

    @property
    def address(self) -> str:
        """The full address that is asked."""
        base = self.url.rstrip("/")
        return base if base.endswith(_PATH) else base + _PATH

    def ask(self, messages: Sequence[Mapping[str, Any]]) -> Reply:
        """Return the answer. A server that is busy, hangs up or is too slow is asked again, up to ``retries`` times.

        The pause is what the server asks for (``Retry-After``), else ``pause_s`` doubled each time, up to a half longer
        so that clients do not come back at once; never above a minute.
        """
        key = os.environ.get(self.key_variable, "")
        began = time.monotonic()
        for attempt in range(self.retries + 1):
            try:
                reply = self._once(messages, key)
                _LOG.debug("%s answered after %.1f s", self.address, time.monotonic() - began)
                return replace(reply, tries=attempt + 1, wall_s=time.monotonic() - began)
            except _BusyError as error:
                if attempt == self.retries:
                    kind = ChatTimeoutError if error.timed_out else ChatError
                    raise kind(_without(key, f"{error}; gave up after {attempt + 1} tries")) from None
                pause_s = self._pause(attempt, error.retry_after_s)
                _LOG.info("%s; asked again in %.1f s", _without(key, str(error)), pause_s)
                time.sleep(pause_s)
            except ChatError as error:
                raise type(error)(_without(key, str(error))) from None
        raise AssertionError("unreachable")

    def _pause(self, attempt: int, retry_after_s: float | None) -> float:
        pause = self.pause_s * 2**attempt * random.uniform(1.0, 1.5) if retry_after_s is None else retry_after_s
        return min(max(pause, 0.0), LONGEST_PAUSE_S)

    def _once(self, messages: Sequence[Mapping[str, Any]], key: str) -> Reply:
        settings = {"temperature": self.temperature, "max_tokens": self.max_tokens, "seed": self.seed}
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        body |= {name: value for name, value in settings.items() if value is not None}
        body |= self.extra
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        raw = self._post(json.dumps(body).encode(), headers, key)
        # What is shown of an odd body is cut, and a key that is cut in two would no longer be found.
        reply = read_reply(raw.replace(key.encode(), b"***") if key else raw, self.address)
        return replace(
            reply,
            text=_without(key, reply.text),
            finish=_without(key, reply.finish),
            refusal=_without(key, reply.refusal),
            model=_without(key, reply.model),
        )

    def _post(self, body: bytes, headers: Mapping[str, str], key: str) -> bytes:
        address = self.address
        slow = f"endpoint {address} gave no answer within {self.timeout_s:g} s"
        request = urllib.request.Request(address, body, dict(headers))
        try:
            with _OPENER.open(request, timeout=self.timeout_s) as reply:
                return self._read(reply)
        except urllib.error.HTTPError as error:
            said = f"endpoint {address} answered {error.code} {error.reason}{_reason(error, key)}"
            if error.code in _BUSY:
                raise _BusyError(said, _retry_after_s(error.headers.get("Retry-After"))) from None
            raise ChatError(said + (f": set {self.key_variable}" if error.code in (401, 403) else "")) from None
        except TimeoutError:
            raise _BusyError(slow, timed_out=True) from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _BusyError(slow, timed_out=True) from None
            raise ChatError(f"endpoint {address} cannot be reached: {error.reason}; is the server running?") from None
        except (ConnectionError, http.client.IncompleteRead) as error:
            raise _BusyError(f"endpoint {address} hung up: {error}") from None
        except http.client.HTTPException as error:
            told = " ".join(_without(key, str(error)).split())[:LONGEST_REASON] or type(error).__name__
            raise ChatError(f"endpoint {address} speaks no HTTP: {told}") from None
        except (OSError, ValueError) as error:
            raise ChatError(f"endpoint {address} failed: {error}") from None

    def _read(self, reply: Any) -> bytes:
        """Read a body within the timeout as a whole: the socket's own counts only the silence between two bytes."""
        ends = time.monotonic() + self.timeout_s
        body = bytearray()
        while part := reply.read1(65536):
            body += part
            if len(body) > LARGEST_BODY:
                raise ChatError(f"endpoint {self.address} answered with more than {LARGEST_BODY >> 20} MiB")
            if time.monotonic() > ends:
                raise TimeoutError
        if reply.length:
            raise ConnectionError(f"{reply.length} bytes of its answer are missing")
        return bytes(body)


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follow no redirection: the key is for the host it was given for."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Refuse."""


_OPENER = urllib.request.build_opener(_StayHere)


class _BusyError(Exception):
    """Worth another try, after ``retry_after_s`` if the server says so."""

    def __init__(self, text: str, retry_after_s: float | None = None, *, timed_out: bool = False) -> None:
        super().__init__(text)
        self.retry_after_s, self.timed_out = retry_after_s, timed_out


def _reason(error: urllib.error.HTTPError, key: str) -> str:
    """Return what the server says is wrong, in one short line: a picture it cannot take, a prompt that is too long."""
    try:
        text = error.read(1 << 16).decode(errors="replace")
    except (OSError, ValueError):
        return ""
    try:
        told = json.loads(text)
        told = told.get("error", told) if isinstance(told, dict) else told
        text = str(told.get("message", told) if isinstance(told, dict) else told)
    except ValueError:
        text = "" if text.lstrip().startswith("<") else text
    # A key that is cut in two would no longer be found.
    line = " ".join(_without(key, text).split())[:LONGEST_REASON]
    return f" ({line})" if line else ""


def _retry_after_s(value: str | None) -> float | None:
    """Read ``Retry-After``: seconds, or a date (RFC 9110, section 10.2.3)."""
    if value is None:
        return None
    with contextlib.suppress(ValueError):
        seconds = float(value)
        return None if math.isnan(seconds) else max(seconds, 0.0)
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return None


def _without(key: str, text: str) -> str:
    return text.replace(key, "***") if key else text
