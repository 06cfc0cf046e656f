"""gpu dialect of MLIR, in the syntax that MLIR prints and parses; `simt-to-gpu` produces its ops.

    gpu.module @kernels {
      gpu.func @scale(%x : memref<1024xf32>, %y : memref<1024xf32>)
          workgroup(%s : memref<128xf32, #gpu.address_space<workgroup>>) kernel
          attributes {known_block_size = array<i32: 128, 1, 1>} {
        %t = gpu.thread_id x
        ...
        gpu.return
      }
    }

xDSL defines this dialect, too. Its classes are used where MLIR can parse their output. This file
defines ``gpu.func``, thread ids and dimensions, because the classes of xDSL lack memory
attributions and print a syntax that MLIR does not parse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects import gpu as upstream
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Data, Dialect, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface

from ..support.diagnostics import TypeMismatch
from .simt.ids import check_dimension

WORKGROUP, PRIVATE = "workgroup", "private"
"""The names of the memory spaces: shared by the threads of a block, and private to one thread."""


class _WordAttr(Data[str]):
    """Base of attributes that hold one word in angle brackets.

    what: describes the word in errors of the parser.
    """

    what: ClassVar[str]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parser.parse_identifier(cls.what)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


@irdl_attr_definition
class DimensionAttr(_WordAttr):
    """A dimension of a grid or block: ``#gpu.dim<x>``."""

    name = "gpu.dim"
    what = "a dimension"


@irdl_attr_definition
class AddressSpaceAttr(_WordAttr):
    """The memory of a buffer: ``#gpu.address_space<workgroup>``."""

    name = "gpu.address_space"
    what = "a memory"


class IdOp(IRDLOperation):
    """Base of the ops that return an index of a thread or block along one dimension.

    Errors: TypeMismatch for an unknown dimension.
    """

    dimension = prop_def(DimensionAttr)
    result = result_def(IndexType)
    traits = traits_def(Pure())

    def __init__(self, dimension: str) -> None:
        super().__init__(
            properties={"dimension": DimensionAttr(dimension)}, result_types=[IndexType()]
        )

    def verify_(self) -> None:
        check_dimension(self, self.dimension.data)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dimension.data}")

    @classmethod
    def parse(cls, parser: Parser) -> IdOp:
        return cls(parser.parse_identifier("a dimension"))


@irdl_op_definition
class ThreadIdOp(IdOp):
    """The index of the thread in its block, along one dimension."""

    name = "gpu.thread_id"


@irdl_op_definition
class BlockIdOp(IdOp):
    """The index of the block in the grid, along one dimension."""

    name = "gpu.block_id"


