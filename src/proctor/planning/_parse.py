"""From the text of an answer to a list of calls, with the class of failure where there is none.

The last fenced block counts, else the outermost list. Other names for the keys and roles of the schema are read as what
they stand for, and the answer is then called ``repaired``. Nothing else is mended: JSON is JSON (the original reads it
so too), and a plan, a call or its arguments of another type is ``wrong_type``. An unknown skill or argument is no
failure of parsing: it is a wrong call. Source: our specification, section 5.4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._call import SkillCall
from ._skills import SKILLS

ParseClass = Literal["ok", "repaired", "no_json", "cut_off", "wrong_type"]
PARSED: tuple[ParseClass, ...] = ("ok", "repaired")
MAX_CALLS = 60
_MOST_UNENDED = 50
"""How many brackets without an end are looked into: an answer of nothing but brackets must not take a minute."""

_FENCE = re.compile(r"```[ \t]*(?P<language>[\w.+-]*)(?P<body>.*?)(?P<end>```|\Z)", re.DOTALL)
_THOUGHT = re.compile(r"<(think|thinking)>(?:(?!<\1>).)*?</\1>", re.DOTALL | re.IGNORECASE)
_BEGIN_OF_THOUGHT = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_BEGINS = re.compile(r"\s*[\[{\"]|\s*\Z")
_SKILL_KEYS = ("skill", "name", "action", "function", "operation")
_ARGS_KEYS = ("args", "params", "arguments", "parameters")
_PLAN_KEYS = ("plan", "skills", "actions", "steps", "skill_sequence", "sequence")
_ROLES = {
    "target_entity_name": "object",
    "target_entity": "object",
    "entity": "object",
    "obj": "object",
    "item": "object",
    "target_container_name": "target",
    "target_container": "target",
    "container": "target",
    "receptacle": "target",
    "destination": "target",
    "time": "seconds",
    "duration": "seconds",
}
_ROLE_NAMES = {"object", "target", "region", "seconds", *_ROLES}
_SKILL_NAMES = {"open_door": "open", "close_door": "close", "open_drawer": "open", "close_drawer": "close"}


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read of an answer; ``calls`` is empty unless ``kind`` is ``ok`` or ``repaired``."""

    kind: ParseClass
    calls: tuple[SkillCall, ...] = ()
    reasoning: str = ""
    note: str = ""

    @property
    def failed(self) -> bool:
        """Whether no plan could be read."""
        return self.kind not in PARSED


class _NotAPlanError(Exception):
    """JSON that is no plan; its text says why."""


class _Reader:
    """Reads JSON values as calls, and remembers whether anything had to be repaired."""

    def __init__(self) -> None:
        self.repaired = ""

    def repair(self, what: str) -> None:
        self.repaired = self.repaired or what

    def plan(self, value: Any) -> tuple[tuple[SkillCall, ...], str]:
        reasoning = ""
        if isinstance(value, dict):
            said = value.get("reasoning")
            reasoning = said if isinstance(said, str) else ""
            key = next((key for key in _PLAN_KEYS if key in value), None)
            if key is not None:
                if key != "plan":
                    self.repair(f"{key!r} read as 'plan'")
                value = value[key]
            else:
                lists = [name for name, item in value.items() if isinstance(item, list)]
                if len(lists) != 1 or any(name in value for name in _SKILL_KEYS):
                    raise _NotAPlanError("an object without 'plan'")
                self.repair(f"{lists[0]!r} read as 'plan'")
                value = value[lists[0]]
        if not isinstance(value, list):
            raise _NotAPlanError(f"the plan is {_type(value)}, not a list")
        if len(value) > MAX_CALLS:
            raise _NotAPlanError(f"{len(value)} calls: at most {MAX_CALLS} are read")
        return tuple(self.call(item, k) for k, item in enumerate(value, start=1)), reasoning

    def call(self, item: Any, k: int) -> SkillCall:
        if not isinstance(item, dict):
            raise _NotAPlanError(f"call {k} is {_type(item)}, not an object")
        key = next((key for key in _SKILL_KEYS if isinstance(item.get(key), str)), None)
        if key is None:
            raise _NotAPlanError(f"call {k} names no skill")
        if key != "skill":
            self.repair(f"{key!r} read as 'skill'")
        skill = str(item[key]).strip()
        if skill not in SKILLS and (known := _SKILL_NAMES.get(skill.casefold(), skill.casefold())) in SKILLS:
            self.repair(f"{skill!r} read as {known!r}")
            skill = known
        return SkillCall(skill, self.args(skill, item, key, k))

    def args(self, skill: str, item: Mapping[str, Any], skill_key: str, k: int) -> dict[str, Any]:
        key = next((key for key in _ARGS_KEYS if key in item), None)
        if key is None:
            given: Any = {name: value for name, value in item.items() if name in _ROLE_NAMES and name != skill_key}
            self.repair("arguments read beside the skill" if given else "missing 'args' read as none")
        else:
            given = item[key]
            if key != "args":
                self.repair(f"{key!r} read as 'args'")
        if given is None:
            self.repair("null read as no arguments")
            given = {}
        if not isinstance(given, dict):
            raise _NotAPlanError(f"the arguments of call {k} are {_type(given)}, not an object")
        roles = SKILLS[skill].roles if skill in SKILLS else ()
        args: dict[str, Any] = {}
        for name, value in given.items():
            role = str(name if name in roles else _ROLES.get(name, name))
            if role != name:
                self.repair(f"{name!r} read as {role!r}")
            args.setdefault(role, value)
        return args


