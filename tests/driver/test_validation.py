"""compile(validate=True): stages and samples of large kernels; planted bugs are seen in samples."""

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, FloatAttr, ModuleOp, f32
from xdsl.ir.affine import AffineConstantExpr, AffineMap
from xdsl.passes import ModulePass

import tilewright
from tilewright.analysis.needed_iterations import needed_iterations
from tilewright.dialects import loop
from tilewright.dialects.te import kernels_of
from tilewright.driver.passes import kernel_samples
from tilewright.driver.passes.kernel_samples import sampled_positions
from tilewright.driver.report.texts import lowered_from
from tilewright.driver.report.validation import validated
from tilewright.driver.request import Request, request_for
from tilewright.driver.source import ModelSource
from tilewright.interp.loop import run_function
from tilewright.interp.sampled import run_iterations
from tilewright.interp.te import run_kernel
from tilewright.lowering.te_to_loop.te_to_loop import TeToLoop
from tilewright.passes.loop.split_launches import SplitLaunches
from tilewright.passes.simt.map_threads import MapThreads
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.entry import kernel_functions

ROWS, DEPTH, COLUMNS = 43, 5, 130
ELSEWHERE = "neoverse-n1"
SPLIT = 32, 256, 64
"""The sizes of a product that a GPU computes in two launches."""


