"""Calibration: choose the limits of 8-bit activations from the values in some runs of a model.

In: the values of a tensor in each run, one array at a time.  Out: the two limits that a method
chooses.  A histogram of each tensor is stored, not its values.  Pairs of bins are merged when a
value exceeds the range of the histogram, so one pass over any number of runs suffices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...support.diagnostics import ModelError, TilewrightError

BINS = 1 << 14
"""Number of bins of a histogram on each side of zero."""

_COARSE_BINS = 2048
"""Number of bins between zero and the largest magnitude in the search of the entropy method."""

_CANDIDATES = 120
"""Number of thresholds that the entropy method compares."""


class Method(StrEnum):
    """A method that chooses the two limits of an activation.

    MINMAX takes the smallest and the largest value.  PERCENTILE leaves out a share of the values,
    half of it at each end.  ENTROPY clips and quantizes the values at different magnitudes, and
    takes the magnitude for which the resulting distribution has the least Kullback-Leibler
    divergence from the original one.
    """

    MINMAX = "min-max"
    PERCENTILE = "percentile"
    ENTROPY = "entropy"


def parse_method(name: str) -> Method:
    """Return the calibration method with a name.

    Errors: TilewrightError for an unknown name.
    """
    try:
        return Method(name)
    except ValueError as err:
        expected = ", ".join(Method)
        raise TilewrightError("unknown calibration method", expected=expected, got=name) from err


@dataclass
class Observed:
    """The distribution of a tensor's values in all runs so far.

    counts_values: whether a histogram is recorded; otherwise only the extremes are.
    low, high: the smallest and largest value.
    reach: the magnitude at both ends of the histogram, a power of two.  counts: the number of
    values in each bin, from -reach to reach.  channels: the largest magnitude for each index of the
    last axis; the record restarts whenever the size of that axis changes.
    """

    counts_values: bool = True
    low: float = np.inf
    high: float = -np.inf
    reach: float = 0.0
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2 * BINS, np.int64))
    channels: NDArray[np.float32] | None = None

    def add(self, array: NDArray[Any]) -> None:
        """Add the values of the tensor in one run."""
        if not array.size:
            return
        low, high = float(array.min()), float(array.max())
        # np.minimum and np.maximum propagate a NaN, unlike min and max.
        self.low, self.high = float(np.minimum(self.low, low)), float(np.maximum(self.high, high))
        if not np.isfinite(high - low):
            return
        if self.counts_values:
            self._reach_to(max(-low, high))
            edges = (-self.reach, self.reach)
            self.counts += np.histogram(array, 2 * BINS, edges)[0] if self.reach else 0
        rows = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
        largest = np.abs(rows).max(axis=0)
        if self.channels is not None and self.channels.shape == largest.shape:
            largest = np.maximum(self.channels, largest)
        self.channels = largest

    def _reach_to(self, magnitude: float) -> None:
        """Widen the range of the histogram to include a magnitude, by merging pairs of bins."""
        if magnitude <= self.reach:
            return
        wanted = 2.0 ** ceil(log2(magnitude))
        if self.reach:
            self._join(round(log2(wanted / self.reach)))
        self.reach = wanted

    def _join(self, times: int) -> None:
        # Each side of zero has BINS bins, a power of two, of which at least one remains.
        width = 1 << min(times, BINS.bit_length() - 1)
        joined = self.counts.reshape(-1, width).sum(axis=1)
        self.counts = np.pad(joined, BINS - len(joined) // 2)

    def limits(self, method: Method, share: float) -> tuple[float, float]:
        """Return the limits that a calibration method chooses for the tensor.

        share: for PERCENTILE, the fraction of the values that lies between the limits.
        """
        if method is Method.MINMAX or not self.reach:
            return self.low, self.high
        if method is Method.PERCENTILE:
            return self._percentiles(share)
        bound = self._least_divergence()
        return max(self.low, -bound), min(self.high, bound)

    def _percentiles(self, share: float) -> tuple[float, float]:
        """Return two bin boundaries between which a fraction ``share`` of the values lies."""
        below = np.cumsum(self.counts)
        outside = (1 - share) / 2 * below[-1]
        first = int(np.searchsorted(below, outside, side="right"))
        last = int(np.searchsorted(below, below[-1] - outside, side="left"))
        width = self.reach / BINS
        low, high = (first - BINS) * width, (last + 1 - BINS) * width
        return max(self.low, low), min(self.high, high)

    def _least_divergence(self) -> float:
        """Return the magnitude at which clipping and quantization change the distribution least.

        Source: Migacz, 8-bit inference with TensorRT, 2017.
        """
        magnitudes = self.counts[BINS:] + self.counts[:BINS][::-1]
        used = ceil(max(-self.low, self.high) / self.reach * BINS)
        step = max(1, ceil(used / _COARSE_BINS))
        coarse = np.pad(magnitudes[:used], (0, -used % step)).reshape(-1, step).sum(axis=1)
        levels = 128 if self.low < 0 < self.high else 256
        counts = coarse.astype(np.float64)
        ends = np.unique(
            np.linspace(min(levels, len(counts)), len(counts), _CANDIDATES).astype(int)
        )
        divergences = [_divergence(counts, end, levels) for end in ends]
        best = int(ends[int(np.argmin(divergences))])
        return best * step * self.reach / BINS


def _divergence(counts: NDArray[np.float64], end: int, levels: int) -> float:
    """Return the Kullback-Leibler divergence of a clipped, quantized histogram from the original.

    counts: the histogram of magnitudes.  end: the number of bins that remain; larger magnitudes are
    clipped to the last of them.  levels: the number of quantization levels.
    """
    clipped = counts[:end].copy()
    clipped[-1] += counts[end:].sum()
    level = np.arange(end) * levels // end
    filled = (counts[:end] > 0).astype(np.float64)
    totals, bins = (np.bincount(level, each, levels) for each in (counts[:end], filled))
    means = np.divide(totals, bins, out=np.zeros(levels), where=bins > 0)
    quantized = means[level] * filled
    p, q = clipped / clipped.sum(), quantized / max(quantized.sum(), 1)
    used = p > 0
    # A bin that holds only clipped values has probability 0 in `quantized`: use a very small one.
    return float(np.sum(p[used] * np.log(p[used] / np.maximum(q[used], 1e-9))))


def check_finite(name: str, low: float, high: float) -> None:
    """Check that the limits of a tensor are finite.

    Errors: ModelError if they are not.
    """
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ModelError(
            "the calibration has no finite range of a tensor",
            expected="inputs of some runs, with finite activations",
            got=f"{low} to {high} of {name!r}",
        )
