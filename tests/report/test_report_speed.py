"""The table of latencies against the rows it is made of."""

from __future__ import annotations

import made_runs
import numpy as np
import pytest
from report_pages import read_page

from proctor.report import write_report
from proctor.report._summary import milliseconds, speed_of


def test_percentiles_are_over_all_requests_and_shares_over_all_time():
    rng = np.random.default_rng(3)
    draws = [rng.exponential(20.0, size).round(3).tolist() for size in (1, 40, 7)]
    rows = [
        made_runs.episode(latencies_ms=tuple(d), wall_s=2.0, policy_s=0.5, env_s=1.0, steps=10 * len(d)) for d in draws
    ]
    speed = speed_of([*rows, made_runs.episode(latencies_ms=(), wall_s=100.0)])
    together = np.sort(np.concatenate(draws))
    assert speed.requests == 48
    assert speed.slowest_ms == together[-1]
    assert together[22] <= speed.p50_ms <= together[25]
    assert together[44] <= speed.p95_ms <= together[46]
    assert (speed.policy_share, speed.env_share) == (0.25, 0.5)
    assert speed.actions_per_request == pytest.approx(10.0)
    assert speed.waited is None
    assert speed_of([made_runs.episode()]) is None


def test_steps_that_passed_are_not_actions_of_an_answer():
    row = made_runs.episode(latencies_ms=(5.0, 5.0), steps=20, waited_steps=5, timing="charge:0.1")
    speed = speed_of([row])
    assert speed.actions_per_request == 7.5
    assert (speed.waited, speed.timings) == (0.25, ("charge:0.1",))


@pytest.mark.parametrize(
    ("value", "shown"), [(0.5123, "0.512 ms"), (12.345, "12.3 ms"), (123.4, "123 ms"), (1234.5, "1234 ms")]
)
def test_three_digits(value, shown):
    assert milliseconds(value) == shown


def test_the_page_shows_it_only_where_there_is_something_to_show(tmp_path):
    timed = [
        made_runs.episode(episode=n, seed=n, latencies_ms=(1.5, 2.5, 3.5), timing="charge:0.1", waited_steps=13)
        for n in range(3)
    ]
    for name, rows in (("with", timed), ("without", [made_runs.episode()])):
        made_runs.write_run(tmp_path / name, rows)
        write_report([tmp_path / name], tmp_path / f"{name}-report")
    page = read_page(tmp_path / "with-report" / "index.html")
    (table,) = page.all("table", class_="speed")
    cells = [cell.text for cell in table.all("td")]
    assert cells[:4] == ["9", "2.50 ms", "3.50 ms", "3.50 ms"]
    assert "10 % of its steps passed so" in " ".join(page.text.split())
    assert not read_page(tmp_path / "without-report" / "index.html").all("table", class_="speed")
