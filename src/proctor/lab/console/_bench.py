"""A whole bench for a session: arm, cameras, policies and desk, opened together and closed in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from proctor.lab.arm import Arm, load_calibration
from proctor.lab.camera import Camera
from proctor.lab.scene import Reference, Scene, load_reference, load_scenes, reference_path
from proctor.lab.session import Session, SessionError
from proctor.lab.trial import LeaderArm, PolicySource, Runner

from ._desk import Desk


def references_in(folder: Path | None) -> Callable[[str], Reference | None]:
    """Return how to find the reference picture of a scene's id in a folder; without one there is none."""
    scenes: dict[str, Scene] = {str(scene.id): scene for scene in load_scenes()}

    def find(scene: str) -> Reference | None:
        if folder is None or scene not in scenes:
            return None
        return load_reference(reference_path(scenes[scene], folder))

    return find


@contextmanager
def open_bench(
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
    arm, is what the people among the arms hold.
    """
    known = load_calibration(calibration)
    with ExitStack() as stack:
        session = stack.enter_context(Session.open(folder))
        arms = {arm.label: arm for arm in session.schedule().arms}
        if leader is None and any(arm.kind == "human" for arm in arms.values()):
            raise SessionError("people are among the arms of this session: give --leader and --leader-calibration")
        held = leader and LeaderArm(stack.enter_context(Arm.connect(leader[0], load_calibration(leader[1]))), known)

        def policy_for(label: str) -> PolicySource:
            arm = arms[label]
            return held if held and arm.kind == "human" else (arm.policy, arm.args)

        runner = stack.enter_context(
            Runner(
                lambda: Arm.connect(port, known),
                cameras,
                policy_for,
                folder / "trials",
                secrets=folder / "secret",
                camera_hz=camera_hz,
                fps=camera_hz,
            )
        )
        runner.prepare([label for label, arm in arms.items() if arm.kind == "policy"])
        names = tuple(camera.name for camera in cameras)
        yield stack.enter_context(Desk(session, runner, names, references_in(references), camera_hz=camera_hz))
