# Made by `make reference` from what __init__.py gives when it is asked for an operator.

from collections.abc import Sequence
from types import ModuleType

from ..frontend.te.tensor import Tensor
from .activations import (
    clip,
    elu,
    floor_divide,
    glu,
    hard_sigmoid,
    hard_swish,
    is_finite,
    is_inf,
    leaky_relu,
    log2,
    log10,
    mish,
    prelu,
    selu,
    softplus,
    trunc,
    trunc_divide,
)
from .arrangement import (
    depth_to_space,
    expand_dims,
    flip,
    one_hot,
    repeat,
    sequence_mask,
    space_to_depth,
    split,
    squeeze,
    stack,
    tile,
)
from .boxes import (
    all_class_non_max_suppression,
    box_iou,
    crop_and_resize,
    get_valid_counts,
    multibox_prior,
    multibox_transform_loc,
    non_max_suppression,
    proposal,
    yolo_reorg,
)
from .composed import (
    argmax,
    argmin,
    attention,
    avg_pool2d,
    bias_add,
    binary_cross_entropy,
    cross_entropy,
    dense,
    flatten,
    gelu,
    greater,
    greater_equal,
    layer_norm,
    max_pool2d,
    mean_squared_error,
    nll_loss,
    not_equal,
    relu,
    rms_norm,
    rsqrt,
    silu,
    tensordot,
)
from .layout import (
    batch_to_space_nd,
    dilate,
    fifo_buffer,
    full_like,
    layout_transform,
    matrix_set_diag,
    meshgrid,
    mirror_pad,
    slice_like,
    sliding_window,
    space_to_batch_nd,
    strided_slice,
    sum_to,
    trilu,
    unstack,
)
from .positions import (
    adv_index,
    arange,
    argsort,
    argwhere,
    full,
    invert_permutation,
    nonzero,
    ones,
    reverse_sequence,
    searchsorted,
    segment_sum,
    sort,
    sparse_to_dense,
    take,
    unique,
    unravel_index,
    zeros,
)
from .quantized import (
    fixed_point_multiply,
    qnn_add,
    qnn_batch_matmul,
    qnn_concatenate,
    qnn_conv2d,
    qnn_conv2d_transpose,
    qnn_dense,
    qnn_dequantize,
    qnn_map,
    qnn_mul,
    qnn_quantize,
    qnn_requantize,
    qnn_subtract,
    simulated_dequantize,
    simulated_quantize,
)
from .random import (
    dropout,
    random_key,
    random_multinomial,
    random_normal,
    random_split,
    random_uniform,
)
from .signal import (
    dft,
    einsum,
    stft,
)
from .sparse import (
    sparse_add,
    sparse_conv2d,
    sparse_dense,
    sparse_fill_empty_rows,
    sparse_reshape,
    sparse_transpose,
)
from .statistics import (
    all,
    any,
    batch_norm,
    cumprod,
    cumsum,
    global_avg_pool2d,
    global_max_pool2d,
    group_norm,
    instance_norm,
    l2_normalize,
    logsumexp,
    mean,
    prod,
    std,
    sum,
    variance,
)
from .table import Extent, Operand, TensorLike
from .windows import (
    adaptive_avg_pool,
    adaptive_max_pool,
    affine_grid,
    avg_pool,
    bitserial_conv2d,
    bitserial_dense,
    conv1d,
    conv2d,
    conv3d,
    correlation,
    deformable_conv2d,
    dilation2d,
    max_pool,
    resize,
    transposed_conv,
)

MODULES: tuple[ModuleType, ...]

