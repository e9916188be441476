"""One small broken task per code: it is reported, at the token that the mark points to, and the sound task is clean."""

from __future__ import annotations

import functools

import pytest

from proctor.tasks import cbddl
from proctor.tasks.cbddl import CODES, KnownCategory
from proctor.tasks.cbddl._diagnostics import MAX_PROBLEMS
from proctor.tasks.words import instruction_defects

SOUND = """(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language Pick up the apple and place it in the box)
  (:regions
    (left (:target main_table) (:ranges ((-0.2 0.1 -0.1 0.2))))
    (right (:target main_table) (:ranges ((-0.2 -0.2 -0.1 -0.1))))
    (back (:target main_table) (:ranges ((0.2 -0.1 0.3 0.1))) (:yaw_rotation ((0 pi))))
    (contain_region (:target box_1))
    (top_region (:target cabinet_1))
    (middle_region (:target cabinet_1))
  )
  (:fixtures main_table - table cabinet_1 - cabinet)
  (:objects apple_1 apple_2 - apple box_1 - box)
  (:obj_of_interest apple_1)
  (:init
    (On cabinet_1 main_table_back) (Open cabinet_1_top_region) (Close cabinet_1_middle_region)
    (On apple_1 main_table_left)
    (On apple_2 apple_1)
    (On box_1 main_table_right)
  )
  (:goal (And (In apple_1 box_1_contain_region)))
  (:cost (And (Fall box_1) (InContact apple_1 cabinet_1)))
)
"""
FILE = "pick_up_the_apple_and_place_it_in_the_box.cbddl"
GOAL = "(And (In apple_1 box_1_contain_region))"
COST = "(And (Fall box_1) (InContact apple_1 cabinet_1))"
LANGUAGE = "Pick up the apple and place it in the box"
TABLE = "(:target main_table)"
PERIOD = "(:motion_period 50)"
MOVER = (
    f"(:moving_objects (apple_1 (:motion_type linear) {PERIOD} (:motion_travel_dist 1) (:motion_direction (1 0 0))))"
)
# apple_1 stands at x -0.2 to -0.1, y 0.1 to 0.2: 5 cm away is still where it stands, 6 cm is not.
NEAR, AWAY = (
    "(:moving_objects (@apple_1 (:motion_type waypoint) (:motion_dt 1)"
    f" (:motion_waypoints ((({x} 0.15 0.9) (1 0 0)) ((0.3 0.15 0.9) (1 0 0))))))"
    for x in (-0.05, -0.04)
)

