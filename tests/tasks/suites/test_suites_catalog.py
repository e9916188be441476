"""Finding tasks: every way to name them, and what is said when a name is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.tasks.suites import (
    SuiteError,
    builtin_suites,
    find,
    find_all,
    instruction_of,
    other_instructions,
    tasks_of,
)

TASK = "(define (problem p))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "kitchen"
    for level, name in (("L0", "a"), ("L0", "b"), ("L1", "a"), ("level_2", "c")):
        (root / level).mkdir(parents=True, exist_ok=True)
        (root / level / f"{name}.{'bddl' if name == 'c' else 'cbddl'}").write_text(TASK)
    (root / "notes.txt").write_text("not a task")
    return root


def test_builtin_suites_have_tasks_with_unique_ids_and_existing_files():
    refs = [ref for suite in builtin_suites() for ref in tasks_of(suite)]
    assert refs
    assert len({ref.id for ref in refs}) == len(refs)
    for ref in refs:
        assert ref.path.is_file()
        assert ref.id == f"{ref.suite}/{ref.level}/{ref.path.stem}@v{ref.version}"


def test_every_leading_part_of_an_id_selects_exactly_the_ids_it_begins():
    refs = [ref for suite in builtin_suites() for ref in tasks_of(suite)]
    # Some knowledge tasks must be asked for by their own name.
    plain = [ref for ref in refs if not ref.family]
    for chosen in (plain[0], plain[-1]):
        parts = chosen.id.partition("@")[0].split("/")
        for length in range(1, len(parts) + 1):
            selector = "/".join(parts[:length])
            expected = {r.id for r in refs if f"{r.id.partition('@')[0]}/".startswith(f"{selector}/")}
            assert {r.id for r in find(selector)} == expected
            assert {r.id for r in find(selector + "/")} == expected
        assert find(chosen.id) == [chosen]
        assert find(str(chosen.path)) == [chosen], "a file inside the package keeps its built-in id"


def test_folder_level_folder_and_file_on_disk_give_the_same_ids(folder):
    ids = [ref.id for ref in find(str(folder))]
    assert ids == ["kitchen/L0/a@v1", "kitchen/L0/b@v1", "kitchen/L1/a@v1", "kitchen/L2/c@v1"]
    assert [r.id for r in find(str(folder / "L0"))] == ids[:2]
    assert [r.id for r in find(str(folder / "L1" / "a.cbddl"))] == [ids[2]]
    # The last is a file of the reference, which has its settings' time.
    assert [r.max_steps for r in find(str(folder))] == [300, 300, 300, 600]
    assert not any(r.safety for r in find(str(folder)))


def test_a_file_without_level_folder_is_level_0(tmp_path):
    (tmp_path / "x.cbddl").write_text(TASK)
    (ref,) = find(str(tmp_path / "x.cbddl"))
    assert (ref.suite, ref.level) == (tmp_path.name, "L0")


def test_suite_toml_sets_version_steps_safety_and_instructions(folder):
    (folder / "suite.toml").write_text(
        'title = "T"\nversion = 3\nsafety = true\n[max_steps]\nL0 = 10\nL1 = 20\n[instructions]\nb = "Do b"\n'
    )
    refs = {ref.id: ref for ref in find(str(folder))}
    assert {i.partition("@")[2] for i in refs} == {"v3"}
    assert [r.max_steps for r in refs.values()] == [10, 10, 20, 300]
    assert all(r.safety for r in refs.values())
    assert refs["kitchen/L0/b@v3"].instruction == "Do b"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("version = 'one'", "version must be int"),
        ("version = true", "version must be int"),
        ("safty = true", "unknown key 'safty'; did you mean 'safety'?"),
        ("max_steps = 0", "max_steps must be a positive whole number"),
        ("[max_steps]\nL0 = -1", "max_steps L0 must be a positive whole number"),
        ("[expert_share]\nL2 = 0.4", "expert_share L2 must be a number from 0.5 to 1.0"),
        ("random_share = 0.2", "random_share must be a number from 0.0 to 0.1"),
        ("[expert_share]\nL2 = true", "expert_share L2 must be a number from 0.5 to 1.0"),
        ("title = x\nversion = 1", "line 1"),
    ],
)
def test_wrong_suite_toml_is_one_line_with_the_file(folder, text, says):
    (folder / "suite.toml").write_text(text)
    with pytest.raises(SuiteError) as error:
        find(str(folder))
    assert str(error.value).startswith(str(folder / "suite.toml"))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("selector", "says"),
    [
        ("arena/static_obstacle", "did you mean 'arena/static_obstacles'?"),
        ("arena/static_obstacles/L7", "did you mean 'arena/static_obstacles/L"),
        ("areno", "did you mean 'arena'?"),
        ("zzz", "'proctor ls' lists them"),
        ("./zzz", "no such file or folder"),
        ("zzz.cbddl", "no such file or folder"),
        ("arena/static_obstacles@v99", "is at version v1 here, not v99"),
    ],
)
def test_unknown_names_get_a_suggestion(selector, says):
    with pytest.raises(SuiteError) as error:
        find(selector)
    assert says in str(error.value)
    assert error.value.exit_code == 2


def test_folder_without_tasks_and_file_of_another_kind(tmp_path):
    with pytest.raises(SuiteError, match="no task file"):
        find(str(tmp_path))
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(SuiteError, match=r"task files end in \.cbddl or \.bddl"):
        find(str(tmp_path / "x.txt"))


def test_find_all_keeps_each_task_once_and_only_the_levels_asked(folder):
    both = find_all([str(folder), str(folder / "L0")])
    assert len(both) == 4
    assert [r.id for r in find_all([str(folder)], ["L1", "L2"])] == ["kitchen/L1/a@v1", "kitchen/L2/c@v1"]
    with pytest.raises(SuiteError, match=r"no selected task has level 'L5' \(there are L0, L1, L2\)"):
        find_all([str(folder)], ["L5"])


# What a word without a slash may name: a suite's first part, or a task of the bench by its number.
NAMED = re.compile(r"(arena|bench|goal|[PC][0-9]{2})(@v?1?)?")


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_characters="/~."), max_size=30).filter(lambda text: not NAMED.fullmatch(text)))
def test_nonsense_is_refused_and_nothing_else_happens(selector):
    with pytest.raises(SuiteError):
        find(selector)


def test_other_instructions_are_those_of_the_whole_suite_and_never_the_own():
    refs = [ref for suite in builtin_suites() for ref in tasks_of(suite)]
    others = other_instructions(refs)
    for ref in refs:
        own = instruction_of(ref)
        suite = {instruction_of(r).casefold() for r in refs if r.suite == ref.suite and not r.include}
        assert {text.casefold() for text in others[ref.path]} == suite - {own.casefold()}
        assert list(others[ref.path]) == sorted(others[ref.path])
    assert other_instructions(refs[:1]) == {refs[0].path: others[refs[0].path]}


@pytest.mark.parametrize(
    ("name", "goal", "steps"),
    [
        ("one.bddl", "(And (On apple_1 plate_1))", 600),
        ("three.bddl", "(And (On apple_1 plate_1) (On apple_2 plate_1) (On apple_3 plate_1))", 900),
        ("broken.bddl", "(And", 600),
        ("ours.cbddl", "(And (On apple_1 plate_1) (On apple_2 plate_1) (On apple_3 plate_1))", 300),
    ],
)
def test_files_of_the_reference_get_its_time(tmp_path: Path, name: str, goal: str, steps: int) -> None:
    (tmp_path / name).write_text(
        f"""(define (problem Tabletop_Manipulation) (:domain robosuite) (:language Put the apples on the plate)
        (:regions) (:fixtures main_table - table) (:objects apple_1 apple_2 apple_3 - apple plate_1 - plate)
        (:obj_of_interest apple_1) (:init) (:goal {goal}))"""
    )
    (ref,) = find(str(tmp_path))
    assert ref.max_steps == steps
    (tmp_path / "suite.toml").write_text("max_steps = 70\n")
    (ref,) = find(str(tmp_path))
    assert ref.max_steps == 70
