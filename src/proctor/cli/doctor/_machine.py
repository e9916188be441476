"""The machine: Python, processors, memory, disk, fonts."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

from ._finding import Finding

MIN_PYTHON = (3, 11)
MIN_MEMORY_GB, MIN_DISK_GB, LOW_DISK_GB = 2.0, 0.5, 5.0
_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/System/Library/Fonts",
)


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Finding:
    """Python must be 3.11 or newer."""
    text = f"{'.'.join(map(str, version))} at {sys.executable}"
    if version < MIN_PYTHON:
        return Finding("problem", "python", text, "install Python 3.11 and make the virtual environment again")
    return Finding("ok", "python", text)


def check_cpu(count: int | None = None) -> Finding:
    """One processor is enough; more let ``--workers`` help. Counts those this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    n = usable if count is None else count
    text = f"{n} usable, {platform.machine()}"
    if n < 2:
        return Finding("warning", "cpu", text, "expect slow runs: use --workers 1, or a machine with more processors")
    return Finding("ok", "cpu", text)


def check_memory(meminfo: Path = Path("/proc/meminfo")) -> Finding:
    """Each worker takes about half a gigabyte."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines())
        available_gb = int(lines["MemAvailable"].split()[0]) / 1e6
    except (OSError, KeyError, ValueError, IndexError):
        return Finding("warning", "memory", "cannot be read", "make sure that 2 GB are free before a run")
    text = f"{available_gb:.1f} GB available"
    if available_gb < MIN_MEMORY_GB:
        return Finding("warning", "memory", text, "close other programs or use --workers 1")
    return Finding("ok", "memory", text)


def check_disk(folder: Path | None = None, free_gb: float | None = None) -> Finding:
    """Rows are small; videos take about 1 MB per episode."""
    where = folder or Path.cwd()
    free = free_gb if free_gb is not None else shutil.disk_usage(where).free / 1e9
    text = f"{free:.1f} GB free at {where}"
    if free < MIN_DISK_GB:
        return Finding("problem", "disk", text, "make room, or write to another disk with --out")
    if free < LOW_DISK_GB:
        return Finding("warning", "disk", text, "make room before recording videos of a long run")
    return Finding("ok", "disk", text)


def check_fonts(folders: tuple[str, ...] = _FONT_FOLDERS) -> Finding:
    """Labels on sheets and plots need a scalable font: one of the system's, or the one inside Pillow."""
    for folder in folders:
        for pattern in ("*.ttf", "*.otf", "*.ttc"):
            found = next(Path(folder).expanduser().rglob(pattern), None)
            if found is not None:
                return Finding("ok", "fonts", f"{found.stem} and others in {folder}")
    try:
        from PIL import features
    except ImportError:
        return Finding("problem", "fonts", "no font, and Pillow is not installed", "run: pip install pillow")
    if features.check("freetype2"):
        return Finding("ok", "fonts", "none of the system's; Pillow's own is used")
    return Finding("warning", "fonts", "none found", "run: sudo apt-get install fonts-dejavu-core")
