"""A client for any OpenAI-compatible chat endpoint: one POST, the standard library only, errors in one line."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from ._errors import LanguageError

KEY_VARIABLE = "PROCTOR_ENDPOINT_KEY"
_BUSY = (429, 500, 502, 503, 504)


class EndpointError(LanguageError):
    """The endpoint could not be reached, refused, or gave something else than an answer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask: ``url`` up to ``/v1``; the key, if the server wants one, is read from ``$PROCTOR_ENDPOINT_KEY``."""

    url: str
    model: str
    timeout_s: float = 60.0
    retries: int = 3
    temperature: float = 0.7
    pause_s: float = 1.0

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise EndpointError(f"endpoint {self.url!r}: give its address, as in http://localhost:8000/v1")
        if self.timeout_s <= 0 or self.retries < 0:
            raise EndpointError("the endpoint's timeout must be above 0 and its retries at least 0")

    def ask(self, system: str, prompt: str) -> str:
        """Return the answer to one prompt. A busy server or a timeout is asked again, up to ``retries`` times."""
        for attempt in range(self.retries + 1):
            try:
                return self._once(system, prompt)
            except _BusyError as error:
                if attempt == self.retries:
                    raise EndpointError(f"{error}; gave up after {attempt + 1} tries") from None
                time.sleep(self.pause_s * 2**attempt)
        raise AssertionError("unreachable")

    def _once(self, system: str, prompt: str) -> str:
        body = json.dumps(
            {
                "model": self.model,
                "temperature": self.temperature,
                "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
            }
        ).encode()
        address = f"{self.url.rstrip('/')}/chat/completions"
        headers = {"Content-Type": "application/json"}
        if secret := os.environ.get(KEY_VARIABLE):
            headers["Authorization"] = f"Bearer {secret}"
        request = urllib.request.Request(address, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as reply:
                return _content(reply.read(), address)
        except urllib.error.HTTPError as error:
            if error.code in _BUSY:
                raise _BusyError(f"endpoint {address} answered {error.code} {error.reason}") from None
            hint = f": set {KEY_VARIABLE}" if error.code in (401, 403) else ""
            raise EndpointError(f"endpoint {address} answered {error.code} {error.reason}{hint}") from None
        except TimeoutError as error:
            raise _BusyError(f"endpoint {address} gave no answer within {self.timeout_s:g} s") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _BusyError(f"endpoint {address} gave no answer within {self.timeout_s:g} s") from None
            raise EndpointError(
                f"endpoint {address} cannot be reached: {error.reason}; is the server running?"
            ) from None
        except (OSError, ValueError) as error:
            raise EndpointError(f"endpoint {address} failed: {error}") from None


class _BusyError(Exception):
    """Worth another try."""


def _content(raw: bytes, address: str) -> str:
    try:
        answer: Any = json.loads(raw)
    except ValueError:
        shown = raw[:60].decode("utf-8", "replace")
        raise EndpointError(f"endpoint {address} answered with something that is not JSON: {shown!r}") from None
    try:
        content = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise EndpointError(
            f"endpoint {address} answered without choices[0].message.content: is it a chat API?"
        ) from None
    if not isinstance(content, str):
        raise EndpointError(f"endpoint {address} answered with content that is no text")
    return content
