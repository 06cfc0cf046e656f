"""Cases of composite operators, with results of torch, numpy, onnx and onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from warnings import catch_warnings

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper
from onnx.reference import ReferenceEvaluator
from torch.nn import functional as fn

from tilewright import ops

RNG = np.random.default_rng(3)


@dataclass(frozen=True)
class Case:
    """An operator on arrays, and the expected results.

    differentiable: how many of the arrays, from the first on, the results are differentiated by.
    te: whether te tensors can be the operands.
    """

    name: str
    run: Callable[..., Any]
    arrays: tuple[np.ndarray[Any, Any], ...]
    expected: tuple[Any, ...]
    differentiable: int = 0
    te: bool = True


def floats(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.normal(size=shape).astype(np.float32)


def case(
    name: str, run: Callable[..., Any], *arrays: Any, want: Any, d: int = 0, te: bool = True
) -> Case:
    expected = want if isinstance(want, tuple | list) else (want,)
    return Case(name, run, arrays, tuple(map(np.asarray, expected)), d, te)


def of_torch(name: str, run: Callable[..., Any], rule: Callable[..., Any], *arrays: Any,
             d: int = 0, te: bool = True) -> Case:  # fmt: skip
    """Return a case whose expected results torch computes."""
    return case(name, run, *arrays, want=rule(*map(torch.tensor, arrays)), d=d, te=te)


def of_runtime(op_type: str, arrays: tuple[Any, ...], *, domain: str = "", kind: int = 1,
               reference: bool = False, opset: int = 19, **attributes: Any) -> Any:  # fmt: skip
    """Return what onnxruntime computes for an operator; with ``reference``, onnx.reference."""
    arrays = tuple(map(np.asarray, arrays))
    names = [f"x{n}" for n in range(len(arrays))]
    node = helper.make_node(op_type, names, ["y"], domain=domain, **attributes)
    infos = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for n, a in zip(names, arrays, strict=True)
    ]
    result = helper.make_tensor_value_info("y", kind, None)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph([node], "g", infos, [result])
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    feeds = dict(zip(names, arrays, strict=True))
    if reference:
        return ReferenceEvaluator(model).run(None, feeds)[0]
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, feeds)[0]


def position_cases() -> list[Case]:
    """Return cases of sorts, searches, and computed positions."""
    x, m = floats(3, 5), (floats(4, 3) > 0.3).astype(np.float32)
    many = RNG.integers(0, 4, (3, 4))
    ordered = np.sort(floats(3, 6), 1)
    permutation = RNG.permutation(6)
    segments, flat = np.array([2, 0, 2, 4]), RNG.integers(0, 60, 7)
    values, first, inverse, counts = np.unique(
        many, return_index=True, return_inverse=True, return_counts=True
    )
    lengths = np.array([2, 5, 1])
    turned = [np.concatenate([r[:n][::-1], r[n:]]) for r, n in zip(x, lengths, strict=True)]
    return [
        of_torch("sort", ops.sort, lambda x: x.sort(1)[0], x, d=1),
        of_torch("argsort", partial(ops.argsort, axis=0, descending=True),
                 lambda x: torch.sort(x, dim=0, descending=True, stable=True)[1], many),
        of_torch("searchsorted", ops.searchsorted, torch.searchsorted, ordered, floats(3, 4)),
        of_torch("searchsorted_right", lambda o, x: ops.searchsorted(o, x, right=True),
                 lambda o, x: torch.searchsorted(o, x, right=True), np.array([0, 1, 1, 3]), many),
        of_torch("nonzero", ops.nonzero, lambda x: x.nonzero().T, m, te=False),
        of_torch("argwhere", ops.argwhere, torch.argwhere, m, te=False),
        case("unique", ops.unique, many, te=False,
             want=(values, first, inverse.reshape(-1), counts)),
        case("unique_rows", lambda x: ops.unique(x, 0)[0], many[[0, 1, 0, 2]],
             want=np.unique(many, axis=0), te=False),
        case("take", lambda x, n: ops.take(x, n, 1), x, np.array([[0, -1], [3, 2]]), d=1,
             want=x.take([[0, -1], [3, 2]], 1)),
        case("take_clip", lambda x, n: ops.take(x, n, mode="clip"), x, np.array([-7, 3, 99]), d=1,
             want=x.take([-7, 3, 99], mode="clip")),
        case("take_wrap", lambda x, n: ops.take(x, n, 0, mode="wrap"), x, np.array([-7, 3, 99]),
             want=x.take([-7, 3, 99], 0, mode="wrap"), d=1),
        case("unravel_index", lambda n: ops.unravel_index(n, (3, 4, 5)), flat,
             want=np.stack(np.unravel_index(flat, (3, 4, 5)))),
        case("adv_index", lambda x, i, j: ops.adv_index(x, [i, j]), x, np.array([[0], [2]]),
             np.array([4, 0, 1]), want=x[[[0], [2]], [4, 0, 1]], d=1),
        case("invert_permutation", ops.invert_permutation, permutation,
             want=np.argsort(permutation)),
        of_torch("segment_sum", lambda x, n: ops.segment_sum(x, n, 5),
                 lambda x, n: torch.zeros(5, 3).index_add(0, n, x), floats(4, 3), segments, d=1),
        case("reverse_sequence", ops.reverse_sequence, x, lengths, d=1, want=np.stack(turned)),
        of_torch("sparse_to_dense", lambda n, v: ops.sparse_to_dense(n, (3, 4), v, 7),
                 lambda n, v: torch.full((3, 4), 7.0).index_put(tuple(n.T), v),
                 np.array([[0, 1], [2, 3]]), floats(2)),
        case("constants", lambda x: (ops.add(ops.arange(7, 1, 2), x), ops.full((2, 3), 4, "int64"),
                                     ops.zeros((2,)), ops.ones((2, 1)), ops.full_like(x, 3)),
             np.array([1, 2, 3]), want=(np.array([2, 5, 8]), np.full((2, 3), 4), np.zeros(2),
                                        np.ones((2, 1)), np.full(3, 3))),
    ]  # fmt: skip


def small_cases() -> list[Case]:
    """Return cases of elementwise operators, reductions and losses."""
    x, y, labels = floats(3, 4), floats(3, 4), RNG.integers(0, 4, 3)
    whole, by = RNG.integers(-9, 9, (3, 4)), np.array([2, -3, 4, 5])
    masks = RNG.random((3, 4)) < 0.7
    return [
        of_torch("all", lambda x: ops.all(x, 1), lambda x: x.all(1), masks),
        of_torch("any", lambda x: ops.any(x, 0, keep=True), lambda x: x.any(0, True), masks),
        of_torch("glu", ops.glu, fn.glu, x, d=1),
        of_torch("floor_divide", ops.floor_divide, torch.floor_divide, whole, by),
        of_torch("trunc_divide", ops.trunc_divide,
                 lambda x, y: torch.div(x, y, rounding_mode="trunc"), whole, by),
        of_torch("nll_loss", lambda x, n: ops.nll_loss(ops.log_softmax(x, 1), n),
                 lambda x, n: fn.nll_loss(x.log_softmax(1), n), x, labels, d=1),
        of_torch("nll_loss_weighted", lambda x, n, w: ops.nll_loss(x, n, w), fn.nll_loss, x, labels,
                 RNG.random(4).astype(np.float32), d=1),
        of_torch("bias_add", ops.bias_add, torch.add, x, y[0], d=2),
        of_torch("tensordot", lambda x, y: ops.tensordot(x, y, 1), lambda x, y: x @ y, x,
                 floats(4, 2), d=2),
    ]  # fmt: skip


def sparse_cases() -> list[Case]:
    """Return cases of sparse matrices."""
    x = floats(4, 6)
    w = np.where(RNG.random((5, 6)) < 0.4, floats(5, 6), np.float32(0))
    blocks = np.kron(np.array([[1, 0], [0, 0], [1, 1]]), np.ones((2, 3))).astype(np.float32)
    blocks *= floats(6, 6)
    square = np.where(RNG.random((5, 5)) < 0.4, floats(5, 5), np.float32(0))
    images = floats(2, 3, 5, 4)
    filters = np.where(RNG.random((4, 3, 2, 2)) < 0.5, floats(4, 3, 2, 2), np.float32(0))
    rows, values = np.array([[0, 1], [0, 2], [3, 0]]), floats(3)
    places = np.array([[0, 0, 1], [1, 0, 3], [1, 2, 5]])
    return [
        case("sparse_dense", ops.sparse_dense, x, *_csr(w), want=x @ w.T, d=2),
        case("sparse_dense_blocks", ops.sparse_dense, x, *_csr(blocks, (2, 3)),
             want=x @ blocks.T, d=2),
        case("sparse_transpose", ops.sparse_transpose, *_csr(square), want=_csr(square.T)),
        case("sparse_add", ops.sparse_add, floats(5, 6) * 0 + 2, *_csr(w), want=w + 2, d=2),
        of_torch("sparse_conv2d",
                 lambda x, *parts: ops.sparse_conv2d(x, *parts, kernel=2),
                 lambda x, *_: fn.conv2d(x, torch.tensor(filters)), images,
                 *_csr(filters.transpose(0, 2, 3, 1).reshape(4, 12)), d=2),
        case("sparse_reshape", lambda n: ops.sparse_reshape(n, (2, 3, 6), (9, -1))[0], places,
             want=np.stack(np.unravel_index(np.ravel_multi_index(tuple(places.T), (2, 3, 6)),
                                            (9, 4)), 1)),
        case("sparse_fill_empty_rows",
             lambda n, v: ops.sparse_fill_empty_rows(n, v, (5, 3), 7.0), rows, values, te=False,
             want=(np.array([[0, 1], [0, 2], [1, 0], [2, 0], [3, 0], [4, 0]]),
                   np.array([*values[:2], 7, 7, values[2], 7]),
                   np.array([False, True, True, False, True]))),
    ]  # fmt: skip


def _csr(matrix: np.ndarray[Any, Any], block: tuple[int, int] | None = None) -> tuple[Any, ...]:
    dense = torch.tensor(np.ascontiguousarray(matrix))
    with catch_warnings(action="ignore"):
        made = dense.to_sparse_bsr(block) if block else dense.to_sparse_csr()
    return made.values().numpy(), made.col_indices().numpy(), made.crow_indices().numpy()


def layout_cases() -> list[Case]:
    """Return cases of operators that arrange elements."""
    x, image, vector = floats(2, 4, 5), floats(2, 4, 6, 4), floats(3)
    bands, last = floats(2, 2, 4), image.transpose(0, 2, 3, 1).copy()
    filled = x.copy()
    for b in range(2):
        for i in range(4):
            filled[b, i, i + 1] = bands[b, 0, i]
            filled[b, i, i] = bands[b, 1, i]
    blocks = image.reshape(2, 2, 2, 6, 4)
    spread = np.full((4, 13), 7, np.float32)
    spread[::3, ::3] = x[0, :2]
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 3), (1, 2))[:, :, ::2]
    return [
        of_torch("trilu", lambda x: ops.trilu(x, 1), lambda x: x.triu(1), x, d=1),
        of_torch("tril", lambda x: ops.trilu(x, -1, upper=False), lambda x: x.tril(-1), x, d=1),
        of_torch("matrix_set_diag", lambda x, d: ops.matrix_set_diag(x, d, -2),
                 lambda x, d: x.diagonal_scatter(d, -2, 1, 2), x, floats(2, 2), d=2),
        case("matrix_set_diag_bands", lambda x, d: ops.matrix_set_diag(x, d, (0, 1)), x, bands,
             want=filled, d=2),
        case("space_to_batch_nd",
             lambda x: ops.space_to_batch_nd(x, (2, 3), [(1, 1), (2, 0)]), last,
             want=_space_to_batch(last), d=1),
        case("batch_to_space_nd",
             lambda x: ops.batch_to_space_nd(ops.space_to_batch_nd(x, (2, 3), [(1, 1), (2, 0)]),
                                             (2, 3), [(1, 1), (2, 0)]), last, want=last, d=1),
        case("layout_transform", lambda x: ops.layout_transform(x, "NCHW", "NCHW2c"), image,
             want=blocks.transpose(0, 1, 3, 4, 2), d=1),
        case("layout_transform_back", lambda x: ops.layout_transform(x, "NCHW2c", "NHWC"),
             blocks.transpose(0, 1, 3, 4, 2).copy(), want=image.transpose(0, 2, 3, 1), d=1),
        case("dilate", lambda x: ops.dilate(x, (3, 3), 7), x[0, :2], want=spread, d=1),
        case("mirror_pad", lambda x: ops.mirror_pad(x, [(0, 0), (2, 1), (0, 3)], symmetric=True), x,
             want=np.pad(x, [(0, 0), (2, 1), (0, 3)], "symmetric"), d=1),
        case("mirror_pad_edge", lambda x: ops.mirror_pad(x, [(0, 0), (2, 1), (0, 3)]), x,
             want=np.pad(x, [(0, 0), (2, 1), (0, 3)], "reflect"), d=1),
        case("sliding_window", lambda x: ops.sliding_window(x, 1, (2, 3), (1, 1)), x,
             want=np.lib.stride_tricks.sliding_window_view(x, (2, 3), (1, 2)), d=1),
        case("sliding_window_strided", lambda x: ops.sliding_window(x, 1, (2, 3), (1, 2)), x,
             want=windows, d=1),
        of_torch("unstack", lambda x: ops.unstack(x, 1), lambda x: x.unbind(1), x, d=1),
        of_torch("meshgrid", lambda x, y: ops.meshgrid([x, y]),
                 lambda x, y: torch.meshgrid(x, y, indexing="ij"), vector, vector[:2], d=2),
        of_torch("meshgrid_xy", lambda x, y: ops.meshgrid([x, y], indexing="xy"),
                 lambda x, y: torch.meshgrid(x, y, indexing="xy"), vector, vector[:2], d=2),
        case("strided_slice", lambda x: ops.strided_slice(x, (3, -1), (0, 0), (-1, -2), (1, 2)), x,
             want=x[:, 3:0:-1, -1:0:-2], d=1),
        case("slice_like", lambda x, y: ops.slice_like(x, y, (1,)), x, vector.reshape(1, 3),
             want=x[:, :3], d=1),
        of_torch("sum_to", lambda x: ops.sum_to(x, (4, 1)), lambda x: x.sum_to_size(4, 1), x, d=1),
        case("fifo_buffer", lambda x, b: ops.fifo_buffer(x, b, 1), x[:, :1], x, d=2,
             want=np.concatenate([x[:, 1:], x[:, :1]], 1)),
    ]  # fmt: skip


def _space_to_batch(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    padded = np.pad(x, [(0, 0), (1, 1), (2, 0), (0, 0)])
    return np.concatenate([padded[:, i::2, j::3] for i in range(2) for j in range(3)])


def window_cases() -> list[Case]:
    """Return cases of convolutions, pools, resizing and sampling."""
    line, image, volume = floats(2, 4, 9), floats(2, 4, 7, 6), floats(1, 2, 5, 4, 6)
    theta, window = floats(2, 2, 3), floats(4, 2, 2)
    filters, mask = floats(6, 2, 3, 2), RNG.random((2, 12, 5, 5)).astype(np.float32)
    offset = floats(2, 24, 5, 5) * 0.7
    pair = floats(1, 3, 6, 6), floats(1, 3, 6, 6)
    numbers, bits = RNG.integers(0, 4, (3, 8)), RNG.integers(0, 4, (5, 8))
    signed = 2 * bits - 3
    return [
        of_torch("conv1d", lambda x, w: ops.conv1d(x, w, strides=2, padding=1, groups=2),
                 lambda x, w: fn.conv1d(x, w, None, 2, 1, 1, 2), line, floats(6, 2, 3), d=2),
        of_torch("conv3d", lambda x, w, b: ops.conv3d(x, w, b, strides=(1, 2, 1), padding=1),
                 lambda x, w, b: fn.conv3d(x, w, b, (1, 2, 1), 1), volume, floats(3, 2, 2, 3, 2),
                 floats(3), d=3),
        of_torch("transposed_conv1d",
                 lambda x, w: ops.transposed_conv(x, w, strides=3, padding=1, output_padding=2),
                 lambda x, w: fn.conv_transpose1d(x, w, None, 3, 1, 2), line, floats(4, 2, 3), d=2),
        of_torch("transposed_conv2d",
                 lambda x, w, b: ops.transposed_conv(x, w, b, strides=2, groups=2, dilation=2),
                 lambda x, w, b: fn.conv_transpose2d(x, w, b, 2, 0, 0, 2, 2), image,
                 floats(4, 3, 2, 3), floats(6), d=3),
        case("deformable_conv2d",
             lambda x, o, w, m: ops.deformable_conv2d(x, o, w, m, padding=1, strides=(1, 1),
                                                      groups=2, offset_groups=2, dilation=(2, 1)),
             image[:, :, :, :4], offset, filters, mask, d=4,
             want=of_runtime("DeformConv", (image[:, :, :, :4], filters, offset,
                                            np.zeros(6, np.float32), mask), reference=True,
                             pads=[1] * 4, group=2, offset_group=2, dilations=[2, 1])),
        of_torch("max_pool1d", lambda x: ops.max_pool(x, 3, strides=2, padding=1),
                 lambda x: fn.max_pool1d(x, 3, 2, 1), line, d=1),
        of_torch("avg_pool3d", lambda x: ops.avg_pool(x, (2, 1, 3), strides=1, count_pad=True),
                 lambda x: fn.avg_pool3d(x, (2, 1, 3), 1), volume, d=1),
        of_torch("adaptive_avg_pool", lambda x: ops.adaptive_avg_pool(x, (3, 4)),
                 lambda x: fn.adaptive_avg_pool2d(x, (3, 4)), image, d=1),
        of_torch("adaptive_max_pool", lambda x: ops.adaptive_max_pool(x, (3, 4)),
                 lambda x: fn.adaptive_max_pool2d(x, (3, 4)), image, d=1),
        of_torch("adaptive_avg_pool3d", lambda x: ops.adaptive_avg_pool(x, 3),
                 lambda x: fn.adaptive_avg_pool3d(x, 3), volume, d=1),
        of_torch("resize", lambda x: ops.resize(x, (5, 9)),
                 lambda x: fn.interpolate(x, (5, 9), mode="bilinear"), image, d=1),
        of_torch("resize_cubic",
                 lambda x: ops.resize(x, (9, 4), method="cubic", coordinates="align_corners"),
                 lambda x: fn.interpolate(x, (9, 4), mode="bicubic", align_corners=True), image,
                 d=1),
        of_torch("resize_1d", lambda x: ops.resize(x, 4, method="nearest", nearest="floor",
                                                   coordinates="asymmetric"),
                 lambda x: fn.interpolate(x, 4), line, d=1),
        of_torch("affine_grid", lambda t: ops.affine_grid(t, (3, 5), align=True),
                 lambda t: fn.affine_grid(t, [2, 1, 3, 5], align_corners=True), theta, d=1),
        case("dilation2d", lambda x, w: ops.dilation2d(x, w, strides=2, padding=1, dilation=(1, 2)),
             image, window, want=_dilation(image, window), d=2),
        case("correlation",
             lambda x, y: ops.correlation(x, y, displacement=2, kernel=3, step=2, padding=2),
             *pair, want=_correlation(*pair), d=2),
        case("bitserial_dense", lambda x, w: ops.bitserial_dense(x, w, bits=2),
             numbers.astype(np.uint8), bits.astype(np.uint8),
             want=(numbers @ signed.T).astype(np.int32)),
        of_torch("bitserial_conv2d",
                 lambda x, w: ops.bitserial_conv2d(x, w, unipolar=False, padding=1),
                 lambda x, w: fn.conv2d(x.double(), w.double(), padding=1).int(),
                 RNG.integers(0, 4, (1, 2, 4, 4)).astype(np.uint8),
                 RNG.integers(0, 2, (3, 2, 3, 3)).astype(np.uint8)),
    ]  # fmt: skip


def _dilation(x: Any, w: Any) -> np.ndarray[Any, Any]:
    n, c, h, wd = x.shape
    out = np.full((n, c, (h + 2 - 2) // 2 + 1, (wd + 2 - 3) // 2 + 1), -np.inf, np.float32)
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)], constant_values=-np.inf)
    for y in range(out.shape[2]):
        for z in range(out.shape[3]):
            part = padded[:, :, 2 * y : 2 * y + 2, 2 * z : 2 * z + 3 : 2]
            out[:, :, y, z] = (part + w).max((2, 3))
    return out


def _correlation(x: Any, y: Any) -> np.ndarray[Any, Any]:
    x, y = (np.pad(z[0], [(0, 0), (2, 2), (2, 2)]) for z in (x, y))
    out = np.zeros((1, 9, 4, 4), np.float32)
    for k, (dy, dx) in enumerate((a, b) for a in (-2, 0, 2) for b in (-2, 0, 2)):
        for i in range(4):
            for j in range(4):
                own = x[:, 2 + i : 5 + i, 2 + j : 5 + j]
                other = y[:, 2 + i + dy : 5 + i + dy, 2 + j + dx : 5 + j + dx]
                out[0, k, i, j] = (own * other).mean()
    return out


def signal_cases() -> list[Case]:
    """Return cases of Einstein sums and Fourier transforms."""
    x, line = floats(2, 6, 2), floats(2, 12)
    window = np.hanning(4).astype(np.float32)
    matrix = floats(4, 5)
    return [
        of_torch("einsum", lambda x, y: ops.einsum("bij,jk->bik", x, y),
                 lambda x, y: torch.einsum("bij,jk->bik", x, y), x, floats(2, 3), d=2),
        of_torch("einsum_diagonal", lambda x: ops.einsum("ii->i", x), lambda x: x.diagonal(),
                 matrix[:, :4].copy(), d=1),
        of_torch("dft", lambda x: ops.dft(x, 1, length=8),
                 lambda x: torch.view_as_real(torch.fft.fft(torch.view_as_complex(x), 8)), x, d=1),
        of_torch("dft_real", lambda x: ops.dft(x, 1, onesided=True),
                 lambda x: torch.view_as_real(torch.fft.rfft(x[..., 0])), x[..., :1].copy(), d=1),
        of_torch("dft_inverse", lambda x: ops.dft(x, 1, inverse=True, onesided=True),
                 lambda x: torch.fft.irfft(torch.view_as_complex(x))[..., None], x, d=1),
        of_torch("stft", lambda x, w: ops.stft(x, 2, w),
                 lambda x, w: torch.view_as_real(torch.stft(
                     x, 4, 2, window=w, center=False, return_complex=True)).transpose(1, 2),
                 line, window, d=2),
    ]  # fmt: skip


def qnn_cases() -> list[Case]:
    """Return cases of quantized operators."""
    x, y = (RNG.integers(-128, 128, (3, 8)).astype(np.int8) for _ in range(2))
    scales = 0.0513, 3, 0.0217, -5, 0.0731, 2
    given = tuple(np.float32(s) if n % 2 == 0 else np.int8(s) for n, s in enumerate(scales))
    operands = (x, *given[:2], y, *given[2:])
    real = floats(3, 8) * 5
    image = RNG.integers(0, 256, (1, 2, 5, 5)).astype(np.uint8)
    filters = RNG.integers(-128, 128, (3, 2, 3, 3)).astype(np.int8)
    per_row = np.array([0.1, 0.2, 0.3], np.float32)
    zeros = np.array([1, -2, 3], np.int8)
    total = RNG.integers(-9000, 9000, (3, 8)).astype(np.int32)
    runtime = partial(of_runtime, domain="com.microsoft", kind=onnx.TensorProto.INT8)
    dense = (x.astype(np.int32) - 3) @ (y.astype(np.int32) + 5).T
    return [
        case("qnn_quantize", lambda x, s, z: ops.qnn_quantize(x, s, z, axis=0), real, per_row,
             zeros, want=of_runtime("QuantizeLinear", (real, per_row, zeros), axis=0,
                                    kind=onnx.TensorProto.INT8)),
        case("qnn_dequantize", lambda x: ops.qnn_dequantize(x, 0.0513, 3), x,
             want=of_runtime("DequantizeLinear", (x, *given[:2]))),
        case("qnn_add", lambda x, y: ops.qnn_add(x, y, *scales), x, y,
             want=runtime("QLinearAdd", operands)),
        case("qnn_mul", lambda x, y: ops.qnn_mul(x, y, *scales), x, y,
             want=runtime("QLinearMul", operands)),
        case("qnn_subtract", lambda x, y: ops.qnn_subtract(x, y, *scales), x, y,
             want=_quantized((x - 3.0) * 0.0513 - (y + 5.0) * 0.0217, 0.0731, 2)),
        case("qnn_requantize", lambda x: ops.qnn_requantize(x, 0.0103, 0, 0.5, 4), total,
             want=_quantized(total * np.float32(0.0103), 0.5, 4)),
        case("qnn_map", lambda x: ops.qnn_map(ops.sigmoid, x, 0.0513, 3, 1 / 256, -128), x,
             want=runtime("QLinearSigmoid", (x, *given[:2], np.float32(1 / 256), np.int8(-128)))),
        case("qnn_concatenate",
             lambda x, y: ops.qnn_concatenate([x, y], scales[::2][:2], (3, -5), 0.0731, 2, 1), x, y,
             want=runtime("QLinearConcat", (*given[4:], x, *given[:2], y, *given[2:4]), axis=1)),
        case("qnn_dense", lambda x, y: ops.qnn_dense(x, y, 3, -5), x, y, want=dense),
        case("qnn_batch_matmul", lambda x, y: ops.qnn_batch_matmul(x, y), x[None], y.T[None].copy(),
             want=x[None].astype(np.int32) @ y.T[None].astype(np.int32)),
        of_torch("qnn_conv2d", lambda x, w: ops.qnn_conv2d(x, w, 7, 1, padding=1, strides=2),
                 lambda x, w: fn.conv2d(x.double() - 7, w.double() - 1, None, 2, 1).int(), image,
                 filters),
        of_torch("qnn_conv2d_transpose",
                 lambda x, w: ops.qnn_conv2d_transpose(x, w, 7, 1, strides=2, padding=1),
                 lambda x, w: fn.conv_transpose2d(x.double() - 7, w.double() - 1, None, 2, 1).int(),
                 image, filters.transpose(1, 0, 2, 3).copy()),
        case("simulated_quantize", lambda x: ops.simulated_quantize(x, 0.05, 3), real,
             want=_quantized(real, 0.05, 3).astype(np.float32)),
        case("simulated_dequantize", lambda x: ops.simulated_dequantize(x, 0.05, 3),
             np.float32([1, 4]), want=np.float32([-0.1, 0.05])),
        case("fixed_point_multiply", lambda x: ops.fixed_point_multiply(x, 1395864371, 1), total,
             want=np.floor(total.astype(object) * 1395864371 / 2**30 + 0.5).astype(np.int32)),
    ]  # fmt: skip


def _quantized(x: np.ndarray[Any, Any], scale: float, zero: int) -> np.ndarray[Any, Any]:
    return np.clip(np.rint(x / np.float32(scale)) + zero, -128, 127).astype(np.int8)


def box_cases() -> list[Case]:
    """Return cases of operators on boxes."""
    boxes = RNG.random((2, 6, 4)).astype(np.float32)
    boxes = np.concatenate([boxes[..., :2], boxes[..., :2] + boxes[..., 2:] + 0.1], -1)
    others = boxes[:, :4] + np.float32(0.03)
    scores = RNG.random((2, 3, 6)).astype(np.float32)
    rows = np.concatenate([RNG.integers(-1, 2, (2, 6, 1)), scores[:, 0, :, None], boxes], -1)
    rows = rows.astype(np.float32)
    image = floats(2, 3, 5, 6)
    corners = np.float32([[0.05, 0.1, 1.2, 0.83], [0.53, 0.97, 0.1, 0.25]])
    numbers = np.array([1, 0], np.int32)
    limits = np.int64(4), np.float32(0.3), np.float32(0.2)
    chances, moves = RNG.dirichlet(np.ones(3), (2, 6)).transpose(0, 2, 1), floats(2, 24)
    chances = chances.astype(np.float32)
    objects, shifts = RNG.random((2, 8, 3, 4)).astype(np.float32), floats(2, 16, 3, 4) * 0.2
    sizes = np.float32([[24, 32, 1], [20, 30, 1.5]])
    y, xs = np.meshgrid((np.arange(2) + 0.5) / 2, (np.arange(3) + 0.5) / 3, indexing="ij")
    return [
        case("box_iou", ops.box_iou, boxes, others, want=_ious(boxes, others),
             d=2),
        case("all_class_non_max_suppression",
             lambda b, s: ops.all_class_non_max_suppression(b, s, 4, 0.3, 0.2), boxes, scores,
             te=False, want=of_runtime("NonMaxSuppression", (boxes, scores, *limits),
                                       kind=onnx.TensorProto.INT64)),
        case("get_valid_counts", lambda x: ops.get_valid_counts(x, 0.4), rows,
             want=_valid(rows, 0.4)),
        *(case(f"non_max_suppression_{across}_{limit}",
               lambda x, n, across=across, limit=limit: ops.non_max_suppression(
                   x, n, iou=0.3, across_classes=across, limit=limit, top_k=5), rows,
               np.array([6, 5], np.int32), te=False,
               want=_suppressed(rows, (6, 5), across=across, limit=limit))
          for across, limit in ((False, -1), (True, 2))),
        case("multibox_prior", lambda x: ops.multibox_prior(x, (0.5, 0.25), (1, 2)),
             floats(1, 1, 2, 3), want=_anchors(xs, y)),
        case("multibox_transform_loc", ops.multibox_transform_loc, chances, moves, boxes[:1],
 want=_detections(chances, moves, boxes[0])),
        case("crop_and_resize", lambda x, b, n: ops.crop_and_resize(x, b, n, (4, 3), outside=9),
             image, corners, numbers, d=2, want=of_runtime(
                 "CropAndResize", (image, corners, numbers, np.int32([4, 3])),
                 domain="com.microsoft", extrapolation_value=9.0)),
        case("crop_and_resize_nearest",
             lambda x, b, n: ops.crop_and_resize(x, b, n, (4, 3), method="nearest"), image, corners,
             numbers, d=1, want=of_runtime(
                 "CropAndResize", (image, corners, numbers, np.int32([4, 3])),
                 domain="com.microsoft", mode="nearest")),
        case("yolo_reorg", lambda x: ops.yolo_reorg(x, 2), image[:1, :, :4].repeat(4, 1)[:, :4],
             want=_reorganized(image[:1, :, :4].repeat(4, 1)[:, :4], 2), d=1),
        case("proposal", lambda c, m, i: ops.proposal(c, m, i, scales=(1, 2), ratios=(0.5, 2),
                                                      stride=8, before=9, count=30, least=4),
             objects, shifts, sizes, te=False, want=_proposed(objects, shifts, sizes, 30)),
    ]  # fmt: skip


def _ious(x: Any, y: Any) -> np.ndarray[Any, Any]:
    """Return the intersection over union of each pair of boxes, one by one."""
    out = np.zeros((*x.shape[:2], y.shape[1]), np.float32)
    for b, i, j in np.ndindex(out.shape):
        p, q = x[b, i], y[b, j]
        shared = np.prod([max(min(p[n + 2], q[n + 2]) - max(p[n], q[n]), 0) for n in (0, 1)])
        areas = [np.prod(r[2:] - r[:2]) for r in (p, q)]
        out[b, i, j] = shared / (sum(areas) - shared)
    return out


def _valid(rows: Any, threshold: float) -> tuple[Any, ...]:
    kept = (rows[..., 1] > threshold) & (rows[..., 0] >= 0)
    moved, places = np.full_like(rows, -1), np.full(rows.shape[:2], -1, np.int32)
    for b in range(len(rows)):
        found = np.flatnonzero(kept[b])
        moved[b, : len(found)], places[b, : len(found)] = rows[b, found], found
    return kept.sum(1).astype(np.int32), moved, places


def _suppressed(rows: Any, counts: Any, *, across: bool, limit: int) -> np.ndarray[Any, Any]:
    """Return the rows that onnxruntime keeps of the five best of each batch entry."""
    out = np.full_like(rows, -1)
    for b, count in enumerate(counts):
        best = np.argsort(-rows[b, :count, 1], kind="stable")[:5]
        label = np.zeros(len(best)) if across else rows[b, best, 0]
        classes = [np.where(label == c, rows[b, best, 1], -1) for c in np.unique(label)]
        scores = np.stack(classes)[None].astype(np.float32)
        found = of_runtime("NonMaxSuppression", (rows[b : b + 1, best, 2:].copy(), scores,
                           np.int64(9), np.float32(0.3), np.float32(0)),
                           kind=onnx.TensorProto.INT64)  # fmt: skip
        kept = best[np.sort(found[:, 2])][: limit if limit >= 0 else None]
        out[b, : len(kept)] = rows[b, kept]
    return out


def _anchors(x: Any, y: Any) -> np.ndarray[Any, Any]:
    made = []
    for cy, cx in zip(y.flat, x.flat, strict=True):
        for w, h in (
            (0.5 * 2 / 3, 0.5),
            (0.25 * 2 / 3, 0.25),
            (0.5 * 2 / 3 * 2**0.5, 0.5 / 2**0.5),
        ):
            made.append([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2])
    return np.float32(made)[None]


def _detections(chances: Any, moves: Any, anchors: Any) -> tuple[Any, Any]:
    """Return the decoded detections of a network with anchors, anchor by anchor."""
    out, counts = np.full((2, 6, 6), -1, np.float32), np.zeros(2, np.int32)
    for b in range(2):
        for n, (x1, y1, x2, y2) in enumerate(anchors):
            label, (dx, dy, dw, dh) = chances[b, 1:, n].argmax(), moves[b, 4 * n : 4 * n + 4]
            w, h = x2 - x1, y2 - y1
            cx, cy = dx * 0.1 * w + (x1 + x2) / 2, dy * 0.1 * h + (y1 + y2) / 2
            hw, hh = np.exp(dw * 0.2) * w / 2, np.exp(dh * 0.2) * h / 2
            corners = np.clip([cx - hw, cy - hh, cx + hw, cy + hh], 0, 1)
            out[b, counts[b]] = [label, chances[b, 1 + label, n], *corners]
            counts[b] += 1
    return out, counts


def _reorganized(x: Any, stride: int) -> np.ndarray[Any, Any]:
    """Return the result of Darknet's reorganization, element by element, by flat positions."""
    _, c, h, w = x.shape
    flat, out = x.reshape(-1), np.zeros(x.size, np.float32)
    parts = c // stride**2
    for k in range(c):
        for j in range(h):
            for i in range(w):
                offset = k // parts
                column, row = i * stride + offset % stride, j * stride + offset // stride
                source = column + w * stride * (row + h * stride * (k % parts))
                out[i + w * (j + h * k)] = flat[source]
    return out.reshape(1, c * stride**2, h // stride, w // stride)


def _proposed(objects: Any, shifts: Any, sizes: Any, count: int) -> np.ndarray[Any, Any]:
    """Return the regions of a region proposal network, box by box."""
    out: list[Any] = []
    for b in range(2):
        found: list[Any] = []
        for y, x, k in np.ndindex(3, 4, 4):
            ratio, scale = ((0.5, 1), (0.5, 2), (2, 1), (2, 2))[k]
            w = round((64 / ratio) ** 0.5)
            w, h = w * scale, round(w * ratio) * scale
            dx, dy, dw, dh = shifts[b, 4 * k : 4 * k + 4, y, x]
            cx, cy = x * 8 + 4 + dx * w, y * 8 + 4 + dy * h
            w, h = w * np.exp(dw), h * np.exp(dh)
            high, wide = sizes[b, 0] - 1, sizes[b, 1] - 1
            box = [cx - w / 2, cy - h / 2, cx + w / 2 - 1, cy + h / 2 - 1]
            x1, y1, x2, y2 = np.clip(box, 0, [wide, high, wide, high])
            is_small = min(x2 - x1 + 1, y2 - y1 + 1) < 4 * sizes[b, 2]
            found.append((-1 if is_small else objects[b, 4 + k, y, x], (x1, y1, x2, y2)))
        best = np.float32([box for _, box in sorted(found, key=lambda row: -row[0])[:9]])
        ends = best + np.float32([0, 0, 1, 1])
        kept: list[int] = []
        for n in range(9):
            clash = _ious(ends[None, n : n + 1], ends[None, kept])[0, 0] if kept else [0]
            kept += [n] if max(clash) < 0.7 else []
        out += [[b, *best[kept[n % min(len(kept), count)]]] for n in range(count)]
    return np.float32(out)


PARTS: dict[str, Callable[[], list[Case]]] = {
    "small": small_cases, "position": position_cases, "layout": layout_cases,
    "sparse": sparse_cases, "window": window_cases, "signal": signal_cases, "qnn": qnn_cases,
    "box": box_cases,
}  # fmt: skip
START = RNG.bit_generator.state


def cases_of(part: str) -> list[Case]:
    """Return the cases of a part, with the same arrays whichever other parts are in use."""
    RNG.bit_generator.state = START
    return PARTS[part]()
