"""The reference page lists exactly the codes and predicates that there are."""

from __future__ import annotations

import re
from pathlib import Path

from proctor.tasks.cbddl import BLOCKS, CODES, MANDATORY, PREDICATES

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "cbddl.md").read_text()


def _rows(header: str) -> dict[str, list[str]]:
    table = PAGE.partition(header)[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    return {row[0]: row[1:] for row in cells}


def test_every_code_is_documented_with_its_severity() -> None:
    rows = _rows("| code | severity | meaning | |")
    assert list(rows) == [f"`{code}`" for code in CODES]
    for code, (severity, summary, marks) in zip(CODES, rows.values(), strict=True):
        assert (severity, summary) == (CODES[code].severity, CODES[code].summary)
        assert ("no task" in marks, "--fix" in marks) == (CODES[code].fatal, CODES[code].fixable)


def test_every_predicate_is_documented_with_its_arguments() -> None:
    rows = _rows("| predicate | arguments | in `:cost` | blocks |")
    assert [re.findall(r"`(\w+)`", name)[0] for name in rows] == list(PREDICATES)
    for predicate, (name, row) in zip(PREDICATES.values(), rows.items(), strict=True):
        assert re.findall(r"`(\w+)`", name)[1:] == list(predicate.aliases)
        signatures = [" ".join(signature) for signature in predicate.signatures if signature]
        assert re.findall(r"`([^`]*)`", row[0]) == signatures
        assert row[1] == predicate.timing
        assert set(row[2].split(", ")) == predicate.blocks


def test_every_block_is_documented() -> None:
    rows = _rows("| block | content | must be there |")
    named = {block: row[1] for names, row in rows.items() for block in re.findall(r"`(:?\w+)`", names)}
    assert set(named) == {"problem", *BLOCKS}
    assert {block for block, must in named.items() if must == "yes"} == set(MANDATORY)
