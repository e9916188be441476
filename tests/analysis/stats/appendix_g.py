"""Reader of VLA-REPLICA's Appendix G (789 published outcomes), from the paper's text outside the repository."""

from __future__ import annotations

import re
from pathlib import Path

PAPER = Path(__file__).resolve().parents[4] / "shared" / "seeds" / "004_129d8ab9755b1707.txt"

Outcomes = dict[tuple[str, str], dict[tuple[str, int], int]]


def read_outcomes() -> Outcomes:
    """Return {(policy, panel a-d): {(task, trial): 0 or 1}}."""
    text = PAPER.read_text(encoding="utf-8")
    text = text[text.index("Appendix G Detailed") : text.index("Appendix H License")]
    outcomes: Outcomes = {}
    policy = panel = ""
    for line in text.splitlines():
        if found := re.match(r"Table G\.\d+: (.+?) — ", line):
            policy = found[1]
        elif found := re.match(r"\(([a-d])\)", line):
            panel = found[1]
            outcomes[policy, panel] = {}
        elif found := re.match(r"(.+?) ((?:[01] ){4,5})\d\.\d\d$", line):
            for trial, value in enumerate(found[2].split()):
                outcomes[policy, panel][found[1], trial] = int(value)
    return outcomes
