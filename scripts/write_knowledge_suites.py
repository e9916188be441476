"""Write the suites of the bench (`proctor.tasks.knowledge.suite_files`) below src/proctor/tasks/suites/knowledge."""

from __future__ import annotations

import shutil
from pathlib import Path

from proctor.tasks.knowledge import suite_files

ROOT = Path(__file__).resolve().parent.parent / "src/proctor/tasks/suites/knowledge"

if __name__ == "__main__":
    shutil.rmtree(ROOT, ignore_errors=True)
    for name, text in suite_files().items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(suite_files())} files below {ROOT}")
