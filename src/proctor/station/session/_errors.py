"""What an operator can do wrong in a session."""

from __future__ import annotations

from proctor.core import ProctorError


class SessionError(ProctorError):
    """An action that is not possible now, or a session folder that is not in order; one line that says what to do."""


class TamperError(SessionError):
    """A journal, schedule or reveal that is not what was written or committed; the text names the place."""

    exit_code = 1
