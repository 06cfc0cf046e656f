"""Lay out the weights of a program in one blob, in the storage order that its kernels read."""

from __future__ import annotations

import sys
from itertools import chain
from typing import TypeAlias

import numpy as np
from xdsl.dialects.func import FuncOp

from ..dialects.packed import ConstantOp
from ..dialects.weights import WeightAttr
from ..runtime.abi.constants import WEIGHT_ALIGNMENT_BYTES

WeightLayout: TypeAlias = tuple[np.ndarray, dict[WeightAttr, int]]
"""The blob with all weights, and the offset of each weight in bytes."""


def layout_weights(
    *mains: FuncOp, byte_order: str, alignment: int = WEIGHT_ALIGNMENT_BYTES
) -> WeightLayout:
    """Store the weights of several main functions in one blob; equal weights are stored once.

    byte_order: the byte order of the stored numbers, ``little`` or ``big``.
    alignment: a divisor of all offsets in bytes, a multiple of WEIGHT_ALIGNMENT_BYTES.
    Returns the blob, and the byte offset of each weight in it.
    """
    ops = chain.from_iterable(main.walk() for main in mains)
    weights = dict.fromkeys(op.value for op in ops if isinstance(op, ConstantOp))
    offsets: dict[WeightAttr, int] = {}
    size = 0
    for weight in weights:
        offsets[weight] = size
        size += -(-weight.stored.nbytes // alignment) * alignment
    raw = np.empty(size + WEIGHT_ALIGNMENT_BYTES, np.uint8)
    start = -raw.ctypes.data % WEIGHT_ALIGNMENT_BYTES
    blob = raw[start : start + size]
    for weight, at in offsets.items():
        array = weight.stored
        end = at + array.nbytes
        blob[at:end].view(array.dtype).reshape(array.shape)[...] = array
        if byte_order != sys.byteorder:
            part_bytes = array.itemsize // (2 if array.dtype.kind == "c" else 1)
            numbers = blob[at:end].reshape(-1, part_bytes)
            numbers[...] = numbers[:, ::-1].copy()
        blob[end : end - end % -alignment] = 0  # files hold these bytes too
    return blob, offsets
