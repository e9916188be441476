"""What calibration and its doctor print of an arm's joints: ranges, verdicts, and how far two arms differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.station.arm import JointFinding, PairFinding

_STYLE = {"ok": "green", "doubtful": "yellow", "bad": "bold red"}


def print_findings(findings: Sequence[JointFinding], title: str | None = None) -> None:
    """Print one arm's joints: swept and mechanical range, middle against the zero pose, verdict, advice."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column("joint", no_wrap=True)
    for heading in ("swept deg", "mechanical deg", "share", "middle deg"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("what to do")
    for finding in findings:
        table.add_row(
            finding.joint,
            f"{finding.width_deg:.1f}",
            f"{finding.mechanical_deg:.1f}",
            f"{finding.width_deg / finding.mechanical_deg:.0%}",
            f"{finding.mid_deg:+.1f}",
            f"[{_STYLE[finding.verdict]}]{finding.verdict}[/]",
            finding.advice,
        )
    Console().print(table)


def print_pairs(findings: Sequence[PairFinding], title: str) -> None:
    """Print how far apart two arms end up under the same command, per unit of the command."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column("joint", no_wrap=True)
    for heading in ("lerobot_degrees", "lerobot_range", "vla_replica_eq2", "true_degrees"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for finding in findings:
        table.add_row(
            finding.joint,
            f"{finding.lerobot_degrees_deg:+.1f}",
            f"{finding.lerobot_range_deg:+.1f}",
            f"{finding.paper_deg:+.1f}",
            "+0.0",
            f"[{_STYLE[finding.verdict]}]{finding.verdict}[/]",
        )
    Console().print(table)
