"""User names in machine code collide neither with libc nor with Tilewright's own symbols."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime.abi.constants import (
    FUNCTION_PREFIX,
    MODULE_SYMBOLS,
    SYMBOL_LAST_ERROR,
)
from tilewright.runtime.abi.library import Library
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ModelError
from tilewright.testing.hostile import check_program, onnx_program, plain_names

X = np.arange(4, dtype=np.float32)
TEXT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {{tw.arg_names = ["{name}"]}} {{
  func.return %x : tensor<4xf32>
}}
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6, 7, 32])
def test_the_code_does_not_depend_on_names(seed: int) -> None:
    check_program(seed)


WRONG_CALL = """
import sys, numpy as np, tilewright
from tilewright import te
from tilewright.runtime.errors import ArgumentError
a = te.placeholder((4,), name="a")
for name in sys.argv[1:]:
    print(name, flush=True)
    mod = tilewright.build(te.compute((4,), lambda i: a[i] + 1.0, name=name), name=name)
    assert np.asarray(mod(np.arange(4, dtype="f4"))).tolist() == [1, 2, 3, 4]
    for function in (mod["main"], mod[name]):
        try:
            function(np.zeros(5, "f4"), np.zeros(4, "f4"))
        except ArgumentError as err:
            assert "wrong shape" in str(err) and "got: size 5 in dimension 0" in str(err)
"""


def test_a_compute_may_have_the_name_of_a_function_in_the_image() -> None:
    names = ["memcpy", "snprintf", "tw_run", "__tw_weights", "_library_ctx"]
    subprocess.run([sys.executable, "-c", WRONG_CALL, *names], check=True, timeout=300)


def test_a_module_exports_the_interface_alone() -> None:
    a = te.placeholder((4,), name="a")
    mod = tilewright.build(te.compute((4,), lambda i: a[i], name="free"), name="memcpy")
    assert not mod.reason
    library = Library(mod.code)
    for symbol in (*MODULE_SYMBOLS, f"{FUNCTION_PREFIX}memcpy"):
        assert library.find(symbol)
    for symbol in ("free", "memcpy", "tw.k.0", "tw_run", "tw_name"):
        assert not library.find(symbol)


def test_missing_weights_are_an_error_of_the_call() -> None:
    built = onnx_program(1, plain_names())
    assert built.module.manifest.weights_bytes
    library = Library(built.module.code)
    function = PackedFunc.of_library(library, "__tvm_ffi_main", "main")
    with pytest.raises(RuntimeError, match=r"status -1|the weights are not loaded"):
        function(*built.inputs, *(np.empty_like(y) for y in built.expected))
    assert "main: the weights are not loaded" in library.text(SYMBOL_LAST_ERROR)


def test_names_that_are_no_text_are_refused() -> None:
    with pytest.raises(ModelError, match=r"tw\.arg_names of @main: a name is not valid text"):
        tilewright.compile_module(TEXT.format(name="a\\00b"))


def test_a_long_name_does_not_hide_the_rest_of_a_message() -> None:
    name = "a" * 1000
    mod = tilewright.compile_module(TEXT.format(name=name))
    with pytest.raises(
        ArgumentError, match=r"wrong shape\n +expected: float32\[4\]\n +got: size 5"
    ):
        mod["main"](np.zeros(5, np.float32), X)
