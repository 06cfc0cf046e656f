"""The space of a whole model: layouts, fusions and algorithms as options of passes."""

from __future__ import annotations

import itertools
import random
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.driver.passes.graph_plans import context_text, parse_context
from tilewright.driver.passes.pass_context import PassContext
from tilewright.interp.compare import expect_close
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import NeedsBinding, TilewrightError
from tilewright.support.tuning_records import GRAPH_SPACE, Record, read_records
from tilewright.tuning.graph_space import GraphSpace
from tilewright.tuning.job import Job, Measurement
from tilewright.tuning.model_task import graph_task, model_file, model_of
from tilewright.tuning.plan_space import PlanSpace
from tilewright.tuning.record_file import append_records
from tilewright.tuning.runner import Outcome, WorkerRunner
from tilewright.tuning.task import tasks_of
from tilewright.tuning.tuner import tune

TARGET = "llvm -mcpu=x86-64-v3"
X = np.random.default_rng(0).standard_normal((1, 32, 12, 12)).astype(np.float32)


def model(*, name: str = "conv1") -> onnx.ModelProto:
    """Return two 3x3 convolutions of 32 channels, and a 1x1 convolution with a ReLU."""
    rng, helper = np.random.default_rng(1), onnx.helper
    sizes = {"w1": (32, 32, 3, 3), "w2": (32, 32, 3, 3), "w3": (24, 32, 1, 1)}
    weights = {n: 0.1 * rng.standard_normal(s).astype(np.float32) for n, s in sizes.items()}
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], name=name, pads=[1] * 4),
        helper.make_node("Conv", ["a", "w2"], ["b"], name="conv2", pads=[1] * 4),
        helper.make_node("Conv", ["b", "w3"], ["c"], name="conv3"),
        helper.make_node("Relu", ["c"], ["y"], name="relu"),
    ]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "g",
        [info("x", onnx.TensorProto.FLOAT, X.shape)],
        [info("y", onnx.TensorProto.FLOAT, (1, 24, 12, 12))],
        [onnx.numpy_helper.from_array(w, n) for n, w in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "net.onnx"
    onnx.save(model(), str(path))
    return str(path)


class Runner:
    """Times that follow from the options of a candidate: row-major first layers are the fastest."""

    unit = "s"

    def submit(self, job: Job) -> Future[Outcome]:
        assert job.is_model
        future: Future[Outcome] = Future()
        times = tuple((self.time_s(text),) * 3 for text in job.schedules)
        future.set_result(Outcome("measured", Measurement(times)))
        return future

    @staticmethod
    def time_s(text: str) -> float:
        gains = {"conv1=0": 0.2, "conv3=4": 0.1, "conv1=direct": 0.1, "max_inlined_ops": -0.1}
        return 1.0 - sum(gain for word, gain in gains.items() if word in text)


def test_the_space_has_layouts_algorithms_and_fusion(file: str) -> None:
    space = GraphSpace(graph_task(file, target=TARGET))
    knobs = {knob.name: knob.choices for knob in space.knobs}
    # conv1 and conv2 are equal, so they have one knob.
    assert knobs["cpu-plan-graph conv1"] == ("plan", "0", "8", "4")
    assert knobs["cpu-plan-graph conv3"] == ("plan", "0", "8", "4")
    assert "cpu-plan-graph conv2" not in knobs
    assert knobs["cpu-choose-algorithms conv1"] == ("plan", "direct", "winograd2", "winograd4")
    assert knobs["te-fuse-elementwise"] == ("plan", False)
    assert space.start is not None
    assert space.schedule(space.start) == context_text(PassContext())


def test_every_choice_computes_the_same(file: str) -> None:
    space = GraphSpace(graph_task(file, target=TARGET))
    assert space.start is not None
    expected = tilewright.compile(file, target=TARGET).run([X])[0]
    texts: dict[str, str] = {}
    for number, knob in enumerate(space.knobs):
        for choice in range(1, len(knob.choices)):
            point = (*space.start[:number], choice, *space.start[number + 1 :])
            with parse_context(space.schedule(point), "a point"):
                module = tilewright.compile(file, target=TARGET, strict_plan=True)
            expect_close(module.run([X])[0], expected, f"{knob.name} = {knob.choices[choice]}")
            texts[f"{knob.name} = {knob.choices[choice]}"] = module.get_source("te")
    assert "winograd" not in texts["cpu-choose-algorithms conv1 = direct"]
    assert "winograd 2" in texts["cpu-choose-algorithms conv1 = winograd2"]
    assert "winograd 4" in texts["cpu-choose-algorithms conv1 = winograd4"]


def test_the_best_options_are_found_recorded_and_used(file: str, tmp_path: Path) -> None:
    records = tmp_path / "tuned.jsonl"
    tuned = tune(file, space="graph", target=TARGET, records=records, runner=Runner(), trials=40)
    assert tuned.speedup == pytest.approx(1 / 0.6)
    assert {record.space for record in read_records(records)} == {GRAPH_SPACE}
    module = tilewright.compile(file, target=TARGET, plan=records)
    lines = [line for line in module.get_source("graph").splitlines() if "graph.conv " in line]
    assert ["floordiv" in line for line in lines] == [False, False, True]
    expected = tilewright.compile(file, target=TARGET)
    expect_close(module.run([X])[0], expected.run([X])[0], "the result")
    # The records of a model have no effect on another one.
    other = tilewright.compile(model(name="other"), target=TARGET, plan=records)
    assert other.get_source("graph").count("floordiv") == expected.get_source("graph").count(
        "floordiv"
    )


def test_kernels_are_tuned_with_the_options_of_their_model(file: str, tmp_path: Path) -> None:
    records = tmp_path / "tuned.jsonl"
    before = tune(file, target=TARGET, records=records, trials=1, budget=0.0)
    tune(file, space="graph", target=TARGET, records=records, runner=Runner(), trials=40)
    after = tune(file, target=TARGET, records=records, budget=0.0)
    digests = [{each.task.digest for each in tuned.tasks} for tuned in (before, after)]
    assert digests[0] != digests[1]


def test_this_machine_times_whole_models(file: str) -> None:
    seen: list[str] = []
    model, watch = Path(file).read_bytes(), lambda each: seen.append(each.status)
    tuned = tune(model, space="graph", trials=4, budget="5m", progress=watch)
    assert "measured" in seen
    assert tuned.tasks[0].plan_time > 0


def test_options_of_the_caller_hold_in_all_candidates(file: str) -> None:
    with tilewright.PassContext(disabled_pass=["cpu-plan-graph"]):
        space = GraphSpace(graph_task(file, target=TARGET))
    assert not any(knob.name.startswith("cpu-plan-graph") for knob in space.knobs)


def test_symbolic_sizes_are_refused(tmp_path: Path) -> None:
    symbolic = model()
    symbolic.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    onnx.save(symbolic, str(tmp_path / "n.onnx"))
    with pytest.raises(NeedsBinding, match="cannot be timed as a whole"):
        tune(tmp_path / "n.onnx", space="graph", budget="5s")


@pytest.mark.parametrize(
    ("option", "words"),
    [("cpu-plan-graph.choices", "0, 8, 4"), ("cpu-choose-algorithms.choices", "direct")],
)
def test_a_choice_that_a_node_does_not_have_is_an_error(option: str, words: str, file: str) -> None:
    with (
        tilewright.PassContext(config={option: ("conv1=7",)}),
        pytest.raises(ArgumentError, match=rf"conv1 has no such choice[\s\S]*{words}"),
    ):
        tilewright.compile(file, target=TARGET, cache=False)


def test_a_choice_for_an_unknown_node_is_an_error(file: str) -> None:
    with (
        tilewright.PassContext(config={"cpu-plan-graph.choices": ("con1=0",)}),
        pytest.raises(ArgumentError, match=r"names no node of the model[\s\S]*conv1"),
    ):
        tilewright.compile(file, target=TARGET, cache=False)


def test_malformed_options_are_one_sentence() -> None:
    with pytest.raises(ArgumentError, match=r"r\.jsonl: the options of passes are malformed"):
        parse_context("{}", "r.jsonl")


def test_options_that_the_compiler_no_longer_has_name_the_file(file: str, tmp_path: Path) -> None:
    records = tmp_path / "tuned.jsonl"
    tune(file, space="graph", target=TARGET, records=records, runner=Runner(), trials=40)
    text = records.read_text().replace("cpu-plan-graph.choices", "cpu-plan-graph.blocks")
    records.write_text(text)
    with pytest.raises(ArgumentError, match=r"tuned\.jsonl[\s\S]*tune the model again"):
        tilewright.compile(file, target=TARGET, plan=records)


def test_candidates_for_a_model_have_the_tuned_schedules_of_its_kernels(
    file: str, tmp_path: Path
) -> None:
    records = tmp_path / "tuned.jsonl"
    task = max(tasks_of(file, target=TARGET), key=lambda each: each.flops)
    space = PlanSpace(task)
    points = (space.draw(random.Random(n)) for n in itertools.count())
    schedule = next(s for s in map(space.schedule, points) if s != task.plan)
    known = Record(1, task.digest, task.name, task.target, {}, "plan", {}, schedule, "measured",
                   times=[1.0], plan_times=[2.0], speedup=2.0, is_final=True)  # fmt: skip
    append_records(records, [known])
    loaded: list[str] = []

    class Watching(Runner):
        def submit(self, job: Job) -> Future[Outcome]:
            path, options = model_of(job.kernel, job.target)
            assert options["plan"] != str(records), "the candidates choose the options of passes"
            loaded.append(tilewright.compile(path, **options).get_source("sched"))
            return super().submit(job)

    tune(file, space="graph", target=TARGET, records=records, runner=Watching(), trials=1)
    tuned, plain = (
        tilewright.compile(file, target=TARGET, plan=plan).get_source("sched")
        for plan in (records, "default")
    )
    assert loaded[0] == tuned != plain


def test_a_runner_of_kernels_cannot_time_models(file: str) -> None:
    with (
        WorkerRunner(measure="tilewright.tuning.instruction_counts:count") as runner,
        pytest.raises(ArgumentError, match=r"times whole models[\s\S]*leave out runner="),
    ):
        tune(file, space="graph", target=TARGET, runner=runner)


def test_a_model_of_text_in_memory_is_tuned(tmp_path: Path) -> None:
    text = """
module {
  func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %y = stablehlo.tanh %x : tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }
}
"""
    for given in (text, text.encode()):
        with model_file(given) as path:
            assert graph_task(path, target=TARGET).digest
        assert not Path(path).exists()


def test_dumped_schedules_include_the_tuned_options(file: str, tmp_path: Path) -> None:
    records, folder = tmp_path / "tuned.jsonl", tmp_path / "schedules"
    tune(file, space="graph", target=TARGET, records=records, runner=Runner(), trials=40)
    tuned = tilewright.compile(file, target=TARGET, plan=records)
    files = tuned.dump_schedules(folder)
    assert [each.suffix for each in files].count(".json") == 1
    again = tilewright.compile(file, target=TARGET, plan=folder)
    assert again.get_source("ll") == tuned.get_source("ll")
    (options,) = folder.glob("*.json")
    for text in ("{}", "[]", "{"):
        options.write_text(text)
        with pytest.raises(TilewrightError, match="no options of passes"):
            tilewright.compile(file, target=TARGET, plan=folder)
