"""What can go wrong between a run and its agents."""

from __future__ import annotations

from proctor.core import ProctorError


class FleetError(ProctorError):
    """An address that cannot be used, an agent that is refused, or a coordinator that does not answer."""
