"""Write docs/reference/tables/scale.md: what two workers bring, what many episodes cost. Run it on a quiet machine.

    make scale                                       # about eight minutes on two cores
    python scripts/scale_page.py --episodes 1000000  # the same page with more episodes

The figures are what `benchmarks/scaling.py` and `benchmarks/many_episodes.py` print.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "tables" / "scale.md"

TEXT = """# Workers, and what an episode costs

Written by `make scale`; no figure is typed. {cores} cores, load before the run {load:.2f}.

## Two workers

`python benchmarks/scaling.py` takes the rates of one and of two workers by turns; the ratio is that of the best. Then
one worker with several environments, for a policy that takes its time: their requests are answered together.

```text
{scaling}
```

## Very many episodes

`python benchmarks/many_episodes.py` runs episodes of five steps of a world that costs nothing, so that what is measured
is Proctor itself: planning, handing out, checking, writing each row to the disk before the next is counted, and the
table at the end. Beside it, in the same run, are a bare loop and `multiprocessing.Pool`, which can neither resume nor
survive a worker that dies.

```text
{many}
```

A run must know which episodes it has: 18 to 36 bytes for each, in a table that doubles when it is half full. That is
what the memory grows by; plan and rows are never held, and the table at the end is written some thousand rows at once.

The same on a Ray cluster of this host (`--ray local`), whose memory here is that of the driver:

```text
{ray}
```
"""


def main() -> None:
    """Run both and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--page", type=Path, default=PAGE)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    scaling = said("scaling.py")
    many = said("many_episodes.py", "--episodes", str(given.episodes))
    ray = said("many_episodes.py", "--episodes", str(given.episodes), "--ray", "local")
    figures = {"cores": os.cpu_count(), "load": load, "scaling": scaling, "many": many, "ray": ray}
    given.page.write_text(TEXT.format(**figures), encoding="utf-8")
    print(f"wrote {given.page}")


def said(script: str, *arguments: str) -> str:
    """Run a benchmark, show what it prints and return it."""
    command = [sys.executable, str(ROOT / "benchmarks" / script), *arguments]
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    if process.returncode:
        sys.exit(f"scale: {script} failed")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
