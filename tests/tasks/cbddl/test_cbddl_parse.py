"""What the reader understands, and what it says when it does not."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest
from cbddl_fuzz import FULL
from hypothesis import given
from hypothesis import strategies as st

from proctor.tasks.cbddl import (
    PREDICATES,
    And,
    Atom,
    CameraView,
    CbddlError,
    ImageSettings,
    LinearMotion,
    Noise,
    Not,
    Or,
    ProjectileMotion,
    Then,
    WaypointMotion,
    check,
    find_predicate,
    parse,
    read_task,
)
from proctor.tasks.cbddl._sexp import parse_angle, parse_number


def test_the_whole_language_is_read() -> None:
    task = parse(FULL)
    assert (task.problem, task.domain) == ("Tabletop_Manipulation", "robosuite")
    assert task.language == "Put the Apple on the plate, then close the drawer"
    region = task.region("main_table_a")
    assert region is not None
    assert len(region.ranges) == 2
    assert region.yaw_rad == pytest.approx((-math.pi / 2, math.pi / 2))
    assert task.region("main_table_b").rgba == (0, 0, 1, 0.5)
    assert [entity.category for entity in task.objects] == ["apple", "plate", "plate", "knife", "toy", "toy", "toy"]
    assert task.obj_of_interest == ("apple_1", "plate_1")
    assert task.image_settings == ImageSettings(brightness=0.4, temperature_k=5000)
    assert task.noise == Noise("gaussian", (0, 0.05))
    assert task.cameras == (CameraView("agentview", (0.1, 0, 0)), CameraView("sideview"))
    assert task.random_color is True


def test_movers_in_every_spelling() -> None:
    linear, waypoint, projectile = (mover.motion for mover in parse(FULL).movers)
    assert linear == LinearMotion(100, 0.4, (0, 1, 0))
    assert isinstance(waypoint, WaypointMotion)
    assert waypoint.loop is False
    assert [point.position_m for point in waypoint.waypoints] == [(0, 0, 1), (0.1, 0, 1), (0, 0.1, 1)]
    assert [point.direction for point in waypoint.waypoints] == [(1, 0, 0), (0, 1, 0), (0, 1, 0)]
    assert projectile == ProjectileMotion(1.5, (1, 0, 1), (0, 0, -9.8), 0.05, None)


def test_expressions_nest_and_cost_terms_are_summed() -> None:
    task = parse(FULL)
    assert isinstance(task.goal, Then)
    first, second = task.goal.items
    assert isinstance(first, Atom)
    assert isinstance(second, And)
    assert isinstance(second.items[1], Or)
    assert isinstance(second.items[1].items[0], Not)
    kinds = [term.predicate if isinstance(term, Atom) else type(term).__name__ for term in task.cost]
    assert kinds == ["InContact", "CheckGripperDistancePart", "CheckForce", "Or", "NotOn"]
    assert task.cost[1].args == ("knife_1", ("blade", 3), 0.02)


def test_several_expressions_are_all_kept() -> None:
    text = FULL.replace("(:goal (Then", "(:goal (Up apple_1) (Then").replace(
        "(:cost (And", "(:cost (Fall plate_1) (And"
    )
    task, found = check(text)
    assert {d.code for d in found if d.severity == "error"} == {"several-goals", "several-costs"}
    assert isinstance(task.goal, And)
    assert [type(item) for item in task.goal.items] == [Atom, Then]
    assert len(task.cost) == 6


@pytest.mark.parametrize("spelling", ["CheckGripperDist", "checkgripperdistance", "CHECKGRIPPERDISTANCE"])
def test_predicates_have_one_canonical_spelling(spelling: str) -> None:
    assert find_predicate(spelling).name == "CheckGripperDistance"
    text = FULL.replace("(InContact apple_1 car_1)", f"({spelling} apple_1 0.1)")
    assert parse(text).cost[0].predicate == "CheckGripperDistance"


def test_the_predicate_table_covers_the_paper() -> None:
    table_3 = {
        "InContact": "instantaneous", "InContactPart": "instantaneous", "CheckForce": "instantaneous",
        "CheckDistance": "instantaneous", "CheckGripperDist": "instantaneous", "CheckGripperDistPart": "instantaneous",
        "CheckGripperContact": "instantaneous", "CheckGripperContactPart": "instantaneous", "Collide": "terminal",
        "Fall": "terminal", "NotOn": "terminal",
    }  # fmt: skip
    for name, timing in table_3.items():
        predicate = find_predicate(name)
        assert predicate is not None
        assert predicate.timing == timing
        assert "cost" in predicate.blocks
    assert {p.name for p in PREDICATES.values() if "init" in p.blocks} == {
        "On", "In", "Open", "Close", "TurnOn", "TurnOff",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["pi", "-pi/2", "3*pi/4", "pi-0.1", "2*-pi", "1/4+1/4", "-1e-3*pi", "+3.14", ".5", "1.*2"]
)
def test_angles_agree_with_python_arithmetic(text: str) -> None:
    assert parse_angle(text) == pytest.approx(eval(text, {"__builtins__": {}}, {"pi": math.pi}))


@pytest.mark.parametrize(
    "text", ["", "-", "pi/0", "--1", "2pi", "pi**2", "pi pi", "1e", "__import__('os')", "(1)", "1/", "e"]
)
def test_everything_else_is_no_angle(text: str) -> None:
    assert parse_angle(text) is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_round_trip(value: float) -> None:
    assert parse_number(repr(value)) == value
    assert parse_angle(repr(value)) == value


@pytest.mark.parametrize("text", ["nan", "inf", "1_000", "0x10", "１", "1e999", "", "1-", "1" * 100])
def test_no_numbers(text: str) -> None:
    assert parse_number(text) is None


def test_errors_are_one_line_and_carry_everything() -> None:
    text = FULL.replace("(Up apple_1)", "(Upp apple_1)").replace("(:noise gaussian 0 0.05)", "(:noise gausian 0 0.05)")
    with pytest.raises(CbddlError) as caught:
        parse(text, "a.bddl")
    message = str(caught.value)
    line, column = next((n, row.index("Upp") + 1) for n, row in enumerate(text.splitlines(), 1) if "Upp" in row)
    assert message.startswith(f"a.bddl:{line}:{column}: unknown-predicate: ")
    assert "did you mean 'Up'?" in message
    assert "\n" not in message
    assert [d.code for d in caught.value.diagnostics if d.fatal] == ["unknown-predicate", "unknown-value"]
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics


def test_the_message_names_the_cause_and_not_its_consequence() -> None:
    with pytest.raises(CbddlError, match=r"^<text>:26:4: unknown-block: .* did you mean ':goal'\?"):
        parse(FULL.replace("(:goal", "(:gaol"))
    with pytest.raises(CbddlError, match=r"^<text>:1:1: syntax-unbalanced"):
        parse("(define (problem x)")


def test_a_missing_parenthesis_is_found_where_it_is_missing() -> None:
    text = FULL.replace("(:obj_of_interest apple_1 plate_1)", "(:obj_of_interest apple_1 plate_1")
    task, found = check(text)
    assert task is None
    (defect,) = [d for d in found if d.fatal]
    assert defect.code == "syntax-unbalanced"
    assert FULL.splitlines()[defect.line - 1][defect.column - 1 :].startswith("(:obj_of_interest")


def test_a_superfluous_parenthesis_does_not_hide_what_follows() -> None:
    text = FULL.replace("(:domain robosuite)", "(:domain robosuite))").replace("(Up apple_1)", "(Upp apple_1)")
    codes = [d.code for d in check(text)[1] if d.fatal]
    assert codes == ["syntax-trailing", "unknown-predicate", "syntax-unbalanced"]


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "syntax-empty", 1, 1),
        (b" ; nothing\n", "syntax-empty", 1, 1),
        (b"(define\n \xff)", "syntax-not-utf8", 2, 2),
        (b"(define\n  (problem \x00))", "syntax-control-character", 2, 12),
        (b"\x7fELF\x02\x01\x01\x00", "syntax-control-character", 1, 1),
        (b"(" * 100_000, "syntax-too-deep", 1, 65),
        (b"x" * (1 << 20) + b"x", "syntax-too-large", 1, 1),
        (b"(:goal (True))", "syntax-define", 1, 2),
    ],
)
def test_unreadable_files(tmp_path: Path, data: bytes, code: str, line: int, column: int) -> None:
    path = tmp_path / "task.bddl"
    path.write_bytes(data)
    with pytest.raises(CbddlError) as caught:
        read_task(path)
    assert (code, line, column) in [(d.code, d.line, d.column) for d in caught.value.diagnostics]


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for path in (tmp_path / "none.bddl", tmp_path):
        with pytest.raises(CbddlError, match="syntax-unreadable"):
            read_task(path)


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "task.bddl"
    path.write_bytes(b"\xef\xbb\xbf" + FULL.replace("\n", "\r\n").encode())
    task = read_task(path)
    assert task.text_hash == parse(FULL).text_hash
    assert task.goal.span.line == parse(FULL).goal.span.line


def test_layout_and_comments_do_not_change_the_hash_but_words_do() -> None:
    plain = parse(FULL).text_hash
    assert parse(" ".join(line.split(";")[0] for line in FULL.splitlines())).text_hash == plain
    assert parse(FULL.replace("the plate,", "the PLATE,")).text_hash != plain
    assert parse(FULL.replace("-0.28 0.22", "-0.28 0.23")).text_hash != plain
    assert parse(FULL.replace("(On plate_2 plate_1)", "(ON Plate_2 plate_1)")).text_hash == plain


def test_nothing_is_evaluated(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    payload = f"__import__('pathlib').Path('{marker}').touch"
    task, found = check(FULL.replace("-pi/2", payload).replace("(:random_color true)", f"(:random_color {payload})"))
    assert task is None
    assert {"syntax-shape", "syntax-boolean", "syntax-angle"} & {d.code for d in found}
    assert not marker.exists()
