"""Torch programs compile as torch exports them; errors for other objects say how to make one."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.support.diagnostics import ModelError

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the exporter, about torch itself
def test_an_exported_program_is_compiled() -> None:
    pytest.importorskip("onnxscript", reason="torch exports with onnxscript, which is missing")
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval()
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    program = torch.export.export(model, (x,))
    expected = model(x).detach().numpy()
    for given, inputs in (
        (program, None),
        (torch.onnx.export(program, dynamo=True, verbose=False), None),
        (model, (x,)),
    ):
        module = tilewright.compile(given, inputs=inputs, cache=False)
        np.testing.assert_allclose(module(x), expected, rtol=1e-5, atol=1e-6)


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
