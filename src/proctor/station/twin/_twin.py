"""The digital twin of the station: a serial port to connect to, cameras to look through, a floor to put things on."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, did_you_mean, named_rng
from proctor.station.arm import JOINTS, MAX_TICK, SERVO_IDS, Calibration, JointCalibration, homing_offset_for
from proctor.station.geometry import rotation_rpy

from ._camera import CameraLostError, Photographer
from ._faults import TwinFaults
from ._objects import SceneObject
from ._physics import ObjectPose, Physics
from ._port import ServoPort
from ._servo import RADIANS_PER_TICK, Servo
from ._station import AMBIENT_LIGHT, CAMERAS, LED_LIGHT, TIMESTEP_S, camera_quat

# What the clock may lag before the twin gives up catching up with it.
_LONGEST_LAG_S: Final = 0.1


class Twin:
    """An SO-101 station in this process. ``seed`` decides how the servo horns are screwed on and the chances of faults.

    ``speed`` is simulated seconds per second; 0 stops the clock, which then moves only by `advance`. The servos answer
    on `port` in either case. Use it as a context manager.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        speed: float = 1.0,
        objects: Sequence[SceneObject] = (),
        faults: TwinFaults | None = None,
        backlash_deg: float = 0.0,
        noise: float = 0.0,
    ) -> None:
        rng = named_rng(seed, "twin-encoders")
        self.faults = faults or TwinFaults()
        self.faults.seed(seed)
        self.servos = [
            Servo(SERVO_IDS[joint], int(rng.integers(0, MAX_TICK)), math.radians(backlash_deg)) for joint in JOINTS
        ]
        self._lock = threading.RLock()
        self._physics = Physics(self.servos, objects)
        self._physics.report()
        self._photographer: Photographer | None = None
        self._noise = noise
        self._noise_rng = named_rng(seed, "twin-camera")
        self._speed = speed
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._serial = ServoPort(self.servos, self.faults, self._lock, self._physics.report)
        self._start()

    def _start(self) -> None:
        self._serial.plug()
        if self._speed > 0:
            self._thread = threading.Thread(target=self._run, name="twin-clock", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop everything and free the port."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        self._serial.close()
        if self._photographer is not None:
            self._photographer.close()
            self._photographer = None

    def __enter__(self) -> Twin:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    # --- the arm

    @property
    def port(self) -> str:
        """The serial port to connect to. It stays the same when the cable is pulled and put back."""
        return str(self._serial.path)

    @property
    def requests(self) -> Mapping[str, int]:
        """How many packets of each kind the servos have understood."""
        return self._serial.requests

    def unplug(self) -> None:
        """Pull the USB cable; the servos keep their power and hold."""
        self._serial.unplug()

    def plug(self) -> None:
        """Put the USB cable back."""
        self._serial.plug()

    def power_cycle(self) -> None:
        """Switch the 12 V off and on: what was not saved in permanent memory is gone."""
        with self._lock:
            for servo in self.servos:
                servo.power_on()

    def joints_deg(self) -> dict[str, float]:
        """Return the true joint angles in degrees, from the zero pose: what no driver can know."""
        with self._lock:
            return {joint: math.degrees(angle) for joint, angle in self._physics.joints().items()}

    def joint_range_deg(self, joint: str) -> tuple[float, float]:
        """Return a joint's mechanical stops in degrees."""
        low, high = self._physics.joint_range(joint)
        return math.degrees(low), math.degrees(high)

    def hand(self, angles_deg: Mapping[str, float]) -> None:
        """Move limp joints by hand, to angles in degrees; a joint that holds is refused."""
        with self._lock:
            for joint in angles_deg:
                if joint not in JOINTS:
                    raise ProctorError(f"no joint {joint!r}{did_you_mean(joint, JOINTS)}")
                if self.servos[JOINTS.index(joint)].torque_on:
                    raise ProctorError(f"{joint} holds: switch its torque off before moving it by hand")
            self._physics.set_joints({joint: math.radians(angle) for joint, angle in angles_deg.items()})
            self._physics.report()

    def true_calibration(self) -> Calibration:
        """Return the calibration of a perfect operator: exact zero pose, sweeps from stop to stop."""
        joints = {}
        for joint, servo in zip(JOINTS, self.servos, strict=True):
            offset = homing_offset_for(servo.zero_tick)
            zero = servo.zero_tick - offset
            low, high = (round(zero + angle / RADIANS_PER_TICK) for angle in self._physics.joint_range(joint))
            if joint == "wrist_roll":
                low, high = 0, MAX_TICK
            joints[joint] = JointCalibration(SERVO_IDS[joint], 0, offset, low, high)
        return Calibration(joints, "the twin's own calibration")

    def calibrate(self) -> Calibration:
        """Write the perfect calibration into the servos' permanent memory and return it."""
        from proctor.station.arm import registers as reg

        calibration = self.true_calibration()
        with self._lock:
            for joint, servo in zip(JOINTS, self.servos, strict=True):
                values = calibration[joint]
                servo.set(reg.LOCK, 0)
                servo.write(reg.HOMING_OFFSET.address, reg.HOMING_OFFSET.encode(values.homing_offset))
                servo.write(reg.MIN_POSITION.address, reg.MIN_POSITION.encode(values.range_min))
                servo.write(reg.MAX_POSITION.address, reg.MAX_POSITION.encode(values.range_max))
                servo.set(reg.LOCK, 1)
            self._physics.report()
        return calibration

    def tool_position(self) -> NDArray[np.float64]:
        """Return the tip of the fixed jaw, in metres in the box frame."""
        with self._lock:
            return self._physics.tool_position()

    # --- the floor

    def place(self, objects: Sequence[SceneObject]) -> None:
        """Clear the floor and put these things on it. The arm is not disturbed."""
        with self._lock:
            self._physics.place(objects)

    def move_object(self, name: str, x: float, y: float, yaw_deg: float = 0.0) -> None:
        """Put one thing elsewhere on the floor."""
        with self._lock:
            self._physics.move_object(name, x, y, yaw_deg)

    def objects(self) -> list[ObjectPose]:
        """Return where everything on the floor really is."""
        with self._lock:
            return self._physics.poses()

    # --- the cameras

    def frame(self, camera: str, width: int | None = None) -> NDArray[np.uint8]:
        """Return what a camera sees now, as an upright RGB picture [H, W, 3].

        ``top`` is 1280 x 720, un-zoomed and without distortion; ``wrist`` 640 x 480; ``station`` looks at the station
        from outside and does not exist in reality. A smaller ``width`` keeps the proportions.
        """
        if camera not in CAMERAS:
            raise ProctorError(f"no camera {camera!r}{did_you_mean(camera, CAMERAS)} (there are {', '.join(CAMERAS)})")
        if camera in self.faults.cameras:
            raise CameraLostError(f"camera {camera!r} is gone: check its USB cable")
        with self._lock:
            model, qpos = self._physics.model, self._physics.data.qpos.copy()
            if self._photographer is None:
                self._photographer = Photographer()
            photographer = self._photographer
        picture = photographer.take(model, qpos, camera, width)
        if self._noise > 0:
            noise = self._noise_rng.normal(0, self._noise, picture.shape)
            picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
        return picture

    def shift_camera(
        self, camera: str, metres: tuple[float, float, float], turn_deg: tuple[float, float, float] = (0, 0, 0)
    ) -> None:
        """Move a camera from where it is: along its own right, down and forward, and turned about them (Rz Ry Rx)."""
        with self._lock:
            view = self._physics.model.camera(camera)
            matrix = np.zeros(9)
            mujoco.mju_quat2Mat(matrix, view.quat)
            rotation = matrix.reshape(3, 3) @ np.diag([1.0, -1.0, -1.0])
            view.pos[:] += rotation @ np.array(metres)
            view.quat[:] = camera_quat(rotation @ rotation_rpy(turn_deg))

    def set_light(self, share: float) -> None:
        """Dim or brighten everything; 1 is the station as it should be."""
        with self._lock:
            model = self._physics.model
            model.light_diffuse[:] = LED_LIGHT * share
            model.vis.headlight.ambient[:] = AMBIENT_LIGHT * share

    # --- time

    def advance(self, seconds: float) -> None:
        """Let simulated time pass now, as fast as it can be computed."""
        with self._lock:
            for _ in range(max(1, round(seconds / (5 * TIMESTEP_S)))):
                self._physics.step(5 * TIMESTEP_S)
            self._physics.report()

    def _run(self) -> None:
        clock = time.monotonic()
        while not self._ending.wait(TIMESTEP_S):
            now = time.monotonic()
            lag = (now - clock) * self._speed
            if lag > _LONGEST_LAG_S * max(1.0, self._speed):
                lag = _LONGEST_LAG_S * max(1.0, self._speed)
                clock = now - lag / self._speed
            steps = int(lag / TIMESTEP_S)
            if steps:
                with self._lock:
                    for _ in range(steps):
                        self._physics.step(TIMESTEP_S)
                clock += steps * TIMESTEP_S / self._speed
