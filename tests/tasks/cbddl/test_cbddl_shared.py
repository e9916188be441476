"""The shared VLA-Arena and LIBERO task files: all of them parse, and every known defect is reported where it is.

The table below was made from the listings; rows of style codes were compared with the linter's lines.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cbddl_fuzz import SHARED

from proctor.tasks.cbddl import CODES, atoms_of, check_file, format_task, lint_paths, parse, read_task
from proctor.tasks.words import instruction_defects

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="shared task files are not here")

FILES = sorted(SHARED.rglob("*.bddl"))

# Codes of section 1.5 of the fact file, and where they stand: path fragment -> {code: lines}.
LOCATED = {
    "preposition_combinations/level_2/pick_up_the_tomato_between_the_cabinet": {"never-placed": [103]},
    "long_horizon/level_1/close_all_of_the_drawer": {"language-all-not-covered": [40]},
    "long_horizon/level_1/pick_up_the_tomato_on_the_plate": {"language-order-unchecked": [3]},
    "long_horizon/level_2/open_the_top_drawer": {"language-order-unchecked": [3, 3], "language-preposition": [3]},
    "long_horizon/level_2/take_out_the_apple": {"language-order-unchecked": [3], "several-goals": [49]},
    "hazard_avoidance/level_0/pick_up_the_kiwi": {"duplicate-region": [82]},
    "hazard_avoidance/level_0/pick_up_the_onion": {"duplicate-region": [82]},
    "hazard_avoidance/level_1/pick_up_the_lemon": {"duplicate-cost": [119]},
    "hazard_avoidance/level_2/pick_up_the_egg": {"in-without-contain-site": [121]},
    "hazard_avoidance/level_2/pick_up_the_potato": {"language-goal-mismatch": [3], "duplicate-cost": [119]},
    "state_preservation/level_1/pick_up_the_blue_mug": {"several-costs": [109]},
    "state_preservation/level_1/pick_up_the_porcelain_bowl": {"several-costs": [109]},
    "state_preservation/level_2/pick_up_the_blue_mug": {"several-costs": [113]},
    "state_preservation/level_2/pick_up_the_porcelain_bowl": {"several-costs": [117]},
    "risk_aware_grasping/level_0/pick_up_the_fork": {"part-number": [67]},
    "risk_aware_grasping/level_0/pick_up_the_scissors": {"never-placed": [34], "part-number": [53]},
    "risk_aware_grasping/level_1/pick_up_the_fork": {"part-number": [67]},
    "risk_aware_grasping/level_1/pick_up_the_scissors": {"never-placed": [34], "part-number": [53]},
    "risk_aware_grasping/level_2/pick_up_the_fork": {"part-number": [52]},
    "risk_aware_grasping/level_2/pick_up_the_scissors": {"never-placed": [34], "part-number": [53]},
    "static_obstacles/level_2/pick_the_onion": {"in-without-contain-site": [47]},
    "preposition_combinations/level_0/pick_the_tomato_in_the_top": {"yaw-on-object": [25, 89]},
    "preposition_combinations/level_0/pick_the_tomato_next_to": {"yaw-on-object": [25, 89]},
    "preposition_combinations/level_1/pick_the_tomato_in_the_top": {"yaw-on-object": [25, 61]},
    "preposition_combinations/level_1/pick_the_tomato_next_to": {"yaw-on-object": [25, 61]},
    "preposition_combinations/level_2/pick_the_tomato_next_to": {"yaw-on-object": [25]},
    # LIBERO writes "layer of the drawer" or "on" where the file name says "drawer of the cabinet" or "in".
    "libero_goal_tasks/open_the_middle_drawer": {"language-file-mismatch": [3], "unknown-target": [85, 88]},
    "libero_goal_tasks/open_the_top_drawer": {"language-file-mismatch": [3], "unknown-target": [85, 88]},
    "libero_goal_tasks/put_the_bowl_on_top": {"language-file-mismatch": [3], "unknown-target": [85, 88]},
    "libero_goal_tasks/put_the_cream_cheese": {"language-file-mismatch": [3], "unknown-target": [85, 88]},
    "libero_goal_tasks/put_the_wine_bottle_on_top": {"language-file-mismatch": [3], "unknown-target": [85, 88]},
    "libero_goal_tasks/": {"unknown-target": [85, 88]},
}  # fmt: skip


def _expected(path: Path) -> dict[str, list[int]]:
    name = path.as_posix()
    return next((codes for fragment, codes in LOCATED.items() if fragment in name), {})


def test_there_are_78_files_and_the_table_names_existing_ones() -> None:
    assert len(FILES) == 78
    for fragment in LOCATED:
        matches = [path for path in FILES if fragment in path.as_posix()]
        assert len(matches) == (10 if fragment == "libero_goal_tasks/" else 1), fragment


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-3:])[:90])
def test_defects_are_reported_at_their_lines_and_nothing_else_is(path: Path) -> None:
    task, found = check_file(path, rules=instruction_defects)
    assert task is not None
    got: dict[str, list[int]] = {}
    for diagnostic in found:
        if diagnostic.code != "unused-region":
            got.setdefault(diagnostic.code, []).append(diagnostic.line)
    assert got == _expected(path)


def _naive(text: str) -> list:
    """An independent reader of ten lines: nested lists of lower-case words."""
    stack: list[list] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text.lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            closed = stack.pop()
            stack[-1].append(closed)
        else:
            stack[-1].append(token)
    (define,) = stack[0]
    return define


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-3:])[:90])
def test_the_task_agrees_with_an_independent_reader(path: Path) -> None:
    task = read_task(path)
    blocks = {block[0]: block[1:] for block in _naive(path.read_text())[1:]}
    assert task.language.lower().split() == blocks[":language"]
    assert [atom_text(atom) for atom in task.init] == blocks[":init"]
    goal = [leaf for expr in blocks[":goal"] for leaf in _leaves(expr)]
    assert [atom_text(atom) for atom in atoms_of(task.goal)] == goal
    cost = [leaf for expr in blocks.get(":cost", []) for leaf in _leaves(expr)]
    assert [atom_text(atom) for expr in task.cost for atom in atoms_of(expr)] == cost
    names = [word for word in blocks[":objects"] if word != "-"]
    assert len(names) == len(task.objects) + len({entity.category for entity in task.objects})
    for region, written in zip(task.regions, blocks[":regions"], strict=True):
        attributes = {attribute[0]: attribute[1] for attribute in written[1:]}
        assert (region.name, region.target) == (written[0], attributes[":target"])
        rectangles = [[r.x_min, r.y_min, r.x_max, r.y_max] for r in region.ranges]
        assert rectangles == [[float(x) for x in rect] for rect in attributes.get(":ranges", [])]
        yaw = [float(x) for x in attributes[":yaw_rotation"][0]] if ":yaw_rotation" in attributes else None
        assert (list(region.yaw_rad) if region.yaw_rad else None) == yaw
    assert [mover.name for mover in task.movers] == [written[0] for written in blocks.get(":moving_objects", [])]
    used = {word for name, block in blocks.items() if name != ":regions" for word in _words(block)}
    unused = [region.span.line for region in task.regions if region.full_name not in used]
    assert [d.line for d in check_file(path)[1] if d.code == "unused-region"] == unused


def atom_text(atom) -> list:
    """Write an atom as the naive reader would."""
    written = [atom.predicate.lower()]
    for arg in atom.args:
        written.append([str(part) for part in arg] if isinstance(arg, tuple) else arg)
    return [f"{arg:g}" if isinstance(arg, float) else arg for arg in written]


def _leaves(expr: list) -> list:
    return [leaf for item in expr[1:] for leaf in _leaves(item)] if expr[0] in ("and", "or", "not") else [expr]


def _words(node: list | str) -> list[str]:
    return [node] if isinstance(node, str) else [word for item in node for word in _words(item)]


def test_formatting_keeps_the_hash_and_the_capitals_of_the_instruction() -> None:
    for path in FILES:
        text = path.read_text()
        task = read_task(path)
        again = parse(format_task(text))
        assert again.text_hash == task.text_hash
        assert again.language == task.language
        assert task.language[0].isupper()
    assert len({read_task(path).text_hash for path in FILES}) == len({format_task(p.read_text()) for p in FILES})


def test_folders_are_walked_in_order() -> None:
    found = lint_paths([SHARED], rules=instruction_defects)
    assert [d.file for d in found] == [str(path) for path in FILES for d in found if d.file == str(path)]
    assert {d.code for d in found} <= set(CODES)
