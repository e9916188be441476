"""A policy object of this process, served to worker processes on this host for as long as a block lasts."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.core import Policy, ProctorError
from proctor.policies import SingleSession, episode_copy, is_batch

from ._device import LocalDevice
from ._engine import Engine
from ._proctor import serve_forever

# How long a call of the policy that is under way at the end is waited for.
_LAST_CALL_S = 10.0
# The path of a socket has 107 bytes at most; batch systems like long folders for temporary files.
_LONGEST = 80


class _Borrowed(LocalDevice):
    """Calls the caller's own object; episodes beside its first have copies that share its model. Closes nothing."""

    def __init__(self, name: str, policy: Any) -> None:
        self._lent = False
        super().__init__(name, lambda: self._another(policy))

    def _another(self, policy: Any) -> Policy:
        if is_batch(policy):
            return SingleSession(policy)
        if not self._lent:
            self._lent = True
            return policy  # type: ignore[no-any-return]
        return episode_copy(policy)  # type: ignore[no-any-return]

    def close(self) -> None:
        """Leave the object to its owner."""


@contextlib.contextmanager
def serve_object(policy: Any, *, name: str = "policy", max_batch: int = 16) -> Iterator[str]:
    """Yield a URL under which ``policy`` answers while the block lasts; raises `EngineError` if its spec is wrong.

    The object stays where it is. One thread makes every call of it, and arrays come through shared memory. A policy
    with ``act_batch`` acts for all sessions at once; of any other each session beside the first has an `episode_copy`.
    """
    usual = tempfile.gettempdir()
    with tempfile.TemporaryDirectory(prefix="proctor-", dir=usual if len(usual) <= _LONGEST else "/tmp") as folder:
        path = Path(folder) / "policy"
        engine = Engine(devices=[_Borrowed(name, policy)], max_batch=max_batch, name=name, threaded=False)
        stop, listening = threading.Event(), threading.Event()
        problems: list[Exception] = []

        def serve() -> None:
            try:
                serve_forever(engine, "", 0, "", stop, lambda _: listening.set(), endpoint=f"ipc://{path}")
            except Exception as error:
                problems.append(error)
            finally:
                listening.set()

        thread = threading.Thread(target=serve, name="policy", daemon=True)
        thread.start()
        try:
            listening.wait()
            if problems:
                raise ProctorError(f"policy {name!r} cannot be served: {problems[0]}") from problems[0]
            engine.wait()
            yield f"proctor://{path}"
        finally:
            engine.drain()
            stop.set()
            thread.join(_LAST_CALL_S)
            engine.stop()
