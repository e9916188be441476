"""Where a coordinator listens, who may speak to it, and how agents find it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import socket
from pathlib import Path

from proctor.wire import is_loopback, token_from_environment

from ._errors import FleetError

# What is set for a fleet alone comes before the token that policies behind a wire also read.
TOKEN_VARIABLE = "PROCTOR_FLEET_TOKEN"
LOOPBACK = "tcp://127.0.0.1:0"
# Inside the folder for logs, which a run folder may have before it has a run.json.
ADDRESS_FILE = "fleet.json"
_TCP = re.compile(r"tcp://(?P<host>[\w.-]+|\*|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")


def split_address(address: str, option: str) -> tuple[str, int]:
    """Return host and port of ``tcp://host:port``."""
    match = _TCP.fullmatch(address)
    if match is None or int(match["port"]) > 65535:
        raise FleetError(f"{option} {address!r}: write tcp://HOST:PORT, as in tcp://127.0.0.1:5555")
    return match["host"], int(match["port"])


def token_for(listen: str, token: str) -> str:
    """Return the token of a run that listens at ``listen``: the given one, or a fresh one.

    On loopback none is needed. Anywhere else there is always one.
    """
    host, _ = split_address(listen, "--listen")
    return token or ("" if is_loopback(host.strip("[]")) else secrets.token_urlsafe(18))


def fleet_token() -> str:
    """Return the token that the environment holds, ``""`` if none."""
    return os.environ.get(TOKEN_VARIABLE, token_from_environment())


def reachable(host: str) -> str:
    """Return the name under which agents reach a socket bound to ``host``: a wildcard becomes this host's address."""
    if host not in ("0.0.0.0", "*", "[::]"):
        return host
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: connecting a datagram socket only asks the routing table which address is ours.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return socket.gethostname()


def write_address(logs: Path, address: str, token: str) -> Path:
    """Say in the run folder where agents can join; only the owner may read it, for it holds the token."""
    path = logs / ADDRESS_FILE
    temporary = path.with_suffix(f".{os.getpid()}")
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump({"address": address, "token": token}, file)
    temporary.replace(path)
    return path


def find_address(where: str, token: str) -> tuple[str, str] | None:
    """Return address and token for ``where``: ``tcp://…``, or a run folder that says it; None if it does not (yet)."""
    if where.startswith("tcp://"):
        split_address(where, "address")
        return where, token or fleet_token()
    if "://" in where:
        raise FleetError(f"address {where!r}: write tcp://HOST:PORT or the run's folder")
    try:
        values = json.loads((Path(where) / "logs" / ADDRESS_FILE).read_text(encoding="utf-8"))
        address, written = str(values["address"]), str(values["token"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    split_address(address, str(Path(where) / "logs" / ADDRESS_FILE))
    return address, token or written
