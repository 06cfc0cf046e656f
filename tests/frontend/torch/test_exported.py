"""Torch programs compile as torch exports them; errors for other objects say how to make one."""

from __future__ import annotations

import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tilewright
from tilewright.runtime import load_module
from tilewright.support.diagnostics import ModelError
from tilewright.tools import cli

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture(scope="module")
def layer() -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval()


@pytest.fixture(scope="module")
def program(layer: Any) -> Any:
    """A program of any batch."""
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    return torch.export.export(
        layer, (torch.ones(2, 3),), dynamic_shapes=({0: torch.export.Dim("batch", min=1)},)
    )


@pytest.fixture
def saved(program: Any, tmp_path: Path) -> Path:
    """The file of the program; its name says nothing of the format."""
    path = tmp_path / "layer.model"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(program, path)
    return path


def check(module: Any, layer: Any, *batches: int) -> None:
    for batch in batches:
        x = torch.randn(batch, 3)
        np.testing.assert_allclose(module(x), layer(x).detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore")  # of the exporter, about torch itself
def test_an_exported_program_is_compiled(layer: Any, program: Any) -> None:
    converted = torch.onnx.export(program, dynamo=True, verbose=False)
    check(tilewright.compile(converted, cache=False), layer, 1, 2, 5)


def test_a_module_is_compiled_for_dynamic_shapes(layer: Any) -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    shapes = {"input": {0: torch.export.Dim("batch", min=1)}}
    example = (torch.ones(2, 3),)
    module = tilewright.compile(layer, inputs=example, dynamic_shapes=shapes, cache=False)
    assert module.inputs[0].shape == ("batch", 3)
    check(module, layer, 1, 2, 7)


class Scaled(torch.nn.Module):
    def forward(self, x: Any, y: Any) -> Any:
        return x * y.sum()


@pytest.mark.parametrize("form", [list, tuple, dict])
def test_dimensions_keep_their_names(form: type[Any]) -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    rows, columns = torch.export.Dim("rows", min=1), torch.export.Dim("columns", min=1)
    axes = {"x": {0: rows, 1: columns}, "y": {0: rows, 1: None}}
    shapes = axes if form is dict else form(axes.values())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module = tilewright.compile(
            Scaled().eval(), inputs=(torch.ones(2, 3), torch.ones(2, 4)), dynamic_shapes=shapes
        )
    assert [each.shape for each in module.inputs] == [("rows", "columns"), ("rows", 4)]
    assert np.asarray(module(torch.ones(5, 6), torch.ones(5, 4)))[0, 0] == 20


@pytest.mark.parametrize(
    ("kind", "sizes", "shape"),
    [
        (torch.nn.Conv2d, (3, 4, 3), (1, 3, 5, 5)),
        (torch.nn.TransformerEncoderLayer, (8, 2, 16), (2, 3, 8)),
    ],
)
def test_inference_mode_changes_nothing(kind: Any, sizes: Any, shape: Any) -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    torch.manual_seed(0)
    layer = kind(*sizes).eval()
    with torch.inference_mode():
        x = torch.randn(shape)
        expected, inside = layer(x), tilewright.compile(layer, inputs=(x,))
    for module in (inside, tilewright.compile(layer, inputs=(x,))):
        np.testing.assert_allclose(module(x.numpy()), expected, rtol=1e-5, atol=1e-5)


def test_a_file_of_an_exported_program_is_compiled(layer: Any, saved: Path) -> None:
    check(tilewright.compile(saved, cache=False), layer, 1, 4)


def test_commands_read_files_of_exported_programs(layer: Any, saved: Path) -> None:
    x, library = saved.with_name("x.npy"), saved.with_name("layer.so")
    np.save(x, np.ones((2, 3), np.float32))
    for words in (
        ["compile", str(saved), "-o", str(library)],
        ["run", str(saved), "--input", str(x), "-o", str(saved.with_name("y.npz"))],
        ["inspect", str(saved)],
    ):
        done = CliRunner().invoke(cli.tw, words)
        assert done.exit_code == 0, done.output
    check(load_module(library), layer, 2)
    name = load_module(library).inputs[0].shape[0]  # torch.export.save writes no names of Dims
    words = ["compile", str(saved), "--shapes", f"{name}=batch", "-o", str(library)]
    done = CliRunner().invoke(cli.tw, words)
    assert done.exit_code == 0, done.output
    assert load_module(library).inputs[0].shape == ("batch", 3)
    (y,) = np.load(saved.with_name("y.npz")).values()
    np.testing.assert_allclose(y, layer(torch.ones(2, 3)).detach().numpy(), rtol=1e-5)


def test_a_damaged_file_of_an_exported_program(saved: Path) -> None:
    with zipfile.ZipFile(saved.with_name("bad"), "w") as archive:
        archive.writestr("m/archive_format", "pt2")
    with pytest.raises(ModelError, match=r"bad: torch cannot read the exported program"):
        tilewright.compile(saved.with_name("bad"))


class Branch(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        if x.sum() > 0:  # the line of the error
            return x
        return -x


class Spectrum(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.special.bessel_j0(x)  # the line of the error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [Branch, Spectrum])
def test_failures_of_torch_are_errors_with_a_line(kind: type[Any]) -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    with pytest.raises(ModelError, match="torch cannot") as caught:
        tilewright.compile(kind().eval(), inputs=(torch.ones(2),))
    lines = Path(__file__).read_text().splitlines()
    number = next(
        n
        for n, line in enumerate(lines, 1)
        if "the line of the error" in line and n > kind.forward.__code__.co_firstlineno
    )
    assert f"{Path(__file__).name}', line {number}" in str(caught.value)


@pytest.mark.parametrize("given", [{"inputs": (torch.ones(1),)}, {"dynamic_shapes": {}}])
def test_files_take_no_inputs_of_modules(saved: Path, given: Any) -> None:
    with pytest.raises(ModelError, match=r"only a torch\.nn\.Module"):
        tilewright.compile(saved, **given)


@pytest.mark.parametrize(
    ("module", "inputs", "error"),
    [
        (torch.nn.Linear(2, 3), None, "a torch.nn.Module needs example inputs"),
        (torch.nn.Linear(2, 3), (torch.ones(2),), "the torch.nn.Module is in training mode"),
    ],
)
def test_a_module_needs_inputs_and_inference(module: Any, inputs: Any, error: str) -> None:
    with pytest.raises(ModelError) as caught:
        tilewright.compile(module, inputs=inputs)
    assert error in str(caught.value)
    assert "hint: tilewright.compile(model.eval(), inputs=(x,))" in str(caught.value)


def test_other_models_take_no_example_inputs() -> None:
    for model in (b"", torch.ones(2)):
        with pytest.raises(ModelError, match=r"only a torch\.nn\.Module takes example inputs"):
            tilewright.compile(model, inputs=())


def test_torch_is_not_imported_for_others() -> None:
    code = "import sys, tilewright.driver.compile; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the exporter, about torch itself
def test_torch_sorts_an_axis_of_any_length() -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")

    class Sort(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.sort(x, dim=1)

    dynamic = {"x": {1: torch.export.Dim("n", min=2, max=6000)}}
    example = (torch.zeros(2, 5, 3),)
    exported = torch.onnx.export(
        Sort(), example, dynamo=True, dynamic_shapes=dynamic, verbose=False
    )
    module = tilewright.compile(exported, cache=False, strict_plan=True)
    assert not module.reason
    for n in (2, 31, 100, 5000):
        x = np.random.default_rng(n).permutation(6 * n).reshape(2, n, 3).astype(np.float32)
        want = torch.sort(torch.from_numpy(x), dim=1)
        for got, expected in zip(module.run([x]), want, strict=True):
            np.testing.assert_array_equal(got, expected.numpy())
