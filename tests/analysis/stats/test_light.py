"""Statistics stay light to import, and give the same numbers without the compiled kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys

CODE = """
import json, sys
import proctor.analysis.stats as s
loaded = sorted({name.split('.')[0] for name in sys.modules})
rng = __import__('numpy').random.default_rng(0)
base = s.Synthetic(medians_s=(40.0, 60.0))
a, b = base.draw(6, rng), base.shifted(0.4).draw(6, rng)
test = s.macro_tests(a, b, tau=120.0, n_resamples=99)
score = s.score_interval(a, 'uph', tau=120.0, n_resamples=99)
numbers = [test.ks.p, test.combined_p, test.logrank.statistic, score.low, score.high]
print(json.dumps({'loaded': loaded, 'numbers': numbers, 'numba': 'numba' in sys.modules}))
"""


def run(**environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", CODE], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_import_is_light_and_both_backends_agree() -> None:
    fast, plain = run(), run(PROCTOR_STATS_BACKEND="numpy")
    for found in (fast, plain):
        assert isinstance(found["loaded"], list)
        assert not {"scipy", "numba", "matplotlib", "mujoco", "pandas"} & set(found["loaded"])
    assert fast["numba"] is True
    assert plain["numba"] is False
    assert isinstance(fast["numbers"], list)
    assert isinstance(plain["numbers"], list)
    for one, two in zip(fast["numbers"], plain["numbers"], strict=True):
        assert abs(one - two) < 1e-9
