"""Errors, names and tracebacks of exported libraries in another host, `tvm_ffi.load_module`.

The results of models in this host are cells of test_formats.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.testing.models import ffn_model

from ..export.exported import weights_of
from ..export.test_load_module import X, assert_equal, compiled, results

NATIVE = str(Path(__file__).with_name("foreign.py"))


def test_errors_are_those_of_the_library(worker, tmp_path):
    module = compiled(ffn_model(m=4, k=8, n=8))
    module.export_library(tmp_path / "m.so")
    with pytest.raises(TypeError, match=r"main: wrong number of arguments\n    expected: 2"):
        worker.call(f"{NATIVE}:call", str(tmp_path / "m.so"), [X], [])
    with pytest.raises(ValueError, match=r"argument 1 \(Gelu\) has the wrong shape"):
        worker.call(f"{NATIVE}:call", str(tmp_path / "m.so"), [X], [X[1:]])
    weights_of(tmp_path / "m.so").unlink()
    module.export_library(tmp_path / "n.so")
    weights_of(tmp_path / "n.so").unlink()
    with pytest.raises(RuntimeError, match="the weights cannot be loaded"):
        worker.call(f"{NATIVE}:call", str(tmp_path / "n.so"), [X], [np.zeros((4, 8), np.float32)])


def test_a_function_that_no_host_has_set_is_named(worker, tmp_path):
    tilewright.register_func("test.twice", lambda *_: None)
    try:
        x = te.placeholder((8,), "float32", "x")
        y = te.extern((8,), [x], lambda i, o: te.call_packed("test.twice", i[0], o[0]), "y")
        tilewright.build([x, y], name="calls").export_library(tmp_path / "m.so")
    finally:
        tilewright.remove_global_func("test.twice")
    array = np.zeros(8, np.float32)
    message = r"calls: a function that the model calls is not set\n *expected: .*test\.twice"
    with pytest.raises(RuntimeError, match=message) as caught:
        worker.call(f"{NATIVE}:call", str(tmp_path / "m.so"), [array], [array.copy()])
    assert "hint: register the function" in str(caught.value)


def test_functions_are_found_by_their_names(worker, tmp_path):
    compiled(ffn_model(m=4, k=8, n=8)).export_library(tmp_path / "m.so")
    found = [worker.call(f"{NATIVE}:exports", str(tmp_path / "m.so"), n) for n in ("main", "x")]
    assert found == [True, False]


def test_native_tracebacks_read_the_code_of_load_module(worker, tmp_path):
    module = compiled(ffn_model(m=4, k=8, n=8))
    module.export_library(tmp_path / "m.so")
    got = worker.call(f"{NATIVE}:both", str(tmp_path / "m.so"), X)
    assert_equal([got], results(module, [X]))
