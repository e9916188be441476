"""From the text of an answer to a list of calls, with the class of failure where there is none.

The last fenced block counts, else the outermost list or object. What does not fit the schema but is understood (other
key names, a missing role name, trailing commas, Python quotes) is read and called ``repaired``. An unknown skill or
argument is no failure of parsing: it is a wrong call.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._call import Call
from ._skills import SKILLS

ParseClass = Literal["ok", "repaired", "no_json", "cut_off", "wrong_type"]
PARSED: tuple[ParseClass, ...] = ("ok", "repaired")
MAX_CALLS = 60

_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
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
_SKILL_NAMES = {"open_door": "open", "close_door": "close", "open_drawer": "open", "close_drawer": "close"}


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read of an answer; ``calls`` is empty unless ``kind`` is ``ok`` or ``repaired``."""

    kind: ParseClass
    calls: tuple[Call, ...] = ()
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

    def plan(self, value: Any) -> tuple[tuple[Call, ...], str]:
        reasoning = ""
        if isinstance(value, dict):
            said = value.get("reasoning")
            reasoning = said if isinstance(said, str) else ""
            key = next((key for key in _PLAN_KEYS if key in value), None)
            if key is not None:
                if key != "plan":
                    self.repair(f"{key!r} read as 'plan'")
                value = value[key]
            elif any(key in value for key in _SKILL_KEYS):
                self.repair("one call read as a plan")
                value = [value]
            else:
                raise _NotAPlanError("an object without 'plan'")
        if not isinstance(value, list):
            raise _NotAPlanError(f"the plan is {_type(value)}, not a list")
        if len(value) > MAX_CALLS:
            raise _NotAPlanError(f"{len(value)} calls: at most {MAX_CALLS} are read")
        return tuple(self.call(item, k) for k, item in enumerate(value, start=1)), reasoning

    def call(self, item: Any, k: int) -> Call:
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
        return Call(skill, self.args(skill, item, key, k))

    def args(self, skill: str, item: Mapping[str, Any], skill_key: str, k: int) -> dict[str, Any]:
        key = next((key for key in _ARGS_KEYS if key in item), None)
        if key is None:
            given: Any = {name: value for name, value in item.items() if name != skill_key}
            self.repair("arguments read beside the skill" if given else "missing 'args' read as none")
        else:
            given = item[key]
            if key != "args":
                self.repair(f"{key!r} read as 'args'")
        roles = SKILLS[skill].roles if skill in SKILLS else ()
        if given is None:
            self.repair("null read as no arguments")
            given = {}
        if not isinstance(given, dict):
            values = given if isinstance(given, list) else [given]
            self.repair("arguments without names")
            return dict(zip(roles, values, strict=False))
        args: dict[str, Any] = {}
        for key_given, value in given.items():
            name = str(key_given)
            role: str = name if name in roles else _ROLES.get(name, name)
            if (
                role not in roles
                and role in ("object", "target")
                and len(roles) == 1
                and roles[0] in ("object", "target")
            ):
                role = roles[0]
            if role != name:
                self.repair(f"{name!r} read as {role!r}")
            args.setdefault(role, value)
        return args


def parse(text: str, *, stopped_at_limit: bool = False) -> Parsed:
    """Read the plan of an answer. ``stopped_at_limit`` is what the server said of how the answer ended."""
    block, closed = _block(text)
    values = list(_values(block))
    if not values:
        if stopped_at_limit or not closed or _opens(block):
            return Parsed("cut_off", note="the answer ends before its plan does")
        return Parsed("no_json", note="no list and no object in the answer")
    reader = _Reader()
    reason = ""
    for value, repaired in values:
        reader.repaired = repaired
        try:
            calls, reasoning = reader.plan(value)
        except _NotAPlanError as error:
            reason = reason or str(error)
            continue
        return Parsed("repaired" if reader.repaired else "ok", calls, reasoning, reader.repaired)
    if not closed and stopped_at_limit:
        return Parsed("cut_off", note="the answer ends before its plan does")
    return Parsed("wrong_type", note=reason)


def _block(text: str) -> tuple[str, bool]:
    """Return the last fenced block, or the whole text; and whether the fence was closed."""
    fences = list(_FENCE.finditer(text))
    if not fences:
        return text, True
    last = fences[-1]
    return last.group(1), last.group(0).endswith("```")


def _values(block: str) -> Iterator[tuple[Any, str]]:
    """Yield the outermost JSON values of ``block`` with what had to be repaired: all of it, else the last first."""
    text = block.strip()
    whole = _load(text)
    if whole is not None:
        yield whole
        return
    found = []
    position = 0
    while (start := _next_opening(text, position)) is not None:
        end = _closing(text, start)
        loaded = _load(text[start:end]) if end is not None else None
        if loaded is not None and end is not None:
            found.append(loaded)
            position = end
        elif end is None:
            break
        else:
            position = start + 1
    yield from reversed(found)


def _load(text: str) -> tuple[Any, str] | None:
    try:
        return json.loads(text), ""
    except (ValueError, RecursionError):
        pass
    if text[:1] not in "[{" or not text:
        return None
    for what, variant in (("trailing commas", _TRAILING_COMMA.sub(r"\1", text)),):
        try:
            return json.loads(variant), what
        except (ValueError, RecursionError):
            continue
    try:
        return ast.literal_eval(text), "Python literals"
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


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


def _opens(block: str) -> bool:
    """Whether a list or object of calls is begun and never ended."""
    start = _next_opening(block, 0)
    while start is not None:
        if _closing(block, start) is None:
            return '"' in block[start:] or block.rstrip()[-1:] in "[{,:"
        start = _next_opening(block, start + 1)
    return False


def _type(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
