"""The machine: Python, processors, memory, disk, fonts."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

from ._finding import DoctorFinding

MIN_PYTHON = (3, 11)
MIN_MEMORY_GB, MIN_DISK_GB, LOW_DISK_GB = 2.0, 0.5, 5.0
_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/System/Library/Fonts",
)


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> DoctorFinding:
    """Python must be 3.11 or newer."""
    text = f"{'.'.join(map(str, version))} at {sys.executable}"
    if version < MIN_PYTHON:
        return DoctorFinding("problem", "python", text, "install Python 3.11 and make the virtual environment again")
    return DoctorFinding("ok", "python", text)


def check_cpu(count: int | None = None) -> DoctorFinding:
    """One processor is enough; more let ``--workers`` help. Counts those this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    n = usable if count is None else count
    text = f"{n} usable, {platform.machine()}"
    if n < 2:
        return DoctorFinding(
            "warning", "cpu", text, "expect slow runs: use --workers 1, or a machine with more processors"
        )
    return DoctorFinding("ok", "cpu", text)


def check_memory(meminfo: Path = Path("/proc/meminfo")) -> DoctorFinding:
    """Each worker takes about half a gigabyte."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines())
        available_gb = int(lines["MemAvailable"].split()[0]) / 1e6
    except (OSError, KeyError, ValueError, IndexError):
        return DoctorFinding("warning", "memory", "cannot be read", "make sure that 2 GB are free before a run")
    text = f"{available_gb:.1f} GB available"
    if available_gb < MIN_MEMORY_GB:
        return DoctorFinding("warning", "memory", text, "close other programs or use --workers 1")
    return DoctorFinding("ok", "memory", text)


def check_disk(folder: Path | None = None, free_gb: float | None = None) -> DoctorFinding:
    """Rows are small; videos take about 1 MB per episode."""
    where = folder or Path.cwd()
    free = free_gb if free_gb is not None else shutil.disk_usage(where).free / 1e9
    text = f"{free:.1f} GB free at {where}"
    if free < MIN_DISK_GB:
        return DoctorFinding("problem", "disk", text, "make room, or write to another disk with --out")
    if free < LOW_DISK_GB:
        return DoctorFinding("warning", "disk", text, "make room before recording videos of a long run")
    return DoctorFinding("ok", "disk", text)


def check_fonts(folders: tuple[str, ...] = _FONT_FOLDERS) -> DoctorFinding:
    """Labels on sheets and plots need a scalable font: one of the system's, or the one inside Pillow."""
    for folder in folders:
        for pattern in ("*.ttf", "*.otf", "*.ttc"):
            found = next(Path(folder).expanduser().rglob(pattern), None)
            if found is not None:
                return DoctorFinding("ok", "fonts", f"{found.stem} and others in {folder}")
    try:
        from PIL import features
    except ImportError:
        return DoctorFinding("problem", "fonts", "no font, and Pillow is not installed", "run: pip install pillow")
    if features.check("freetype2"):
        return DoctorFinding("ok", "fonts", "none of the system's; Pillow's own is used")
    return DoctorFinding("warning", "fonts", "none found", "run: sudo apt-get install fonts-dejavu-core")
