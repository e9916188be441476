"""A whole run does each piece of work on a drawn task once: one draw and one parse in the parent, one in the worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

# Runs in every interpreter of the command, the worker's too, and counts first-hand: no patching of what is counted.
COUNTER = """
import atexit, json, os, sys
counts = {"parse": 0, "format": 0, "draw": 0}
WHAT = {("_parse.py", "parse"): "parse", ("_format.py", "text_hash"): "format", ("_draw.py", "_finished"): "draw"}
def count(frame, event, arg):
    if event == "call":
        what = WHAT.get((frame.f_code.co_filename.rpartition("/")[2], frame.f_code.co_name))
        if what:
            counts[what] += 1
def keep():
    sys.setprofile(None)
    with open(os.path.join(os.environ["COUNTS"], str(os.getpid())), "w") as file:
        json.dump(counts, file)
atexit.register(keep)
sys.setprofile(count)
"""


def test_a_drawn_episode_is_drawn_and_parsed_once_in_each_process(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(COUNTER, encoding="utf-8")
    (tmp_path / "counts").mkdir()
    command = ["run", "knowledge/primitive", "-p", "noop", "-n", "1", "--limit", "1", "--max-steps", "3", "--out"]
    done = subprocess.run(
        [sys.executable, "-m", "proctor", *command, str(tmp_path / "run")],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "COUNTS": str(tmp_path / "counts")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = [json.loads(file.read_text()) for file in (tmp_path / "counts").iterdir()]
    counts = [each for each in counts if any(each.values())]
    assert counts == [{"parse": 1, "format": 1, "draw": 1}] * 2
