"""compile refuses arguments of the wrong kind before any work, with one clear error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper

import tilewright
from tilewright.runtime.errors import Error

from ..onnx_models import onnx_model

MODEL = onnx_model([helper.make_node("Relu", ["x"], ["y"])], {"x": ["rows", 64]}, opset=21)

REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"shapes": {"rows": "3"}}, "a text for a number"),
    ({"shapes": {"x": ("3", 64)}}, "a text for a number"),
    ({"shapes": {"rows": ""}}, "a text for a number"),
    ({"shapes": {"rows": 3.0}}, "no whole number"),
    ({"shapes": (3, 64)}, "is not a mapping"),
    ({"shapes": [3, 64]}, "is not a mapping"),
    ({"shapes": "x"}, "is not a mapping"),
    ({"shapes": {3: 4}}, "a key that is no name"),
    ({"values": [1]}, "is not a mapping"),
    ({"values": 3}, "is not a mapping"),
    ({"specialize": ["rows"]}, "is not a mapping"),
    ({"state": "x"}, "is not a mapping"),
    ({"capacity": 3}, "is not a mapping"),
    ({"extensions": 3}, "is of the kind int"),
    ({"plan": 3}, "is of the kind int"),
    ({"inputs": np.ones(3)}, "inputs= is a tensor"),
    ({"inputs": 3}, "no tuple of example inputs"),
    ({"threads": "2"}, "not a number of threads"),
)


@pytest.mark.parametrize(("given", "rule"), REFUSED)
def test_an_argument_of_the_wrong_kind_is_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(Error, match=rule):
        tilewright.compile(MODEL, **given)


@pytest.mark.parametrize("shapes", [{"rows": 3}, {"x": (3, 64)}, {"rows": "n"}, {"rows": (3,)}])
def test_sizes_are_numbers_or_names(shapes: dict[str, Any]) -> None:
    x = np.full((3, 64), -1, np.float32)
    np.testing.assert_array_equal(tilewright.compile(MODEL, shapes=shapes)(x), 0 * x)


# torch warns of its own uses of what it deprecates.
@pytest.mark.filterwarnings("ignore")
def test_example_inputs_of_a_torch_module() -> None:
    torch = pytest.importorskip("torch")
    net = torch.nn.Linear(2, 3).eval()
    x = torch.ones(1, 2)
    with pytest.raises(tilewright.ArgumentError, match=r"inputs= is a tensor[^$]*inputs=\(x,\)"):
        tilewright.compile(net, inputs=x)
    with pytest.raises(tilewright.ModelError, match="missing a required argument"):
        tilewright.compile(net, inputs={"x": x})
    with pytest.raises(tilewright.ModelError, match="ScriptModule cannot be exported"):
        tilewright.compile(torch.jit.script(net), inputs=(x,))
    mod: Any = tilewright.compile(net, inputs={"input": x})
    assert mod.inputs[0].shape == (1, 2)
    np.testing.assert_allclose(np.asarray(mod(x)), net(x).detach().numpy(), rtol=1e-5)
