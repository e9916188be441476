"""``proctor station plan``: a session's blinded order, drawn and committed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from proctor.station.session import ArmPolicy


def plan(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder to make.")],
    arm: Annotated[
        list[str], typer.Option(help="LABEL=POLICY, as for 'proctor run --policy'; at least one, may be repeated.")
    ],
    scenes: Annotated[
        list[str] | None, typer.Option(help="Scenes: 7, 1-10, bread, ID/easy, bread/ID/1, all; may be repeated.")
    ] = None,
    arm_arg: Annotated[list[str] | None, typer.Option(help="LABEL:KEY=VALUE for the policy of an arm.")] = None,
    human: Annotated[
        list[str] | None, typer.Option(help="A person at the leader arm, as reference; not compared with policies.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often every arm meets every scene.")] = 1,
    cap: Annotated[float, typer.Option(min=1.0, help="Time cap of a trial in seconds.")] = 90.0,
    items: Annotated[int, typer.Option(min=1, max=1000, help="Items to place in each trial.")] = 1,
    cap_per_item: Annotated[
        float | None, typer.Option(min=1.0, help="Time cap per item instead (PhAIL: 30).", show_default="none")
    ] = None,
    station: Annotated[str, typer.Option(help="Name of the station, for the rows.")] = "",
    operator: Annotated[str, typer.Option(help="Who runs the trials; cannot be the second rater.")] = "",
    calibration: Annotated[Path | None, typer.Option(help="Calibration file of the arm; its hash is kept.")] = None,
    unit: Annotated[
        str, typer.Option(help="Unit in which the policies see and say joints; one that speaks another is refused.")
    ] = "true_degrees",
    target: Annotated[
        str | None, typer.Option(help="Target zone X0,X1,Y0,Y1 in metres, for the detector.", show_default="none")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Source zone, likewise.", show_default="none")] = None,
) -> None:
    """Make a session: every policy once per scene in blocks of random order, committed before the first trial.

    Prints the commitment. Whoever has it can check after 'proctor station reveal' that the order was fixed beforehand.
    """
    from proctor.station.scene import select_scenes
    from proctor.station.session import SceneCard, Session, TrialSchedule

    arms = _arms(arm, arm_arg or [], human or [])
    cards = [SceneCard.of(scene, items) for scene in select_scenes(*(scenes or ["all"]))]
    schedule = TrialSchedule.make(cards, arms, repeats, session=session.resolve().name)
    described = _station(station, operator, calibration, unit, target, source)
    Session.create(session, schedule, cap_s=cap, cap_per_item_s=cap_per_item, station=described).close()
    typer.echo(
        f"{session}: {len(schedule.trials)} trials = {len(cards)} scenes x {len(arms)} arms x {repeats}, "
        f"in {len(cards) * repeats} blocks"
    )
    typer.echo(f"commitment: {schedule.commitment}")


def _arms(texts: list[str], args: list[str], humans: list[str]) -> list[ArmPolicy]:
    from proctor.core import ProctorError
    from proctor.policies import parse_policy
    from proctor.station.session import ArmPolicy

    given: dict[str, list[str]] = {}
    for text in args:
        label, colon, pair = text.partition(":")
        if not colon or "=" not in pair:
            raise ProctorError(f"--arm-arg {text!r}: write LABEL:KEY=VALUE")
        given.setdefault(label, []).append(pair)
    arms = []
    for text in texts:
        label, equals, policy = text.partition("=")
        if not equals or not label.strip() or not policy:
            raise ProctorError(f"--arm {text!r}: write LABEL=POLICY, as in pi0=proctor://localhost:7000")
        name, values = parse_policy(policy, given.pop(label, []))
        arms.append(ArmPolicy(label, name, values))
    if given:
        raise ProctorError(f"--arm-arg names {next(iter(given))!r}, which is the label of no --arm")
    return [*arms, *(ArmPolicy(label, "human", kind="human") for label in humans)]


def _station(
    name: str, operator: str, calibration: Path | None, unit: str, target: str | None, source: str | None
) -> dict[str, Any]:
    from proctor.station.arm import Unit, load_calibration

    values: dict[str, Any] = {"name": name, "operator": operator, "unit": Unit.parse(unit).value}
    if calibration is not None:
        values["calibration"] = load_calibration(calibration).sha256
    if target is not None:
        values["zones"] = {"target": _box(target), "source": _box(source) if source else None}
    return values


def _box(text: str) -> list[float]:
    from proctor.core import ProctorError

    try:
        x0, x1, y0, y1 = (float(part) for part in text.split(","))
    except ValueError:
        raise ProctorError(f"zone {text!r}: write X0,X1,Y0,Y1 in metres, as in 0.18,0.34,0.06,0.24") from None
    if not (x0 < x1 and y0 < y1):
        raise ProctorError(f"zone {text!r} has no inside: X0 must be below X1 and Y0 below Y1")
    return [x0, x1, y0, y1]
