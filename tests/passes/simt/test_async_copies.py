"""Asynchronous copies of pipelined loops: interpreter, PTX and CUDA C++, and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

import tilewright
from tilewright import te
from tilewright.analysis.verify import verify_module
from tilewright.codegen.ptx import find_ptxas
from tilewright.dialects.simt import (
    AsyncCommitOp,
    AsyncCopyOp,
    AsyncWaitOp,
    BarrierOp,
    launch_of,
)
from tilewright.interp.memory import Array
from tilewright.interp.simt import Race, run_kernel
from tilewright.interp.sizes import with_shapes
from tilewright.passes.simt.async_copies import copy_asynchronously
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.entry import kernel_functions

from ...lowering.native import only_function
from ...lowering.shims import program_of
from ..te.ir import parse
from .schedules import fork_join, mapped, matmul

Op = TypeVar("Op", bound=Operation)
RNG = np.random.default_rng(0)
A, B = RNG.standard_normal((64, 40), np.float32), RNG.standard_normal((40, 32), np.float32)
WANT = A @ B
CASES: dict[str, dict[str, Any]] = {
    "two stages": {},
    "three stages": {"stages": 3},
    "as many stages as steps": {"stages": 5},
    "open": {"is_dynamic": True},
    "open, four stages": {"is_dynamic": True, "stages": 4},
}


def schedule_of(*, is_dynamic: bool = False, **options: Any) -> tuple[Any, list[Any]]:
    return matmul(64, 32, 8 * te.var("n") if is_dynamic else 40, double=True, **options)


def kernel_of(name: str) -> FuncOp:
    function = mapped(fork_join(schedule_of(**CASES[name])[0]))
    copy_asynchronously(function)
    function.verify()
    return function


def ops_of(function: FuncOp, kind: type[Op]) -> list[Op]:
    return [op for op in function.walk() if isinstance(op, kind)]


def result_of(function: FuncOp) -> Array:
    out = np.full(WANT.shape, np.nan, np.float32)
    bound = with_shapes(function, [A, B, out], None)
    assert isinstance(bound, FuncOp)
    run_kernel(bound, A, B, out)
    return out


@pytest.mark.parametrize("name", CASES)
def test_copies_of_a_pipelined_loop_are_asynchronous(name: str) -> None:
    function, stages = kernel_of(name), CASES[name].get("stages", 2)
    assert [op.pending.data for op in ops_of(function, AsyncWaitOp)] == [stages - 2]
    assert len(ops_of(function, AsyncCommitOp)) == stages
    assert {op.bytes for op in ops_of(function, AsyncCopyOp)} == {16}
    assert len(ops_of(function, BarrierOp)) == 1
    np.testing.assert_allclose(result_of(function), WANT, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", [AsyncWaitOp, BarrierOp])
def test_each_wait_and_barrier_is_needed(name: str, kind: type[Operation]) -> None:
    function = kernel_of(name)
    for op in ops_of(function, kind):
        op.detach()
    with pytest.raises(Race):
        result_of(function)


def test_a_wait_for_fewer_groups_is_too_short() -> None:
    function = kernel_of("three stages")
    (wait,) = ops_of(function, AsyncWaitOp)
    wait.properties["pending"] = AsyncWaitOp(2).pending
    with pytest.raises(Race, match="is being copied"):
        result_of(function)


def test_a_program_without_a_commit_waits_for_nothing() -> None:
    function = kernel_of("two stages")
    for op in ops_of(function, AsyncCommitOp):
        op.detach()
    with pytest.raises(Race, match="is being copied"):
        result_of(function)


def test_plain_loops_and_late_fills_stay_loads() -> None:
    for schedule in (matmul(64, 32, 40)[0], matmul(64, 32, 40, double=True, late=True)[0]):
        function = mapped(fork_join(schedule))
        copy_asynchronously(function)
        assert not ops_of(function, AsyncCopyOp)


@pytest.mark.parametrize("language", ["cuda", "ll"])
@pytest.mark.parametrize(("name", "waits"), [("three stages", 2), ("open", 1)])
def test_cuda_copies_while_threads_compute(
    name: str, waits: int, language: str, tmp_path: Path
) -> None:
    """The shims copy where a thread waits; without the wait the tiles are not there."""
    schedule, tensors = schedule_of(**CASES[name])
    module = tilewright.build(schedule, tensors, target="cuda", cache=False)
    source, ptx = module.get_source(language), module.get_source("ptx")
    wait = "__pipeline_wait_prior(" if language == "cuda" else "call void @llvm.nvvm.cp.async.wait"
    assert ptx.count("cp.async.cg.shared.global") >= 4
    if find_ptxas() is not None:
        (used,) = module.kernel_resources().values()
        assert used.spill_bytes == 0
    (function,) = kernel_functions(parse(module.get_source("simt")))
    launch = launch_of(function)
    assert launch is not None
    # The last two iterations, which copy nothing, are a loop of their own with three stages.
    assert source.count(wait) == waits
    for is_whole in (True, False):
        folder = tmp_path / str(is_whole)
        folder.mkdir()
        text = source if is_whole else source.replace(wait, wait.replace("__", "// __", 1))
        if language == "ll" and not is_whole:
            text = "\n".join(line for line in source.splitlines() if wait not in line)
        out = np.zeros(WANT.shape, np.float32)
        sizes = {"0": 5} if "open" in name else None
        program_of(language, text, ["tw_k0"], folder).run("tw_k0", launch, [A, B, out], sizes)
        assert np.allclose(out, WANT, rtol=1e-4, atol=1e-4) == is_whole


def test_other_languages_have_no_such_copies() -> None:
    schedule, tensors = schedule_of()
    source = tilewright.build(schedule, tensors, target="opencl", cache=False)
    assert "async" not in source.get_source("simt")


HEAD = """
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [64], shared 256>} {
  %t = simt.thread_id x below 64
  %s = loop.alloc "shared" : memref<64xf32>
"""
COPY = """simt.async_copy {
    %v = loop.load %x[%t + 1] pad 0.0 : memref<64xf32>, f32
    loop.store %v, %s[%t] : memref<64xf32>, f32
  }
"""
REST = """
  %w = loop.load %s[-%t + 63] : memref<64xf32>, f32
  loop.store %w, %y[%t] : memref<64xf32>, f32
  func.return
}
"""
SYNC = "simt.async_commit\nsimt.async_wait 0\nsimt.barrier shared\n"


def test_elements_beyond_the_buffer_are_zeros() -> None:
    x, y = RNG.standard_normal(64, np.float32), np.zeros(64, np.float32)
    function = only_function(HEAD + COPY + SYNC + REST)
    assert str(only_function(str(function))) == str(function)
    run_kernel(function, x, y)
    np.testing.assert_array_equal(y, np.append(x[1:], 0)[::-1])


@pytest.mark.parametrize(
    "steps",
    ["simt.async_commit\nsimt.barrier shared\nsimt.async_wait 0\n", "simt.async_commit\n"],
)
def test_others_see_a_copy_behind_a_wait_and_a_barrier(steps: str) -> None:
    x = np.ones(64, np.float32)
    with pytest.raises(Race):
        run_kernel(only_function(HEAD + COPY + steps + REST), x, x.copy())


WRONG = {
    "this is no asynchronous copy": COPY.replace("%x[%t + 1] pad 0.0", "%s[%t]"),
    "with the pad 0": COPY.replace("pad 0.0", "pad 1.0"),
    "expected: loop.load and loop.store": COPY.replace(
        "}", "  loop.store %v, %s[0] : memref<64xf32>, f32\n}"
    ),
    "not all threads of the block reach the op": (
        '%c = loop.cmp "slt" %t, %t : index, index, i1\nloop.if %c {\n  simt.async_wait 0\n}\n'
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_ops_are_refused(message: str) -> None:
    with pytest.raises(TilewrightError, match=message):
        verify_module(parse(HEAD + WRONG[message] + REST))


def test_copies_have_four_bytes_at_least() -> None:
    text = (HEAD + COPY + SYNC + REST).replace("f32", "f16").replace("pad 0.0 ", "")
    with pytest.raises(TilewrightError, match="expected: 4, 8, 16 bytes"):
        verify_module(parse(text))
