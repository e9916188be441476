"""The predicates' page is the docstrings; the docstrings' numbers are the code's."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

from proctor.assets import make
from proctor.sim.predicates import fall, on, rule_of, up
from proctor.tasks.cbddl import PREDICATES

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_docstrings_say() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "predicates_page.py"), "--check"], check=False)
    assert done.returncode == 0, "run: python scripts/predicates_page.py"


def test_every_rule_opens_with_the_predicate_and_its_timing() -> None:
    for name, predicate in PREDICATES.items():
        first = rule_of(name).partition("\n\n")[0]
        assert f"``{name}" in first
        assert name in ("True", "False") or predicate.timing in first


def test_the_numbers_in_the_rules_are_the_numbers_in_the_code() -> None:
    assert f"more than {math.degrees(fall.TILT_LIMIT_RAD):.0f} degrees" in rule_of("Fall").replace("\n", " ")
    assert f"more than {fall.DROP_LIMIT_M * 100:.0f} cm" in rule_of("Fall")
    assert f"at least {up.LIFT_M * 100:.0f} cm" in rule_of("Up")
    assert f"less than {on._PAPER_RADIUS_M * 100:.0f} cm" in rule_of("On")
    assert "{} < z < {} m".format(*on._PAPER_TABLE_Z) in rule_of("On")
    site = make("white_cabinet", 0).site("top_region")
    assert site is not None
    assert site.opening is not None
    assert f"white cabinet: {site.opening.open_above * 100:.0f} cm" in rule_of("Open")
    assert f"({site.opening.closed_below * 1000:.0f} mm)" in rule_of("Close")
