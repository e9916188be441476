"""What a policy tells of an episode, on its page."""

from __future__ import annotations

from pathlib import Path

import made_runs
from report_pages import Element, read_page

from proctor.report import write_report
from proctor.results import NotedCall


def page_of(tmp_path: Path, **changes: object) -> Element:
    row = made_runs.episode(**changes)
    folder = write_report([made_runs.write_run(tmp_path / "run", [row])]).parent
    return read_page(folder / "episode" / f"{row.episode_id}.html")


def test_calls_and_facts_are_told_apart(tmp_path: Path) -> None:
    calls = (
        NotedCall(step=0, call="pick(3)"),
        NotedCall(step=40, call="press(4)", error="cannot", text="no button"),
        NotedCall(step=None, call="say()"),
    )
    page = page_of(tmp_path, calls=calls, notes={"ended": "done", "tokens_in": 1200, "sure": True})
    (table,) = [table for table in page.all("table") if "Calls of tools" in table.text]
    cells = [[cell.text for cell in line.all("td")] for line in table.all("tr")[1:]]
    assert cells == [["0", "pick(3)", "–"], ["40", "press(4)", "cannot: no button"], ["", "say()", "–"]]
    (facts,) = [found for found in page.all("dl") if "tokens_in" in found.text and "episode_id" not in found.text]
    assert [found.text for found in facts.all("dd")] == ["done", "1200", "true"]


def test_nothing_told_is_nothing_shown(tmp_path: Path) -> None:
    assert "What the policy tells" not in page_of(tmp_path).text
