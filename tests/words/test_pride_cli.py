"""``proctor pride``, ``failures``, ``import`` and ``language`` as a user meets them."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from episode_rows import changed, plain
from proctor.analysis.words import PACKAGES
from proctor.cli import app
from proctor.core import ObjectTrace
from proctor.results import Episode, RunFolder, write_steps

DRAWER = "open the middle drawer of the cabinet"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def mistake(*arguments: object) -> str:
    """Return the one line that a mistake prints; the real entry point turns these errors into exit code 2."""
    result = call(*arguments)
    assert result.exit_code == 1
    assert getattr(result.exception, "exit_code", None) == 2
    text = str(result.exception)
    assert "\n" not in text
    return text


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["original_instruction", "new_instruction", "success", "task"])
        for task in range(3):
            writer.writerow([DRAWER, f"carefully {DRAWER}", 1, task])
            writer.writerow([DRAWER, "The storage unit's middle compartment is currently shut", 0, task])
    return path


def test_rows_come_back_in_order_with_the_packages(pairs: Path) -> None:
    result = call("pride", pairs, "--mode", "paper", "--json")
    assert result.exit_code == 0, result.output
    body = json.loads(result.output)
    assert [round(row["pd"], 3) for row in body["rows"][:2]] == [0.033, 0.457]
    assert body["rows"][0]["new_instruction"].startswith("carefully")
    assert {"s_k", "s_t", "pd"} <= body["rows"][0].keys()
    assert body["packages"]["spacy"] == PACKAGES[0].version
    assert len(body["packages"]["files_sha256"]) == 64
    summary = body["summary"]
    assert summary["success"]["estimate"] == pytest.approx(0.5)
    assert summary["pride"]["estimate"] == pytest.approx(0.033 / 0.490, abs=2e-3)
    assert summary["overestimation"]["estimate"] == pytest.approx(1 - summary["pride"]["estimate"] / 0.5)
    assert [point["alpha"] for point in summary["sweep"]][::5] == [0.0, 0.5, 1.0]
    assert summary["n_tasks"] == 3


def test_the_screen_shows_what_was_added_and_the_interval_over_tasks(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "scored.csv"
    result = call("pride", pairs, "--out", out)
    assert result.exit_code == 0, result.output
    for text in ("6 pairs", "carefully", "PRIDE", "overestimation", "95 % over tasks", "3 tasks; mode corrected"):
        assert text in result.output
    with out.open(newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["added"] for row in written[:1]] == ["carefully"]
    again = call("pride", out, "--json")
    assert json.loads(again.output)["summary"]["n_rows"] == 6


def test_marked_texts_are_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        f"original_instruction,new_instruction\n{DRAWER},Here are 20 variations of it:\n{DRAWER},открой ящик 😀\n"
    )
    result = call("pride", path)
    assert f"{path}:2: looks like the preamble" in result.output
    assert f"{path}:3: does not look like English" in result.output
    assert f"{path}:3: holds emoji" in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "has no column 'original_instruction' (has a, b)"),
        (f"original_instruction,new_instruction\n{DRAWER},\n", "pairs.csv:2: the paraphrase is empty"),
        (
            f"original_instruction,new_instruction\n{DRAWER},{'put ' * 10_000}\n",
            "pairs.csv:2: the paraphrase has 10000 words",
        ),
        (
            f"original_instruction,new_instruction,success\n{DRAWER},{DRAWER},1\n",
            "every paraphrase equals its original",
        ),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    assert message in mistake("pride", path)


def test_other_mistakes(pairs: Path, tmp_path: Path) -> None:
    assert "no such file" in mistake("pride", tmp_path / "no.csv")
    assert "alpha is 2" in mistake("pride", pairs, "--alpha", 2)
    assert "cannot write" in mistake("pride", pairs, "--out", tmp_path / "no" / "x.csv")


def test_the_real_command_prints_a_missing_package_as_one_line(pairs: Path) -> None:
    code = (
        "import importlib.metadata as m, sys; real = m.version\n"
        "def version(name):\n"
        "    if name == 'spacy': raise m.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "m.version = version\n"
        f"sys.argv = ['proctor', 'pride', {str(pairs)!r}]\n"
        "from proctor.cli import main; main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: spacy is not installed: run 'proctor language setup'\n"


def test_setup_says_what_is_in_place() -> None:
    result = call("language", "setup", "--json")
    assert result.exit_code == 0, result.output
    body = json.loads(result.output)
    assert [entry["problem"] for entry in body["packages"]] == ["", "", ""]
    assert not any(entry["installed_now"] for entry in body["packages"])
    assert call("language", "setup", "--check").exit_code == 0


BASE = changed(
    plain(), episode_id="0", suite="goal", task="t", level="L0", policy="p", instruction=DRAWER, instruction_sent=DRAWER
)


def write_run(folder: Path, rows: list[Episode]) -> Path:
    with RunFolder(folder) as run:
        run.write_run({"plan": {}})
        for row in rows:
            run.append(row)
    return folder


def test_a_run_is_scored_by_what_was_sent(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = [
        {"instruction_sent": f"carefully {DRAWER}", "language": "paraphrase"},
        {"instruction_sent": "pull the middle drawer of the cupboard", "language": "W2", "success": False},
        {"language": "W0"},
        {"instruction_sent": "", "language": "none", "success": False},
        {"instruction_sent": "turn on the stove", "language": "wrong", "success": False},
        {"instruction_sent": "unlatch it", "language": "paraphrase", "status": "policy_error", "success": None},
    ]
    rows = [changed(BASE, episode_id=str(n), **values) for n, values in enumerate(told)]
    result = call("pride", write_run(tmp_path / "run", rows), "--json")
    assert result.exit_code == 0, result.output
    body = json.loads(result.output)
    assert [row["success"] for row in body["rows"]] == [True, False, None]
    assert body["summary"]["n_rows"] == 2
    plain = write_run(tmp_path / "plain", [BASE])
    assert "no episode was told its task in other words" in mistake("pride", plain)


def test_failures_of_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    rng = np.random.default_rng(0)
    bowl = ObjectTrace(True, ("plate",), 0.02, 1.0, 1.0, 0.2)
    rows = []
    for number in range(12):
        goal = np.array([0.3, 0.2, 0.1]) if number < 9 else np.array([-0.3, 0.2, 0.1])
        path = np.linspace(np.zeros(3), goal, 60) + rng.normal(scale=0.01, size=3) * np.linspace(0, 1, 60)[:, None]
        name = f"steps/{number}.npz"
        write_steps(folder / name, np.zeros((59, 7)), np.column_stack([path, np.zeros((60, 5))]))
        moved = replace(bowl, held_s=None, moved=0.0) if number >= 9 else bowl
        things = {"bowl": moved, "mug": replace(bowl, goal=False, held_s=0.5 if number >= 9 else None, moved=0.0)}
        rows.append(changed(BASE, episode_id=str(number), success=number < 7, steps_file=name, objects=things))
    rows.append(changed(BASE, episode_id="12", success=False))
    files = {path: path.read_bytes() for path in folder.rglob("*.npz")}
    for path in files:
        path.unlink()
    (folder / "steps").rmdir()
    folder.rmdir()
    write_run(folder, rows)
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    result = call("failures", folder, "--json")
    assert result.exit_code == 0, result.output
    body = json.loads(result.output)
    classes = [row["path_class"] for row in body["rows"]]
    assert classes[:7] == ["success"] * 7
    assert classes[9:] == ["far"] * 3 + ["unrecorded"]
    assert [row["object_class"] for row in body["rows"][7:]] == ["unfinished"] * 2 + ["wrong_object"] * 3 + [
        "undefined"
    ]
    assert body["agreement"]["planning"]["far"] == 3
    assert body["ablation"]["max"]["success"] == 7
    screen = call("failures", folder, "--threshold", "p90").output
    assert "3 wrong object" in screen
    assert "--record-steps" in screen
    assert "no completed episode" in mistake(
        "failures", write_run(tmp_path / "e", [changed(BASE, status="aborted", success=None)])
    )


def test_a_log_becomes_a_file_that_pride_and_compare_read(tmp_path: Path) -> None:
    episodes = [
        {
            "bddl_file": f"act_lexical_addition_deletion_eval0_ver{n}.bddl",
            "paraphrased_instruction": text,
            "success": n < 2,
        }
        | {"num_steps": 100 + n}
        for n, text in enumerate((f"carefully {DRAWER}", f"gently {DRAWER}", f"swiftly {DRAWER}"))
    ]
    (tmp_path / "eval0.json").write_text(json.dumps({"eval_id": 0, "episodes": episodes}))
    out = tmp_path / "rows.csv"
    result = call("import", tmp_path, "--out", out)
    assert result.exit_code == 0, result.output
    assert "3 rows" in result.output
    direct, through = (json.loads(call("pride", source, "--json").output) for source in (tmp_path, out))
    assert direct["rows"] == through["rows"]
    assert direct["summary"] == through["summary"]
    assert direct["summary"]["success"]["estimate"] == pytest.approx(2 / 3)
    assert call("stats", "summary", out, "--scores", "success").exit_code == 0


def test_plus_results_by_category(tmp_path: Path) -> None:
    tasks = [{"id": 1, "name": "a_light_1", "category": "Light Conditions", "difficulty_level": None}]
    tasks += [{"id": 2, "name": "a_table_1", "category": "Background Textures", "difficulty_level": 3}]
    (tmp_path / "c.json").write_text(json.dumps({"libero_goal": tasks}))
    (tmp_path / "r.csv").write_text("task,success\na_light_1,1\na_light_1,0\na_table_1,1\n")
    result = call("import", tmp_path / "r.csv", "--classification", tmp_path / "c.json", "--out", tmp_path / "o.csv")
    assert result.exit_code == 0, result.output
    assert "Light Conditions" in result.output
    assert "50.0 %" in result.output
    with (tmp_path / "o.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["category"], row["difficulty"], row["base_task"]) for row in rows][1:] == [
        ("Light Conditions", "", "a"),
        ("Background Textures", "3", "a"),
    ]
