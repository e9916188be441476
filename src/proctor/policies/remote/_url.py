"""``scheme://host:port[,host:port]``: which wire, and where. Several hosts are replicas of one policy."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from proctor.core import Policy, ProctorError, did_you_mean
from proctor.policies.wire import WireError, split_address

# scheme -> "module:Class"; the class is called with the parsed URL and the --policy-arg as keywords.
SCHEMES: dict[str, str] = {
    "gr00t": "proctor.policies.remote._gr00t:Gr00tPolicy",
    "openpi": "proctor.policies.remote._openpi:OpenpiPolicy",
    "proctor": "proctor.policies.remote._proctor:RemotePolicy",
    "roboarena": "proctor.policies.remote._roboarena:RoboArenaPolicy",
    "vla-eval": "proctor.policies.remote._vla_eval:VlaEvalPolicy",
}


@dataclass(frozen=True, slots=True)
class PolicyUrl:
    """A parsed URL. ``hosts`` are ``host:port`` texts, or one absolute path of a socket."""

    text: str
    scheme: str
    hosts: tuple[str, ...]


def is_url(text: str) -> bool:
    return "://" in text


def parse_url(text: str) -> PolicyUrl:
    """Split a URL; raises `ProctorError` with what to write."""
    scheme, _, rest = text.partition("://")
    if scheme not in SCHEMES:
        hint = did_you_mean(scheme, SCHEMES)
        raise ProctorError(f"policy {text!r}: unknown wire {scheme!r} (known: {', '.join(sorted(SCHEMES))}){hint}")
    if rest.startswith("/"):
        return PolicyUrl(text, scheme, (rest,))
    hosts = tuple(part.strip() for part in rest.rstrip("/").split(","))
    for host in hosts:
        try:
            split_address(host)
        except WireError as error:
            raise ProctorError(f"policy {text!r}: {error}") from None
    if len(set(hosts)) != len(hosts):
        raise ProctorError(f"policy {text!r} names a host twice")
    return PolicyUrl(text, scheme, hosts)


def remote_factory(url: PolicyUrl) -> Callable[..., Policy]:
    """Import the class that speaks the URL's wire."""
    module, _, attribute = SCHEMES[url.scheme].partition(":")
    factory: Callable[..., Policy] = getattr(importlib.import_module(module), attribute)
    return factory
