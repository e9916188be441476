"""The pages of a run: an index with the figures, and one page per question with views, prompt, answer and verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

import proctor
from proctor.core import write_whole

from .._judge import ANSWERED, PLANNED
from ._evaluate import view_path
from ._radar import radar
from ._summary import Summary, figure_text

FOLDER = "pages"
_VERDICT_CLASS = {"credited": "good", "optional": "good", "neutral": "quiet"}


def write_pages(
    folder: Path,
    run: Mapping[str, Any],
    lines: Sequence[Mapping[str, Any]],
    executions: Mapping[str, Mapping[str, Any]],
    summary: Summary,
) -> Path:
    """Write ``index.html`` and a page per question into a run folder; return the index."""
    ordered = sorted(lines, key=lambda line: (line["dimension"], line["task"], line["episode"]))
    common = {"version": proctor.__version__, "run": run, "figure": figure_text, "planned": PLANNED}
    index = folder / "index.html"
    for place, line in enumerate(ordered):
        near = {
            "previous": ordered[place - 1]["id"] if place else None,
            "next": ordered[place + 1]["id"] if place + 1 < len(ordered) else None,
        }
        page = _template("example.html.j2").render(
            **common, **near, line=line, played=executions.get(line["id"]), calls=_calls(line), picture=_picture
        )
        write_whole(folder / FOLDER / f"{line['id']}.html", _bytes(page))
    page = _template("index.html.j2").render(
        **common, lines=ordered, summary=summary, radar=radar(summary.groups), answered=ANSWERED, executions=executions
    )
    write_whole(index, _bytes(page))
    return index


def _bytes(page: str) -> bytes:
    """Encode a page; half a pair of surrogates, which JSON can hold and UTF-8 cannot, is shown as an escape."""
    return page.encode("utf-8", "backslashreplace")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("proctor.planning.exam"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> Any:
    return _environment().get_template(name)


def _picture(identity: str, name: str) -> str:
    return "../" + view_path(identity, name)


def _calls(line: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the calls of an answer with what became of each."""
    rows = []
    for k, call in enumerate(line.get("plan", ())):
        verdict = line["verdicts"][k]
        said = ", ".join(str(value) for value in call["args"].values())
        rows.append(
            {
                "call": f"{call['skill']}({said})",
                "bound": line["bound"][k],
                "verdict": verdict,
                "class": _VERDICT_CLASS.get(verdict, "bad"),
                "why_not": line["why_not"][k],
            }
        )
    return rows
