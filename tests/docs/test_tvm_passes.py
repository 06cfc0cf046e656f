"""TVM's names of graph passes: docs/from-tvm.md lists each, and each alias runs validated.

The example of a pass, which its reference page shows before and after the pass, runs with the
name of TVM. ``--validate`` interprets it on random inputs before and after.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tilewright.support.tvm_names import TVM_PASSES
from tilewright.tools.opt.main import main as tw_opt

from .blocks import ROOT

EXAMPLES = ROOT / "docs" / "reference" / "examples"
TARGET = ["--for", "llvm -mcpu=x86-64-v3"]

NAMES = [
    "FuseOps", "FoldConstant", "EliminateCommonSubexpr", "DeadCodeElimination", "SimplifyExpr",
    "SimplifyInference", "FoldScaleAxis", "CombineParallelConv2D", "CombineParallelDense",
    "CombineParallelBatchMatmul", "AlterOpLayout", "ConvertLayout", "CanonicalizeOps",
    "CanonicalizeCast", "FastMath", "Legalize", "DynamicToStatic", "EtaExpand", "Inline",
    "LambdaLift", "Defunctionalization", "PartialEvaluate", "ToANormalForm", "ToCPS",
    "ToGraphNormalForm", "ToBasicBlockNormalForm", "ToMixedPrecision",
    "FakeQuantizationToInteger", "SplitArgs", "DivToMul", "FlattenAtrousConv",
    "FoldExplicitPadding", "SimplifyFCTranspose", "DenseToSparse", "MergeComposite",
    "AnnotateTarget", "MergeCompilerRegions", "PartitionGraph", "PlanDevices",
    "ManifestLifetimes",
]  # fmt: skip
"""The graph passes of TVM 0.18."""

DENSE = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %a = graph.matmul %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %y = graph.tanh %a : tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}"""


def test_the_guide_has_every_name_in_a_table() -> None:
    rows = re.findall(r"^\| (`.*) \| .* \|$", (ROOT / "docs/from-tvm.md").read_text(), re.M)
    listed = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    assert listed >= {*NAMES}
    assert {name.removeprefix("tir.") for name in TVM_PASSES} <= {
        name.removeprefix("tir.") for name in listed
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", TVM_PASSES)
def test_an_alias_keeps_the_results(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (EXAMPLES / f"{TVM_PASSES[name]}.mlir").read_text()
    options = ["-p", name]
    if "@main" not in text:  # a kernel alone, as for passes on loops
        text, options = DENSE, ["--to", "loop", *options]
    elif prepared := re.search(r"^// after: *(.*)$", text, re.M):
        options = ["-p", f"{prepared[1]},{name}"]
    program = tmp_path / "program.mlir"
    program.write_text(text)
    assert tw_opt([str(program), *options, *TARGET, "--validate"]) == 0
    assert capsys.readouterr().out not in ("", text)


def test_a_differentiated_program_is_validated_at_every_level(tmp_path: Path) -> None:
    program, gradient = tmp_path / "dense.mlir", tmp_path / "gradient.mlir"
    program.write_text(DENSE)
    options = ["-p", "Gradient{wrt=0,1}", "--validate", "-o", str(gradient)]
    assert tw_opt([str(program), *options]) == 0
    lowered = ["--to", "packed", *TARGET, "--validate", "-o", str(tmp_path / "packed.mlir")]
    assert tw_opt([str(gradient), *lowered]) == 0