# (code, what is replaced, by what with a mark @ before the offending token, severity unless the code's own)
CASES: list[tuple[str, str, str, str | None]] = [
    ("syntax-unbalanced", "(:obj_of_interest apple_1)", "@(:obj_of_interest apple_1", None),
    ("syntax-unbalanced", "(Fall box_1) (InContact apple_1 cabinet_1)))\n)", "(Fall box_1)))\n)@)", None),
    ("syntax-trailing", "cabinet_1)))\n)", "cabinet_1)))\n) @more", None),
    ("syntax-shape", "(:target box_1)", "(:target @(box_1))", None),
    ("syntax-shape", "(:ranges ((-0.2 0.1 -0.1 0.2)))", "(:ranges @(-0.2 0.1 -0.1 0.2))", None),
    ("syntax-shape", "((-0.2 0.1 -0.1 0.2))", "(@(-0.2 0.1 -0.1))", None),
    ("syntax-shape", "(On apple_2 apple_1)", "(On apple_2 apple_1) @apple_1", None),
    ("syntax-number", "-0.2 0.1 -0.1 0.2", "-0.2 @nan -0.1 0.2", None),
    ("syntax-angle", "(0 pi)", "(0 @2pi)", None),
    ("syntax-boolean", "(:goal", "(:random_color @maybe) (:goal", None),
    ("syntax-typed-list", "box_1 - box", "box_1 - box @apple_9", None),
    ("syntax-typed-list", "box_1 - box", "box_1 - box @- cup", None),
    ("unknown-block", "(:goal", "(@:gaol) (:goal", None),
    ("unknown-attribute", "(:target box_1)", "(:target box_1) (@:yaw_rotatoin ((0 0)))", None),
    ("unknown-attribute", "(:goal", MOVER.replace("(:motion_period 50)", "(@:motion_preiod 50)") + "(:goal", None),
    ("unknown-attribute", "(:goal", "(:image_settings @brightnes 0.1) (:goal", None),
    ("unknown-predicate", "(Fall box_1)", "(@Fal box_1)", None),
    ("unknown-name", "(Fall box_1)", "(Fall @box_2)", None),
    ("unknown-name", "(On box_1 main_table_right)", "(On box_1 @right)", None),
    ("unknown-value", "(:goal", MOVER.replace("linear", "@liner") + "(:goal", None),
    ("unknown-value", "(:goal", "(:noise @pepper 0.1) (:goal", None),
    ("unknown-category", "box_1 - box", "box_1 - @bocks", None),
    ("unknown-target", "(:target box_1)", "(:target box_1)) (site (:target @bin_1)", "warning"),
    ("unknown-interest", "(:obj_of_interest apple_1)", "(:obj_of_interest @aple_1)", None),
    ("unknown-problem", "problem Tabletop_Manipulation", "@problem Tabletop", None),
    ("unknown-domain", ":domain robosuite", "@:domain behavior", None),
    ("missing-block", "(:language Pick up the apple and place it in the box)", "", None),
    ("missing-attribute", "(contain_region (:target box_1))", "(@contain_region)", None),
    ("missing-attribute", "(:goal", MOVER.replace("(apple_1", "(@apple_1").replace(PERIOD, "") + "(:goal", None),
    ("duplicate-block", "(:goal", "(@:domain robosuite) (:goal", None),
    ("ignored-block", "(:goal", "(@:requirements) (:goal", None),
    ("ignored-attribute", "(:goal", MOVER.replace(PERIOD, f"{PERIOD} (@:motion_radius 1)") + "(:goal", None),
    ("wrong-arity", "(Fall box_1)", "(@Fall box_1 apple_1)", None),
    ("wrong-argument", "(Fall box_1)", "(Fall @main_table_left)", None),
    ("wrong-argument", "(Fall box_1)", "(CheckGripperContactPart box_1 @rim)", None),
    ("misplaced-predicate", "(On apple_2 apple_1)", "(On apple_2 apple_1) (@Fall apple_2)", None),
    ("misplaced-predicate", "(Fall box_1)", "(@Then (Fall box_1) (Up box_1))", None),
    ("misplaced-predicate", GOAL, "(Not (@Then (Up apple_1) (Up box_1)))", None),
    ("empty-expression", GOAL, "(@And)", None),
    ("empty-expression", f"(:goal {GOAL})", "(@:goal)", None),
    ("value-range", "(Fall box_1)", "(CheckGripperDistance box_1 @-0.1)", None),
    ("value-range", "(:goal", MOVER.replace("50", "@0.5") + "(:goal", None),
    ("several-goals", GOAL, "(Up apple_1) @(Up box_1)", None),
    ("several-costs", COST, "(Fall box_1) @(Fall apple_1)", None),
    ("then-alone", GOAL, "(@Then (Up apple_1))", None),
    ("duplicate-entity", "box_1 - box", "box_1 @apple_1 - box", None),
    ("duplicate-region", "(:target box_1)", "(:target box_1)) (@left (:target main_table)", None),
    ("duplicate-interest", "(:obj_of_interest apple_1)", "(:obj_of_interest apple_1 @apple_1)", None),
    ("duplicate-mover", "(:goal", f"{MOVER[:-1]} (@{MOVER.partition(' (')[2]} (:goal", None),
    ("reserved-name", "(:objects ", "(:objects @robot - box ", None),
    ("split-category", "box_1 - box", "box_1 - box apple_3 - @apple", None),
    ("never-placed", "box_1 - box", "box_1 @box_2 - box", None),
    ("placed-twice", "(On apple_2 apple_1)", "(On apple_2 apple_1) (@In apple_2 box_1_contain_region)", None),
    ("placement-cycle", "(On apple_1 main_table_left)", "(@On apple_1 apple_2)", None),
    ("empty-range", "(-0.2 0.1 -0.1 0.2)", "@(-0.1 0.1 -0.2 0.2)", None),
    ("empty-yaw", "(0 pi)", "@(pi 0)", None),
    ("placed-without-range", "(On apple_1 main_table_left)", "(On apple_1 @main_table_none)", None),
    ("region-outside-table", "(-0.2 0.1 -0.1 0.2)", "@(0.6 0.1 0.7 0.2)", "error"),
    ("region-outside-table", "(-0.2 0.1 -0.1 0.2)", "@(0.4 0.1 0.7 0.2)", "warning"),
    ("region-outside-table", "(left", f"(goal {TABLE} (:ranges (@(-1 -1 1 1)))) (left", "info"),
    ("unused-region", "(left", f"(@spare {TABLE} (:ranges ((0 0 0 0)))) (left", "warning"),
    ("unused-region", "(:target box_1)", "(:target box_1)) (@spare (:target box_1)", "info"),
    ("yaw-on-object", "((-0.2 0.1 -0.1 0.2)))", "((-0.2 0.1 -0.1 0.2))) (@:yaw_rotation ((0 1)))", None),
    ("path-starts-elsewhere", "(:goal", AWAY + "(:goal", None),
    ("duplicate-look", "(:init", "(:looks (box_1 (seed 1)) (@box_1 (seed 2))) (:init", None),
    ("duplicate-subgoal", "(:init", "(:subgoals (a (Up box_1)) (@a (Up box_1))) (:init", None),
    ("duplicate-fill", "(:init", "(:fill (box_1 half) (@box_1 3)) (:init", None),
    ("never-filled", "(Fall box_1)", "(Spilled @box_1)", None),
    ("unknown-value", "(:init", "(:fill (box_1 @hulf)) (:init", None),
    ("value-range", "(:init", "(:fill (box_1 @0)) (:init", None),
    ("value-range", "(:init", "(:fill (box_1 @2.5)) (:init", None),
    ("unknown-name", "(:init", "(:fill (@bix_1 half)) (:init", None),
    ("wrong-argument", "(:init", "(:fill (@cabinet_1 half)) (:init", None),
    ("syntax-shape", "(:init", "(:fill @(box_1)) (:init", None),
    ("part-number", "(Fall box_1)", "(CheckGripperContactPart box_1 (@3 4))", None),
    ("in-without-contain-site", GOAL, "(In apple_1 @apple_2)", "error"),
    ("in-without-contain-site", GOAL, "(In apple_1 @box_1)", "info"),
    ("on-whole-fixture", GOAL, "(On apple_1 @cabinet_1)", None),
    ("duplicate-cost", "(Fall box_1)", "(Fall box_1) (@Fall box_1) (Fall box_1)", None),
    ("siblings-not-monitored", "(Fall box_1)", "(@NotOn apple_1 main_table_left)", None),
    ("goal-holds-at-start", GOAL, "(@And (On apple_1 main_table_left) (Close cabinet_1_middle_region))", None),
    ("language-file-mismatch", ":language", "@:language Slowly", None),
    ("language-goal-mismatch", f":language {LANGUAGE}", "@:language Pick up the pear and place it in the box", None),
    ("language-all-not-covered", f"{LANGUAGE})", "Put all of the apples in the box)", None),
    ("language-all-not-covered", f"{LANGUAGE})", "Open all of the drawers)", None),
    ("language-order-unchecked", "place it in the box)", "@then place it in the box)", None),
    ("language-order-unchecked", "place it in the box)", "place it in the box @at last)", None),
    ("language-preposition", "in the box)", "@on the drawer)", None),
]  # fmt: skip

