"""Dot products: weight gradients of convolutions whose vectors run along their sums."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright import ops
from tilewright.dialects.te import KernelOp, kernels_of
from tilewright.driver.compile_module import compile_module
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.machines.target import Target, missing_features
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.registry import new_context
from tilewright.targets.cpu.cost.kernel_cost import kernel_cost
from tilewright.targets.cpu.plan import declare_intrinsics
from tilewright.targets.cpu.plan.points.dot_products import DotCosts, DotPoint, DotProducts
from tilewright.targets.cpu.plan.space import plan_point, script_of

from ..cost.test_convolution_cost import choice_of
from .test_plan import AVX2, AVX512

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class WeightGradient:
    """The weight gradient of a convolution with square filters, as a function of image and head."""

    image: tuple[int, int, int, int]
    filters: int
    kernel: int
    stride: int = 1
    dilation: int = 1
    groups: int = 1

    @property
    def options(self) -> dict[str, Any]:
        padding = self.dilation * (self.kernel // 2)
        return {"padding": padding, "dilation": self.dilation, "groups": self.groups}

    def arrays(self) -> tuple[Array, Array, Array]:
        """Return the image, filters and the cotangent of the result."""
        images, channels, *sizes = self.image
        reach, pad = self.dilation * (self.kernel - 1) + 1, self.options["padding"]
        out = [(size + 2 * pad - reach) // self.stride + 1 for size in sizes]
        weights = self.filters, channels // self.groups, self.kernel, self.kernel
        rng = np.random.default_rng(1)
        x, w, g = (
            rng.standard_normal(shape).astype(np.float32)
            for shape in (self.image, weights, (images, self.filters, *out))
        )
        return x, w, g

    def module(self) -> ModuleOp:
        def gradient(x: Any, w: Any, g: Any) -> Any:
            def weighted(v: Any) -> Any:
                return (ops.conv2d(x, v, strides=self.stride, **self.options) * g).sum()

            return tilewright.grad(weighted)(w)

        return tilewright.function(gradient).ir(*self.arrays())

    def kernel_of_sums(self, target: Target) -> KernelOp:
        """Return the kernel of the sums, before its schedule."""
        module = self.module()
        run_pipeline(module, new_context(), target, to="sched")
        *_, kernel = (k for k in kernels_of(module) if plan_point(k, target) is not None)
        return kernel


GRADIENTS = {
    "first layer": WeightGradient((4, 3, 64, 64), 64, 7, stride=2),
    "few channels": WeightGradient((3, 3, 17, 17), 16, 3),
    "depthwise": WeightGradient((2, 12, 14, 18), 12, 3, groups=12),
    "depthwise of stride 2": WeightGradient((2, 12, 28, 32), 12, 5, stride=2, groups=12),
    "groups": WeightGradient((2, 12, 15, 15), 16, 3, groups=4),
    "dilated": WeightGradient((2, 2, 18, 19), 5, 3, dilation=3),
    "one channel": WeightGradient((1, 1, 30, 64), 1, 3),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["avx2", "avx512"])
def test_weight_gradients_have_vectors_along_their_sums(name: str, target: Target) -> None:
    """Reference: torch in f64.  Any number of threads gives the same bits."""
    torch = pytest.importorskip("torch")
    gradient = GRADIENTS[name]
    assert isinstance(plan_point(gradient.kernel_of_sums(target), target), DotPoint)
    if missing_features(target):
        pytest.skip(f"needs a processor with {target.cpu}")
    x, w, g = gradient.arrays()
    made = [
        compile_module(gradient.module(), target=target, threads=n, cache=False).run([x, w, g])
        for n in (1, 3)
    ]
    found, other = (results[0].numpy() for results in made)
    tensors = torch.tensor(x).double(), torch.tensor(g).double()
    wanted = torch.nn.grad.conv2d_weight(
        tensors[0], w.shape, tensors[1], stride=gradient.stride, **gradient.options
    ).numpy()
    assert np.abs(found - wanted).max() < 2e-6 * np.abs(wanted).max()
    np.testing.assert_array_equal(found.view(np.uint32), other.view(np.uint32))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("cpu", ["x86-64-v3", "znver4"])
@pytest.mark.parametrize("name", ["few channels", "depthwise", "groups"])
def test_a_point_costs_what_its_scheduled_kernel_costs(name: str, cpu: str) -> None:
    """Compare the cost of a point with that of the loops that the schedule makes of it."""
    target, rng = Target(cpu), random.Random(f"{name} {cpu}")
    kernel = GRADIENTS[name].kernel_of_sums(target)
    choice = choice_of(kernel, target)
    assert isinstance(choice.subject, DotProducts)
    costs, point, ratios = DotCosts(choice.subject), choice.default, list[float]()
    for _ in range(5):
        module = ModuleOp([kernel.clone(), script := script_of(kernel, point, target)])
        declare_intrinsics(module, script)
        ApplySchedule(target).apply(new_context(), module)
        (done,) = kernels_of(module)
        fast, slow = costs.cost(point), kernel_cost(done, target)
        assert fast.compute == pytest.approx(slow.compute, rel=0.02)
        assert fast.tiles == pytest.approx(slow.tiles, rel=0.02)
        assert fast.tasks == slow.tasks
        ratios.append(fast.cycles / slow.cycles)
        field, values = rng.choice(sorted(choice.axes(point).items()))
        point = replace(point, **{field: rng.choice(values)})
    assert all(0.9 < ratio < 1.1 for ratio in ratios)


def test_long_sums_are_added_in_passes() -> None:
    """Rows of 512 x 512 terms: an accumulator adds at most 2048 of them."""
    gradient = WeightGradient((1, 1, 512, 512), 1, 3)
    point = plan_point(gradient.kernel_of_sums(AVX2), AVX2)
    assert isinstance(point, DotPoint)
    assert 0 < point.k_block * (512 // point.lanes) <= 2048


def test_fixed_sums_keep_their_order() -> None:
    target = Target("llvm -mcpu=x86-64-v3 -sums=fixed")
    kernel = GRADIENTS["few channels"].kernel_of_sums(target)
    assert not isinstance(plan_point(kernel, target), DotPoint)
