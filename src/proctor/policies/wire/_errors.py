"""What can go wrong between two programs; every text names the other side."""

from __future__ import annotations

from proctor.core import ProctorError


class WireError(ProctorError):
    """The other side cannot be reached, went away, was late or sent something that is no answer."""


class RefusedError(WireError):
    """The other side was reached and said no.

    ``code``: ``stopping`` (it takes no more episodes), ``session`` (it does not know ours), ``policy`` (the policy
    failed), ``spec``, ``token``, or ``""``.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
