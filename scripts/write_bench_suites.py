"""Write the suites of the bench (`proctor.bench.suite_files`) below src/proctor/suites/bench."""

from __future__ import annotations

import shutil
from pathlib import Path

from proctor.bench import suite_files

ROOT = Path(__file__).resolve().parent.parent / "src/proctor/suites/bench"

if __name__ == "__main__":
    shutil.rmtree(ROOT, ignore_errors=True)
    for name, text in suite_files().items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(suite_files())} files below {ROOT}")
