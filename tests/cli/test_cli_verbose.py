"""``-v``: what happened, from the parent and from its workers, in a few lines on standard error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LINE = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (DEBUG|INFO) (proctor\S*)( \[\d+\])?: (.+)$")


def run(out: Path, *verbose: str) -> list[tuple[str, str, str]]:
    """Return level, logger with process, and text of every line logged in a run of one episode."""
    task = "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate"
    given = ["run", task, "--policy", "noop", "-n", "1", "--max-steps", "3", "--out", str(out)]
    command = [sys.executable, "-m", "proctor", *verbose, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [LINE.match(line) for line in done.stderr.splitlines()]
    assert all(found), done.stderr
    return [(match[1], match[2] + (match[3] or ""), match[4]) for match in found if match]


def test_v_says_in_a_few_lines_what_parent_and_worker_do(tmp_path: Path) -> None:
    assert run(tmp_path / "quiet") == []
    lines = run(tmp_path / "told", "-v")
    assert 5 <= len(lines) <= 15, lines
    assert {level for level, _, _ in lines} == {"INFO"}
    texts = [text for _, _, text in lines]
    assert any(text.startswith("plan ") and "1 episode by noop" in text for text in texts)
    told = [text for _, name, text in lines if name.endswith("]")]
    assert any("policy noop (noop-" in text and "environment proctor-sim-panda" in text for text in told), lines
    assert any("1 episodes run, 0 with an error" in text for text in texts)
    # What is logged goes to the terminal and is no part of the run folder.
    assert not (tmp_path / "told" / "logs").exists()
    details = run(tmp_path / "detailed", "-vv")
    assert len(details) > len(lines)
    assert any(level == "DEBUG" and "episode 0: completed, no success, 3 steps" in text for level, _, text in details)
