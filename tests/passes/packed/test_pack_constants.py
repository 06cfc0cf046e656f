"""Packing stores every element at the place given by the layout, and zeros elsewhere."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.dialects.te.layout import layout_shape
from tilewright.passes.packed.pack_constants import pack_array


def blocked(sizes: list[int | None], order: list[int]) -> AffineMapAttr:
    """Split each dimension with a block size in two and permute the parts."""
    parts: list[AffineExpr] = []
    for d, size in enumerate(sizes):
        dim = AffineExpr.dimension(d)
        parts += [dim] if size is None else [dim // size, dim % size]
    results = tuple(parts[i] for i in sorted(range(len(parts)), key=lambda i: order[i]))
    return AffineMapAttr(AffineMap(len(sizes), 0, results))


def packed_by_definition(array: np.ndarray, layout: AffineMapAttr) -> np.ndarray:
    out = np.zeros(layout_shape(layout, array.shape), array.dtype)
    for position in np.ndindex(array.shape):
        out[layout.data.eval(list(position), [])] = array[position]
    return out


@given(
    shape=st.lists(st.integers(1, 9), min_size=1, max_size=3),
    sizes=st.lists(st.sampled_from([None, 2, 4, 8]), min_size=3, max_size=3),
    order=st.permutations(range(6)),
)
def test_pack_is_the_layout_map(
    shape: list[int], sizes: list[int | None], order: list[int]
) -> None:
    array = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    layout = blocked(sizes[: len(shape)], list(order))
    np.testing.assert_array_equal(pack_array(array, layout), packed_by_definition(array, layout))


def test_three_digits_of_one_dimension() -> None:
    dim, other = AffineExpr.dimension(0), AffineExpr.dimension(1)
    layout = AffineMapAttr(
        AffineMap(2, 0, (dim // 12, other // 4, (dim // 4) % 3, other % 4, dim % 4))
    )
    array = np.arange(25 * 6, dtype=np.float32).reshape(25, 6)
    np.testing.assert_array_equal(pack_array(array, layout), packed_by_definition(array, layout))


def test_a_map_that_is_no_permutation_of_digits() -> None:
    dim, other = AffineExpr.dimension(0), AffineExpr.dimension(1)
    layout = AffineMapAttr(AffineMap(2, 0, (dim * 3 + other,)))
    array = np.arange(15, dtype=np.float32).reshape(5, 3)
    np.testing.assert_array_equal(pack_array(array, layout), array.reshape(-1))
