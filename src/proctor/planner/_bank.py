"""A bank of answers with the scores they must get: the definition of the scores by example.

The file's cases and expected figures are our own (specification, section 5.6). Each case has its references, the marks
of its scene, the paper's reference, and the symbolic world in which its plans are carried out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal, cast

from ._call import BoundCall, Call
from ._executor import Execution, execute
from ._names import Names
from ._paper import NO_PAPER_SCORE, PaperScore, paper_score
from ._parse import Parsed, parse
from ._reference import Node, Reference
from ._score import NO_PLAN, PlanScore, score
from ._symbolic import Form, SymbolicWorld


@dataclass(frozen=True, slots=True)
class BankCase:
    """A scene with its right plans."""

    name: str
    names: Names
    references: tuple[Reference, ...]
    paper_reference: tuple[Call, ...]
    world: SymbolicWorld


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that is said of one answer."""

    parsed: Parsed
    score: PlanScore
    paper: PaperScore
    execution: Execution | None


@dataclass(frozen=True, slots=True)
class BankPlan:
    """An answer and what is expected of it, by the names of the file."""

    id: str
    case: str
    kind: str
    answer: str
    fails_to_parse: bool
    expected: Mapping[str, float | bool]
    runs: bool
    expected_paper: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Bank:
    """Cases by name, and the plans in order."""

    cases: Mapping[str, BankCase]
    plans: tuple[BankPlan, ...]

    def judge(self, plan: BankPlan) -> Judged:
        """Return what our code says of a plan of the bank."""
        case = self.cases[plan.case]
        parsed = parse(plan.answer)
        if parsed.failed:
            return Judged(parsed, NO_PLAN, NO_PAPER_SCORE, None)
        order = case.references[0].paper_order
        return Judged(
            parsed,
            score(parsed.calls, case.references, case.names),
            paper_score(parsed.calls, case.paper_reference, order),
            execute(parsed.calls, case.world, case.names),
        )


def read_bank(path: Path | None = None) -> Bank:
    """Read a bank; the one that comes with the package if no path is given."""
    file = path or resources.files(__package__) / "data" / "plan_test_bank.json"
    raw = json.loads(file.read_text(encoding="utf-8"))
    cases = {name: _case(name, case) for name, case in raw["cases"].items()}
    return Bank(cases, tuple(_plan(plan) for plan in raw["plans"]))


def _plan(raw: Mapping[str, Any]) -> BankPlan:
    return BankPlan(
        raw["id"],
        raw["case"],
        raw["kind"],
        raw["raw_output"],
        raw["parse_failure"],
        raw["expected"],
        raw["expected_executes"],
        raw["expected_compat"],
    )


def _case(name: str, raw: Mapping[str, Any]) -> BankCase:
    marks = {int(number): text for number, text in raw["entities"].items()}
    same = {marks[int(a)]: marks[int(b)] for a, b in raw["equivalent_ids"].items()}
    order = cast(Literal["sequential", "independent"], raw["compat_order"])
    return BankCase(
        name,
        Names(marks, same=same),
        tuple(Reference(tuple(_node(node, marks) for node in nodes), order) for nodes in raw["reference"]),
        tuple(_paper_call(call) for call in raw["compat_reference"]),
        _world(raw["world"]),
    )


def _node(raw: Mapping[str, Any], marks: Mapping[int, str]) -> Node:
    skill, held, *pairs = raw["call"]
    args = tuple((role, marks[number]) for role, number in pairs)
    return Node(BoundCall(skill, None if held is None else marks[held], args), tuple(raw["after"]), raw["optional"])


def _paper_call(raw: Mapping[str, Any]) -> Call:
    """Read a call of the original's language; its two names of arguments are its roles."""
    roles = {"target_entity_name": "object", "target_container_name": "target"}
    skill = {"open_door": "open", "close_door": "close"}.get(raw["name"], raw["name"])
    return Call(skill, {roles[name]: value for name, value in raw["params"].items()})


def _world(raw: Mapping[str, Any]) -> SymbolicWorld:
    buttons = raw.get("buttons")
    return SymbolicWorld(
        goal=_form(raw["goal"]),
        objects=tuple(raw["objects"]),
        where=raw.get("where", {}),
        joints=frozenset(raw.get("joints", ())),
        open_joints=frozenset(raw.get("open", ())),
        buttons=None if buttons is None else frozenset(buttons),
        faults=tuple(_form(fault) for fault in raw.get("faults", ())),
    )


def _form(raw: Any) -> Form:
    return tuple(_form(item) if isinstance(item, list) else item for item in raw)
