"""``proctor assets``: which objects there are, and what they look like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Look at the objects and fixtures.", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command("ls")
def ls() -> None:
    """List the categories with the range of sizes and masses that seeds give them."""
    from rich.console import Console
    from rich.table import Table

    from proctor.assets import categories, make, mass_kg

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("category", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    for heading in ("width mm", "height mm", "mass g", "grasps"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("sites", overflow="fold")
    for name in categories():
        some = [make(name, seed) for seed in range(4)]
        table.add_row(
            name,
            some[0].kind,
            _span([2000 * a.radius_m for a in some]),
            _span([1000 * a.height_m for a in some]),
            _span([1000 * mass_kg(a) for a in some]),
            str(len(some[0].grasps)) if some[0].grasps else "-",
            _few([site.name for site in some[0].sites]),
        )
    Console().print(table)


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
