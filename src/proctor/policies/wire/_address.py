"""Addresses: ``host:port``, ``[ip6]:port`` or a socket's path; what is loopback; when a token is needed."""

from __future__ import annotations

import hmac
import ipaddress
import os
import re

from ._errors import WireError

TOKEN_VARIABLE = "PROCTOR_TOKEN"
_HOST_PORT = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<host>[\w.-]+)):(?P<port>\d{1,5})")


def endpoint_of(address: str) -> str:
    """Return the ZeroMQ endpoint of ``host:port`` or of an absolute path."""
    if address.startswith("/"):
        return f"ipc://{address}"
    host, port = split_address(address)
    return tcp_endpoint(host, port)


def split_address(address: str) -> tuple[str, int]:
    """Split ``host:port``; raises `WireError` with what to write."""
    match = _HOST_PORT.fullmatch(address)
    if match is None or not 0 < int(match["port"]) < 65536:
        raise WireError(f"{address!r} is no address: write host:port, as in 127.0.0.1:8000")
    return match["six"] or match["host"], int(match["port"])


def tcp_endpoint(host: str, port: int) -> str:
    """Return ``tcp://host:port`` with a version-6 address in brackets."""
    host = "127.0.0.1" if host == "localhost" else host
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def require_token(host: str, token: str) -> None:
    """Raise `WireError` for an address that others can reach without a token."""
    if not is_loopback(host) and not token:
        raise WireError(
            f"--host {host} can be reached by others: give --token (or set {TOKEN_VARIABLE}), or use 127.0.0.1"
        )


def same_token(given: object, token: str) -> bool:
    """Compare in constant time; without a token of our own everyone may enter."""
    if not token or not isinstance(given, str):
        return not token
    # A header of HTTP may hold bytes that are no text, which websockets hands over as lone surrogates.
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode("utf-8", "surrogatepass"))


def token_from_environment() -> str:
    """Return the token that the environment holds, ``""`` if none."""
    return os.environ.get(TOKEN_VARIABLE, "")
