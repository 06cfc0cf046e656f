"""Schedules as files: dumped, read back, edited; each fault is one clear error."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright import te
from tilewright.dialects.sched import ScriptOp
from tilewright.dialects.te import kernels_of
from tilewright.driver.compile_module import compile_module
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.driver.passes.schedules import scheduled_by
from tilewright.driver.report.texts import source_at
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.passes.schedule.match_schedules import (
    kernel_digest,
    parse_scripts,
    schedule_texts,
    use_schedules,
)
from tilewright.support.diagnostics import ScheduleError, TilewrightError
from tilewright.support.registry import new_context
from tilewright.support.schedule_files import ScheduleFile, read_schedules, write_schedules
from tilewright.targets.cpu.backend import CPU
from tilewright.testing.models import (
    encoder_model,
    ffn_model,
    inputs_for,
    light_model,
    softmax_model,
)
from tilewright.testing.profile import Replay

from ...targets import programs

AVX2 = "llvm -mcpu=x86-64-v3"


def small_encoder() -> onnx.ModelProto:
    return encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=16)


def compiled(model: onnx.ModelProto, **options) -> CompiledModule:
    made = tilewright.compile(model, **options)
    assert not made.reason
    return made


@pytest.fixture
def ffn(tmp_path: Path) -> tuple[onnx.ModelProto, Path]:
    """Return a model of two products, and the folder of its schedules."""
    model = ffn_model(m=26, k=64, n=48)
    compiled(model, target=AVX2, cache=False).dump_schedules(tmp_path / "schedules")
    return model, tmp_path / "schedules"


def edit(folder: Path, pattern: str, new: str) -> Path:
    """Change the script, not the comments, of the first file that contains a pattern."""
    for file in sorted(folder.iterdir()):
        comments, start, script = file.read_text().partition("sched.script")
        changed, count = re.subn(pattern, new, start + script, count=1)
        if count:
            file.write_text(comments + changed)
            return file
    raise AssertionError(f"{pattern} in none of {folder}")


def test_unedited_schedules_give_the_same_bytes(tmp_path: Path) -> None:
    module = compiled(small_encoder(), target=AVX2, cache=False)
    files = module.dump_schedules(tmp_path)
    assert len(files) == len(module.kernels)
    again = compiled(small_encoder(), target=AVX2, cache=False, plan=tmp_path)
    assert again.code == module.code


@pytest.mark.slow
def test_the_schedules_of_a_bert_layer_give_the_same_llvm_text(tmp_path: Path) -> None:
    model = encoder_model(layers=1)
    module = planned(import_model(model), Target(AVX2))
    write_schedules(schedule_texts(module), tmp_path)
    again = source_at(model, "ll", target=AVX2, plan=tmp_path)
    assert again == source_at(model, "ll", target=AVX2)


@pytest.mark.slow
def test_the_schedules_of_resnet50_are_those_of_the_plan_when_they_are_read_back() -> None:
    module, ctx = planned(import_model(light_model("resnet50")), Target(AVX2)), new_context()
    scripts = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    files = [ScheduleFile(text, name) for name, text in schedule_texts(module).items()]
    assert len(files) == len(scripts)
    for script in scripts.values():
        script.detach()
    use_schedules(module, files, ctx)
    again = [op for op in module.ops if isinstance(op, ScriptOp)]
    assert len(again) == len(scripts)
    for script in again:
        assert script.is_structurally_equivalent(scripts[script.kernel_name])


def planned(module: ModuleOp, target: Target) -> ModuleOp:
    run_pipeline(module, new_context(), target, to="sched")
    return module


def test_an_edited_schedule_is_used_and_keeps_the_results(
    ffn: tuple[onnx.ModelProto, Path],
) -> None:
    model, folder = ffn
    edit(folder, r"lanes = 8", "lanes = 4")
    before = compiled(model, target=AVX2, cache=False)
    after = compiled(model, target=AVX2, cache=False, plan=folder)
    assert after.code != before.code
    assert "lanes = 4" in after.get_source("sched")
    (x,) = inputs_for(model)
    np.testing.assert_allclose(after.run([x])[0], before.run([x])[0], rtol=1e-5, atol=1e-5)


def test_an_edited_schedule_may_make_phases_of_a_kernel(tmp_path: Path) -> None:
    model = softmax_model(shape=(4, 48, 40))
    plan = compiled(model, cache=False)
    plan.dump_schedules(tmp_path)
    steps = "".join(
        f"  %{name} = sched.match {{name = {name}}}\n"
        f"  %{name}_t, %{name}_b = sched.tile %{name} {{i = 1}}\n"
        f"  %{name}_p = sched.parallel %{name}_b\n"
        for name in ("softmax_max", "softmax_exp", "softmax_sum", "softmax")
    )
    edit(tmp_path, r"(sched.script.*\{\n)(?:.*\n)*\}", rf"\1{steps}}}")
    edited = compiled(model, plan=tmp_path, cache=False)
    names = [f"softmax_phase{number}" for number in range(4)]
    assert [(k.name, k.ops, k.tasks) for k in edited.kernels] == [
        (name, ("Softmax",), 4 * 48) for name in names
    ]
    inputs = inputs_for(model)
    one, two = (edited.run(inputs, threads=threads)[0] for threads in (1, 2))
    np.testing.assert_array_equal(one, two)
    np.testing.assert_allclose(one, plan.run(inputs)[0], rtol=1e-5)
    edited.dump_schedules(tmp_path / "again")
    again = compiled(model, plan=tmp_path / "again", cache=False)
    assert again.code == edited.code
    replay = Replay.of_model(
        model, inputs, extensions=scheduled_by(read_schedules(tmp_path / "again"), CPU)
    )
    np.testing.assert_array_equal(replay()[0], one)
    assert [p.name for p in replay.profile()] == names


def test_schedules_are_part_of_the_key_of_a_cached_model(
    ffn: tuple[onnx.ModelProto, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    model, folder = ffn

    def is_hit() -> bool:
        return "look-up" in (times := compiled(model, target=AVX2, plan=folder).times) and (
            "import" not in times
        )

    assert [is_hit(), is_hit()] == [False, True]
    edit(folder, r"lanes = 8", "lanes = 4")
    assert [is_hit(), is_hit()] == [False, True]
    assert "lanes = 4" in compiled(model, target=AVX2, plan=folder).get_source("sched")


def test_a_module_of_graph_ops_takes_schedules_too(tmp_path: Path) -> None:
    module = programs.matmul(26, 48, 64)
    first = compile_module(module, target=AVX2, cache=False)
    first.dump_schedules(tmp_path)
    edit(tmp_path, r"lanes = 8", "lanes = 4")
    again = compile_module(module, target=AVX2, cache=False, plan=tmp_path)
    assert again.code != first.code
    assert "lanes = 4" in again.dump_schedules(tmp_path / "again")[0].read_text()


def expressions(rows: int | te.Var = 26) -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    """Return a product with relu."""
    a, b = te.placeholder((rows, 64), name="a"), te.placeholder((64, 48), name="b")
    k = te.reduce_axis((0, 64), name="k")
    c = te.compute((rows, 48), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
    return a, b, te.compute((rows, 48), lambda i, j: te.max(c[i, j], 0.0), name="d")


def stepwise(d: te.Tensor) -> te.Schedule:
    """Return a schedule with rows in blocks, and the product computed inside them."""
    s = te.create_schedule(d.op, target=AVX2)
    outer, _ = s[d].split(d.op.axis[0], factor=6)
    s[d].vectorize(s[d].split(d.op.axis[1], factor=8)[1])
    s["c"].compute_at(s[d], outer)
    s[d].parallel(outer)
    return s


def matches_numpy(module: CompiledModule, rows: int = 26) -> None:
    x, y = (np.random.default_rng(0).standard_normal(s, np.float32) for s in ((rows, 64), (64, 48)))
    expected = np.maximum(x @ y, 0)
    np.testing.assert_allclose(module.run([x, y])[0], expected, rtol=1e-5, atol=1e-5)


def test_what_was_planned_of_expressions_gives_the_same_bytes(tmp_path: Path) -> None:
    arguments = expressions()
    module = tilewright.build(arguments, target=AVX2)
    (file,) = module.dump_schedules(tmp_path)
    again = tilewright.build(arguments, target=AVX2, plan=tmp_path)
    assert again.code == module.code
    edit(tmp_path, r"lanes = 8", "lanes = 4")
    edited = tilewright.build(arguments, target=AVX2, plan=file)
    assert edited.code != module.code
    matches_numpy(edited)


def test_steps_of_a_person_are_dumped_and_give_the_same_bytes(tmp_path: Path) -> None:
    arguments = expressions()
    module = tilewright.build(stepwise(arguments[-1]), arguments)
    (file,) = module.dump_schedules(tmp_path)
    assert "sched.compute_at" in file.read_text()
    again = tilewright.build(stepwise(arguments[-1]), arguments, plan=tmp_path)
    assert again.code == module.code
    matches_numpy(again)


def test_a_file_takes_the_place_of_the_steps_of_a_person(tmp_path: Path) -> None:
    arguments = expressions()
    module = tilewright.build(stepwise(arguments[-1]), arguments)
    module.dump_schedules(tmp_path)
    edit(tmp_path, r"factor = 6", "factor = 4")
    edited = tilewright.build(stepwise(arguments[-1]), arguments, plan=tmp_path)
    assert edited.code != module.code
    assert "factor = 4" in edited.dump_schedules(tmp_path / "again")[0].read_text()
    matches_numpy(edited)


@pytest.mark.parametrize("is_planned", [True, False])
def test_with_an_open_size_a_kernel_has_one_file(tmp_path: Path, is_planned: bool) -> None:
    arguments = expressions(te.var("n"))
    what = arguments if is_planned else stepwise(arguments[-1])
    module = tilewright.build(what, arguments, target=AVX2)
    (file,) = module.dump_schedules(tmp_path)
    again = tilewright.build(what, arguments, target=AVX2, plan=tmp_path)
    assert again.code == module.code
    old, new = ("lanes = 8", "lanes = 4") if is_planned else ("factor = 6", "factor = 5")
    file.write_text(file.read_text().replace(old, new))
    edited = tilewright.build(what, arguments, target=AVX2, plan=tmp_path)
    assert edited.code != module.code
    for rows in (1, 7, 70):
        matches_numpy(edited, rows)


def test_a_file_for_other_sizes_is_an_error(tmp_path: Path) -> None:
    arguments = expressions(te.var("n"))
    tilewright.build(expressions(27), target=AVX2).dump_schedules(tmp_path)
    with pytest.raises(ScheduleError, match=r"c\.mlir: .*belongs to none of the kernels"):
        tilewright.build(arguments, target=AVX2, plan=tmp_path)


def test_a_script_without_digest_is_for_the_kernel_of_that_name(tmp_path: Path) -> None:
    arguments = expressions(te.var("n"))
    file = tmp_path / "rows.mlir"
    steps = "%c = sched.match {name = c}\n%t, %i = sched.tile %c {i = 3}\n%p = sched.parallel %i"
    file.write_text(f"sched.script @c {{\n{steps}\n}}\n")
    module = tilewright.build(arguments, target=AVX2, plan=file)
    (dumped,) = module.dump_schedules(tmp_path / "dumped")
    assert "{i = 3}" in dumped.read_text()
    matches_numpy(module, 70)


def test_a_digest_is_that_of_the_structure() -> None:
    module, other = (planned(programs.matmul(26, 48, k), Target(AVX2)) for k in (64, 65))
    (text,) = schedule_texts(module).values()
    _, (script,) = parse_scripts(ScheduleFile(text, "f"), new_context())
    assert script.digest is not None
    kernel, different = (kernels_of(m)[0] for m in (module, other))
    assert kernel_digest(kernel) == script.digest.data != kernel_digest(different)
    renamed = kernel.clone()
    renamed.properties["sym_name"] = script.kernel
    for argument in renamed.body.block.args:
        argument.name_hint = "other"
    assert kernel_digest(renamed) == script.digest.data


@pytest.mark.parametrize(
    ("pattern", "new", "message"),
    [
        (
            r"\{n = \d+\}",
            "{n = 0}",
            r"step \d of \d, sched.tile in @\w+: size of axis n is too small\n",
        ),
        (
            r"axis = n, lanes",
            "axis = q, lanes",
            r"step \d of \d, sched.vectorize in @\w+: @\w+ has no axis q\n    expected: one of m",
        ),
        (
            r"sched\.parallel",
            "sched.sideways",
            "the schedule does not parse\n(.|\n)*not registered",
        ),
        (r"sched\.parallel %n", "sched.parallel %q", "the schedule does not parse\n(.|\n)*q"),
        (r"\n\}", "\n  %one = arith.constant 1 : i32\n}", "a script may hold only schedule steps"),
        (
            r'of "\w+"',
            'of "0123"',
            "the schedule belongs to none of the kernels(.|\n)*dump it again",
        ),
        (r"@\w+ of .*? \{", "@gone {", "no kernel has that name\n    expected: one of "),
        (
            r"sched.script(.|\n)*",
            "func.func private @f() -> ()",
            "the file holds an op that is not part of a schedule",
        ),
    ],
)
def test_what_is_wrong_with_a_schedule_is_one_error_with_file_step_and_kernel(
    ffn: tuple[onnx.ModelProto, Path], pattern: str, new: str, message: str
) -> None:
    model, folder = ffn
    file = edit(folder, pattern, new)
    with pytest.raises(ScheduleError) as err:
        tilewright.compile(model, target=AVX2, cache=False, plan=folder)
    text = str(err.value)
    assert text.startswith(f"{file}: ")
    assert re.search(message, text), text


def test_two_schedules_for_one_kernel_are_an_error(ffn: tuple[onnx.ModelProto, Path]) -> None:
    model, folder = ffn
    first = min(folder.iterdir())
    (folder / "twice.mlir").write_text(first.read_text())
    with pytest.raises(ScheduleError, match="the kernel has a schedule already"):
        tilewright.compile(model, target=AVX2, cache=False, plan=folder)


def test_a_schedule_of_another_target_is_used_as_it_is_if_the_kernel_is_the_same(
    ffn: tuple[onnx.ModelProto, Path],
) -> None:
    model, folder = ffn
    other = compiled(model, target="llvm -mcpu=x86-64-v4", cache=False, plan=folder)
    assert "lanes = 8" in other.get_source("sched")


def test_schedules_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    with pytest.raises(TilewrightError, match="the folder holds no schedules"):
        read_schedules(tmp_path)
    with pytest.raises(TilewrightError, match="cannot read the schedule"):
        read_schedules(tmp_path / "missing.mlir")
    (tmp_path / "binary.mlir").write_bytes(b"\xff\xfe\0")
    with pytest.raises(TilewrightError, match="cannot read the schedule"):
        read_schedules(tmp_path)


def test_a_notebook_shows_signature_and_texts_escaped() -> None:
    module = compile_module(programs.matmul(4, 8, 8), target=AVX2, cache=False)
    shown = module._repr_html_()
    assert '<td class="tw-name">in</td><td class="tw-name"><code>x0</code></td>' in shown
    assert "float32[4, 8]" in shown
    text = module.get_source("sched")
    assert text.startswith("builtin.module")
    html = text._repr_html_()
    assert '<pre><span class="tw-op">builtin.module</span>' in html
    assert "affine_map</span>&lt;(d0, d1) -&gt; " in html
