"""A kit for toy figures: coloured balls, rods, blocks and cones on a base disc, in millimetres, facing -x."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._colliders import about_y, box, segment, times, z_onto
from .._grasps import top
from .._mesh import Floats, merge, moved, scaled
from .._model import IDENTITY, Asset, Collider, Link, Material, Mesh, Quat, Vec3, Visual
from .._shapes import catmull_rom, oval, revolve, slab, sweep
from .._texture import pick, varied

Mm: TypeAlias = tuple[float, float, float]
MM = 0.001
SKIN: tuple[Vec3, ...] = ((0.93, 0.74, 0.58), (0.80, 0.58, 0.42), (0.56, 0.37, 0.25), (0.96, 0.80, 0.68))
BLACK: Vec3 = (0.07, 0.07, 0.08)
WHITE: Vec3 = (0.95, 0.95, 0.93)
FAMILIES: dict[str, Vec3] = {
    "Harbour": (0.16, 0.38, 0.72),
    "Orbit": (0.12, 0.12, 0.14),
    "Castle": (0.56, 0.56, 0.58),
    "Meadow": (0.30, 0.58, 0.24),
}
BASE_MM = (25.0, 5.0)
"""Radius and height of the disc that every toy stands on; its colour is the family's."""


class Figure:
    """Collects the pieces of one toy; everything is scaled by a factor drawn for the instance."""

    def __init__(self, rng: np.random.Generator, family: str, gloss: float = 0.25) -> None:
        self.rng, self.gloss = rng, gloss
        self.scale = rng.uniform(0.96, 1.04)
        self._meshes: dict[Vec3, list[Mesh]] = {}
        self._textured: list[Visual] = []
        self._colliders: list[Collider] = []
        r, h = BASE_MM
        disc = np.array([(1e-5, 0.0), (r, 0.0), (r, h - 0.8), (r - 0.8, h), (1e-5, h)])
        self.lathe(disc, FAMILIES[family], segments=22)
        self._colliders.append(Collider("cylinder", (self._m(r), self._m(h / 2)), 0.03, "base", (0, 0, self._m(h / 2))))

    def _m(self, mm: float) -> float:
        return MM * self.scale * mm

    def _at(self, mm: Sequence[float]) -> Vec3:
        return self._m(mm[0]), self._m(mm[1]), self._m(mm[2])

    def tint(self, colours: Sequence[Vec3], spread: float = 0.02) -> Vec3:
        """Draw one of several colours and vary it."""
        return varied(self.rng, pick(self.rng, colours), spread)

    def _add(self, colour: Vec3, mesh: Mesh) -> None:
        self._meshes.setdefault(colour, []).append(mesh)

    def ball(self, half: Mm, at: Mm, colour: Vec3, quat: Quat = IDENTITY, *, fine: int = 1) -> None:
        """Ellipsoid; ``fine`` 0 for eyes and buttons, 1 for limbs, 2 for heads and trunks."""
        segments, rows = ((6, 4), (8, 6), (14, 9))[fine]
        unit = revolve(oval(1.0, 1.0, 0.0, rows), segments, min_area_m2=1e-5)
        self._add(colour, moved(scaled(unit, self._at(half)), self._at(at), quat))

    def rod(self, a: Mm, b: Mm, radius: float, colour: Vec3, radius_b: float | None = None) -> None:
        p, q = np.array(a), np.array(b)
        along = (q - p) / max(float(np.linalg.norm(q - p)), 1e-9)
        end = radius if radius_b is None else radius_b
        path = np.array([p - 0.7 * radius * along, p, q, q + 0.7 * end * along])
        self._add(
            colour, sweep(MM * self.scale * path, MM * self.scale * np.array([0.6 * radius, radius, end, 0.6 * end]), 7)
        )

    def tube(self, points: Sequence[Mm], radius: float, colour: Vec3) -> None:
        self._add(colour, sweep(MM * self.scale * catmull_rom(points, 3), self._m(radius), 5))

    def block(self, half: Mm, at: Mm, colour: Vec3, quat: Quat = IDENTITY, bevel: float = 1.2) -> None:
        self._add(colour, moved(slab(self._at(half), self._m(bevel)), self._at(at), quat))

    def cone(self, radius: float, height: float, at: Mm, colour: Vec3, along: Mm = (0, 0, 1), tip: float = 0.0) -> None:
        curve = [
            (1e-5, 0.0),
            (self._m(radius), 0.0),
            (max(self._m(tip), 1e-5), self._m(height)),
            (1e-5, self._m(height)),
        ]
        self._add(colour, moved(revolve(curve, 12 if radius > 5 else 6), self._at(at), z_onto(along)))

    def lathe(self, curve_mm: Floats, colour: Vec3, at: Mm = (0, 0, 0), segments: int = 18) -> None:
        """Body of revolution about a vertical axis through ``at``."""
        self._add(colour, moved(revolve(self._m(1.0) * np.asarray(curve_mm, float), segments), self._at(at)))

    def painted(self, curve_mm: Floats, picture: NDArray[np.uint8], at: Mm = (0, 0, 0)) -> None:
        """Body of revolution with a picture around it."""
        mesh = moved(revolve(self._m(1.0) * np.asarray(curve_mm, float), 20), self._at(at))
        self._textured.append(Visual(mesh, Material(texture=picture, specular=self.gloss, shininess=self.gloss)))

    def eyes(self, x: float, y: float, z: float, size: float, white: bool = True) -> None:
        """Pair of eyes that look towards -x."""
        for side in (-1, 1):
            if white:
                self.ball((0.5 * size, size, size), (x, side * y, z), WHITE, fine=0)
            dark = 0.55 * size if white else size
            self.ball((0.5 * dark, dark, dark), (x - (0.36 * size if white else 0.0), side * y, z), BLACK, fine=0)

    def arms(self, y: float, z: float, reach: float, radius: float, sleeve: Vec3, hand: Vec3) -> list[Mm]:
        """Two arms from the shoulders, each at an angle of its own; return where the hands are."""
        hands: list[Mm] = []
        for side in (-1, 1):
            swing, lift = self.rng.uniform(0.15, 0.9), self.rng.uniform(-0.75, -0.35)
            flat = reach * math.cos(lift)
            stop = (-flat * math.sin(swing), side * (y + 0.35 * flat), z + reach * math.sin(lift))
            self.rod((0, side * y, z), stop, radius, sleeve, 0.9 * radius)
            self.ball((1.2 * radius,) * 3, stop, hand, fine=0)
            self.touch(segment(self._at((0, side * y, z)), self._at(stop), self._m(radius), 0.002, "arm"))
            hands.append(stop)
        return hands

    def legs(self, y: float, z: float, radius: float, trousers: Vec3, shoe: Vec3) -> None:
        for side in (-1, 1):
            self.rod((0, side * y, 8), (0, side * y, z), radius, trousers)
            self.ball((radius + 3.5, radius + 0.8, 4.5), (-3, side * y, 8.5), shoe, fine=1)

    def touch(self, collider: Collider) -> None:
        self._colliders.append(collider)

    def solid_ball(self, half: Mm, at: Mm, grams: float, part: str = "body") -> None:
        self.touch(Collider("ellipsoid", self._at(half), MM * grams, part, self._at(at)))

    def solid_block(self, half: Mm, at: Mm, grams: float, part: str = "body") -> None:
        self.touch(box(self._at(half), self._at(at), MM * grams, part))

    def solid_column(self, radius: float, low: float, high: float, grams: float, part: str = "body") -> None:
        """Collider: upright cylinder on the axis."""
        middle = (0.0, 0.0, self._m(0.5 * (low + high)))
        self.touch(Collider("cylinder", (self._m(radius), self._m(0.5 * (high - low))), MM * grams, part, middle))

    def finish(
        self,
        name: str,
        grip: Mm,
        width: float,
        height: float,
        reach: float,
        *,
        along_x: bool = False,
        part: str = "head",
    ) -> Asset:
        """Close the figure: one visual per colour, one grasp from above at ``grip`` across y (or x)."""
        visuals = [
            Visual(merge(*m), Material(c, specular=self.gloss, shininess=self.gloss)) for c, m in self._meshes.items()
        ]
        x, y, z = self._at(grip)
        yaw = 0.0 if along_x else math.pi / 2
        return Asset(
            Link("root", (*visuals, *self._textured), tuple(self._colliders)),
            radius_m=self._m(max(reach, BASE_MM[0])),
            height_m=self._m(height),
            grasps=top(z, self._m(width), (yaw,), (x, y), part=part),
            face=(-1.0, 0.0, 0.0),
            nouns=(name,),
        )


def leaning(angle_rad: float, quat: Quat = IDENTITY) -> Quat:
    """Lean towards -x by ``angle_rad`` after ``quat``."""
    return times(about_y(-angle_rad), quat)
