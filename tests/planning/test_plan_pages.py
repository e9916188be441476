"""A run folder without a model or a simulator: its pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.planning.exam import summarise
from proctor.planning.exam._pages import write_pages


def _line(**more: Any) -> dict[str, Any]:
    line: dict[str, Any] = {
        "id": "a1",
        "suite": "knowledge/composite",
        "level": "L3",
        "dimension": "Complex",
        "task": "heat_food",
    }
    line |= {"episode": 0, "seed": 1, "instruction": "Heat the soup.", "outcome": "error", "error": "no server"}
    return line | {"views": [], "marks": {"1": "soup_1"}, "reference": [], "prompt": [], "shots": []} | more


def _page(folder: Path, line: dict[str, Any]) -> str:
    settings: dict[str, Any] = {"plan": "x", "model": "m", "max_tokens": 1024, "temperature": 0.0, "model_seed": None}
    settings |= {"shots": [0, "other", 0], "prompt": ["en", False, "full"], "views": ["head"]}
    run = {"settings": settings, "command": ["proctor"], "selectors": ["bench"], "endpoint": ""}
    write_pages(folder, run, [line], {}, summarise([line], {}, (None, None)))
    return (folder / "pages" / "a1.html").read_text(encoding="utf-8")


def test_a_reference_may_name_what_no_view_shows(tmp_path: Path) -> None:
    calls = [{"skill": "pick", "args": {"object": 1}}, {"skill": "press", "args": {"object": "microwave_1/button"}}]
    page = _page(tmp_path, _line(reference=calls))
    assert "pick(1)" in page
    assert "soup_1" in page
    assert "press(microwave_1/button)" in page


def test_half_a_character_in_an_answer_does_not_end_the_report(tmp_path: Path) -> None:
    assert r"bad \ud800 key" in _page(tmp_path, _line(error="bad \ud800 key"))
