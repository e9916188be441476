"""Read the tool call in a model's answer: the last JSON object of it, in a fenced block or not."""

from __future__ import annotations

import json
from typing import Any

from ._tools import DONE
from ._types import Done, ToolCall


class UnreadableError(Exception):
    """An answer that holds no tool call; the text says what is missing."""


def read_answer(text: str) -> ToolCall | Done:
    """Return the call of an answer: ``{"tool": name, "args": {...}}``; ``skill`` and ``name`` do too."""
    found = _last_object(text)
    if found is None:
        raise UnreadableError("there is no JSON object in the answer")
    tool = next((found[key] for key in ("tool", "skill", "name", "tool_name") if key in found), None)
    if not isinstance(tool, str):
        raise UnreadableError('the JSON object has no text "tool"')
    args: Any = next((found[key] for key in ("args", "arguments", "parameters", "params") if key in found), {})
    if isinstance(args, str):
        args = _last_object(args)
    if not isinstance(args, dict):
        raise UnreadableError('"args" is no JSON object')
    if tool == DONE:
        return Done()
    return ToolCall(tool, args)


def _last_object(text: str) -> dict[str, Any] | None:
    """Return the last outermost JSON object in a text."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] | None = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            found = value
        at = text.find("{", end)
    return found
