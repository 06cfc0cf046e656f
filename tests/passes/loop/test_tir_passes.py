"""The table of passes of TVM's TIR in docs/from-tvm.md: its names, and the passes that it names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType

from tilewright.dialects.dtypes import numpy_dtype
from tilewright.interp import packed
from tilewright.interp.compare import expect_close
from tilewright.interp.program import interpret, random_inputs
from tilewright.passes.schedule.primitives import PRIMITIVES
from tilewright.support.entry import find_entry
from tilewright.support.registry import PASSES, find_pass, new_context
from tilewright.support.tvm_names import TVM_PASSES
from tilewright.testing.pass_case import parsed
from tilewright.tools.reference.pages import before_and_after

DOCS = Path(__file__).parents[3] / "docs"
TIR = [
    "Simplify", "VectorizeLoop", "UnrollLoop", "LoopPartition", "StorageRewrite",
    "StorageFlatten", "FlattenBuffer", "CommonSubexprElimTIR", "HoistIfThenElse",
    "HoistExpression", "InjectPrefetch", "InjectDoubleBuffer", "InjectSoftwarePipeline",
    "InjectVirtualThread", "InstrumentBoundCheckers", "NarrowDataType", "BF16ComputeLegalize",
    "BF16StorageLegalize", "FP8ComputeLegalize", "FP8StorageLegalize", "LowerIntrin",
    "ThreadSync", "LowerThreadAllreduce", "LowerWarpMemory", "SplitHostDevice",
    "MakePackedAPI", "MakeUnpackedAPI", "LowerAutoCopy", "UnifiedStaticMemoryPlanner",
    "RemoveNoOp", "ForceNarrowIndexToInt32", "VerifyMemory", "InjectRollingBuffer",
    "InjectPTXAsyncCopy", "LowerAsyncDMA", "InferFragment", "TransformMmaBufferLayout",
    "InjectPermutedLayout", "CompactBufferAllocation", "MergeSharedMemoryAllocations",
    "LowerInitBlock", "LowerMatchBuffer", "LowerOpaqueBlock", "ConvertBlocksToOpaque",
    "ConvertSSA", "RewriteUnsafeSelect", "ExtractPrimFuncConstants",
    "LowerCrossThreadReduction", "SkipAssert", "UnifyThreadBinding", "LiftThreadBinding",
    "TextureFlatten", "CoProcSync",
]  # fmt: skip
"""Passes of `tvm.tir.transform` in TVM 0.18."""

EXAMPLES_THAT_DO_NOT_RUN = {
    "simt-expand-intrinsics": "an intrinsic runs only after the pass",
    "simt-peel-copies": "the example reads tiles that an earlier part of the kernel would fill",
    "packed-pack-constants": "a packed kernel runs only with packed weights, after the pass",
}
"""Passes whose examples the interpreter cannot compare, with the reason."""


def rows() -> list[tuple[list[str], list[str]]]:
    """Return the quoted words of both columns, for each row of the table."""
    page = (DOCS / "from-tvm.md").read_text()
    section = page.partition("\n### Passes of `tvm.tir.transform`\n")[2].partition("\n## ")[0]
    lines = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return [(quoted(left), quoted(right)) for left, right in lines]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def passes() -> list[str]:
    """Return the passes of the table."""
    return sorted({word for _, words in rows() for word in words if word in PASSES})


def test_each_pass_has_one_row_and_each_row_names_what_exists() -> None:
    names = [name for left, _ in rows() for name in left]
    assert len({*names}) == len(names)
    assert {*TIR} <= {*names}
    own = {name.removeprefix("tir.") for name in TVM_PASSES if name.startswith("tir.")}
    assert own <= {*names}
    steps = {op.name.removeprefix("sched.") for op in PRIMITIVES} | {"vectorize"}
    for word in (word for _, words in rows() for word in words):
        if re.fullmatch("[a-z]+(-[a-z]+)+", word):
            assert word in PASSES
        elif re.fullmatch("[a-z]+_[a-z_]+", word):
            assert word in steps
        elif re.fullmatch(r"[a-z_]+(/[a-z_]+)+/?(\.py)?", word):
            assert (DOCS.parent / word).exists()


def results(text: str) -> list[Any]:
    """Run a program on random arrays; return the results, or the arguments that it may change."""
    module = parsed(text)
    if find_entry(module) is not None:
        given = random_inputs(module)
        return [*interpret(module, given)] or given
    arrays: list[Any] = []
    for kernel in packed.symbols(module).values():
        rng = np.random.default_rng(0)
        types = [cast("MemRefType[Any]", arg.type) for arg in kernel.body.block.args]
        given = [
            (4 * rng.standard_normal(each.get_shape())).astype(numpy_dtype(each.element_type))
            for each in types
        ]
        packed.call_kernel(kernel, given)
        arrays += given
    return arrays


def test_the_passes_keep_the_results_of_their_examples() -> None:
    """The text of each example after its pass is that of docs/reference (test_reference.py)."""
    changed = set[str]()
    assert len(passes()) > 20
    for name in (name for name in passes() if name not in EXAMPLES_THAT_DO_NOT_RUN):
        text = (DOCS / "reference" / "examples" / f"{name}.mlir").read_text()
        before, after = before_and_after(find_pass(name), text, new_context())
        expected, found = results(before), results(after)
        assert expected, name
        for one, other in zip(found, expected, strict=True):
            expect_close(one, other, name)
        if before != after:
            changed.add(name)
    assert {name for name in passes() if name not in changed} == {
        *EXAMPLES_THAT_DO_NOT_RUN, "loop-check-bounds", "simt-check-threads"
    }  # fmt: skip
