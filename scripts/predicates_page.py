"""Write docs/reference/predicates.md from the docstrings of the predicates: the page cannot drift from the rule."""

from __future__ import annotations

import sys
from pathlib import Path

from proctor.sim.predicates import rule_of
from proctor.tasks.cbddl import PREDICATES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "predicates.md"

INTRODUCTION = """# Predicates

<!-- Written by scripts/predicates_page.py from the docstrings in src/proctor/sim/predicates: edit those. -->

A predicate is true or false of the scene at the end of a control step. Goals ask for it, `:init` may ask the scene to
start with it, and `:cost` charges for it: an *instantaneous* one costs 1 for every control step in which it is true, a
*terminal* one 10 if it is true when the episode ends, however it ends, and a *counted* one 1 for each particle. An
expression of several predicates is terminal if one of them is not instantaneous.

Three things hold for all of them:

- **References are taken after settling.** Where a rule says "was", it means the pose after everything has come to rest.
- **Contacts are remembered within a control step.** A touch lasts 8 to 34 ms, a control step 50: each of its 25 physics
  steps is looked at. Goal predicates (`On`, `In`) are different: they ask for what is so at the end of the step.
- **`robot` means every link, `gripper` the two fingers.** Bodies touch by their collision geometry, in whichever order.

Lengths are metres, angles as said, forces newtons. A thing's *origin* is the middle of its foot; its *centre of mass*
is that of its body. `compat="paper"` in an episode's spec selects the reference's own rule where ours differs; the text
says how. In `compat="paper"` a terminal cost is due only if the episode ends in success.

The language page says [where each may stand and what it takes](cbddl.md#init-goal-cost), [errata](errata/vla_arena.md)
what went wrong in the reference.

| predicate | in `:cost` | own rule for `compat="paper"` |
|---|---|---|
"""


def page() -> str:
    """Return the whole page: a table, then each rule once, in the order of the language's table."""
    rules: dict[str, list[str]] = {}
    for name in PREDICATES:
        rules.setdefault(rule_of(name), []).append(name)
    out = INTRODUCTION
    for name, predicate in PREDICATES.items():
        rule = rule_of(name)
        differs = "yes" if 'compat="paper"' in rule else "–"
        out += f"| [`{name}`](#{rules[rule][0].lower()}) | {predicate.timing} | {differs} |\n"
    for rule, names in rules.items():
        title, _, text = rule.replace("``", "`").partition("\n")
        out += f"\n## {', '.join(names)} {{#{names[0].lower()}}}\n\n{title}\n"
        out += f"\n{text.strip()}\n" if text.strip() else ""
    return out


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
