"""Command lines that are kept for everyone to read."""

from __future__ import annotations

import re
from collections.abc import Sequence


def without_secrets(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with every token's value replaced: run.json is for everyone to read."""
    hidden = [re.sub(r"^(--token=|token=|--policy-arg=token=).*", r"\1...", word) for word in words]
    return ["..." if position and words[position - 1] == "--token" else word for position, word in enumerate(hidden)]
