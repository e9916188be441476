"""The page about rows explains exactly the columns that there are."""

from __future__ import annotations

import re
from pathlib import Path

from proctor.results import CIRCUMSTANCE, COLUMNS

PAGE = Path(__file__).parents[2] / "docs" / "running.md"


def test_every_column_is_explained_and_nothing_else():
    section = PAGE.read_text(encoding="utf-8").split("## Columns")[1]
    table, after = section.split("\n\nTwo runs of the same spec")
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    beside = {"policy_s", "env_s"}  # explained in the row of wall_s
    assert named | beside == set(COLUMNS)
    assert set(re.findall(r"`(\w+)`", after.split("Costs,")[0])) == set(CIRCUMSTANCE)
