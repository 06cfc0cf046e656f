"""loop dialect: order, place and vectors; the last level before machine code.

Accesses carry their index expressions, so there is no index arithmetic in the IR: an access holds
the SSA index values it uses (loop variables, computed positions) and one affine map over them.
Loops are normalised (step 1); their bounds are integers, or max / min of affine expressions of
outer variables.  The type of a load decides between scalar and vector; vectors are contiguous
along the last dimension unless ``stride`` says otherwise.

    loop.for parallel %i = 0 to 48 {
      %acc = loop.for %k = 0 to 768 unroll 4 iter_args(%s = %zero : vector<8xf32>) {
        %b = loop.load %B[%i, %k, 0] : memref<48x768x8xf32>, vector<8xf32>
        ...
        loop.yield %t : vector<8xf32>
      }
      loop.store %acc, %C[%i * 8] : memref<384xf32>, vector<8xf32>
    }

Scalar and vector arithmetic is arith and math, except comparisons (upstream's give i1 only).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    IntAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
)

from ..support.affine import (
    Index,
    Key,
    constant,
    from_affine_expr,
    to_affine_expr,
    unknown_range,
    variable,
)
from ..support.diagnostics import TypeMismatch
from .index_syntax import (
    INDEX,
    parse_index,
    parse_index_list,
    parse_number,
    print_index_list,
    scalar_text,
    ssa_namer,
    typed_scalar,
)


@cache
def int_attr(value: int) -> IntAttr:
    """Return an interned integer attribute."""
    return IntAttr(value)


@cache
def str_attr(value: str) -> StringAttr:
    """Return an interned string attribute."""
    return StringAttr(value)


def encode_indices(indices: Sequence[Index]) -> tuple[list[SSAValue], AffineMapAttr]:
    """Return the SSA values used and the map over them (dims) for some index expressions."""
    positions: dict[Key, int] = {}
    for index in indices:
        for key in index.variables():
            positions.setdefault(key, len(positions))
    numbered = tuple(_number(index, positions) for index in indices)
    return cast("list[SSAValue]", list(positions)), _map_attr(numbered, len(positions))


def _number(index: Index, positions: dict[Key, int]) -> Index:
    """Name variables by position, so that equal accesses share one map attribute."""
    if not index.terms:
        return index
    values = {key: variable(position) for key, position in positions.items()}
    return index.substitute(values, unknown_range)


@cache
def _map_attr(indices: tuple[Index, ...], n_dims: int) -> AffineMapAttr:
    exprs = tuple(to_affine_expr(i, lambda k: AffineExpr.dimension(cast(int, k))) for i in indices)
    return AffineMapAttr(AffineMap(n_dims, 0, exprs))



@cache
def numbered_indices(map_: AffineMap) -> tuple[Index, ...]:
    """Return a map's results as expressions whose keys are the dimension numbers."""
    dims: list[Key] = list(range(map_.num_dims))
    return tuple(from_affine_expr(e, dims, (), unknown_range) for e in map_.results)


def decode_indices(map_: AffineMapAttr, values: Sequence[SSAValue]) -> list[Index]:
    """Return a map's results over the given SSA values."""
    named: dict[Key, Index] = {i: variable(v) for i, v in enumerate(values)}
    return [e.substitute(named, unknown_range) for e in numbered_indices(map_.data)]


@irdl_op_definition
class YieldOp(IRDLOperation):
    """End of a loop body or a branch: values carried on."""

    name = "loop.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"


