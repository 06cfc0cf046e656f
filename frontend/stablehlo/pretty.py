"""Rename attributes of ops in pretty form to their names in the generic form.

    stablehlo.transpose %x, dims = [1, 0]          permutation = [1, 0]
    stablehlo.slice %x [0:4, 2:8:2]                start_indices, limit_indices, strides
    stablehlo.compare LT, %x, %y, FLOAT            comparison_direction, compare_type

Source: StableHLO specification; the forms are those that jax 0.10 prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from .definitions import AttributeValue, Word

Attributes = dict[str, AttributeValue]

NAMES: dict[str, dict[str, str]] = {
    "stablehlo.broadcast": {"sizes": "broadcast_sizes"},
    "stablehlo.broadcast_in_dim": {"dims": "broadcast_dimensions"},
    "stablehlo.concatenate": {"dim": "dimension"},
    "stablehlo.dynamic_broadcast_in_dim": {"dims": "broadcast_dimensions"},
    "stablehlo.dynamic_iota": {"dim": "iota_dimension"},
    "stablehlo.dynamic_slice": {"sizes": "slice_sizes"},
    "stablehlo.fft": {"type": "fft_type", "length": "fft_length"},
    "stablehlo.get_dimension_size": {"dim": "dimension"},
    "stablehlo.iota": {"dim": "iota_dimension"},
    "stablehlo.pad": {
        "low": "edge_padding_low",
        "high": "edge_padding_high",
        "interior": "interior_padding",
    },
    "stablehlo.reverse": {"dims": "dimensions"},
    "stablehlo.rng_bit_generator": {"algorithm": "rng_algorithm"},
    "stablehlo.set_dimension_size": {"dim": "dimension"},
    "stablehlo.transpose": {"dims": "permutation"},
}
"""By op: the full names, in the generic form, of attributes that the pretty form abbreviates."""

WORDS: dict[str, tuple[str, ...]] = {
    "stablehlo.compare": ("comparison_direction", "compare_type"),
    "stablehlo.composite": ("name",),
    "stablehlo.custom_call": ("call_target_name",),
    "func.call": ("callee",),
}
"""By op: the names of attributes whose values the pretty form prints without a name, in order."""

_WINDOW = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}


def _slice(given: Attributes) -> Attributes:
    ranges = cast("Sequence[tuple[int, ...]]", given.pop("ranges", ()))
    return {
        "start_indices": tuple(r[0] for r in ranges),
        "limit_indices": tuple(r[1] for r in ranges),
        "strides": tuple(r[2] for r in ranges),
    }


def _dot(given: Attributes) -> Attributes:
    pairs = {
        part: cast("tuple[AttributeValue, AttributeValue]", given.pop(f"{part}_dims", ((), ())))
        for part in ("batching", "contracting")
    }
    return {
        "dot_dimension_numbers": {
            f"{side}_{part}_dimensions": pair[n]
            for part, pair in pairs.items()
            for n, side in enumerate(("lhs", "rhs"))
        }
    }


def _convolution(given: Attributes) -> Attributes:
    window = cast("Mapping[str, AttributeValue]", given.pop("window", {}))
    numbers = given.pop("dim_numbers", None)
    named = {_WINDOW.get(name, name): value for name, value in window.items()}
    return {"dimension_numbers": numbers, **named}


def _reduce_precision(given: Attributes) -> Attributes:
    format_ = given.pop("format", None)
    found = re.fullmatch(r"e(\d+)m(\d+)", format_.text if isinstance(format_, Word) else "")
    return {"exponent_bits": int(found[1]), "mantissa_bits": int(found[2])} if found else {}


_SPECIAL: dict[str, Callable[[Attributes], Attributes]] = {
    "stablehlo.slice": _slice,
    "stablehlo.dot_general": _dot,
    "stablehlo.convolution": _convolution,
    "stablehlo.dynamic_conv": _convolution,
    "stablehlo.reduce_precision": _reduce_precision,
}


def standard_attributes(
    op: str, words: Sequence[AttributeValue], given: Mapping[str, AttributeValue]
) -> Attributes:
    """Return the attributes of an op in pretty form under the names of the generic form.

    op: the name of the op.  words: the values without a name, in order.  given: the values with a
    name.
    """
    names = NAMES.get(op, {})
    found: Attributes = {names.get(name, name): value for name, value in given.items()}
    found.update(zip(WORDS.get(op, ()), words, strict=False))
    if op in _SPECIAL:
        found.update(_SPECIAL[op](found))
    return found
