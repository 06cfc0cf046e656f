"""The examples in the docstrings of public entries run; each main entry has one."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest

import tilewright

ENTRIES = [
    tilewright.compile, tilewright.build, tilewright.from_onnx, tilewright.load_module,
    tilewright.quantize, tilewright.Target, tilewright.PassContext, tilewright.NDArray,
    tilewright.Session, tilewright.Module.run, tilewright.Module.time_evaluator,
    tilewright.CompiledModule.export_library, tilewright.CompiledModule.profile,
    tilewright.register_func, tilewright.device,
]  # fmt: skip
"""The main entries, which need examples; other public names may have some."""


def documented() -> Iterator[tuple[str, str]]:
    """Yield the names and docstrings of public names, and of methods of public classes."""
    for name in tilewright.__all__:
        held = getattr(tilewright, name)
        yield name, inspect.getdoc(held) or ""
        if inspect.isclass(held):
            for method, function in vars(held).items():
                yield f"{name}.{method}", inspect.getdoc(function) or ""


WITH_EXAMPLES = {name: text for name, text in documented() if ">>>" in text}


MODELS = {
    "model.onnx": """g (float[batch, 4] x) => (float[batch, 3] y)
        <float[4, 3] w = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}> { y = MatMul(x, w) }""",
    "sum.onnx": """g (float x, float total) => (float y, float sum)
        { sum = Add(x, total) y = Identity(sum) }""",
}
"""The graphs of the models that the examples read: a layer, and a running sum."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the process, with the models of the examples."""
    monkeypatch.chdir(tmp_path)
    for name, graph in MODELS.items():
        text = f'<ir_version: 9, opset_import: ["" : 18]> {graph}'
        onnx.save(onnx.parser.parse_model(text), name)
    return tmp_path


@pytest.mark.parametrize("name", WITH_EXAMPLES)
@pytest.mark.usefixtures("folder")
def test_the_example_of_a_docstring_runs(name: str) -> None:
    names = {"np": np, "tilewright": tilewright}
    example = doctest.DocTestParser().get_doctest(WITH_EXAMPLES[name], names, name, None, None)
    said: list[str] = []
    failed, _ = doctest.DocTestRunner().run(example, out=said.append)
    assert not failed, "".join(said)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.__qualname__)
def test_a_main_entry_has_an_example(entry: object) -> None:
    assert ">>>" in (inspect.getdoc(entry) or "")
