"""A bank of answers with the scores they must get: the definition of the scores by example.

The file's cases and expected figures are our own (specification, section 5.6). Each case has its references, the marks
of its scene and the paper's reference. A case may bring the symbolic world in which its plans are carried out; one that
does not gets the world of the shipped case that it repeats, else the one that its references imply.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Literal, cast

from proctor.core import ProctorError

from ._bank_world import implied_world, moved_copies
from ._call import BoundCall, Call
from ._executor import Execution, execute
from ._names import Names
from ._paper import NO_PAPER_SCORE, PaperScore, paper_score
from ._parse import Parsed, parse
from ._reference import Node, Reference
from ._score import NO_PLAN, PlanScore, score
from ._symbolic import Form, SymbolicWorld


class BankError(ProctorError):
    """A file that is no bank of plans."""


@dataclass(frozen=True, slots=True)
class BankCase:
    """A scene with its right plans."""

    name: str
    names: Names
    references: tuple[Reference, ...]
    paper_reference: tuple[Call, ...]
    world: SymbolicWorld
    world_names: Names
    """As ``names``, but that copies which are moved are told apart: a hand can hold either, and not both."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that is said of one answer."""

    parsed: Parsed
    score: PlanScore
    paper: PaperScore
    execution: Execution | None

    @property
    def runs(self) -> bool:
        """Whether there is a plan and it can be carried out to the goal, without harm."""
        return self.execution is not None and self.execution.runs

    def figures(self) -> dict[str, float]:
        """Return the scores by the names that a bank's file has for them (``expected``)."""
        got = self.score
        return {
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

    def paper_figures(self) -> dict[str, float]:
        """Return the paper's scores by the names that a bank's file has for them (``expected_compat``)."""
        got = self.paper
        return {
            "SR": got.skill,
            "PR": got.parameter,
            "SPR": got.skill_parameter,
            "PM": got.plan,
            "total": got.total,
        }


@dataclass(frozen=True, slots=True)
class BankPlan:
    """An answer and what is expected of it, by the names of the file, if anything is."""

    id: str
    case: str
    kind: str
    answer: str
    fails_to_parse: bool | None = None
    expected: Mapping[str, float | bool] = field(default_factory=dict)
    runs: bool | None = None
    expected_paper: Mapping[str, float] = field(default_factory=dict)

    def differences(self, judged: Judged) -> list[str]:
        """Return where a judgement is not what the file lists (to 3 digits; the paper's score to 2)."""
        found = []
        if self.fails_to_parse not in (None, judged.parsed.failed):
            found.append(f"parse_failure: {judged.parsed.failed}, listed {self.fails_to_parse}")
        for part, got, listed, digit in (
            ("", judged.figures(), self.expected, 0.001),
            ("compat ", judged.paper_figures(), self.expected_paper, 0.01),
        ):
            for name, value in listed.items():
                if name not in got:
                    found.append(f"{part}{name}: there is no such score")
                elif abs(got[name] - value) > digit / 2 + 1e-9:
                    found.append(f"{part}{name}: {got[name]:g}, listed {value:g}")
        if self.runs not in (None, judged.runs):
            found.append(f"executes: {judged.runs}, listed {self.runs}")
        return found


@dataclass(frozen=True, slots=True)
class Bank:
    """Cases by name, and the plans in order."""

    cases: Mapping[str, BankCase]
    plans: tuple[BankPlan, ...]

    def judge(self, plan: BankPlan) -> Judged:
        """Return what our code says of a plan of the bank."""
        return self.judge_text(plan.answer, plan.case)

    def judge_text(self, answer: str, case: str) -> Judged:
        """Return what our code says of a model's answer to the question of a case."""
        if case not in self.cases:
            raise BankError(f"the bank has no case {case!r}; it has {', '.join(self.cases)}")
        asked = self.cases[case]
        parsed = parse(answer)
        if parsed.failed:
            return Judged(parsed, NO_PLAN, NO_PAPER_SCORE, None)
        return Judged(
            parsed,
            score(parsed.calls, asked.references, asked.names),
            paper_score(parsed.calls, asked.paper_reference, asked.references[0].paper_order),
            execute(parsed.calls, asked.world, asked.world_names),
        )


def read_bank(path: Path | str | None = None) -> Bank:
    """Read a bank; the one that comes with the package if no path is given. Raises `BankError`."""
    if path is None:
        return _bank(_shipped(), "the bank of the package")
    try:
        raw = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        line = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise BankError(f"{path}: {line}") from None
    return _bank(raw, str(path))


def _bank(raw: Any, where: str) -> Bank:
    if not isinstance(raw, dict) or not isinstance(raw.get("plans"), list):
        raise BankError(f"{where}: no bank of plans: an object with 'cases' and 'plans' is wanted")
    told = raw.get("cases", {})
    shipped = _shipped()["cases"]
    named = {str(plan.get("case")) for plan in raw["plans"] if isinstance(plan, dict)}
    known = {name: case for name, case in shipped.items() if name in named} | told
    cases = {name: _read(_case, f"{where}: case {name}", name, case) for name, case in known.items()}
    plans = [_read(_plan, f"{where}: plan {k}", plan) for k, plan in enumerate(raw["plans"], start=1)]
    for plan in plans:
        if plan.case not in cases:
            raise BankError(f"{where}: plan {plan.id} is of case {plan.case!r}, which is not there")
    return Bank(cases, tuple(plans))


@functools.cache
def _shipped() -> dict[str, Any]:
    file = resources.files(__package__) / "data" / "plan_test_bank.json"
    raw: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return raw


def _read(reader: Callable[..., Any], where: str, *args: Any) -> Any:
    """Read a part of a file; what is wrong with it is said in one line."""
    try:
        return reader(*args)
    except KeyError as error:
        raise BankError(f"{where}: there is no {error}") from None
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise BankError(f"{where}: {error}") from None


def _plan(raw: Mapping[str, Any]) -> BankPlan:
    return BankPlan(
        str(raw["id"]),
        raw["case"],
        raw.get("kind", ""),
        raw["raw_output"],
        raw.get("parse_failure"),
        raw.get("expected", {}),
        raw.get("expected_executes"),
        raw.get("expected_compat", {}),
    )


def _case(name: str, raw: Mapping[str, Any]) -> BankCase:
    marks = _distinct({int(number): str(text) for number, text in raw["entities"].items()})
    same = {marks[int(a)]: marks[int(b)] for a, b in raw.get("equivalent_ids", {}).items()}
    order = cast(Literal["sequential", "independent"], raw.get("compat_order", "sequential"))
    references = tuple(
        Reference(tuple(_node(node, marks, same) for node in nodes), order) for nodes in raw["reference"]
    )
    if not references:
        raise ValueError("it has no reference")
    twin = _shipped()["cases"].get(name, {})
    repeated = all(twin.get(key) == raw.get(key) for key in ("entities", "equivalent_ids", "reference"))
    world = raw.get("world") or (twin["world"] if repeated else None)
    copies = moved_copies(references, same) if world is None else {}
    stands = {name: one for name, one in same.items() if name not in copies}
    return BankCase(
        name,
        Names(marks, same=same),
        references,
        tuple(_paper_call(call) for call in raw.get("compat_reference", ())),
        implied_world(references, [name for name in marks.values() if stands.get(name, name) == name], copies)
        if world is None
        else _world(world),
        Names(marks, same=stands),
    )


def _distinct(marks: Mapping[int, str]) -> dict[int, str]:
    """Tell things of one name apart by their numbers: two apples are two things."""
    times = Counter(marks.values())
    return {number: text if times[text] == 1 else f"{text} (mark {number})" for number, text in marks.items()}


def _node(raw: Mapping[str, Any], marks: Mapping[int, str], same: Mapping[str, str]) -> Node:
    skill, held, *pairs = raw["call"]
    args = tuple((role, _one(marks, same, number)) for role, number in pairs)
    bound = BoundCall(skill, None if held is None else _one(marks, same, held), args)
    return Node(bound, tuple(raw.get("after", ())), raw.get("optional", False))


def _one(marks: Mapping[int, str], same: Mapping[str, str], number: int) -> str:
    return same.get(marks[number], marks[number])


def _paper_call(raw: Mapping[str, Any]) -> Call:
    """Read a call of the original's language; its two names of arguments are its roles."""
    roles = {"target_entity_name": "object", "target_container_name": "target"}
    skill = {"open_door": "open", "close_door": "close"}.get(raw["name"], raw["name"])
    return Call(skill, {roles[name]: value for name, value in raw["params"].items()})


def _world(raw: Mapping[str, Any]) -> SymbolicWorld:
    return SymbolicWorld(
        goal=_form(raw["goal"]),
        objects=tuple(raw["objects"]),
        where=raw.get("where", {}),
        joints=frozenset(raw.get("joints", ())),
        open_joints=frozenset(raw.get("open", ())),
        buttons=_set(raw.get("buttons")),
        vessels=_set(raw.get("vessels")),
        faults=tuple(_form(fault) for fault in raw.get("faults", ())),
    )


def _set(raw: Sequence[str] | None) -> frozenset[str] | None:
    return None if raw is None else frozenset(raw)


def _form(raw: Any) -> Form:
    return tuple(_form(item) if isinstance(item, list) else item for item in raw)
