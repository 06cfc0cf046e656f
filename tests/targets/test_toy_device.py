"""The example of a device as a package: installed without the network, and used by plain code."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import onnx
import pytest

import tilewright
from tilewright import Error
from tilewright.support.registry import PASSES
from tilewright.testing import models

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "examples" / "toy_device"
HOST = """
import sys
import numpy as np
import tilewright
from tilewright import nd, te
from tilewright.testing import models

TARGET, FOLDER = sys.argv[1], sys.argv[2]
there = tilewright.device(TARGET)

a, b = te.placeholder((1000,), name="a"), te.placeholder((1000,), name="b")
vecadd = tilewright.build([te.compute((1000,), lambda i: a[i] + b[i], name="c")], target=TARGET)
rng = np.random.default_rng(0)
x, y = rng.random((2, 1000), np.float32)
np.testing.assert_array_equal(vecadd(x, y).numpy(), x + y)
z = vecadd(nd.array(x, there), nd.array(y, there))
assert z.device == there
np.testing.assert_array_equal(z.numpy(), x + y)

CNN = (
    '<ir_version: 9, opset_import: ["": 20]> cnn (float[1, 3, 8, 8] x) => (float[1, 5] y) '
    '{ c = Conv<pads = [1, 1, 1, 1]>(x, filters) r = Relu(c) p = MaxPool<kernel_shape = [2, 2], '
    'strides = [2, 2]>(r) f = Flatten(p) y = MatMul(f, dense) }'
)
model = models.with_weights(CNN, filters=(4, 3, 3, 3), dense=(64, 5))
(image,) = models.inputs_for(model)
expected = tilewright.compile(model)(image).numpy()
mod = tilewright.compile(model, target=TARGET)
np.testing.assert_allclose(mod(image).numpy(), expected, rtol=1e-5, atol=1e-6)
files = mod.export_library(f"{FOLDER}/cnn.so")
loaded = tilewright.load_module(files[0])
np.testing.assert_array_equal(loaded(image).numpy(), mod(image).numpy())
assert loaded(nd.array(image, there)).device == there
print(mod.manifest.target, "import" in tilewright.compile(model, target=TARGET).times)
"""
LOAD = """
import sys, numpy as np, tilewright
mod = tilewright.load_module(sys.argv[1])
print(mod(np.ones((1, 3, 8, 8), np.float32)).numpy().shape)
"""
COMMAND = "import sys; from tilewright.tools.cli import main; sys.exit(main(sys.argv[1:]))"


def install(folder: Path) -> None:
    """Install the package into a folder, as an installer does for its entry points."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    info = folder / f"toy_device-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    (folder / "toy_device.py").write_text((PACKAGE / "toy_device.py").read_text())


def run(site: Path, code: str, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python code with the packages of a folder."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    cache = str(site.parent / "cache")
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, args)],
        env={**os.environ, "PYTHONPATH": path, "TILEWRIGHT_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )


def test_unchanged_host_code_runs_on_an_installed_device(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(site)
    (tmp_path / "cpu").mkdir()
    done = run(site, HOST, "toy", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["toy", "True"], "its models are not cached"
    done = run(tmp_path / "nothing", HOST, "llvm", tmp_path / "cpu")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "False"
    done = run(site, LOAD, tmp_path / "cnn.so")
    assert (done.returncode, done.stdout) == (0, "(1, 5)\n"), done.stderr
    (site / "toy_device.py").unlink()
    done = run(site, LOAD, tmp_path / "cnn.so")
    assert done.returncode == 1
    missing = run(tmp_path / "nothing", HOST, "toy", tmp_path)
    assert "no kind of device is named 'toy'" in missing.stderr


def test_commands_take_the_target_of_an_installed_package(tmp_path: Path) -> None:
    site, model = tmp_path / "site", tmp_path / "model.onnx"
    install(site)
    onnx.save(models.ffn_model(m=2, k=3, n=4), model)
    for words in (["targets", "toy"], ["run", model, "--target", "toy"]):
        done = run(site, COMMAND, *words)
        assert done.returncode == 0, done.stderr


def test_the_package_is_small_and_the_library_does_not_name_it() -> None:
    lines = [line for file in PACKAGE.iterdir() for line in file.read_text().splitlines()]
    assert len(lines) <= 150
    folders = [f for f in ROOT.iterdir() if f.is_dir() and (f / "__init__.py").exists()]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    assert len(files) > 300
    assert not [file for file in files if "ToyBackend(" in file.read_text()]
    assert not [name for name in PASSES if "toy" in name]


@pytest.mark.parametrize(
    ("value", "error"), [("os:sep", "is no backend of its kind"), ("no_such_module:X", "cannot be")]
)
def test_an_entry_point_that_is_no_backend_is_one_error(
    value: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "odd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tilewright.backends]\nodd = {value}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Error, match=error):
        tilewright.compile(models.ffn_model(m=2, k=3, n=4), target="odd")
