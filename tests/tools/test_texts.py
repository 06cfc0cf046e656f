"""tw compile and tw-opt show the texts that the backend of a target has, and refuse others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.driver.backends import BACKENDS, text_kinds
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TargetError
from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main
from tilewright.tools.opt.main import main as tw_opt


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("texts") / "ffn.onnx"
    onnx.save(ffn_model(m=2, k=3, n=4), path)
    return str(path)


SHOWN = (
    # Options, and what the text has.
    (("--target", "cuda"), ".target sm_80"),
    (("--target", "cuda", "--to", "cuda"), "__global__"),
    (("--target", "cuda", "--to", "simt"), "simt.block_id"),
    (("--target", "opencl"), "__kernel"),
    (("--target", "metal"), "kernel void"),
    (("--target", "webgpu"), "@group(0)"),
    (("--target", "vulkan"), "OpEntryPoint GLCompute"),
    (("--target", "rocm"), "amdgcn"),
    (("--target", "interpreter"), "te.kernel"),
)


@pytest.mark.parametrize(("options", "part"), SHOWN, ids=[" ".join(o) for o, _ in SHOWN])
def test_the_text_of_a_target_is_shown(
    model: str, options: tuple[str, ...], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", model, *options]) == 0
    assert part in capsys.readouterr().out


WRITTEN = (
    ("cuda", "k.cu", "__global__"),
    ("cuda", "k.ptx", ".target sm_80"),
    ("opencl", "k.cl", "__kernel"),
    ("metal", "k.metal", "kernel void"),
    ("webgpu", "k.wgsl", "@group(0)"),
    ("vulkan", "k.spvasm", "OpEntryPoint GLCompute"),
)


@pytest.mark.parametrize(("target", "file", "part"), WRITTEN)
def test_the_suffix_of_a_file_chooses_the_text(
    model: str, target: str, file: str, part: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    assert main(["compile", model, "--target", target, "-o", str(path)]) == 0
    assert part in path.read_text()


REFUSED = (
    (("--target", "cuda", "--to", "asm"), "no text 'asm' for target cuda"),
    (("--to", "ptx"), "no text 'ptx' for target llvm"),
    (("--to", "ptxx"), "did you mean ptx?"),
    (("--target", "opencl", "-o", "k.ptx"), "target opencl has no .ptx files"),
    (("--target", "opencl", "-o", "k.a"), "target opencl has no .a files"),
    (("-o", "/nowhere/m.so"), "Folder '/nowhere' does not exist"),
    (("--target", "cuda", "--to", "ptx", "-o", "k.cu"), "a .cu file holds cuda"),
)


@pytest.mark.parametrize(("options", "rule"), REFUSED, ids=[" ".join(o) for o, _ in REFUSED])
def test_a_text_that_the_target_lacks_is_wrong_usage(
    model: str,
    options: tuple[str, ...],
    rule: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compile", model, *options]) == 2
    shown = capsys.readouterr().err
    assert rule in shown
    assert "internal error" not in shown
    assert not list(tmp_path.iterdir())


def test_every_suffix_belongs_to_a_kind_of_its_backend() -> None:
    from tilewright.driver.backends import backend_of

    for kind in BACKENDS:
        backend = backend_of(Target(kind))
        assert {*backend.text_files.values()} <= {*backend.listings}
        assert backend.shown_kind in backend.text_kinds
        if not backend.text_files and not backend.listings:
            assert backend.shown_kind == [*backend.levels][-1]
        assert {*backend.text_kinds} <= {*text_kinds()}


def test_levels_of_tw_opt_are_those_of_the_target(
    model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tw_opt([model, "--to", "simt", "--for", "cuda"]) == 0
    assert "simt.block_id" in capsys.readouterr().out
    assert tw_opt([model, "--to", "simd", "--for", "cuda"]) == 1
    assert "did you mean simt?" in capsys.readouterr().err
    assert tw_opt([model, "--to", "simt"]) == 1
    assert "target llvm has no level 'simt'" in capsys.readouterr().err


def test_an_unknown_text_is_an_error_of_ours() -> None:
    mod = tilewright.compile(ffn_model(m=2, k=3, n=4))
    with pytest.raises(tilewright.Error, match="no text of kind 'asmm'") as caught:
        mod.get_source("asmm")
    assert isinstance(caught.value, LookupError)
    assert caught.value.hint == "did you mean asm?"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("cuda -arch=banana", "use -arch=sm_80"),
        ("cuda -arch=sm_61", "use opencl for GPUs older than sm_70"),
        ("cuda -arch=sm_103", "use -arch=sm_100"),
        ("rocm -mcpu=gfx900", "use -mcpu=gfx90a"),
        ("opencl -max-threads=banana", "-max-threads=64"),
        (
            "banana",
            "or a kind: llvm, interpreter, c, hls, opencl, metal, cuda, rocm, vulkan, webgpu",
        ),
    ],
)
def test_a_target_is_checked_when_it_is_made(text: str, hint: str) -> None:
    with pytest.raises(TargetError) as caught:
        Target(text)
    assert hint in caught.value.hint


PLUGIN = """
from dataclasses import dataclass
from xdsl.passes import ModulePass

@dataclass(frozen=True)
class Bad(ModulePass):
    name = "my-bad"

    def apply(self, ctx, op):
        {body}

