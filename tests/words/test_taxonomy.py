"""The grid has the paper's shape, every type explains itself, and cells are read as they are written."""

from __future__ import annotations

import pytest
from goal_scene import SCENE

from proctor.tasks.words import (
    ACTION_TYPES,
    CELLS,
    COMPOUND_CELLS,
    EXAMPLE_ORIGINAL,
    OBJECT_TYPES,
    Cell,
    LanguageError,
    parse_cells,
    verify,
)


def test_the_grid_is_three_by_ten_with_43_cells():
    assert (len(OBJECT_TYPES), len(ACTION_TYPES), len(CELLS), len(set(CELLS))) == (3, 10, 43, 43)
    assert sum(cell.object is None for cell in CELLS) == 10
    assert sum(cell.action is None for cell in CELLS) == 3
    assert not set(CELLS) & set(COMPOUND_CELLS)
    assert len(COMPOUND_CELLS) == 4 * 3 * 7
    assert all(cell.compound for cell in COMPOUND_CELLS)


def test_every_type_has_a_definition_and_an_example_that_the_verifier_accepts():
    for kind in (*OBJECT_TYPES, *ACTION_TYPES):
        assert len(kind.definition.split()) > 5
        assert verify(kind.example, EXAMPLE_ORIGINAL, SCENE).reasons == (), kind


def test_a_cell_is_read_from_what_it_prints():
    for cell in (*CELLS, *COMPOUND_CELLS):
        assert parse_cells(str(cell)) == (cell,)


def test_short_names_stars_and_groups():
    assert parse_cells("hab/need") == (Cell("same_polarity_habitual", "need_statement"),)
    assert len(parse_cells("*/hint")) == 4
    assert len(parse_cells("none/*")) == 10
    assert parse_cells("all") == CELLS
    assert parse_cells("all,none/hint") == CELLS
    assert parse_cells("compound") == COMPOUND_CELLS
    assert len(parse_cells("none/hab+*")) == 7


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hint", "write object/action"),
        ("hab/hnt", "did you mean 'hint'"),
        ("verb/none", "unknown object type"),
        ("none/none", "no such cell"),
        ("none/need+hint", "no such cell"),
        ("", "write object/action"),
    ],
)
def test_a_wrong_cell_is_explained(text, says):
    with pytest.raises(LanguageError, match=says):
        parse_cells(text)
