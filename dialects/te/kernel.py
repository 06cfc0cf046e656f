"""te.kernel: a group of te ops that becomes one kernel: one packed function.

On tensors: straight-line te ops; te.return returns the results.  After bufferization: arguments are
memrefs, the last of which are the results; temporary buffers are loop.alloc; te.return has no
operands.  After scheduling: loop.for ops around smaller computes.  Equal kernels are deduplicated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.dialects.utils import parse_func_op_like, print_func_op_like
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, SymbolOpInterface

from ...support.diagnostics import TypeMismatch
from ..shape import SIZES, size_parameters, symbols_of
from .cost import CostAttr
from .named_op import NamedOp

OPTIONAL = ("constants", "packs", "cost", SIZES)
"""The optional properties, which are printed in the attribute dictionary."""


_Problem: TypeAlias = tuple[str, str, object, str]
"""Why a property is invalid: violated rule, expected value, actual value, hint."""


@irdl_op_definition
class KernelOp(NamedOp):
    """A group of te ops that becomes one kernel, which main calls by its name.

    Properties: constants: indices of the arguments that are weights in every call; packs: the
    layouts in which constant arguments must be packed; sched.pack records them until the caller's
    weights are packed; cost: the work of one call, set by te-record-costs; sizes: names of the size
    parameters, whose values calls pass as integers.
    """

    name = "te.kernel"
    function_type = prop_def(FunctionType)
    constants = opt_prop_def(DenseArrayBase.constr(i64))
    packs = opt_prop_def(DictionaryAttr)
    cost = opt_prop_def(CostAttr)
    sizes = opt_prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self, name: str, function_type: FunctionType, body: Region, *, constants: Sequence[int] = ()
    ) -> None:
        super().__init__(
            regions=[body],
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type,
                "constants": DenseArrayBase.from_list(i64, constants) if constants else None,
            },
        )

    @property
    def constant_positions(self) -> tuple[int, ...]:
        """The indices of the arguments that are weights in every call."""
        if self.constants is None:
            return ()
        return tuple(cast("Sequence[int]", self.constants.get_values()))

    @property
    def pack_maps(self) -> dict[int, AffineMapAttr]:
        """The recorded layout maps by argument position."""
        packs = self.packs.data if self.packs else {}
        return {int(k): cast(AffineMapAttr, v) for k, v in packs.items()}

    def record_pack(self, position: int, layout: AffineMapAttr) -> None:
        """Record the layout map by which the argument at ``position`` must be packed."""
        packs = {str(k): v for k, v in self.pack_maps.items()}
        self.properties["packs"] = DictionaryAttr({**packs, str(position): layout})

    def update_function_type(self) -> None:
        """Set the function type to the types of the block arguments and of the returned values."""
        block = self.body.block
        last = block.last_op
        results = [v.type for v in last.operands] if isinstance(last, ReturnOp) else []
        self.properties["function_type"] = FunctionType.from_lists(
            [a.type for a in block.args], results
        )

    def verify_(self) -> None:
        block = self.body.block
        last = block.last_op
        if not isinstance(last, ReturnOp):
            raise TypeMismatch(
                "a kernel must end with te.return",
                got=last and last.name,
                hint="end the kernel with te.return",
            ).at(self)
        inputs: list[Attribute] = [a.type for a in block.args]
        outputs: list[Attribute] = [v.type for v in last.operands]
        actual = FunctionType.from_lists(inputs, outputs)
        if actual != self.function_type:
            hint = "declare the arguments and results with the types of the body"
            raise self.error("type does not match the body", self.function_type, actual, hint)
        problem = self._constants_problem() or self._packs_problem() or self._sizes_problem()
        if problem is not None:
            raise self.error(*problem)

    def _sizes_problem(self) -> _Problem | None:
        known = size_parameters(self)
        types = (*self.function_type.inputs, *self.function_type.outputs)
        missing = {name for each in types for name in symbols_of(each)} - {*known}
        if not missing:
            return None
        rule = "a size of an argument is not a size of the kernel"
        expected = ", ".join(known) or "static sizes"
        return rule, expected, ", ".join(sorted(missing)), "name it in the attribute sizes"

    def _constants_problem(self) -> _Problem | None:
        found, count = self.constant_positions, len(self.body.block.args)
        if list(found) == sorted({*found} & {*range(count)}):
            return None
        rule = "constants are not positions of arguments in order"
        return rule, f"increasing numbers below {count}", found, "list each weight once, in order"

    def _packs_problem(self) -> _Problem | None:
        ranks = {
            str(n): len(a.type.get_shape())
            for n, a in enumerate(self.body.block.args)
            if isinstance(a.type, MemRefType)
        }
        for position, layout in (self.packs.data if self.packs else {}).items():
            results = len(layout.data.results) if isinstance(layout, AffineMapAttr) else None
            if position not in ranks or results != ranks[position]:
                rule = f"packs do not give argument {position} a layout"
                expected = "the position of a buffer, and a map with one result per dimension"
                return rule, expected, layout, "remove packs; sched.pack records layouts"
        return None

    def print(self, printer: Printer) -> None:
        print_func_op_like(
            printer,
            self.sym_name,
            self.function_type,
            self.body,
            {**self.attributes, **_optional(self)},
            reserved_attr_names=(),
        )

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        parsed = parse_func_op_like(parser, reserved_attr_names=())
        name, inputs, outputs, region, extra, *_ = parsed
        op = cls(name, FunctionType.from_lists(list(inputs), list(outputs)), region)
        for key, value in (extra.data if extra is not None else {}).items():
            (op.properties if key in OPTIONAL else op.attributes)[key] = value
        return op


def _optional(op: KernelOp) -> dict[str, Attribute]:
    return {k: op.properties[k] for k in OPTIONAL if k in op.properties}


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Terminator of a kernel; it returns results on tensors, and has no operands on buffers."""

    name = "te.return"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), HasParent(KernelOp))
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, values: Sequence[SSAValue] = ()) -> None:
        super().__init__(operands=[list(values)])


def kernels_of(module: Operation) -> list[KernelOp]:
    """Return the kernels of a module, in textual order."""
    return [op for op in module.regions[0].block.ops if isinstance(op, KernelOp)]
