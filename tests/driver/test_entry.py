"""The entry of a module is marked by a role, independent of the function's name."""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

import tilewright
from tilewright import te
from tilewright.analysis.verify import verify_module
from tilewright.support.diagnostics import ModelError
from tilewright.support.entry import entry_of, find_entry, kernel_functions
from tilewright.support.registry import new_context

X = np.arange(4, dtype=np.float32)
GRAPH = """
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tw.entry} {
  %y = graph.add %x, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
TWO = "func.func @{name}() attributes {{tw.entry}} {{func.return}}"
SYMBOLS = "te.kernel|sched.script|func.func|packed.call|packed.call serial"
LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed")


def program(text: str):
    return Parser(new_context(), text).parse_module()


@pytest.mark.parametrize("level", LEVELS)
def test_a_marked_function_is_the_entry_at_every_level(level: str) -> None:
    text = tilewright.compile_module(GRAPH, threads=1).get_source(level)
    assert entry_of(program(text)).sym_name.data == "twice"
    mod = tilewright.compile_module(text, threads=1)
    np.testing.assert_array_equal(np.asarray(mod(X)), 2 * X)
    assert mod.name == "twice"


@pytest.mark.parametrize("level", LEVELS[2:])
def test_a_kernel_may_be_called_main(level: str) -> None:
    text = tilewright.compile_module(GRAPH, threads=1).get_source(level)
    (kernel,) = (op.sym_name.data for op in kernels_at(text))
    mod = tilewright.compile_module(
        re.sub(rf"({SYMBOLS}) @{kernel}\b", r"\1 @main", text), threads=1
    )
    np.testing.assert_array_equal(np.asarray(mod(X)), 2 * X)
    assert [record.name for record in mod.kernels] == ["main"]


def kernels_at(text: str):
    module = program(text)
    return [op for op in module.ops if op.name == "te.kernel"] or kernel_functions(module)


def test_main_is_the_entry_where_no_function_is_marked() -> None:
    module = program("func.func @k() {func.return} func.func @main() {func.return}")
    assert entry_of(module).sym_name.data == "main"
    assert find_entry(program("func.func @k() {func.return}")) is None


def test_a_module_without_an_entry_is_refused() -> None:
    with pytest.raises(ModelError, match=r"func.func @main, or one with the attribute tw.entry"):
        tilewright.compile_module("func.func @k(%x: tensor<4xf32>) {func.return}")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (TWO.format(name="f") + TWO.format(name="g"), "has one entry.*\n.*\n    got: @f and @g"),
        ("func.func @f() attributes {tw.entry = 1 : i64} {func.return}", "has no value"),
        ("te.kernel @k() attributes {tw.entry} {te.return}", "of another op"),
    ],
)
def test_marks_of_entries_are_verified(text: str, rule: str) -> None:
    with pytest.raises(VerifyException, match=rule):
        verify_module(program(text))


def test_a_compute_may_be_called_main() -> None:
    a = te.placeholder((4,), name="a")
    mod = tilewright.build(te.compute((4,), lambda i: a[i] + 1.0, name="main"))
    np.testing.assert_array_equal(np.asarray(mod(X)), X + 1)
