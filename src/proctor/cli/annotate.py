"""``proctor annotate``: sheets for people who judge paraphrases, and what their answers say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Write annotation sheets and read what people answered.",
)


@app.command()
def write(
    source: Annotated[Path, typer.Argument(metavar="FILE.csv|RUN", help="Pairs, as for proctor pride.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The sheet, a CSV file.")],
    sample: Annotated[
        int | None, typer.Option("--sample", "-n", help="How many pairs to draw.", show_default="all")
    ] = None,
    annotators: Annotated[
        str, typer.Option(help="How many columns, or names separated by commas.", show_default=True)
    ] = "3",
    seed: Annotated[int, typer.Option(help="Decides which pairs are drawn, and their order.")] = 0,
) -> None:
    """Draw pairs at random and write a sheet with one empty column per annotator.

    They mark O where the paraphrase asks for the same behaviour as the original in the scene, X where it does not.
    """
    from proctor.analysis.words import draw_items, write_sheet
    from proctor.results.importers import read_instructions

    names = [f"annotator_{n}" for n in range(1, int(annotators) + 1)] if annotators.isdigit() else annotators.split(",")
    items = draw_items([(row.original, row.paraphrase) for row in read_instructions(source)], sample, seed)
    write_sheet(out, items, names)
    typer.echo(f"{len(items)} pairs for {len(names)} annotators in {out}: mark O (same behaviour) or X (not)")


@app.command()
def read(
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEET...", help="Filled sheets, of one or more annotators.")],
    at_least: Annotated[float, typer.Option(help="Share of yes that the strict consensus asks for.")] = 0.8,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Report Gwet's AC1, the share of yes, majority and strict consensus, and the pairs that fail them."""
    from proctor.analysis.stats import StatsError, gwet_ac1_many
    from proctor.analysis.words import consensus, read_sheets
    from proctor.core import ProctorError

    if not 0 < at_least <= 1:
        raise ProctorError(f"--at-least is {at_least:g}: it must be above 0 and at most 1")
    items = read_sheets(sheets)
    try:
        ac1 = gwet_ac1_many([item.answers for item in items], categories=[True, False])
    except StatsError as error:
        raise ProctorError(f"{', '.join(map(str, sheets))}: {error}") from None
    majority, strict = consensus(items), consensus(items, at_least)
    given, yes = sum(item.given for item in items), sum(item.yes for item in items)
    doubted = [item for item in items if item.given and item.yes < at_least * item.given - 1e-9]
    if as_json:
        body: dict[str, Any] = {
            "items": len(items),
            "annotators": max(len(item.answers) for item in items),
            "answers": given,
            "yes_share": yes / given,
            "ac1": ac1.estimate,
            "ac1_low": ac1.low,
            "ac1_high": ac1.high,
            "majority": {"passed": majority.passed, "items": majority.items, "share": majority.share},
            "strict": {"at_least": at_least, "passed": strict.passed, "items": strict.items, "share": strict.share},
            "doubted": [
                {"item": i.item, "original_instruction": i.original, "new_instruction": i.paraphrase}
                | {"yes": i.yes, "given": i.given}
                for i in doubted
            ],
        }
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
        return
    span = "" if ac1.low is None or ac1.high is None else f" (95 % {ac1.low:.3f} to {ac1.high:.3f})"
    typer.echo(f"{len(items)} pairs, {given} answers, {100 * yes / given:.1f} % yes")
    typer.echo(f"Gwet's AC1: {ac1.estimate:.3f}{span}")
    typer.echo(f"majority says yes: {majority.passed} of {majority.items} ({100 * majority.share:.1f} %)")
    typer.echo(f"at least {100 * at_least:g} % say yes: {strict.passed} of {strict.items} ({100 * strict.share:.1f} %)")
    for item in doubted:
        typer.echo(f"  {item.yes} of {item.given}: {item.original!r} -> {item.paraphrase!r}")
