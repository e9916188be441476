"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One line of the doctor: ``fix`` says in one line what to do, and is empty only when ``level`` is ok.

    A warning leaves Proctor usable; with a problem some command will not work.
    """

    level: Level
    name: str
    text: str
    fix: str = ""

    def __post_init__(self) -> None:
        if (self.level == "ok") != (not self.fix) or "\n" in self.fix:
            raise ValueError(
                f"{self.name}: a {self.level} finding must {'not ' if self.level == 'ok' else ''}say how to fix it"
            )
