"""Replace each complex value of a program by two real values, which converters support.

    %2 = add %0, %1 : complex        %2|re = add %0|re, %1|re    %2|im = add %0|im, %1|im

Before: a body without calls.  After: no value is complex.  For `complex`, `real` and `imag` no ops
are made: their results become other names of the real and imaginary parts.  Any other op without a
rule in this file is refused if one of its values is complex.
Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import i1

from ...dialects.dtypes import numpy_dtype
from ...support.diagnostics import UnsupportedOp
from .definitions import (
    AttributeValue,
    Dense,
    OpDef,
    RegionDef,
    ValueType,
    Word,
    all_ops,
    direction_of,
    is_complex,
    part_type,
)

Pair: TypeAlias = tuple[str, str]
"""The names of a real and an imaginary part."""

_NAMES = """
add broadcast broadcast_in_dim concatenate dynamic_broadcast_in_dim dynamic_reshape dynamic_slice
dynamic_update_slice gather negate pad real_dynamic_slice reshape reverse select slice subtract
transpose
"""
PARTWISE = frozenset(f"stablehlo.{name}" for name in _NAMES.split())
"""Ops that apply separately to the real and to the imaginary part."""
BILINEAR = frozenset({"stablehlo.multiply", "stablehlo.dot_general", "stablehlo.dot"})
"""Ops that are linear in each of two operands."""
WHOLE = frozenset(
    {
        *("func.return", "stablehlo.return", "stablehlo.optimization_barrier"),
        *("stablehlo.while", "stablehlo.if", "stablehlo.case", "stablehlo.fft"),
    }
)
"""Ops that pass both parts of each value through, also into and out of their regions."""


def split_complex(region: RegionDef) -> RegionDef:
    """Return a region in which each complex value is replaced by two real values.

    Errors: UnsupportedOp for an op without a rule that has complex operands or results.
    """
    if not any(is_complex(type_) for type_ in _types(region)):
        return region
    return _Splitter().region(region)


def _types(region: RegionDef) -> Sequence[ValueType]:
    ops = list(all_ops(region))
    regions = [region, *(inner for op in ops for inner in op.regions)]
    found = [type_ for each in regions for _, type_ in each.arguments]
    return [*found, *(type_ for op in ops for type_ in op.types)]


class _Splitter:
    """The state of splitting a program's complex values.

    parts: by the name of a complex value, the names of its real and imaginary part.  names: by the
    old name of a real value, its new name.  made: the ops of the region that is being split.
    """

    def __init__(self) -> None:
        self.parts: dict[str, Pair] = {}
        self.names: dict[str, str] = {}
        self.made: list[OpDef] = []

    def region(self, region: RegionDef) -> RegionDef:
        around, self.made = self.made, []
        arguments: list[tuple[str, ValueType]] = []
        for name, type_ in region.arguments:
            arguments += [(each, part_type(type_)) for each in self._declared(name, type_)]
        for op in region.ops:
            self._split(op)
        made, self.made = self.made, around
        return RegionDef(tuple(arguments), tuple(made))

    def _declared(self, name: str, type_: ValueType) -> tuple[str, ...]:
        """Return the names of a newly defined value: two names if the value is complex."""
        self._forget(name)
        if not is_complex(type_):
            return (name,)
        self.parts[name] = f"{name}|re", f"{name}|im"
        return self.parts[name]

    def _forget(self, name: str) -> None:
        self.parts.pop(name, None)
        self.names.pop(name, None)

    def _name(self, name: str) -> str:
        return self.names.get(name, name)

    def _all(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(p for name in names for p in self.parts.get(name, (self._name(name),)))

    def _split(self, op: OpDef) -> None:
        has_operands = any(name in self.parts for name in op.operands)
        for name in op.results:
            self._forget(name)
        if op.name in WHOLE:
            self._pass_on(op)
        elif op.name in RULES:
            RULES[op.name](self, op)
        elif not has_operands and not any(map(is_complex, op.types)):
            regions = tuple(map(self.region, op.regions))
            self.made.append(replace(op, operands=self._all(op.operands), regions=regions))
        elif op.name in PARTWISE:
            self.partwise(op)
        elif op.name in BILINEAR:
            self.bilinear(op)
        else:
            raise UnsupportedOp(
                "complex operands and results of this op are not supported",
                got=op.name,
                where=f"{op.name} at line {op.line}",
            )

    def _pass_on(self, op: OpDef) -> None:
        operands = self._all(op.operands)
        results: list[str] = []
        types: list[ValueType] = []
        regions = tuple(map(self.region, op.regions))
        for name, type_ in zip(op.results, op.types, strict=True):
            declared = self._declared(name, type_)
            results += declared
            types += [part_type(type_)] * len(declared)
        self.made.append(
            replace(
                op,
                operands=operands,
                results=tuple(results),
                types=tuple(types),
                regions=regions,
            )
        )

    def op(
        self,
        like: OpDef,
        name: str,
        *operands: str,
        result: str = "",
        type_: ValueType | None = None,
        attributes: Mapping[str, AttributeValue] | None = None,
    ) -> str:
        """Append an op with the location of ``like``; return the name of its result.

        name: the name of the op, without the dialect.  result: the name of the result; by default,
        a new name.  type_: the type of the result; by default, the type of the parts of ``like``'s
        first result.
        """
        result = result or f"{like.results[0]}|{len(self.made)}"
        made = OpDef(
            f"stablehlo.{name}",
            operands,
            (result,),
            (type_ or part_type(like.types[0]),),
            attributes or {},
            (),
            like.line,
            like.location,
        )
        self.made.append(made)
        return result

    def zero(self, like: OpDef, type_: ValueType, value: float = 0.0) -> str:
        """Append a constant of a real type; return the constant's name.

        like: the op whose location the constant gets.  value: the value of all elements.
        """
        assert type_.dtype is not None, "parts of values have element types"
        array = np.array(value, numpy_dtype(type_.dtype))
        return self.op(like, "constant", type_=type_, attributes={"value": Dense(array, type_)})

    def partwise(self, op: OpDef) -> None:
        """Replace an op by two ops, one on the real parts and one on the imaginary parts."""
        results = self._declared(op.results[0], op.types[0])
        for n, result in enumerate(results):
            operands = (self.parts[x][n] if x in self.parts else self._name(x) for x in op.operands)
            types = (part_type(op.types[0]),)
            self.made.append(replace(op, operands=tuple(operands), results=(result,), types=types))

    def bilinear(self, op: OpDef) -> None:
        """Replace a product of ``a + bi`` and ``c + di`` by ``(ac - bd) + (ad + bc) i``."""
        (a, b), (c, d) = (self.parts[x] for x in op.operands)
        re, im = self._declared(op.results[0], op.types[0])
        name = op.name.removeprefix("stablehlo.")
        pairs = [(a, c), (b, d), (a, d), (b, c)]
        ac, bd, ad, bc = (self.op(op, name, *pair, attributes=op.attributes) for pair in pairs)
        self.op(op, "subtract", ac, bd, result=re)
        self.op(op, "add", ad, bc, result=im)

    def divide(self, op: OpDef) -> None:
        """Replace a quotient by a product with the conjugate of the divisor.

        The product is divided by the square of the divisor's magnitude.
        """
        if op.operands[0] not in self.parts:
            self._unchanged(op)
            return
        (a, b), (c, d) = (self.parts[x] for x in op.operands)
        re, im = self._declared(op.results[0], op.types[0])
        size = self._size(op, c, d)
        c, d = (self.op(op, "divide", x, size) for x in (c, d))
        squares = [self.op(op, "multiply", x, x) for x in (c, d)]
        scale = self.op(op, "multiply", self.op(op, "add", *squares), size)
        ac, bd, bc, ad = (self.op(op, "multiply", *p) for p in ((a, c), (b, d), (b, c), (a, d)))
        self.op(op, "divide", self.op(op, "add", ac, bd), scale, result=re)
        self.op(op, "divide", self.op(op, "subtract", bc, ad), scale, result=im)

    def _size(self, op: OpDef, re: str, im: str) -> str:
        return self.op(op, "maximum", *(self.op(op, "abs", x) for x in (re, im)))

    def absolute(self, op: OpDef) -> None:
        """Replace an absolute value by ``size * sqrt((re / size)^2 + (im / size)^2)``.

        The size is the larger of |re| and |im|, so that no square overflows.
        """
        if op.operands[0] not in self.parts:
            self._unchanged(op)
            return
        type_ = op.types[0]
        re, im = self.parts[op.operands[0]]
        size = self._size(op, re, im)
        one, zero = self.zero(op, type_, 1.0), self.zero(op, type_)
        truth = ValueType(type_.dims, i1, "i1")
        equal = {"comparison_direction": Word("EQ")}
        is_zero = self.op(op, "compare", size, zero, type_=truth, attributes=equal)
        scale = self.op(op, "select", is_zero, one, size)
        parts = [self.op(op, "divide", x, scale) for x in (re, im)]
        squares = [self.op(op, "multiply", x, x) for x in parts]
        root = self.op(op, "sqrt", self.op(op, "add", *squares))
        self.op(op, "multiply", root, size, result=op.results[0])

    def _unchanged(self, op: OpDef) -> None:
        self.made.append(replace(op, operands=self._all(op.operands)))

    def joined(self, op: OpDef) -> None:
        """Make the two real operands of an op the parts of the op's complex result."""
        re, im = map(self._name, op.operands)
        self.parts[op.results[0]] = re, im

    def real(self, op: OpDef) -> None:
        (x,) = op.operands
        self.names[op.results[0]] = self.parts[x][0] if x in self.parts else self._name(x)

    def imag(self, op: OpDef) -> None:
        """Make the op's result a name of its operand's imaginary part, or 0 for a real operand."""
        (x,) = op.operands
        part = self.parts[x][1] if x in self.parts else self.zero(op, op.types[0])
        self.names[op.results[0]] = part

    def convert(self, op: OpDef) -> None:
        """Replace a conversion of a complex value by conversions of its parts.

        A real operand gets the imaginary part 0; a real result is the converted real part.
        """
        (x,), (type_,) = op.operands, op.types
        if x in self.parts and is_complex(type_):
            self.partwise(op)
        elif is_complex(type_):
            re = self.op(op, "convert", self._name(x))
            self.parts[op.results[0]] = re, self.zero(op, part_type(type_))
        else:
            operand = self.parts[x][0] if x in self.parts else self._name(x)
            self.made.append(replace(op, operands=(operand,)))

    def constant(self, op: OpDef) -> None:
        """Replace a complex constant by two real constants."""
        value = op.attributes.get("value")
        if not isinstance(value, Dense) or not is_complex(op.types[0]):
            self._unchanged(op)
            return
        type_ = part_type(op.types[0])
        results = self._declared(op.results[0], op.types[0])
        for result, array in zip(
            results, (np.real(value.array), np.imag(value.array)), strict=True
        ):
            attributes = {"value": Dense(np.ascontiguousarray(array).reshape(array.shape), type_)}
            self.op(op, "constant", result=result, attributes=attributes)

    def compare(self, op: OpDef) -> None:
        """Replace a comparison of complex values, which are equal if both parts are equal."""
        if op.operands[0] not in self.parts:
            self._unchanged(op)
            return
        pairs = zip(*(self.parts[x] for x in op.operands), strict=True)
        found = [self.op(op, "compare", *pair, attributes=op.attributes) for pair in pairs]
        joined = "and" if direction_of(op) == "EQ" else "or"
        self.op(op, joined, *found, result=op.results[0])

    def reduce(self, op: OpDef) -> None:
        """Replace a sum over axes by sums of the real and of the imaginary parts.

        Errors: UnsupportedOp for reductions of complex values other than sums.
        """
        if op.operands[0] not in self.parts:
            regions = tuple(map(self.region, op.regions))
            self.made.append(replace(op, operands=self._all(op.operands), regions=regions))
            return
        region = op.regions[0]
        if [each.name for each in region.ops[:-1]] != ["stablehlo.add"] or len(op.results) != 1:
            raise UnsupportedOp("complex values are reduced by sums only", got=op.name)
        arguments = tuple((name, part_type(type_)) for name, type_ in region.arguments)
        ops = tuple(replace(each, types=tuple(map(part_type, each.types))) for each in region.ops)
        self.partwise(replace(op, regions=(RegionDef(arguments, ops),)))


Rule: TypeAlias = Callable[[_Splitter, OpDef], None]

RULES: Mapping[str, Rule] = {
    "stablehlo.abs": _Splitter.absolute,
    "stablehlo.compare": _Splitter.compare,
    "stablehlo.complex": _Splitter.joined,
    "stablehlo.constant": _Splitter.constant,
    "stablehlo.convert": _Splitter.convert,
    "stablehlo.divide": _Splitter.divide,
    "stablehlo.imag": _Splitter.imag,
    "stablehlo.real": _Splitter.real,
    "stablehlo.reduce": _Splitter.reduce,
}
"""Rules of ops that are not covered by `PARTWISE`, `BILINEAR` or `WHOLE`."""

WITH_COMPLEX = PARTWISE | BILINEAR | WHOLE | RULES.keys()
"""Ops whose values may be complex."""