@irdl_op_definition
class ForOp(IRDLOperation):
    """Loop of step 1 from max(lower bounds) to min(upper bounds), exclusive.

    kind: serial or parallel (iterations are independent tasks).  unroll: copies of the body that
    the emitter makes; a divisor of a static trip count.
    """

    name = "loop.for"
    inits = var_operand_def()
    syms = var_operand_def(IndexType)
    res = var_result_def()
    lower = prop_def(AffineMapAttr)
    upper = prop_def(AffineMapAttr)
    kind = prop_def(StringAttr)
    unroll = opt_prop_def(IntAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    @staticmethod
    def make(
        lower: int | Sequence[Index],
        upper: int | Sequence[Index],
        body: Region,
        inits: Sequence[SSAValue] = (),
        *,
        kind: str = "serial",
        unroll: int = 1,
    ) -> ForOp:
        """Make a loop; the body's block takes the variable and one argument per init."""
        lows = [constant(lower)] if isinstance(lower, int) else list(lower)
        highs = [constant(upper)] if isinstance(upper, int) else list(upper)
        syms, map_ = encode_indices([*lows, *highs])
        results = map_.data.results
        split = len(lows)
        properties: dict[str, Attribute | None] = {
            "lower": AffineMapAttr(AffineMap(len(syms), 0, results[:split])),
            "upper": AffineMapAttr(AffineMap(len(syms), 0, results[split:])),
            "kind": str_attr(kind),
            "unroll": int_attr(unroll) if unroll != 1 else None,
        }
        return ForOp(
            operands=[list(inits), syms],
            result_types=[[v.type for v in inits]],
            properties=properties,
            regions=[body],
        )

    @property
    def is_static(self) -> bool:
        """True if the bounds are integers."""
        return not self.syms and len(self.lower.data.results) == len(self.upper.data.results) == 1

    @property
    def static_bounds(self) -> tuple[int, int] | None:
        """Lower and upper bound of a static loop, None of another."""
        if not self.is_static:
            return None
        (low,), (high,) = numbered_indices(self.lower.data), numbered_indices(self.upper.data)
        return low.const, high.const

    @property
    def variable(self) -> SSAValue:
        """The loop variable."""
        return self.body.block.args[0]

    @property
    def is_parallel(self) -> bool:
        """True if the iterations are independent tasks."""
        return self.kind.data == "parallel"

    @property
    def unroll_factor(self) -> int:
        """Copies of the body per trip."""
        return self.unroll.data if self.unroll else 1

    def bounds(self) -> tuple[list[Index], list[Index]]:
        """Return the lower (max of) and upper (min of) bound expressions."""
        return decode_indices(self.lower, self.syms), decode_indices(self.upper, self.syms)

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise TypeMismatch("a loop body ends with loop.yield", got=last and last.name).at(self)
        carried = [v.type for v in self.inits]
        if [v.type for v in last.values] != carried:
            raise TypeMismatch(
                "loop.yield does not match iter_args",
                expected=[str(t) for t in carried],
                got=[str(v.type) for v in last.values],
            ).at(self)
        if [a.type for a in self.body.block.args] != [INDEX, *carried]:
            raise TypeMismatch("a loop body takes the variable and the carried values").at(self)
        bounds = self.static_bounds
        if bounds is not None and (bounds[1] - bounds[0]) % self.unroll_factor:
            raise TypeMismatch(
                "unroll factor does not divide the trip count",
                expected=f"a divisor of {bounds[1] - bounds[0]}",
                got=self.unroll_factor,
            ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" parallel " if self.is_parallel else " ")
        printer.print_ssa_value(self.variable)
        name = ssa_namer(printer)

        def bound(word: str, indices: list[Index]) -> str:
            shown = [i.show(name) for i in indices]
            return shown[0] if len(shown) == 1 else f"{word}({', '.join(shown)})"

        lows, highs = self.bounds()
        printer.print_string(f" = {bound('max', lows)} to {bound('min', highs)} ")
        if self.unroll:
            printer.print_string(f"unroll {self.unroll.data} ")
        carried = self.body.block.args[1:]
        if carried:
            printer.print_string("iter_args(")
            for i, (arg, init) in enumerate(zip(carried, self.inits, strict=True)):
                printer.print_string(", " if i else "")
                printer.print_ssa_value(arg)
                printer.print_string(" = ")
                printer.print_ssa_value(init)
            printer.print_string(" : ")
            printer.print_list(carried, lambda a: printer.print_attribute(a.type))
            printer.print_string(") ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_block_terminators=bool(carried)
        )

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        kind = "parallel" if parser.parse_optional_keyword("parallel") else "serial"
        variable_arg = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        lower = _parse_bound(parser, "max")
        parser.parse_keyword("to")
        upper = _parse_bound(parser, "min")
        unroll = parser.parse_integer() if parser.parse_optional_keyword("unroll") else 1
        names, operands, types = _parse_iter_args(parser)
        arguments = [n.resolve(t) for n, t in zip(names, types, strict=True)]
        inits = parser.resolve_operands(operands, types, parser.pos)
        body = parser.parse_region([variable_arg.resolve(INDEX), *arguments])
        if not isinstance(body.block.last_op, YieldOp):
            body.block.add_op(YieldOp(operands=[[]]))
        return cls.make(lower, upper, body, inits, kind=kind, unroll=unroll)


def _parse_bound(parser: Parser, word: str) -> list[Index]:
    if parser.parse_optional_keyword(word):
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_index(parser)
        )
    return [parse_index(parser)]


