"""The formatter and the repairs: idempotent, faithful, and no comment is lost. Spans point at what they name."""

from __future__ import annotations

import dataclasses
import random
import re

import pytest
from cbddl_fuzz import FULL, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.tasks.cbddl import PREDICATES, CbddlError, Span, Task, atoms_of, check, fix_task, format_task, parse

NAMES = st.sampled_from(["apple_1", "apple_2", "plate_1", "cabinet_1"])
REGIONS = st.sampled_from(["main_table_a", "main_table_region_-1_0", "Cabinet_1_top_region"])
NUMBERS = st.sampled_from(["0", "0.05", "1e-3", "8."])
PARTS = st.lists(st.sampled_from(["blade", "3", "12", "Handle"]), min_size=1, max_size=3).map(
    lambda p: f"({' '.join(p)})"
)
KINDS = {
    "thing": NAMES,
    "place": REGIONS | NAMES,
    "toucher": NAMES | st.just("gripper0"),
    "number": NUMBERS,
    "parts": PARTS,
    "part": NAMES | st.sampled_from(["robot", "Cabinet_1/top"]),
    "signed": NUMBERS | st.just("-0.05"),
    "names": st.lists(NAMES, min_size=1, max_size=3).map(lambda names: f"({' '.join(names)})"),
    "axis": st.sampled_from(["x+", "Y-"]),
    "word": st.sampled_from(["coffee", "Milk"]),
}


@st.composite
def atoms(draw: st.DrawFn, block: str) -> str:
    predicate = draw(st.sampled_from([p for p in PREDICATES.values() if block in p.blocks]))
    name = draw(st.sampled_from([predicate.name, predicate.name.lower(), predicate.name.upper(), *predicate.aliases]))
    signature = draw(st.sampled_from(predicate.signatures))
    # In :init only regions are places: objects placed on each other at random would stand in a circle.
    kinds = KINDS | {"place": REGIONS} if block == "init" else KINDS
    return f"({' '.join([name, *(draw(kinds[kind]) for kind in signature)])})"


def expressions(block: str) -> st.SearchStrategy[str]:
    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        many = st.tuples(st.sampled_from(["And", "or"]), st.lists(inner, min_size=1, max_size=3))
        joined = many.map(lambda pair: f"({pair[0]} {' '.join(pair[1])})") | inner.map(lambda item: f"(NOT {item})")
        if block != "goal":
            return joined
        remembered = st.tuples(inner, inner).map(lambda pair: f"(ONCEAFTER {pair[0]} (Once {pair[1]}))")
        return joined | remembered | st.lists(inner, min_size=1, max_size=3).map(lambda i: f"(seq {' '.join(i)})")

    return st.recursive(atoms(block), grow, max_leaves=6)


@st.composite
def tasks(draw: st.DrawFn) -> str:
    """A well-formed file with random contents, white space and comments."""
    words = draw(st.lists(st.sampled_from(["Pick", "up", "the", "Apple,", "ÉCLAIR", "then", "it's"]), min_size=1))
    goals = draw(st.lists(expressions("goal"), min_size=1, max_size=2))
    goal = draw(st.sampled_from([goals[0], f"(Then {' '.join(goals)})", " ".join(goals)]))
    text = f"""(define (problem Tabletop_Manipulation) (:domain robosuite) (:language {" ".join(words)})
      (:regions (a (:target main_table) (:ranges ((0 0 0.1 0.1) (-.1 -.1 0 0))) (:yaw_rotation ((-pi/2 PI))))
        (region_-1_0 (:target main_table) (:ranges ((0 0 0 0)))) (top_region (:target cabinet_1)))
      (:fixtures main_table - table cabinet_1 - cabinet) (:objects apple_1 apple_2 - apple plate_1 - plate)
      (:obj_of_interest apple_1) (:init {" ".join(draw(st.lists(atoms("init"), max_size=4)))}) (:goal {goal})
      (:cost {" ".join(draw(st.lists(expressions("cost"), max_size=3)))}))"""
    gaps = [" ", "  ", "\n", "\t", "\r\n", " ; note\n", "\n;; (On a b)\n", "\n\n ;\n ; é\n"]
    tokens = re.findall(r"[()]|[^\s()]+", text)
    # One draw for all gaps: a draw per token makes the test ten times slower.
    rng = random.Random(draw(st.integers(0, 1 << 20)))
    return "".join(token + rng.choice(gaps) for token in tokens)


def meaning(node: object) -> object:
    """Everything but the places, the file name and the hash."""
    if isinstance(node, tuple):
        return tuple(meaning(item) for item in node)
    if not dataclasses.is_dataclass(node) or isinstance(node, type):
        return node
    skipped = {"file", "text_hash", "spans", "arg_spans"}
    values = ((f.name, getattr(node, f.name)) for f in dataclasses.fields(node) if f.name not in skipped)
    return type(node).__name__, tuple((name, meaning(v)) for name, v in values if not isinstance(v, Span))


