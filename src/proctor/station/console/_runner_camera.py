"""A camera of the runner's, so that the page and the policy look through the same one."""

from __future__ import annotations

from proctor.station.camera import Frame
from proctor.station.trial import Runner


class RunnerCamera:
    """Reads a camera through the runner, which owns it."""

    def __init__(self, name: str, runner: Runner) -> None:
        self.name = name
        self._runner = runner

    def read(self) -> Frame:
        return self._runner.frame(self.name)

    def close(self) -> None:
        """Nothing: the runner closes its cameras."""
