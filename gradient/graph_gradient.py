"""graph-gradient: main also returns the gradients of one result with respect to arguments.

    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %y = graph.mul %x, %x : tensor<4xf32>
      %s = graph.reduce %y "sum" axes [0] : tensor<4xf32> -> tensor<f32>
      func.return %s : tensor<f32>
    }
    → graph-gradient{wrt=0}
    func.func @main(%x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      … the same …
      %g = graph.broadcast %one axes [] : tensor<f32> -> tensor<4xf32>
      %a = graph.mul %g, %x : tensor<4xf32>
      %d = graph.add %a, %a : tensor<4xf32>
      func.return %s, %d : tensor<f32>, tensor<4xf32>
    }

An op is differentiated by its rule (``gradient/rules``, or the trait DifferentiatedBy), or by its
te definition, as a graph.defined.
Functions are inlined first (graph-remove-functions).
Before: main is a program of graph ops.  After: main returns its results, then the gradients.
Exact: as the rules; the gradient of a value that the result does not depend on is 0.
Errors: NoGradient for an op without a gradient between an argument and the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.passes import ModulePass

from ..dialects.results import ARG_NAMES, FORMS, RESULT_NAMES, recorded_texts
from ..passes.functions.remove_functions import remove_functions
from ..support.blocks import terminator
from ..support.diagnostics import TypeMismatch
from ..support.entry import entry_of
from ..support.rewriting import erase_dead_ops
from .builder import GradientBuilder
from .reverse import BlockReverse
from .rule import is_differentiable


@dataclass(frozen=True)
class GraphGradient(ModulePass):
    """The pass graph-gradient: append the gradients of one result to the results of main.

    wrt: the numbers of the arguments of main to differentiate by.
    result: the number of the differentiated result; if it has several elements, their sum is
    differentiated.
    """

    name = "graph-gradient"

    wrt: tuple[int, ...] = (0,)
    result: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_functions(op)
        append_gradients(entry_of(op), self.wrt, result=self.result)


def append_gradients(
    function: FuncOp,
    wrt: Sequence[int],
    *,
    result: int = 0,
    takes_head: bool = False,
    derives: bool = False,
) -> None:
    """Append the gradients of a result to the results of a function.

    wrt: the numbers of the arguments. result: the number of the result. takes_head: whether the
    cotangent of the result becomes a new last argument of the function; otherwise it is 1. derives:
    whether to differentiate the te definitions of all ops without regions, instead of using rules.

    Errors: TypeMismatch for arguments or a result that are no float tensors; NoGradient.
    """
    block = function.body.block
    ends = terminator(block, ReturnOp)
    _check(function, "argument", list(block.args), wrt)
    _check(function, "result", list(ends.operands), [result])
    builder = GradientBuilder(block, ends)
    out = ends.operands[result]
    ops = [op for op in block.ops if op is not ends]
    variables = [block.args[number] for number in wrt]
    if takes_head:
        head = block.insert_arg(out.type, len(block.args))
    else:
        head = builder.number(1, out.type)  # pyright: ignore[reportArgumentType]
    reverse = BlockReverse(builder, set(variables).__contains__, derives=derives)
    reverse.run(ops, [(out, head)])
    results = [*ends.operands, *(reverse.of(variable) for variable in variables)]
    block.insert_op_before(ReturnOp(*results), ends)
    block.erase_op(ends)
    _record_names(function, wrt)
    function.update_function_type()
    erase_dead_ops(function)


def _check(function: FuncOp, what: str, values: Sequence[object], numbers: Sequence[int]) -> None:
    for number in numbers:
        if not 0 <= number < len(values):
            raise TypeMismatch(
                f"there is no {what} {number}",
                expected=f"0..{len(values) - 1}",
                got=number,
            ).at(function)
        value = values[number]
        if not is_differentiable(value):  # pyright: ignore[reportArgumentType]
            raise TypeMismatch(
                f"{what} {number} is no tensor of floats",
                got=value.type,  # pyright: ignore
                hint="differentiate floats with respect to floats",
            ).at(function)


def _record_names(function: FuncOp, wrt: Sequence[int]) -> None:
    """Name the gradients after their arguments, if arguments and results have names.

    wrt: the numbers of the arguments.
    """
    names, results = (recorded_texts(function, key) for key in (ARG_NAMES, RESULT_NAMES))
    if FORMS in function.attributes:
        raise TypeMismatch(
            "the results of main form sequences or are absent",
            hint="differentiate a program whose results are tensors",
        ).at(function)
    if results:
        gradients = [f"d_{names[n]}" if n < len(names) else f"d_{n}" for n in wrt]
        function.attributes[RESULT_NAMES] = ArrayAttr(
            [StringAttr(name) for name in (*results, *gradients)]
        )
