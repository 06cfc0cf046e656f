"""mod.profile: the time of each kernel, recorded inside runs of the whole model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.measure.profile import Profile, TraceRecorder
from tilewright.runtime.module.loading import load_code
from tilewright.runtime.module.module import Module
from tilewright.support.diagnostics import TargetError
from tilewright.testing.models import encoder_model, ffn_model, inputs_for

LAYER = {"layers": 1, "hidden": 64, "heads": 2, "ffn": 64}


def calls_of(profile: Profile) -> dict[str, int]:
    return {row.kernel: row.calls for row in profile.rows}


def kernels_of(module: CompiledModule) -> dict[str, int]:
    return {kernel.name: kernel.calls for kernel in module.kernels}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_profile_has_every_call_and_all_nodes(threads: int) -> None:
    model = encoder_model(**LAYER)
    module = tilewright.compile(model)
    profile = module.profile(*inputs_for(model), threads=threads, rounds=3)
    assert calls_of(profile) == kernels_of(module)
    computed = {node for row in profile.rows for node in row.nodes}
    assert computed == {node.name for node in model.graph.node if node.op_type != "Constant"}
    assert all(row.us > 0 and row.of_roofline for row in profile.rows)
    assert sum(step.time_s for step in profile.steps) * 1e6 <= 3 * profile.run_us
    flops = {kernel.name: kernel.flops for kernel in module.kernels}
    assert all(step.flops == flops[step.kernel] for step in profile.steps)


def test_each_step_knows_its_own_nodes_and_work() -> None:
    model = ffn_model(m=4, k=8, n=16)
    profile = tilewright.compile(model).profile(*inputs_for(model), rounds=1)
    (step,) = profile.steps
    assert step.nodes == tuple(node.name for node in model.graph.node)
    assert step.flops is not None
    assert step.flops >= 2 * 4 * 8 * 16
    assert step.moved_bytes == 4 * (4 * 8 + 8 * 16 + 16 + 4 * 16)


@pytest.mark.parametrize("rows", [1, 7, 40])
def test_work_and_bytes_are_those_of_the_sizes_of_the_call(rows: int) -> None:
    static = ffn_model(m=rows, k=8, n=16)
    symbolic = tilewright.compile(ffn_model(m="rows", k=8, n=16))
    x = np.ones((rows, 8), np.float32)
    expected = tilewright.compile(static).profile(x, rounds=1)
    got = symbolic.profile({"x": x}, threads=2, rounds=1)

    def totals(profile: Profile) -> tuple[int, int]:
        steps = profile.steps
        return sum(s.flops or 0 for s in steps), sum(s.moved_bytes for s in steps)

    assert totals(got) == totals(expected)


def test_versions_and_programs_of_calls_are_profiled() -> None:
    model = ffn_model(m="rows", k=8, n=16)
    module = tilewright.compile(model, specialize={"rows": [4]})
    shown = {
        rows: module.profile(np.ones((rows, 8), np.float32), rounds=1).rows[0].kernel
        for rows in (3, 4)
    }
    assert "(rows = 4)" in shown[4]
    assert "(" not in shown[3]


def test_a_model_that_its_calls_compile_is_profiled() -> None:
    shape = helper.make_tensor_value_info("shape", onnx.TensorProto.INT64, [2])
    x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [4, 6])
    y = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    nodes = [
        helper.make_node("Reshape", ["x", "shape"], ["r"], "reshape"),
        helper.make_node("Softmax", ["r"], ["y"], "softmax"),
    ]
    module = tilewright.compile(
        helper.make_model(helper.make_graph(nodes, "g", [x, shape], [y]), ir_version=9)
    )
    profile = module.profile(np.ones((4, 6), np.float32), np.array([3, 8]), rounds=1)
    assert any("softmax" in row.nodes for row in profile.rows)


def test_functions_of_the_process_are_steps() -> None:
    @tilewright.register_func("tests.profile.copy", override=True)
    def copy(x: Any, out: Any) -> None:
        out.copyfrom(x)

    a = te.placeholder((8,), name="a")
    b = te.extern((8,), [a], lambda ins, outs: te.call_packed("tests.profile.copy", *ins, *outs))
    c = te.compute((8,), lambda i: b[i] + 1, name="c")
    module = tilewright.build([a, c])
    profile = module.profile(np.ones(8, np.float32), rounds=1)
    row = next(row for row in profile.rows if "tests.profile.copy" in row.kernel)
    assert row.gflops is None
    assert "-" in str(profile)


def test_concurrent_kernels_share_the_time_of_their_launch() -> None:
    model = encoder_model(**LAYER)
    module = tilewright.compile(model)
    profile = module.profile(*inputs_for(model), threads=2, rounds=2)
    joined = [s for s in profile.steps if any("attention/q/" in n or "/k/" in n for n in s.nodes)]
    assert len(joined) >= 2
    assert all(step.time_s > 0 for step in joined)


def test_a_trace_is_one_run_in_the_trace_event_format(tmp_path: Path) -> None:
    model = encoder_model(**LAYER)
    module = tilewright.compile(model)
    profile = module.profile(*inputs_for(model), threads=2, rounds=2)
    path = tmp_path / "run.json"
    profile.trace(path)
    events = json.loads(path.read_text())["traceEvents"]
    steps = [e for e in events if e["ph"] == "X" and e["tid"] == 0]
    assert [e["name"] for e in steps] == [step.kernel for step in profile.steps]
    ends = [e["ts"] + e["dur"] for e in steps]
    assert all(e["ts"] >= before - 1e-6 for e, before in zip(steps[1:], ends, strict=False))
    tasks = [e for e in events if e["ph"] == "X" and e["tid"] > 0]
    assert {e["name"] for e in tasks} <= {e["name"] for e in steps}


def test_a_run_with_more_records_than_the_capacity_runs_again() -> None:
    model = ffn_model(m=4, k=8, n=16)
    module = tilewright.compile(model)
    made = module._profiler._artifact  # pyright: ignore
    loaded = load_code(bytes(made.code), made.weights)
    recorder = TraceRecorder(loaded.library)
    recorder._capacity.sizes = 1, 1  # pyright: ignore[reportPrivateUsage]
    program = Module.of(loaded)
    run = recorder.run(lambda: program.run(inputs_for(model)))
    assert list(run.steps["step"]) == [-1, 0]


def test_results_and_code_of_the_module_stay() -> None:
    model = encoder_model(**LAYER)
    module, inputs = tilewright.compile(model), inputs_for(model)
    code, before = module.code, module.run(inputs)
    module.profile(*inputs, rounds=1)
    assert module.code == code
    assert b"__tw_trace" not in code
    for got, expected in zip(module.run(inputs), before, strict=True):
        assert np.array_equal(got.numpy(), expected.numpy())


def test_wrong_inputs_and_rounds_are_refused() -> None:
    module = tilewright.compile(ffn_model(m=4, k=8, n=16))
    with pytest.raises(tilewright.ArgumentError, match="expected: 1"):
        module.profile()
    with pytest.raises(tilewright.ArgumentError, match="rounds of at least 1"):
        module.profile(np.ones((4, 8), np.float32), rounds=0)
    with pytest.raises(tilewright.ArgumentError, match="wrong shape"):
        module.profile(np.ones((5, 8), np.float32))


def test_a_target_without_machine_code_is_refused() -> None:
    module = tilewright.compile(ffn_model(m=4, k=8, n=16), target="interpreter")
    with pytest.raises(TargetError, match="cannot be timed"):
        module.profile(np.ones((4, 8), np.float32))
