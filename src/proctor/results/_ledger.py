"""Which episodes are on record, with what result: about 100 bytes each (100,000: 10 MB; a million: 96 MB, measured)."""

from __future__ import annotations


class Ledger:
    """Maps the id of each episode on record to its latest status and its number of attempts."""

    def __init__(self) -> None:
        self._results: dict[str, tuple[str, int]] = {}
        # Equal results are one object: a million episodes have few.
        self._shared: dict[tuple[str, int], tuple[str, int]] = {}
        self.repeated = 0

    def __len__(self) -> int:
        return len(self._results)

    def status(self, identity: str) -> str | None:
        """Return the latest status of an episode, None if there is none on record."""
        return self._results.get(identity, (None, 0))[0]

    def attempts(self, identity: str) -> int:
        """Return how often an episode was tried, as far as its rows tell."""
        return self._results.get(identity, (None, 0))[1]

    def note(self, identity: str, status: str, attempt: int) -> None:
        """Take down a row; ``repeated`` counts the rows beyond the first of their episodes."""
        self.repeated += identity in self._results
        result = (status, max(attempt, self.attempts(identity)))
        self._results[identity] = self._shared.setdefault(result, result)
