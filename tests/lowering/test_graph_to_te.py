"""graph-to-te preserves semantics: the graph interpreter before, the te interpreter after."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ModuleOp, f32, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser

from tilewright.dialects import packed
from tilewright.dialects.dtypes import element_type
from tilewright.dialects.graph import (
    ELEMENTWISE,
    GRAPH,
    ArgReduceOp,
    BitcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    CumulativeOp,
    GatherElementsOp,
    GatherNdOp,
    GatherOp,
    MatmulOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ReshapeOp,
    SizeOp,
    SliceOp,
    SoftmaxOp,
)
from tilewright.dialects.shape import tensor_type
from tilewright.dialects.te import ComputeOp
from tilewright.dialects.te.role import Concat
from tilewright.dialects.weights import WeightAttr
from tilewright.interp import te
from tilewright.interp.graph import run_graph
from tilewright.lowering.graph_to_te import GraphToTe, conv
from tilewright.lowering.graph_to_te.convert import RULES
from tilewright.lowering.graph_to_te.move import reshape_positions
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context
from tilewright.testing.op_case import check_te

from ..ops.case import Array, OpCase, assert_close
from ..ops.cases import CASES
from ..sweeps import examples, sampled

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOAT8 = np.dtype(ml_dtypes.float8_e4m3fn)


def lower(module: ModuleOp) -> ModuleOp:
    """Lower a module in place and verify it."""
    GraphToTe().apply(new_context(), module)
    module.verify()
    return module


def assert_parses_back(module: ModuleOp) -> None:
    again = Parser(new_context(), str(module)).parse_module()
    again.verify()
    assert str(again) == str(module)


def assert_equal(got: Array, expected: Array, ulp: float) -> None:
    """Compare like assert_close; narrow floats as f32, because numpy does not know their NaN."""
    assert got.dtype == expected.dtype
    if expected.dtype.kind == "V":
        step = ulp * float(ml_dtypes.finfo(expected.dtype).eps)
        got, expected = got.astype(np.float32), expected.astype(np.float32)
        np.testing.assert_allclose(got, expected, rtol=step, atol=step)
    else:
        assert_close(got, expected, ulp)


def module_of(build: Callable[..., Operation], *arrays: Array) -> tuple[ModuleOp, FuncOp]:
    func = FuncOp("main", ([tensor_type(element_type(a.dtype), a.shape) for a in arrays], []))
    op = build(*func.body.block.args)
    func.body.block.add_ops([op, ReturnOp(*op.results)])
    func.update_function_type()
    return ModuleOp([func]), func


def check(build: Callable[..., Operation], *arrays: Array, ulp: float = 0) -> ModuleOp:
    """Lower a function of one op and compare its results before and after."""
    module, func = module_of(build, *arrays)
    module.verify()
    expected = run_graph(func, *arrays)
    lower(module)
    for got, one in zip(te.run(module, *arrays), expected, strict=True):
        assert_equal(got, one, ulp)
    return module


def random(*shape: int, dtype: Any = np.float32, seed: int = 0) -> Array:
    dtype, rng = np.dtype(dtype), np.random.default_rng(seed)
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        return rng.integers(bounds.min, bounds.max, shape, dtype, endpoint=True)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    return rng.standard_normal(shape).astype(dtype)


def compute_of(module: ModuleOp, name: str) -> ComputeOp:
    return next(
        op for op in module.walk() if isinstance(op, ComputeOp) and op.sym_name.data == name
    )


def test_every_graph_op_has_a_lowering() -> None:
    assert {op.name for op in RULES} == {op.name for op in GRAPH.operations}


@pytest.mark.parametrize("case", sampled(CASES, lambda case: case.name, one_in=12))
def test_case_is_equal_before_and_after(case: OpCase) -> None:
    """Check a sample: ops/test_stages.py compares all cases before and after each pass."""
    check_te(case)


NARROW = [np.dtype(np.float16), BFLOAT16, FLOAT8]
INTEGERS = [np.dtype(t) for t in (np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64)]
OTHER_TYPES = [
    (name, dtype)
    for name, op in ELEMENTWISE.items()
    for dtype in (*NARROW, np.dtype(np.int8), np.dtype(np.uint8), np.dtype(np.uint64))
    if op.KIND in ("any", "number", *(("integer", "bits") if dtype.kind in "iu" else ("float",)))
]


def elementwise_operands(name: str, dtype: np.dtype[Any]) -> list[Array]:
    """Return random operands that include the special values of the type."""
    count = len(ELEMENTWISE[name].get_irdl_definition().operands)
    operands = [random(40, dtype=dtype, seed=n) for n in range(count)]
    if dtype.kind in "iu":
        if count == 2 and name in ("shl", "shr", "pow"):
            operands[1] = (np.arange(40) % 12).astype(dtype)
        operands[-1][:4] = 0
        operands[0][4:8] = np.iinfo(dtype).min
        if dtype.kind == "i":
            operands[-1][3:10] = -1
        return operands
    special = np.array([0, -0.0, np.nan, 1, -1, 240, 2.5], np.float32).astype(dtype)
    operands[0][:7] = special
    operands[-1][3:10] = special
    return operands


@pytest.mark.parametrize(("name", "dtype"), OTHER_TYPES, ids=str)
def test_elementwise_in_other_types(name: str, dtype: np.dtype[Any]) -> None:
    with np.errstate(all="ignore"):
        check(ELEMENTWISE[name], *elementwise_operands(name, dtype), ulp=name == "sigmoid")


ALL_TYPES = [np.dtype(t) for t in (np.float32, np.float64, np.int32, np.int64, bool)]
ALL_TYPES += [*NARROW, *INTEGERS]


@pytest.mark.parametrize("source", ALL_TYPES, ids=str)
def test_cast_to_all_types(source: np.dtype[Any]) -> None:
    x = random(50, dtype=source)
    if source.kind in "fV":
        special = np.array([np.nan, np.inf, -np.inf, 300, -300, 1e9, -1e9, 464], np.float64)
        with np.errstate(all="ignore"):
            x[:8] = special.astype(source)
    for target in ALL_TYPES:
        check(lambda v, to=target: CastOp(v, element_type(to)), x)
    check(lambda v: CastOp(v, element_type(FLOAT8), False), x)


def test_signature_is_signless_and_recorded() -> None:
    x = random(4, dtype=np.uint8)
    module = check(ELEMENTWISE["div"], x, random(4, dtype=np.uint8, seed=1))
    (func,) = module.body.block.ops
    assert isinstance(func, FuncOp)
    assert str(func.function_type) == "(tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>"
    assert str(func.attributes["tw.arg_dtypes"]) == '["uint8", "uint8"]'
    assert str(func.attributes["tw.result_dtypes"]) == '["uint8"]'


def test_layout_annotation_goes_to_the_result() -> None:
    layout = AffineMapAttr(AffineMap.from_callable(lambda n, c: (n, c // 8, c % 8)))
    module, func = module_of(ELEMENTWISE["abs"], random(2, 16))
    op = func.body.block.first_op
    assert op is not None
    op.attributes["layout"] = layout
    assert compute_of(lower(module), "abs").view().outputs[0].layout == layout


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_statistics_that_nobody_reads_have_the_types_of_the_op(
    dtype: type[np.floating[Any]], center: bool
) -> None:
    func = FuncOp("main", ([tensor_type(element_type(np.dtype(dtype)), (3, 8))], []))
    op = NormalizeOp(func.body.block.args[0], axes=[1], eps=1e-5, center=center)
    func.body.block.add_ops([op, ReturnOp(op.out)])
    func.update_function_type()
    module = ModuleOp([func])
    x = np.linspace(-1, 2, 24).reshape(3, 8).astype(dtype)
    expected = run_graph(func, x)
    GraphToTe().apply(new_context(), module)
    for got, wanted in zip(te.run(module, x), expected, strict=True):
        assert_close(got, wanted, 4)


def test_unsigned_constant_keeps_its_bits() -> None:
    graph = ELEMENTWISE["max"]
    values = np.array([200, 3], np.uint8)

    def build(x: Any) -> Operation:
        constant = ConstantOp(values)
        x.owner.add_op(constant)
        return graph(x, constant.out)

    module = check(build, np.array([100, 100], np.uint8))
    (constant,) = [op for op in module.walk() if isinstance(op, packed.ConstantOp)]
    assert constant.value.array.tolist() == [-56, 3]


@given(
    spatial=st.lists(st.integers(3, 9), min_size=1, max_size=3),
    seed=st.integers(0, 1000),
    groups=st.sampled_from([1, 2, 4]),
    data=st.data(),
)
@examples(60)
def test_convolutions(spatial: list[int], seed: int, groups: int, data: st.DataObject) -> None:
    rank = len(spatial)
    window = drawn_window(data, spatial)
    kernel = window.pop("kernel")
    x = random(2, 4, *spatial, seed=seed)
    w = random(8, 4 // groups, *kernel, seed=seed + 1)
    operands = (x, w, random(8)) if data.draw(st.booleans()) else (x, w)
    assert rank + 2 == x.ndim
    check(lambda *v: ConvOp(*v, groups=groups, **window), *operands, ulp=32)


@given(
    size=st.integers(1, 7),
    kernel=st.integers(1, 4),
    stride=st.integers(1, 3),
    dilation=st.integers(1, 9),
    low=st.integers(0, 30),
    extra=st.integers(0, 20),
)
@examples(80)
def test_outer_taps_that_read_only_padding_are_left_out(
    size: int, kernel: int, stride: int, dilation: int, low: int, extra: int
) -> None:
    high = max(0, (kernel - 1) * dilation + 1 - size - low) + extra
    window = {"strides": [stride], "dilations": [dilation], "pads": [low, high]}
    w = random(4, 3, kernel, seed=1)

    def build(x: Any) -> Operation:
        constant = ConstantOp(w)
        x.owner.add_op(constant)
        return ConvOp(x, constant.out, **window)

    module = check(build, random(2, 3, size), ulp=32)
    outputs = (size + low + high - (kernel - 1) * dilation - 1) // stride + 1
    at = np.arange(outputs)[:, None] * stride + np.arange(kernel) * dilation - low
    (busy,) = np.nonzero(((at >= 0) & (at < size)).any(0))
    expected = w[:, :, busy[0] : busy[-1] + 1] if busy.size else w[:, :, :1]
    constant = compute_of(module, "conv").view().inputs[1].value.owner
    np.testing.assert_array_equal(constant.value.array, expected)


@given(
    sizes=st.lists(st.integers(8, 14), min_size=2, max_size=3),
    strides=st.lists(st.integers(1, 3), min_size=3, max_size=3),
    pads=st.lists(st.integers(0, 3), min_size=6, max_size=6),
    ceil=st.booleans(),
    data=st.data(),
)
@examples(30)
def test_large_maximum_pools_go_dimension_by_dimension(
    sizes: list[int], strides: list[int], pads: list[int], ceil: bool, data: st.DataObject
) -> None:
    rank = len(sizes)
    kernel = [data.draw(st.integers(5, 7)) for _ in sizes]
    kernel[0] = data.draw(st.sampled_from([1, 6]))
    window = {
        "kernel": kernel,
        "strides": strides[:rank],
        "dilations": [1] * rank,
        "pads": [min(p, k - 1) for p, k in zip(pads, kernel * 2, strict=False)],
        "ceil": ceil,
    }
    x = random(1, 3, *sizes)
    x[0, 0, 0] = np.nan
    module = check(lambda v: PoolOp(v, kind="max", **window), x)
    large = sum(k > 1 for k in kernel)
    stages = large if np.prod(kernel) > 2 * sum(k for k in kernel if k > 1) else 1
    names = [op.sym_name.data for op in module.walk() if isinstance(op, ComputeOp)]
    assert names == ["pool_max"] * (stages if large > 1 else 1)


def drawn_window(data: st.DataObject, spatial: list[int]) -> dict[str, list[int]]:
    """Draw kernel, strides, dilations and pads that leave at least one position."""
    rank = len(spatial)
    dilations = [data.draw(st.integers(1, 2)) for _ in range(rank)]
    kernel = [
        data.draw(st.integers(1, min(3, (n - 1) // d + 1)))
        for n, d in zip(spatial, dilations, strict=True)
    ]
    return {
        "kernel": kernel,
        "dilations": dilations,
        "strides": [data.draw(st.integers(1, 3)) for _ in range(rank)],
        "pads": [data.draw(st.integers(0, k - 1)) for k in kernel * 2],
    }


@given(
    spatial=st.lists(st.integers(3, 9), min_size=1, max_size=2),
    kind=st.sampled_from(["max", "avg", "sum", "lp"]),
    ceil=st.booleans(),
    count_pad=st.booleans(),
    data=st.data(),
)
@examples(60)
def test_pools(
    spatial: list[int], kind: str, ceil: bool, count_pad: bool, data: st.DataObject
) -> None:
    window = drawn_window(data, spatial)
    options = {"kind": kind, "ceil": ceil, "count_pad": count_pad, **window}
    check(lambda x: PoolOp(x, p=3, **options), random(1, 3, *spatial), ulp=32)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.float16, BFLOAT16], ids=str)
def test_max_pool_of_narrow_types(dtype: Any) -> None:
    window = {"kernel": [3, 3], "strides": [2, 2], "dilations": [1, 1], "pads": [1, 1, 1, 1]}
    check(lambda x: PoolOp(x, kind="max", **window), random(1, 2, 7, 7, dtype=dtype))


FACTORS = st.lists(st.sampled_from([1, 2, 3, 4, 5]), min_size=0, max_size=5)


def merged(factors: list[int], data: st.DataObject) -> list[int]:
    """Multiply neighbouring factors at random places."""
    sizes: list[int] = []
    for factor in factors:
        if sizes and data.draw(st.booleans()):
            sizes[-1] *= factor
        else:
            sizes.append(factor)
    return sizes


@given(factors=FACTORS, data=st.data())
@examples(80)
def test_reshapes(factors: list[int], data: st.DataObject) -> None:
    old = merged(factors, data)
    new = merged(data.draw(st.permutations(factors)), data)
    check(lambda x: ReshapeOp(x, new), random(*old))


def test_reshape_takes_dimensions_in_groups() -> None:
    axes = {"i": 2, "j": 12, "k": 5}
    positions = reshape_positions(axes, [2, 3, 4, 5])
    assert [str(p) for p in positions] == ["i", "j floordiv 4", "j mod 4", "k"]
    (merge,) = reshape_positions({"i": 3, "j": 4}, [12])
    assert str(merge) == "i * 4 + j"
    assert [str(p) for p in reshape_positions({"i": 6, "j": 4}, [1, 6, 1, 4])] == [
        "0", "i", "0", "j"
    ]  # fmt: skip


@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=3), data=st.data())
@examples(60)
def test_slices(sizes: list[int], data: st.DataObject) -> None:
    starts, counts, steps = [], [], []
    for n in sizes:
        start, step = data.draw(st.integers(0, n - 1)), data.draw(st.sampled_from([1, 2, -1, -2]))
        most = (n - 1 - start) // step if step > 0 else start // -step
        starts.append(start)
        steps.append(step)
        counts.append(data.draw(st.integers(0, most + 1)))
    check(lambda x: SliceOp(x, starts, counts, steps), random(*sizes))


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8, bool, BFLOAT16], ids=str)
def test_pads(mode: str, dtype: Any) -> None:
    x = random(4, 5, 3, dtype=dtype)
    check(lambda v: PadOp(v, [1, 2, 0], [3, 4, 0], mode, 1), x)


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kind", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.uint8, np.int64], ids=str)
def test_cumulative(kind: str, exclusive: bool, reverse: bool, dtype: Any) -> None:
    options = {"kind": kind, "axis": 1, "exclusive": exclusive, "reverse": reverse}
    check(lambda x: CumulativeOp(x, **options), random(3, 4, 5, dtype=dtype))


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("axes", [(0,), (1, 2), (0, 2), (0, 1, 2), ()])
@pytest.mark.parametrize("kind", ["sum", "prod", "max", "min"])
def test_reductions(kind: str, axes: tuple[int, ...], keep: bool) -> None:
    for dtype in (np.float32, np.float16, np.uint8, np.int16, np.uint64):
        x = random(3, 4, 5, dtype=dtype)
        check(lambda v: ReduceOp(v, kind=kind, axes=axes, keep=keep), x)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("kind", ["max", "min"])
@pytest.mark.parametrize("axis", [0, 1])
def test_arg_reduce_picks_nan_then_the_right_equal(kind: str, axis: int, last: bool) -> None:
    options = {"kind": kind, "axis": axis, "keep": last, "last": last}
    x = np.random.default_rng(0).integers(-2, 3, (7, 9)).astype(np.float32)
    x[2, 3] = x[2, 5] = x[4, 3] = np.nan
    check(lambda v: ArgReduceOp(v, **options), x)
    check(lambda v: ArgReduceOp(v, **options), random(7, 9, dtype=np.uint8))
    check(lambda v: ArgReduceOp(v, **options), np.full((2, 2), -np.inf, np.float16))


@pytest.mark.parametrize("dtype", [np.float16, BFLOAT16, np.float64], ids=str)
def test_norms_of_other_types(dtype: Any) -> None:
    x = random(3, 4, 5, dtype=dtype)
    check(lambda v: SoftmaxOp(v, 1), x, ulp=4)
    check(lambda v: NormalizeOp(v, axes=(1, 2), eps=1e-5), x, ulp=8)
    check(lambda v: NormalizeOp(v, axes=(2,), eps=1e-5, center=False), x, ulp=8)


@pytest.mark.parametrize("transposes", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_matmuls(batch: tuple[int, ...], transposes: tuple[bool, bool]) -> None:
    for dtype in (np.float32, np.float16, np.int8, np.uint8):
        lhs = random(*batch, *((5, 4) if transposes[0] else (4, 5)), dtype=dtype)
        rhs = random(*batch, *((6, 5) if transposes[1] else (5, 6)), dtype=dtype, seed=1)
        options = {"transpose_lhs": transposes[0], "transpose_rhs": transposes[1]}
        check(lambda *v, o=options: MatmulOp(*v, **o), lhs, rhs, ulp=8)


def test_matmul_of_mixed_signs_and_wider_results() -> None:
    check(MatmulOp, random(3, 4, dtype=np.uint8), random(4, 5, dtype=np.int8))
    halves = random(3, 4, dtype=np.float16), random(4, 5, dtype=np.float16, seed=1)
    check(lambda *v: MatmulOp(*v, acc=f32), *halves, ulp=8)


def test_empty_tensors() -> None:
    empty = random(3, 0)
    check(MatmulOp, empty, random(0, 5))
    check(MatmulOp, random(0, 3), random(3, 5))
    check(lambda x: ReduceOp(x, kind="max", axes=(1,)), empty)
    check(lambda x: PadOp(x, [0, 1], [0, 1], "constant", 2.5), empty)
    check(lambda *x: ConcatOp(x, 1), empty, random(3, 2), random(3, 1))


@given(
    size=st.tuples(*[st.integers(2, 12)] * 2),
    kernel=st.tuples(*[st.integers(1, 4)] * 2),
    dilation=st.integers(2, 9),
    stride=st.integers(1, 2),
    low=st.tuples(*[st.integers(0, 10)] * 2),
    biased=st.booleans(),
)
@examples(60)
def test_a_dilated_convolution_is_split_where_its_taps_change(
    size: tuple[int, int], kernel: tuple[int, int], dilation: int, stride: int,
    low: tuple[int, int], biased: bool,
) -> None:  # fmt: skip
    reach = [(k - 1) * dilation + 1 for k in kernel]
    high = [max(0, r - n - p) + 1 for r, n, p in zip(reach, size, low, strict=True)]
    window = {"strides": [stride] * 2, "dilations": [dilation] * 2, "pads": [*low, *high]}
    w, b = random(4, 3, *kernel, seed=1), random(4, seed=2)

    def build(x: Any) -> Operation:
        constants = [ConstantOp(w), *([ConstantOp(b)] if biased else [])]
        for constant in constants:
            x.owner.add_op(constant)
        return ConvOp(x, *(constant.out for constant in constants), **window)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conv, "LEAST_SAVED", 0)
        check(build, random(2, 3, *size), ulp=32)


def test_a_tap_runs_only_where_it_reads_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conv, "LEAST_SAVED", 0)
    w = random(4, 3, 3, 3, seed=1)

    def build(x: Any) -> Operation:
        constant = ConstantOp(w)
        x.owner.add_op(constant)
        return ConvOp(x, constant.out, strides=[1, 1], dilations=[24, 24], pads=[24] * 4)

    module = check(build, random(1, 3, 33, 33), ulp=32)
    views = [op.view() for op in module.walk() if isinstance(op, ComputeOp)]
    points = sum(prod(v.axes.values()) for v in views if v.role is None)
    assert points == 51 * 51 * 4 * 3


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, bool], ids=str)
def test_concat_chooses_by_position_and_is_marked(dtype: Any) -> None:
    parts = [random(2, n, dtype=dtype, seed=n) for n in (3, 1, 4)]
    module = check(lambda *x: ConcatOp(x, 1), *parts)
    assert compute_of(module, "concat").view().role == Concat(1)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_host_joins_very_many_parts(axis: int) -> None:
    shapes = [[2, 3, 1] for _ in range(170)]
    for n, shape in enumerate(shapes):
        shape[axis] = n % 5
    parts = [random(*shape, seed=n) for n, shape in enumerate(shapes)]
    module = check(lambda *x: ConcatOp(x, axis), *parts[:-1], parts[0])
    assert not any(isinstance(op, ComputeOp) for op in module.walk())


def test_gather_clamps_what_it_must_not_read() -> None:
    x, indices = random(3, 4), np.array([0, 3, 1])
    module = check(lambda a, i: GatherOp(a, i, 1), x, indices)
    (wild,) = te.run(module, x, np.array([-5, 99, 1]))
    np.testing.assert_array_equal(wild, x[:, [0, 3, 1]])


@pytest.mark.parametrize(
    ("build", "indices"),
    [
        (lambda a, i: GatherElementsOp(a, i, 0), [[0, 2, 1, 0]]),
        (lambda a, i: GatherNdOp(a, i), [[0, 2], [2, 3]]),
    ],
    ids=["elements", "nd"],
)
def test_no_index_reads_outside(build: Any, indices: Any) -> None:
    x = random(3, 4)
    module = check(build, x, np.array(indices))
    for wild in (np.full_like(np.array(indices), -(2**62)), np.array(indices) + 2**62):
        (got,) = te.run(module, x, wild)
        assert np.isin(got, x).all()


@pytest.mark.parametrize(
    "build",
    [
        lambda a, i: GatherOp(a, i, 0),
        lambda a, i: GatherElementsOp(a, i, 0),
        lambda a, i: GatherNdOp(a, i),
    ],
)
def test_nothing_is_read_from_an_empty_tensor(build: Any) -> None:
    module = lower(module_of(build, np.zeros((0, 1), np.float32), np.zeros((2, 1), np.int64))[0])
    (got,) = te.run(module, np.zeros((0, 1), np.float32), np.zeros((2, 1), np.int64))
    assert got.size
    assert not got.any()


def test_an_op_that_needs_numbers_names_the_unbound_size() -> None:
    types = [tensor_type(f32, [1, 4, 6, 6]), tensor_type(f32, ["2 * o", 2, 3, 3])]
    func = FuncOp("main", (types, []))
    op = ConvOp(*func.body.block.args, strides=[1, 1], dilations=[1, 1], pads=[0] * 4, groups=2)
    func.body.block.add_ops([op, ReturnOp(*op.results)])
    func.update_function_type()
    with pytest.raises(TilewrightError, match="the channels of a convolution in groups"):
        GraphToTe().apply(new_context(), ModuleOp([func]))


def test_size_and_bitcast() -> None:
    check(lambda: SizeOp([3, 4]))
    check(lambda x: BitcastOp(x, i32), random(3, 4))
    module = check(
        lambda x: BitcastOp(x, element_type(np.dtype(np.int8))), random(4, dtype="uint8")
    )
    assert not [op for op in module.walk() if isinstance(op, ComputeOp)]


def test_foreign_op_is_refused() -> None:
    func = FuncOp("main", ([], []))
    weight = WeightAttr.of(np.zeros(2, np.float32))
    func.body.block.add_ops([packed.ConstantOp(weight, weight.type), ReturnOp()])
    with pytest.raises(TilewrightError, match="no te definition"):
        GraphToTe().apply(new_context(), ModuleOp([func]))


def test_recorded_names_are_an_attribute_of_strings() -> None:
    module, _ = module_of(ELEMENTWISE["eq"], random(2, dtype=BFLOAT16), random(2, dtype=BFLOAT16))
    (func,) = lower(module).body.block.ops
    names = func.attributes["tw.arg_dtypes"]
    assert isinstance(names, ArrayAttr)
    assert [n.data for n in names.data] == ["bfloat16", "bfloat16"]
    assert str(func.attributes["tw.result_dtypes"]) == '["bool"]'
