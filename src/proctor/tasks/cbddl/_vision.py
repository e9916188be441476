""":image_settings, :noise, :camera and :random_color: what is done to the pictures that a policy sees."""

from __future__ import annotations

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._model import CameraView, ImageSettings, Noise
from proctor.tasks.cbddl._numbers import parse_number
from proctor.tasks.cbddl._sexp import Form, Word
from proctor.tasks.cbddl._shape import arguments, boolean, describe, number, single, vector3, words

SETTINGS = {"brightness": (-1.0, 1.0), "saturation": (-1.0, 1.0), "contrast": (-1.0, 1.0), "temperature": (1e3, 4e4)}


def read_image_settings(block: Form, problems: Problems) -> ImageSettings:
    """Return the settings; ``brightness 0.4 temperature 5000`` and the like."""
    items = words(arguments(block), "a setting", problems)
    values: dict[str, float] = {}
    for key, value in zip(items[::2], items[1::2], strict=False):
        if key.folded not in SETTINGS:
            hint = problems.suggest(key.folded, SETTINGS, f"known are {', '.join(SETTINGS)}")
            problems.add("unknown-attribute", key.span, f"unknown image setting {describe(key)}; {hint}")
            continue
        amount = number(value, problems)
        if amount is None:
            continue
        low, high = SETTINGS[key.folded]
        if not low <= amount <= high:
            problems.add(
                "value-range", value.span, f"{key.folded} {amount:g} is out of range; write {low:g} to {high:g}"
            )
        values[key.folded] = amount
    if len(items) % 2:
        problems.add("syntax-shape", items[-1].span, f"setting {describe(items[-1])} has no value; add a number")
    temperature_k = values.pop("temperature", ImageSettings().temperature_k)
    return ImageSettings(**values, temperature_k=temperature_k)


def read_noise(block: Form, problems: Problems) -> Noise | None:
    """Return ``gaussian MEAN VARIANCE`` or ``salt_pepper PROBABILITY``."""
    items = words(arguments(block), "a noise model", problems)
    usage = "write (:noise gaussian 0 0.05) or (:noise salt_pepper 0.02)"
    if not items:
        problems.add("syntax-shape", block.span, f"no noise model; {usage}")
        return None
    kind = items[0].folded
    if kind not in ("gaussian", "salt_pepper"):
        hint = problems.suggest(kind, ("gaussian", "salt_pepper"), usage)
        problems.add("unknown-value", items[0].span, f"unknown noise {describe(items[0])}; {hint}")
        return None
    values = [number(item, problems) for item in items[1:]]
    finite = tuple(value for value in values if value is not None)
    if len(values) != (2 if kind == "gaussian" else 1):
        problems.add("syntax-shape", items[0].span, f"wrong number of values; {usage}")
        return None
    if len(finite) != len(values):
        return None
    if finite[-1] < 0.0 or (kind == "salt_pepper" and finite[0] > 1.0):
        limits = "a variance of at least 0" if kind == "gaussian" else "a probability between 0 and 1"
        problems.add("value-range", items[-1].span, f"{finite[-1]:g} is out of range; write {limits}")
    return Noise("gaussian" if kind == "gaussian" else "salt_pepper", finite)


def read_cameras(block: Form, problems: Problems) -> list[CameraView]:
    """Return the cameras: names, each with an optional shift ``dx dy dz`` or ``(dx dy dz)``."""
    found: list[CameraView] = []
    items = arguments(block)
    position = 0
    while position < len(items):
        name = items[position]
        position += 1
        if isinstance(name, Form) or parse_number(name.text) is not None:
            problems.add("syntax-shape", name.span, f"expected a camera name, found {describe(name)}; write it first")
            continue
        following = items[position : position + 3]
        if following and isinstance(following[0], Form):
            found.append(CameraView(name.folded, vector3(following[0], problems)))
            position += 1
        elif following and isinstance(following[0], Word) and parse_number(following[0].text) is not None:
            found.append(CameraView(name.folded, vector3(Form(following[0].span, following), problems)))
            position += len(following)
        else:
            found.append(CameraView(name.folded))
    return found


def read_random_color(block: Form, problems: Problems) -> bool:
    node = single(block, problems)
    return False if node is None else bool(boolean(node, problems))
