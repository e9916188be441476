"""A toy chosen from what is said of a child, packed, and the box shut."""

from __future__ import annotations

from .._candidates import by_bank, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, inside, one_of, others
from .._sampler import Sampler
from .._scene import SceneText
from ..scenes import fixture, row
from .toy import OBJECTS

ASK = by_bank("C09")


@recipe("wrap_toy_as_gift")
def wrap(sampler: Sampler) -> EpisodeParts:
    """C09: three or four toys, a gift box with an open lid."""
    candidates = sample_candidates(sampler, OBJECTS, (3, 4), asks=(ASK,))
    asked = ASK(sampler, candidates)
    geometry = sampler.of("scene")
    scene = SceneText()
    box = fixture(scene, geometry, "giftbox_lid", -0.01, geometry.uniform(-0.05, 0.05), name="giftbox")
    scene.open(f"{box}/inside")
    names = row(scene, geometry, candidates.pieces, x=-0.29, depth=0.008)
    return one_of(scene, names, asked, lambda t: {"$t": t, "giftbox": box}, lambda t: inside(box, others(names, t)))
