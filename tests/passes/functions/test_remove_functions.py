"""Programs with functions run and are differentiated, as numpy and central differences say."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.interp.program import interpret
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import check_pass, parsed, run_passes

from ...gradient.differences import assert_gradients
from .programs import PROGRAMS, Program

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


@pytest.mark.parametrize("name", ["let", "choice 0", "tail 0"])
def test_text_parses_back(name: str) -> None:
    module = parsed(PROGRAMS[name].text)
    again = IrParser(new_context(), str(module)).parse_module()
    assert again.is_structurally_equivalent(module)
