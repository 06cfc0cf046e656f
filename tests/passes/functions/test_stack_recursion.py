"""General recursion runs as a loop with a stack of frames, and has a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.dialects.graph import ScanOp
from tilewright.dialects.shape import dims_of, type_of
from tilewright.interp.program import interpret
from tilewright.support.diagnostics import NoGradient, UnsupportedOp
from tilewright.testing.pass_case import check_pass, parsed, run_passes

from ...gradient.differences import assert_gradients
from .programs import K, Program, X
from .recursions import RECURSIONS, RandomRecursion

CASES = pytest.mark.parametrize("program", RECURSIONS.values(), ids=list(RECURSIONS))
DIFFERENTIABLE = {name: program for name, program in RECURSIONS.items() if program.wrt}


@CASES
def test_removal_keeps_the_results_and_leaves_only_main(program: Program) -> None:
    given = list(program.arguments)
    expected = program.function(*given)
    np.testing.assert_allclose(interpret(parsed(program.text), given)[0], expected, rtol=1e-14)
    after = check_pass(program.text, "graph-remove-functions", inputs=given)
    assert [op.sym_name.data for op in after.ops] == ["main"]  # pyright: ignore


@pytest.mark.parametrize("program", DIFFERENTIABLE.values(), ids=list(DIFFERENTIABLE))
def test_gradients_equal_central_differences(program: Program) -> None:
    made = _assert_gradients(program, np.ones(4))
    # The frames are vectors.  The tape holds the frames that a step reads, and no whole stack.
    for scan in (op for op in made.walk() if isinstance(op, ScanOp)):
        assert all(len(dims_of(type_of(tape))) <= 2 for tape in scan.over)


def _assert_gradients(program: Program, head: Any) -> ModuleOp:
    numbers = ",".join(map(str, program.wrt))
    passes = f"graph-gradient{{wrt={numbers}}},graph-simplify"
    made = run_passes(parsed(program.text), passes)
    results = interpret(made, program.arguments)[-len(program.wrt) :]
    gradients = [None] * len(program.arguments)
    for number, result in zip(program.wrt, results, strict=True):
        gradients[number] = result
    assert_gradients(program.function, program.arguments, gradients, head, tolerance=1e-8)
    return made


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_random_recursions(seed: int) -> None:
    made, given = RandomRecursion(seed), [np.asarray(3), np.asarray(0.7), np.asarray(1.1)]
    module = parsed(made.text)
    expected = interpret(module, given)[0]
    after = run_passes(module.clone(), "graph-remove-functions")
    np.testing.assert_array_equal(interpret(after, given)[0], expected)
    if seed == 5:
        function = lambda *args: interpret(module, args)[0]  # noqa: E731
        _assert_gradients(Program(made.text, given, function, (1, 2)), np.ones(()))


@pytest.mark.parametrize(("name", "target"), [("tree", "native"), ("ackermann", "c")])
def test_compiled_code_equals_numpy(name: str, target: str) -> None:
    program = RECURSIONS[name]
    run = tilewright.compile_module(program.text, target=target)
    expected = program.function(*program.arguments)
    np.testing.assert_allclose(run(*program.arguments), expected, rtol=1e-13)


def test_a_recursion_beyond_its_limits_is_an_error() -> None:
    program = RECURSIONS["fibonacci 6"]
    run = tilewright.compile_module(program.text)
    np.testing.assert_allclose(run(*program.arguments), program.function(*program.arguments))
    with pytest.raises(IndexError, match=r"tw\.most_calls = 6: the recursion of @fib is deeper"):
        run(np.int64(7), K, X)
    more = tilewright.compile_module(program.text.replace("calls = 25", "calls = 24"))
    with pytest.raises(IndexError, match=r"tw\.total_calls = 24: the recursion of @fib has more"):
        more(*program.arguments)


def test_the_interpreter_refuses_a_recursion_without_end() -> None:
    text = RECURSIONS["fibonacci 6"].text.replace("graph.sub %n, %one", "graph.add %n, %one")
    with pytest.raises(IndexError, match="the recursion of @fib is too deep for the interpreter"):
        interpret(parsed(text), RECURSIONS["fibonacci 6"].arguments)


def test_a_recursion_without_a_limit_is_refused() -> None:
    text = RECURSIONS["ackermann"].text.replace(" attributes {tw.most_calls = 12 : i64}", "")
    with pytest.raises(UnsupportedOp, match=r"a recursion with the attribute tw\.most_calls"):
        run_passes(parsed(text), "graph-remove-functions")


def test_a_gradient_needs_the_number_of_all_calls() -> None:
    text = RECURSIONS["fibonacci 6"].text.replace(", tw.total_calls = 25 : i64", "")
    with pytest.raises(NoGradient, match=r"tw\.total_calls"):
        run_passes(parsed(text), "graph-gradient{wrt=2}")


def test_a_recursive_call_in_a_loop_is_refused() -> None:
    text = """
func.func @main(%x: tensor<f64>) -> tensor<f64> attributes {tw.most_calls = 4 : i64} {
  %n = graph.constant <[2] : tensor<i64>> : tensor<i64>
  %y = graph.loop to %n : tensor<i64> (%i) carry(%a = %x : tensor<f64>) {
    %b = graph.call @main(%a) : (tensor<f64>) -> tensor<f64>
    graph.yield %b : tensor<f64>
  }
  func.return %y : tensor<f64>
}"""
    with pytest.raises(UnsupportedOp, match="recursive calls outside of loops"):
        run_passes(parsed(text), "graph-remove-functions")