@irdl_attr_definition
class ShuffleModeAttr(_WordAttr):
    """The rule that selects the source lane of a shuffle: ``#gpu.shuffle_mode<xor>``."""

    name = "gpu.shuffle_mode"
    what = "a mode"


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """The value that another thread of the warp has, and whether that thread exists.

    offset: in mode xor, source lane = own lane xor offset.  width: the number of threads of a warp.
    """

    name = "gpu.shuffle"
    value = operand_def()
    offset = operand_def(i32)
    width = operand_def(i32)
    mode = prop_def(ShuffleModeAttr)
    res = result_def()
    valid = result_def(i1)

    def __init__(self, value: SSAValue, offset: SSAValue, width: SSAValue, mode: str) -> None:
        super().__init__(
            operands=[value, offset, width],
            properties={"mode": ShuffleModeAttr(mode)},
            result_types=[value.type, i1],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.mode.data} ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)

    @classmethod
    def parse(cls, parser: Parser) -> ShuffleOp:
        mode = parser.parse_identifier("a mode")
        names = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            names.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(":")
        types = [parser.parse_type(), i32, i32]
        value, offset, width = parser.resolve_operands(names, types, parser.pos)
        return cls(value, offset, width, mode)


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """End of a kernel."""

    name = "gpu.return"
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A GPU kernel. Its body takes the arguments, then one buffer per memory attribution.

    workgroup_attributions: the number of buffers in the shared memory of a thread block; the
    buffers after them are private to a thread.
    Errors: TypeMismatch if the arguments differ from the function type, or if the buffer of an
    attribution is in another memory space.
    """

    name = "gpu.func"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    kernel = opt_prop_def(UnitAttr)
    workgroup_attributions = opt_prop_def(IntegerAttr.constr(i64))
    known_block_size = opt_prop_def(DenseArrayBase.constr(i32))
    known_grid_size = opt_prop_def(DenseArrayBase.constr(i32))
    body = region_def()
    traits = traits_def(IsolatedFromAbove(), HasParent(upstream.ModuleOp), SymbolOpInterface())

    @staticmethod
    def make(
        name: str,
        body: Block,
        *,
        inputs: int,
        shared: int,
        block: Sequence[int] | None = None,
        grid: Sequence[int] | None = None,
    ) -> FuncOp:
        """Return a kernel with this body.

        inputs: the number of arguments.  shared: the number of shared-memory buffers, which follow
        the arguments.  block, grid: the numbers of threads and blocks, if they are constant.
        """
        types = [argument.type for argument in body.args[:inputs]]
        properties: dict[str, Attribute | None] = {
            "sym_name": StringAttr(name),
            "function_type": FunctionType.from_lists(types, []),
            "kernel": UnitAttr(),
            "workgroup_attributions": IntegerAttr(shared, i64) if shared else None,
            "known_block_size": None if block is None else DenseArrayBase.from_list(i32, block),
            "known_grid_size": None if grid is None else DenseArrayBase.from_list(i32, grid),
        }
        return FuncOp(properties=properties, regions=[Region(body)])

    @property
    def arguments(self) -> Sequence[SSAValue]:
        """The values that a launch passes to the kernel."""
        return self.body.block.args[: len(self.function_type.inputs)]

    @property
    def workgroup(self) -> Sequence[SSAValue]:
        """The buffers that the threads of a block share."""
        return self.body.block.args[len(self.arguments) :][: self._shared]

    @property
    def private(self) -> Sequence[SSAValue]:
        """The buffers that each thread has for its own use."""
        return self.body.block.args[len(self.arguments) + self._shared :]

    @property
    def _shared(self) -> int:
        count = self.workgroup_attributions
        return 0 if count is None else count.value.data

    def verify_(self) -> None:
        expected = tuple(self.function_type.inputs)
        got = tuple(argument.type for argument in self.arguments)
        if got != expected or self.function_type.outputs.data:
            raise TypeMismatch(
                "the arguments of a kernel differ from its type, or it has results",
                expected=", ".join(map(str, expected)),
                got=", ".join(map(str, got)),
                hint="give the block an argument per input, and the type no output",
            ).at(self)
        for space, buffers in ((WORKGROUP, self.workgroup), (PRIVATE, self.private)):
            for buffer in buffers:
                type_ = buffer.type
                held = type_.memory_space if isinstance(type_, MemRefType) else None
                if held != AddressSpaceAttr(space):
                    raise TypeMismatch(
                        "an attribution is in other memory",
                        expected=AddressSpaceAttr(space),
                        got=type_,
                        hint="give the buffer this memory, or pass it as an argument",
                    ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        _print_arguments(printer, "", self.arguments)
        for word, buffers in ((WORKGROUP, self.workgroup), (PRIVATE, self.private)):
            if buffers:
                _print_arguments(printer, f" {word}", buffers)
        printer.print_string(" kernel" if self.kernel is not None else "")
        sizes = {name: getattr(self, name) for name in _SIZES}
        known = {name: size for name, size in sizes.items() if size is not None}
        if known or self.attributes:
            printer.print_string(" attributes ")
            printer.print_attr_dict({**known, **self.attributes})
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        name = parser.parse_symbol_name()
        arguments = _parse_arguments(parser)
        inputs = FunctionType.from_lists([each.type for each in arguments], [])
        shared = _parse_arguments(parser) if parser.parse_optional_keyword(WORKGROUP) else []
        private = _parse_arguments(parser) if parser.parse_optional_keyword(PRIVATE) else []
        kernel = UnitAttr() if parser.parse_optional_keyword("kernel") else None
        given = parser.parse_optional_attr_dict_with_keyword()
        attributes = {} if given is None else dict(given.data)
        sizes = {name: attributes.pop(name, None) for name in _SIZES}
        return FuncOp(
            properties={
                "sym_name": name,
                "function_type": inputs,
                "kernel": kernel,
                "workgroup_attributions": IntegerAttr(len(shared), i64) if shared else None,
                **sizes,
            },
            attributes=cast("dict[str, Attribute | None]", attributes),
            regions=[parser.parse_region([*arguments, *shared, *private])],
        )


_SIZES = ("known_block_size", "known_grid_size")


def _print_arguments(printer: Printer, word: str, values: Sequence[SSAValue]) -> None:
    printer.print_string(word)
    with printer.in_parens():
        printer.print_list(values, lambda value: _print_argument(printer, value))


def _print_argument(printer: Printer, value: SSAValue) -> None:
    printer.print_ssa_value(value)
    printer.print_string(" : ")
    printer.print_attribute(value.type)


def _parse_arguments(parser: Parser) -> list[Parser.Argument]:
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)


GPU = Dialect(
    "gpu",
    [
        upstream.ModuleOp,
        upstream.BarrierOp,
        upstream.LaunchFuncOp,
        FuncOp,
        ReturnOp,
        ThreadIdOp,
        BlockIdOp,
        ShuffleOp,
    ],
    [DimensionAttr, AddressSpaceAttr, ShuffleModeAttr],
)
