"""Cache of tasks made ready to run: scene, layouts, monitor, movers, vision, trace, for the next episode of a text.

The texts of a task file are few and come again, so many of their scenes are kept; a generated text is used by the
episodes of one layout only (one for each policy), so of those the last two are.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from proctor.core import EpisodeSpec, task_source
from proctor.tasks.cbddl import Task, read_task

from ._content import Content, Glow
from ._control import CONTROL_DT
from ._errors import SceneError
from ._layout import LayoutSampler
from ._monitor import Monitor
from ._movers import Movers
from ._naming import digest_things, instance_set_of
from ._panda import PREFIX, TIMESTEP_S
from ._room import AGENTVIEW, ROBOT_SIDE
from ._scene import Scene
from ._trace import Tracer
from .vision import Vision

SUBSTEPS = round(CONTROL_DT / TIMESTEP_S)
CAMERAS = {"agentview": AGENTVIEW, "wrist": PREFIX + "wrist", "beauty": "beauty", "close": "close", "side": "side"}
CAMERAS |= {name: name for name in ROBOT_SIDE}
SCENES_KEPT = 24
DRAWN_KEPT = 2
Key: TypeAlias = tuple[str, int, str]


@dataclass(slots=True)
class Loaded:
    """A compiled task with what belongs to it.

    ``family`` is what a generated text was drawn from, ``assets`` the digest of the things in the scene.
    """

    scene: Scene
    sampler: LayoutSampler
    monitor: Monitor
    movers: Movers
    vision: Vision
    tracer: Tracer
    glow: Glow
    content: Content
    family: str
    assets: str


class Loader:
    """Compiles the tasks of episodes."""

    def __init__(self, noise_variance: float) -> None:
        self._noise_variance = noise_variance
        self._loaded: OrderedDict[Key, Loaded] = OrderedDict()

    def clear(self) -> None:
        self._loaded.clear()

    def load(self, episode: EpisodeSpec) -> Loaded:
        instance_set = instance_set_of(episode.seed)
        key = (f"{episode.task_hash}{episode.task_path}{_drawn_by(episode)}", instance_set, episode.compat)
        if key in self._loaded:
            self._loaded.move_to_end(key)
            return self._loaded[key]
        task, family = _task(episode)
        scene = Scene(task, instance_set)
        monitor = Monitor(scene, episode.compat)
        loaded = Loaded(
            scene,
            LayoutSampler(scene),
            monitor,
            Movers(scene, SUBSTEPS, monitor.violation),
            Vision(scene.model, task, CAMERAS, self._noise_variance),
            Tracer(scene),
            Glow(scene),
            Content(scene),
            family,
            digest_things(task, (instance_set,)),
        )
        self._make_room(bool(family))
        self._loaded[key] = loaded
        return loaded

    def _make_room(self, drawn: bool) -> None:
        mine = [key for key, loaded in self._loaded.items() if bool(loaded.family) is drawn]
        for key in mine[: max(0, len(mine) + 1 - (DRAWN_KEPT if drawn else SCENES_KEPT))]:
            del self._loaded[key]


def _drawn_by(episode: EpisodeSpec) -> str:
    """Return what tells the texts of one drawn task apart."""
    return f" {episode.seed} {episode.episode}" if task_source(episode.task_path) else ""


def _task(episode: EpisodeSpec) -> tuple[Task, str]:
    """Return the task of an episode and, if its text is generated, what it was drawn from."""
    family, path = "", Path(episode.task_path)
    source = task_source(path)
    if source is not None:
        drawn = source.draw(path, episode.seed, episode.episode)
        task, family = drawn.parsed, drawn.family
    else:
        task = read_task(path)
    if episode.task_hash and task.text_hash != episode.task_hash:
        what = f"episode {episode.episode} is drawn differently" if family else "the file has changed"
        raise SceneError(f"{episode.task_path}: {what} since the plan was made; start a new run folder")
    return task, family
