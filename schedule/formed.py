"""The kernels of a schedule: the program of its tensors, one kernel per sequence of te ops.

Schedule steps refer to the stages and loops of these kernels by name.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..dialects.te import TensorOp, kernels_of
from ..frontend.te.program import Signature, defining_ops, make_program
from ..passes.te.outline import outline_runs
from ..support.blocks import returned


def formed(signature: Signature, name: str) -> tuple[ModuleOp, dict[Operation, str], set[str]]:
    """Make the program of some tensors, and form its kernels.

    signature: the inputs and outputs of the program.  name: the name of its main function.
    Return the program; a map from each op of the tensors' definitions to the label of its copy in
    the program; and the labels of the index computes, which the program has in addition: they
    compute the positions of gathers and scatters, which are checked before the other computes run.
    """
    program = make_program(signature, name, scheduled=True)
    (main,) = (op for op in program.ops if isinstance(op, FuncOp))
    made = [op for op in main.body.block.ops if isinstance(op, TensorOp)]
    sources = [op for op in defining_ops(signature.outputs) if isinstance(op, TensorOp)]
    outline_runs(program)
    count = len(made) - len(sources)
    labels: dict[Operation, str] = {
        source: op.label for source, op in zip(sources, made[count:], strict=True)
    }
    return program, labels, {op.label for op in made[:count]}


def results_of(program: ModuleOp) -> dict[str, list[str]]:
    """Return, by kernel label, the labels of the computes whose results the kernel returns."""
    out: dict[str, list[str]] = {}
    for kernel in kernels_of(program):
        results = returned(kernel.body.block)
        out[kernel.label] = [str(getattr(v.owner, "label", "")) for v in results]
    return out