PASSES = (Bad,)
"""
BODIES = (
    ("op.nothing", "AttributeError: 'ModuleOp' object has no attribute 'nothing'"),
    ("raise SystemExit(0)", "SystemExit: 0"),
    ("raise ValueError('no')", "ValueError: no"),
)


@pytest.mark.parametrize(("body", "got"), BODIES)
@pytest.mark.parametrize("options", [[], ["--validate"]])
def test_a_failing_pass_is_named_with_its_line(
    model: str,
    body: str,
    got: str,
    options: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plugin = tmp_path / "plugin.py"
    plugin.write_text(PLUGIN.format(body=body))
    assert tw_opt([model, "--load", str(plugin), "-p", "my-bad", *options]) == 1
    shown = capsys.readouterr().err
    assert "my-bad: the pass fails on this program" in shown
    assert f"got: {got} ({plugin}:10)" in shown
    assert "internal error" not in shown


INVALID_IR = (
    "for add in [x for x in op.walk() if x.name == 'graph.add']:\n"
    "            add.operands[0] = add.results[0]",
    "for end in [x for x in op.walk() if x.name == 'func.return']:\n"
    "            end.detach(); end.erase()",
    "for add in [x for x in op.walk() if x.name == 'graph.add']:\n"
    "            add.operands[0] = add.clone().results[0]",
    "next(iter(op.body.block.ops)).attributes['key'] = 3",
)


@pytest.mark.parametrize("body", INVALID_IR)
@pytest.mark.parametrize("options", [[], ["--validate"]])
def test_a_pass_that_makes_invalid_ir_is_named(
    model: str, body: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / "plugin.py"
    plugin.write_text(PLUGIN.format(body=body))
    assert tw_opt([model, "--load", str(plugin), "-p", "my-bad", *options]) == 1
    captured = capsys.readouterr()
    assert "my-bad" in captured.err
    assert "internal error" not in captured.err
    assert not captured.out


@pytest.mark.parametrize("kind", ["ll", "asm"])
def test_the_text_of_a_cpu_begins_with_its_target(
    kind: str, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first = []
    for target in ("x86-64", "skylake-avx512", "cortex-a72"):
        assert main(["compile", model, "--target", target, "--to", kind]) == 0
        first.append(capsys.readouterr().out.splitlines()[0])
        assert first[-1].endswith(f" target: {Target(target)}")
    assert len({*first}) == 3


@pytest.mark.parametrize(
    ("tried", "target", "command"),
    [
        ("bench", "cortex-a72", "tw compile MODEL --target TARGET -o m.so"),
        ("run", "metal", "tw compile MODEL --target metal -o m.metal"),
    ],
)
def test_a_target_that_does_not_run_here_names_the_command_for_its_code(
    tried: str, target: str, command: str, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([tried, model, "--target", target]) == 1
    assert command in capsys.readouterr().err


# ---- IR on the command line

PRODUCT = """
func.func public @main(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %0 = graph.matmul %a, %b : tensor<4x8xf32>, tensor<8x3xf32> -> tensor<4x3xf32>
  func.return %0 : tensor<4x3xf32>
}
"""


@pytest.fixture(scope="module")
def levels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the files of a program at each level."""
    folder = tmp_path_factory.mktemp("levels")
    files = {"graph": folder / "graph.mlir"}
    files["graph"].write_text(PRODUCT)
    for level in ("te", "sched", "loop", "packed"):
        files[level] = folder / f"{level}.mlir"
        words = ["compile", str(files["graph"]), "--to", level, "-o", str(files[level])]
        assert main([*words, "--target", "x86-64-v3"]) == 0
    return files


@pytest.mark.parametrize("level", ["graph", "te", "sched", "loop", "packed"])
def test_a_program_of_any_level_runs(level: str, levels: dict[str, Path], tmp_path: Path) -> None:
    a, b = np.random.default_rng(0).standard_normal((2, 4, 8), np.float32)
    np.savez(tmp_path / "in.npz", a=a, b=b.reshape(8, 4)[:, :3])
    words = ["--input", str(tmp_path / "in.npz"), "-o", str(tmp_path / "out.npz")]
    assert main(["run", str(levels[level]), *words, "--target", "x86-64-v3"]) == 0
    with np.load(tmp_path / "out.npz") as made:
        (name,) = made.files
        np.testing.assert_allclose(made[name], a @ b.reshape(8, 4)[:, :3], rtol=1e-5, atol=1e-5)


def test_a_program_is_exported_timed_and_shown(
    levels: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    te, library = str(levels["te"]), str(tmp_path / "m.so")
    assert main(["compile", te, "--to", "asm"]) == 0
    assert "ret" in capsys.readouterr().out
    assert main(["compile", te, "--target", "opencl", "--to", "opencl"]) == 0
    assert "__kernel" in capsys.readouterr().out
    assert main(["compile", te, "-o", library]) == 0
    assert main(["run", library, "--json"]) == 0
    assert main(["bench", te, "--rounds", "2", "--json"]) == 0
    assert "reads ONNX only" in capsys.readouterr().err
    assert main(["compile", te, "--dump-ir", str(tmp_path / "passes")]) == 0
    assert (tmp_path / "passes" / "000-input.mlir").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compile", "--to", "te", "--shapes", "a=1x8"], "its text has sizes and states"),
        (["compile", "--to", "te", "--values", "a=1"], "its text has sizes and states"),
        (["compile", "--to", "te", "--state", "a=b"], "--state cannot change"),
        (["inspect"], "holds IR"),
    ],
)
def test_what_ir_does_not_take_is_refused(
    words: list[str], message: str, levels: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], str(levels["te"]), *words[1:]]) == 2
    assert message in capsys.readouterr().err
