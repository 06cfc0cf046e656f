"""simt-merge-launches: small kernels of a section share a launch, and compute the same bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.dialects.simt import LaunchSizes, launch_of
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.passes.simt.merge_launches import MergeLaunches
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from ..te.ir import parse

EXAMPLE = Path(__file__).parents[3] / "docs/reference/examples/simt-merge-launches.mlir"
X = np.random.default_rng(0).standard_normal(1024, np.float32)


def merged(text: str, target: str = "cuda -arch=sm_80") -> tuple[object, list[str]]:
    module = parse(text)
    MergeLaunches(Target(target)).apply(new_context(), module)
    verify_module(module)
    verify_positions(module)
    return module, [f.sym_name.data for f in kernel_functions(module)]


def test_two_kernels_become_one_launch() -> None:
    module, names = merged(EXAMPLE.read_text())
    assert names == ["double_merged"]
    (kernel,) = kernel_functions(module)  # pyright: ignore[reportArgumentType]
    assert launch_of(kernel) == LaunchSizes.of([12], [128])
    y, z = np.zeros(1024, np.float32), np.zeros(512, np.float32)
    packed.run(module, X, y, z)  # pyright: ignore[reportArgumentType]
    np.testing.assert_array_equal(y, X + X)
    np.testing.assert_array_equal(z, X[:512] * X[:512])


@pytest.mark.parametrize(
    "changes",
    [
        [("block [128]", "block [64]"), ("thread_id x below 128", "thread_id x below 64")],
        [("grid [4]", "grid [4, 2]")],
        [
            ("grid [4]", "grid [9999999]"),
            ("block_id x below 4", "block_id x below 9999999"),
            ("%bx * 128", "(%bx mod 4) * 128"),
        ],
        [("  %a =", "  simt.barrier shared\n  %a =")],
    ],
    ids=["other block", "two dimensions", "fills the GPU", "barrier"],
)
def test_other_kernels_keep_their_launch(changes: list[tuple[str, str]]) -> None:
    before, second = EXAMPLE.read_text().split("func.func @square")
    for old, new in changes:
        assert old in second
        second = second.replace(old, new)
    module = parse(f"{before}func.func @square{second}")
    MergeLaunches(Target("cuda -arch=sm_80")).apply(new_context(), module)
    assert [f.sym_name.data for f in kernel_functions(module)] == ["double", "square"]
    assert "packed.sections" not in str(module)


def test_a_launch_has_no_more_arguments_than_a_device_allows() -> None:
    call = "    packed.call @double(%x, %y) : (memref<1024xf32>, memref<1024xf32>) -> ()\n"
    names = [f"%y{n}" for n in range(9)]
    calls = "".join(call.replace("%y", name) for name in names)
    text = EXAMPLE.read_text().replace(call, call + calls)
    arguments = "".join(f", {name}: memref<1024xf32>" for name in names)
    text = text.replace("@main(%x: memref<1024xf32>", f"@main(%x: memref<1024xf32>{arguments}")
    assert merged(text)[1] == ["double_merged"]
    assert merged(text, "webgpu")[1] == ["double_merged", "double_merged_1"]
