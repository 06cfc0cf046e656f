"""te.intrinsic: a machine instruction: its semantics, its emission and its cost.

    te.intrinsic @vpdpbusd features ["avx512vnni"] cycles 1.0 source "uops.info"
        definition(%c: memref<16xi32>, %a: memref<16x4xi8>, %b: memref<16x4xi8>) {
      te.compute @dot [i: 16, r: 4 red]
          ins(%a[i, r] : memref<16x4xi8>, %b[i, r] : memref<16x4xi8>)
          outs(%c[i] add acc : memref<16xi32>)
          body(%x: i8, %y: i8) { .. }
    } emission(%vc: vector<16xi32>, %va: vector<64xi8>, %vb: vector<64xi8>) {
      %r = loop.call_llvm "llvm.x86.avx512.vpdpbusd.512" (%vc, %va, %vb) : (..) -> vector<16xi32>
      te.yield %r : vector<16xi32>
    }

The definition is one te.compute that accumulates into its output along one axis, the lanes; all
other axes are reduced.  Each buffer, in row-major order, is one vector of the emission, which
yields the output's new value.  sched.tensorize matches computes against the definition, the
interpreters run the definition, and tests compare its results with the instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    VectorType,
    f64,
)
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ...support.diagnostics import TypeMismatch
from ..names import parse_text
from .body import YieldOp
from .compute import ComputeOp
from .syntax import parse_region, print_region


@irdl_op_definition
class IntrinsicOp(IRDLOperation):
    """A machine instruction; see the module docstring.

    Properties: features: required target features; cycles: reciprocal throughput on one core;
    source: origin of that number.
    Errors: TypeMismatch if the definition or emission has another form.
    """

    name = "te.intrinsic"
    sym_name = prop_def(StringAttr)
    features = prop_def(ArrayAttr[StringAttr])
    cycles = prop_def(FloatAttr)
    source = prop_def(StringAttr)
    definition = region_def("single_block")
    emission = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        definition: Region,
        emission: Region,
        *,
        features: Sequence[str] = (),
        cycles: float = 1.0,
        source: str = "",
    ) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "features": ArrayAttr([StringAttr(f) for f in features]),
                "cycles": FloatAttr(cycles, f64),
                "source": StringAttr(source),
            },
            regions=[definition, emission],
        )

    @property
    def label(self) -> str:
        """Name of the intrinsic."""
        return self.sym_name.data

    @property
    def compute(self) -> ComputeOp:
        """The compute in the definition."""
        return cast(ComputeOp, self.definition.block.first_op)

    @property
    def lane_axis(self) -> str:
        """The axis of the definition that runs along the lanes of its result."""
        (axis,) = self.compute.view().parallel_axes()
        return axis

    @property
    def lanes(self) -> int:
        """The number of lanes of the result."""
        return self.compute.view().extents[self.lane_axis]

    def verify_(self) -> None:
        ops = list(self.definition.block.ops)
        if len(ops) != 1 or not isinstance(ops[0], ComputeOp):
            names = ", ".join(op.name for op in ops) or "nothing"
            hint = "write one te.compute, and nothing else, in the definition"
            raise self._error("the definition is one te.compute", names, hint)
        self._verify_compute()
        self._verify_emission()

    def _verify_compute(self) -> None:
        view, block = self.compute.view(), self.definition.block
        parts = {
            "post": view.post, "then": view.then.blocks, "scan": view.scan, "tile": view.tile
        }  # fmt: skip
        if found := [word for word, part in parts.items() if part]:
            rule = "the definition has no post operands, then, scan or tile"
            raise self._error(rule, ", ".join(found), "remove these from the compute")
        if (
            len(view.outputs) != 1
            or not view.outputs[0].reduces
            or view.outputs[0].init is not None
        ):
            hint = "write one output that accumulates, such as outs(%c[i] add acc)"
            rule = "the definition continues one output"
            raise self._error(rule, str(self.compute.combiners), hint)
        if len(view.parallel_axes()) != 1:
            hint = "mark every axis but that of the lanes as red"
            raise self._error("the definition has one axis of lanes", view.parallel_axes(), hint)
        values = [a.value for a in (*view.inputs, *view.outputs)]
        if sorted(map(id, values)) != sorted(map(id, block.args)):
            hint = "use each argument of the definition in one ins or outs"
            raise self._error("the definition uses each buffer once", len(values), hint)
        for access in (*view.inputs, *view.outputs):
            axes = [a for a in view.axes if a in access.axes()]
            plain = [next(iter(e.terms), None) for e in access.indices or ()]
            sizes = tuple(view.axes[a] for a in axes)
            if plain != axes or any(len(e.terms) != 1 or e.const for e in access.indices or ()):
                rule = "a buffer is indexed by axes in their order"
                hint = "index with plain axes, in the order in which the compute lists them"
                raise self._error(rule, str(self.compute), hint)
            if access.shape != sizes or access.pad is not None:
                hint = "declare the buffer with the extents of its axes, and remove pad"
                raise self._error("a buffer is as large as its axes", access.type, hint, sizes)

    def _verify_emission(self) -> None:
        expected = [vector_of(cast("MemRefType", a.type)) for a in self.definition.block.args]
        got = [a.type for a in self.emission.block.args]
        if got != expected:
            hint = "declare one vector, with all elements, for each buffer of the definition"
            raise self._error("the emission takes a vector per buffer", got, hint, expected)
        last = self.emission.block.last_op
        yielded = [v.type for v in last.operands] if isinstance(last, YieldOp) else None
        result = vector_of(cast("MemRefType", self.compute.outs[0].type))
        if yielded != [result]:
            hint = "end the emission with te.yield of the new value of the output"
            raise self._error("the emission yields the output", yielded, hint, [result])

    def _error(self, rule: str, got: object, hint: str, expected: object = None) -> TypeMismatch:
        text = f"@{self.label}: {rule}"
        return TypeMismatch(text, expected=expected, got=got, hint=hint).at(self)

    def print(self, printer: Printer) -> None:
        features = ", ".join(f'"{f.data}"' for f in self.features)
        printer.print_string(f" @{self.label} features [{features}]")
        printer.print_string(f" cycles {self.cycles.value.data} source ")
        printer.print_string_literal(self.source.data)
        indent = printer._indent + 4  # pyright: ignore[reportPrivateUsage]
        printer.print_string("\n" + " " * indent)
        print_region(printer, "definition", self.definition, first=True)
        print_region(printer, "emission", self.emission)

    @classmethod
    def parse(cls, parser: Parser) -> IntrinsicOp:
        name = parser.parse_symbol_name().data
        parser.parse_keyword("features")
        square = parser.Delimiter.SQUARE
        features = parser.parse_comma_separated_list(square, lambda: parse_text(parser))
        parser.parse_keyword("cycles")
        cycles = float(parser.parse_number())
        parser.parse_keyword("source")
        source = parse_text(parser)
        definition, emission = (parse_region(parser, w) for w in ("definition", "emission"))
        return cls(name, definition, emission, features=features, cycles=cycles, source=source)


def vector_of(buffer: MemRefType) -> Attribute:
    """Return the type of one vector that holds all elements of a buffer."""
    return VectorType(buffer.element_type, [prod(buffer.get_shape())])


def intrinsics_around(op: Operation) -> list[IntrinsicOp]:
    """Return the intrinsics of an op's module; the op may be the module itself."""
    root: Operation | None = op
    while root is not None and not isinstance(root, ModuleOp):
        root = root.parent_op()
    return [] if root is None else [o for o in root.ops if isinstance(o, IntrinsicOp)]


def find_intrinsic(op: Operation, name: str) -> IntrinsicOp | None:
    """Return the intrinsic with this name in an op's module, or None."""
    return next((o for o in intrinsics_around(op) if o.label == name), None)


__all__ = ["IntrinsicOp", "find_intrinsic", "intrinsics_around", "vector_of"]
