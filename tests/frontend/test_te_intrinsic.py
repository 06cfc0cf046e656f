"""te.decl_tensor_intrin: instructions declared in Python, run beside the machine."""

from __future__ import annotations

import pytest

from tilewright import te
from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.target import Target
from tilewright.targets.cpu.intrinsics import make_intrinsic
from tilewright.testing.intrinsics import check_intrinsic

needs_avx2 = pytest.mark.skipif(not Target.host().has("avx2"), reason="this machine has no AVX2")


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
        features=["avx512vnni"], cycles=0.5, source="two ports: 0 and 5 on Intel's servers",
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
    with pytest.raises(TypeMismatch, match="only functions of LLVM itself are called"):
        te.decl_tensor_intrin(c, "dgemm")
