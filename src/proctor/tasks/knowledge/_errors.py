"""What can go wrong when a knowledge task is drawn."""

from __future__ import annotations

from proctor.core import ProctorError


class KnowledgeError(ProctorError):
    """A knowledge task that does not exist, or an episode of it that cannot be drawn."""


class RejectedError(Exception):
    """A scene in which the question would not have exactly one answer; the next draw is tried."""
