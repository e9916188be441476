"""What comes back from a chat endpoint: an answer with its token counts, or an error in one line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from proctor.core._errors import ProctorError


class ChatError(ProctorError):
    """The endpoint could not be reached, refused, or gave something else than an answer. No text of it holds a key."""


class ChatTimeoutError(ChatError):
    """The endpoint took longer than it was given."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. ``finish`` is why it ended (``stop``, ``length``, ``content_filter``); token counts are the server's.

    ``refusal`` is what the server says instead of an answer, where it has a field of its own for that.
    """

    text: str
    finish: str = ""
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    tries: int = 1
    wall_s: float = 0.0


def read_reply(raw: bytes, address: str) -> Reply:
    """Read the body of an answer."""
    try:
        answer: Any = json.loads(raw)
    except ValueError:
        shown = raw[:60].decode("utf-8", "replace")
        raise ChatError(f"endpoint {address} answered with something that is not JSON: {shown!r}") from None
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        content = message["content"] if "refusal" not in message else message.get("content")
        refusal = message.get("refusal") or ""
    except (AttributeError, KeyError, IndexError, TypeError):
        raise ChatError(f"endpoint {address} answered without choices[0].message.content: is it a chat API?") from None
    text = _text(content)
    if text is None:
        raise ChatError(f"endpoint {address} answered with content that is no text")
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        text=text,
        finish=str(choice.get("finish_reason") or ""),
        refusal=str(refusal),
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        model=str(answer.get("model") or ""),
    )


def _text(content: Any) -> str | None:
    """Return the text of an answer, None if it is of another kind.

    Null is an answer without words: the server declined, the model called a tool, or its tokens ran out while it was
    thinking. Some servers give a list of parts.
    """
    if content is None:
        return ""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "".join(part for part in parts if isinstance(part, str)) if parts else ""
    return content if isinstance(content, str) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
