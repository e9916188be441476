"""Looking, at each level: pictures with depth and cameras; pictures with numbers and their places; the true state."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from proctor.assets import Asset, Handle, links, mass_kg
from proctor.planning.views import SIZE, VIEWS, joint_before, png, take_views, things_of
from proctor.sim import CAMERAS, Scene, SimEnv

from ._tools import Reader
from ._types import Level, Look, Part, SeenThing, SeenView, Vec3

HALF_OPEN = 0.5


class Senses:
    """What an agent perceives of an episode."""

    def __init__(self, env: SimEnv, level: Level, seed: int, cameras: Sequence[str] = VIEWS) -> None:
        self._env, self.level, self._seed, self._cameras = env, level, seed, tuple(cameras)
        self.reader = Reader(env, level, SIZE)

    def look(self) -> Look:
        if self.level == "state":
            return Look(things=tuple(_state(self._env.scene)))
        if self.level == "pixels":
            return Look(views=tuple(self._camera(camera) for camera in self._cameras))
        return self._marked()

    def name_of(self, thing: str | None) -> str | int | bool | None:
        """Return how the agent knows a thing: by name, by number, or only that there is one."""
        if thing is None or self.level == "state":
            return thing
        numbers = {name: number for number, name in self.reader.marks.items()}
        return numbers.get(thing, True) if self.level == "marks" else True

    def veiled(self, text: str) -> str:
        """Return a text of the skills without names that the agent does not perceive."""
        if self.level == "state":
            return text
        for name in sorted(self._env.scene.assets, key=len, reverse=True):
            known = self.name_of(name)
            word = f"number {known}" if isinstance(known, int) and known is not True else "something"
            text = re.sub(rf"\b{re.escape(name)}(/\w+)?\b", word, text)
        return text

    def _marked(self) -> Look:
        viewed = take_views(self._env, self._seed, self._cameras, SIZE, self.reader.marks)
        self.reader.marks = dict(viewed.marks)
        scene = self._env.scene
        named = {thing.name: thing for thing in things_of(scene)}
        things = []
        for number, name in viewed.marks.items():
            thing = named[name]
            middle = thing.point or _middle(scene, thing.geoms)
            things.append(SeenThing(number, middle))
        return Look(tuple(SeenView(view.camera, view.clean, view.marked) for view in viewed.views), tuple(things))

    def _camera(self, camera: str) -> SeenView:
        height, width = SIZE
        model, data = self._env.scene.model, self._env.scene.data
        index = model.camera(CAMERAS[camera]).id
        focal = 0.5 * height / math.tan(0.5 * math.radians(float(model.cam_fovy[index])))
        intrinsics = np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.cam_xmat[index].reshape(3, 3), data.cam_xpos[index]
        return SeenView(
            camera,
            png(self._env.render(camera, height, width)),
            depth=self._env.depth(camera, height, width),
            intrinsics=intrinsics,
            pose=pose,
        )


def _middle(scene: Scene, geoms: frozenset[int]) -> Vec3:
    return _vec(scene.data.geom_xpos[sorted(geoms)].mean(axis=0))


def _vec(values: NDArray[np.float64]) -> Vec3:
    x, y, z = (round(float(value), 4) for value in values)
    return x, y, z


def _state(scene: Scene) -> Iterator[SeenThing]:
    for name in (*scene.movable, *scene.fixed):
        asset = scene.assets[name]
        yield SeenThing(
            name,
            _vec(scene.origin(name)),
            words=_words(asset),
            looks=dict(asset.look),
            movable=name in scene.movable,
            height_m=round(asset.height_m, 4),
            mass_kg=round(mass_kg(asset), 4),
            inside=_inside(scene, name) if name in scene.movable else "",
            parts=tuple(_parts(scene, name, asset)),
        )


def _words(asset: Asset) -> tuple[str, ...]:
    told = [*asset.nouns, asset.category, *(value for _, value in asset.look)]
    return tuple(dict.fromkeys(word.replace("_", " ").lower() for word in told if word))


def _inside(scene: Scene, name: str) -> str:
    """Return the part, or the entity, in whose site a thing's middle is; "" for none."""
    middle = scene.com(name)
    for entity, asset in scene.assets.items():
        if entity == name:
            continue
        for site in sorted(asset.sites, key=lambda site: float(np.prod(site.half))):
            if scene.in_site(middle, entity, site):
                return f"{entity}/{site.name}"
    return ""


def _parts(scene: Scene, name: str, asset: Asset) -> Iterator[Part]:
    for handle in asset.handles:
        frame = scene.model.body(f"{name}/{handle.link}" if handle.link != asset.root.name else name).id
        position = scene.data.xpos[frame] + scene.data.xmat[frame].reshape(3, 3) @ np.asarray(handle.position)
        yield Part(f"{name}/{handle.joint}", "joint", _vec(position), _is_open(scene, name, asset, handle))
    for button in asset.buttons:
        frame = scene.model.body(f"{name}/{button.link}" if button.link != asset.root.name else name).id
        position = scene.data.xpos[frame] + scene.data.xmat[frame].reshape(3, 3) @ np.asarray(button.position)
        yield Part(f"{name}/{button.name}", "button", _vec(position))
    for site in asset.sites:
        kind: Literal["hole", "slot"] = "hole" if site.kind == "hole" else "slot"
        joint = joint_before(scene, name, site)
        behind = None if joint is None else f"{name}/{joint}"
        yield Part(f"{name}/{site.name}", kind, _vec(scene.site_frame(name, site)[0]), behind=behind)


def _is_open(scene: Scene, name: str, asset: Asset, handle: Handle) -> bool:
    value = scene.joint(name, handle.joint)
    openings = [site.opening for site in asset.sites if site.opening is not None and site.opening.joint == handle.joint]
    if openings:
        return value > openings[0].open_above
    ranges = [
        link.joint.range for link in links(asset.root) if link.joint is not None and link.joint.name == handle.joint
    ]
    low, high = ranges[0] if ranges else (0.0, 1.0)
    return value - low > HALF_OPEN * (high - low)
