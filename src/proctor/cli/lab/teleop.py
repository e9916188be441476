"""``proctor lab teleop``: demonstrations by a leader arm or by the keyboard, recorded as trials."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proctor.lab.arm import Arm
    from proctor.lab.trial import Trial

_END_KEYS = "\r\nx"


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
        list[str] | None, typer.Option(help="NAME=DEVICE, as top=0 or wrist=/dev/video2; may be repeated.")
    ] = None,
) -> None:
    """Drive the arm by hand and record it: Enter or x ends a demonstration, Ctrl-C ends it all.

    Keyboard: q w e r t y raise the six joints, a s d f g h lower them.
    """
    from proctor.core import ProctorError
    from proctor.lab.arm import Arm, load_calibration
    from proctor.lab.trial import Keyboard, LeaderArm, Runner

    numbers = load_calibration(calibration)
    if leader != "keyboard" and leader_calibration is None:
        raise ProctorError("a leader arm needs its own --leader-calibration: run `proctor lab calibrate` on its port")
    with contextlib.ExitStack() as stack:
        keys = stack.enter_context(_keys())
        person: Keyboard | LeaderArm = Keyboard(keys.typed)
        more = {}
        if leader_calibration is not None and leader != "keyboard":
            hand: Arm = stack.enter_context(Arm.connect(leader, load_calibration(leader_calibration)))
            person = LeaderArm(hand, numbers)
            more["home"] = person.pose()
        runner = stack.enter_context(
            Runner(
                lambda: Arm.connect(follower, numbers), _cameras(camera or []), lambda _: person, out / "trials", **more
            )
        )
        for trial in _plan(out, instruction, seconds, episodes):
            if not _record(runner.start, runner.stop, lambda: runner.busy, keys, trial):
                return
            result = runner.wait()
            assert result is not None
            typer.echo(f"{trial.id}: {result.status}, {result.duration_s:.1f} s{f', {result.fault}' if result.fault else ''}")
            if result.status != "completed":
                raise ProctorError(f"demonstration {trial.id} ended early: {result.fault or result.reason}")
