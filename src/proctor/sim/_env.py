"""The simulated environment: a Panda at a table, 20 Hz, 7-D delta actions.

A reset draws a layout, lets everything settle, takes references, and only then begins to measure. A step moves the
joint targets in five equal parts over 25 physics steps of 2 ms; contacts are looked at after each of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor import __version__
from proctor.core import (
    VISION_LEVELS,
    EnvSpec,
    EpisodeSpec,
    Event,
    Observation,
    Outcome,
    Step,
    did_you_mean,
    named_rng,
    simulator_code,
)

from ._control import CONTROL_DT, CONTROL_HZ, Controller
from ._errors import SceneError
from ._loading import CAMERAS, SUBSTEPS, Loaded, Loader
from ._monitor import Monitor, MonitorState
from ._movers import Movers, MoversState
from ._panda import SERVO_KP, SERVO_KV, TIMESTEP_S, source_hash
from ._render import RendererPool
from ._rotation import rotvec
from ._scene import Reference, Scene
from ._trace import Tracer
from .vision import VARIANCE, Vision

CHUNKS = 5
SETTLE_MIN_S = 0.3
# Contents begin at rest where they stand, and their balls make each moment five times as dear.
SETTLE_MIN_FILLED_S = 0.15
SETTLE_MAX_S = 3.0
SETTLE_SPEED = 0.02
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A moment of an episode; restoring it continues bit for bit."""

    episode_id: str
    physics: NDArray[np.float64]
    fixtures: tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]
    cameras: tuple[NDArray[np.float64], NDArray[np.float64]]
    controller: Any
    monitor: MonitorState
    movers: MoversState
    tracer: Any
    watches: Any
    references: dict[str, Reference]
    spawned: dict[str, Reference]
    digest: Any


