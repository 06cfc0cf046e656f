"""te.decl_tensor_intrin: instructions declared in Python, compared with the machine's."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.dialects.sched import TensorizeOp
from tilewright.machines.target import Target
from tilewright.schedule.schedule import Schedule, create_schedule
from tilewright.support.diagnostics import ScheduleError, TypeMismatch
from tilewright.targets.cpu.instructions.intrinsics import make_intrinsic
from tilewright.testing.intrinsics import check_intrinsic

needs_avx2 = pytest.mark.skipif(not Target.native().has("avx2"), reason="this machine has no AVX2")


def dot(lanes: int, group: int, first: str, second: str) -> te.Tensor:
    a = te.placeholder((lanes, group), first, name="a")
    b = te.placeholder((lanes, group), second, name="b")
    r = te.reduce_axis((0, group), name="r")
    return te.compute(
        (lanes,),
        lambda i: te.sum(a[i, r].astype("int32") * b[i, r].astype("int32"), axis=r),
        name="dot",
    )


def test_a_function_of_llvm_is_the_emission() -> None:
    declared = te.decl_tensor_intrin(
        dot(16, 4, "uint8", "int8"), "llvm.x86.avx512.vpdpbusd.512", name="vpdpbusd",
        features=["avx512vnni"], cycles=1.0,
        source="one zmm or two ymm per cycle: Zen 4, measured; twice that on Intel's servers",
    )  # fmt: skip
    assert declared.op.is_structurally_equivalent(make_intrinsic("vpdpbusd"))
    assert declared.name == "vpdpbusd"
    assert str(declared).startswith("te.intrinsic @vpdpbusd features")


@needs_avx2
def test_an_emission_of_several_calls_runs_on_the_machine() -> None:
    pairs = te.decl_tensor_intrin(
        dot(8, 2, "int16", "int16"),
        lambda e, c, a, b: e.add(c, e.call("llvm.x86.avx2.pmadd.wd", ("int32", 8), a, b)),
        name="pairs",
        features=["avx2"],
    )
    check_intrinsic(pairs.op)


@needs_avx2
def test_floats_are_compared_within_rounding() -> None:
    a, b = (te.placeholder((8,), "float32", name=n) for n in "ab")
    one = te.reduce_axis((0, 1), name="r")
    c = te.compute((8,), lambda i: te.sum(a[i] * b[i], axis=one), name="c")
    plain = te.decl_tensor_intrin(c, lambda e, c, a, b: e.add(c, e.multiply(a, b)), name="fma")
    check_intrinsic(plain.op)


@needs_avx2
def test_the_sum_of_bytes_in_two_parts_is_exact() -> None:
    def emit(e: te.Emission, c, a, b):
        one = e.fill(1, a)
        for part, weight in ((e.shift_right(a, one), 2), (e.bit_and(a, one), 1)):
            pairs = e.call("llvm.x86.avx2.pmadd.ub.sw", ("int16", 16), part, b)
            c = e.add(
                c, e.call("llvm.x86.avx2.pmadd.wd", ("int32", 8), pairs, e.fill(weight, pairs))
            )
        return c

    declared = te.decl_tensor_intrin(dot(8, 4, "uint8", "int8"), emit, name="bytes")
    check_intrinsic(declared.op)


def product(m: int, n: int, k: int) -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    """Return a product of bytes with the second operand in the layout of vpmaddubsw."""
    a = te.placeholder((m, k), "uint8", name="a")
    b = te.placeholder((n // 8, k // 4, 8, 4), "int8", name="b")
    r = te.reduce_axis((0, k), name="k")

    def element(i: te.Axis, j: te.Axis) -> te.Scalar:
        right = b[j // 8, r // 4, j % 8, r % 4]
        return te.sum(a[i, r].astype("int32") * right.astype("int32"), axis=r)

    return a, b, te.compute((m, n), element, name="c")


def tensorized(c: te.Tensor, intrinsic: te.Intrinsic) -> Schedule:
    s = create_schedule(c.op, validate=True)
    io, ii = s[c].split(c.op.axis[0], factor=4)
    jo, ji = s[c].split(c.op.axis[1], factor=16)
    s[c].reorder(io, jo, c.op.reduce_axis[0], ii, ji)
    s[c].unroll(ii)
    s[c].parallel(io)
    s[c].tensorize(ji, intrinsic)
    return s


def test_a_stage_is_tensorized_also_where_splits_leave_rests() -> None:
    bytes_ = te.Intrinsic(make_intrinsic("vpmaddubsw"))
    a, b, c = product(10, 40, 24)
    s = tensorized(c, bytes_)
    assert str(s.kernels[0]).count("intrinsic = vpmaddubsw)") == 4
    assert "te.intrinsic @vpmaddubsw" in s.script
    mod = tilewright.build(s, [a, b, c], target="llvm -mcpu=x86-64-v3", cache=False)
    assert "vpmaddubsw" in mod.get_source("asm")
    if Target.native().has("avx2"):
        rng = np.random.default_rng(0)
        x = rng.integers(0, 256, (10, 24)).astype(np.uint8)
        y = rng.integers(-128, 128, (5, 6, 8, 4)).astype(np.int8)
        plain = y.transpose(1, 3, 0, 2).reshape(24, 40).astype(np.int32)
        np.testing.assert_array_equal(np.asarray(mod(x, y)), x.astype(np.int32) @ plain)


def test_a_stage_that_differs_is_an_error_and_changes_nothing() -> None:
    _, _, c = product(4, 16, 8)
    s = create_schedule(c.op)
    inner = s[c].split(c.op.axis[1], factor=16)[1]
    before = str(s.kernels[0])
    with pytest.raises(ScheduleError, match=r"is not what @sdot computes: bodies are the same"):
        s[c].tensorize(inner, te.Intrinsic(make_intrinsic("sdot")))
    assert str(s.kernels[0]) == before
    with pytest.raises(ScheduleError, match="has loops that are not made yet"):
        s.step(TensorizeOp, [c], {"intrinsic": "sdot"})


def test_what_is_no_intrinsic_is_an_error() -> None:
    a = te.placeholder((4, 4), "int8", name="a")
    moved = te.compute((4, 4), lambda i, j: a[j, i], name="moved")
    with pytest.raises(TypeMismatch, match="decl_tensor_intrin moved: @moved: the definition"):
        te.decl_tensor_intrin(moved, "llvm.x86.nothing")
    with pytest.raises(TypeMismatch, match=r"an intrinsic is one te\.compute"):
        te.decl_tensor_intrin(a, "llvm.x86.nothing")
    c = dot(4, 4, "int8", "int8")
    doubled = te.compute((4,), lambda i: c[i] + c[i], name="doubled")
    with pytest.raises(TypeMismatch, match="an intrinsic reads placeholders"):
        te.decl_tensor_intrin(doubled, "llvm.x86.nothing")
    with pytest.raises(TypeMismatch, match="the emission gives the new result"):
        te.decl_tensor_intrin(c, lambda e, c, a, b: None)
    with pytest.raises(TypeMismatch, match="the emission yields the output"):
        te.decl_tensor_intrin(c, lambda e, c, a, b: a)
    with pytest.raises(TypeMismatch, match="both vectors have one type"):
        te.decl_tensor_intrin(c, lambda e, c, a, b: e.add(c, a))
    with pytest.raises(TypeMismatch, match="only LLVM intrinsics can be called"):
        te.decl_tensor_intrin(c, "dgemm")
