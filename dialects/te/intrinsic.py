"""te.intrinsic describes a machine instruction by its semantics, its emission and its cost.

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

The definition (the semantics) is one te.compute that accumulates into its output, whose only axis
is the axis of lanes; all other axes are reduced.  The emission is the code for the instruction: it
takes each buffer of the definition, in row-major order, as one vector, and yields the new value of
the output.  sched.tensorize matches computes against the definition, the interpreters run the
definition, and tests compare its results with the instruction.

A definition with two axes that are not reduced, rows and lanes, describes an instruction on
*tiles*: a register contains a buffer as a vector of two dimensions: the first dimension of the
buffer, and all others.  The tile instruction that corresponds to vpdpbusd is tdpbusd:

    definition(%c: memref<16x16xi32>, %a: memref<16x16x4xi8>, %b: memref<16x16x4xi8>) {
      te.compute @dot [m: 16, k: 16 red, n: 16, r: 4 red]
          ins(%a[m, k, r] : .., %b[k, n, r] : ..) outs(%c[m, n] add acc : ..) ..
    } emission(%c: vector<16x16xi32>, %a: vector<16x64xi8>, %b: vector<16x64xi8>) { .. }

If the emission takes vectors of one dimension, all rows of lanes share one vector.  smmla adds
eight products to each of 2 x 2 accumulators; such a *matrix* has two rows of two lanes:

    definition(%c: memref<2x2xi32>, %a: memref<2x8xi8>, %b: memref<2x8xi8>) {
      te.compute @dot [m: 2, i: 2, r: 8 red]
          ins(%a[m, r] : .., %b[i, r] : ..) outs(%c[m, i] add acc : ..) ..
    } emission(%c: vector<4xi32>, %a: vector<16xi8>, %b: vector<16xi8>) { .. }

The threads of a warp execute some instructions together.  Such an intrinsic specifies the number of
threads, and the distribution of each buffer over their registers: register ``r`` of thread ``lane``
contains the element at ``fragment(lane, r)``.  Its definition may have any axes, and its emission
takes the registers of one thread.

    te.intrinsic @mma features ["mma"] cycles 16.0 source "PTX ISA"
        threads 32 fragments [affine_map<(lane, r) -> (..)>, ..]
        definition(%c: memref<16x8xf32>, %a: memref<16x16xf16>, %b: memref<16x8xf16>) { .. }
        emission(%c: vector<4xf32>, %a: vector<8xf16>, %b: vector<4xf16>) { .. }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    FloatAttr,
    IntAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    VectorType,
    f64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ...support.affine import constant
from ...support.blocks import enclosing
from ...support.diagnostics import TypeMismatch
from ..names import parse_text
from .body import YieldOp
from .compute import ComputeOp
from .named_op import NamedOp
from .syntax import parse_region, print_region
from .view import Access, ComputeView


@irdl_op_definition
class IntrinsicOp(NamedOp):
    """A machine instruction: its semantics, its emission and its cost.

    Regions: definition, a te.compute on one buffer per register operand, which has the same effect
    as the instruction; emission, the code for the instruction, on vectors in place of the buffers.
    Properties: features: required target features; cycles: reciprocal throughput on one core;
    source: the origin of this number. threads: the number of threads that execute the instruction
    together. fragments: for each buffer, a map from (lane, register) to an element. Both are None
    for an instruction of one thread.
    Errors: TypeMismatch if the definition, the emission or a fragment violates a rule of the module
    docstring.
    """

    name = "te.intrinsic"
    features = prop_def(ArrayAttr[StringAttr])
    cycles = prop_def(FloatAttr)
    source = prop_def(StringAttr)
    threads = opt_prop_def(IntAttr)
    fragments = opt_prop_def(ArrayAttr[AffineMapAttr])
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
        threads: int = 1,
        fragments: Sequence[AffineMapAttr] = (),
    ) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "features": ArrayAttr([StringAttr(f) for f in features]),
                "cycles": FloatAttr(cycles, f64),
                "source": StringAttr(source),
                "threads": IntAttr(threads) if fragments else None,
                "fragments": ArrayAttr(fragments) if fragments else None,
            },
            regions=[definition, emission],
        )

    @property
    def compute(self) -> ComputeOp:
        """The compute in the definition."""
        return cast(ComputeOp, self.definition.block.first_op)

    @property
    def is_collective(self) -> bool:
        """Whether several threads execute the instruction together."""
        return self.fragments is not None

    @property
    def is_tile(self) -> bool:
        """Whether the instruction computes several rows of lanes, in vectors of two dimensions."""
        return self._has_rows and self._emission_rank == 2

    @property
    def is_matrix(self) -> bool:
        """Whether the instruction computes several rows of lanes in a vector of one dimension."""
        return self._has_rows and self._emission_rank == 1

    @property
    def _has_rows(self) -> bool:
        return not self.is_collective and len(self.compute.view().parallel_axes()) == 2

    @property
    def _emission_rank(self) -> int:
        """The rank of the vectors in the emission; 2, as for tiles, if there are no vectors."""
        first = next((a.type for a in self.emission.block.args), None)
        return first.get_num_dims() if isinstance(first, VectorType) else 2

    @property
    def rows(self) -> int:
        """The number of rows of lanes in one vector; 1 except for a matrix instruction."""
        view = self.compute.view()
        return view.extents[view.parallel_axes()[0]] if self.is_matrix else 1

    @property
    def thread_count(self) -> int:
        """The number of threads that execute the instruction together."""
        return self.threads.data if self.threads is not None else 1

    def places(self, position: int) -> list[list[tuple[int, ...]]]:
        """Return the buffer position that each register of each thread holds: a list per lane.

        position: the number of the buffer among the arguments of the definition.
        """
        assert self.fragments is not None, "an instruction of several threads"
        map_ = self.fragments.data[position].data
        registers = self.vector_at(position).get_shape()[0]
        return [
            [tuple(map_.eval([lane, r], [])) for r in range(registers)]
            for lane in range(self.thread_count)
        ]

    def position_of(self, buffer: SSAValue) -> int:
        """Return the index of a buffer among the arguments of the definition."""
        return next(n for n, own in enumerate(self.definition.block.args) if own is buffer)

    def _shape(self, position: int) -> tuple[int, ...]:
        return cast("MemRefType", self.definition.block.args[position].type).get_shape()

    @property
    def lane_axis(self) -> str:
        """The axis of the definition that runs along the lanes of its result."""
        return self.compute.view().parallel_axes()[-1]

    @property
    def lanes(self) -> int:
        """The number of lanes of the result; a matrix instruction has the lanes of all its rows."""
        return self.compute.view().extents[self.lane_axis] * self.rows

    def row_view(self) -> ComputeView:
        """Return the view of the definition without its axis of rows.

        For a matrix instruction, it describes the first row, whose lane axis gets the length of a
        whole vector; for any other instruction, it is the whole definition.
        """
        view = self.compute.view()
        if not self.is_matrix:
            return view
        rows, lane = view.parallel_axes()

        def row(access: Access) -> Access:
            indices = access.indices or []
            first = [e.substitute({rows: constant(0)}, view.range_of) for e in indices]
            return replace(access, indices=first)

        axes = {axis: extent for axis, extent in view.axes.items() if axis != rows}
        return replace(
            view,
            axes={**axes, lane: self.lanes},
            inputs=[row(access) for access in view.inputs],
            outputs=[row(access) for access in view.outputs],
        )

    def verify_(self) -> None:
        ops = list(self.definition.block.ops)
        if len(ops) != 1 or not isinstance(ops[0], ComputeOp):
            names = ", ".join(op.name for op in ops) or "nothing"
            hint = "write one te.compute, and nothing else, in the definition"
            raise self._error("the definition is one te.compute", names, hint)
        self._verify_compute()
        self._verify_emission()
        if self.fragments is not None:
            self._verify_fragments(self.fragments)

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
        if len(view.parallel_axes()) not in (1, 2) and not self.is_collective:
            hint = "mark every axis but that of the lanes as red, or those of rows and lanes"
            rule = "the definition has an axis of lanes, and at most one of rows outside of it"
            raise self._error(rule, view.parallel_axes(), hint)
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

    def _verify_fragments(self, fragments: ArrayAttr[AffineMapAttr]) -> None:
        ranks = [len(self._shape(n)) for n in range(len(self.definition.block.args))]
        expected = [(2, rank) for rank in ranks]
        got = [(m.data.num_dims, len(m.data.results)) for m in fragments]
        if got != expected:
            rule = "a fragment maps a thread and a register to an element"
            hint = "write one map (lane, r) -> (a position per dimension) for each buffer"
            raise self._error(rule, got, hint, expected)
        for position in range(len(ranks)):
            held = sorted(place for thread in self.places(position) for place in thread)
            copies = len(held) // prod(self._shape(position))
            places = product(*map(range, self._shape(position)))
            if held != [place for place in places for _ in range(copies)]:
                rule = "the threads hold each element of a buffer once"
                hint = "correct the fragment"
                raise self._error(rule, str(fragments.data[position]), hint)

    def vector_at(self, position: int) -> VectorType:
        """Return the vector type of buffer number ``position`` in the emission.

        The vector holds all elements of the buffer. For an instruction on tiles, it has two
        dimensions: the first dimension of the buffer, and the product of the others. For an
        instruction of several threads, the vector holds the elements of one thread; an element of
        an operand may be in the vectors of several threads.
        """
        buffer = cast("MemRefType", self.definition.block.args[position].type)
        if self.is_tile:
            rows, *rest = buffer.get_shape()
            return VectorType(buffer.element_type, [rows, prod(rest)])
        count = prod(buffer.get_shape()) // self.thread_count
        own = self.emission.block.args[position].type
        if self.is_collective and self.definition.block.args[position] != self.compute.outs[0]:
            given = own.get_shape()[0] if isinstance(own, VectorType) else 0
            count *= max(1, given // count)
        return VectorType(buffer.element_type, [count])

    def _verify_emission(self) -> None:
        positions = range(len(self.definition.block.args))
        expected = [self.vector_at(position) for position in positions]
        got = [a.type for a in self.emission.block.args]
        if got != expected:
            hint = "declare one vector, with all elements, for each buffer of the definition"
            if self.is_collective:
                hint = "declare one vector, with the registers of a thread, for each buffer"
            raise self._error("the emission takes a vector per buffer", got, hint, expected)
        last = self.emission.block.last_op
        yielded = [v.type for v in last.operands] if isinstance(last, YieldOp) else None
        result = self.vector_at(self.position_of(self.compute.outs[0]))
        if yielded != [result]:
            hint = "end the emission with te.yield of the new value of the output"
            raise self._error("the emission yields the output", yielded, hint, [result])

    def _error(self, rule: str, got: object, hint: str, expected: object = None) -> TypeMismatch:
        return self.error(rule, expected, got, hint)

    def print(self, printer: Printer) -> None:
        features = ", ".join(f'"{f.data}"' for f in self.features)
        printer.print_string(f" @{self.label} features [{features}]")
        printer.print_string(f" cycles {self.cycles.value.data} source ")
        printer.print_string_literal(self.source.data)
        if self.fragments is not None:
            printer.print_string(f" threads {self.thread_count} fragments ")
            printer.print_attribute(self.fragments)
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
        threads, fragments = 1, list[AffineMapAttr]()
        if parser.parse_optional_keyword("threads"):
            threads = parser.parse_integer()
            parser.parse_keyword("fragments")
            maps = parser.parse_comma_separated_list(square, parser.parse_attribute)
            fragments = [cast(AffineMapAttr, each) for each in maps]
        definition, emission = (parse_region(parser, w) for w in ("definition", "emission"))
        return cls(
            name, definition, emission, features=features, cycles=cycles, source=source,
            threads=threads, fragments=fragments,
        )  # fmt: skip


def vector_of(buffer: MemRefType) -> Attribute:
    """Return the type of a vector that holds all elements of a buffer."""
    return VectorType(buffer.element_type, [prod(buffer.get_shape())])


def intrinsics_around(op: Operation) -> list[IntrinsicOp]:
    """Return the intrinsics in the module of an op; the op may be the module itself."""
    root = next((each for each in (op, *enclosing(op)) if isinstance(each, ModuleOp)), None)
    return [] if root is None else [o for o in root.ops if isinstance(o, IntrinsicOp)]


def find_intrinsic(op: Operation, name: str) -> IntrinsicOp | None:
    """Return the intrinsic with this name in the module of an op, or None."""
    return next((o for o in intrinsics_around(op) if o.label == name), None)