@pytest.fixture(autouse=True)
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run no kernel with loops whole, so that the tests are cheap."""
    monkeypatch.setattr(kernel_samples, "_CHEAP_OPS", 0)


def model(rows: int = ROWS, depth: int = DEPTH, columns: int = COLUMNS) -> bytes:
    """Return a product with an epilogue, whose result is too large to be compared whole."""
    shapes = {"a": [rows, depth], "b": [depth, columns], "y": [rows, columns]}
    infos = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in shapes.items()
    }
    nodes = [helper.make_node("MatMul", ["a", "b"], ["c"]), helper.make_node("Relu", ["c"], ["y"])]
    graph = helper.make_graph(nodes, "g", [infos["a"], infos["b"]], [infos["y"]])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made.SerializeToString()


def request(target: str = "x86-64-v3", *sizes: int) -> Request:
    return request_for(ModelSource(model(*sizes)), target=target, cache=False)


def test_a_model_is_validated_stage_by_stage() -> None:
    module = tilewright.compile(model(), cache=False, validate=True)
    assert module.validation is not None
    rows = {(row.stage, row.kernel): row for row in module.validation.rows}
    stages = {"lower-graph", "form-kernels", "plan-kernels", "schedule", "lower-kernels", "code"}
    assert stages <= {stage for stage, _ in rows}
    assert {row.verdict for row in rows.values()} <= {"ok", "unchanged"}
    assert all(row.error <= row.bound for row in rows.values())
    assert ("code", "results, onnxruntime") in rows
    assert str(module.validation).startswith("stage          kernel ")


def test_a_module_for_a_device_that_is_not_here_has_the_table_of_its_stages() -> None:
    module = tilewright.compile(model(), target="rocm", cache=False, validate=True)
    assert module.validation is not None
    assert module.validation.rows[-1].stage in ("plan-memory", "code")
    assert {row.verdict for row in module.validation.rows} <= {"ok", "unchanged"}


def test_stages_are_validated_for_machines_that_are_not_here() -> None:
    module, table = validated(request(ELSEWHERE))
    assert module is None
    assert table.rows[-1].stage == "plan-memory"
    (kernel,) = [row for row in table.rows if row.stage == "lower-kernels"]
    assert (kernel.kernel, kernel.verdict) == ("@matmul", "ok")
    assert 0 < kernel.share < 1


# The first selected box begins a vector, whose other lanes are compared with the boxes after it.  A
# TopK of 7 of 20 elements stores the first 7 elements of each run.
PARTLY_STORED = {
    "nms": """
        (float[1, 3, 4] boxes, float[1, 1, 3] scores) => (int64[N, 3] selected)
        <int64 most = {3}> { selected = NonMaxSuppression(boxes, scores, most) }""",
    "top_k": """
        (float[3, 20] x) => (float[3, 7] y, int64[3, 7] p)
        <int64[1] k = {7}> { y, p = TopK <axis = 1> (x, k) }""",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kernel", PARTLY_STORED)
def test_threads_read_only_elements_that_they_have_stored(kernel: str) -> None:
    parsed = onnx.parser.parse_model(
        f"""<ir_version: 10, opset_import: ["": 21]> g {PARTLY_STORED[kernel]}"""
    )
    _, table = validated(
        request_for(ModelSource(parsed.SerializeToString()), target="cuda", cache=False)
    )
    verdicts = {(row.stage, row.kernel): row.verdict for row in table.rows}
    assert verdicts["lower-kernels", f"@{kernel}"] == verdicts["map-threads", f"@{kernel}"] == "ok"
    assert {*verdicts.values()} <= {"ok", "unchanged"}


def test_blocks_of_a_kernel_are_validated_for_a_device_that_is_not_here() -> None:
    module, table = validated(request("cuda"))
    assert module is None
    rows = {row.stage: row for row in table.rows if row.kernel == "@matmul"}
    assert rows["map-threads"].verdict == rows["lower-kernels"].verdict == "ok"
    assert 0 < rows["map-threads"].share < 1


def test_the_launches_of_a_split_kernel_are_validated() -> None:
    """A GPU splits the sum of a product with few results, and adds the parts in another launch."""
    _, table = validated(request("cuda", *SPLIT))
    assert [(row.stage, row.kernel) for row in table.rows[-6:]] == [
        ("schedule", "@matmul"),
        ("lower-kernels", "@matmul"),
        ("lower-kernels", "(program)"),
        ("map-threads", "@matmul_phase0"),
        ("map-threads", "@matmul_phase1"),
        ("plan-memory", "(program)"),
    ]
    assert {row.verdict for row in table.rows} <= {"ok", "unchanged"}


@pytest.mark.parametrize(
    ("step", "stage"), [(SplitLaunches, "lower-kernels"), (MapThreads, "map-threads")]
)
def test_a_bug_in_a_launch_of_a_split_kernel_is_seen(
    step: type[Any], stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = step.apply

    def apply(self: ModulePass, ctx: Context, op: ModuleOp) -> None:
        right(self, ctx, op)
        cut_short(op)

    monkeypatch.setattr(step, "apply", apply)
    with pytest.raises(TilewrightError, match=f"^{stage}: "):
        validated(request("cuda", *SPLIT))


def cut_short(module: ModuleOp) -> None:
    """Make the first loop over results end one iteration early."""
    for op in module.walk():
        end = op.bounds()[1][0] if isinstance(op, loop.ForOp) and not op.inits else None
        if isinstance(op, loop.ForOp) and end is not None and end.is_constant and end.const > 2:
            bound = AffineMap(0, 0, (AffineConstantExpr(end.const - 1),))
            op.properties["upper"] = AffineMapAttr(bound)
            return
    raise AssertionError("no loop")


def add_one(module: ModuleOp) -> None:
    """Start all sums at 1."""
    op = next(op for op in module.walk() if isinstance(op, loop.BroadcastOp))
    start = op.value.owner
    assert isinstance(start, arith.ConstantOp)
    start.properties["value"] = FloatAttr(1.0, f32)


@pytest.mark.parametrize("bug", [cut_short, pytest.param(add_one, marks=pytest.mark.nightly)])
def test_a_bug_of_a_lowering_is_seen_in_a_sample(
    bug: Callable[[ModuleOp], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = TeToLoop.apply

    def apply(self: TeToLoop, ctx, op: ModuleOp) -> None:
        right(self, ctx, op)
        bug(op)

    monkeypatch.setattr(TeToLoop, "apply", apply)
    with pytest.raises(TilewrightError, match=r"lower-kernels: .*kernel @matmul"):
        validated(request(ELSEWHERE))


def test_a_bug_of_planned_kernels_is_not_taken_for_a_failing_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right, runs = TeToLoop.apply, list[ModuleOp]()

    def apply(self: TeToLoop, ctx, op: ModuleOp) -> None:
        right(self, ctx, op)
        runs.append(op)
        if len(runs) == 1:
            add_one(op)

    monkeypatch.setattr(TeToLoop, "apply", apply)
    with pytest.raises(TilewrightError, match=r"lower-kernels: .*kernel @matmul"):
        validated(request())
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("level", "target"),
    [
        ("scheduled", ELSEWHERE),
        ("loop", "x86-64-v3"),
        pytest.param("loop", ELSEWHERE, marks=pytest.mark.nightly),
    ],
)
def test_a_sample_has_the_values_of_a_whole_run(level: str, target: str) -> None:
    module = lowered_from(request(target), level).module
    (kernel,) = kernels_of(module) or kernel_functions(module)
    rng = np.random.default_rng(0)
    types = [argument.type for argument in kernel.body.block.args]
    whole = [rng.standard_normal(type_.get_shape()).astype(np.float32) for type_ in types]
    part = [array.copy() for array in whole]
    at = sampled_positions((ROWS, COLUMNS))
    iterations = needed_iterations(kernel, {len(types) - 1: at})
    assert any(chosen.size > 0 for chosen in iterations.values())
    if level == "loop":
        run_function(kernel, *whole)
        run_iterations(kernel, part, iterations)
    else:
        run_kernel(kernel, *whole)
        run_kernel(kernel, *part, iterations=iterations)
    got, expected = (arrays[-1].reshape(-1) for arrays in (part, whole))
    np.testing.assert_allclose(got[at], expected[at], rtol=1e-6)
    assert np.count_nonzero(got != expected) > 1000
