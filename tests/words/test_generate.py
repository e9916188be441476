"""The paraphrase set for LIBERO-Goal's ten instructions: size, cells, uniqueness, verification, determinism."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from goal_scene import GOAL, SCENE, TASKS

from proctor.tasks.words import (
    CELLS,
    COMPOUND_CELLS,
    Cell,
    LanguageError,
    Paraphrase,
    SourceTask,
    Verifier,
    generate,
    lexicon,
    parse_cells,
    read_paraphrases,
    tokens,
    write_paraphrases,
)


@pytest.fixture(scope="module")
def whole() -> list[Paraphrase]:
    return generate(TASKS, CELLS)


def test_there_are_as_many_as_in_the_published_set_in_every_cell(whole):
    counts = Counter(item.cell for item in whole)
    assert len(whole) >= 4092
    assert set(counts) == set(CELLS)
    assert min(counts.values()) >= 74
    per_task = Counter(item.original for item in whole)
    assert min(per_task.values()) >= 386


def test_no_text_is_in_two_cells_and_none_is_an_original(whole):
    words = [" ".join(tokens(item.text)) for item in whole]
    assert len(set(words)) == len(words)
    assert not set(words) & set(GOAL)


def test_every_text_is_verified(whole):
    verifiers = {text: Verifier(text, SCENE) for text in GOAL}
    refused = [item for item in whole if not verifiers[item.original].check(item.text).accepted]
    assert refused == []


def test_the_object_axis_changes_names_and_the_action_axis_leaves_them(whole):
    for item in whole[::7]:
        names = {noun for noun in ("bowl", "plate", "stove", "cabinet", "rack", "drawer") if noun in item.original}
        if item.cell.object is None:
            assert names <= set(tokens(item.text)), item
        elif item.cell.object == "addition_deletion":
            assert names <= set(tokens(item.text)), item
            assert item.substitutions
        else:
            changed = [word for word in item.substitutions if word in tokens(item.original) or " " in word]
            assert changed, item
        if item.cell.action is None:
            assert tokens(item.text)[0] == tokens(item.original)[0]


def test_contextual_and_habitual_names_are_told_apart(whole):
    book = lexicon()
    for item in whole:
        if item.cell.action is None and item.cell.object != "addition_deletion":
            wanted = ("synonym",) if item.cell.object.endswith("habitual") else ("context", "hypernym")
            for word, text in item.substitutions.items():
                rows = [e for pos in "na" for e in book.of(word, pos) if e.text == text]
                assert [e.relation in wanted for e in rows] == [True], (word, text)


def test_same_seed_same_texts_other_seed_other_texts():
    cells = CELLS[5::12]
    first = [item.text for item in generate(TASKS[:3], cells, per_task=4, seed=3)]
    assert first == [item.text for item in generate(TASKS[:3], cells, per_task=4, seed=3)]
    assert first != [item.text for item in generate(TASKS[:3], cells, per_task=4, seed=4)]


def test_compound_cells_have_both_changes():
    found = generate(TASKS, parse_cells("none/hab+need"), per_task=6)
    assert len(found) >= 40
    for item in found:
        assert "pattern" in item.substitutions
        assert set(item.substitutions) & {"put", "open", "turn on", "push"}
    counts = Counter(item.cell for item in generate(TASKS[3:5], COMPOUND_CELLS[::5], per_task=2))
    assert set(counts) == set(COMPOUND_CELLS[::5])


def test_a_text_must_be_right_in_every_scene_of_its_wording():
    other = {**SCENE, "mug_1": ("mug",), "basin_1": ("basin",)}
    cell = Cell("same_polarity_habitual", None)
    alone = {item.text for item in generate([TASKS[3]], [cell], per_task=20)}
    both = {item.text for item in generate([SourceTask("t", GOAL[3], SCENE, (other,))], [cell], per_task=20)}
    assert any("basin" in text for text in alone)
    assert both
    assert not any("basin" in text for text in both)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_file_is_read_as_it_was_written(ending, tmp_path: Path):
    written = generate(TASKS[:2], CELLS[:15:4], per_task=2)
    file = tmp_path / "new" / f"texts.{ending}"
    write_paraphrases(written, file)
    assert read_paraphrases(file) == written


def test_the_published_columns_are_read(tmp_path: Path):
    file = tmp_path / "meta.csv"
    file.write_text(
        "high,low,eval,new_instruction,original_instruction\n"
        "comp,addition_deletion+hint,3,The small bowl belongs on the plate,put the bowl on the plate\n"
    )
    (item,) = read_paraphrases(file)
    assert item.cell == Cell("addition_deletion", "hint")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", "task,text\n1,hello\n", ":2: the column 'original_instruction' is missing or empty"),
        ("a.csv", "original_instruction,new_instruction\nput it,\n", ":2: the column 'new_instruction'"),
        ("a.csv", "original_instruction,new_instruction\n", "no paraphrase in this file"),
        ("a.jsonl", "not json\n", "cannot be read as a paraphrase file"),
        ("a.jsonl", "[1]\n", ":1: a line must be a JSON object"),
        ("a.csv", "high,low,original_instruction,new_instruction\nx,y,a,b\n", "high is 'x'"),
        ("a.csv", "original_instruction,new_instruction,substitutions\na,b,oops\n", "substitutions must be a JSON"),
    ],
)
def test_a_wrong_file_is_explained(name, text, says, tmp_path: Path):
    (tmp_path / name).write_text(text)
    with pytest.raises(LanguageError, match=says):
        read_paraphrases(tmp_path / name)


def test_an_instruction_that_is_not_about_the_scene_is_said():
    with pytest.raises(LanguageError, match="t: the original's 'the bowl' names nothing in the scene"):
        generate([SourceTask("t", GOAL[3], {"mug_1": ("mug",), "plate_1": ("plate",)})], CELLS)
    two = {**SCENE, "bowl_2": ("bowl", "white bowl")}
    with pytest.raises(LanguageError, match="names 2 things in the scene"):
        generate([SourceTask("t", GOAL[3], two)], CELLS)


def test_a_missing_file_and_a_wrong_count_are_explained(tmp_path: Path):
    with pytest.raises(LanguageError, match="cannot be read"):
        read_paraphrases(tmp_path / "none.csv")
    with pytest.raises(LanguageError, match="at least 1"):
        generate(TASKS, CELLS, per_task=0)
    with pytest.raises(LanguageError, match="no task"):
        generate([], CELLS)
    assert json.dumps(generate(TASKS[:1], CELLS[:1], per_task=1)[0].substitutions)
