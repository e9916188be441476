"""A row is what was written, through JSON, Arrow and Parquet, and every field of it is explained."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episode_rows import changed, plain
from proctor.core import EnvSpec, EpisodeSpec, PolicySpec
from proctor.results import (
    CIRCUMSTANCE,
    Episode,
    Tally,
    Value,
    arrow_schema,
    episodes_table,
    make_row,
    read_episodes,
    read_history,
    read_parquet,
    write_parquet,
)

ROOT = Path(__file__).parents[2]
OLD = Path(__file__).parent / "old"
TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
REAL = st.floats(allow_nan=False, allow_infinity=False)
WHOLE = st.integers(-(2**63), 2**63 - 1)
PLAIN = {str: TEXT, int: WHOLE, float: REAL, bool: st.booleans(), type(None): st.none()}


def any_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return random values of a type, every field of a structure among them."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if hint == Value:
        return st.one_of(*PLAIN.values())
    if origin is Literal:
        return st.sampled_from(inside)
    if origin in (Union, types.UnionType):
        return st.one_of(*(any_of(part) for part in inside))
    if origin is tuple:
        return st.lists(any_of(inside[0]), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(TEXT, any_of(inside[1]), max_size=2)
    assert is_dataclass(hint), hint
    hints = get_type_hints(hint)
    return st.builds(hint, **{item.name: any_of(hints[item.name]) for item in fields(hint)})  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(any_of(Episode), max_size=3))
def test_round_trips_are_exact(rows: list[Episode], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("parquet") / "x.parquet"
    read = [Episode.from_json(row.to_json()) for row in rows]
    assert [(row, repr(row)) for row in read] == [(row, repr(row)) for row in rows]
    write_parquet(read, path)
    back = read_parquet(path)
    assert [(row, repr(row)) for row in back] == [(row, repr(row)) for row in rows]


def test_no_column_holds_json() -> None:
    """Groups are structs, sequences lists, maps maps; a query reaches every figure without parsing text."""
    row = changed(plain(), latencies_ms=(1.5, 2.0), policy_args={"speed": 0.5})
    table = episodes_table([row]).flatten()
    assert table["timing.latencies_ms"].to_pylist() == [[1.5, 2.0]]
    assert table["policy.arguments"].to_pylist()[0][0][1]["number"] == 0.5
    assert [event["kind"] for event in table["outcome.events"].to_pylist()[0]] == ["subgoal", "success"]
    assert set(arrow_schema().names) == {item.name for item in fields(Episode)}


@pytest.mark.parametrize(
    ("group", "field", "value", "says"),
    [
        ("outcome", "success", ..., "`success`.*outcome"),
        ("timing", "wall_s", "1", r"float.*timing\.wall_s"),
        ("outcome", "events", [{"step": 1}], r"`time_s`.*outcome\.events"),
        (None, "status", "fine", "'fine'.*status"),
    ],
)
def test_a_wrong_row_is_refused_by_field(group: str | None, field: str, value: Any, says: str) -> None:
    values = plain().to_dict()
    inside = values[group] if group else values
    if value is ...:
        del inside[field]
    else:
        inside[field] = value
    for read in (Episode.from_dict, lambda row: Episode.from_json(json.dumps(row))):
        with pytest.raises(ValueError, match=says):
            read(values)


def test_a_figure_that_is_no_number_is_not_written() -> None:
    with pytest.raises(ValueError, match="float"):
        changed(plain(), wall_s=float("inf")).to_json()


def test_a_row_from_before_a_field_was_added_is_read_with_its_default() -> None:
    values = plain().to_dict()
    del values["policy"]["training_set"], values["vision"]
    assert Episode.from_dict(values) == plain()


def test_circumstance_names_fields() -> None:
    assert set(plain().flat()) > CIRCUMSTANCE


def test_arguments_and_notes_are_plain_values_whatever_they_were() -> None:
    spec = EpisodeSpec("s", "t", "L0", "", 0, 0, "go", "p", {"rename": {"top": "cam0"}, "layers": [1, 2.5], "on": None})
    notes = {"log": [{"step": 3, "call": "pick(3)", "error": "far"}], "tokens": {"in": 2**80}, "odd": "\ud800"}
    row = make_row(spec, PolicySpec("p"), EnvSpec("e", ()), status="completed", tally=Tally(notes=notes))
    assert row.policy.arguments == {"rename.top": "cam0", "layers.0": 1, "layers.1": 2.5, "on": None}
    assert row.policy.notes == {"tokens.in": 2.0**80, "odd": "\\ud800"}
    assert [(call.step, call.call, call.error) for call in row.policy.calls] == [(3, "pick(3)", "far")]
    assert Episode.from_json(row.to_json().encode()) == row


@pytest.mark.parametrize("kind", ["simulation", "station"])
def test_a_folder_from_before_rows_were_nested_is_read(kind: str, tmp_path: Path) -> None:
    """Recorded by the last code that wrote flat rows; every column that it has is found again."""
    lines = [json.loads(line) for line in (OLD / kind / "episodes.jsonl").read_text().splitlines()]
    rows = read_history(OLD / kind)
    for old, row in zip(lines, rows, strict=True):
        assert row.kind == kind
        values, known = row.flat(), json.loads(row.to_json())
        for name, was in old.items():
            if name in ("policy_args", "policy_notes", "substitutions", "vision_values", "objects", "latencies_ms"):
                continue
            if isinstance(was, (int, float, str)) and was not in ("", 0, 0.0, "[]"):
                assert was in values.values(), name
        assert known["outcome"]["objects"] == json.loads(old["objects"])
        assert known["timing"]["latencies_ms"] == json.loads(old["latencies_ms"])
        assert row.vision.drawn == json.loads(old["vision_values"])
        assert {item.what: item.text for item in row.language.substitutions} == {
            word: item["text"] for word, item in json.loads(old["substitutions"]).items()
        }
        notes = json.loads(old["policy_notes"])
        assert [call.call for call in row.policy.calls] == [call["call"] for call in notes.pop("log", [])]
        assert row.policy.notes == notes
        if kind == "simulation":
            assert [entry.cost for entry in row.costs.entries] == [entry["cost"] for entry in old["costs"]]
        assert Episode.from_json(row.to_json()) == row
    write_parquet(rows, tmp_path / "x.parquet")
    assert read_parquet(tmp_path / "x.parquet") == rows
    assert len(read_episodes(OLD / kind)) == len({row.episode_id for row in rows})


def test_the_page_of_fields_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "fields_page.py"), "--check"], check=False)
    assert done.returncode == 0, "run: python scripts/fields_page.py"
