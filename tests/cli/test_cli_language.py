"""Paraphrases, W levels and controls from the command line: what the rows say, what resumes, what is refused."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.results import read_episodes, read_run
from proctor.tasks.suites import builtin_suites
from proctor.tasks.words import LEVELS, verify

PROCTOR = [sys.executable, "-c", "import sys; sys.argv[0] = 'proctor'; from proctor.cli import main; main()"]
POINT = ["--env", "point_world:PointEnv", "--policy", "point_world:GoPolicy"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with a suite ``kitchen`` of two tasks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "run" / "engine"), prepend=os.pathsep)
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    source = next(suite.folder for suite in builtin_suites() if suite.name == "arena/static_obstacles")
    (tmp_path / "kitchen" / "L0").mkdir(parents=True)
    for file in sorted((source / "L0").iterdir())[:2]:
        shutil.copy(file, tmp_path / "kitchen" / "L0")
    return tmp_path


def proctor(*args: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([*PROCTOR, *map(str, args)], capture_output=True, text=True, timeout=120)


def mistake(*args: str | Path, says: str) -> None:
    done = proctor(*args)
    assert done.returncode == 2, done
    assert done.stderr.startswith("error: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr


def test_paraphrases_are_written_run_and_found_in_the_rows(here):
    made = proctor(
        "paraphrase", "./kitchen", "--cells", "hab/none,none/hint,hab/need", "--per-task", "3", "-o", "p.csv"
    )
    assert made.returncode == 0, made.stderr
    assert "paraphrases of 2 instructions in 3 cells" in made.stdout
    with open("p.csv", newline="") as file:
        texts = list(csv.DictReader(file))
    assert all(verify(row["new_instruction"], row["original_instruction"]).accepted for row in texts)
    done = proctor("run", "./kitchen", *POINT, "-n", "1", "--paraphrases", "p.csv", "--out", "r")
    assert done.returncode == 0, done.stderr
    rows = read_episodes("r")
    assert len(rows) == len(texts)
    sent = {row.language.sent: row for row in rows}
    for text in texts:
        row = sent[text["new_instruction"]]
        assert row.language.variant == "paraphrase"
        assert (row.language.object_type, row.language.action_type) == (text["object_type"], text["action_type"])
        replaced = {item.what: item.text for item in row.language.substitutions}
        assert replaced == json.loads(text["substitutions"])
        assert row.language.instruction == text["original_instruction"]
    assert len({(row.spec.task, row.spec.episode) for row in rows}) == len(rows)
    again = proctor("run", "./kitchen", *POINT, "-n", "1", "--paraphrases", "p.csv", "--out", "r")
    assert again.returncode == 0
    assert len(read_episodes("r")) == len(rows)
    Path("q.csv").write_text(Path("p.csv").read_text().rsplit("\n", 2)[0] + "\n")
    mistake("run", "./kitchen", *POINT, "-n", "1", "--paraphrases", "q.csv", "--out", "r", says="have changed since")


def test_a_w_level_is_drawn_per_episode_and_kept(here):
    for level in ("W0", "w2"):
        done = proctor("run", "./kitchen", *POINT, "-n", "6", "--language", level, "--out", level)
        assert done.returncode == 0, done.stderr
    plain, rows = read_episodes("W0"), read_episodes("w2")
    assert {row.language.substitutions for row in plain} == {()}
    assert {row.language.sent for row in plain} == {row.language.instruction for row in plain}
    assert {row.language.variant for row in rows} == {"W2"}
    for row in rows:
        changes = row.language.substitutions
        assert len(changes) == 2
        assert all(change.text.lower() in row.language.sent.lower() for change in changes)
    assert len({row.language.sent for row in rows}) > 6
    # The layouts are those of the unchanged run.
    assert sorted(row.spec.seed for row in plain) == sorted(row.spec.seed for row in rows)
    assert read_run(Path("w2"))["plan"]["language"] == "W2"


def test_controls_reach_the_policy(here):
    for kind in ("shuffled", "punctuation", "antonym"):
        done = proctor("run", "./kitchen", *POINT, "-n", "3", "--instruction", kind, "--out", kind)
        assert done.returncode == 0, done.stderr
        for row in read_episodes(kind):
            assert row.language.variant == kind
            assert row.language.sent != row.language.instruction
            if kind == "antonym":
                assert "under" in row.language.sent
            else:
                assert sorted(_letters(row.language.sent)) == sorted(_letters(row.language.instruction))


def _letters(text: str) -> list[str]:
    return "".join(c if c.isalpha() else " " for c in text.lower()).split()


def test_one_number_tells_who_does_not_listen(here):
    for kind in ("correct", "wrong", "none"):
        args = ["-n", "20", "--instruction", kind, "--out", kind]
        assert proctor("run", "./kitchen", *POINT, *args).returncode == 0
    # The point policy never reads the instruction.
    done = proctor("language", "controls", "correct", "wrong", "none", "--json")
    assert done.returncode == 0, done.stderr
    (policy,) = json.loads(done.stdout)["policies"]
    lines = {line["instruction"]: line for line in policy["controls"]}
    assert set(lines) == {"correct", "none", "wrong", "misleading"}
    assert lines["misleading"]["h"] == pytest.approx(1.0, abs=0.1)
    assert lines["misleading"]["low"] > 0.5
    assert "does the same whatever it is told" in policy["verdict"]
    assert "instruction-ignoring rate" in proctor("language", "controls", "correct", "wrong").stdout
    mistake("language", "controls", "correct", says="there is no run with --instruction")
    mistake("language", "controls", "wrong", says="there is no run with the right instruction")


def test_mistakes(here):
    run = ["run", "./kitchen", *POINT, "-n", "1", "--out", "x"]
    mistake(*run, "--language", "W7", says="unknown --language 'W7' (there are W0, W1, W2, W3, W4)")
    mistake(*run, "--language", "W1", "--instruction", "none", says="exclude each other")
    mistake(*run, "--paraphrases", "none.csv", says="cannot be read as a paraphrase file")
    Path("other.csv").write_text("original_instruction,new_instruction\nfly to the moon,please fly\n")
    mistake(*run, "--paraphrases", "other.csv", says="none of its tasks or original instructions")
    mistake("paraphrase", "./kitchen", "-o", "x.txt", says="must end in .csv or .jsonl")
    mistake("paraphrase", "./kitchen", "-o", "x.csv", "--cells", "hab", says="write object/action")
    mistake("paraphrase", "nowhere", "-o", "x.csv", says="unknown suite or task")
    mistake("paraphrase", "./kitchen", "-o", "x.csv", "--endpoint", "http://localhost:9/v1", says="needs --model")
    dead = ["--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--cells", "hab/none"]
    mistake("paraphrase", "./kitchen", "-o", "x.csv", *dead, says="cannot be reached")
    task = next(Path("kitchen/L0").iterdir())
    for text, says in (("Juggle the apple", "no verb that is known"), ("把苹果放在盘子上", "only plain English")):
        words = task.read_text().replace("Pick the apple and place it on the plate", text)
        (here / "odd.cbddl").write_text(words)
        mistake("paraphrase", "odd.cbddl", "-o", "x.csv", says=says)
        mistake("run", "odd.cbddl", *POINT, "--language", "W1", says=says)
    assert LEVELS[-1] == "W4"
