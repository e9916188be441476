"""``proctor serve``: a policy becomes a server that many runs, on this host or others, can ask."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WIRES = ("proctor", "openpi", "roboarena", "gr00t", "vla-eval")


def serve(
    policy: Annotated[
        str | None, typer.Argument(metavar="POLICY", help="A name (noop, random, ...) or package.module:Class.")
    ] = None,
    wire: Annotated[str, typer.Option(help=f"Protocol: {', '.join(WIRES)}.")] = "proctor",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 8000,
    host: Annotated[str, typer.Option(help="Address to listen on; others than loopback need a token.")] = "127.0.0.1",
    socket: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Listen on this Unix socket instead (proctor wire).")
    ] = None,
    token: Annotated[str, typer.Option(envvar="PROCTOR_TOKEN", help="Clients must give it.", show_default=False)] = "",
    replicas: Annotated[int, typer.Option(help="Copies of the policy, each in its own process and on its GPU.")] = 1,
    max_batch: Annotated[int, typer.Option(help="Most observations in one call of the policy.")] = 16,
    metrics_port: Annotated[
        int | None, typer.Option(help="Port for /metrics (Prometheus) and /health; 0 takes a free one.")
    ] = None,
    policy_arg: Annotated[
        list[str] | None, typer.Option("--policy-arg", help="key=value for the policy; may be repeated.")
    ] = None,
    ready_file: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the URL here once the policy is loaded.")
    ] = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print a single-file server for a model's own environment instead.")
    ] = False,
    drain: Annotated[float, typer.Option(help="After SIGTERM, seconds allowed for episodes under way.")] = 30.0,
) -> None:
    """Serve a policy until SIGTERM or Ctrl-C.

    With --template no server is started: a file is printed that needs only numpy, msgpack and pyzmq. POLICY then names
    an adapter (openvla, smolvla, ...) to put into it; without one the file has a class to fill in.

    Exit code: 0 stopped and drained, 2 a mistake in the command, a port in use or a policy that cannot be loaded.
    """
    from proctor.core import ProctorError, did_you_mean

    if template:
        from proctor.serving import template_text

        typer.echo(template_text(policy), nl=False)
        return
    if policy is None:
        raise ProctorError("name a policy: proctor serve POLICY (a name or package.module:Class)")
    if wire not in WIRES:
        raise ProctorError(f"unknown wire {wire!r} (known: {', '.join(WIRES)}){did_you_mean(wire, WIRES)}")
    from proctor.serving import ServeOptions, run_server

    options = ServeOptions(
        wire=wire,
        host=host,
        port=port,
        socket=str(socket.absolute()) if socket is not None else "",
        token=token,
        replicas=replicas,
        max_batch=max_batch,
        metrics_port=metrics_port,
        ready_file=ready_file,
        drain_s=drain,
    )
    run_server(policy, policy_arg or [], options, lambda line: typer.echo(line))
