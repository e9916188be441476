"""A policy is one policy in a report, wherever it was served and in however many commands it was examined."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import made_runs
from report_pages import read_page

from proctor.report import write_report

SUITES = ("arena/static_obstacles", "arena/robustness", "arena/long_horizon", "goal")


def folders(tmp_path: Path, **changes: tuple[object, ...]) -> list[Path]:
    """Write four runs of one served policy; ``changes`` has a value of a field for each."""
    found = []
    for number in range(4):
        values = {name: value[number] for name, value in changes.items()}
        rows = [
            made_runs.episode(
                policy="pi0",
                address=f"openpi://host{number}:8000",
                seed=seed,
                episode=seed,
                **{"fingerprint": "openpi-12ab", **values},
            )
            for seed in range(3)
        ]
        found.append(made_runs.write_run(tmp_path / f"run{number}", rows))
    return found


def headline(tmp_path: Path, runs: list[Path]) -> str:
    return read_page(write_report(runs, tmp_path / "out")).text


def arms(tmp_path: Path) -> str:
    return (tmp_path / "out" / "data" / "index.js").read_text().partition('"policies"')[0]


def test_four_addresses_are_one_policy_and_an_episode_counts_once(tmp_path: Path) -> None:
    text = headline(tmp_path, folders(tmp_path))
    assert arms(tmp_path).endswith('"arms":["pi0"],')
    assert "3 episodes of 1 task" in text


def test_four_commands_put_their_suites_side_by_side(tmp_path: Path) -> None:
    tasks = tuple(f"{suite}/L1/t@v1" for suite in SUITES)
    text = headline(tmp_path, folders(tmp_path, suite=SUITES, task=tasks))
    assert arms(tmp_path).endswith('"arms":["pi0"],')
    assert "12 episodes of 4 tasks" in text
    assert all(suite in text for suite in SUITES)


def test_another_checkpoint_is_another_policy(tmp_path: Path) -> None:
    headline(tmp_path, folders(tmp_path, fingerprint=("a1", "a1", "b2", "b2")))
    assert arms(tmp_path).endswith('"arms":["pi0 (a1)","pi0 (b2)"],')


def test_arguments_tell_policies_apart_but_not_the_token(tmp_path: Path) -> None:
    given = ({"chunk": 8, "token": "x"}, {"chunk": 8}, {"chunk": 4}, {"chunk": 4, "timeout": 3.0})
    headline(tmp_path, folders(tmp_path, policy_args=given))
    assert arms(tmp_path).count("chunk") == 2
    assert "token" not in arms(tmp_path)


def test_other_pictures_and_other_results_stay_apart(tmp_path: Path) -> None:
    """A change of pictures is a comparison; two results of one episode are two examinations."""
    for name, changes in (("vision", ("V0", "V0", "V2", "V2")), ("success", (True, True, True, False))):
        (tmp_path / name).mkdir()
        headline(tmp_path / name, folders(tmp_path / name, **{name: changes}))
        assert arms(tmp_path / name).count("pi0") == 2


def test_films_and_commands_are_those_of_the_run_that_has_the_episode(tmp_path: Path) -> None:
    runs = folders(tmp_path, suite=SUITES, task=tuple(f"{suite}/L1/t@v1" for suite in SUITES), video=("x.mp4",) * 4)
    for number, run in enumerate(runs):
        (run / "x.mp4").write_bytes(b"film %d" % number)
    headline(tmp_path, runs)
    films = {path.read_bytes() for path in (tmp_path / "out" / "video").iterdir()}
    assert films == {b"film %d" % number for number in range(4)}


def test_what_a_kind_of_row_does_not_have_is_said(tmp_path: Path) -> None:
    for kind, says in (
        ("simulation", None),
        ("station", "Trials at the station have neither costs"),
        ("plan", "no costs"),
    ):
        row = made_runs.episode(kind=kind)
        run = made_runs.write_run(tmp_path / kind, [row if kind == "simulation" else replace(row, costs=None)])
        shown = [found.text for found in read_page(write_report([run])).all("ul", class_="cautions")]
        assert says in shown[0] if says else not shown
