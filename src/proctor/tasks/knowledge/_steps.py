"""Sub-goals of tasks whose number of steps is drawn: pick and put, one thing after the other."""

from __future__ import annotations

from collections.abc import Sequence

from ._tasks import Subgoal


def chain(
    moves: Sequence[tuple[str, str]],
    *,
    put: str = "place",
    done: str = "(Placed {} {})",
    strict: bool = False,
    after: Sequence[str] = (),
) -> list[Subgoal]:
    """Return a hold and a put for every (thing, place); ``done`` is formatted with both.

    ``after`` come before every hold; ``strict``: each hold also waits for the put before it.
    """
    nodes: list[Subgoal] = []
    for number, (thing, place) in enumerate(moves, start=1):
        before = (*after, *([f"p{number - 1}"] if strict and number > 1 else []))
        nodes.append(Subgoal(f"h{number}", f"(Held {thing})", before, (f"(pick {thing})",), 1.0))
        predicate = done.format(thing, place)
        nodes.append(Subgoal(f"p{number}", predicate, (f"h{number}",), (f"({put} {place})",), 1.0))
    return nodes
