"""The backend interface of onnx, run by onnx's own tests of backends."""

from __future__ import annotations

import unittest
import warnings

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import onnx_backend


def relu():
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [3]) for n in "xy")
    return helper.make_model(
        helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    )


def test_a_model_and_a_node_run():
    data = np.array([-1, 0, 2], np.float32)
    rep = onnx_backend.prepare(relu(), "CPU")
    for given in ([data], data, {"x": data}):
        (out,) = rep.run(given)
        np.testing.assert_array_equal(out, [0, 0, 2])
    (out,) = onnx_backend.run_model(relu(), [data])
    np.testing.assert_array_equal(out, [0, 0, 2])
    node = helper.make_node("Add", ["a", "b"], ["c"])
    (out,) = onnx_backend.run_node(node, [data, data])
    np.testing.assert_array_equal(out, data + data)


def test_devices():
    assert onnx_backend.supports_device("CPU")
    assert not onnx_backend.supports_device("CUDA")
    with pytest.raises(tilewright.TargetError, match="the device is not supported"):
        onnx_backend.prepare(relu(), "CUDA")


def test_the_suite_of_onnx():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test import BackendTest

        tests = BackendTest(onnx_backend.TilewrightBackend, __name__)
        tests.include(r"^test_(relu|concat_1d_axis_0|split_to_sequence_1)_cpu$")
        suite = tests.test_suite
        result = unittest.TestResult()
        suite.run(result)
    assert not result.errors
    assert not result.failures
    assert result.testsRun - len(result.skipped) == 3
    assert issubclass(onnx_backend.TilewrightBackend, onnx.backend.base.Backend)
