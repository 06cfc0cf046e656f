"""te-stage-padded-inputs: copy inputs of main that a contraction reads with padding.

    %y = te.compute @conv ins(%arg[n, i, h + r - 1, w + s - 1] pad 0.0 …)
==>
    %x = te.compute @stage [d0, d1, d2, d3] ins(%arg[d0, d1, d2, d3]) …
    %y = te.compute @conv ins(%x[n, i, h + r - 1, w + s - 1] pad 0.0 …)

The copy gets a halo from bufferize, so that the contraction's inner loop has no bounds to test;
an argument of main cannot have one, because the caller owns it.

Before: main in value form, before outlining.  After: contractions read no argument of main with
padding.  Exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects.te import Access, ComputeOp, ComputeView, YieldOp, identity_indices
from .fuse_elementwise import is_contraction, swap


@dataclass(frozen=True)
class StagePaddedInputs(ModulePass):
    """Copy inputs of main that a contraction reads with padding."""

    name = "te-stage-padded-inputs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in list(op.ops):
            if isinstance(func, FuncOp) and func.sym_name.data == "main":
                _stage(func.body.block)


def _stage(block: Block) -> None:
    staged: dict[SSAValue, SSAValue] = {}
    for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
        view = op.view()
        if not is_contraction(view):
            continue
        padded = [a for a in view.inputs if a.pad is not None and a.value in block.args]
        if not padded:
            continue
        for access in padded:
            assert access.value is not None
            if access.value not in staged:
                staged[access.value] = _insert_copy(block, access.value)
        inputs = [
            replace(a, value=staged[a.value]) if a in padded and a.value is not None else a
            for a in view.inputs
        ]
        swap(op, replace(view, inputs=inputs))


def _insert_copy(block: Block, value: SSAValue) -> SSAValue:
    type_ = value.type
    assert isinstance(type_, TensorType)
    axes = {f"d{i}": n for i, n in enumerate(type_.get_shape())}
    body = Block(arg_types=[type_.get_element_type()])
    body.add_op(YieldOp([body.args[0]]))
    indices = identity_indices(axes)
    source, result = Access(value, indices), Access(None, list(indices), result_type=type_)
    view = ComputeView("stage", axes, [source], [], [result], Region(body), Region(), Region())
    copy = view.build()
    first = block.first_op
    assert first is not None
    block.insert_op_before(copy, first)
    return copy.results[0]
