"""Does a picture carry the mark of a style? Twelve measurements, none of which knows how the picture was made.

``style_holds(style, image)`` is true of every picture that ``paint`` makes in that style and false of those in the
eleven others: a label that can be computed from the pixels cannot be wrong. Images are [H, W, 3] bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from proctor.assets.knowledge import BLOCK_PX, PRIMARIES


@dataclass(frozen=True)
class _Measured:
    """What the checks look at, each computed when first asked for."""

    image: NDArray[np.uint8]

    @cached_property
    def unit(self) -> NDArray[np.float64]:
        return self.image.astype(float) / 255

    @cached_property
    def value(self) -> NDArray[np.float64]:
        return np.asarray(self.unit.max(-1))

    @cached_property
    def luminance(self) -> NDArray[np.float64]:
        return np.asarray(self.unit @ (0.2126, 0.7152, 0.0722))

    @cached_property
    def saturation(self) -> NDArray[np.float64]:
        """HSV saturation."""
        return np.asarray((self.value - self.unit.min(-1)) / np.maximum(self.value, 1e-6))

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """One number per exact colour."""
        r, g, b = (self.image[..., k].astype(np.int64) for k in range(3))
        return (r << 16) | (g << 8) | b

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of the picture that each exact colour has, largest first."""
        counts = np.unique(self.codes, return_counts=True)[1]
        return np.sort(counts / self.codes.size)[::-1]

    @cached_property
    def dark(self) -> NDArray[np.bool_]:
        return np.asarray(self.luminance < 0.16)

    @cached_property
    def paper(self) -> float:
        """Share of nearly white, colourless pixels."""
        return float(((self.luminance > 0.90) & (self.saturation < 0.1)).mean())

    @cached_property
    def middle(self) -> float:
        """Share of pixels that are neither nearly black nor nearly white."""
        return float(((self.luminance > 0.14) & (self.luminance < 0.90)).mean())

    @cached_property
    def hard(self) -> float:
        """Share of neighbouring pixels that differ by more than 40 of 255 in some channel."""
        across = np.abs(np.diff(self.unit, axis=1)).max(-1) > 40 / 255
        down = np.abs(np.diff(self.unit, axis=0)).max(-1) > 40 / 255
        return float((across.sum() + down.sum()) / (across.size + down.size))

    @cached_property
    def patches(self) -> NDArray[np.int64]:
        """Size of the equal-coloured connected patch that each pixel belongs to [H * W]."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        codes = self.codes
        index = np.arange(codes.size).reshape(codes.shape)
        across, down = codes[:, 1:] == codes[:, :-1], codes[1:] == codes[:-1]
        a = np.concatenate([index[:, 1:][across], index[1:][down]])
        b = np.concatenate([index[:, :-1][across], index[:-1][down]])
        graph = coo_matrix((np.ones(len(a), np.int8), (a, b)), shape=(codes.size, codes.size))
        _, label = connected_components(graph, directed=False)
        return np.asarray(np.bincount(label)[label], np.int64)

    @cached_property
    def grain(self) -> float:
        """Median over pixels of the size of their patch."""
        return float(np.median(self.patches))

    @cached_property
    def slanted(self) -> float:
        """Share of 2 x 2 squares with an edge in them in which that edge is neither upright nor level."""
        c = self.codes
        a, b, d, e = c[:-1, :-1], c[:-1, 1:], c[1:, :-1], c[1:, 1:]
        edge = ~((a == b) & (a == d) & (a == e))
        straight = ((a == d) & (b == e)) | ((a == b) & (d == e))
        return float((edge & ~straight).sum() / max(int(edge.sum()), 1))


def _pointillist(m: _Measured) -> bool:
    """Over 1,500 round patches of 5 to 20 px that hold more than 0.7 of what is not paper."""
    common = np.unique(m.codes, return_counts=True)
    ground = common[0][int(common[1].argmax())]
    marks = m.patches[(m.codes != ground).ravel()]
    if len(marks) == 0 or not 0.12 < m.shares[0] < 0.5:
        return False
    dots = (marks >= 5) & (marks <= 20)
    return bool(dots.mean() > 0.7 and (1.0 / marks[dots]).sum() > 1500)


def _colour_field(m: _Measured) -> bool:
    """At most four colours cover most of it, edges are soft, colours are strong."""
    return bool(m.shares[:4].sum() > 0.5 and m.hard < 0.002 and m.saturation.mean() > 0.4)


def _geometric(m: _Measured) -> bool:
    """White, black, red, blue, yellow and nothing else; at least two of the last three; every edge upright or level."""
    if len(m.shares) > 16:
        return False
    off = np.abs(m.image[:, :, None].astype(int) - PRIMARIES.astype(int)).max(-1)
    nearest = off.argmin(-1)
    shares = np.bincount(nearest.ravel(), minlength=5) / nearest.size
    colours = int((shares[2:] > 0.02).sum())
    return bool((off.min(-1) < 12).mean() > 0.98 and 0.03 < shares[1] < 0.4 and colours >= 2 and m.slanted < 0.04)


def _cubist(m: _Measured) -> bool:
    """Some dozens of flat, large patches with slanted edges, and no dark net between them."""
    return bool(24 <= len(m.shares) <= 120 and m.grain > 150 and m.slanted > 0.25 and not _net(m))


def _net(m: _Measured) -> bool:
    """Is there a dark, connected net that runs through the picture?"""
    from scipy.ndimage import label

    share = float(m.dark.mean())
    if not 0.08 < share < 0.6:
        return False
    pieces = label(m.dark)[0]
    sizes = np.bincount(pieces.ravel())[1:]
    rows, cols = np.nonzero(pieces == 1 + int(sizes.argmax()))
    spans = np.ptp(rows) > 0.9 * m.dark.shape[0] and np.ptp(cols) > 0.9 * m.dark.shape[1]
    return bool(spans and sizes.max() > 0.8 * sizes.sum())


def _impression(m: _Measured) -> bool:
    """Over 150 light colours in patches of stroke size, hard edges everywhere, no black, no bare paper."""
    return bool(len(m.shares) > 150 and m.shares[0] < 0.1 and 4 <= m.grain <= 150 and m.luminance.min() > 0.16)


def _ink(m: _Measured) -> bool:
    """No colour, more than half empty paper, and graded tones besides."""
    return bool(m.saturation.mean() < 0.1 and m.paper > 0.5 and m.middle > 0.08)


def _glass(m: _Measured) -> bool:
    """A dark net between patches of saturated colour."""
    return bool(_net(m) and m.saturation[~m.dark].mean() > 0.6 and m.paper < 0.03 and len(m.shares) > 12)


def _pixel(m: _Measured) -> bool:
    """Every block of 8 px has one colour; 3 to 8 colours."""
    rows, cols = (n // BLOCK_PX for n in m.codes.shape)
    blocks = m.codes[: rows * BLOCK_PX, : cols * BLOCK_PX].reshape(rows, BLOCK_PX, cols, BLOCK_PX)
    return bool((blocks.max((1, 3)) == blocks.min((1, 3))).all() and 3 <= len(m.shares) <= 8)


def _lines(m: _Measured) -> bool:
    """Two tones, more than 0.9 white."""
    return bool(m.middle < 0.02 and 0.9 < m.paper < 0.995 and m.saturation[~m.dark].mean() < 0.05)


def _op(m: _Measured) -> bool:
    """Two tones, 0.4 to 0.6 black, with a strong periodic peak: stripes follow each other along most columns."""
    if m.middle > 0.02 or not 0.4 < m.dark.mean() < 0.6:
        return False
    changes = (np.diff(m.dark.astype(int), axis=0) != 0).sum(0)
    return bool(np.median(changes) >= 12)


def _poster(m: _Measured) -> bool:
    """Four to six exact colours in large patches, with edges that are not all upright or level, and not in blocks."""
    return bool(4 <= len(m.shares) <= 6 and m.grain > 300 and m.slanted > 0.05 and not _pixel(m))


def _realism(m: _Measured) -> bool:
    """Over 2,000 colours, hardly a hard edge, a grain of single pixels, and colour."""
    return bool(len(m.shares) > 2000 and m.hard < 0.04 and m.grain <= 3 and m.saturation.mean() > 0.1)


CHECKS: dict[str, Callable[[_Measured], bool]] = {
    "pointillist": _pointillist,
    "colour field": _colour_field,
    "geometric grid": _geometric,
    "cubist facets": _cubist,
    "short-stroke impression": _impression,
    "ink wash": _ink,
    "stained glass": _glass,
    "pixel art": _pixel,
    "line drawing": _lines,
    "op art": _op,
    "flat poster": _poster,
    "smooth realism": _realism,
}


def style_holds(style: str, image: NDArray[np.uint8]) -> bool:
    """Return whether ``image`` [H, W, 3] carries the mark of ``style``."""
    return CHECKS[style](_Measured(image))


def styles_of(image: NDArray[np.uint8]) -> tuple[str, ...]:
    """All styles whose mark ``image`` carries; one, for a picture that ``paint`` made."""
    measured = _Measured(image)
    return tuple(style for style, check in CHECKS.items() if check(measured))
