"""What a policy notes of its episode, made ready for a page: calls of tools with their errors, and plain facts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from proctor.results import Episode


@dataclass(frozen=True, slots=True)
class NotedCall:
    """A call of a tool: at which step, and what went wrong, "" if nothing."""

    step: str
    call: str
    error: str


@dataclass(frozen=True, slots=True)
class PolicyNotes:
    """The calls in order, and all other notes as (name, text)."""

    calls: tuple[NotedCall, ...]
    facts: tuple[tuple[str, str], ...]


def policy_notes_of(episode: Episode) -> PolicyNotes | None:
    """Return what the policy noted, None if nothing. Notes may be anything: what is no call is a plain fact."""
    try:
        notes: Any = json.loads(episode.policy_notes)
    except ValueError:
        return None
    if not isinstance(notes, dict) or not notes:
        return None
    log = notes.get("log")
    calls = log if isinstance(log, list) and all(isinstance(line, dict) and "call" in line for line in log) else None
    facts = {name: value for name, value in notes.items() if calls is None or name != "log"}
    return PolicyNotes(tuple(_call(line) for line in calls or ()), tuple((name, _text(v)) for name, v in facts.items()))


def _call(line: dict[str, Any]) -> NotedCall:
    error = ": ".join(str(line[key]) for key in ("error", "text") if line.get(key))
    return NotedCall(str(line.get("step", "")), str(line["call"]), error)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