def _parse_iter_args(
    parser: Parser,
) -> tuple[list[Parser.UnresolvedArgument], list[UnresolvedOperand], list[Attribute]]:
    names: list[Parser.UnresolvedArgument] = []
    operands: list[UnresolvedOperand] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args"):
        parser.parse_punctuation("(")
        while True:
            names.append(parser.parse_argument(expect_type=False))
            parser.parse_punctuation("=")
            operands.append(parser.parse_unresolved_operand())
            if not parser.parse_optional_punctuation(","):
                break
        parser.parse_punctuation(":")
        types = [parser.parse_type()]
        while parser.parse_optional_punctuation(","):
            types.append(parser.parse_type())
        parser.parse_punctuation(")")
    return names, operands, types


@irdl_op_definition
class AllocOp(IRDLOperation):
    """A temporary buffer of one task; scope names where it lives (``local``: per task)."""

    name = "loop.alloc"
    res = result_def(MemRefType)
    scope = prop_def(StringAttr)
    traits = traits_def(MemoryAllocEffect())
    assembly_format = "$scope attr-dict `:` type($res)"

    @staticmethod
    def make(type_: MemRefType, scope: str = "local") -> AllocOp:
        """Make an allocation."""
        return AllocOp.create(result_types=[type_], properties={"scope": str_attr(scope)})


class AccessOp(IRDLOperation):
    """Base of ops that address memory: each defines ``mem``, ``syms`` and ``map``."""

    def indices(self) -> list[Index]:
        """Return one index expression per dimension of the buffer."""
        access = cast("LoadOp", self)
        return decode_indices(access.map, access.syms)

    def verify_(self) -> None:
        access = cast("LoadOp", self)
        type_ = access.mem.type
        if not isinstance(type_, MemRefType):
            raise TypeMismatch("memory access needs a memref", got=type_).at(self)
        if len(access.map.data.results) != type_.get_num_dims():
            raise TypeMismatch(
                "one index per dimension",
                expected=type_.get_num_dims(),
                got=len(access.map.data.results),
            ).at(self)



def _print_options(op: AccessOp, printer: Printer) -> None:
    for key in ("lanes", "stride", "pad"):
        value = op.properties.get(key)
        if isinstance(value, IntAttr):
            printer.print_string(f" {key} {value.data}")
        elif value is not None:
            printer.print_string(f" {key} {scalar_text(value)}")