def parse(text: str, *, stopped_at_limit: bool = False) -> Parsed:
    """Read the plan of an answer. ``stopped_at_limit`` is what the server said of how the answer ended."""
    said = _said(text)
    if said is None:
        return _CUT_OFF
    block, closed = _block(said)
    values, unended, why = _values(block)
    if unended or (not values and (stopped_at_limit or not closed)):
        return _CUT_OFF
    if not values:
        return Parsed("no_json", note=why or "no list and no object in the answer")
    reader = _Reader()
    reason = ""
    # "Errors: []" after a plan is not the plan; an empty list is one where there is no other.
    told = [value for value in reversed(values) if value != []]
    for value in told + [value for value in values if value == []]:
        reader.repaired = ""
        try:
            calls, reasoning = reader.plan(value)
        except _NotAPlanError as error:
            reason = reason or str(error)
            continue
        return Parsed("repaired" if reader.repaired else "ok", calls, reasoning, reader.repaired)
    if not closed and stopped_at_limit:
        return _CUT_OFF
    return Parsed("no_json", note=why) if why else Parsed("wrong_type", note=reason)


_CUT_OFF = Parsed("cut_off", note="the answer ends before its plan does")


def _said(text: str) -> str | None:
    """Return what is said outside of thinking aloud between <think> tags; None if the thinking never ends.

    Servers often keep the first tag to themselves: then all before the end of the thinking is thought.
    """
    said = _THOUGHT.sub("", text)
    if _BEGIN_OF_THOUGHT.match(said.lstrip()):
        # A thought may speak of the tag itself, so that more begin than end.
        said = text
    ends = list(_END_OF_THOUGHT.finditer(said))
    said = said[ends[-1].end() :] if ends else said
    return None if _BEGIN_OF_THOUGHT.match(said.lstrip()) else said


def _block(text: str) -> tuple[str, bool]:
    """Return the last fenced block, or the whole text; and whether the fence was closed."""
    fences = [fence for fence in _FENCE.finditer(text) if not _only_closes(fence)]
    if not fences or _load(text.strip())[0] is not None:
        return text, True
    return fences[-1]["body"], bool(fences[-1]["end"])


def _only_closes(fence: re.Match[str]) -> bool:
    """Whether a fence without an end is rather the end of one that the prompt or the server began."""
    return not fence["end"] and not fence["language"] and _next_opening(fence["body"], 0) is None


def _values(block: str) -> tuple[list[Any], bool, str]:
    """Return the outermost JSON values of ``block``, whether one is begun and never ended, and why one is no JSON."""
    text = block.strip()
    whole, _ = _load(text)
    if whole is not None:
        return [whole], False, ""
    found: list[Any] = []
    why = ""
    position = unended = 0
    while (start := _next_opening(text, position)) is not None and unended < _MOST_UNENDED:
        end = _closing(text, start)
        if end is None:
            if _BEGINS.match(text, start + 1):
                return found, True, ""
            position = start + 1
            unended += 1
            continue
        loaded, wrong = _load(text[start:end])
        if loaded is not None:
            found.append(loaded)
            position = end
        elif not _BEGINS.match(text, start + 1):
            position = start + 1
        else:
            # An object may hold the list and be no JSON besides; what a list holds is no plan without it.
            why = why or wrong
            position = end if text[start] == "[" else start + 1
    return found, False, why


def _load(text: str) -> tuple[Any, str]:
    """Return a JSON value, or None and what is wrong with it."""
    try:
        return json.loads(text), ""
    except json.JSONDecodeError as error:
        return None, f"not JSON: {error.msg} at character {error.pos + 1} of {text[:24]!r}..."
    except (ValueError, RecursionError) as error:
        return None, f"not JSON: {type(error).__name__}"


def _next_opening(text: str, start: int) -> int | None:
    found = [k for k in (text.find("[", start), text.find("{", start)) if k >= 0]
    return min(found) if found else None


def _closing(text: str, start: int) -> int | None:
    """Return the end of the bracket that opens at ``start``, strings skipped; None if it is never closed."""
    depth, quoted, escaped = 0, False, False
    for k in range(start, len(text)):
        letter = text[k]
        if quoted:
            quoted = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            quoted = True
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
            if depth == 0:
                return k + 1
    return None


def _type(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