def comments(text: str) -> list[str]:
    return sorted(line.partition(";")[2].strip() for line in text.split("\n") if ";" in line)


@settings(max_examples=150, deadline=None)
@given(tasks())
def test_round_trip(text: str) -> None:
    formatted = format_task(text)
    assert format_task(formatted) == formatted
    assert meaning(parse(formatted)) == meaning(parse(text))
    assert parse(formatted).text_hash == parse(text).text_hash
    assert comments(formatted) == comments(text)


@settings(max_examples=100, deadline=None)
@given(tasks())
def test_repairs_keep_the_meaning_and_leave_nothing_to_repair(text: str) -> None:
    fixed = fix_task(text)
    assert fix_task(fixed) == fixed
    before, after = parse(text), parse(fixed)
    assert meaning(after.goal) == meaning(before.goal)
    assert meaning(after.cost) == meaning(before.cost)
    assert meaning(after.init) == meaning(before.init)
    found = [d for d in check(fixed)[1] if d.code in ("several-goals", "several-costs", "unused-region")]
    assert all(d.severity == "info" for d in found)


def named_spans(task: Task) -> list[tuple[str, Span]]:
    """Every place in a task together with the word that must stand there."""
    found = [(region.name, region.span) for region in task.regions]
    found += [(entity.name, entity.span) for entity in (*task.fixtures, *task.objects)]
    found += [(mover.name, mover.span) for mover in task.movers]
    found += [(key.partition(":")[2], span) for key, span in task.spans.items() if key.startswith("interest:")]
    found += [(key, span) for key, span in task.spans.items() if key.startswith(":")]
    found += [(word, task.spans[f"language:{i}"]) for i, word in enumerate(task.language.split())]
    for region in task.regions:
        found += [("(", rect.span) for rect in region.ranges]
    for atom in (*task.init, *(a for expr in (task.goal, *task.cost) for a in atoms_of(expr))):
        # An alias is a shorter spelling, so what both begin with must stand there.
        found.append((atom.predicate.replace("DistancePart", "Dist").replace("Distance", "Dist"), atom.span))
        found += [(arg, s) for arg, s in zip(atom.args, atom.arg_spans, strict=True) if isinstance(arg, str)]
    return found


@settings(max_examples=100, deadline=None)
@given(tasks())
def test_spans_point_at_their_words(text: str) -> None:
    lines = text.split("\n")
    for word, span in named_spans(parse(text)):
        assert lines[span.line - 1][span.column - 1 :].lower().startswith(word.lower())


def test_the_layout_is_the_documented_one() -> None:
    formatted = format_task(FULL)
    assert "    plate_1 plate_2 - plate\n" in formatted
    assert "  (:language Put the Apple on the plate, then close the drawer)\n" in formatted
    assert "    (top_region (:target cabinet_1)) ; a site\n" in formatted
    assert "      (CheckGripperDistancePart knife_1 (blade 3) 0.02)\n" in formatted
    assert max(map(len, formatted.splitlines())) <= 100
    assert formatted.startswith("; a task that uses the whole language\n; the scene\n(define (problem")
    assert formatted.endswith("\n)\n")


def test_shared_files_are_stable_under_the_formatter() -> None:
    for text in seeds():
        formatted = format_task(text)
        assert format_task(formatted) == formatted
        assert meaning(parse(formatted)) == meaning(parse(text))


def test_several_expressions_are_wrapped_and_unused_rectangles_removed() -> None:
    text = FULL.replace("(:cost (And", "(:cost (Fall plate_1) (And").replace(
        "(top_region", "(spare (:target main_table) (:ranges ((0 0 0 0)))) (top_region"
    )
    fixed = fix_task(text)
    assert "spare" not in fixed
    assert "spare" in format_task(text)
    assert [d.code for d in check(fixed)[1]] == ["yaw-on-object"]
    assert len(parse(fixed).cost) == 6


def test_repeated_costs_are_not_repaired_because_they_are_a_weight() -> None:
    text = FULL.replace("(NotOn plate_2 plate_1)", "(Fall plate_1) (Fall plate_1)")
    assert [d.code for d in check(fix_task(text))[1]] == ["yaw-on-object", "duplicate-cost"]


@pytest.mark.parametrize("text", ["", "(", ")", "\x00", "(define (problem x)"])
def test_what_is_not_balanced_is_refused(text: str) -> None:
    for work in (format_task, fix_task):
        with pytest.raises(CbddlError, match="syntax-"):
            work(text)