__all__ = [
    "abs",
    "acos",
    "acosh",
    "adaptive_avg_pool",
    "adaptive_max_pool",
    "add",
    "adv_index",
    "affine_grid",
    "all",
    "all_class_non_max_suppression",
    "and_",
    "any",
    "append",
    "arange",
    "arg_reduce",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "attention",
    "avg_pool",
    "avg_pool2d",
    "batch_norm",
    "batch_to_space_nd",
    "bias_add",
    "binary_cross_entropy",
    "bitcast",
    "bitserial_conv2d",
    "bitserial_dense",
    "block_matmul",
    "box_iou",
    "broadcast",
    "cast",
    "ceil",
    "clip",
    "concat",
    "conv",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose",
    "correlation",
    "cos",
    "cosh",
    "crop_and_resize",
    "cross_entropy",
    "cumprod",
    "cumsum",
    "cumulative",
    "deform_columns",
    "deformable_conv2d",
    "dense",
    "depth_to_space",
    "dequantize",
    "det",
    "dft",
    "digit_matmul",
    "dilate",
    "dilation2d",
    "div",
    "dropout",
    "einsum",
    "elu",
    "eq",
    "erf",
    "exp",
    "expand_dims",
    "expm1",
    "fifo_buffer",
    "fixed_point_multiply",
    "flatten",
    "flip",
    "floor",
    "floor_divide",
    "fmod",
    "fold",
    "full",
    "full_like",
    "gather",
    "gather_elements",
    "gather_nd",
    "gelu",
    "get_valid_counts",
    "global_avg_pool2d",
    "global_max_pool2d",
    "glu",
    "greater",
    "greater_equal",
    "grid_sample",
    "group_norm",
    "hard_sigmoid",
    "hard_swish",
    "instance_norm",
    "invert_permutation",
    "iota",
    "is_finite",
    "is_inf",
    "is_nan",
    "l2_normalize",
    "layer_norm",
    "layout_transform",
    "le",
    "leaky_relu",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_softmax",
    "logsumexp",
    "lrn",
    "lt",
    "matmul",
    "matrix_set_diag",
    "max",
    "max_pool",
    "max_pool2d",
    "max_pool_indices",
    "mean",
    "mean_squared_error",
    "meshgrid",
    "min",
    "mirror_pad",
    "mish",
    "mod",
    "mul",
    "multibox_prior",
    "multibox_transform_loc",
    "neg",
    "nll_loss",
    "non_max_suppression",
    "nonzero",
    "normalize",
    "not_",
    "not_equal",
    "one_hot",
    "ones",
    "or_",
    "pad",
    "pool",
    "pow",
    "prelu",
    "prod",
    "proposal",
    "qnn_add",
    "qnn_batch_matmul",
    "qnn_concatenate",
    "qnn_conv2d",
    "qnn_conv2d_transpose",
    "qnn_dense",
    "qnn_dequantize",
    "qnn_map",
    "qnn_mul",
    "qnn_quantize",
    "qnn_requantize",
    "qnn_subtract",
    "quantize",
    "random_bits",
    "random_key",
    "random_multinomial",
    "random_normal",
    "random_split",
    "random_uniform",
    "reduce",
    "relu",
    "repeat",
    "resample",
    "reshape",
    "resize",
    "reverse_sequence",
    "rms_norm",
    "roi_align",
    "roi_pool",
    "round_even",
    "rsqrt",
    "scatter_elements",
    "scatter_nd",
    "searchsorted",
    "segment_sum",
    "select",
    "selu",
    "sequence_mask",
    "shl",
    "shr",
    "sigmoid",
    "sign",
    "silu",
    "simulated_dequantize",
    "simulated_quantize",
    "sin",
    "sinh",
    "slice",
    "slice_like",
    "sliding_window",
    "softmax",
    "softplus",
    "sort",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse_add",
    "sparse_conv2d",
    "sparse_dense",
    "sparse_fill_empty_rows",
    "sparse_reshape",
    "sparse_to_dense",
    "sparse_transpose",
    "split",
    "split_digits",
    "sqrt",
    "squeeze",
    "stack",
    "std",
    "stft",
    "stop_gradient",
    "strided_slice",
    "sub",
    "sum",
    "sum_to",
    "take",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "top_k",
    "transpose",
    "transposed_conv",
    "trilu",
    "trunc",
    "trunc_divide",
    "unique",
    "unravel_index",
    "unstack",
    "update_slice",
    "variance",
    "xor",
    "yolo_reorg",
    "zeros",
]

def abs(x: Tensor, *, name: str | None = None) -> Tensor:
    """|x|; the smallest integer stays itself."""

def acos(x: Tensor, *, name: str | None = None) -> Tensor:
    """The inverse cosine."""

def acosh(x: Tensor, *, name: str | None = None) -> Tensor:
    """The inverse hyperbolic cosine."""

