"""What a scene's things are called, and what a linter should know of the categories."""

from __future__ import annotations

from proctor.assets import categories, inner_radius_m, make
from proctor.tasks.cbddl import Task

from ._scene import WORKSPACES

WORKSPACE_NOUNS = ("table", "floor")


def known_categories() -> dict[str, tuple[bool, tuple[str, ...], float]]:
    """Return, for each category that can be built, whether it can contain things, its nouns and its inner radius."""
    known: dict[str, tuple[bool, tuple[str, ...], float]] = dict.fromkeys(WORKSPACES, (False, WORKSPACE_NOUNS, 0.0))
    for name in categories():
        asset = make(name, 0)
        known[name] = (any(site.kind == "contain" for site in asset.sites), asset.nouns, inner_radius_m(asset))
    return known


def nouns_of(task: Task) -> dict[str, tuple[str, ...]]:
    """Return the phrases by which an instruction may call each entity of a task."""
    return {
        entity.name: WORKSPACE_NOUNS if entity.category in WORKSPACES else make(entity.category, 0).nouns
        for entity in (*task.fixtures, *task.objects)
    }
