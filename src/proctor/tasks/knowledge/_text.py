"""The text of an episode: the scene, then what is asked in it."""

from __future__ import annotations

from collections.abc import Sequence

from ._errors import KnowledgeError
from ._scene import TABLE, SceneText
from ._tasks import KnowledgeSubgoal
from ._template import Bindings, resolve, written


def task_text(
    scene: SceneText,
    header: Sequence[str],
    instruction: str,
    goal: str,
    subgoals: Sequence[KnowledgeSubgoal],
    intent: Sequence[str],
    faults: Sequence[str],
    bindings: Bindings,
) -> str:
    """Return the whole task file. Only the blocks before ``:regions`` and after the scene depend on the question."""
    plan = [written(call, bindings) for node in subgoals for call in node.calls]
    targets = list(dict.fromkeys(name for word in intent for name in resolve(word, bindings)))
    entities = list(dict.fromkeys(name.partition("/")[0] for name in targets))
    blocks = [
        *(f"; {line}" for line in header),
        "(define (problem Tabletop_Manipulation)",
        "  (:domain robosuite)",
        f"  (:language {_spoken(instruction)})",
        "",
        scene.text(),
        "",
        f"  (:obj_of_interest {' '.join(name for name in entities if name != TABLE)})",
        "",
        f"  (:goal {written(goal, bindings)})",
        "",
        "\n".join(["  (:subgoals", *(_subgoal(node, bindings) for node in subgoals), "  )"]),
        "",
        f"  (:plan {' '.join(plan)})",
        f"  (:intent {' '.join(targets)})",
    ]
    if faults:
        blocks.append(f"  (:faults {' '.join(faults)})")
    return "\n".join([*blocks, ")", ""])


def _subgoal(node: KnowledgeSubgoal, bindings: Bindings) -> str:
    after = f" (after {' '.join(node.after)})" if node.after else ""
    weight = f" (weight {node.weight:g})" if node.weight != 1.0 else ""
    return f"    ({node.id} {written(node.predicate, bindings)}{after}{weight})"


def _spoken(instruction: str) -> str:
    if any(sign in instruction for sign in "();") or "\n" in instruction:
        raise KnowledgeError(f"an instruction must not have parentheses, semicolons or line feeds: {instruction!r}")
    return " ".join(instruction.split())
