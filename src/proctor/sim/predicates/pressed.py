"""``Pressed b`` and ``PressedOnly b``: terminal.

``b`` is a button, as in ``microwave_1/button``, or a thing with one button. ``Pressed``: it has been in by 70 % of its
travel for 0.1 s while the robot touched it, at some time since settling; inside ``OnceAfter`` it counts each time that
it is pressed. ``PressedOnly``: it has been pressed, and no other button of the scene before it or with it; a wrong
press is a fault and ends the episode. Source: vlabench spec, section 0.2.
"""

from __future__ import annotations

from proctor.tasks.cbddl import Atom

from .._contacts import Condition
from .._errors import SceneError, located
from .._scene import Scene
from ._registry import Compiled, label_of, predicate


def button_of(scene: Scene, name: str) -> str:
    """Return the full name of the button that ``name`` means."""
    place = scene.place(name)
    if place.button is not None:
        return f"{place.entity}/{place.button.name}"
    buttons = scene.assets[place.entity].buttons if place.entity in scene.assets else ()
    if len(buttons) != 1 or place.site is not None or place.joint is not None or place.part:
        has = ", ".join(f"{place.entity}/{button.name}" for button in buttons) or "no button"
        raise SceneError(f"{name!r} is not a button; {place.entity} has {has}")
    return f"{place.entity}/{buttons[0].name}"


@predicate("Pressed", "terminal")
def pressed(scene: Scene, b: str, *, compat: str) -> Condition:
    """Build the condition that a button has been pressed."""
    first = scene.buttons.first(button_of(scene, b))
    return lambda: first() is not None


def pressing(scene: Scene, atom: Atom) -> Compiled:
    """Return what ``Pressed`` means inside ``OnceAfter``: the button is pressed now."""
    try:
        return Compiled(label_of(atom), "instantaneous", scene.buttons.pressing(button_of(scene, str(atom.args[0]))))
    except SceneError as error:
        raise located(atom.span, error) from None


@predicate("PressedOnly", "terminal")
def pressed_only(scene: Scene, b: str, *, compat: str) -> Condition:
    """Build the condition that this button was pressed before any other."""
    name = button_of(scene, b)

    def only() -> bool:
        steps = scene.buttons.first_of()
        return name in steps and all(steps[name] < step for other, step in steps.items() if other != name)

    return only