def add(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """lhs + rhs; integers wrap."""

def and_(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Bits set in both."""

def append(past: TensorLike, new: TensorLike, *, name: str | None = None) -> Tensor:
    """The rows of a state, followed by new rows; the result may share the memory of the state."""

def arg_reduce(
    x: TensorLike,
    *,
    kind: str,
    axis: int,
    keep: bool = False,
    last: bool = False,
    name: str | None = None,
) -> Tensor:
    """Position of the largest or smallest element along an axis, as i64."""

def asin(x: Tensor, *, name: str | None = None) -> Tensor:
    """The inverse sine."""

def asinh(x: Tensor, *, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine."""

def atan(x: Tensor, *, name: str | None = None) -> Tensor:
    """The inverse tangent."""

def atanh(x: Tensor, *, name: str | None = None) -> Tensor:
    """The inverse hyperbolic tangent."""

def bitcast(x: TensorLike, to: str, *, name: str | None = None) -> Tensor:
    """The bits of x as elements of another type."""

def block_matmul(
    x: TensorLike,
    w: TensorLike,
    scale: TensorLike,
    zero: TensorLike | None,
    bits: int,
    *,
    rounded: bool = False,
    name: str | None = None,
) -> Tensor:
    """``out[*r, n] = sum over k of x[*r, k] * (number[n, k] - zero[n, b]) * scale[n, b]``."""

def broadcast(
    x: TensorLike, dims: Sequence[Extent], axes: Sequence[int], *, name: str | None = None
) -> Tensor:
    """Repetition of x along new dimensions and along dimensions of size 1."""

def cast(x: TensorLike, to: str, saturate: bool = True, *, name: str | None = None) -> Tensor:
    """Conversion of every element to another type, by value."""

def ceil(x: Tensor, *, name: str | None = None) -> Tensor:
    """The smallest integer not below x."""

def concat(xs: Sequence[TensorLike], axis: int, *, name: str | None = None) -> Tensor:
    """Concatenation of the operands along an axis."""

def conv(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Sequence[Extent],
    dilations: Sequence[Extent],
    pads: Sequence[Extent],
    groups: int = 1,
    pad_value: int = 0,
    name: str | None = None,
) -> Tensor:
    """Convolution (cross-correlation) per channel group; outside its bounds, x is ``pad_value``."""

def conv_transpose(
    x: TensorLike,
    w: TensorLike,
    b: TensorLike | None = None,
    *,
    strides: Sequence[Extent],
    dilations: Sequence[Extent],
    pads: Sequence[Extent],
    groups: int = 1,
    name: str | None = None,
) -> Tensor:
    """The adjoint of a convolution: every element of x adds a multiple of the kernel to out."""

def cos(x: Tensor, *, name: str | None = None) -> Tensor:
    """The cosine."""

def cosh(x: Tensor, *, name: str | None = None) -> Tensor:
    """The hyperbolic cosine."""

def cumulative(
    x: TensorLike,
    *,
    kind: str,
    axis: int,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Cumulative sum, product, maximum or minimum along an axis."""

def deform_columns(
    x: TensorLike,
    offset: TensorLike,
    mask: TensorLike | None = None,
    *,
    kernel: Sequence[Extent],
    strides: Sequence[Extent],
    dilations: Sequence[Extent],
    pads: Sequence[Extent],
    offset_groups: int = 1,
    name: str | None = None,
) -> Tensor:
    """im2col of a deformable convolution: x, interpolated at each tap position plus an offset."""

def dequantize(
    x: TensorLike, scale: TensorLike, zero: TensorLike | None, to: str, *, name: str | None = None
) -> Tensor:
    """``(x - zero) * scale``; the product is computed in f32 at least and rounded once."""

def det(x: TensorLike, *, name: str | None = None) -> Tensor:
    """Determinant of the matrices in the last two axes."""

def digit_matmul(
    digits: TensorLike,
    unit: TensorLike,
    sums: TensorLike,
    w: TensorLike,
    scale: TensorLike,
    zero: TensorLike | None,
    bits: int,
    *,
    name: str | None = None,
) -> Tensor:
    """The product of graph.block_matmul, computed from activations that graph.split_digits split."""

def div(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """lhs / rhs; integers truncate, by zero 0."""

def eq(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Whether both are equal; NaN is not."""

def erf(x: Tensor, *, name: str | None = None) -> Tensor:
    """The error function."""

def exp(x: Tensor, *, name: str | None = None) -> Tensor:
    """e to the x."""

def expm1(x: Tensor, *, name: str | None = None) -> Tensor:
    """exp(x) - 1, exact near zero."""

def floor(x: Tensor, *, name: str | None = None) -> Tensor:
    """The largest integer not above x."""

def fmod(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """The remainder with the sign of lhs; integers by zero 0."""

def fold(
    x: TensorLike,
    *,
    image: Sequence[Extent],
    strides: Sequence[Extent],
    dilations: Sequence[Extent],
    pads: Sequence[Extent],
    name: str | None = None,
) -> Tensor:
    """Sum of the columns of a sliding window into an image (col2im): the adjoint of im2col."""

def gather(x: TensorLike, indices: TensorLike, axis: int, *, name: str | None = None) -> Tensor:
    """Slices of x by index: ``out[a…, i…, b…] = x[a…, indices[i…], b…]``."""

def gather_elements(
    x: TensorLike, indices: TensorLike, axis: int, *, name: str | None = None
) -> Tensor:
    """Elements of x by index: ``out[i…, j, k…] = x[i…, indices[i…, j, k…], k…]``."""

def gather_nd(
    x: TensorLike, indices: TensorLike, batch_dims: int = 0, *, name: str | None = None
) -> Tensor:
    """Slices of x by index in several axes: ``out[b…, i…, c…] = x[b…, *indices[b…, i…, :], c…]``."""

def grid_sample(
    x: TensorLike,
    grid: TensorLike,
    *,
    mode: str,
    padding: str = "zeros",
    align: bool = False,
    name: str | None = None,
) -> Tensor:
    """Samples of x at the positions in a grid; along each dimension, x extends from -1 to 1."""

def iota(
    dims: Sequence[Extent], axis: int, element_type: str, *, name: str | None = None
) -> Tensor:
    """Positions along an axis: ``out[p] = p[axis]``."""

def is_nan(x: Tensor, *, name: str | None = None) -> Tensor:
    """Whether x is NaN."""

def le(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Whether lhs is not larger; never with NaN."""

def log(x: Tensor, *, name: str | None = None) -> Tensor:
    """The natural logarithm; NaN below zero."""

def log1p(x: Tensor, *, name: str | None = None) -> Tensor:
    """log(1 + x), exact near zero."""

def log_softmax(x: TensorLike, axis: int, *, name: str | None = None) -> Tensor:
    """``x - max - log(sum(exp(x - max)))`` along an axis."""

def lrn(
    x: TensorLike,
    *,
    size: int,
    alpha: float = 0.0001,
    beta: float = 0.75,
    bias: float = 1.0,
    name: str | None = None,
) -> Tensor:
    """Local response normalization over channels."""

def lt(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Whether lhs is smaller; never with NaN."""

def matmul(
    lhs: TensorLike,
    rhs: TensorLike,
    *,
    transpose_lhs: bool = False,
    transpose_rhs: bool = False,
    acc: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Batched matrix product ``out[*b, m, n] = sum over k of lhs[*b, m, k] * rhs[*b, k, n]``."""

def max(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """The larger one; NaN if one is NaN."""

def max_pool_indices(
    x: TensorLike,
    *,
    kernel: Sequence[Extent],
    strides: Sequence[Extent],
    dilations: Sequence[Extent],
    pads: Sequence[Extent],
    ceil: bool = False,
    column_major: bool = False,
    in_channel: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Maximum over a window of each channel, and the position of the first maximum or first NaN."""

def min(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """The smaller one; NaN if one is NaN."""

def mod(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """The remainder with the sign of rhs; integers by zero 0."""

def mul(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """lhs * rhs; integers wrap."""

def neg(x: Tensor, *, name: str | None = None) -> Tensor:
    """-x; integers wrap."""

def normalize(
    x: TensorLike, *, axes: Sequence[int], eps: float, center: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """``out = (x - mean) * inv_std`` with ``inv_std = 1 / sqrt(variance + eps)`` over axes."""

def not_(x: Tensor, *, name: str | None = None) -> Tensor:
    """All bits inverted."""

def or_(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Bits set in one or both."""

def pad(
    x: TensorLike,
    low: Sequence[Extent],
    high: Sequence[Extent],
    mode: str = "constant",
    value: float | int = 0,
    *,
    name: str | None = None,
) -> Tensor:
    """Padding around x: a constant, the edge, a reflection without the edge, or a wrap-around."""

def pool(
    x: TensorLike,
    *,
    kind: str,
    kernel: Sequence[Extent],
    strides: Sequence[Extent],
    dilations: Sequence[Extent],
    pads: Sequence[Extent],
    ceil: bool = False,
    count_pad: bool = False,
    p: int = 2,
    name: str | None = None,
) -> Tensor:
    """Maximum, mean, sum or p-norm over a window of each channel."""

def pow(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """lhs to the rhs; integers wrap, negative exponents truncate."""

def quantize(
    x: TensorLike,
    scale: TensorLike,
    zero: TensorLike | None,
    to: str,
    *,
    saturate: bool = True,
    name: str | None = None,
) -> Tensor:
    """``saturate(round_even(x / scale) + zero)``; without round_even for stored floats."""

def random_bits(
    key: TensorLike, counter: TensorLike, dims: Sequence[Extent], *, name: str | None = None
) -> Tensor:
    """Independent uniform 32-bit integers: Philox4x32-10 of a key and a counter."""

def reduce(
    x: TensorLike, *, kind: str, axes: Sequence[int], keep: bool = False, name: str | None = None
) -> Tensor:
    """Sum, product, maximum, minimum or (for integers) bitwise "and" over axes."""

def resample(
    x: TensorLike,
    indices: TensorLike,
    weights: TensorLike | None = None,
    *,
    axis: int,
    step: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Weighted sum along one axis: ``out[a, j, b]`` sums ``x[a, indices[j, t], b]`` over t."""

def reshape(x: TensorLike, dims: Sequence[Extent], *, name: str | None = None) -> Tensor:
    """The elements of x in row-major order, in another shape."""

def roi_align(
    x: TensorLike,
    rois: TensorLike,
    batch: TensorLike,
    *,
    mode: str,
    size: Sequence[Extent],
    sampling: int,
    scale: float,
    half_pixel: bool,
    name: str | None = None,
) -> Tensor:
    """Mean or maximum of linear samples in a grid of bins over each region of a feature map."""

def roi_pool(
    x: TensorLike,
    rois: TensorLike,
    *,
    size: Sequence[Extent],
    scale: float,
    name: str | None = None,
) -> Tensor:
    """Maximum in each bin of a grid over each region of a feature map; 0 for an empty bin."""

def round_even(x: Tensor, *, name: str | None = None) -> Tensor:
    """The nearest integer, halves to even."""

def scatter_elements(
    x: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    axis: int,
    kind: str = "none",
    *,
    name: str | None = None,
) -> Tensor:
    """Elements written by index: ``out[i…, indices[i…, j, k…], k…] = updates[i…, j, k…]``."""

def scatter_nd(
    x: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    kind: str = "none",
    *,
    name: str | None = None,
) -> Tensor:
    """Slices written by index in the first axes: ``out[*indices[i…, :], c…] = updates[i…, c…]``."""

def select(condition: Operand, lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Elementwise choice: ``out[i] = lhs[i] if condition[i] else rhs[i]``."""

def shl(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Shift left; 0 if rhs is outside 0..width-1."""

def shr(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Shift right, signed: keeps the sign; outside as far as can be."""

def sigmoid(x: Tensor, *, name: str | None = None) -> Tensor:
    """1 / (1 + exp(-x)), without overflow."""

def sign(x: Tensor, *, name: str | None = None) -> Tensor:
    """-1, 0 or 1; NaN and zeros stay themselves."""

def sin(x: Tensor, *, name: str | None = None) -> Tensor:
    """The sine."""

def sinh(x: Tensor, *, name: str | None = None) -> Tensor:
    """The hyperbolic sine."""

def slice(
    x: TensorLike,
    starts: Sequence[Extent],
    sizes: Sequence[Extent],
    steps: Sequence[Extent],
    *,
    name: str | None = None,
) -> Tensor:
    """Strided slice: ``out[i] = x[starts + i * steps]`` per dimension; steps may be negative."""

def softmax(x: TensorLike, axis: int, *, name: str | None = None) -> Tensor:
    """``exp(x - max) / sum(exp(x - max))`` along an axis."""

def split_digits(
    x: TensorLike, count: int, blocks: int, bits: int, *, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Split of activations into digits: ``x`` is nearly ``sum over t of digits[t] * unit[t]``."""

def sqrt(x: Tensor, *, name: str | None = None) -> Tensor:
    """The square root; NaN below zero."""

def stop_gradient(x: TensorLike, *, name: str | None = None) -> Tensor:
    """The elements of x, as constants for differentiation: the gradient of x is 0."""

def sub(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """lhs - rhs; integers wrap."""

def tan(x: Tensor, *, name: str | None = None) -> Tensor:
    """The tangent."""

def tanh(x: Tensor, *, name: str | None = None) -> Tensor:
    """The hyperbolic tangent."""

def top_k(
    x: TensorLike, k: int, axis: int, *, largest: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The first k elements of each row along an axis, sorted up, or down with ``largest``."""

def transpose(x: TensorLike, perm: Sequence[int], *, name: str | None = None) -> Tensor:
    """Permutation of dimensions: dimension i of out is dimension ``perm[i]`` of x."""

def update_slice(
    x: TensorLike,
    updates: TensorLike,
    starts: TensorLike,
    axis: int,
    *,
    circular: bool = False,
    name: str | None = None,
) -> Tensor:
    """One slice written per batch entry: ``out[b, i…, starts[b] + j, k…] = updates[b, i…, j, k…]``."""

def xor(lhs: Operand, rhs: Operand, *, name: str | None = None) -> Tensor:
    """Bits set in exactly one."""
