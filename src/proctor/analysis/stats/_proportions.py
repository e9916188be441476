"""Success shares: differences of two shares, the exact test of pairs, planning by width.

`wilson` (its own file) is the default interval for one share; `newcombe` for a difference of two independent shares and
`newcombe_paired` for shares measured on the same layouts.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Literal

import numpy as np

from ._checks import StatsError, check_count, check_share
from ._intervals import wilson


def _counts(k: int, n: int) -> tuple[int, int]:
    n = check_count(n, "n")
    k = check_count(k, "k")
    if k > n:
        raise StatsError(f"k is {k} and n is {n}: there cannot be more successes than trials")
    return k, n


def newcombe(k_a: int, n_a: int, k_b: int, n_b: int, conf: float = 0.95) -> tuple[float, float]:
    """Return the interval of p_a - p_b for independent arms: Newcombe's method 10, from the two Wilson intervals.

    low = d - sqrt((p_a - l_a)^2 + (u_b - p_b)^2), high = d + sqrt((u_a - p_a)^2 + (p_b - l_b)^2)
    (Newcombe, Statistics in Medicine 17 (1998) 873).
    """
    k_a, n_a = _counts(k_a, n_a)
    k_b, n_b = _counts(k_b, n_b)
    if not n_a or not n_b:
        raise StatsError("an arm has no trials: a difference needs both arms")
    (l_a, u_a), (l_b, u_b) = wilson(k_a, n_a, conf), wilson(k_b, n_b, conf)
    p_a, p_b = k_a / n_a, k_b / n_b
    return (
        p_a - p_b - sqrt((p_a - l_a) ** 2 + (u_b - p_b) ** 2),
        p_a - p_b + sqrt((u_a - p_a) ** 2 + (p_b - l_b) ** 2),
    )


def newcombe_paired(both: int, only_a: int, only_b: int, neither: int, conf: float = 0.95) -> tuple[float, float]:
    """Return the interval of p_a - p_b for pairs: Newcombe's paired method 10 with the correlation of the table.

    As `newcombe` with the cross term -2 phi (..)(..), phi the table's correlation corrected for continuity, never
    negative after correction (Newcombe, Statistics in Medicine 17 (1998) 2635).
    """
    e, f, g, h = (check_count(x, "a cell of the table") for x in (both, only_a, only_b, neither))
    n = e + f + g + h
    if n == 0:
        raise StatsError("no pairs: the table is empty")
    (l_a, u_a), (l_b, u_b) = wilson(e + f, n, conf), wilson(e + g, n, conf)
    p_a, p_b = (e + f) / n, (e + g) / n
    margin = (e + f) * (g + h) * (e + g) * (f + h)
    phi = 0.0
    if margin > 0:
        cross = e * h - f * g
        phi = (max(cross - n / 2, 0.0) if cross > 0 else float(cross)) / sqrt(margin)
    da, db, ua, ub = p_a - l_a, u_b - p_b, u_a - p_a, p_b - l_b
    d = p_a - p_b
    return (
        max(-1.0, d - sqrt(max(0.0, da**2 - 2 * phi * da * db + db**2))),
        min(1.0, d + sqrt(max(0.0, ua**2 - 2 * phi * ua * ub + ub**2))),
    )


def mcnemar_exact(b: int, c: int) -> float:
    """Return the two-sided exact p of a paired comparison with ``b`` pairs won by one side and ``c`` by the other.

    Given b + c discordant pairs, b is Binomial(b + c, 1/2) when the policies are equally good; p is twice the smaller
    tail, at most 1 (McNemar 1947, exact form). Without discordant pairs p is 1.
    """
    b, c = check_count(b, "b"), check_count(c, "c")
    if b == c:
        return 1.0
    from scipy.special import betainc

    low, n = min(b, c), b + c
    return min(1.0, 2.0 * float(betainc(n - low, low + 1, 0.5)))


def interval_sample_size(
    half_width: float,
    p: float = 0.5,
    conf: float = 0.95,
    *,
    method: Literal["wald", "wilson", "clopper_pearson"] = "wilson",
) -> int:
    """Return the smallest n whose interval at share ``p`` is at most ``2 half_width`` wide.

    Wald is ceil(z^2 p (1 - p) / h^2); the others solve the width of the real interval, with k = p n not rounded.
    """
    check_share(half_width, "half_width")
    check_share(p, "p", closed=True)
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + check_share(conf, "conf")) / 2)
    if method == "wald":
        return max(1, ceil(z * z * p * (1 - p) / half_width**2 - 1e-9))
    if method not in ("wilson", "clopper_pearson"):
        raise StatsError(f"method is {method!r}: choose wald, wilson or clopper_pearson")

    def width(n: int) -> float:
        if method == "wilson":
            return 2 * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        from scipy.special import betaincinv

        k, tail = p * n, (1 - conf) / 2
        low = float(betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0
        return (float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0) - low

    low, high = 0, 1
    while width(high) > 2 * half_width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if width(middle) > 2 * half_width else (low, middle)
    return high


def connor_sample_size(p_discordant: float, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Return the number of PAIRS for McNemar's test to see a paired difference ``delta`` with the given power.

    N = (z_(alpha/2) sqrt(p_d) + z_power sqrt(p_d - delta^2))^2 / delta^2, p_d the share of discordant pairs
    (Connor, Biometrics 43 (1987) 207). Each pair is two rollouts. At delta 0.05: 312 pairs for p_d = 0.10 and 783 for
    0.25; the PhAIL paper prints 600 and 1500.
    """
    from statistics import NormalDist

    check_share(p_discordant, "p_discordant")
    if not 0 < abs(delta) <= p_discordant:
        raise StatsError(f"delta is {delta!r}: a paired difference lies between 0 and p_discordant = {p_discordant}")
    normal = NormalDist()
    z_a = normal.inv_cdf(1 - check_share(alpha, "alpha") / 2)
    z_b = normal.inv_cdf(check_share(power, "power"))
    root = z_a * sqrt(p_discordant) + z_b * sqrt(max(0.0, p_discordant - delta**2))
    return ceil(root**2 / delta**2 - 1e-9)


def paired_table(success_a: object, success_b: object) -> tuple[int, int, int, int]:
    """Return (both, only a, only b, neither) of two aligned success vectors."""
    a, b = np.asarray(success_a), np.asarray(success_b)
    if a.shape != b.shape or a.ndim != 1:
        raise StatsError(f"success vectors have shapes {a.shape} and {b.shape}: pairs must be aligned")
    a, b = a.astype(bool), b.astype(bool)
    return int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())