check = functools.partial(cbddl.check, rules=instruction_defects)
KNOWN = {
    "apple": KnownCategory(nouns=("apple",)),
    "box": KnownCategory(contains=True, nouns=("box", "brown bin")),
    "cabinet": KnownCategory(),
}


def _place(text: str) -> tuple[str, int, int]:
    """Return the text without its mark, and the line and column of the mark."""
    before, mark, after = text.partition("@")
    if not mark:
        return text, 1, 1
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def test_a_sound_task_is_clean() -> None:
    task, found = check(SOUND, FILE, KNOWN)
    assert task is not None
    assert found == []


@pytest.mark.parametrize(("code", "old", "new", "severity"), CASES, ids=lambda value: str(value)[:40])
def test_each_defect_is_reported_where_it_is(code: str, old: str, new: str, severity: str | None) -> None:
    assert old in SOUND
    text = SOUND.replace(old, new, 1)
    if code == "placed-without-range":
        text = text.replace("(contain_region", "(none (:target main_table)) (contain_region")
    if code == "region-outside-table" and severity == "info":
        text = text.replace(GOAL, "(On apple_1 main_table_goal)")
    if code == "language-all-not-covered":
        text = text.replace(GOAL, "(@And (In apple_1 box_1_contain_region) (Open cabinet_1_top_region))")
    text, line, column = _place(text)
    task, found = check(text, FILE, KNOWN)
    same = [d for d in found if d.code == code]
    assert same, [str(d) for d in found]
    assert (line, column) in [(d.line, d.column) for d in same], [str(d) for d in same]
    assert {d.severity for d in same} == {severity or CODES[code].severity}
    assert (task is None) == any(d.fatal for d in found)
    assert CODES[code].fatal == same[0].fatal
    assert all(";" in d.message for d in same), "what is wrong; what to do"


def test_every_code_has_an_example() -> None:
    elsewhere = {
        "syntax-empty", "syntax-too-large", "syntax-not-utf8", "syntax-unreadable", "syntax-control-character",
        "syntax-too-deep", "syntax-define", "too-many-problems", "regions-overlap",
    }  # fmt: skip
    assert {case[0] for case in CASES} | elsewhere == set(CODES)


