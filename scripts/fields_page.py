"""Write docs/reference/fields.md from the text under each field of a row: the page cannot drift from the code."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from proctor.results import CIRCUMSTANCE, Episode

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "fields.md"

INTRODUCTION = """# Fields of a row

<!-- Written by scripts/fields_page.py from the text under each field in src/proctor/results/_episode.py: edit that. -->

A row says what happened in one episode. It is nested: `row.outcome.success` in Python, a line of JSON in
`episodes.jsonl`, structs, lists and maps in `episodes.parquet`; the columns of a report's `episodes.csv` have the
dotted names. Fields may be added; none is renamed. Names end in their unit: `_s` is seconds, `_m` metres.

Two runs of the same spec agree in every field but those marked * (under `charge:measured` the latencies decide the
rest). Folders from before rows were nested are read as well.

"""


def documented(kind: type) -> Iterator[tuple[str, Any, str]]:
    """Yield name, type and text of each field; raises `ValueError` for one without text."""
    hints = get_type_hints(kind)
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    for item, below in zip(definition.body, [*definition.body[1:], None], strict=True):
        if not isinstance(item, ast.AnnAssign):
            continue
        name = ast.unparse(item.target)
        text = ""
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = " ".join(str(below.value.value).split())
        elif (inside := _structure(hints[name])) is None:
            raise ValueError(f"{kind.__name__}.{name} has no text under it")
        else:
            text = inspect.getdoc(inside) or ""
        yield name, hints[name], text


def _structure(hint: Any) -> type | None:
    """Return the structure that a field holds, also in a list, a map, or as one of two."""
    if is_dataclass(hint) and isinstance(hint, type):
        return hint
    return next((found for part in get_args(hint) if (found := _structure(part)) is not None), None)


def _kind(hint: Any) -> str:
    """Return a type in the words of a reader."""
    text = str(hint).replace("typing.", "").replace("collections.abc.", "")
    if (inside := _structure(hint)) is not None:
        return "group" if hint in (inside, inside | None) else "list" if "tuple" in text else "map"
    plain = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}
    for name, word in plain.items():
        if text in (f"<class '{name}'>", f"{name} | None"):
            return word + (" or null" if "None" in text else "")
    return "text" if "Literal" in text else "list" if text.startswith("tuple") else "map"


def page() -> str:
    """Return the whole page: the row's own fields, then each group under its name, down to the last."""
    return INTRODUCTION + "\n".join(_section("", Episode, "## The row"))


def _section(prefix: str, kind: type, heading: str) -> Iterator[str]:
    below = []
    yield f"{heading}\n\n{' '.join((inspect.getdoc(kind) or '').split())}\n"
    yield "| field | holds | meaning |\n|---|---|---|"
    for name, hint, text in documented(kind):
        path = f"{prefix}{name}"
        inside = _structure(hint)
        yield f"| `{path}`{'*' if path in CIRCUMSTANCE else ''} | {_kind(hint)} | {text} |"
        if inside is not None:
            below.append((path, hint, inside))
    yield ""
    for path, hint, inside in below:
        each = {"list": "[]", "map": "{}"}.get(_kind(hint), "")
        yield from _section(f"{path}{each}.", inside, f"## `{path}`")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