@irdl_op_definition
class LoadOp(AccessOp):
    """Read a scalar or a vector.

    lanes n: only the first n lanes are read, the others are 0.  stride s: lanes are s elements
    apart in memory.  pad v: where a dimension's index lies outside the buffer, nothing is read and
    the value is v; for a vector lane by lane, lane l at the last index + l * stride.
    """

    name = "loop.load"
    mem = operand_def(MemRefType)
    syms = var_operand_def(IndexType)
    res = result_def()
    map = prop_def(AffineMapAttr)
    lanes = opt_prop_def(IntAttr)
    stride = opt_prop_def(IntAttr)
    pad = opt_prop_def()
    traits = traits_def(MemoryReadEffect())

    @staticmethod
    def make(
        mem: SSAValue,
        indices: Sequence[Index],
        type_: Attribute,
        *,
        lanes: int | None = None,
        stride: int = 1,
        pad: Attribute | None = None,
    ) -> LoadOp:
        """Make a load of the given scalar or vector type."""
        syms, map_ = encode_indices(indices)
        properties: dict[str, Attribute] = {"map": map_}
        if lanes is not None:
            properties["lanes"] = int_attr(lanes)
        if stride != 1:
            properties["stride"] = int_attr(stride)
        if pad is not None:
            properties["pad"] = pad
        return LoadOp.create(operands=[mem, *syms], result_types=[type_], properties=properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.mem)
        print_index_list(printer, self.indices())
        _print_options(self, printer)
        printer.print_string(" : ")
        printer.print_attribute(self.mem.type)
        printer.print_string(", ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        mem = parser.parse_unresolved_operand()
        indices = parse_index_list(parser)
        lanes = parser.parse_integer() if parser.parse_optional_keyword("lanes") else None
        stride = parser.parse_integer() if parser.parse_optional_keyword("stride") else 1
        pad = parse_number(parser) if parser.parse_optional_keyword("pad") else None
        parser.parse_punctuation(":")
        mem_type = cast(MemRefType, parser.parse_type())
        parser.parse_punctuation(",")
        return cls.make(
            parser.resolve_operand(mem, mem_type),
            indices,
            parser.parse_type(),
            lanes=lanes,
            stride=stride,
            pad=None if pad is None else typed_scalar(pad, mem_type.get_element_type()),
        )


@irdl_op_definition
class StoreOp(AccessOp):
    """Write a scalar or a vector; lanes and stride as in loop.load."""

    name = "loop.store"
    value = operand_def()
    mem = operand_def(MemRefType)
    syms = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    lanes = opt_prop_def(IntAttr)
    stride = opt_prop_def(IntAttr)
    traits = traits_def(MemoryWriteEffect())

    @staticmethod
    def make(
        value: SSAValue,
        mem: SSAValue,
        indices: Sequence[Index],
        *,
        lanes: int | None = None,
        stride: int = 1,
    ) -> StoreOp:
        """Make a store of the value's scalar or vector type."""
        syms, map_ = encode_indices(indices)
        properties: dict[str, Attribute] = {"map": map_}
        if lanes is not None:
            properties["lanes"] = int_attr(lanes)
        if stride != 1:
            properties["stride"] = int_attr(stride)
        return StoreOp.create(operands=[value, mem, *syms], properties=properties)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.mem)
        print_index_list(printer, self.indices())
        _print_options(self, printer)
        printer.print_string(" : ")
        printer.print_attribute(self.mem.type)
        printer.print_string(", ")
        printer.print_attribute(self.value.type)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        mem = parser.parse_unresolved_operand()
        indices = parse_index_list(parser)
        lanes = parser.parse_integer() if parser.parse_optional_keyword("lanes") else None
        stride = parser.parse_integer() if parser.parse_optional_keyword("stride") else 1
        parser.parse_punctuation(":")
        mem_type = parser.parse_type()
        parser.parse_punctuation(",")
        return cls.make(
            parser.resolve_operand(value, parser.parse_type()),
            parser.resolve_operand(mem, mem_type),
            indices,
            lanes=lanes,
            stride=stride,
        )