def test_a_path_may_begin_5_cm_beside_its_object() -> None:
    text = SOUND.replace("(:goal", NEAR.replace("@", "") + "(:goal")
    assert not check(text, FILE)[1]


def test_an_unused_undeclared_target_warns_and_a_used_one_is_an_error() -> None:
    text = SOUND.replace("(:target box_1)", "(:target box_2)").replace("box_1_contain", "box_2_contain")
    severities = [d.severity for d in check(text, FILE)[1] if d.code == "unknown-target"]
    assert severities == ["error"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(Fal box_1)", "Fall"),
        ("(CheckGripperDistence box_1 0.1)", "CheckGripperDistance"),
        ("(Fall bxo_1)", "box_1"),
        ("(Fall apple1)", "apple_1"),
    ],
)
def test_did_you_mean(written: str, meant: str) -> None:
    found = check(SOUND.replace("(Fall box_1)", written))[1]
    assert any(f"did you mean {meant!r}?" in d.message for d in found)


def test_a_region_is_suggested_by_its_full_name() -> None:
    found = check(SOUND.replace("(On box_1 main_table_right)", "(On box_1 right)"))[1]
    assert any("did you mean 'main_table_right'?" in d.message for d in found)


def test_defects_after_the_first_are_found_too() -> None:
    text = SOUND.replace("(Fall box_1)", "(Fal box_1) (Fall)").replace("-0.2 0.1 -0.1 0.2", "a 0.1 -0.1 b")
    codes = [d.code for d in check(text, FILE)[1]]
    assert codes.count("syntax-number") == 2
    assert codes.count("unknown-predicate") == codes.count("wrong-arity") == 1


def test_order_words_are_fine_when_the_goal_checks_the_order() -> None:
    text = SOUND.replace("place it", "then place it").replace(GOAL, f"(Then (Up apple_1) {GOAL})")
    assert not [d for d in check(text)[1] if d.code.startswith("language-")]


def test_nouns_of_the_asset_count_as_its_name() -> None:
    text = SOUND.replace("in the box)", "in the bin)")
    assert [d.code for d in check(text, "<text>")[1] if d.code.startswith("language")] == ["language-goal-mismatch"]
    assert not [d for d in check(text, "<text>", KNOWN)[1] if d.code.startswith("language")]


def test_file_names_may_be_numbered_short_or_without_articles() -> None:
    for name in (FILE, "pick_up_apple_and_place_it_in_box_2.bddl", "KITCHEN_SCENE1_" + FILE, "apple.bddl", "<text>"):
        assert check(SOUND, f"some/folder/{name}")[1] == []


def test_many_problems_are_cut_but_a_fatal_one_is_never_lost() -> None:
    regions = "".join(f"(left (:target main_table) (:ranges (({i} 0 0 0))))" for i in range(1, 500))
    text = SOUND.replace("(contain_region", regions + "(contain_region")
    task, found = check(text, FILE)
    assert task is not None
    assert len(found) == MAX_PROBLEMS + 1
    assert "too-many-problems" in {d.code for d in found}
    task, found = check(text.replace("(Fall box_1)", "(Fal box_1)"), FILE)
    assert task is None
    assert [d.code for d in found if d.fatal] == ["unknown-predicate"]


@pytest.mark.parametrize(
    ("gap_m", "size_m", "severity"),
    [(0.10, 0.02, None), (0.0799, 0.0, "error"), (0.0801, 0.0, None), (0.07, 0.02, "warning"), (0.05, 0.005, "error")],
)
def test_things_that_stand_inside_each_other_are_named(gap_m: float, size_m: float, severity: str | None) -> None:
    """Two circles of 4 cm: an error where no draw separates them, a warning where the middles do not."""
    half = size_m / 2
    text = f"""(define (problem Tabletop_Manipulation) (:domain robosuite) (:language Put it on the plate)
      (:regions (a (:target main_table) (:ranges (({-half} {-half} {half} {half}))))
                (b (:target main_table) (:ranges (({gap_m - half} {-half} {gap_m + half} {half})))))
      (:fixtures main_table - table) (:objects apple_1 apple_2 - apple) (:obj_of_interest apple_1)
      (:init (On apple_1 main_table_a) (On apple_2 main_table_b)) (:goal (And (On apple_1 apple_2))))"""
    _, defects = check(text, "x.cbddl", known={"apple": KnownCategory(nouns=("it",), inner_m=0.04)})
    found = [defect.severity for defect in defects if defect.code == "regions-overlap"]
    assert found == ([severity] if severity else [])
