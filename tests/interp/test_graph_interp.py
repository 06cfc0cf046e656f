"""The graph interpreter agrees with numpy and onnx, and defines the cases that they leave open."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import Float8E4M3FNType, i8, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.test import TestOp as OpaqueOp
from xdsl.ir import Operation

from tilewright.dialects.dtypes import element_type
from tilewright.dialects.graph import (
    AddOp,
    ArgReduceOp,
    BindOp,
    CastOp,
    GatherElementsOp,
    GatherNdOp,
    GatherOp,
    IotaOp,
    MatmulOp,
    ReduceOp,
    ReshapeOp,
    SizeOp,
    SliceOp,
)
from tilewright.dialects.shape import tensor_type
from tilewright.interp import scalar
from tilewright.interp.graph import EvaluationError, evaluate_op, run_graph
from tilewright.support.diagnostics import UnsupportedOp
from tilewright.testing.op_case import check_interpreter

from ..ops.case import Array, OpCase
from ..ops.cases import CASES


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_interpreter_agrees_with_the_reference(case: OpCase) -> None:
    check_interpreter(case)


def evaluated(build, *arrays: Array) -> Array:
    types = [tensor_type(element_type(a.dtype), a.shape) for a in arrays]
    op: Operation = build(*OpaqueOp(result_types=types).results)
    return evaluate_op(op, arrays)[0]


INT_MIN = np.iinfo(np.int32).min


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("div", 7, 0, 0),
        ("div", -7, 2, -3),
        ("div", INT_MIN, -1, INT_MIN),
        ("mod", 7, 0, 0),
        ("mod", -7, 3, 2),
        ("mod", 7, -3, -2),
        ("mod", INT_MIN, -1, 0),
        ("fmod", -7, 3, -1),
        ("fmod", -7, 0, 0),
        ("pow", 2, -1, 0),
        ("pow", -1, -3, -1),
        ("pow", 0, -1, 0),
        ("pow", 3, 4, 81),
        ("shl", 1, 31, INT_MIN),
        ("shl", 1, 32, 0),
        ("shl", 1, -1, 0),
        ("shr", -8, 1, -4),
        ("shr", -8, 99, -1),
        ("shr", 8, -1, 0),
        ("add", INT_MIN, -1, 2**31 - 1),
    ],
)
def test_integer_arithmetic_is_total(name: str, a: int, b: int, expected: int) -> None:
    got = scalar.apply(name, np.array([a], np.int32), np.array([b], np.int32))
    assert got.dtype == np.int32
    assert got[0] == expected


def test_unsigned_shift_and_division() -> None:
    a = np.array([200, 200, 200], np.uint8)
    got = scalar.apply("shr", a, np.array([1, 8, 255], np.uint8))
    np.testing.assert_array_equal(got, [100, 0, 0])
    got = scalar.apply("div", a, np.array([3, 0, 255], np.uint8))
    np.testing.assert_array_equal(got, [66, 0, 0])


def test_int4_wraps() -> None:
    a = np.array([7, -8, 3]).astype(ml_dtypes.int4)
    got = scalar.apply("add", a, a)
    assert got.dtype == a.dtype
    np.testing.assert_array_equal(got.astype(int), [-2, 0, 6])


def test_nan_and_signed_zeros_in_extrema() -> None:
    a, b = np.float32([np.nan, 1, 0.0, -0.0]), np.float32([1, np.nan, -0.0, 0.0])
    largest, smallest = scalar.apply("max", a, b), scalar.apply("min", a, b)
    assert np.isnan(largest[:2]).all()
    assert np.isnan(smallest[:2]).all()
    np.testing.assert_array_equal(np.signbit(largest[2:]), [False, False])
    np.testing.assert_array_equal(np.signbit(smallest[2:]), [True, True])


def test_reduced_extrema_propagate_nan_and_order_zeros() -> None:
    x = np.float32([[0.0, -0.0], [np.nan, 1], [-0.0, -0.0]])
    got = evaluated(lambda v: ReduceOp(v, kind="max", axes=[1]), x)
    assert np.isnan(got[1])
    np.testing.assert_array_equal(np.signbit(got[[0, 2]]), [False, True])
    got = evaluated(lambda v: ReduceOp(v, kind="min", axes=[1]), x)
    np.testing.assert_array_equal(np.signbit(got[[0, 2]]), [True, True])


def test_empty_reductions_give_the_identity() -> None:
    x = np.zeros((0, 2), np.int8)
    for kind, value in (("sum", 0), ("prod", 1), ("max", -128), ("min", 127)):
        got = evaluated(lambda v, kind=kind: ReduceOp(v, kind=kind, axes=[0]), x)
        np.testing.assert_array_equal(got, [value, value])


@pytest.mark.parametrize("last", [False, True])
def test_the_first_nan_is_the_largest_and_the_smallest(last: bool) -> None:
    x = np.float32([3, np.nan, 9, np.nan])
    for kind in ("max", "min"):
        got = evaluated(lambda v, kind=kind: ArgReduceOp(v, kind=kind, axis=0, last=last), x)
        assert got == 1


def test_float_to_integer_saturates_and_takes_nan_to_zero() -> None:
    x = np.float32([np.nan, np.inf, -np.inf, 1e20, -3.9, 300, -300])
    got = evaluated(lambda v: CastOp(v, i8), x)
    np.testing.assert_array_equal(got, [0, 127, -128, 127, -3, 127, -128])
    got = evaluated(lambda v: CastOp(v, i64), x)
    np.testing.assert_array_equal(got[[1, 2]], [2**63 - 1, -(2**63)])
    np.testing.assert_array_equal(
        scalar.cast(np.float32([-1, 1e30]), np.dtype(np.uint64)),
        np.array([0, 2**64 - 1], np.uint64),
    )


def test_float8_saturates_unless_told_otherwise() -> None:
    x, f8 = np.float32([1e6, -np.inf, np.nan, 1]), Float8E4M3FNType()
    got = evaluated(lambda v: CastOp(v, f8), x).astype(np.float32)
    np.testing.assert_array_equal(got, np.float32([448, -448, np.nan, 1]))
    got = evaluated(lambda v: CastOp(v, f8, saturate=False), x).astype(np.float32)
    np.testing.assert_array_equal(np.isnan(got), [True, True, True, False])


@given(st.data())
def test_narrow_floats_round_once_per_op(data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from([np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2]))
    bits = data.draw(st.lists(st.integers(0, 255), min_size=8, max_size=8))
    values = np.array(bits, np.uint8)
    a, b = (v.view(dtype) for v in (values, values[::-1].copy()))
    for name in ("add", "sub", "mul", "div"):
        got = scalar.apply(name, a, b)
        with np.errstate(all="ignore"):
            wide = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}[name](
                a.astype(np.float64), b.astype(np.float64)
            ).astype(dtype)
        np.testing.assert_array_equal(got.astype(np.float64), wide.astype(np.float64))


def test_gather_refuses_an_index_outside() -> None:
    x = np.arange(3, dtype=np.float32)
    for index in (-1, 3):
        with pytest.raises(EvaluationError, match="index is outside"):
            evaluated(lambda v, i: GatherOp(v, i, 0), x, np.array([index]))
        with pytest.raises(EvaluationError, match="index is outside"):
            evaluated(lambda v, i: GatherElementsOp(v, i, 0), x, np.array([index]))
        with pytest.raises(EvaluationError, match="index is outside"):
            evaluated(lambda v, i: GatherNdOp(v, i), x, np.array([[index]]))


def symbolic_function() -> FuncOp:
    """Return a function with sizes as data, data as sizes, and a slice by a symbol."""
    x = tensor_type(i32, ("b", "s"))
    func = FuncOp("main", ([x], []))
    (arg,) = func.body.block.args
    flat = ReshapeOp(arg, ["b * s"])
    last = SliceOp(arg, [0, "s - 1"], ["b", 1], [1, 1])
    size = SizeOp(["b", "s + 1"])
    bind = BindOp(size.out, ["u0", "u1"])
    iota = IotaOp(["u0", "u1"], 1, i32)
    total = AddOp(flat.out, flat.out)
    ops = [flat, last, size, bind, iota, total]
    func.body.block.add_ops([*ops, ReturnOp(total.out, last.out, iota.out)])
    func.update_function_type()
    return func


def test_symbols_take_their_values_from_the_inputs() -> None:
    func = symbolic_function()
    func.verify()
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    total, last, iota = run_graph(func, x)
    np.testing.assert_array_equal(total, 2 * x.reshape(-1))
    np.testing.assert_array_equal(last, x[:, -1:])
    np.testing.assert_array_equal(iota, [[0, 1, 2, 3]] * 2)


def test_inputs_must_fit_the_signature() -> None:
    func = symbolic_function()
    with pytest.raises(EvaluationError, match="wrong number of inputs"):
        run_graph(func)
    with pytest.raises(EvaluationError, match="does not match the declared type"):
        run_graph(func, np.zeros((2, 3), np.float32))


def test_other_ops_are_refused() -> None:
    with pytest.raises(UnsupportedOp):
        evaluate_op(OpaqueOp(), ())
    with pytest.raises(UnsupportedOp, match="unknown scalar function"):
        scalar.apply("gelu", np.zeros(1))


def test_matmul_accumulates_beyond_its_type() -> None:
    x = np.full((1, 4096), 1, np.float16)
    got = evaluated(MatmulOp, x, np.full((4096, 1), 0.5, np.float16))
    assert got[0, 0] == 2048
