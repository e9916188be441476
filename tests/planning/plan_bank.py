"""Files of answers with the scores that they must get, and the scenes that they are about: the scores by example.

Each case has its references (partial orders of bound calls), the marks of its scene, the paper's reference and the
symbolic world in which its plans are carried out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.planning import (
    BoundCall,
    Execution,
    Names,
    Parsed,
    ReferenceNode,
    ReferencePlan,
    SkillCall,
    SymbolicWorld,
    execute,
    paper_score,
    parse,
    score,
)

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Case:
    """A scene with its right plans."""

    references: tuple[ReferencePlan, ...]
    paper_reference: tuple[SkillCall, ...]
    names: Names
    world: SymbolicWorld
    world_names: Names
    """As ``names``, but that copies which are moved are told apart: a hand can hold either, and not both."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that is said of an answer, by the names of the files."""

    parsed: Parsed
    figures: Mapping[str, float]
    paper: Mapping[str, float]
    execution: Execution | None

    @property
    def runs(self) -> bool:
        return self.execution is not None and self.execution.runs


@dataclass(frozen=True, slots=True)
class Bank:
    """Cases by name, as read and as written, and the plans in order, as written."""

    cases: Mapping[str, Case]
    raw: Mapping[str, Any]
    plans: tuple[Mapping[str, Any], ...]

    def judge(self, answer: str, name: str) -> Judged:
        """Return what our code says of an answer to the question of a case."""
        case, parsed = self.cases[name], parse(answer)
        if parsed.failed:
            names = ("skill_P", "skill_R", "skill_F1", "param_F1", "call_F1", "dag_P", "dag_R", "dag_F1", "score")
            nothing = dict.fromkeys(("SR", "PR", "SPR", "PM", "total"), 0.0)
            return Judged(parsed, {**dict.fromkeys(names, 0.0), "exact": False}, nothing, None)
        got = score(parsed.calls, case.references, case.names)
        paper = paper_score(parsed.calls, case.paper_reference, case.references[0].paper_order)
        figures = {
            "skill_P": got.skill.precision,
            "skill_R": got.skill.recall,
            "skill_F1": got.skill.f1,
            "param_F1": got.parameter.f1,
            "call_F1": got.call.f1,
            "dag_P": got.order.precision,
            "dag_R": got.order.recall,
            "dag_F1": got.order.f1,
            "score": got.total,
            "exact": got.exact,
        }
        theirs = {
            "SR": paper.skill,
            "PR": paper.parameter,
            "SPR": paper.skill_parameter,
            "PM": paper.plan,
            "total": paper.total,
        }
        return Judged(parsed, figures, theirs, execute(parsed.calls, case.world, case.world_names))


def read_bank(name: str) -> Bank:
    """Read a file beside this one; a case that it does not hold is that of ``listed_plans.json``."""
    raw = json.loads((HERE / name).read_text(encoding="utf-8"))
    listed = json.loads((HERE / "listed_plans.json").read_text(encoding="utf-8"))["cases"]
    cases = {case: told for case, told in listed.items() if case in {plan["case"] for plan in raw["plans"]}}
    cases |= raw.get("cases", {})
    return Bank({case: _case(told) for case, told in cases.items()}, cases, tuple(raw["plans"]))


def _case(raw: Mapping[str, Any]) -> Case:
    marks = {int(number): str(text) for number, text in raw["entities"].items()}
    same = {marks[int(a)]: marks[int(b)] for a, b in raw.get("equivalent_ids", {}).items()}
    apart = raw["world"].get("told_apart", ())

    def node(told: Mapping[str, Any]) -> ReferenceNode:
        skill, held, *pairs = told["call"]
        one = {number: same.get(name, name) for number, name in marks.items()}
        bound = BoundCall(skill, None if held is None else one[held], tuple((role, one[k]) for role, k in pairs))
        return ReferenceNode(bound, tuple(told.get("after", ())), told.get("optional", False))

    order = raw.get("compat_order", "sequential")
    return Case(
        tuple(ReferencePlan(tuple(map(node, nodes)), order) for nodes in raw["reference"]),
        tuple(_paper_call(call) for call in raw.get("compat_reference", ())),
        Names(marks, same=same),
        _world(raw["world"]),
        Names(marks, same={name: one for name, one in same.items() if name not in apart}),
    )


def _paper_call(raw: Mapping[str, Any]) -> SkillCall:
    """Read a call of the original's language; its two names of arguments are its roles."""
    roles = {"target_entity_name": "object", "target_container_name": "target"}
    skill = {"open_door": "open", "close_door": "close"}.get(raw["name"], raw["name"])
    return SkillCall(skill, {roles[name]: value for name, value in raw["params"].items()})


def _world(raw: Mapping[str, Any]) -> SymbolicWorld:
    return SymbolicWorld(
        goal=_form(raw["goal"]),
        objects=tuple(raw["objects"]),
        where=raw.get("where", {}),
        joints=frozenset(raw.get("joints", ())),
        open_joints=frozenset(raw.get("open", ())),
        buttons=frozenset(raw["buttons"]) if "buttons" in raw else None,
        vessels=frozenset(raw["vessels"]) if "vessels" in raw else None,
        faults=tuple(map(_form, raw.get("faults", ()))),
    )


def _form(raw: Any) -> tuple[Any, ...]:
    return tuple(_form(item) if isinstance(item, list) else item for item in raw)
