"""Programs of torch: compiled as torch exports them; what is no program gets a way to one."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import tilewright
from tilewright.support.diagnostics import ModelError

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.mark.filterwarnings("ignore")  # of the exporter, about torch itself
def test_an_exported_program_is_compiled() -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval()
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    program = torch.export.export(model, (x,))
    expected = model(x).detach().numpy()
    for given in (program, torch.onnx.export(program, dynamo=True, verbose=False)):
        module = tilewright.compile(given, cache=False)
        np.testing.assert_allclose(module(x), expected, rtol=1e-5, atol=1e-6)


def test_a_module_is_no_program_yet() -> None:
    with pytest.raises(ModelError) as caught:
        tilewright.compile(torch.nn.Linear(2, 3))
    assert "got: Linear" in str(caught.value)
    assert "hint: program = torch.export.export(model.eval(), (x,))" in str(caught.value)


def test_torch_is_not_imported_for_others() -> None:
    code = "import sys, tilewright.driver.compile; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
