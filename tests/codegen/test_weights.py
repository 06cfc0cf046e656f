"""Weights lie in one blob, and every byte of the blob follows from them."""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region

from tilewright.codegen.weights import layout_weights
from tilewright.dialects.packed import ConstantOp
from tilewright.dialects.weights import WeightAttr
from tilewright.runtime.abi.constants import WEIGHT_ALIGNMENT_BYTES


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("count", [1, 15, 16, 17])
def test_padding_is_zero(count: int, byte_order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(1, count + 1, dtype=np.float32)
    arrays = [numbers, np.full(3, 7, np.uint8), numbers.astype(ml_dtypes.bfloat16), numbers * 1j]
    weights = [WeightAttr.of(array) for array in arrays]
    block = Block([ConstantOp(weight, weight.type) for weight in weights])
    main = FuncOp("main", FunctionType.from_lists([], []), Region(block))

    def dirty(size: Any, dtype: Any) -> np.ndarray:
        return np.full(size, 0xAB, dtype)

    monkeypatch.setattr(np, "empty", dirty)
    blob, offsets = layout_weights(main, byte_order=byte_order)
    expected = np.zeros(len(blob), np.uint8)
    for array, weight in zip(arrays, weights, strict=True):
        at = offsets[weight]
        assert at % WEIGHT_ALIGNMENT_BYTES == 0
        is_native = byte_order == sys.byteorder
        ordered = array if is_native else array.view(array.dtype.str.replace("V", "u")).byteswap()
        expected[at : at + array.nbytes] = ordered.view(np.uint8)
    np.testing.assert_array_equal(blob, expected)
