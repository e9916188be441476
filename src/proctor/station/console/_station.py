"""A whole station for a session: arm, cameras, policies and desk, opened together and closed in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from proctor.station.arm import Bus, Calibration, So101Arm, Unit, load_calibration
from proctor.station.camera import Camera
from proctor.station.scene import SceneReference, StationScene, load_reference, load_scenes, reference_path
from proctor.station.session import Session, SessionError
from proctor.station.trial import LeaderArm, PolicySource, Runner

from ._desk import Desk

_FIRST_ANSWER_S: Final = 0.5


def references_in(folder: Path | None) -> Callable[[str], SceneReference | None]:
    """Return how to find the reference picture of a scene's id in a folder; without one there is none."""
    scenes: dict[str, StationScene] = {str(scene.id): scene for scene in load_scenes()}

    def find(scene: str) -> SceneReference | None:
        if folder is None or scene not in scenes:
            return None
        return load_reference(reference_path(scenes[scene], folder))

    return find


@contextmanager
def open_station(
    folder: Path,
    port: str,
    calibration: Path,
    cameras: Sequence[Camera],
    references: Path | None,
    *,
    camera_hz: float = 10.0,
    leader: tuple[str, Path] | None = None,
) -> Iterator[Desk]:
    """Open everything that ``folder``'s session needs; policies are loaded before the first trial, all of them.

    Loading them one by one would tell by its duration which one is next. ``leader``, port and calibration of a leader
    arm, is what the people among the arms hold. Policies speak the unit that the session was planned with; calibration
    and cameras go into the journal, so that every row knows the station it was made on.
    """
    known = load_calibration(calibration)
    with ExitStack() as stack:
        session = stack.enter_context(Session.open(folder))
        arms = {arm.label: arm for arm in session.schedule().arms}
        if leader is None and any(arm.kind == "human" for arm in arms.values()):
            raise SessionError("people are among the arms of this session: give --leader and --leader-calibration")
        _try_arm(port, known)
        names = tuple(camera.name for camera in cameras)
        unit = _write_down(session, known, names)
        held = leader and LeaderArm(
            stack.enter_context(So101Arm.connect(leader[0], load_calibration(leader[1]))), known, unit
        )

        def policy_for(label: str) -> PolicySource:
            arm = arms[label]
            return held if held and arm.kind == "human" else (arm.policy, arm.args)

        runner = stack.enter_context(
            Runner(
                lambda: So101Arm.connect(port, known),
                cameras,
                policy_for,
                folder / "trials",
                secrets=folder / "secret",
                unit=unit,
                camera_hz=camera_hz,
                fps=camera_hz,
            )
        )
        runner.prepare([label for label, arm in arms.items() if arm.kind == "policy"])
        yield stack.enter_context(Desk(session, runner, names, references_in(references), camera_hz=camera_hz))


def _try_arm(port: str, calibration: Calibration) -> None:
    """Talk to the arm once: the runner connects when it first moves, and a wrong port or file is better told before.

    With more patience than in motion: nothing waits for an answer yet, and a machine that loads a model is slow.
    """
    with So101Arm(Bus.open(port, timeout_s=_FIRST_ANSWER_S), calibration) as arm:
        arm.handshake()
        arm.require_calibration()


def _write_down(session: Session, calibration: Calibration, cameras: tuple[str, ...]) -> Unit:
    """Tell the journal what the station is now, if that is news, and return the unit of the session's policies."""
    station = session.progress.station
    unit = Unit.parse(str(station.get("unit", Unit.TRUE_DEGREES.value)))
    now = {"unit": unit.value, "calibration": calibration.sha256, "cameras": list(cameras)}
    news = any(station.get(key) != value for key, value in now.items())
    if news and "station" in session.progress.allowed:
        session.act("station", **now)
    return unit
