"""What a policy is called in rows, folders and reports, apart from how it is reached."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from proctor.core import ProctorError

from ._load import load_policy, policy_spec, registered
from .remote import is_url

_NAME = re.compile(r"[^\s/\\][^\n\r\t/\\]{0,79}")


def policy_label(built_from: str, args: Mapping[str, Any], name: str | None) -> str:
    """Return ``name`` if given; for a server the name that it gives itself; else what ``--policy`` says.

    A server's address is where it is today, not what it is: with the address in the rows, the same checkpoint on
    another port could neither resume nor be paired.
    """
    if name is not None:
        check_name(name, built_from)
        return name
    if not is_url(built_from):
        return built_from
    policy = load_policy(built_from, args)
    try:
        return policy_spec(built_from, policy).name or built_from
    finally:
        close = getattr(policy, "close", None)
        if callable(close):
            close()


def check_name(name: str, built_from: str = "") -> None:
    """Refuse a name that would not fit a row or a folder, or that says something else already."""
    if not _NAME.fullmatch(name):
        raise ProctorError(f"--name {name!r}: use 1 to 80 characters, no line breaks or slashes")
    if name in registered() and name != built_from:
        raise ProctorError(f"--name {name!r} is the name of a built-in policy: choose another")
