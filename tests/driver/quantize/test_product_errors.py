"""Errors of products at a precision, compared with f32."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import helper

from tilewright.driver.quantize.product_errors import product_errors
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TilewrightError
from tilewright.testing.models import encoder_model
from tilewright.tools.commands.inspection import inspect_command

from ...onnx_models import onnx_model

PRECISION = "bf16" if Target.native().has("avx512bf16") else "bf16-forced"


def two_products() -> tuple[onnx.ModelProto, list[np.ndarray]]:
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal(shape).astype(np.float32) for shape in ((32, 48), (48, 5))]
    return onnx_model(
        [
            helper.make_node("MatMul", ["x", "w0"], ["t"], name="first"),
            helper.make_node("MatMul", ["t", "w1"], ["y"], name="second"),
        ],
        {"x": ["rows", 32]},
        weights={f"w{n}": w for n, w in enumerate(weights)},
        opset=21,
    ), weights


def rounded(x: np.ndarray) -> np.ndarray:
    return x.astype(ml_dtypes.bfloat16).astype(np.float64)


def test_errors_are_those_of_rounded_operands() -> None:
    model, (first, second) = two_products()
    x = np.random.default_rng(1).standard_normal((9, 32)).astype(np.float32)
    rows = product_errors(model.SerializeToString(), {"x": x}, precision="bf16-forced")
    assert [(row.nodes, row.kept) for row in rows] == [(("first",), ""), (("second",), "")]
    t, t32 = rounded(x) @ rounded(first), x.astype(np.float64) @ first
    y, y32 = rounded(t.astype(np.float32)) @ rounded(second), t32 @ second
    for row, got, exact in zip(rows, (t, y), (t32, y32), strict=True):
        expected = np.linalg.norm(got - exact) / np.linalg.norm(exact)
        np.testing.assert_allclose(row.error, expected, rtol=0.02)


def test_products_that_stay_f32_say_why() -> None:
    if PRECISION != "bf16":
        pytest.skip("this machine has no avx512bf16")
    model, _ = two_products()
    x = np.ones((9, 32), np.float32)
    first, second = product_errors(model.SerializeToString(), {"x": x})
    assert not first.kept
    assert second.kept == "an operand is read less than 16 times"
    assert second.error is None


def test_attention_stays_one_kernel() -> None:
    model = encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8)
    x = np.random.default_rng(0).standard_normal((1, 8, 32)).astype(np.float32)
    rows = product_errors(model.SerializeToString(), {"hidden_states": x}, precision=PRECISION)
    kept = [row for row in rows if row.kept]
    assert [row.kept for row in kept] == [
        "part of an attention with less than 16 queries or keys"
    ] * 2
    assert [row.error is None for row in kept] == [True, False]
    assert all(1e-4 < row.error < 1e-2 for row in rows if row.error is not None)


@pytest.mark.slow
def test_rounded_attention_is_compared_at_its_end() -> None:
    if PRECISION != "bf16":
        pytest.skip("this machine has no avx512bf16")
    model = encoder_model(layers=1, hidden=128, heads=2, ffn=64, seq=32)
    x = np.random.default_rng(0).standard_normal((1, 32, 128)).astype(np.float32)
    rows = product_errors(model.SerializeToString(), {"hidden_states": x})
    assert not any(row.kept for row in rows)
    assert sum(row.error is None for row in rows) == 1  # the scores
    assert all(1e-4 < row.error < 1e-2 for row in rows if row.error is not None)


def test_the_command_shows_a_row_per_product(tmp_path: Path) -> None:
    model, _ = two_products()
    file, inputs = tmp_path / "products.onnx", tmp_path / "inputs.npz"
    onnx.save(model, file)
    np.savez(inputs, x=np.ones((9, 32), np.float32))
    arguments = [str(file), "--errors", str(inputs), "--precision", "bf16-forced"]
    shown = CliRunner().invoke(inspect_command, arguments, catch_exceptions=False)
    assert shown.exit_code == 0
    assert "second" in shown.output
    assert "saved" in shown.output
    made = CliRunner().invoke(inspect_command, [*arguments, "--json"], catch_exceptions=False)
    rows = json.loads(made.output)
    assert [row["nodes"] for row in rows] == [["first"], ["second"]]
    assert all(row["f32_us"] > 0 and row["us"] > 0 for row in rows)


def test_a_precision_without_rounding_is_refused() -> None:
    model, _ = two_products()
    with pytest.raises(TilewrightError, match="rounds no products"):
        product_errors(
            model.SerializeToString(), {"x": np.ones((2, 32), np.float32)}, precision="default"
        )
