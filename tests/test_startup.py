"""Start-up stays fast because heavy modules stay out of it. The times themselves are measured by `make bench`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"PIL", "duckdb", "imageio_ffmpeg", "jinja2", "mujoco", "numba", "numpy", "pyarrow", "scipy"}

HELP = """
import contextlib, io, sys
sys.argv = ["proctor", "--help"]
from proctor.cli import main
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    main()
assert "report" in out.getvalue(), out.getvalue()
"""


def _loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has after ``code``."""
    tail = "\nimport json, sys\nprint(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code + tail], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("code", ["import proctor", "import proctor.cli", HELP], ids=["package", "cli", "help"])
def test_nothing_heavy_is_loaded(code: str) -> None:
    loaded = _loaded_by(code)
    assert "proctor" in loaded
    assert not loaded & HEAVY


def test_the_measure_notices_a_heavy_import() -> None:
    assert "numpy" in _loaded_by("import proctor.core")


@pytest.mark.parametrize(
    "package", ["analysis.stats", "analysis.words", "tasks.cbddl", "tasks.knowledge", "results", "report", "serving"]
)
def test_what_is_read_and_computed_needs_no_simulator(package: str) -> None:
    blocked = f"import sys\nsys.modules['mujoco'] = None\nimport proctor.{package}"
    assert "proctor" in _loaded_by(blocked)
