"""What a foreign server does not say: cameras, sizes, chunk; from ``--policy-arg``, or from a server of ours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from proctor.core import PolicySpec
from proctor.policies.wire import OURS, FrameError, WireError, names, spec_from_map

# LIBERO's examples: two cameras, pictures rendered at 256, five actions executed before the server is asked again.
LIBERO = PolicySpec(name="", cameras=("agentview", "wrist"), image_size=256, chunk=5)


def served_spec(greeting: Mapping[Any, Any], server: str) -> PolicySpec | None:
    """Return the spec that a server of ours sends along, None from a foreign one."""
    if OURS not in greeting:
        return None
    try:
        return spec_from_map(PolicySpec, greeting[OURS])
    except FrameError as error:
        raise WireError(f"{server} sent a spec that cannot be read: {error}") from None


def settle(scheme: str, base: PolicySpec, given: Mapping[str, Any], greeting: Any, *, ours: bool) -> PolicySpec:
    """Return the policy's spec: ``base`` (the server's own, or the wire's defaults) with what the user gave.

    The fingerprint of a foreign server is the hash of its greeting: all it says about itself.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    unknown = set(chosen) - {field.name for field in fields(PolicySpec)}
    assert not unknown, unknown
    if "cameras" in chosen:
        chosen["cameras"] = names(chosen["cameras"], "cameras")
    for name in ("image_size", "state_dim", "action_dim", "chunk"):
        if name in chosen and (type(chosen[name]) is not int or chosen[name] < 1):
            raise WireError(f"{name}={chosen[name]!r}: write a whole number above 0")
    if not ours:
        text = json.dumps(greeting, sort_keys=True, default=repr)
        chosen["fingerprint"] = f"{scheme}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return replace(base, name=base.name or scheme, privileged=False, **chosen)
