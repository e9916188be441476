"""Checks the machine and says in one line how to fix each thing that is missing."""

from collections.abc import Callable, Iterator

from ._finding import DoctorFinding, Level
from ._machine import check_cpu, check_disk, check_fonts, check_memory, check_python
from ._packages import check_cache, check_extras, check_ffmpeg, check_packages, check_robot, satisfies
from ._rendering import Probe, check_gl, probe
from ._station import check_cameras, check_package, check_ports, examine_station

__all__ = [
    "DoctorFinding",
    "Level",
    "Probe",
    "check_cache",
    "check_cameras",
    "check_cpu",
    "check_disk",
    "check_extras",
    "check_ffmpeg",
    "check_fonts",
    "check_gl",
    "check_memory",
    "check_package",
    "check_packages",
    "check_ports",
    "check_python",
    "check_robot",
    "examine",
    "examine_station",
    "probe",
    "satisfies",
]


def examine() -> Iterator[DoctorFinding]:
    """Yield every finding, quick checks first."""
    checks: tuple[Callable[[], DoctorFinding], ...] = (check_python, check_cpu, check_memory, check_disk)
    for check in checks:
        yield check()
    yield from check_packages()
    yield from check_extras()
    for check in (check_robot, check_cache, check_fonts, check_ffmpeg, check_gl):
        yield check()
