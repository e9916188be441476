"""One line over every hash that the package gives: tasks, things, drawn texts, code of policies, simulator, questions.

    .venv/bin/python benchmarks/provenance.py [--list FILE]

Two trees with the same digest give the same provenance. ``--list`` writes every single hash, to see what differs.
Ids and places do not enter: they may change while what they name does not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from proctor.core import digest_of, simulator_code
from proctor.policies import load_policy
from proctor.run.certificates import question_code
from proctor.sim import SimEnv, things_digest
from proctor.tasks.suites import builtin_suites, task_of, tasks_of

POLICIES = ("noop", "random", "expert", "reckless")


def main() -> None:
    """Print the digest of all hashes, and one for each kind."""
    hashes: list[str] = []
    every = [ref for suite in builtin_suites() for ref in tasks_of(suite)]
    refs = sorted(every, key=lambda ref: (ref.family, ref.path.name, ref.id.partition("/")[2]))
    for ref in refs:
        task = task_of(ref.path)
        kind, name = ("drawn", f"{ref.path.stem} {ref.level}") if ref.family else ("task", ref.id)
        sets = (0,) if ref.family else range(6)
        hashes.append(f"{kind} {name} {task.text_hash[:16]} {things_digest(task, sets)}")
    for name in POLICIES:
        hashes.append(f"policy {load_policy(name).spec().fingerprint}")
    hashes.append(f"simulator {simulator_code(SimEnv)}")
    for question in ("text", "start", "noop", "random", "expert", "reckless", "unique"):
        hashes.append(f"question {question} {question_code(question)}")
    if "--list" in sys.argv:
        Path(sys.argv[sys.argv.index("--list") + 1]).write_text("\n".join(hashes) + "\n")
    kinds = list(dict.fromkeys(line.partition(" ")[0] for line in hashes))
    for kind in kinds:
        lines = sorted(line for line in hashes if line.startswith(f"{kind} "))
        print(f"{kind:10} {len(lines):4} {digest_of(lines)}")
    print(f"all        {len(hashes):4} {digest_of(sorted(hashes))}")


if __name__ == "__main__":
    main()
