"""``proctor station status``: where a session stands, without a word about the arms."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer


def status(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="Folder made by 'proctor station plan'.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole state as JSON.")] = False,
) -> None:
    """Say where a session stands; works while the console runs it. The head seals everything so far: note it down."""
    from proctor.station.session import Session

    read = Session.read(session)
    state = read.state()
    if as_json:
        typer.echo(json.dumps(state.to_dict(), indent=2))
        return
    labels = Counter(str(a.outcome["label"]) for a in read.progress.attempts if a.counts and a.outcome)
    void = sum(not attempt.counts for attempt in read.progress.attempts)
    done = sum(labels.values())
    typer.echo(f"{state.session}: {done} of {state.total} trials done, {void} void; phase {state.phase}")
    if labels:
        typer.echo("outcomes: " + ", ".join(f"{label} {count}" for label, count in sorted(labels.items())))
    if state.finished:
        typer.echo("finished: " + ("revealed" if state.revealed else "'proctor station reveal' names the arms"))
    else:
        typer.echo(f"now: trial {state.number}, scene {state.scene.id} {state.scene.name}: {state.scene.instruction}")
    typer.echo(f"head: {state.head}")
