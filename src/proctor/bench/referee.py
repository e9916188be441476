"""The referee: reads an episode's text and nothing else, and answers the question from what stands there.

The generator proves its question over the things it dealt, at the places it meant. The referee takes the finished text
as the world will: every thing of the scene, with looks as they are written, at the middle of its region, in the site
that holds it by its geometry. Where both name the same answer, nothing was lost, mistaken or added on the way.
"""

from __future__ import annotations

import numpy as np

from proctor.assets import Asset, make
from proctor.cbddl import Region, Task, parse

from .knowledge import Item, Proof, Question, prove


def rule_on(text: str, question: Question) -> Proof:
    """Return the proof of the one answer in the scene of ``text``; raises `NotUniqueError` where there is not one."""
    return prove(question, items_of(parse(text, "<episode>"), question))


def items_of(task: Task, question: Question) -> list[Item]:
    """Return the things of a scene that a question may be about: of the categories it is asked of."""
    regions = {str(atom.args[0]): task.region(str(atom.args[1])) for atom in task.init if len(atom.args) == 2}
    wanted = next((str(question[key]) for key in ("inside", "container", "cell") if key in question.params), "")
    found = [
        _item(task, entity.name, entity.category, region, wanted)
        for entity in (*task.fixtures, *task.objects)
        if (region := regions.get(entity.name)) is not None
        and question.get("category", entity.category) == entity.category
    ]
    # What is sorted into groups has a class; trays and shelves have none.
    return [item for item in found if question.kind != "group" or {"kind", "title"} & set(item.looks)]


def _item(task: Task, name: str, category: str, region: Region, wanted: str) -> Item:
    look = task.look(name)
    looks = dict(look.look) if look else {}
    volume = float(looks.get("edge", 0)) ** 3 / 1000
    item = Item(name, category, looks, volume_cm3=volume)
    if not region.site:
        return item.placed(_middle(region))
    at, inside = _in_site(task, region, wanted)
    return item.placed(at, inside)


def _middle(region: Region) -> tuple[float, float]:
    rect = region.ranges[0]
    return (rect.x_min + rect.x_max) / 2, (rect.y_min + rect.y_max) / 2


def _in_site(task: Task, region: Region, wanted: str) -> tuple[tuple[float, float], str]:
    """Return where a thing in a site is, and what it is in: ``wanted``, if that holds it, else the site."""
    asset, (x, y) = _asset(task, region.target), _stands(task, region.target)
    site = asset.site(region.site)
    if site is None:
        raise ValueError(f"{region.target} has no site {region.site}")
    shift = _middle(region) if region.ranges else (0.0, 0.0)
    place = np.add(site.pos, (*shift, 0.0))
    entity, _, part = wanted.partition("/")
    inside = f"{region.target}/{region.site}"
    if entity == region.target and inside != wanted:
        outer = asset.site(part) if part else None
        if outer is None or np.all(np.abs(place - outer.pos) <= np.add(outer.half, 0.02)):
            inside = wanted
    return (x + float(place[0]), y + float(place[1])), inside


def _asset(task: Task, name: str) -> Asset:
    entity, look = task.entity(name), task.look(name)
    if entity is None or look is None or look.seed is None:
        raise ValueError(f"{name} is not declared with its looks")
    return make(entity.category, look.seed, look.look)


def _stands(task: Task, name: str) -> tuple[float, float]:
    atom = next(atom for atom in task.init if atom.args[0] == name)
    region = task.region(str(atom.args[1]))
    return _middle(region) if region is not None and region.ranges else (0.0, 0.0)
