"""Installed packages: their dialects and converters are found through entry points.

The package is that of docs/how-to-add-an-op.md, with the entry points shown there.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import ModelError
from tilewright.driver.report.describe import describe_model
from tilewright.support.diagnostics import TilewrightError, UnsupportedOp
from tilewright.tools import cli
from tilewright.tools.opt.main import main as tw_opt

from ..docs.blocks import ROOT, blocks

FILES = {block.name: block.text for block in blocks(ROOT / "docs" / "how-to-add-an-op.md")}
TEXT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = acme.softcap %x cap 2.0 : tensor<4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
X = np.arange(4, dtype=np.float32)


def install(folder: Path, module: str) -> None:
    """Install a package in a folder as an installer does."""
    groups = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]
    lines = [
        f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in points.items())
        for group, points in groups.items()
    ]
    info = folder / "acme-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(lines).replace("softcap", module))
    (folder / f"{module}.py").write_text(FILES["softcap.py"])


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "acme_softcap")
    monkeypatch.syspath_prepend(tmp_path)


def model(folder: Path, op_type: str = "SoftCap") -> Path:
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4]) for n in "xy")
    node = helper.make_node(op_type, ["x"], ["y"], domain="acme", cap=2.0)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("acme", 1)]
    graph = helper.make_graph([node], "g", [x], [y])
    path = folder / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), path)
    return path


def check(mod: object) -> None:
    assert not mod.reason
    np.testing.assert_allclose(mod.run([X])[0].numpy(), 2 * np.tanh(X / 2), rtol=1e-6)


@pytest.mark.usefixtures("installed")
def test_texts_hold_ops_of_installed_dialects() -> None:
    check(tilewright.compile_module(TEXT))


def test_ops_of_no_dialect_are_refused() -> None:
    with pytest.raises(ModelError, match=r"acme\.softcap"):
        tilewright.compile_module(TEXT)


@pytest.mark.usefixtures("installed")
def test_nodes_are_converted_by_installed_converters(tmp_path: Path) -> None:
    path = model(tmp_path)
    for _ in range(2):  # not cached, because a newer package may convert differently
        mod = tilewright.compile(path)
        check(mod)
        assert not mod.reason
        assert "import" in mod.times
    (row,) = describe_model(path).operators
    assert (row.kind, row.refused) == ("converter", 0)


@pytest.mark.usefixtures("installed")
def test_the_tools_find_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(model(tmp_path))
    assert cli.main(["run", path]) == 0, capsys.readouterr().err
    assert tw_opt([path, "--to", "packed", "-o", str(tmp_path / "out")]) == 0


@pytest.mark.usefixtures("installed")
def test_other_nodes_stay_unsupported(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedOp, match="no converter"):
        tilewright.compile(model(tmp_path, "Hardcap"))


def test_a_package_that_cannot_be_loaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "acme_gone")
    (tmp_path / "acme_gone.py").unlink()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TilewrightError, match="entry point acme = acme_gone:CONVERTERS of"):
        tilewright.compile(model(tmp_path))
