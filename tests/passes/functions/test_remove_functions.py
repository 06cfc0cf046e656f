"""Programs with functions run and are differentiated, as numpy and central differences say."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.interp.program import interpret
from tilewright.support.diagnostics import UnsupportedOp
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import check_pass, parsed, run_passes

from ...gradient.differences import assert_gradients
from .programs import PROGRAMS, Program, full

CASES = pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))


@CASES
def test_the_interpreter_calls_functions(program: Program) -> None:
    module = parsed(program.text)
    expected = program.function(*program.arguments)
    np.testing.assert_allclose(interpret(module, program.arguments)[0], expected, rtol=1e-14)


@CASES
def test_removal_keeps_the_results_and_leaves_only_main(program: Program) -> None:
    after = check_pass(program.text, "graph-remove-functions", inputs=list(program.arguments))
    assert [op.sym_name.data for op in after.ops] == ["main"]  # pyright: ignore


@CASES
def test_gradients_equal_central_differences(program: Program) -> None:
    numbers = ",".join(map(str, program.wrt))
    made = run_passes(parsed(program.text), f"graph-gradient{{wrt={numbers}}}")
    results = interpret(made, program.arguments)[-len(program.wrt) :]
    gradients = [None] * len(program.arguments)
    for number, result in zip(program.wrt, results, strict=True):
        gradients[number] = result
    head = np.ones(4)
    assert_gradients(program.function, program.arguments, gradients, head, tolerance=1e-8)


@pytest.mark.parametrize("name", ["closures", "choice 1", "mutual 3"])
def test_machine_code_equals_numpy(name: str) -> None:
    program = PROGRAMS[name]
    run = tilewright.compile_module(program.text)
    expected = program.function(*program.arguments)
    np.testing.assert_allclose(run(*program.arguments), expected, rtol=1e-13)


def test_a_recursion_that_is_deeper_than_its_limit_is_an_error() -> None:
    program = PROGRAMS["tail 5"]
    run = tilewright.compile_module(program.text)
    _, *given = program.arguments
    run(np.int64(7), *given)  # eight calls: the last one returns
    with pytest.raises(IndexError, match="the recursion of @repeat"):
        run(np.int64(8), *given)


@pytest.mark.parametrize("name", ["let", "choice 0", "tail 0"])
def test_text_parses_back(name: str) -> None:
    module = parsed(PROGRAMS[name].text)
    again = IrParser(new_context(), str(module)).parse_module()
    assert again.is_structurally_equivalent(module)


def test_functions_that_main_does_not_need_are_erased() -> None:
    text = """
    func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = graph.exp %x : tensor<2xf32>
      func.return %y : tensor<2xf32>
    }
    func.func @chosen(%x: tensor<2xf32>) -> tensor<2xf32> attributes {tw.entry} {
      %y = graph.neg %x : tensor<2xf32>
      func.return %y : tensor<2xf32>
    }"""
    x = np.array([1, 2], np.float32)
    run = tilewright.compile_module(text, target="interpreter")
    np.testing.assert_array_equal(run(x), -x)


def test_a_recursion_without_end_of_specialization_is_refused() -> None:
    text = full("""
func.func @main(%x: T) -> T {
  %f = graph.closure @sine() : () -> (F)
  %y = graph.call @grow(%f, %x) : (F, T) -> T
  func.return %y : T
}
func.func @grow(%f: F, %x: T) -> T {
  %g = graph.closure @twice(%f) : (F) -> (F)
  %y = graph.call @grow(%g, %x) : (F, T) -> T
  func.return %y : T
}""")
    with pytest.raises(UnsupportedOp, match="another function"):
        run_passes(parsed(text), "graph-remove-functions")
