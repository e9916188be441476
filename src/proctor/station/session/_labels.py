"""How a trial can end, in our words and in PhAIL's.

success  every item was placed                 (PhAIL: Success)
fail     the policy gave up or cannot recover  (Fail, earlier Stalled)
timeout  the time cap was reached              (Ran out of time)
safety   somebody or something stopped the arm (Safety)
system   the station failed, not the policy      (System): no outcome, the trial is run again
"""

from __future__ import annotations

from typing import Literal, get_args

from proctor.core import did_you_mean

from ._journal import SessionError

Label = Literal["success", "fail", "timeout", "safety", "system"]
LABELS: tuple[str, ...] = get_args(Label)
ALIASES = {"stalled": "fail", "failure": "fail", "ran out of time": "timeout", "safety stop": "safety"}
# What an ended trial may still be called. A safety stop is no success, and what the station broke says nothing of the
# policy. An operator may stop a trial a moment before the cap, or be stopped a moment after the goal was reached.
LABELS_AFTER: dict[str, tuple[str, ...]] = {
    "operator": LABELS,
    "policy_done": LABELS,
    "timeout": ("timeout", "success", "fail", "system"),
    "safety": ("safety", "system"),
    "policy_error": ("fail", "safety", "system"),
    "infra_error": ("system",),
    "interrupted": ("system",),
}


def parse_label(text: str) -> str:
    """Return our word for a label, whatever its case and separators."""
    plain = " ".join(text.casefold().replace("_", " ").split())
    label = ALIASES.get(plain, plain)
    if label not in LABELS:
        raise SessionError(
            f"unknown outcome {text!r} (there are {', '.join(LABELS)}){did_you_mean(plain, (*LABELS, *ALIASES))}"
        )
    return label