@irdl_op_definition
class PrefetchOp(AccessOp):
    """Hint that memory will be read soon; the address may lie outside the buffer."""

    name = "loop.prefetch"
    mem = operand_def(MemRefType)
    syms = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    locality = prop_def(IntAttr)
    traits = traits_def(MemoryWriteEffect())

    @staticmethod
    def make(mem: SSAValue, indices: Sequence[Index], locality: int) -> PrefetchOp:
        """Make a prefetch; locality 0 (none) to 3 (keep in all caches)."""
        syms, map_ = encode_indices(indices)
        return PrefetchOp.create(
            operands=[mem, *syms], properties={"map": map_, "locality": int_attr(locality)}
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.mem)
        print_index_list(printer, self.indices())
        printer.print_string(f" locality {self.locality.data} : ")
        printer.print_attribute(self.mem.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        mem = parser.parse_unresolved_operand()
        indices = parse_index_list(parser)
        parser.parse_keyword("locality")
        locality = parser.parse_integer()
        parser.parse_punctuation(":")
        return cls.make(parser.resolve_operand(mem, parser.parse_type()), indices, locality)


@irdl_op_definition
class IndexOp(IRDLOperation):
    """An index expression as an index value or vector of index; lane l adds l * step."""

    name = "loop.index"
    syms = var_operand_def(IndexType)
    res = result_def()
    map = prop_def(AffineMapAttr)
    step = opt_prop_def(IntAttr)
    traits = traits_def(Pure())

    @staticmethod
    def make(index: Index, type_: Attribute = INDEX, *, step: int = 0) -> IndexOp:
        """Make an index value; a vector type needs a step."""
        syms, map_ = encode_indices([index])
        properties: dict[str, Attribute] = {"map": map_}
        if step:
            properties["step"] = int_attr(step)
        return IndexOp.create(operands=syms, result_types=[type_], properties=properties)

    def index(self) -> Index:
        """Return the expression."""
        return decode_indices(self.map, self.syms)[0]

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_index_list(printer, [self.index()])
        printer.print_string(f" step {self.step.data} : " if self.step else " : ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        (index,) = parse_index_list(parser)
        step = parser.parse_integer() if parser.parse_optional_keyword("step") else 0
        parser.parse_punctuation(":")
        return cls.make(index, parser.parse_type(), step=step)


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """A scalar in every lane of a vector."""

    name = "loop.broadcast"
    value = operand_def()
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value) `to` type($res)"


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Combine the lanes of a vector in a fixed tree order: halves, then quarters, ...

    kind: add mul max min maxnum and or xor.
    """

    name = "loop.reduce"
    value = operand_def(VectorType)
    res = result_def()
    kind = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = "$kind $value attr-dict `:` type($value) `to` type($res)"


@irdl_op_definition
class KeepLanesOp(IRDLOperation):
    """The first ``lanes`` lanes of value, the others from ``other``."""

    name = "loop.keep_lanes"
    value = operand_def(VectorType)
    other = operand_def(VectorType)
    res = result_def(VectorType)
    lanes = prop_def(IntAttr)
    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.lanes.data} of ")
        printer.print_ssa_value(self.value)
        printer.print_string(" else ")
        printer.print_ssa_value(self.other)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> KeepLanesOp:
        lanes = parser.parse_integer()
        parser.parse_keyword("of")
        value = parser.parse_unresolved_operand()
        parser.parse_keyword("else")
        other = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return cls(
            operands=[parser.resolve_operand(value, type_), parser.resolve_operand(other, type_)],
            result_types=[type_],
            properties={"lanes": int_attr(lanes)},
        )


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """One lane of a vector."""

    name = "loop.extract"
    value = operand_def(VectorType)
    res = result_def()
    lane = prop_def(IntAttr)
    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(f" {self.lane.data} : ")
        printer.print_attribute(self.value.type)

    @classmethod
    def parse(cls, parser: Parser) -> ExtractOp:
        value = parser.parse_unresolved_operand()
        lane = parser.parse_integer()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        assert isinstance(type_, VectorType)
        return cls(
            operands=[parser.resolve_operand(value, type_)],
            result_types=[type_.element_type],
            properties={"lane": int_attr(lane)},
        )


@irdl_op_definition
class PackOp(IRDLOperation):
    """A vector of scalars, lane by lane: accesses that no vector load or store can express."""

    name = "loop.pack"
    values = var_operand_def()
    res = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$values attr-dict `:` type($values) `to` type($res)"

    def verify_(self) -> None:
        assert isinstance(self.res.type, VectorType)
        lanes, element = self.res.type.get_shape()[0], self.res.type.element_type
        if [v.type for v in self.values] != [element] * lanes:
            raise TypeMismatch(
                "loop.pack takes one scalar per lane",
                expected=f"{lanes} x {element}",
                got=", ".join(str(v.type) for v in self.values),
            ).at(self)


CASTS = ("extsi", "extui", "fptosi", "fptoui", "index_cast", "sitofp", "trunci", "uitofp")
"""Conversions of loop.cast: those of arith that upstream defines for scalars only."""


@irdl_op_definition
class CastOp(IRDLOperation):
    """Lane-wise conversion of a vector; kind is the name of the arith op for scalars."""

    name = "loop.cast"
    value = operand_def(VectorType)
    res = result_def(VectorType)
    kind = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = "$kind $value attr-dict `:` type($value) `to` type($res)"

    def verify_(self) -> None:
        if self.kind.data not in CASTS:
            raise TypeMismatch(
                "unknown conversion", expected=", ".join(CASTS), got=self.kind.data
            ).at(self)


FLOAT_PREDICATES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")  # fmt: skip # noqa: E501
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@irdl_op_definition
class CompareOp(IRDLOperation):
    """Lane-wise comparison; predicates are those of LLVM's fcmp and icmp."""

    name = "loop.cmp"
    lhs = operand_def()
    rhs = operand_def()
    res = result_def()
    predicate = prop_def(StringAttr)
    traits = traits_def(Pure())
    assembly_format = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `,` type($res)"

    @staticmethod
    def make(predicate: str, lhs: SSAValue, rhs: SSAValue) -> CompareOp:
        """Make a comparison; the result is i1 or a vector of i1."""
        return CompareOp.create(
            operands=[lhs, rhs],
            result_types=[like(lhs.type, i1)],
            properties={"predicate": str_attr(predicate)},
        )


@irdl_op_definition
class SelectOp(IRDLOperation):
    """Lane-wise choice between two values."""

    name = "loop.select"
    condition = operand_def()
    lhs = operand_def()
    rhs = operand_def()
    res = result_def()
    traits = traits_def(Pure())
    assembly_format = (
        "$condition `,` $lhs `,` $rhs attr-dict "
        "`:` type($condition) `,` type($lhs) `,` type($rhs) `,` type($res)"
    )


@irdl_op_definition
class IfOp(IRDLOperation):
    """Run a region if a condition holds; no results."""

    name = "loop.if"
    condition = operand_def(IntegerType(1))
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        printer.print_string(" ")
        printer.print_region(self.body, print_block_terminators=False)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.parse_operand(i1)
        body = parser.parse_region()
        if not isinstance(body.block.last_op, YieldOp):
            body.block.add_op(YieldOp(operands=[[]]))
        return cls(operands=[condition], regions=[body])


def like(type_: Attribute, element: Attribute) -> Attribute:
    """Return ``element``, or a vector of it if the type is a vector."""
    if isinstance(type_, VectorType):
        return vector_type(type_.get_shape()[0], element)
    return element


@cache
def vector_type(lanes: int, element: Attribute) -> Attribute:
    """Return a vector type, or the element type for one lane."""
    return element if lanes == 1 else VectorType(element, [lanes])


def make_loop_body(carried: Sequence[Attribute] = ()) -> Block:
    """Return an empty loop body: the variable and the carried values."""
    return Block(arg_types=[INDEX, *carried])


LOOP = Dialect(
    "loop",
    [
        ForOp, IfOp, YieldOp, AllocOp, LoadOp, StoreOp, PrefetchOp, IndexOp, BroadcastOp, ReduceOp,
        KeepLanesOp, ExtractOp, PackOp, CastOp, CompareOp, SelectOp,
    ],
    [],
)  # fmt: skip