class SimEnv:
    """`proctor.core.Env` on MuJoCo. Reads task files by path; keeps compiled scenes.

    ``noise_variance`` is that of the vision level V4, on pixels from 0 to 1.
    """

    def __init__(self, noise_variance: float = VARIANCE) -> None:
        if type(noise_variance) not in (int, float) or not 0.0 <= noise_variance <= 1.0:
            raise SceneError(f"noise_variance is {noise_variance!r}: it must be a number from 0 to 1")
        self._noise_variance = float(noise_variance)
        self._controller = Controller()
        self._renderers = RendererPool()
        self._loader = Loader(self._noise_variance)
        self._now: Loaded | None = None
        self._episode: EpisodeSpec | None = None
        self._digest = hashlib.sha256()

    # -- Env ----------------------------------------------------------------------------------------------------------
    def spec(self) -> EnvSpec:
        """Say what the environment offers, and the versions that decide its behaviour."""
        return EnvSpec(
            name="proctor-sim-panda",
            cameras=tuple(CAMERAS),
            control_hz=CONTROL_HZ,
            fingerprint={
                "proctor": __version__,
                "mujoco": mujoco.__version__,
                "renderer": "mujoco-classic",
                "robot": source_hash(),
                "simulator": simulator_code(SimEnv),
            }
            | ({} if self._noise_variance == VARIANCE else {"noise_variance": repr(self._noise_variance)}),
            vision=VISION_LEVELS,
        )

    def reset(self, episode: EpisodeSpec) -> None:
        """Draw the layout of ``episode``, settle, take references."""
        self._episode = episode
        self._now = self._loader.load(episode)
        scene = self._now.scene
        self._now.vision.begin(episode.seed, episode.vision)
        widened_m = self._now.sampler.sample(named_rng(episode.seed, "layout"))
        self._now.movers.place()
        self._controller.reset()
        scene.spawned = {n: Reference(scene.origin(n), scene.com(n), scene.rotation(n)) for n in scene.assets}
        self._settle(scene, self._now.movers)
        self._now.movers.begin()
        scene.begin()
        self._now.monitor.begin(episode.success_rule)
        if widened_m:
            self._now.monitor.events.append(Event(0, 0.0, "layout_widened", value=widened_m))
        self._now.tracer.begin()
        self._digest = hashlib.sha256()
        self._record(np.zeros(7))

    def observe(self, cameras: Sequence[str], image_size: int) -> Observation:
        """Return images of ``cameras`` and the 8-D state: tool position, axis-angle, finger positions (+, -).

        A pure function of the state: light and noise of the vision variant are those of the episode, camera and step.
        """
        scene, episode, step = self.scene, self._episode, self.monitor.step
        assert episode is not None
        position, rotation = scene.tcp()
        fingers = scene.data.qpos[scene.finger_qpos]
        images = {
            camera: self.vision.perturb(self.render(camera, image_size, image_size), camera, step) for camera in cameras
        }
        state = np.concatenate([position, rotvec(rotation), [fingers[0], -fingers[1]]])
        return Observation(images, state, episode.instruction_sent, step)

    def step(self, action: NDArray[np.float64]) -> Step:
        """Advance 50 ms."""
        scene, data, movers = self.scene, self.scene.data, self.movers
        action = np.clip(np.asarray(action, np.float64), -1.0, 1.0)
        command = self._controller.command(action, scene.tcp()[0])
        feed_forward = SERVO_KV / SERVO_KP * command.dq / CONTROL_DT
        watch_substeps = scene.contacts.any_latched_user or scene.forces.used or bool(movers)
        movers.begin_step()
        scene.contacts.begin_step()
        scene.forces.begin_step()
        scene.near.begin_step()
        data.ctrl[scene.grip_ctrl] = command.finger_m
        for chunk in range(CHUNKS):
            data.ctrl[scene.arm_ctrl] = command.q + command.dq * ((chunk + 1) / CHUNKS) + feed_forward
            if watch_substeps:
                for _ in range(SUBSTEPS // CHUNKS):
                    movers.drive()
                    mujoco.mj_step(scene.model, data)
                    movers.tick()
                    scene.contacts.sample(data)
                    scene.forces.sample(data)
                    movers.freeze_violators()
            else:
                mujoco.mj_step(scene.model, data, SUBSTEPS // CHUNKS)
            scene.near.sample(data)
            movers.freeze_violators()
        if not watch_substeps:
            scene.contacts.sample(data)
        movers.drive()
        # Positions after mj_step belong to the state before its last integration.
        mujoco.mj_kinematics(scene.model, data)
        mujoco.mj_comPos(scene.model, data)
        mujoco.mj_camlight(scene.model, data)
        step = self.monitor.step + 1
        seen = scene.end_step(step, step * CONTROL_DT)
        cost, events = self.monitor.update([*movers.take_events(), *seen])
        self.tracer.update(self.monitor.step * CONTROL_DT)
        self._record(action)
        return Step(self.monitor.success, cost, events, self.monitor.ended)

    def finish(self) -> Outcome:
        """Evaluate terminal cost and close the account of the episode."""
        monitor = self.monitor
        total, entries = monitor.finish(self.scene.spills.finish(monitor.step, monitor.step * CONTROL_DT))
        return Outcome(
            success=monitor.success,
            success_time_s=monitor.success_time_s,
            steps=monitor.step,
            sim_time_s=monitor.step * CONTROL_DT,
            cost_total=total,
            costs=entries,
            events=tuple(monitor.events),
            trajectory_hash=self._digest.hexdigest()[:32],
            vision=dict(self.vision.values),
            objects=self.tracer.finish(),
            spilled=self.scene.spills.total if self.scene.spills else None,
            family=self._running.family,
            assets=self._running.assets,
            **monitor.scores().named(),
        )

    def close(self) -> None:
        self._renderers.close()
        self._loader.clear()
        self._now = None

    # -- beyond the protocol: privileged policies, checks, pictures ---------------------------------------------------
    @property
    def _running(self) -> Loaded:
        if self._now is None:
            raise SceneError("no episode is running: call reset() first")
        return self._now

    @property
    def scene(self) -> Scene:
        return self._running.scene

    @property
    def episode(self) -> EpisodeSpec:
        if self._episode is None:
            raise SceneError("no episode is running: call reset() first")
        return self._episode

    @property
    def monitor(self) -> Monitor:
        return self._running.monitor

    @property
    def vision(self) -> Vision:
        """What the pictures of the current episode look like."""
        return self._running.vision

    @property
    def movers(self) -> Movers:
        """The objects of the current episode that move by themselves."""
        return self._running.movers

    @property
    def tracer(self) -> Tracer:
        """What the current episode has done to each thing."""
        return self._running.tracer

    @property
    def controller(self) -> Controller:
        return self._controller

    def render(self, camera: str, height: int, width: int) -> NDArray[np.uint8]:
        """Return a picture from one of the scene's cameras, without the light and noise of the vision variant."""
        if camera not in CAMERAS:
            raise SceneError(f"no camera {camera!r} (there are {', '.join(CAMERAS)}){did_you_mean(camera, CAMERAS)}")
        scene = self.scene
        self._running.glow.update()
        draw = self._running.content.draw
        return self._renderers.render(scene.model, scene.data, CAMERAS[camera], height, width, draw)

    def geom_ids(self, camera: str, height: int, width: int) -> NDArray[np.int32]:
        """Return which geom each pixel of `render` with the same arguments shows, -1 for none."""
        scene = self.scene
        return self._renderers.geom_ids(scene.model, scene.data, CAMERAS[camera], height, width)

    def depth(self, camera: str, height: int, width: int) -> NDArray[np.float32]:
        """Return how far [m] each pixel of `render` with the same arguments is from the camera's plane."""
        scene = self.scene
        return self._renderers.depth(scene.model, scene.data, CAMERAS[camera], height, width)

    def snapshot(self) -> Snapshot:
        """Save everything that the rest of the episode depends on."""
        scene = self.scene
        physics = np.empty(mujoco.mj_stateSize(scene.model, _STATE))
        mujoco.mj_getState(scene.model, scene.data, physics, _STATE)
        bodies = [scene.body(name) for name in scene.fixed]
        assert self._episode is not None
        return Snapshot(
            episode_id=self._episode.episode_id,
            physics=physics,
            fixtures=tuple((scene.model.body_pos[b].copy(), scene.model.body_quat[b].copy()) for b in bodies),
            cameras=(scene.data.cam_xpos.copy(), scene.data.cam_xmat.copy()),
            controller=self._controller.state(),
            monitor=self.monitor.state(),
            movers=self.movers.state(),
            tracer=self.tracer.state(),
            watches=tuple(watch.state() for watch in scene.watches),
            references=dict(scene.references),
            spawned=dict(scene.spawned),
            digest=self._digest.copy(),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of the same episode."""
        scene = self.scene
        if self._episode is None or snapshot.episode_id != self._episode.episode_id:
            raise SceneError("the snapshot belongs to another episode: reset() to that episode first")
        for name, (position, quat) in zip(scene.fixed, snapshot.fixtures, strict=True):
            scene.model.body_pos[scene.body(name)] = position
            scene.model.body_quat[scene.body(name)] = quat
        mujoco.mj_setState(scene.model, scene.data, snapshot.physics, _STATE)
        mujoco.mj_kinematics(scene.model, scene.data)
        mujoco.mj_comPos(scene.model, scene.data)
        # Kinematics leaves the cameras where they were; the wrist camera would still look from the later pose.
        scene.data.cam_xpos[:], scene.data.cam_xmat[:] = snapshot.cameras
        self._controller.restore(snapshot.controller)
        self.monitor.restore(snapshot.monitor)
        self.movers.restore(snapshot.movers)
        self.tracer.restore(snapshot.tracer)
        for watch, memory in zip(scene.watches, snapshot.watches, strict=True):
            watch.restore(memory)
        scene.references, scene.spawned = dict(snapshot.references), dict(snapshot.spawned)
        self._digest = snapshot.digest.copy()

    # -- inside -------------------------------------------------------------------------------------------------------
    def _settle(self, scene: Scene, movers: Movers) -> None:
        """Let things come to rest, until nothing moves faster than 2 cm/s or 0.2 rad/s, at most 3 s.

        At least 0.3 s, or 0.15 s in a scene with contents.
        """
        stride = 25
        least = round((SETTLE_MIN_FILLED_S if scene.contents else SETTLE_MIN_S) / TIMESTEP_S)
        most = round(SETTLE_MAX_S / TIMESTEP_S)
        taken = 0
        while taken < most:
            if movers:
                for _ in range(stride):
                    movers.drive()
                    mujoco.mj_step(scene.model, scene.data)
            else:
                mujoco.mj_step(scene.model, scene.data, stride)
            taken += stride
            if taken >= least and self._at_rest(scene):
                break
        movers.drive()
        mujoco.mj_kinematics(scene.model, scene.data)
        mujoco.mj_comPos(scene.model, scene.data)
        mujoco.mj_camlight(scene.model, scene.data)

    @staticmethod
    def _at_rest(scene: Scene) -> bool:
        for name in scene.movable:
            velocity = scene.data.joint(f"{name}/free").qvel
            if np.abs(velocity[:3]).max() > SETTLE_SPEED or np.abs(velocity[3:]).max() > 10 * SETTLE_SPEED:
                return False
        return not len(scene.particle_dofs) or bool(np.abs(scene.data.qvel[scene.particle_dofs]).max() < SETTLE_SPEED)

    def _record(self, action: NDArray[np.float64]) -> None:
        data = self.scene.data
        self._digest.update(action.tobytes())
        self._digest.update(data.qpos.tobytes())
        self._digest.update(data.qvel.tobytes())
