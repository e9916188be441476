"""One report of two made-up runs, written once."""

from __future__ import annotations

import made_runs
import pytest
from report_pages import Made

from proctor.report import write_report


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    base = tmp_path_factory.mktemp("runs")
    rows = {"expert": made_runs.random_rows("expert", 0.9, 12), "reckless": made_runs.random_rows("reckless", 0.5, 12)}
    runs = [made_runs.write_run(base / name, episodes) for name, episodes in rows.items()]
    return Made(write_report(runs, base / "report").parent, rows)
