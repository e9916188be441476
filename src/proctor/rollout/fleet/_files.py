"""Videos and steps on their way from an agent's scratch folder to the run folder, in pieces.

They lie beside their place under a ``.part`` name until the row that names them is accepted, so a late duplicate never
touches what is on record, and what a killed run leaves is swept by the next.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from proctor.record import Episode, StoreError

from ._messages import CHUNK, MalformedError, pack

# What a row may name: kind, folder, ending, column.
KINDS = {"video": ("videos", ".mp4", "video"), "steps": ("steps", ".npz", "steps_file")}
MAX_FILE = 2**30


class Inbox:
    """Files that agents are sending. Names are made here from our own episode ids, never taken from a message."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._sizes: dict[tuple[bytes, str, str], int] = {}

    def add(self, agent: bytes, identity: str, kind: str, offset: int, data: bytes) -> None:
        """Append a piece; one that does not follow the last begins the file anew or is refused."""
        if kind not in KINDS:
            raise MalformedError(f"unknown kind of file {kind!r}")
        key = (agent, identity, kind)
        if offset not in (0, self._sizes.get(key)) or offset + len(data) > MAX_FILE:
            raise MalformedError(f"a piece of {kind} at {offset} follows nothing")
        path = self._part(*key)
        try:
            path.parent.mkdir(exist_ok=True)
            with path.open("wb" if offset == 0 else "ab") as file:
                file.write(data)
        except OSError as error:
            raise StoreError(
                f"cannot write videos or steps to {self._out}: {error.strerror or error}; finished episodes are "
                f"kept: make room and run the same command again"
            ) from None
        self._sizes[key] = offset + len(data)

    def has(self, agent: bytes, identity: str, sizes: dict[str, int]) -> bool:
        """Return whether all files of an episode are here, whole."""
        return all(self._sizes.get((agent, identity, kind)) == size for kind, size in sizes.items())

    def keep(self, agent: bytes, row: Episode) -> Episode:
        """Put the files of an accepted row in their place; return the row with just these named."""
        identity = row.episode_id
        columns: dict[str, Any] = {column: "" for _, _, column in KINDS.values()}
        for key in [key for key in self._sizes if key[:2] == (agent, identity)]:
            folder, ending, column = KINDS[key[2]]
            columns[column] = f"{folder}/{identity}{ending}"
            self._part(*key).replace(self._out / columns[column])
            del self._sizes[key]
        return replace(row, **columns)

    def discard(self, agent: bytes, identity: str | None = None) -> None:
        """Forget the files of one episode, or all that ``agent`` has begun."""
        for key in [key for key in self._sizes if key[0] == agent and identity in (None, key[1])]:
            with contextlib.suppress(OSError):
                self._part(*key).unlink()
            del self._sizes[key]

    def _part(self, agent: bytes, identity: str, kind: str) -> Path:
        folder, ending, _ = KINDS[kind]
        return self._out / folder / f"{identity}.part-{agent.hex()}{ending}"


class Parcel:
    """A row and its files, ready to be sent, as often as needed, and removed once it has arrived."""

    def __init__(self, row: Episode, scratch: Path) -> None:
        self.identity = row.episode_id
        self._row = row.to_json()
        named = {kind: getattr(row, column) for kind, (_, _, column) in KINDS.items()}
        paths = {kind: scratch / name for kind, name in named.items() if name}
        sizes = {kind: path.stat().st_size for kind, path in paths.items()}
        # What is too large to travel stays behind; the row then names no file.
        self._sizes = {kind: size for kind, size in sizes.items() if size <= MAX_FILE}
        self._paths = {kind: paths[kind] for kind in self._sizes}

    @property
    def row_bytes(self) -> int:
        """Size of the row as it travels."""
        return len(self._row.encode())

    def messages(self) -> Iterator[list[bytes]]:
        """Yield the messages that carry it: files in pieces, then the row."""
        for kind, path in self._paths.items():
            with path.open("rb") as file:
                offset = 0
                while (data := file.read(CHUNK)) or offset == 0:
                    yield pack("file", data, id=self.identity, kind=kind, offset=offset)
                    offset += len(data)
                    if not data:
                        break
        yield pack("row", row=self._row, files=self._sizes)

    def remove(self) -> None:
        """Delete the files here."""
        for path in self._paths.values():
            path.unlink(missing_ok=True)
