"""The emitter of one kernel, and the planning of its addresses.

An address consists of a buffer, terms and a constant.  A term is a coefficient times a loop
variable, a computed position, or a floordiv or mod of these.  Terms are sorted by the depth of the
loop that changes them.  Each depth adds one GEP (getelementptr), which all accesses with the same
terms so far share and which is hoisted out of deeper loops.  The constant comes last, so the copies
of an unrolled body differ only in the constant.  Each access is planned once; its copies reuse the
plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import zip_longest
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ...analysis.strides import row_major_strides, symbolic_strides
from ...dialects.loop import (
    ForOp,
    IfOp,
    IndexOp,
    LoadOp,
    PrefetchOp,
    SizeOp,
    StoreOp,
    map_results,
)
from ...dialects.loop.indices import are_distinct, is_affine
from ...dialects.shape import Dim, Extent, dims_of, element_count, extent_of
from ...dialects.simt import LoadMatrixOp, MatrixDescriptorOp
from ...machines.target import Target
from ...support.affine import (
    INFINITY,
    Atom,
    Index,
    Key,
    constant,
    variable,
)
from ...support.diagnostics import LoweringError
from ..main.llvm_integers import LlvmIntegers
from ..main.size_text import SizeText
from ..transcendental import TRANSCENDENTAL_OPS
from .op_emitter import Handlers, OpEmitter
from .text import Text
from .types import LlvmType, memory_type

Access: TypeAlias = LoadOp | StoreOp | PrefetchOp | LoadMatrixOp | MatrixDescriptorOp
EVERY_DEPTH = 1 << 30
_ONE: Key = "one"
"""Key of the constant part of an address whose strides are known only at run time."""

MAX_INTERLEAVED = 4
"""Most chains whose instructions are interleaved."""


class LoopForm(Enum):
    """How a loop is emitted: as a loop, as an unrolled loop, or as copies of its body only."""

    ROLLED = auto()
    UNROLLED = auto()
    COPIES = auto()


@dataclass(slots=True)
class Level:
    """The terms of an address that change at one loop depth.

    depth: the loop depth.
    terms: pairs of a variable and a coefficient; their products are added to the address.
    key: a number that identifies all terms up to this depth, by which accesses with the same terms
    share a pointer; None if the terms differ between copies of an unrolled body.
    """

    depth: int
    terms: tuple[tuple[Key, Extent], ...]
    key: int | None


@dataclass(slots=True)
class AddressPlan:
    """How the address of an access is computed: a buffer, sums of terms, and a constant.

    A term is a variable times a coefficient, which is symbolic if a size of the buffer is.
    element: the type of an element in memory.
    constant: the constant part, in elements.
    levels: the terms, grouped by the depth of the loop that changes them.
    moving: the variables of unrolled loops, with their coefficients; in each copy of the body, they
    change the constant.
    """

    buffer: SSAValue
    element: LlvmType
    constant: int
    levels: list[Level]
    moving: list[tuple[SSAValue, Extent]]


class KernelEmitter(OpEmitter, Text):
    """The emitter of one kernel function.

    forms: how each loop is emitted, by loop variable.
    starts, offsets: a loop variable has the value ``starts[variable] + offsets[variable]``, a
    printed operand plus an integer; ``starts`` has "" for a loop that is fully unrolled.
    depths: the depth of the loop in which an index value is defined, by value.
    depth: the depth of the current loop.
    """

    def __init__(
        self,
        target: Target,
        handlers: Handlers,
        *,
        strict_math: bool = False,
    ) -> None:
        OpEmitter.__init__(self, strict_math=strict_math)
        Text.__init__(self, target)
        self.handlers = handlers
        self.forms: dict[SSAValue, LoopForm] = {}
        self.starts: dict[SSAValue, str] = {}
        self.offsets: dict[SSAValue, int] = {}
        self.depths: dict[SSAValue, int] = {}
        self.depth = 0
        self._arithmetic_uses: set[SSAValue] = set()
        self._cache: dict[object, str] = {}
        self._plans: dict[Access, AddressPlan] = {}
        self._accesses: dict[Block, list[Access]] = {}
        self._keys: dict[object, int] = {}
        self._flat: dict[tuple[int, int], Index] = {}
        self._offsets: dict[tuple[int, int], tuple[int, Mapping[Key, Extent]]] = {}
        self._strides: dict[int, Sequence[Dim]] = {}
        self._integers = LlvmIntegers(self)
        self._sizes = SizeText(self._integers)

    @property
    def fuses_products(self) -> bool:
        """Whether the target has FMA, and strict math does not forbid FMA."""
        return super().fuses_products and not self.strict_math

    @property
    def may_fuse_products(self) -> bool:
        return super().may_fuse_products and not self.strict_math

    # ---- ops

    def emit_block(self, block: Block) -> None:
        """Emit the ops of a block; interleave the code of adjacent independent math functions."""
        ops = list(block.ops)
        first = 0
        while first < len(ops):
            run = self._run_of_transcendentals(ops, first)
            self._emit_interleaved(run) if len(run) > 1 else self.emit_op(ops[first])
            first += max(1, len(run))

    def _run_of_transcendentals(self, ops: Sequence[Operation], first: int) -> list[Operation]:
        """Return the run of independent math ops of one type that begins at position ``first``.

        The run is empty if the op at this position is no such op.
        """
        run: list[Operation] = []
        if type(ops[first]) not in TRANSCENDENTAL_OPS:
            return run
        for op in ops[first : first + MAX_INTERLEAVED]:
            made = {r for other in run for r in other.results}
            if type(op) is not type(ops[first]) or made & set(op.operands):
                break
            run.append(op)
        return run

    def _emit_interleaved(self, ops: Sequence[Operation]) -> None:
        """Emit independent ops, and interleave their instructions.

        A chain of dependent instructions fills the processor's scheduler with waiting instructions.
        If chains are interleaved, one chain computes while another waits.
        """
        lines, parts = self.lines, list[list[str]]()
        for op in ops:
            self.lines = []
            self.emit_op(op)
            parts.append(self.lines)
        self.lines = lines
        for turn in zip_longest(*parts):
            lines.extend(line for line in turn if line is not None)

    def emit_op(self, op: Operation) -> None:
        handler = self.handlers.get(type(op))
        if handler is None:
            raise LoweringError("no machine code for this op", got=op.name).at(op)
        handler(self, op)

    def finished(self, module: list[str]) -> list[str]:
        """Return the lines of the kernel's LLVM module, to which a subclass adds metadata."""
        return module

    def define(self, value: SSAValue, text: str) -> None:
        self.values[value] = text
        if type(value.type) is IndexType:
            self.depths[value] = self.depth

    def readable(self, buffer: SSAValue) -> str:
        """Return a pointer for loads whose result is dropped because a lane is outside of a buffer.

        It points to the buffer, or, if the buffer may be empty, to the array of arguments.
        """
        count = element_count(dims_of(cast(MemRefType, buffer.type)))
        return self.values[buffer] if count.is_at_least(1) else "%args"

    def load_argument(self, slot: int) -> str:
        """Append a load from the array of arguments; return the loaded pointer.

        slot: the position in the array.
        """
        at = self.emit(f"getelementptr ptr, ptr %args, i64 {slot}")
        alignment = self.target.pointer_bytes
        return self.emit(f"load ptr, ptr {at}, align {alignment}, !invariant.load !0")

    # ---- sizes

    def take_sizes(self, names: Sequence[str], slot: int) -> None:
        """Append loads of the kernel's size parameters at the function's entry.

        names: the names of the parameters.
        slot: the position in the array of arguments of the pointer to their values.
        """
        if not names:
            return
        lines, self.lines = self.lines, self.entry
        array = self.load_argument(slot)
        for number, name in enumerate(names):
            at = self.emit(f"getelementptr i64, ptr {array}, i64 {number}")
            value = self.emit(f"load i64, ptr {at}, align 8, !invariant.load !0")
            self._sizes.values[Dim.sym(name)] = value
        self.lines = lines

    def name_sizes(self, names: Mapping[str, str]) -> None:
        """Set the printed operands of the kernel's size parameters.

        names: the printed operand, by the name of the parameter.
        """
        self._sizes.values.update((Dim.sym(name), text) for name, text in names.items())

    def size(self, extent: Extent) -> str:
        """Return the printed operand of a size; the function's entry computes a symbolic size."""
        lines, self.lines = self.lines, self.entry
        found = self._sizes.value(extent)
        self.lines = lines
        return found

    # ---- loops whose addresses are hoisted

    def survey(self, block: Block, depth: int) -> None:
        """Record the depth, the range and the form of each loop in a block, including nested loops.

        depth: the number of loops around the block.
        """
        for op in block.ops:
            # Compare exact types: isinstance takes five times as long for other ops.
            if type(op) is ForOp:
                self.depths[op.variable] = depth + 1
                self.forms[op.variable] = loop_form(op)
                self.ranges[op.variable] = self.loop_range(*op.bounds())
                self._note_arithmetic_use(op.variable)
                self.survey(op.body.block, depth + 1)
            elif type(op) is IfOp:
                self.survey(op.body.block, depth + 1)
            elif type(op) is SizeOp:
                self.ranges[op.res] = op.dim.range(INFINITY)

    def _note_arithmetic_use(self, value: SSAValue) -> None:
        for use in value.uses:
            if not _is_position(use.operation, use.index):
                self._arithmetic_uses.add(value)
                return

    def bind(self, loop_variable: SSAValue, start: str, offset: int) -> None:
        """Define a loop variable as ``start + offset`` in the code that follows.

        start: a printed operand; "" for 0.
        """
        self.starts[loop_variable], self.offsets[loop_variable] = start, offset
        if loop_variable not in self._arithmetic_uses:
            return
        if not start:
            self.values[loop_variable] = str(offset)
        elif offset:
            self.values[loop_variable] = self.emit(f"add nsw i64 {start}, {offset}")
        else:
            self.values[loop_variable] = start

    def save_addresses(self) -> dict[object, str]:
        """Return the addresses that have been emitted so far, for `restore_addresses`."""
        return dict(self._cache)

    def restore_addresses(self, saved: dict[object, str]) -> None:
        """Forget all addresses except those that `save_addresses` returned.

        The code after a loop or branch must not use pointers that only its body computes.
        """
        self._cache = saved

    def when(self, condition: str, emit: Callable[[], None]) -> None:
        """Emit a branch around code that runs only if a condition holds.

        condition: a printed operand.
        emit: emits the code.
        """
        number = self.number()
        self.branch(condition, f"T{number}", f"E{number}")
        saved = self.save_addresses()
        self.depth += 1
        self.start(f"T{number}")
        emit()
        self.depth -= 1
        self.restore_addresses(saved)
        self.jump(f"E{number}")
        self.start(f"E{number}")

    # ---- index expressions

    def index_value(self, index: Index) -> str:
        total, out = index.const, ""
        for key, coefficient in index.terms.items():
            if isinstance(key, Atom):
                term = self._atom_value(key)
            else:
                value = cast(SSAValue, key)
                total += self.offsets.get(value, 0) * coefficient
                term = self.starts[value] if value in self.starts else self.values[value]
                if not term:
                    continue
            if coefficient != 1:
                term = self.emit(f"mul nsw i64 {term}, {coefficient}")
            out = self.emit(f"add nsw i64 {out}, {term}") if out else term
        if not out:
            return str(total)
        return self.emit(f"add nsw i64 {out}, {total}") if total else out

    def _atom_value(self, atom: Atom) -> str:
        """Return the value of an atom of an index expression, a floordiv or a mod.

        It is emitted once per scope, and once per copy of an unrolled body in which its variables
        differ.
        """
        key = (
            atom,
            tuple(self.offsets.get(cast(SSAValue, v), 0) for v in atom.operand.variables()),
        )
        stable = not any(self._varies(v) for v in atom.operand.variables())
        found = self._cache.get(key) if stable else None
        if found is None:
            known = atom.operand.range(self.range_of)[0] >= 0
            x = self.index_value(atom.operand)
            found = self._integers.divided(atom.kind, x, atom.divisor, non_negative=known)
            if stable:
                self._cache[key] = found
        return found

    # ---- addresses

    def _varies(self, key: Key) -> bool:
        """Return whether a variable of an address is neither a loop variable nor a size.

        It is then a computed position, which each copy of an unrolled body computes anew.
        """
        is_size = key is _ONE or (isinstance(key, OpResult) and isinstance(key.op, SizeOp))
        return not is_size and cast(SSAValue, key) not in self.forms

    def _flat_index(self, op: Access, memref: MemRefType) -> Index:
        """Return the flat row-major position of an access as an expression over its map's symbols.

        The variables of the expression are the numbers of the symbols.  The result is shared by
        accesses with the same map and buffer type.
        """
        key = id(op.map), id(memref)
        found = self._flat.get(key)
        if found is None:
            found = constant(0)
            strides = row_major_strides(memref.get_shape())
            for index, stride in zip(map_results(op.map), strides, strict=True):
                found = found + index * stride
            self._flat[key] = found
        return found

    def _plan(self, op: Access) -> AddressPlan:
        operands = op.operands
        first = 2 if isinstance(op, StoreOp) else 1
        buffer = operands[first - 1]
        memref = cast(MemRefType, buffer.type)
        start, scaled = self._offset(op, memref, operands[first:])
        terms: list[tuple[int, Key, Extent]] = []
        moving: list[tuple[SSAValue, Extent]] = []
        for key, coefficient in scaled.items():
            if not isinstance(key, Atom):
                value = cast(SSAValue, key)
                form = self.forms.get(value, LoopForm.ROLLED)
                if form is not LoopForm.ROLLED:
                    moving.append((value, coefficient))
                if form is LoopForm.COPIES:
                    continue
            terms.append((self._depth(key), key, coefficient))
        terms.sort(key=lambda term: term[0])
        return AddressPlan(buffer, memory_type(memref), start, self._levels(buffer, terms), moving)

    def _offset(
        self, op: Access, memref: MemRefType, values: Sequence[SSAValue]
    ) -> tuple[int, Mapping[Key, Extent]]:
        """Return the flat position of an access: a constant, and a coefficient per variable.

        values: the SSA values of the symbols of the access's affine map.
        """
        if DYNAMIC_INDEX not in memref.get_shape():
            flat = self._flat_index(op, memref)
            if is_affine(op.map) and are_distinct(values):
                return flat.const, {values[cast(int, k)]: n for k, n in flat.terms.items()}
            if flat.terms:
                named = {number: variable(value) for number, value in enumerate(values)}
                flat = flat.substitute(named, self.range_of).merge_atoms().simplify(self.range_of)
            return flat.const, flat.terms
        key = id(op.map), id(memref)
        found = self._offsets.get(key)
        if found is None:
            numbered = map_results(op.map)
            if len({*values}) < len(values) or any(True for e in numbered for _ in e.atoms()):
                exact = [e.simplify(self.range_of) for e in self.indices(op)]
                return _symbolic_offset(exact, self._strides_of(memref))
            found = self._offsets[key] = _symbolic_offset(numbered, self._strides_of(memref))
        start, terms = found
        return start, {k if k is _ONE else values[cast(int, k)]: n for k, n in terms.items()}

    def _strides_of(self, memref: MemRefType) -> Sequence[Dim]:
        found = self._strides.get(id(memref))
        if found is None:
            found = self._strides[id(memref)] = symbolic_strides(dims_of(memref))
        return found

    def _levels(self, buffer: SSAValue, terms: list[tuple[int, Key, Extent]]) -> list[Level]:
        levels: list[Level] = []
        key: int | None = self._number(buffer)
        by_depth: dict[int, list[tuple[Key, Extent]]] = {}
        for depth, term, coefficient in terms:
            by_depth.setdefault(depth, []).append((term, coefficient))
        for depth, group in by_depth.items():
            if any(isinstance(k, Atom) or self._varies(k) for k, _ in group):
                key = None
            elif key is not None:
                key = self._number((key, tuple(group)))
            levels.append(Level(depth, tuple(group), key))
        return levels

    def _number(self, thing: object) -> int:
        return self._keys.setdefault(thing, len(self._keys))

    def _depth(self, key: Key) -> int:
        if isinstance(key, Atom):
            return max((self._depth(v) for v in key.operand.variables()), default=0)
        return 0 if key is _ONE else self.depths[cast(SSAValue, key)]

    def _pointer(self, plan: AddressPlan, up_to: int) -> str:
        """Return the pointer for the terms of an address down to a loop depth; emit missing GEPs.

        plan: the plan of the address.
        up_to: the loop depth.
        """
        levels, cache = plan.levels, self._cache
        if up_to == EVERY_DEPTH and levels and levels[-1].key in cache:
            return cache[levels[-1].key]
        pointer = self.values.get(plan.buffer, "")
        for level in levels:
            if not pointer or level.depth > up_to:
                break
            key: object = level.key
            scaled: list[str] = []
            if key is None:
                scaled = [self._scaled(k, c) for k, c in level.terms]
                key = (pointer, *scaled)
            found = cache.get(key)
            if found is None:
                found = pointer
                for x in scaled or [self._scaled(k, c) for k, c in level.terms]:
                    found = self.emit(
                        f"getelementptr {plan.element.memory_element}, ptr {found}, i64 {x}"
                    )
                cache[key] = found
            pointer = found
        return pointer

    def _scaled(self, key: Key, coefficient: Extent) -> str:
        """Return the value of ``coefficient * key``, a term of an address.

        For the variable of an unrolled loop, this is the value in the first copy; in later copies,
        the constant part of the address changes.
        """
        if key is _ONE:
            return self.size(coefficient)
        if isinstance(key, Atom):
            x = self._atom_value(key)
        else:
            value = cast(SSAValue, key)
            x = self.starts[value] if value in self.starts else self.values[value]
        if coefficient == 1:
            return x
        cached = self._cache.get((x, coefficient))
        if cached is None:
            factor = self.size(coefficient)
            cached = self._cache[x, coefficient] = self.emit(f"mul nsw i64 {x}, {factor}")
        return cached

    def plan(self, op: Access) -> AddressPlan:
        """Return the plan of an access's address; make it at the first call for this access."""
        found = self._plans.get(op)
        if found is None:
            found = self._plans[op] = self._plan(op)
        return found

    def address(self, op: Access) -> str:
        """Append the missing instructions of an access's address; return the pointer.

        Instructions that earlier accesses share are not repeated.
        """
        pointer, total = self.address_and_offset(op)
        if total == 0:
            return pointer
        element = self.plan(op).element.memory_element
        return self.emit(f"getelementptr {element}, ptr {pointer}, i64 {self.size(total)}")

    def address_and_offset(self, op: Access) -> tuple[str, Extent]:
        """Append an access's address without its constant part; return pointer and constant.

        The constant counts elements.  Adjacent accesses of an unrolled loop share one pointer.
        """
        plan = self.plan(op)
        pointer = self._pointer(plan, EVERY_DEPTH)
        total: Extent = plan.constant
        for value, coefficient in plan.moving:
            total = total + coefficient * self.offsets[value]
        return pointer, extent_of(total)

    def hoist(self, block: Block) -> None:
        """Emit the parts of addresses in a loop's body that are invariant in the loop.

        block: the body of the loop, which is emitted later.
        """
        for op in self._accesses_in(block):
            plan = self._plans.get(op)
            if plan is None:
                if not all(v in self.depths for v in op.syms):
                    continue  # a position that the body computes
                plan = self.plan(op)
            self._pointer(plan, self.depth)

    def _accesses_in(self, block: Block) -> Sequence[Access]:
        found = self._accesses.get(block)
        if found is None:
            found = self._accesses[block] = []
            for op in block.ops:
                if type(op) is LoadOp or type(op) is StoreOp or type(op) is PrefetchOp:
                    found.append(op)
                for inner in (inner for region in op.regions for inner in region.blocks):
                    found += self._accesses_in(inner)
        return found

    def loop_hint(self, op: ForOp) -> str:
        """Return metadata for the branch of a loop, such as ``, !llvm.loop !2``; "" here."""
        return ""


