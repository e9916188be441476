"""``proctor assets``: which objects there are, and what they look like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Look at the objects and fixtures.", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


@app.command("ls")
def ls() -> None:
    """List the categories with the range of sizes and masses that seeds give them."""
    from rich.console import Console
    from rich.table import Table

    from proctor.assets import categories, make, mass_kg

    console = Console()
    wide = console.width >= 120
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("category", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    for heading in ("width mm", "height mm", "mass g", "grasps"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("sites", overflow="fold", min_width=5, justify="left" if wide else "right")
    for name in categories():
        some = [make(name, seed) for seed in range(4)]
        table.add_row(
            name,
            some[0].kind,
            _span([2000 * a.radius_m for a in some]),
            _span([1000 * a.height_m for a in some]),
            _span([1000 * mass_kg(a) for a in some]),
            str(len(some[0].grasps)) if some[0].grasps else "-",
            _few([site.name for site in some[0].sites]) if wide else str(len(some[0].sites) or "-"),
        )
    console.print(table)


def _few(names: list[str], most: int = 6) -> str:
    """Return the names, or the first of them and how many follow."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more or "-"


def _span(values: list[float]) -> str:
    low, high = round(min(values)), round(max(values))
    return str(low) if low == high else f"{low}-{high}"


@app.command("sheet")
def sheet(
    out: Annotated[Path, typer.Option(help="Picture to write (.png or .jpg).")] = Path("sheet.png"),
    category: Annotated[list[str] | None, typer.Option(help="Only this category; may be given more than once.")] = None,
    instances: Annotated[int, typer.Option(min=1, max=16, help="Seeds per category, counted from 0.")] = 4,
    size: Annotated[int, typer.Option(min=32, max=512, help="Pixels per cell.")] = 192,
    colliders: Annotated[
        bool, typer.Option("--colliders", help="Show what is touched instead of what is seen.")
    ] = False,
) -> None:
    """Render a labelled contact sheet: rows are categories, columns are seeds."""
    from proctor.assets import categories, make
    from proctor.assets import sheet as render
    from proctor.core import ProctorError

    names = category or list(categories())
    for name in names:
        make(name, 0)
    if out.suffix.lower() not in {".png", ".jpg", ".jpeg"}:
        raise ProctorError(f"cannot write {out}: give a name that ends in .png or .jpg")
    picture = render(names, instances, size, colliders=colliders)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        picture.save(out)
    except OSError as error:
        raise ProctorError(f"cannot write {out}: {error.strerror or error}; choose another --out") from error
    typer.echo(f"{out}: {len(names)} categories x {instances} seeds, {picture.width} x {picture.height} pixels")


PAPER_CATEGORIES, PAPER_OBJECTS = 163, 2164
"""VLABench, table 1."""


@app.command("count")
def count(
    of: Annotated[str, typer.Option(help="Which categories: all, arena or knowledge.")] = "all",
    seeds: Annotated[int, typer.Option(min=1, help="Instances of every kind.")] = 5,
) -> None:
    """Count the kinds of things and the instances among them that look different.

    At least 20 instances of every category are made. Two look different when a part's size differs by a millimetre or
    its colours by a sixteenth.
    """
    from rich.console import Console
    from rich.table import Table

    from proctor.assets import categories, tally
    from proctor.core import ProctorError

    if of not in ("all", "arena", "knowledge"):
        raise ProctorError(f"--of is {of!r}: it must be all, arena or knowledge")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("category", no_wrap=True)
    for heading in ("kinds", "made", "different"):
        table.add_column(heading, justify="right", no_wrap=True)
    found = [tally(name, seeds) for name in categories(of)]  # type: ignore[arg-type]
    for one in found:
        table.add_row(one.category, str(one.kinds), str(one.made), str(one.distinct))
    Console().print(table)
    kinds, distinct = sum(one.kinds for one in found), sum(one.distinct for one in found)
    typer.echo(f"{len(found)} categories, {kinds} kinds, {distinct} different objects with {seeds} seeds a kind")
    typer.echo(f"VLABench's paper says {PAPER_CATEGORIES} categories, {PAPER_OBJECTS:,} objects (table 1)")


@app.command("pages")
def pages(
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("objects"),
    category: Annotated[list[str] | None, typer.Option(help="Only this category; may be given more than once.")] = None,
    size: Annotated[
        int | None, typer.Option(min=32, max=512, help="Pixels per cell; by default more where there is one kind only.")
    ] = None,
) -> None:
    """Render one contact sheet per category of the knowledge suite: rows are kinds, columns are seeds."""
    from proctor.assets import catalogue, categories, kinds_of
    from proctor.core import ProctorError

    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in category or categories("knowledge"):
            looks = kinds_of(name)
            entries = [("\n".join(" ".join(v for _, v in look).split(" ", 2)) or name, name, look) for look in looks]
            seeds, pixels = (3, 72) if len(looks) > 1 else (8, 112)
            catalogue(entries, seeds, size or pixels).save(out / f"{name}.jpg", quality=80)
    except OSError as error:
        raise ProctorError(f"cannot write to {out}: {error.strerror or error}; choose another --out") from error
    typer.echo(f"{out}: {len(category or categories('knowledge'))} sheets")
