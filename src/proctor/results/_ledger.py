"""Which episodes are on record, with what result, in 18 to 36 bytes per episode.

A run of a million episodes must know the id of each that has ended. Ids are 64-bit hashes, so a table with open
addressing needs no hash of its own: slot ``id mod size``, then the next free one. It doubles when it is half full.
"""

from __future__ import annotations

import hashlib
from array import array

from ._episode import STATUSES

_EMPTY = 0
_STATUS_BITS = 2
_MANY = 255 >> _STATUS_BITS


class Ledger:
    """Maps the id of each episode on record to its latest status and its number of attempts."""

    def __init__(self) -> None:
        self._keys = array("Q", [_EMPTY]) * 64
        self._values = bytearray(64)
        self._used = 0
        # Attempts that do not fit in the six bits of a value.
        self._many: dict[int, int] = {}
        self.repeated = 0

    def __len__(self) -> int:
        return self._used

    def status(self, identity: str) -> str | None:
        """Return the latest status of an episode, None if there is none on record."""
        slot = self._slot(_key(identity))
        return STATUSES[self._values[slot] & 3] if self._keys[slot] else None

    def attempts(self, identity: str) -> int:
        """Return how often an episode was tried, as far as its rows tell."""
        slot = self._slot(_key(identity))
        return self._attempts_in(slot) if self._keys[slot] else 0

    def note(self, identity: str, status: str, attempt: int) -> None:
        """Take down a row; ``repeated`` counts the rows beyond the first of their episodes."""
        key = _key(identity)
        slot = self._slot(key)
        if self._keys[slot]:
            self.repeated += 1
            attempt = max(attempt, self._attempts_in(slot))
        else:
            if 2 * (self._used + 1) > len(self._keys):
                self._grow()
                slot = self._slot(key)
            self._keys[slot] = key
            self._used += 1
        if attempt >= _MANY:
            self._many[key] = attempt
        self._values[slot] = STATUSES.index(status) | min(max(attempt, 0), _MANY) << _STATUS_BITS

    def _attempts_in(self, slot: int) -> int:
        count = self._values[slot] >> _STATUS_BITS
        return self._many[self._keys[slot]] if count == _MANY else count

    def _slot(self, key: int) -> int:
        keys, mask = self._keys, len(self._keys) - 1
        slot = key & mask
        while keys[slot] not in (_EMPTY, key):
            slot = slot + 1 & mask
        return slot

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._keys = array("Q", [_EMPTY]) * (2 * len(keys))
        self._values = bytearray(len(self._keys))
        for old, key in enumerate(keys):
            if key:
                slot = self._slot(key)
                self._keys[slot], self._values[slot] = key, values[old]


def _key(identity: str) -> int:
    """Return the 64 bits of an id; a text that is no id of ours is hashed to as many."""
    try:
        key = int(identity, 16) if len(identity) == 16 else 0
    except ValueError:
        key = 0
    return key or int.from_bytes(hashlib.sha256(identity.encode("utf-8", "surrogatepass")).digest()[:8], "big") or 1
