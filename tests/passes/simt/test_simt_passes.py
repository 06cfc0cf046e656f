"""Fork-join kernels mapped to threads: results, the fewest barriers, and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright import te
from tilewright.dialects.loop import AllocOp
from tilewright.dialects.simt import BarrierOp, LaunchSizes, launch_of
from tilewright.driver.passes.kernel_checks import check_race
from tilewright.interp import loop
from tilewright.interp.memory import Array
from tilewright.interp.simt import Race, run_kernel
from tilewright.interp.sizes import with_shapes
from tilewright.machines.gpu import GpuLimits
from tilewright.passes.simt.place_barriers import place_barriers
from tilewright.support.diagnostics import LoweringError

from ...lowering.native import only_function
from ...sweeps import sampled
from .schedules import conv, fork_join, mapped, matmul, softmax

RNG = np.random.default_rng(0)
A, B = RNG.standard_normal((64, 24), np.float32), RNG.standard_normal((24, 32), np.float32)
A2, B2 = np.ascontiguousarray(A[:, :16]), B[:16]
A5, B5 = RNG.standard_normal((64, 40), np.float32), RNG.standard_normal((40, 32), np.float32)
X = RNG.standard_normal((3, 96), np.float32)
IMAGE = RNG.standard_normal((3, 8, 8), np.float32)
FILTERS = RNG.standard_normal((8, 3, 3, 3), np.float32)


def exact_softmax(x: Array) -> Array:
    power = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return power / power.sum(1, keepdims=True)


def exact_conv(image: Array, filters: Array) -> Array:
    size = image.shape[1]
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1))).astype(np.float64)
    taps = [(r, q) for r in range(3) for q in range(3)]
    return sum(
        np.einsum("fc,cij->fij", filters[:, :, r, q], padded[:, r : r + size, q : q + size])
        for r, q in taps
    )


def product(k: int = 24, **options: Any) -> Callable[[], FuncOp]:
    return lambda: fork_join(matmul(64, 32, k, **options)[0])


def dynamic_product(**options: Any) -> Callable[[], FuncOp]:
    """A product whose sums have a dynamic number of steps."""
    return lambda: fork_join(matmul(64, 32, 8 * te.var("n"), double=True, **options)[0])


CASES: dict[str, tuple[Callable[[], FuncOp], list[Array], Array, int]] = {
    "product": (product(), [A, B], A @ B, 2),
    "peeled": (product(decompose=False), [A, B], A @ B, 3),
    "transposed": (product(transpose=True), [A, B], A @ B, 2),
    "double": (product(double=True), [A, B], A @ B, 1),
    "transposed double": (product(transpose=True, double=True), [A, B], A @ B, 1),
    "three stages": (product(double=True, stages=3), [A, B], A @ B, 1),
    "more steps than stages": (product(40, double=True, stages=3), [A5, B5], A5 @ B5, 1),
    "more stages than steps": (product(double=True, stages=5), [A, B], A @ B, 1),
    "late": (product(double=True, late=True), [A, B], A @ B, 1),
    "late, one buffer": (product(double=True, late=True, stages=1), [A, B], A @ B, 2),
    "two steps": (product(16, double=True), [A2, B2], A2 @ B2, 1),
    "dynamic": (dynamic_product(), [A, B], A @ B, 1),
    "dynamic, three stages": (dynamic_product(stages=3), [A, B], A @ B, 1),
    "dynamic, late": (dynamic_product(late=True), [A, B], A @ B, 1),
    "staged": (product(stage=True), [A, B], A @ B, 2),
    "softmax": (lambda: fork_join(softmax(3, 96, 32)[0]), [X], exact_softmax(X), 4),
    "conv": (lambda: fork_join(conv(3, 8, 8)[0]), [IMAGE, FILTERS], exact_conv(IMAGE, FILTERS), 0),
}
"""By name: the fork-join kernel, its inputs, the expected result, and the number of barriers."""


def barriers_of(function: FuncOp) -> list[BarrierOp]:
    return [op for op in function.walk() if isinstance(op, BarrierOp)]


def result_of(function: FuncOp, inputs: list[Array], like: Array) -> Array:
    out = np.full(like.shape, np.nan, np.float32)
    bound = with_shapes(function, [*inputs, out], None)
    assert isinstance(bound, FuncOp)
    run_kernel(bound, *inputs, out)
    return out


@pytest.mark.parametrize("name", sampled(CASES, str, one_in=2, each_family=False))
def test_a_mapped_kernel_computes_what_its_loops_do(name: str) -> None:
    make, inputs, expected, _ = CASES[name]
    serial = np.full(expected.shape, np.nan, np.float32)
    loop.run_function(make(), *inputs, serial)
    np.testing.assert_array_equal(result_of(mapped(make()), inputs, expected), serial)
    np.testing.assert_allclose(serial, expected, rtol=2e-5, atol=2e-5)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_every_barrier_is_needed(name: str) -> None:
    make, inputs, expected, count = CASES[name]
    assert len(barriers_of(mapped(make()))) == count
    for number in range(count):
        function = mapped(make())
        barrier = barriers_of(function)[number]
        barrier.detach()
        with pytest.raises(Race):
            result_of(function, inputs, expected)


def test_validation_finds_a_missing_barrier_before_threads_are_mapped() -> None:
    make, inputs, expected, _ = CASES["softmax"]
    function = make()
    place_barriers(function)
    arrays = [*inputs, np.zeros_like(expected, np.float32)]
    check_race(function, arrays)
    barriers_of(function)[0].detach()
    with pytest.raises(Race, match="without a barrier"):
        check_race(function, arrays)


FIRST = """
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.for bind blockIdx.x %b = 0 to 1 {
    %s = loop.alloc "shared" : memref<8xf32>
    loop.for bind threadIdx.x %t = 0 to 8 {
      %v = loop.load %x[%t] : memref<8xf32>, f32
      loop.store %v, %s[%t] : memref<8xf32>, f32
    }
    loop.for %i = 0 to 7 {
      loop.for bind threadIdx.x %u = 0 to 1 {
        %v = loop.load %s[%i + %u] : memref<8xf32>, f32
        %w = loop.load %s[%i + 1] : memref<8xf32>, f32
        %a = arith.addf %v, %w : f32
        loop.store %a, %s[%i + 1] : memref<8xf32>, f32
      }
    }
    loop.for bind threadIdx.x %t = 0 to 8 {
      %v = loop.load %s[%t * -1 + 7] : memref<8xf32>, f32
      loop.store %v, %y[%t] : memref<8xf32>, f32
    }
  }
  func.return
}
"""


def test_the_first_thread_does_not_wait_for_itself() -> None:
    """A scan by one thread waits before and behind its loop, not in each iteration."""
    function = mapped(only_function(FIRST))
    assert len(barriers_of(function)) == 2
    x = RNG.standard_normal(8, np.float32)
    sums = result_of(function, [x], x)
    np.testing.assert_allclose(sums, np.cumsum(x)[::-1], rtol=1e-5)
    for number in range(2):
        broken = mapped(only_function(FIRST))
        barriers_of(broken)[number].detach()
        with pytest.raises(Race):
            result_of(broken, [x], x)


def test_the_launch_and_the_part_of_a_thread() -> None:
    function = mapped(product()())
    assert launch_of(function) == LaunchSizes.of([1, 2], [8, 8], 4 * (32 * 8 + 8 * 32))
    local = [op for op in function.walk() if isinstance(op, AllocOp) and op.scope.data == "local"]
    assert [str(op.res.type) for op in local] == ["memref<4x4xf32>"]


def test_limits_of_the_target_are_kept() -> None:
    with pytest.raises(LoweringError, match="too many threads") as caught:
        mapped(product()(), GpuLimits(threads=63))
    assert "got: 8 (threadIdx.y) * 8 (threadIdx.x)" in str(caught.value)
    with pytest.raises(LoweringError, match="too much shared memory"):
        mapped(product()(), GpuLimits(shared_bytes=2047))
    mapped(product()(), GpuLimits(threads=64, shared_bytes=2048))


def test_threads_that_exchange_data_need_a_shared_buffer() -> None:
    function = fork_join(softmax(3, 96, 32)[0])
    for op in function.walk():
        if isinstance(op, AllocOp):
            op.properties["scope"] = op.properties["scope"].__class__("local")
    with pytest.raises(LoweringError, match="is local, but threads exchange data") as caught:
        mapped(function)
    assert "hint: set_scope to shared" in str(caught.value)
