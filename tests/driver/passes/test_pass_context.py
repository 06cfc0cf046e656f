"""PassContext: levels, required and disabled passes, options and instruments of compilations."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

import numpy as np
import onnx
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import tilewright
from tilewright import Error, PassContext, PassInstrument, te
from tilewright.dialects.graph import AddOp, SubOp
from tilewright.driver.backends import BACKENDS
from tilewright.driver.passes.check import Validation, validate_pipeline
from tilewright.driver.passes.pipeline import Pipeline, passes_to
from tilewright.machines.target import Target
from tilewright.support.instruments import PassInfo, PassTimes, PrintIR
from tilewright.support.lazy import load
from tilewright.support.registry import PASSES
from tilewright.support.tvm_names import TVM_CONFIG, TVM_PASSES
from tilewright.targets.backend import Backend
from tilewright.targets.cpu.backend import CPU
from tilewright.testing import models
from tilewright.tools.cli import main as tw
from tilewright.tools.opt.main import main as tw_opt

from ...ops.case import OpCase
from ...ops.cases import CASES
from ...peer import peer_results
from ...sweeps import sampled

AVX2 = Target("llvm -mcpu=x86-64-v3")
FFN = models.ffn_model(m=3, k=12, n=20)
OPTIONAL = sorted({*CPU.opt_levels} & {*CPU.level_of})


def names_at(level: int, target: str = "llvm") -> list[str]:
    """Return the names of all passes of a level."""
    backend = load(BACKENDS[target])
    assert isinstance(backend, Backend)
    context = PassContext(opt_level=level)
    passes = passes_to(Target(target), backend.last_level, context=context)
    return [step.name for step in passes]


def compiled(model: onnx.ModelProto = FFN, **options: object) -> tilewright.CompiledModule:
    return tilewright.compile(model, cache=False, strict_plan=True, **options)


# -- levels --------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["llvm", "cuda", "opencl"])
def test_each_level_adds_passes_to_the_one_below(target: str) -> None:
    lists = [names_at(level, target) for level in range(4)]
    for fewer, more in pairwise(lists):
        assert len(fewer) < len(more)
        rest = iter(more)
        assert all(name in rest for name in fewer), "in the same order"
    assert lists[3] == [name for stage in CPU.stages for name in stage.passes] or target != "llvm"
    assert "te-fuse-elementwise" in set(lists[2]) - set(lists[1])
    assert {"graph-cse", "graph-fold-constants", "graph-simplify"} <= {*lists[1]} - {*lists[0]}


@pytest.mark.parametrize("kind", BACKENDS)
def test_the_table_of_levels_has_passes_of_the_tree(kind: str) -> None:
    backend = load(BACKENDS[kind])
    assert isinstance(backend, Backend)
    assert {*backend.opt_levels} <= {*PASSES}
    for name in backend.level_of:
        assert (name in backend.opt_levels) == (backend.needed_by(name) == "")


@pytest.mark.parametrize(
    "model",
    [
        models.encoder_model(layers=1, hidden=16, heads=2, ffn=32, seq=4),
        models.residual_model(channels=16, size=16),
    ],
    ids=["encoder", "residual"],
)
def test_every_level_computes_the_same(model: onnx.ModelProto) -> None:
    inputs = models.inputs_for(model)
    (expected,) = peer_results(model, inputs)
    kernels: list[int] = []
    for level in range(4):
        with PassContext(opt_level=level):
            mod = compiled(model)
        np.testing.assert_allclose(mod(*inputs).numpy(), expected, rtol=1e-4, atol=1e-5)
        kernels.append(len(mod.kernels))
    assert kernels[1] > kernels[2], "level 2 fuses"


@pytest.mark.parametrize("case", sampled(CASES, attrgetter("name"), one_in=50, each_family=False))
def test_every_pass_of_a_low_level_keeps_the_results_of_an_op(case: OpCase) -> None:
    for level in range(3):
        (module, _), context = case.function(), PassContext(opt_level=level)
        validate_pipeline(module, AVX2, case.arrays(), ctx=case.context(), context=context)


def test_open_sizes_and_expressions_have_levels_too() -> None:
    model = models.ffn_model(m="rows", k=12, n=20)
    a = te.placeholder((7, 5), name="a")
    b = te.compute((7, 5), lambda i, j: a[i, j] * 2.0, name="b")
    given = np.random.default_rng(0).random((7, 5), np.float32)
    native = compiled(model)
    for level in range(3):
        with PassContext(opt_level=level):
            mod, double = compiled(model), tilewright.build([b])
            graph, params = tilewright.from_onnx(FFN)
            built = tilewright.build(graph, params=params)
        np.testing.assert_array_equal(double(given).numpy(), given * 2)
        assert (graph is not None, bool(built.kernels)) == (True, True)
        for rows in (1, 4):
            x = np.random.default_rng(rows).random((rows, 12), np.float32)
            np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-5, atol=1e-6)
    assert "sched.vectorize" not in sched_at(0)
    assert "sched.vectorize" in sched_at(1)


def sched_at(level: int) -> str:
    with PassContext(opt_level=level):
        return compiled().get_source("sched")


# -- single passes -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sampled(OPTIONAL, str, one_in=5, each_family=False))
def test_every_optional_pass_can_be_disabled(name: str) -> None:
    pipeline = Pipeline(AVX2, context=PassContext(disabled_pass=[name]))
    infos = [info for stage in CPU.stages for info in pipeline.steps(stage)]
    assert name not in [info.name for info in infos]
    with PassContext(disabled_pass=[name]):
        mod = compiled(target="x86-64-v3" if Target.native().has("avx2") else None)
    x = np.random.default_rng(0).random((3, 12), np.float32)
    expected = compiled(target="interpreter")(x).numpy()
    np.testing.assert_allclose(mod(x).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_a_required_pass_runs_at_every_level() -> None:
    context = PassContext(opt_level=0, required_pass=["te-fuse-elementwise"])
    with context:
        fused = len(compiled().kernels)
    with replace(context, required_pass=[]):
        assert len(compiled().kernels) > fused


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"disabled_pass": ["te-outline"]}, "hint: the stage plan-kernels needs the pass"),
        ({"disabled_pass": ["packed-plan-memory"]}, "hint: the stage emit needs the pass"),
        ({"disabled_pass": ["graph-csee"]}, "expected: one of graph-cse,"),
        ({"disabled_pass": "graph-cse"}, 'hint: disabled_pass=["graph-cse"]'),
        ({"required_pass": ["gpu-plan"]}, "hint: did you mean cpu-plan?"),
        ({"required_pass": ["graph-cse"], "disabled_pass": ["graph-cse"]}, "got: graph-cse"),
        ({"opt_level": 4}, "expected: 0, 1, 2 or 3"),
        ({"opt_level": True}, "got: True"),
        ({"optlevel": 2}, "hint: did you mean opt_level?"),
        ({"config": {"te-outline.budget": 3}}, "expected: one of te-outline.budget_bytes"),
        ({"config": {"te-outline.budget_bytes": "3"}}, "expected: int\n    got: '3'"),
        ({"config": {"strict_plans": True}}, "expected: one of strict_plan"),
        ({"config": ["strict_plan"]}, 'hint: config={"te-outline'),
        ({"instruments": [print]}, "values of type PassInstrument"),
    ],
)
def test_a_context_that_does_not_fit_is_one_error(given: dict, expected: str) -> None:
    with pytest.raises(Error) as caught, PassContext(**given):
        compiled()
    assert expected in str(caught.value)


def test_passes_of_another_backend_may_be_disabled() -> None:
    with PassContext(disabled_pass=["gpu-plan", "cpu-plan-graph"]):
        compiled()
        assert "gpu-bind" in ",".join(names_at(3, "cuda"))


def test_names_of_tvm_stand_for_passes_and_options() -> None:
    context = PassContext(disabled_pass=["FoldConstant"], config={"tir.disable_assert": True})
    assert context.disabled_pass == ("graph-fold-constants",)
    assert context.config == {"unchecked_indices": True}
    assert tilewright.transform.PassContext is PassContext
    assert {*TVM_PASSES.values()} <= {*PASSES}
    with PassContext(config=dict.fromkeys(TVM_CONFIG, 1) | {"tir.disable_assert": False}):
        compiled()


class Nothing(ModulePass):
    name = "acme-nothing"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise AssertionError("the pass is disabled")


def test_a_pass_of_an_extension_can_be_disabled() -> None:
    extension = tilewright.Extension(passes={"graph-cse": [Nothing()]})
    with PassContext(disabled_pass=["acme-nothing"]):
        compiled(extensions=[extension])
    with pytest.raises(Error, match="unknown pass"), PassContext(disabled_pass=["acme-nothing"]):
        compiled()


def test_options_of_passes_change_code() -> None:
    with PassContext(config={"te-fuse-elementwise.max_epilogue_ops": 0}):
        apart = len(compiled().kernels)
    assert apart > len(compiled().kernels)


# -- nesting -------------------------------------------------------------------------------------


def test_an_inner_context_replaces_the_outer_one() -> None:
    assert PassContext.current() == PassContext()
    with PassContext(opt_level=1, disabled_pass=["graph-cse"]) as outer:
        with PassContext():
            assert PassContext.current() == PassContext()
        with replace(PassContext.current(), opt_level=2) as inner:
            assert (inner.opt_level, inner.disabled_pass) == (2, ("graph-cse",))
            with outer:
                assert PassContext.current() is outer
        assert PassContext.current() is outer
    with pytest.raises(KeyError), outer:
        raise KeyError
    assert PassContext.current() == PassContext()


def test_threads_and_tasks_do_not_share_contexts() -> None:
    seen: list[int] = []
    with PassContext(opt_level=0):
        thread = threading.Thread(target=lambda: seen.append(PassContext.current().opt_level))
        thread.start()
        thread.join()

    async def one(level: int) -> None:
        with PassContext(opt_level=level):
            await asyncio.sleep(0)
            seen.append(PassContext.current().opt_level)

    async def both() -> None:
        await asyncio.gather(one(1), one(2))

    asyncio.run(both())
    assert seen == [3, 1, 2]


def test_calls_after_the_block_compile_with_its_context() -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (float[n, m] x, int64[k] s) => (float[a, b] y)'
        " { t = Neg(x) u = Abs(t) y = Reshape(u, s) }"
    )
    with PassContext(opt_level=0):
        mod = compiled(model, specialize=None)
    x = np.ones((2, 6), np.float32)
    np.testing.assert_array_equal(mod(x, np.array([3, 4])).numpy(), x.reshape(3, 4))


# -- instruments ---------------------------------------------------------------------------------


class Log(PassInstrument):
    """Records every call of its methods."""

    def __init__(self, name: str = "", log: list[str] | None = None) -> None:
        self.name, self.log = name, [] if log is None else log

    def enter_pass_ctx(self) -> None:
        self.log.append(f"{self.name}enter")

    def exit_pass_ctx(self) -> None:
        self.log.append(f"{self.name}exit")

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self.log.append(f"{self.name}begin")

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self.log.append(f"{self.name}before {info.name}")

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self.log.append(f"{self.name}after {info.name}")


def test_instruments_nest_around_each_pass() -> None:
    log: list[str] = []
    with PassContext(opt_level=0, instruments=[Log("1 ", log), Log("2 ", log)]):
        compiled()
    first = names_at(0)[0]
    assert log[:4] == ["1 enter", "2 enter", "1 begin", "2 begin"]
    assert log[4:6] == [f"1 before {first}", f"2 before {first}"]
    assert log[6:8] == [f"2 after {first}", f"1 after {first}"]
    assert log[-2:] == ["2 exit", "1 exit"]
    assert [row[9:] for row in log if row.startswith("1 before")] == names_at(0)


def test_an_instrument_skips_optional_passes_only() -> None:
    class Skip(Log):
        def should_run(self, module: ModuleOp, info: PassInfo) -> bool:
            return False

    skip = Skip()
    with PassContext(instruments=[skip]):
        compiled()
    ran = [row[7:] for row in skip.log if row.startswith("before")]
    assert ran == [name for name in names_at(3) if CPU.needed_by(name)]


def test_a_model_in_the_cache_is_compiled_for_instruments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    tilewright.compile(FFN)
    times = PassTimes()
    with PassContext(instruments=[times]):
        tilewright.compile(FFN)
    assert [entry.name for entry in times.times] == names_at(3)
    table = times.render().splitlines()
    assert table[0].split() == ["pass", "ms", "%", "ops", "after"]
    assert len(table) == len(times.times) + 2


def test_each_choice_has_its_own_entry_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    choices: list[dict] = [
        {},
        {"opt_level": 2},
        {"disabled_pass": ["graph-cse"]},
        {"opt_level": 2, "required_pass": ["te-winograd"]},
        {"config": {"te-outline.budget_bytes": 4096}},
    ]
    for choice in choices:
        for hits in (False, True):
            with PassContext(**choice):
                times = tilewright.compile(FFN).times
            assert ("import" not in times) == hits, choice


def test_programs_are_printed_around_passes() -> None:
    file = StringIO()
    printer = PrintIR(before=["graph-to-te"], after=["graph-to-te"], file=file)
    with PassContext(instruments=[printer]):
        compiled()
    text = file.getvalue()
    assert text.index("// IR before graph-to-te") < text.index("graph.matmul")
    assert text.index("graph.matmul") < text.index("// IR after graph-to-te")
    assert "te.compute" in text


class Damage(ModulePass):
    """Turns additions into subtractions."""

    name = "acme-damage"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for old in [each for each in op.walk() if isinstance(each, AddOp)]:
            new = SubOp(*old.operands)
            old.parent_block().insert_op_before(new, old)
            old.results[0].replace_all_uses_with(new.results[0])
            old.detach()
            old.erase()


def test_validation_names_the_pass_that_changes_results() -> None:
    extension = tilewright.Extension(passes={"graph-cse": [Damage()]})
    with PassContext(opt_level=1, instruments=[Validation()]):
        compiled()
        with pytest.raises(Error, match=r"acme-damage: .*changed"):
            compiled(extensions=[extension])


# -- command lines -------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "ffn.onnx"
    onnx.save(FFN, path)
    return str(path)


def test_the_pipeline_of_a_level_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for level in range(4):
        assert tw_opt(["--print-pipeline", f"-O{level}"]) == 0
        assert capsys.readouterr().out.strip() == ",".join(names_at(level))
    assert tw_opt(["--print-pipeline", "--to", "graph", "-O1", "--disable-pass", "graph-dce"]) == 0
    expected = [name for name in names_at(1) if name.startswith("graph-") and name != "graph-dce"]
    assert capsys.readouterr().out.strip() == ",".join(expected[:-1])


def test_tw_opt_runs_the_passes_of_a_level(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tw_opt([file, "--to", "te", "-O0", "--validate"]) == 0
    apart = capsys.readouterr().out
    assert tw_opt([file, "--to", "te", "-O0", "--require-pass", "te-fuse-elementwise"]) == 0
    assert capsys.readouterr().out.count("te.compute") < apart.count("te.compute")
    assert tw_opt([file, "-O1"]) == 1
    assert "belong to --to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["-O1"], None),
        (["-O", "2", "--disable-pass", "te-fuse-elementwise,graph-cse"], None),
        (["--config", "te-outline.budget_bytes=0"], None),
        (["--disable-pass", "te-outline"], "the stage plan-kernels needs the pass"),
        (["--config", "te-outline.budget_bytes"], "expected: PASS.OPTION=VALUE"),
        (["--require-pass", "te-winogrand"], "te-winograd"),
    ],
)
def test_tw_compile_takes_the_choice_of_passes(
    options: list[str], shown: str | None, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tw(["compile", file, "--to", "sched", *options]) == (0 if shown is None else 1)
    captured = capsys.readouterr()
    if shown is None:
        assert captured.out.count("te.kernel @") > 1 or "budget" in options[1]
    else:
        assert shown in captured.err
