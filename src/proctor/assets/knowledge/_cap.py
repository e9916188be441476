"""Boxes whose door is a cap: the front, both wings and the roof over the front 12 cm swing out together.

They turn about the rear edge of the left wing. Closed it is a whole box; open, what stands on the floor in front is
free from three sides and from above, as a pitched hand with a palm of 20 cm needs it (vlabench spec, section 0.1).
Joint ``door``: 0 closed, positive open.

The handle is an upright bar before the free edge. It ends flush with the roof, so that a hand that comes from above has
its palm over the door.
"""

from __future__ import annotations

from dataclasses import dataclass

from .._model import Handle, Joint, Link, Material, Opening, Site
from ._boards import Piece, bar, boards, seen, span, spots

DEPTH_M = 0.125
"""Of the door."""
BACK_M = 0.075
"""Depth of what stands still behind it."""
FLOOR_M = 0.034
GAP_M = 0.0025
HINGE_SIDE_M = 0.012
"""How far the spots stand off from the middle: at the hinge the palm comes near the open door."""
BAR_OUT_M = 0.042
"""From the door's face to the axis of its bar."""
BAR_IN_M = 0.036
"""From the free edge to the axis of the bar."""
BAR_DOWN_M = 0.024
"""From the end of the bar down to where it is taken."""
OPEN_RAD, STOP_RAD, SHUT_RAD = 0.9, 1.92, 0.10
FRONT_M = -(DEPTH_M + BACK_M) / 2
HINGE_M = FRONT_M + DEPTH_M


@dataclass(frozen=True, slots=True)
class Cap:
    """A box about ``middle`` (y): half width of the door, height of everything, thickness of walls.

    ``places`` is how many things stand in it side by side.
    """

    half_width: float
    height: float
    wall: float
    middle: float = 0.0
    places: int = 3

    def body(self, shell: Material, liner: Material) -> Piece:
        """Return what stands still: the floor under everything and the hollow back."""
        t, z = self.wall, self.height
        low, high = self.middle - self.half_width, self.middle + self.half_width
        floor = span((FRONT_M + t + GAP_M, -FRONT_M), (low, high), (0.004, FLOOR_M))
        back = span((-FRONT_M - t, -FRONT_M), (low, high), (FLOOR_M + 0.0003, z))
        sides = [span((HINGE_M, -FRONT_M - t), y, (FLOOR_M + 0.0003, z)) for y in ((low, low + t), (high - t, high))]
        roof = span((HINGE_M, -FRONT_M - t), (low + t, high - t), (z - t, z))
        lining = span((-FRONT_M - t - 0.002, -FRONT_M - t + 0.001), (low + t, high - t), (FLOOR_M, z - t))
        feet = [(x, y) for x in (FRONT_M + 0.04, -FRONT_M - 0.03) for y in (low + 0.03, high - 0.03)]
        return (
            boards(floor, material=liner, part="shelf", bevel=0.002)
            + boards(back, *sides, roof, material=shell, part="back", bevel=0.002)
            + seen(lining, material=liner)
            + seen(*(((0.012, 0.012, 0.002), (x, y, 0.002)) for x, y in feet), material=Material((0.1, 0.1, 0.11)))
        )

    def door(self, shell: Material, metal: Material, extra: Piece) -> Link:
        """Return the door in the frame of its hinge, with ``extra`` on it."""
        t, width, z = self.wall, 2 * self.half_width, self.height
        front = span((-DEPTH_M, -DEPTH_M + t), (-width, 0.0), (0.008, z))
        low = FLOOR_M + GAP_M
        wings = [span((-DEPTH_M + t, -GAP_M), y, (low, z)) for y in ((-width, -width + t), (-t, 0.0))]
        roof = span((-DEPTH_M + t, -GAP_M), (-width + t, -t), (z - t, z))
        x, y = -DEPTH_M - BAR_OUT_M, -width + BAR_IN_M
        posts = tuple(((-DEPTH_M, y, h), (x, y, h)) for h in (z - 0.060, z - 0.110))
        made = (
            boards(front, *wings, roof, material=shell, part="door", kg_per_m3=350.0, bevel=0.002)
            + bar((x, y, z - 0.118), (x, y, z - 0.007), 0.007, posts, metal)
            + extra
        )
        joint = Joint(
            "door", "hinge", (0.0, 0.0, -1.0), (0.0, STOP_RAD), damping=0.30, frictionloss=0.10, armature=0.01
        )
        return Link("door", made.visuals, made.colliders, (HINGE_M, self.middle + self.half_width, 0.0), joint=joint)

    def handle(self) -> Handle:
        """Return the bar, in the frame of the door; ``pull`` is the way it goes first."""
        at = (-DEPTH_M - BAR_OUT_M, -2 * self.half_width + BAR_IN_M, self.height - BAR_DOWN_M)
        return Handle("door", "door", "door", at, (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))

    def sites(self) -> tuple[Site, ...]:
        """Return ``inside`` (over the whole floor), ``front`` (where the hand puts things) and the spots of a scene."""
        t = self.wall + 0.004
        y = (self.middle - self.half_width + t, self.middle + self.half_width - t)
        opening = Opening("door", open_above=OPEN_RAD, closed_below=SHUT_RAD, init_open=(1.75, 1.88))
        z = (FLOOR_M, self.height - t)
        reach = DEPTH_M - self.wall
        half, at = span((FRONT_M + t, -FRONT_M - t), y, z)
        near, there = span((FRONT_M + t, FRONT_M + t + reach), (y[0] + 0.02, y[1]), z)
        return (
            Site("inside", "contain", at, half, opening=opening),
            Site("front", "contain", there, near, opening=opening),
            *spots(
                (FRONT_M + t, FRONT_M + t + reach),
                self.half_width - 0.020,
                FLOOR_M,
                count=self.places,
                middle=self.middle - HINGE_SIDE_M,
            ),
        )