def loop_form(op: ForOp) -> LoopForm:
    """Return how to emit a loop: as copies of the body if its unroll factor is its trip count."""
    bounds = op.static_bounds
    if bounds is not None and bounds[1] - bounds[0] == op.unroll_factor:
        return LoopForm.COPIES
    return LoopForm.UNROLLED if op.unroll_factor > 1 else LoopForm.ROLLED


def _symbolic_offset(
    indices: Sequence[Index], strides: Sequence[Dim]
) -> tuple[int, Mapping[Key, Extent]]:
    """Return the flat position of an access to a buffer with symbolic strides.

    indices: the indices of the access.
    strides: the stride of each dimension.
    Returns an integer constant, and a coefficient per variable; the key ``_ONE`` has the symbolic
    part of the constant.
    """
    terms: dict[Key, Dim] = {}
    for index, stride in zip(indices, strides, strict=True):
        for key, coefficient in (*index.terms.items(), (_ONE, index.const)):
            if coefficient:
                scaled = stride * coefficient
                terms[key] = terms[key] + scaled if key in terms else scaled
    start = terms.pop(_ONE, Dim.const(0))
    # Neighboring accesses share the symbolic address part; the constant part is an immediate.
    number = sum(coefficient for monomial, coefficient in start.terms if not monomial)
    terms[_ONE] = start - number
    return number, {k: extent_of(n) for k, n in terms.items() if n.value != 0}


def _is_position(op: Operation, operand: int) -> bool:
    """Return whether an op uses an operand only in an index expression, not in arithmetic.

    operand: the position of the operand among the op's operands.
    """
    if type(op) is ForOp:
        return operand >= len(op.inits)
    return type(op) in (LoadOp, PrefetchOp, IndexOp) or (type(op) is StoreOp and operand > 0)
