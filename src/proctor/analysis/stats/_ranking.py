"""Bradley-Terry ratings with Davidson's ties, from pairwise preferences (RoboArena, arXiv 2506.18123).

P(i beats j) = e^ti / Z, P(tie) = 2 nu e^((ti + tj) / 2) / Z, Z = e^ti + e^tj + 2 nu e^((ti + tj) / 2); ratings t are
centred on 0. A rating exists only if every split of the policies has results both ways; otherwise some policy never
lost to some other group and its rating would be infinite.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ._bootstrap import quantile_interval
from ._checks import Floats, StatsError, check_count, check_share

_OUTCOMES = {"a": 1.0, "b": 0.0, "tie": 0.5}


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """Ratings in natural log units, best first, with standard errors and (where asked) session-bootstrap intervals."""

    names: tuple[str, ...]
    ratings: Floats
    errors: Floats
    low: Floats
    high: Floats
    tie_strength: float
    log_likelihood: float
    n_comparisons: int
    n_failed_resamples: int

    def probability(self, one: str, two: str) -> float:
        """Return the modelled probability that ``one`` is preferred to ``two``, ties counting half."""
        x, y = (float(self.ratings[self.names.index(name)]) for name in (one, two))
        tie = 2 * self.tie_strength * np.exp((x + y) / 2)
        total = np.exp(x) + np.exp(y) + tie
        return float((np.exp(x) + tie / 2) / total)


def bradley_terry(
    comparisons: Iterable[tuple[str, str, str | float]],
    *,
    sessions: Sequence[Hashable] | None = None,
    n_resamples: int = 0,
    conf: float = 0.95,
    seed: int = 0,
) -> BradleyTerry:
    """Rate policies from ``(a, b, outcome)``, outcome "a", "b" or "tie" (or 1, 0, 0.5).

    ``sessions`` labels each comparison's session; ``n_resamples`` bootstrap samples of whole sessions give intervals
    (NaN otherwise). Resamples that fall apart into unconnected groups are counted and left out.
    """
    rows = [(str(a), str(b), _outcome(x)) for a, b, x in comparisons]
    if not rows:
        raise StatsError("no comparisons: a ranking needs at least one")
    names = sorted({name for a, b, _ in rows for name in (a, b)})
    place = {name: i for i, name in enumerate(names)}
    for a, b, _ in rows:
        if a == b:
            raise StatsError(f"{a!r} is compared with itself")
    pairs = np.array([(place[a], place[b]) for a, b, _ in rows])
    outcome = np.array([x for _, _, x in rows])
    if np.all(outcome == 0.5):
        raise StatsError("every comparison is a tie: there is nothing to rank yet")
    cut = _unconnected(pairs, outcome, len(names))
    if cut is not None:
        group = ", ".join(names[i] for i in sorted(cut))
        raise StatsError(f"{group} never lost or tied against the others: no finite rating; add comparisons")
    ratings, nu, covariance, likelihood = _fit(pairs, outcome, len(names))
    low, high = np.full(len(names), np.nan), np.full(len(names), np.nan)
    failed = 0
    if n_resamples:
        check_count(n_resamples, "n_resamples", least=1)
        check_share(conf, "conf")
        labels = list(range(len(rows))) if sessions is None else list(sessions)
        if len(labels) != len(rows):
            raise StatsError(f"there are {len(rows)} comparisons and {len(labels)} session labels")
        groups: dict[Hashable, list[int]] = {}
        for i, label in enumerate(labels):
            groups.setdefault(label, []).append(i)
        members = list(groups.values())
        rng = np.random.default_rng([seed, 5])
        drawn = []
        for _ in range(n_resamples):
            pick = np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))])
            decided = bool(np.any(outcome[pick] != 0.5))
            if decided and _unconnected(pairs[pick], outcome[pick], len(names)) is None:
                drawn.append(_fit(pairs[pick], outcome[pick], len(names))[0])
            else:
                failed += 1
        if drawn:
            ends = [quantile_interval(column, conf) for column in np.array(drawn).T]
            low, high = np.array([x for x, _ in ends]), np.array([x for _, x in ends])
    order = np.argsort(-ratings, kind="stable")
    return BradleyTerry(
        tuple(names[i] for i in order),
        ratings[order],
        np.sqrt(np.diag(covariance))[order],
        low[order],
        high[order],
        nu,
        likelihood,
        len(rows),
        failed,
    )


def _outcome(value: str | float) -> float:
    found = _OUTCOMES.get(value) if isinstance(value, str) else (float(value) if value in (0, 0.5, 1) else None)
    if found is None:
        raise StatsError(f"outcome {value!r} is none of 'a', 'b', 'tie' (1, 0, 0.5)")
    return found


def _unconnected(pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]], outcome: Floats, n: int) -> set[int] | None:
    """Return a group that nobody outside ever beat or tied, or None when results flow both ways everywhere."""
    beats: list[set[int]] = [set() for _ in range(n)]
    for (a, b), x in zip(pairs.tolist(), outcome, strict=True):
        if x > 0:
            beats[a].add(b)
        if x < 1:
            beats[b].add(a)
    for start in range(n):
        # Everyone who beat or tied the group joins it; a group short of everybody has never lost to the rest.
        group, frontier = {start}, [start]
        while frontier:
            loser = frontier.pop()
            for other in range(n):
                if other not in group and loser in beats[other]:
                    group.add(other)
                    frontier.append(other)
        if len(group) < n:
            return group
    return None


def _fit(
    pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]], outcome: Floats, n: int
) -> tuple[Floats, float, Floats, float]:
    """Maximise the likelihood by Newton steps with halving; the last parameter is log nu where ties occur."""
    ties = bool(np.any(outcome == 0.5))
    size = n + ties
    theta = np.zeros(size)
    value, gradient, hessian = _likelihood(theta, pairs, outcome, n, ties)
    centre = np.zeros((size, size))
    centre[:n, :n] = 1.0
    for _ in range(200):
        step = np.linalg.solve(-hessian + centre, gradient)
        scale = 1.0
        while scale > 1e-8:
            trial = theta + scale * step
            found = _likelihood(trial, pairs, outcome, n, ties)
            if found[0] >= value - 1e-12:
                break
            scale /= 2
        theta, (value, gradient, hessian) = trial, found
        if np.max(np.abs(scale * step)) < 1e-10:
            break
    theta[:n] -= theta[:n].mean()
    covariance = np.asarray(np.linalg.inv(-hessian + centre)[:n, :n] - 1.0 / n**2, dtype=np.float64)
    return theta[:n], float(np.exp(theta[n])) if ties else 0.0, covariance, float(value)


def _likelihood(
    theta: Floats, pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]], outcome: Floats, n: int, ties: bool
) -> tuple[float, Floats, Floats]:
    """Return log-likelihood, gradient and Hessian: a multinomial logit with three outcomes per comparison."""
    m, size = len(pairs), n + ties
    rows = np.arange(m)
    features = np.zeros((m, 3, size))
    features[rows, 0, pairs[:, 0]] = 1.0
    features[rows, 1, pairs[:, 1]] = 1.0
    features[rows, 2, pairs[:, 0]] += 0.5
    features[rows, 2, pairs[:, 1]] += 0.5
    if ties:
        features[:, 2, n] = 1.0
    logits = features @ theta
    logits[:, 2] += np.log(2.0) if ties else -np.inf
    top = logits.max(axis=1, keepdims=True)
    share = np.exp(logits - top)
    total = share.sum(axis=1, keepdims=True)
    share /= total
    chosen = np.select([outcome == 1, outcome == 0], [0, 1], 2)
    value = float(np.sum(logits[rows, chosen] - top[:, 0] - np.log(total[:, 0])))
    mean = np.einsum("mk,mks->ms", share, features)
    gradient = (features[rows, chosen] - mean).sum(axis=0)
    second = np.einsum("mk,mks,mkt->st", share, features, features) - mean.T @ mean
    return value, gradient, -second
