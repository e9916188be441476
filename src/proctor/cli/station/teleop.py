"""``proctor station teleop``: demonstrations by a leader arm or by the keyboard, recorded as trials."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.station.camera import Camera
    from proctor.station.trial import Runner, Trial, TrialResult

    from ._keys import Keys


def teleop(
    follower: Annotated[Path, typer.Option(help="Serial port of the arm that moves.")],
    calibration: Annotated[Path, typer.Option(help="The follower's calibration file.")],
    out: Annotated[Path, typer.Option(help="Folder for the demonstrations; may hold some already.")],
    leader: Annotated[str, typer.Option(help="Serial port of the arm in your hand, or: keyboard.")] = "keyboard",
    leader_calibration: Annotated[Path | None, typer.Option(help="The leader's calibration file.")] = None,
    instruction: Annotated[str, typer.Option(help="What is demonstrated, in words.")] = "",
    episodes: Annotated[int, typer.Option(min=1, help="How many demonstrations.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.1, help="Longest demonstration.")] = 60.0,
    camera: Annotated[
        list[str] | None,
        typer.Option(help="NAME=SOURCE, as top=0 or wrist=/dev/video2 (`proctor station camera`); may be repeated."),
    ] = None,
) -> None:
    """Drive the arm by hand and record it. Enter or x ends a demonstration, Ctrl-C all of them.

    Keyboard: q w e r t y raise the six joints, a s d f g h lower them, 3 degrees per key.
    """
    from proctor.core import ProctorError
    from proctor.station.arm import So101Arm, load_calibration
    from proctor.station.trial import HOME, Keyboard, LeaderArm, Runner

    from ._keys import Keys

    numbers = load_calibration(calibration)
    with contextlib.ExitStack() as stack:
        keys = stack.enter_context(Keys())
        person: Keyboard | LeaderArm = Keyboard(keys.typed)
        home = HOME
        if leader != "keyboard":
            if leader_calibration is None:
                raise ProctorError("a leader arm needs --leader-calibration: make one with `proctor station calibrate`")
            person = LeaderArm(
                stack.enter_context(So101Arm.connect(leader, load_calibration(leader_calibration))), numbers
            )
            # The follower comes to the hand, not the hand to the follower.
            home = person.pose()
        cameras = _cameras(camera or [])
        runner = Runner(
            lambda: So101Arm.connect(follower, numbers), cameras, lambda _: person, out / "trials", home=home
        )
        stack.enter_context(runner)
        for trial in _trials(out, instruction, seconds, episodes):
            typer.echo(f"{trial.id}: the arm comes to the start, then it is yours (Enter or x ends)")
            result = _record(runner, trial, keys)
            typer.echo(f"{trial.id}: {result.status}, {result.duration_s:.1f} s")
            if result.status != "completed":
                raise ProctorError(
                    f"{trial.id} ended early, what was recorded is kept: {result.fault or result.reason}"
                )


def _record(runner: Runner, trial: Trial, keys: Keys) -> TrialResult:
    runner.start(trial)
    while (result := runner.wait(0.02)) is None:
        if keys.ended():
            runner.stop("operator")
    return result


def _trials(out: Path, instruction: str, seconds: float, count: int) -> list[Trial]:
    from proctor.station.trial import Trial

    stamp = time.strftime("%Y%m%d-%H%M%S")
    return [
        Trial(f"demo-{stamp}-{number:03d}", "teleop", instruction, seconds, scene="demonstration")
        for number in range(1, count + 1)
    ]


def _cameras(texts: list[str]) -> list[Camera]:
    from proctor.core import ProctorError
    from proctor.station.camera import PolicyViewCamera, open_camera

    found: list[Camera] = []
    for text in texts:
        name, equals, source = text.partition("=")
        if not equals or not name or not source:
            raise ProctorError(f"--camera {text!r}: write NAME=SOURCE, as in top=0")
        opened = open_camera(source, name)
        # What is demonstrated is seen as a policy will see it: magnified, from above.
        found.append(PolicyViewCamera(opened) if name == "top" else opened)
    return found
