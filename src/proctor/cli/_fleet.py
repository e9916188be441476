"""Where a run's episodes are run: from the options of ``proctor run`` to a source of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from proctor.rollout import SourceFactory
    from proctor.rollout.fleet import Launcher

    from ._progress import LiveProgress, PlainProgress


@dataclass(frozen=True, slots=True)
class Hosts:
    """The options about hosts; ``workers`` is None where the user did not say.

    ``secret``: the token came from the environment, and is not printed.
    """

    fleet: bool = False
    listen: str | None = None
    token: str = ""
    lease_s: float = 15.0
    ray: str | None = None
    workers: int | None = None
    secret: bool = False

    @property
    def many(self) -> bool:
        """Whether other processes than this run's own may take part."""
        return self.fleet or self.listen is not None or self.ray is not None

    @property
    def local_workers(self) -> int:
        """Processes of this host."""
        if self.ray is not None:
            return 0
        return self.workers if self.workers is not None else int(not self.many)


def with_token(hosts: Hosts) -> Hosts:
    """Return the options with the environment's token where none was given.

    To be called first: a policy's own token is put into the environment later, and is nothing for agents to know.
    """
    if not hosts.many or hosts.token:
        return hosts
    from proctor.rollout.fleet import fleet_token

    return replace(hosts, token=fleet_token(), secret=True)


def source_for(hosts: Hosts, out: Path, progress: PlainProgress | LiveProgress) -> SourceFactory:
    """Return the local pool, or a coordinator that listens where the options say."""
    from proctor.rollout import Pool

    if not hosts.many:
        return Pool
    from proctor.rollout.fleet import LOOPBACK, Coordinator, FleetError, FleetOptions, LocalAgent, RayAgents

    if not 1.0 <= hosts.lease_s <= 3600.0:
        raise FleetError(f"--lease is {hosts.lease_s:g}: it must be from 1 to 3600 seconds")
    if hosts.workers is not None and hosts.workers < (1 if hosts.ray else 0):
        raise FleetError(f"--workers is {hosts.workers}: it must be at least {1 if hosts.ray else 0}")
    launchers: list[Launcher] = []
    # Nodes of a Ray cluster reach this host by its address; everything else is this host alone unless --listen says so.
    listen = hosts.listen or ("tcp://0.0.0.0:0" if hosts.ray not in (None, "local") else LOOPBACK)
    if hosts.ray is not None:
        launchers.append(RayAgents(hosts.ray, hosts.workers or 0))
    elif hosts.local_workers:
        launchers.append(LocalAgent(hosts.local_workers, out / "logs" / "agent.log"))

    def announce(address: str, token: str) -> None:
        if hosts.fleet or hosts.listen is not None:
            given = f" --token {'...' if hosts.token and hosts.secret else token}" if token else ""
            progress.note(f"agents join with: proctor worker {address}{given}")

    options = FleetOptions(
        listen=listen,
        token=hosts.token,
        lease_s=hosts.lease_s,
        launchers=tuple(launchers),
        announce=announce,
        say=progress.standing,
        note=lambda text: typer.echo(text, err=True),
    )
    return partial(Coordinator, fleet=options)
