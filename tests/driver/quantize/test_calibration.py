"""Limits of activations by three methods, from histograms."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.driver.quantize.calibration import Method, Observed, parse_method
from tilewright.support.diagnostics import TilewrightError

RNG = np.random.default_rng(3)
NORMAL = RNG.standard_normal(200_000).astype(np.float32)


def observed(*arrays):
    made = Observed(counts_values=True)
    for array in arrays:
        made.add(np.asarray(array, np.float32))
    return made


def test_the_smallest_and_largest_value():
    assert observed([[-2, 1]], [[0, 7]]).limits(Method.MINMAX, 1.0) == (-2, 7)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 300.0])
def test_percentiles_equal_numpys_to_a_bin(scale):
    values = NORMAL * np.float32(scale)
    low, high = observed(values).limits(Method.PERCENTILE, 0.999)
    want = np.percentile(values, [0.05, 99.95])
    np.testing.assert_allclose([low, high], want, rtol=0.01)


def test_the_order_and_the_sizes_of_runs_do_not_matter():
    parts = np.split(np.sort(NORMAL), 10)
    whole = observed(NORMAL)
    joined = observed(*sorted(parts, key=lambda x: np.abs(x).max()))
    assert joined.reach == whole.reach
    np.testing.assert_array_equal(joined.counts.sum(), whole.counts.sum())
    # Only values at the ends of bins may be counted in the next one.
    assert np.abs(np.cumsum(joined.counts) - np.cumsum(whole.counts)).max() < 100
    for method in (Method.PERCENTILE, Method.ENTROPY):
        np.testing.assert_allclose(
            joined.limits(method, 0.999), whole.limits(method, 0.999), rtol=0.01
        )


def test_bins_join_around_zero():
    made = observed([-0.5, 0.5, 0.25])
    made.add(np.array([1000.0, -1000.0], np.float32))
    assert made.reach == 1024
    assert made.counts.sum() == 5
    middle = len(made.counts) // 2
    assert made.counts[middle - 8] == 1  # -0.5 in bins of 1/16
    assert made.counts[middle + 7] == 1  # 0.5, the end of the first histogram
    assert made.counts[middle + 4] == 1


def test_entropy_clips_rare_outliers_and_keeps_a_flat_distribution():
    values = np.concatenate([NORMAL, [80.0, -75.0]])
    low, high = observed(values).limits(Method.ENTROPY, 1.0)
    assert 3 < high < 10
    assert -10 < low < -3
    flat = RNG.uniform(0, 6, 100_000)
    low, high = observed(flat).limits(Method.ENTROPY, 1.0)
    assert low == pytest.approx(0, abs=1e-3)
    assert high > 5.5


def test_limits_have_less_error_than_the_extremes_where_outliers_are_rare():
    values = np.concatenate([NORMAL, [80.0]])

    def error(limits):
        step = (limits[1] - limits[0]) / 255
        clipped = np.clip(values, *limits)
        return np.square(np.rint(clipped / step) * step - values)[:-1].mean()

    made = observed(values)
    errors = {method: error(made.limits(method, 0.9999)) for method in Method}
    assert errors[Method.PERCENTILE] < errors[Method.MINMAX] / 20
    assert errors[Method.ENTROPY] < errors[Method.MINMAX] / 20


def test_other_methods_are_refused():
    with pytest.raises(TilewrightError, match="unknown calibration method"):
        parse_method("mean")
