"""Samples on pedestals: compared by a property, answered with the button before them.

The referee compares typical values only; two that are within a tenth of each other both fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ._answer import Answer, answer, wish
from ._cues import table
from ._scene import Scene, Thing
from ._text import said

_CLOSE = 1.1
_PROPERTIES = {
    "density": "density",
    "thermal_expansion": r"\b(warmed|heated|warmer)\b",
    "speed_of_sound": r"\bsound\b",
    "friction_on_steel": r"\b(ramp|friction)\b",
    "specular_reflectance": r"\bmirror\b",
    "drag_coefficient": r"\b(drag|air)\b",
}
_LEAST = (r"\b(least|lowest|smallest|slowest|lightest)\b", r"slides down .* most easily")


def read_samples(text: str, scene: Scene) -> list[Answer]:
    """Return the buttons before the samples that fit."""
    return [answer(wish(button)) for sample in _fitting(text, scene.of("sample")) for button in before(sample, scene)]


def before(shown: Thing, scene: Scene) -> list[str]:
    """Return the button that stands before what is shown: nearer to the robot, and the least to the side."""
    buttons = [button for button in scene.of("button") if button.at[0] < shown.at[0]]
    aside = {button.name: abs(button.at[1] - shown.at[1]) for button in buttons}
    return [f"{name}/button" for name, value in aside.items() if value < min(aside.values()) + 0.03]


def _fitting(text: str, samples: Sequence[Thing]) -> list[Thing]:
    if said(text, r"\bmagnet\b"):
        pulled = table("materials")["magnetism"]["attracted"]
        wanted = not said(text, r"\bnot\b")
        return [sample for sample in samples if (sample.look("material") in pulled) == wanted]
    least = said(text, *_LEAST)
    if said(text, r"\b(heaviest|lightest)\b"):
        return _extreme(samples, _mass, least=least)
    names = [name for name, pattern in _PROPERTIES.items() if said(text, pattern)]
    if len(names) != 1:
        return list(samples)
    values = table("materials")["properties"][names[0]]["values"]
    return _extreme(samples, lambda sample: float(values[sample.look("material")][0]), least=least)


def _extreme(samples: Sequence[Thing], value: Callable[[Thing], float], *, least: bool) -> list[Thing]:
    if least:
        edge = min(map(value, samples))
        return [sample for sample in samples if value(sample) < edge * _CLOSE]
    edge = max(map(value, samples))
    return [sample for sample in samples if value(sample) > edge / _CLOSE]


def _mass(sample: Thing) -> float:
    """Return grams of a solid cube; its edge is in mm."""
    density = table("materials")["properties"]["density"]["values"][sample.look("material")][0]
    return float(density) * (float(sample.look("edge") or 40) / 100.0) ** 3
