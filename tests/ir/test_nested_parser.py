"""Nested expressions parse back: to the printed program, but for the order of pure ops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright import ir
from tilewright.interp.program import interpret
from tilewright.support.diagnostics import ModelError, TypeMismatch
from tilewright.support.ir_parser import IrParser
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import parsed, run_passes

from ..docs.blocks import ROOT, blocks
from ..ops.cases import CASES
from ..passes.functions.recursions import RECURSIONS, RandomRecursion

EXAMPLES = sorted((ROOT / "docs" / "reference" / "examples").glob("*.mlir"))


def _round_trip(module: ModuleOp) -> ModuleOp:
    """Print and parse a program; return it, after checks that need no order of pure ops."""
    text = ir.to_nested_text(module)
    again = ir.from_nested_text(text)
    again.verify()
    assert ir.to_nested_text(again) == text
    assert ir.from_nested_text(text).is_structurally_equivalent(again)
    names = [sorted(op.name for op in each.walk()) for each in (module, again)]
    assert names[0] == names[1]
    return again


def test_every_operator() -> None:
    # A new op whose types do not follow from its operands sets INFERS_FROM_OPERANDS.
    for case in CASES:
        _round_trip(case.function()[0])


def test_the_programs_of_the_pages() -> None:
    found = [b for b in blocks(ROOT / "docs" / "dialects.md") if b.language == "mlir"]
    texts = [block.text for block in found if "func.func" in block.text]
    texts += [path.read_text() for path in EXAMPLES]
    for text in texts:
        _round_trip(IrParser(new_context(), text).parse_module())
    assert len(texts) > 90


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_random_programs_compute_the_same(seed: int) -> None:
    given = [np.asarray(1), np.asarray(0.7), np.asarray(1.1)]
    module = parsed(RandomRecursion(seed).text)
    expected = interpret(module, given)
    for level in (module, run_passes(module.clone(), "graph-remove-functions")):
        np.testing.assert_array_equal(interpret(_round_trip(level), given), expected)
    _round_trip(run_passes(module, "graph-remove-functions", "graph-to-te"))


def test_data_types_and_closures() -> None:
    program = RECURSIONS["tree"]
    again = _round_trip(parsed(program.text))
    expected = program.function(*program.arguments)
    np.testing.assert_allclose(interpret(again, program.arguments)[0], expected, rtol=1e-14)


def test_operands_are_evaluated_from_left_to_right() -> None:
    text = "func f(x: tensor<f32>) -> tensor<f32> {\n  return sub(exp(x), neg(x))\n}\n"
    names = [op.name for op in ir.from_nested_text(text).walk()]
    assert names[2:] == ["graph.exp", "graph.neg", "graph.sub", "func.return"]


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("return exq(x)", ModelError, "2:13: there is no op exq; did you mean"),
        ("return exp(y)", ModelError, "2:15: value y is not defined"),
        ("y = exp(x)\n  y = neg(y)\n  return y", ModelError, "the name y is defined twice"),
        ("y = iota(axis=0 : i64)\n  return y", ModelError, "unknown result types follow"),
        ("y = add x\n  return y", ModelError, "the operands of add stand in parentheses"),
        ("y = add(x, z)\n  return y", TypeMismatch, "2:7: operand types differ"),
        ("return exp(x)\n", ModelError, "the function has no closing brace"),
    ],
)
def test_errors_have_a_position(body: str, error: type[Exception], message: str) -> None:
    end = "" if body.endswith("\n") else "\n}"
    text = f"func f(x: tensor<f32>, z: tensor<2xf32>) -> tensor<f32> {{\n  {body}{end}"
    with pytest.raises(error, match=message):
        ir.from_nested_text(text)


def test_files(tmp_path: Path) -> None:
    module = parsed(RECURSIONS["ackermann"].text)
    path = tmp_path / "a.nested"
    ir.write(module, path)
    again = ir.read(path)
    assert ir.to_nested_text(again) == path.read_text()  # pyright: ignore
