"""A table of all ops of StableHLO: whether an op is supported, or the reason why not.

A text with an op that is not supported is refused, with the op's name, its lines and the reason.
docs/stablehlo.md shows this table; a test compares both, and the table with the converters.
Source: StableHLO specification; the names of removed ops are those of the dialect.
"""

from __future__ import annotations

from collections.abc import Mapping

IMPORTED = ""
_DEVICES = "it needs several devices; programs run on one"
_QUANTIZED = "quantized element types are not supported; ONNX models may be quantized"
_REMOVED = "it is not part of StableHLO any more"
_TOKEN = "programs have no tokens: transfers with the host happen only at inputs and outputs"
_TUPLE = "tuples are not supported; export the function with flat results"
_SOLVER = "matrix decompositions are not supported"
_RANDOM = "its numbers depend on the machine; use jax.random with the threefry generator"
_GRADIENT = "it computes gradients; export the function without them"

_NAMES = """
abs add and atan2 batch_norm_inference batch_norm_training bitcast_convert broadcast
broadcast_in_dim case cbrt ceil clamp compare complex composite concatenate constant convert
convolution cosine count_leading_zeros custom_call divide dot dot_general
dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad dynamic_reshape
dynamic_slice dynamic_update_slice exponential exponential_minus_one fft floor gather
get_dimension_size if imag iota is_finite log log_plus_one logistic map maximum minimum multiply
negate not optimization_barrier or pad partition_id popcnt power real real_dynamic_slice reduce
reduce_precision reduce_window remainder replica_id reshape return reverse round_nearest_afz
round_nearest_even rsqrt scatter select shift_left shift_right_arithmetic shift_right_logical
sign sine slice sort sqrt subtract tan tanh torch_index_select transpose while xor
"""

_REFUSED = {
    _DEVICES: """
        all_gather all_reduce all_to_all collective_broadcast collective_permute cross-replica-sum
        reduce_scatter
    """,
    _QUANTIZED: "uniform_dequantize uniform_quantize",
    _REMOVED: "einsum unary_einsum",
    _TOKEN: "after_all async_done async_start create_token infeed outfeed recv send",
    _TUPLE: "get_tuple_element tuple",
    _SOLVER: "cholesky triangular_solve",
    _RANDOM: "rng rng_bit_generator",
    _GRADIENT: "batch_norm_grad select_and_scatter",
    "the size that it sets depends on run-time data": "set_dimension_size",
}

OPS: Mapping[str, str] = {
    **{f"stablehlo.{name}": IMPORTED for name in _NAMES.split()},
    **{f"stablehlo.{name}": reason for reason, names in _REFUSED.items() for name in names.split()},
}
"""For each op, an empty string if it is supported, else the reason why it is not."""
