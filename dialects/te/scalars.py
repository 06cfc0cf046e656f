"""Builder of scalar ops in te regions: chooses arith and math ops by operand type.

Integers are signless; callers specify unsigned operations by ``unsigned=``, or by ``ui`` types as
arguments of ``cast``.  Integer division, remainder, shifts and conversions of floats to integers
are defined for all operands at this level: x / 0 = 0, x % 0 = 0, shifts by the width or more give 0
(a signed right shift gives copies of the sign bit), conversions saturate and give 0 for NaN.  The
lowerings preserve these semantics.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Sequence
from functools import cache

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..arith import RemFOp
from ..dtypes import bit_width, compute_type, is_bool, is_float, is_sub_byte, is_unsigned
from ..index_syntax import INDEX, typed_scalar
from ..loop import lane_type
from .body import AtOp

FLOAT_PREDICATES = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
"""The arith.cmpf predicate of each comparison, by name; NaN equals no value, not even itself."""


@cache
def signless(element_type: Attribute) -> Attribute:
    """Return the te-level type of a graph element type: ``ui8`` becomes ``i8``.

    Integers of 2 to 7 bits become ``i8``, too, with their value in the low bits.
    """
    if isinstance(element_type, IntegerType) and element_type.width.data > 1:
        return IntegerType(max(8, element_type.width.data))
    return element_type


def scalar_attr(number: int | float, element_type: Attribute) -> Attribute:
    """Return the attribute of a number in a signless type; integers wrap to its range."""
    if isinstance(element_type, IntegerType):
        width = element_type.width.data
        wrapped = int(number) & ((1 << width) - 1)
        if width > 1 and wrapped >> (width - 1):
            wrapped -= 1 << width
        return IntegerAttr(wrapped, element_type)
    return typed_scalar(number, element_type)


@cache
def lowest(element_type: Attribute) -> int | float:
    """Return the smallest value of a graph element type (-inf for floats)."""
    if is_float(element_type):
        return -LARGEST_FINITE.get(str(element_type), numbers.inf)
    if is_unsigned(element_type) or is_bool(element_type):
        return 0
    return -(1 << (bit_width(element_type) - 1))


@cache
def highest(element_type: Attribute) -> int | float:
    """Return the largest value of a graph element type (inf for floats)."""
    if is_float(element_type):
        return LARGEST_FINITE.get(str(element_type), numbers.inf)
    signed = not (is_unsigned(element_type) or is_bool(element_type))
    return (1 << (bit_width(element_type) - signed)) - 1


@cache
def _defaults(op_class: type[Operation]) -> dict[str, Attribute]:
    definition = op_class.get_irdl_definition()  # pyright: ignore
    return {
        name: prop.default_value  # pyright: ignore
        for name, prop in definition.properties.items()  # pyright: ignore
        if prop.default_value is not None  # pyright: ignore
    }


@cache
def _predicate(name: str, names: tuple[str, ...]) -> Attribute:
    return IntegerAttr(names.index(name), i64)


_CMPF = tuple(arith.CMPF_COMPARISON_OPERATIONS)
_APPROXIMATE = arith.FastMathFlagsAttr([FastMathFlag.APPROX_FUNC])
_CMPI = tuple(arith.CMPI_COMPARISON_OPERATIONS)


class Scalars:
    """A builder that appends scalar ops to a block; equal constants share one op."""

    def __init__(self, block: Block) -> None:
        self.block = block
        # Keyed by the printed number, because 0.0 == -0.0.
        self._constants: dict[tuple[str, Attribute], SSAValue] = {}

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """Append an op of a class with one result, and return the result."""
        op = op_class.create(
            operands=operands,
            result_types=[result_type],
            properties={**_defaults(op_class), **(properties or {})},
        )
        self.block.add_op(op)
        return op.results[0]

    def constant(self, number: int | float, element_type: Attribute) -> SSAValue:
        """Return a constant of a signless type."""
        key = (repr(number), element_type)
        if key not in self._constants:
            value = scalar_attr(number, element_type)
            self._constants[key] = self.emit(arith.ConstantOp, [], element_type, {"value": value})
        return self._constants[key]

    def like(self, number: int | float, x: SSAValue) -> SSAValue:
        """Return a constant of the type of ``x``."""
        return self.constant(number, x.type)

    def _binary(
        self, x: SSAValue, y: SSAValue, on_floats: type[Operation], on_integers: type[Operation]
    ) -> SSAValue:
        assert x.type == y.type, f"operands differ in type: {x.type}, {y.type}"
        return self.emit(on_floats if is_float(lane_type(x.type)) else on_integers, [x, y], x.type)

    def add(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x + y; integers wrap."""
        return self._binary(x, y, arith.AddfOp, arith.AddiOp)

    def sub(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x - y; integers wrap."""
        return self._binary(x, y, arith.SubfOp, arith.SubiOp)

    def mul(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x * y; integers wrap."""
        return self._binary(x, y, arith.MulfOp, arith.MuliOp)

    def div(self, x: SSAValue, y: SSAValue, *, unsigned: bool = False) -> SSAValue:
        """Return x / y; integers round to zero and give 0 for y = 0."""
        return self._binary(x, y, arith.DivfOp, arith.DivUIOp if unsigned else arith.DivSIOp)

    def rem(self, x: SSAValue, y: SSAValue, *, unsigned: bool = False) -> SSAValue:
        """Return the remainder with the sign of x; for y = 0, integers yield 0 and floats NaN."""
        return self._binary(x, y, RemFOp, arith.RemUIOp if unsigned else arith.RemSIOp)

    def max(self, x: SSAValue, y: SSAValue, *, unsigned: bool = False) -> SSAValue:
        """Return the larger value; NaN if either value is NaN; +0 is larger than -0.

        unsigned: whether integers are compared as unsigned.
        """
        return self._binary(x, y, arith.MaximumfOp, arith.MaxUIOp if unsigned else arith.MaxSIOp)

    def min(self, x: SSAValue, y: SSAValue, *, unsigned: bool = False) -> SSAValue:
        """Return the smaller value; NaN if either value is NaN; -0 is smaller than +0.

        unsigned: whether integers are compared as unsigned.
        """
        return self._binary(x, y, arith.MinimumfOp, arith.MinUIOp if unsigned else arith.MinSIOp)

    def bit_and(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the bitwise and; logical on i1."""
        return self.emit(arith.AndIOp, [x, y], x.type)

    def bit_or(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the bitwise or; logical on i1."""
        return self.emit(arith.OrIOp, [x, y], x.type)

    def bit_xor(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the bitwise exclusive or; logical on i1."""
        return self.emit(arith.XOrIOp, [x, y], x.type)

    def bit_not(self, x: SSAValue) -> SSAValue:
        """Return x with all bits flipped; logical on i1."""
        return self.bit_xor(x, self.like(-1, x))

    def neg(self, x: SSAValue) -> SSAValue:
        """Return -x; integers wrap."""
        if is_float(x.type):
            return self.emit(arith.NegfOp, [x], x.type)
        return self.sub(self.like(0, x), x)

    def abs(self, x: SSAValue) -> SSAValue:
        """Return ``|x|``; the smallest integer is unchanged."""
        return self.emit(math.AbsFOp if is_float(x.type) else math.AbsIOp, [x], x.type)

    def math(self, name: str, *operands: SSAValue) -> SSAValue:
        """Append the op ``math.<name>``, and return its result."""
        return self.emit(_math_op(name), operands, operands[0].type)

    def exp_of_normals(self, x: SSAValue) -> SSAValue:
        """Append a math.exp that may return 0 for results below the smallest normal number."""
        return self.emit(math.ExpOp, [x], x.type, {"fastmath": _APPROXIMATE})

    def compare(self, name: str, x: SSAValue, y: SSAValue, *, unsigned: bool = False) -> SSAValue:
        """Return a comparison as i1; with a NaN, it is false except for ne.

        name: eq, ne, lt, le, gt or ge.  unsigned: whether integers are compared as unsigned.
        """
        if is_float(x.type):
            predicate = _predicate(FLOAT_PREDICATES[name], _CMPF)
            return self.emit(arith.CmpfOp, [x, y], i1, {"predicate": predicate})
        signed_name = name if name in ("eq", "ne") else ("u" if unsigned else "s") + name
        return self.emit(arith.CmpiOp, [x, y], i1, {"predicate": _predicate(signed_name, _CMPI)})

    def is_nan(self, x: SSAValue) -> SSAValue:
        """Return whether x is NaN."""
        return self.emit(arith.CmpfOp, [x, x], i1, {"predicate": _predicate("uno", _CMPF)})

    def select(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return x where the condition is true, else y."""
        return self.emit(arith.SelectOp, [condition, x, y], x.type)

    def at(
        self, x: SSAValue, positions: Sequence[SSAValue], other: int | float | None = None
    ) -> SSAValue:
        """Read an element of a whole operand at computed positions; return it.

        positions: the index along each dimension.  other: the result for positions outside of the
        operand; None if there are no such positions.
        """
        op = AtOp(x, positions)
        if other is not None:
            op.properties["other"] = scalar_attr(other, op.out.type)
        self.block.add_op(op)
        return op.out

    def widen(self, x: SSAValue) -> SSAValue:
        """Convert a float narrower than f32 to f32; return any other value unchanged."""
        wide = compute_type(x.type)
        return x if wide == x.type else self.emit(arith.ExtFOp, [x], wide)

    def cast(
        self, x: SSAValue, source: Attribute, target: Attribute, *, saturate: bool = False
    ) -> SSAValue:
        """Convert a value from one graph element type, or index, to another; return the result.

        source, target: the graph element types, which say whether integers are unsigned.
        saturate: values beyond the range of a narrow float become its largest finite value.
        """
        if source == target:
            return x
        if is_sub_byte(source):
            x, source = self._extended(x, source), compute_type(source)
        if is_sub_byte(target):
            return self._low_bits(x, source, target)
        if signless(source) == signless(target):
            return x
        if is_bool(target):
            return self.compare("ne", x, self.like(0, x))
        if is_float(source):
            return self._from_float(x, target, saturate)
        if is_float(target):
            return self._integer_to_float(x, source, target, saturate)
        return self._between_integers(x, source, target)

    def _extended(self, x: SSAValue, source: Attribute) -> SSAValue:
        """Sign- or zero-extend an integer of 2 to 7 bits from the low bits of a byte."""
        unused = self.like(8 - bit_width(source), x)
        raised = self.emit(arith.ShLIOp, [x, unused], x.type)
        op_class = arith.ShRUIOp if is_unsigned(source) else arith.ShRSIOp
        return self.emit(op_class, [raised, unused], x.type)

    def _low_bits(self, x: SSAValue, source: Attribute, target: Attribute) -> SSAValue:
        """Convert a value to an integer of 2 to 7 bits, held in the low bits of a byte.

        Floats saturate.
        """
        wide = compute_type(target)
        made = self.cast(x, source, wide)
        if is_float(source):
            made = self._clamp(made, target)
        return self.bit_and(made, self.like((1 << bit_width(target)) - 1, made))

    def _from_float(self, x: SSAValue, target: Attribute, saturate: bool) -> SSAValue:
        if is_float(target):
            return self._between_floats(x, target, saturate)
        x = self.widen(x)
        if isinstance(target, IndexType):
            return self.emit(arith.IndexCastOp, [self._from_float(x, i64, False)], INDEX)
        op_class = arith.FPToUIOp if is_unsigned(target) else arith.FPToSIOp
        return self.emit(op_class, [x], signless(target))

    def _between_floats(self, x: SSAValue, target: Attribute, saturate: bool) -> SSAValue:
        if bit_width(target) > bit_width(x.type) and bit_width(target) >= 32:
            return self.emit(arith.ExtFOp, [x], target)
        x = self.widen(x)
        if x.type == target:
            return x
        if saturate and bit_width(target) <= 8:
            x = self._clamp(x, target)
        return self.emit(arith.TruncFOp, [x], target)

    def _clamp(self, x: SSAValue, target: Attribute) -> SSAValue:
        unsigned = is_unsigned(target)
        x = self.min(x, self.like(highest(target), x), unsigned=unsigned)
        return self.max(x, self.like(lowest(target), x), unsigned=unsigned)

    def _integer_to_float(
        self, x: SSAValue, source: Attribute, target: Attribute, saturate: bool
    ) -> SSAValue:
        if isinstance(source, IndexType):
            x, source = self.emit(arith.IndexCastOp, [x], i64), i64
        no_sign = is_unsigned(source) or is_bool(source)
        wide = compute_type(target)
        made = self.emit(arith.UIToFPOp if no_sign else arith.SIToFPOp, [x], wide)
        return made if wide == target else self._between_floats(made, target, saturate)

    def _between_integers(self, x: SSAValue, source: Attribute, target: Attribute) -> SSAValue:
        no_sign = is_unsigned(source) or is_bool(source)
        if isinstance(target, IndexType):
            wide = self.cast(x, source, i64)
            return self.emit(arith.IndexCastOp, [wide], INDEX)
        if isinstance(source, IndexType):
            return self.cast(self.emit(arith.IndexCastOp, [x], i64), i64, target)
        if bit_width(target) < bit_width(source):
            return self.emit(arith.TruncIOp, [x], signless(target))
        return self.emit(arith.ExtUIOp if no_sign else arith.ExtSIOp, [x], signless(target))


LARGEST_FINITE = {
    "f8E4M3FN": 448.0, "f8E5M2": 57344.0, "f8E4M3FNUZ": 240.0, "f8E5M2FNUZ": 57344.0,
    "f8E4M3": 240.0, "f8E3M4": 15.5, "f6E2M3FN": 7.5, "f6E3M2FN": 28.0, "f4E2M1FN": 6.0,
}  # fmt: skip
"""The largest finite values of narrow floats, at which conversions saturate.

Source: OCP 8-bit floating point, ml_dtypes.finfo.
"""


@cache
def _math_op(name: str) -> type[Operation]:
    return next(op for op in math.Math.operations if op.name == "math." + name)


def wide_type(element_type: Attribute) -> Attribute:
    """Return the signless type in which an operation on a graph element type computes."""
    return signless(compute_type(element_type))
