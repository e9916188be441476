"""What a right plan looks like: a partial order of bound calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._call import BoundCall


@dataclass(frozen=True, slots=True)
class ReferenceNode:
    """A call of a reference; it comes after the nodes ``after`` (by index), and may be left out if ``optional``."""

    call: BoundCall
    after: tuple[int, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ReferencePlan:
    """A partial order of bound calls; ``nodes`` are in an order that respects it.

    ``paper_order`` is how VLABench compares the same plan: a chain, or a star for the two tasks that it lists as
    free of order.
    """

    nodes: tuple[ReferenceNode, ...]
    paper_order: Literal["sequential", "independent"] = "sequential"

    @property
    def required(self) -> tuple[int, ...]:
        """The indices of the nodes that may not be left out."""
        return tuple(k for k, node in enumerate(self.nodes) if not node.optional)

    def required_before(self, k: int) -> frozenset[int]:
        """Return the required nodes that must come before node ``k``, also those behind an optional one."""
        before: set[int] = set()
        open_ = list(self.nodes[k].after)
        while open_:
            j = open_.pop()
            if self.nodes[j].optional:
                open_.extend(self.nodes[j].after)
            else:
                before.add(j)
        return frozenset(before)
