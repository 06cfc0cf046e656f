"""Lower the main function of a model to LLVM IR: call kernels in order on one arena.

    define hidden i32 @tw_run(ptr %data, ptr %arena, i32 %threads)

data: pointers to the inputs, then to the outputs, then, if main has symbolic sizes, to the table of
sizes (size_table.py).  arena: the planned buffers, then the workspace of max_threads workers, which
starts after the buffers that are live when a kernel runs.  packed.bind gets the arena block for the
buffers whose sizes it makes known.  The calls of one packed.sections share workspace if their sizes
per worker are equal; otherwise the parts of two workers could overlap. Weights are at ``load
@__tw_weights`` + offset. The calling thread runs kernels of one task, serial calls, and every call
without a pool or with one thread, as worker 0; other calls go through the pool function in
``@__tw_pool``.  A packed.sections is one launch, with a table of kernel, arguments and task count
per call; the tasks of all calls are numbered consecutively.  An error of the pool, of a function of
the process (extern_to_llvm.py) or of an index check (checks_to_llvm.py) is returned at once.
Control flow becomes branches that carry pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.dtypes import buffer_size
from ...dialects.functions import ARENA_BYTES, recorded_bytes
from ...dialects.loop import SizeOp
from ...dialects.packed import (
    AllocOp,
    BindOp,
    CallOp,
    CheckIndicesOp,
    ConcatOp,
    ConstantOp,
    CopyOp,
    ExternOp,
    IfOp,
    LoopOp,
    NumberOp,
    SectionsOp,
    SliceOp,
    ViewOp,
    YieldOp,
)
from ...dialects.packed.arena import aligned
from ...dialects.shape import Dim, Extent, extent_of
from ...dialects.weights import WeightAttr
from ...support.affine import Index
from ...support.diagnostics import LoweringError
from ..loop_to_llvm import KernelInfo, KernelLines, Locations
from .checks_to_llvm import Checks
from .concat_to_llvm import Concats, is_shared, table_of, tasks_of
from .extern_to_llvm import Externs
from .size_table import BuffersEnd, Item, SizeTable
from .trace_to_llvm import BEGIN, DECLARATIONS, PLAIN, TRACED, Step, Trace

SIGNATURE = "(ptr %data, ptr %arena, i32 %threads)"
"""The parameters of main."""

BIND = "declare hidden ptr @tw_bind(ptr, i32, i64)"
"""The function of the entry code that begins a new stage of main."""

MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"


@dataclass(frozen=True)
class MainProgram:
    """The LLVM IR of main in printed form, and what its callers need.

    arena_bytes: the size of the arena, without symbolic sizes.  externs: the functions of the
    process that main calls, in the order of their slots.  size_count: the length of the table of
    sizes.  arena_position: the position in this table of the sizes in bytes of the arena's blocks.
    given: the number of symbols that arguments determine.  computed: the symbols that main
    computes.  steps: the steps that a profiled main records.
    """

    text: str
    arena_bytes: int
    externs: tuple[str, ...] = ()
    size_count: int = 0
    arena_position: int = 0
    given: int = 0
    computed: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def emit_main(
    main: func.FuncOp,
    infos: Mapping[str, KernelInfo],
    weight_offsets: Mapping[WeightAttr, int],
    *,
    max_threads: int,
    suffix: str = "",
    trace: Trace | None = None,
    lines: KernelLines | None = None,
) -> MainProgram:
    """Return the LLVM module that defines main as ``tw_run``.

    infos: the interface of each kernel, by name.  weight_offsets: the byte offset of each weight.
    suffix: a suffix of the functions' names, for a program with several versions of main.  trace:
    records the time of each step; None for a main without such code.  lines: the lines of main in
    the printed program, for line tables.
    Before: buffers are planned.
    Errors: LoweringError for an op that main cannot have, and for a buffer without an offset.
    """
    emitter = _MainEmitter(main, infos, weight_offsets, max_threads, trace)
    emitter.locations = None if lines is None else Locations(lines)
    emitter.block(main.body.block)
    table, externs = emitter.table, tuple(emitter.externs.names)
    text = emitter.module(suffix)
    return MainProgram(
        text,
        emitter.arena_bytes,
        externs,
        len(table) if table.symbols else 0,
        table.arena_position,
        len(table.symbols) - len(table.computed),
        table.computed,
        () if trace is None else tuple(trace.steps),
    )


@dataclass(frozen=True)
class Place:
    """The location of a buffer: an offset into the weights or the arena, or an argument.

    base: ``weights``, ``data``, or a block of the arena (``arena`` for the first block, ``arena.1``
    for the block of stage 1).  offset: in bytes; for ``data`` the number of the argument.  For
    symbolic sizes, ``offset`` is the packed.alloc, whose offset is in the table of sizes.
    """

    base: str
    offset: int | AllocOp


def _block_name(stage: int) -> str:
    """Return the name of the pointer to a stage's block of the arena."""
    return f"arena.{stage}" if stage else "arena"


class _MainEmitter:
    """The emitter of main: names or locations by value, lines, and declarations."""

    locations: Locations | None = None

    def __init__(
        self,
        main: func.FuncOp,
        infos: Mapping[str, KernelInfo],
        weight_offsets: Mapping[WeightAttr, int],
        max_threads: int,
        trace: Trace | None,
    ) -> None:
        self.trace, self.launchers = trace, PLAIN if trace is None else TRACED
        self.infos, self.weight_offsets, self.max_threads = infos, weight_offsets, max_threads
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self.values: dict[SSAValue, str | Place] = {}
        self.externs, self.checks, self.concats = Externs(), Checks(), Concats()
        self.pointers = self.section_count = 1
        self._count = 0
        self._label = "entry"
        self.planned_bytes = self.arena_bytes = aligned(recorded_bytes(main, ARENA_BYTES))
        self.table = SizeTable(main, self.planned_bytes)
        self.argument_count = len(main.body.block.args)
        for position, argument in enumerate(main.body.block.args):
            self.values[argument] = Place("data", position)

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        self._count += 1
        self.lines.append(f" %t{self._count} = {instruction}")
        return f"%t{self._count}"

    def name(self, value: SSAValue) -> str:
        """Return the LLVM name of a value; a `Place` becomes an address at each use.

        LLVM takes quadratic time for values with long live ranges, such as addresses computed once.
        """
        found = self.values[value]
        if isinstance(found, str):
            return found
        if found.base != "data":
            offset = found.offset if isinstance(found.offset, int) else self._load(found.offset)
            return self.emit(f"getelementptr i8, ptr %{found.base}, i64 {offset}")
        slot = self.emit(f"getelementptr ptr, ptr %data, i64 {found.offset}")
        return self.emit(f"load ptr, ptr {slot}, align 8")

    def size(self, extent: Extent) -> str:
        """Return the LLVM value of a size, loaded from the table of sizes if symbolic."""
        return str(extent) if isinstance(extent, int) else self._load(extent)

    def sizes(self, sizes: Sequence[Extent]) -> str:
        """Return a pointer to consecutive sizes in the table of sizes."""
        return self._entry(self.table.run(sizes))

    def _load(self, item: Item) -> str:
        return self.emit(f"load i64, ptr {self._entry(self.table.position(item))}, align 8")

    def _entry(self, position: int) -> str:
        return self.emit(f"getelementptr i64, ptr %sizes, i64 {position}")

    def block(self, block: Block) -> None:
        """Emit the ops of a block in order."""
        for op in block.ops:
            handler = _HANDLERS.get(type(op))
            if handler is None:
                raise LoweringError("main cannot hold this op", got=op.name).at(op)
            count = len(self.lines)
            handler(self, op)
            if self.locations is not None:
                self.locations.mark(self.lines, count, op)
            if self.trace is not None and len(self.lines) > count:
                self.trace.record(op, self)

    def _fresh_label(self, word: str) -> str:
        self._count += 1
        return f"{word}{self._count}"

    def _start(self, label: str) -> None:
        """Start a basic block with a label."""
        self.lines.append(f"{label}:")
        self._label = label

    def _branch(self, label: str) -> None:
        self.lines.append(f" br label %{label}")

    def constant(self, op: Operation) -> None:
        """Lower packed.constant to an address in the weights."""
        assert isinstance(op, ConstantOp)
        offset = self.weight_offsets.get(op.value)
        if offset is None:
            raise LoweringError("weight has no place in the weights blob", got=op.value.key).at(op)
        self.values[op.res] = Place("weights", offset)

    def alloc(self, op: Operation) -> None:
        """Lower packed.alloc to an address in the arena."""
        assert isinstance(op, AllocOp)
        if not op.below and op.offset is None:
            raise LoweringError("buffer has no place", hint="run packed-plan-memory first").at(op)
        offset = op if op.offset is None else op.offset.value.data
        self.values[op.res] = Place(_block_name(self.table.stage(op)), offset)

    def view(self, op: Operation) -> None:
        """Lower packed.view to the address of its operand."""
        assert isinstance(op, ViewOp)
        self.values[op.res] = self.values[op.x]

    def copy(self, op: Operation) -> None:
        """Lower packed.copy to memcpy, or to nothing if source and target are the same buffer."""
        assert isinstance(op, CopyOp)
        size = buffer_size(cast(MemRefType, op.source.type))
        if size != 0 and self.values[op.source] != self.values[op.target]:
            source, target, count = self.name(op.source), self.name(op.target), self.size(size)
            self.declarations.add(MEMCPY)
            self.lines.append(
                f" call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {count}, i1 0)"
            )

    def concat(self, op: Operation) -> None:
        """Lower packed.concat to a task per operand, or to copies in this thread if it is small."""
        assert isinstance(op, ConcatOp)
        assert op.target is not None, "main is bufferized"
        if op.appends is not None:
            self._append(op)
            return
        fields, tasks = table_of(op), tasks_of(op)
        if tasks == 0:
            return
        static = [field for field in fields if isinstance(field, int)]
        is_static = len(static) == len(fields)
        table = self.concats.table(static) if is_static else self.sizes(fields)
        self.concats.are_used = True
        self.declarations.add(MEMCPY)
        self._store_arguments([self.name(op.target), table, *map(self.name, op.xs)], 0)
        if not isinstance(tasks, int):
            self._launch_sized("@tw_concat_task", "%args", tasks, "%threads")
        elif is_shared(op):
            self._launch("@tw_concat_task", "%args", str(tasks))
        else:
            arguments = f"ptr @tw_concat_task, ptr %args, i64 {tasks}"
            self.lines.append(f" call void @tw_run_tasks({arguments})")

    def _append(self, op: ConcatOp) -> None:
        """Copy the new rows after the past rows; copy the past rows only from another memory."""
        assert op.target is not None, "main is bufferized"
        target, past, new = (self.name(value) for value in (op.target, *op.xs))
        old, added = (self.size(buffer_size(cast(MemRefType, x.type))) for x in op.xs)
        self.declarations.add(MEMCPY)
        is_there = self.emit(f"icmp eq ptr {past}, {target}")
        rest = self.emit(f"select i1 {is_there}, i64 0, i64 {old}")
        end = self.emit(f"getelementptr i8, ptr {target}, i64 {old}")
        copy = " call void @llvm.memcpy.p0.p0.i64"
        self.lines.append(f"{copy}(ptr {target}, ptr {past}, i64 {rest}, i1 0)")
        self.lines.append(f"{copy}(ptr {end}, ptr {new}, i64 {added}, i1 0)")

    def call(self, op: Operation) -> None:
        """Lower packed.call: store the argument pointers and run the kernel's tasks."""
        assert isinstance(op, CallOp)
        info, tasks = self._arguments(op, 0, {})
        if not isinstance(tasks, int):
            self._launch_sized(f"@{info.symbol}", "%args", tasks, self._threads(op))
        elif tasks == 1:
            self.lines.append(f" call void @{info.symbol}(ptr %args, i64 0, i64 0)")
        elif tasks and op.unless is not None:
            self._launch_sized(f"@{info.symbol}", "%args", Dim.const(tasks), self._threads(op))
        elif tasks and op.serial:
            arguments = f"ptr @{info.symbol}, ptr %args, i64 {tasks}"
            self.lines.append(f" call void @tw_run_tasks({arguments})")
        elif tasks:
            self._launch(f"@{info.symbol}", "%args", str(tasks))

    def _threads(self, op: CallOp) -> str:
        """Return the number of threads that share the tasks of a call."""
        if op.unless is None:
            return "1" if op.serial else "%threads"
        is_small = self.emit(f"icmp eq i64 {self.size(op.unless.data[0])}, 0")
        return self.emit(f"select i1 {is_small}, i32 1, i32 %threads")

    def sections(self, op: Operation) -> None:
        """Lower packed.sections: store the arguments and the table of calls, run all tasks."""
        assert isinstance(op, SectionsOp)
        first, total = 0, Dim.const(0)
        workspaces: dict[int, str] = {}
        for position, call in enumerate(op.calls):
            info, tasks = self._arguments(call, first, workspaces)
            start = self.emit(f"getelementptr ptr, ptr %args, i64 {first}")
            fields = (f"ptr @{info.symbol}", f"ptr {start}", f"i64 {self.size(tasks)}")
            for number, value in enumerate(fields):
                slot = self.emit(
                    f"getelementptr %section, ptr %sections, i64 {position}, i32 {number}"
                )
                self.lines.append(f" store {value}, ptr {slot}, align 8")
            first += len(call.arguments) + (info.workspace_bytes > 0) + bool(info.sizes)
            total = total + tasks
        self.section_count = max(self.section_count, len(op.calls))
        count, table = extent_of(total), ("@tw_section_task", "%sections")
        if not isinstance(count, int):
            self._launch(*table, self.size(count), self.launchers.sized_sections)
        elif count:
            self._launch(*table, str(count), self.launchers.sections)

    def _arguments(
        self, op: CallOp, first: int, workspaces: dict[int, str]
    ) -> tuple[KernelInfo, Extent]:
        """Store the argument pointers of a call in the array, from position ``first`` on.

        Returns the kernel and the number of its tasks.
        workspaces: the workspaces of concurrent calls, by size per worker.
        """
        info = self.infos.get(op.kernel_name)
        if info is None:
            raise LoweringError("unknown kernel", got=op.kernel_name).at(op)
        self.declarations.add(f"declare hidden void @{info.symbol}(ptr, i64, i64)")
        pointers = [self.name(v) for v in op.arguments]
        if info.workspace_bytes:
            pointers.append(self._workspace(op, info.workspace_bytes, workspaces))
        if info.sizes:
            pointers.append(self.sizes(op.sizes))
        self._store_arguments(pointers, first)
        return info, extent_of(op.condition * info.tasks_with(op.sizes))

    def _store_arguments(self, pointers: Sequence[str], first: int) -> None:
        """Store pointers in the array of arguments, from position ``first`` on."""
        self.pointers = max(self.pointers, first + len(pointers))
        for position, pointer in enumerate(pointers, first):
            slot = self.emit(f"getelementptr ptr, ptr %args, i64 {position}")
            self.lines.append(f" store ptr {pointer}, ptr {slot}, align 8")

    def _workspace(self, op: CallOp, each: int, others: dict[int, str]) -> str:
        """Return the workspace of a call: a shared one of equal size per worker, or a new one."""
        if each not in others:
            before = sum(aligned(size) * self.max_threads for size in others)
            own = before + aligned(each) * self.max_threads
            base = "%arena"
            if self.table.symbols:
                end = self._load(BuffersEnd())
                base = self.emit(f"getelementptr i8, ptr %arena, i64 {end}")
                self.table.workspace_bytes = max(self.table.workspace_bytes, own)
            else:
                start = self.planned_bytes if op.workspace is None else op.workspace.value.data
                before += start
                self.arena_bytes = max(self.arena_bytes, start + own)
            others[each] = self.emit(f"getelementptr i8, ptr {base}, i64 {before}")
        return others[each]

    def _launch_sized(self, function: str, arguments: str, tasks: Dim, threads: str) -> None:
        """Emit a launch of a symbolic number of tasks."""
        self._launch(function, arguments, self.size(tasks), self.launchers.sized, threads)

    def _launch(
        self,
        function: str,
        arguments: str,
        tasks: str,
        launcher: str = "",
        threads: str = "%threads",
    ) -> None:
        """Emit a launch of tasks on threads, and a return from main if it fails."""
        launcher = launcher or self.launchers.tasks
        status = self.emit(
            f"call i32 @{launcher}(ptr {function}, ptr {arguments}, i64 {tasks}, i32 {threads})"
        )
        self.end_if(self.emit(f"icmp ne i32 {status}, 0"), status)

    def end_if(self, condition: str, status: str) -> None:
        """Emit a return of ``status`` from main if a condition holds."""
        following = f"C{self._count}"
        self.lines.append(f" br i1 {condition}, label %fail{following}, label %{following}")
        self.lines += [f"fail{following}:", f" ret i32 {status}"]
        self._start(following)

    def extern(self, op: Operation) -> None:
        """Lower packed.extern to a call through the table of functions."""
        assert isinstance(op, ExternOp)
        self.externs.call(op, self)

    def check_indices(self, op: Operation) -> None:
        """Lower packed.check_indices to a scan of the buffer."""
        assert isinstance(op, CheckIndicesOp)
        self.checks.call(op, self)

    def bind(self, op: Operation) -> None:
        """Lower packed.bind, which begins a new stage of main for each symbol."""
        assert isinstance(op, BindOp)
        self.declarations.add(BIND)
        for position, dim in enumerate(op.dims):
            at = self.emit(f"getelementptr i64, ptr {self.name(op.x)}, i64 {position}")
            value = self.emit(f"load i64, ptr {at}, align 8")
            stage = self.table.stage(dim)
            arguments = f"ptr %data, i32 {stage}, i64 {value}"
            block = f"%{_block_name(stage)}"
            self.lines.append(f" {block} = call ptr @tw_bind({arguments})")
            self.end_if(self.emit(f"icmp eq ptr {block}, null"), "-1")

    def slice(self, op: Operation) -> None:
        """Lower packed.slice to an address inside of the buffer."""
        assert isinstance(op, SliceOp)
        size = buffer_size(cast(MemRefType, op.res.type))
        if isinstance(size, int):
            offset = self._index(op.index * size)
        else:
            offset = self.emit(f"mul i64 {self._index(op.index)}, {self.size(size)}")
        pointer = self.name(op.x)
        self.values[op.res] = self.emit(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def _index(self, index: Index) -> str:
        """Emit a linear expression of iteration numbers and sizes."""
        total = str(index.const)
        for key, factor in index.terms.items():
            assert isinstance(key, SSAValue), f"slices are at linear positions: {index}"
            term = self.emit(f"mul i64 {self.name(key)}, {factor}")
            total = self.emit(f"add i64 {total}, {term}")
        return total

    def size_value(self, op: Operation) -> None:
        """Lower loop.size to a load from the table of sizes."""
        assert isinstance(op, SizeOp)
        self.values[op.res] = self.size(extent_of(op.dim))

    def number(self, op: Operation) -> None:
        """Lower packed.number to a store of the iteration number."""
        assert isinstance(op, NumberOp)
        assert op.target is not None, "main is bufferized"
        target = self.name(op.target)
        self.lines.append(f" store i64 {self.name(op.number)}, ptr {target}, align 8")

    def _holds(self, condition: SSAValue) -> str:
        """Load a condition, which is one byte, and return it as i1."""
        byte = self.emit(f"load i8, ptr {self.name(condition)}, align 1")
        return self.emit(f"icmp ne i8 {byte}, 0")

    def yields(self, op: Operation) -> None:
        """Emit nothing for packed.yield; the parent op forwards the values."""
        assert isinstance(op, YieldOp)

    def branches(self, op: Operation) -> None:
        """Lower packed.if to two basic blocks and a join."""
        assert isinstance(op, IfOp)
        then, otherwise, after = (self._fresh_label(w) for w in ("then", "else", "after"))
        holds = self._holds(op.condition)
        self.lines.append(f" br i1 {holds}, label %{then}, label %{otherwise}")
        given: list[tuple[list[str], str]] = []
        for label, region in ((then, op.then), (otherwise, op.otherwise)):
            self._start(label)
            self.block(region.block)
            last = region.block.last_op
            assert isinstance(last, YieldOp), "checked by the verifier"
            given.append(([self.name(v) for v in last.values], self._label))
            self._branch(after)
        self._start(after)
        for n, result in enumerate(op.results):
            sources = ", ".join(f"[ {values[n]}, %{label} ]" for values, label in given)
            self.values[result] = self.emit(f"phi ptr {sources}")

    def loop(self, op: Operation) -> None:
        """Lower packed.loop to a loop that tests first and carries its values as pointers."""
        assert isinstance(op, LoopOp)
        test, body, after = (self._fresh_label(w) for w in ("test", "body", "after"))
        inits = [self.name(v) for v in op.inits]
        trip = None if op.steps is None else self.size(op.steps)
        if op.trip is not None:
            trip = self.emit(f"load i64, ptr {self.name(op.trip)}, align 8")
        entered = "true" if op.condition is None else self._holds(op.condition)
        before = self._label
        self._branch(test)
        self._start(test)
        at = len(self.lines)
        number, goes_on = self._fresh_label("%n"), self._fresh_label("%c")
        carried = [self._fresh_label("%p") for _ in inits]
        self.values[op.number] = number
        self.values.update(zip(op.carried, carried, strict=True))
        self.values.update(zip(op.results, carried, strict=True))
        more = goes_on
        if trip is not None:
            below = self.emit(f"icmp slt i64 {number}, {trip}")
            more = self.emit(f"and i1 {below}, {goes_on}")
        self.lines.append(f" br i1 {more}, label %{body}, label %{after}")
        self._start(body)
        if op.symbol is not None:
            self._begin_iteration(op.symbol, number)
        self.block(op.body.block)
        following = self.emit(f"add i64 {number}, 1")
        again = "true" if op.next_condition is None else self._holds(op.next_condition)
        yielded = [self.name(v) for v in op.next_values]
        end = self._label
        self._branch(test)
        self.lines[at:at] = [
            f" {name} = phi {kind} [ {first}, %{before} ], [ {later}, %{end} ]"
            for name, kind, first, later in (
                (number, "i64", "0", following),
                (goes_on, "i1", entered, again),
                *(
                    (name, "ptr", first, later)
                    for name, first, later in zip(carried, inits, yielded, strict=True)
                ),
            )
        ]
        self._start(after)

    def _begin_iteration(self, symbol: str, number: str) -> None:
        """Emit the computation of the sizes that depend on an iteration number."""
        place = self.table.iterations.index(symbol)
        status = self.emit(f"call i32 @tw_iterate.{place}(ptr %sizes, i64 {number})")
        self.end_if(self.emit(f"icmp ne i32 {status}, 0"), status)

    def done(self, op: Operation) -> None:
        """Lower func.return to a return of status 0."""
        assert isinstance(op, func.ReturnOp)
        if op.operands:
            raise LoweringError("main returns nothing: its outputs are arguments").at(op)
        self.lines.append(" ret i32 0")

    def _take_sizes(self) -> list[str]:
        """Return the lines that load the address of the table of sizes."""
        if not self.table.symbols:
            return self._make_table() if self.table.iterations or len(self.table) else []
        return [
            f" %sizes_at = getelementptr ptr, ptr %data, i64 {self.argument_count}",
            " %sizes = load ptr, ptr %sizes_at, align 8",
        ]

    def _make_table(self) -> list[str]:
        """Return the lines that allocate and fill the table of sizes of a main without symbols."""
        lines = [f" %sizes = alloca [{max(1, len(self.table))} x i64], align 8"]
        for position, number in self.table.numbers():
            lines.append(f" %size{position} = getelementptr i64, ptr %sizes, i64 {position}")
            lines.append(f" store i64 {number}, ptr %size{position}, align 8")
        return lines

    def module(self, suffix: str) -> str:
        """Return the printed LLVM module; the names of its functions get a suffix."""
        return "\n".join(
            self._located(
                [
                    "@__tw_weights = external global ptr",
                    "@__tw_pool = external global ptr",
                    *sorted(self.declarations),
                    *self.externs.definitions(),
                    *self.checks.definitions(),
                    *self.concats.definitions(),
                    *self.table.definition(suffix),
                    LAUNCH,
                    *([LAUNCH_SIZED] if len(self.table) else []),
                    *([] if self.trace is None else DECLARATIONS),
                    f"define hidden i32 @tw_run{suffix}{SIGNATURE} nounwind {{",
                    "entry:",
                    f" %args = alloca [{self.pointers} x ptr], align 16",
                    f" %sections = alloca [{self.section_count} x %section], align 16",
                    *self.externs.allocations(),
                    *self.checks.allocations(),
                    *([] if self.trace is None else [BEGIN]),
                    *self._take_sizes(),
                    " %weights = load ptr, ptr @__tw_weights, align 8",
                    *self.lines,
                    "}",
                    "",
                ]
            )
        )

    def _located(self, module: list[str]) -> list[str]:
        """Return the module with the line locations of main, if line tables were requested."""
        if self.locations is None:
            return module
        return [*self.locations.finished(module, "define hidden i32 @tw_run"), ""]


_HANDLERS: dict[type[Operation], Callable[[_MainEmitter, Operation], None]] = {
    ConstantOp: _MainEmitter.constant,
    AllocOp: _MainEmitter.alloc,
    ViewOp: _MainEmitter.view,
    CopyOp: _MainEmitter.copy,
    ConcatOp: _MainEmitter.concat,
    SliceOp: _MainEmitter.slice,
    NumberOp: _MainEmitter.number,
    SizeOp: _MainEmitter.size_value,
    IfOp: _MainEmitter.branches,
    LoopOp: _MainEmitter.loop,
    YieldOp: _MainEmitter.yields,
    CallOp: _MainEmitter.call,
    ExternOp: _MainEmitter.extern,
    CheckIndicesOp: _MainEmitter.check_indices,
    BindOp: _MainEmitter.bind,
    SectionsOp: _MainEmitter.sections,
    func.ReturnOp: _MainEmitter.done,
}

# Functions that distribute tasks among threads; every module with tasks defines them.
LAUNCH = """
%section = type { ptr, ptr, i64 }
define internal void @tw_section_task(ptr %sections, i64 %task, i64 %worker) nounwind {
entry:
 br label %each
each:
 %number = phi i64 [0, %entry], [%next, %later]
 %rest = phi i64 [%task, %entry], [%less, %later]
 %tasks_at = getelementptr %section, ptr %sections, i64 %number, i32 2
 %tasks = load i64, ptr %tasks_at, align 8
 %mine = icmp ult i64 %rest, %tasks
 br i1 %mine, label %found, label %later
later:
 %less = sub nuw i64 %rest, %tasks
 %next = add nuw i64 %number, 1
 br label %each
found:
 %kernel_at = getelementptr %section, ptr %sections, i64 %number
 %kernel = load ptr, ptr %kernel_at, align 8
 %args_at = getelementptr %section, ptr %sections, i64 %number, i32 1
 %args = load ptr, ptr %args_at, align 8
 call void %kernel(ptr %args, i64 %rest, i64 %worker)
 ret void
}
define internal void @tw_run_tasks(ptr %kernel, ptr %args, i64 %tasks) nounwind {
entry:
 br label %each
each:
 %task = phi i64 [0, %entry], [%next, %each]
 call void %kernel(ptr %args, i64 %task, i64 0)
 %next = add nuw i64 %task, 1
 %more = icmp ult i64 %next, %tasks
 br i1 %more, label %each, label %done
done:
 ret void
}
define internal i32 @tw_launch(ptr %kernel, ptr %args, i64 %tasks, i32 %threads) nounwind {
entry:
 %pool = load ptr, ptr @__tw_pool, align 8
 %missing = icmp eq ptr %pool, null
 %single = icmp sle i32 %threads, 1
 %inline = or i1 %missing, %single
 br i1 %inline, label %here, label %shared
here:
 call void @tw_run_tasks(ptr %kernel, ptr %args, i64 %tasks)
 ret i32 0
shared:
 %status = call i32 %pool(ptr %kernel, ptr %args, i64 %tasks, i32 %threads)
 ret i32 %status
}
"""

# Distributes a symbolic number of tasks; a main with symbolic sizes needs it.
LAUNCH_SIZED = """
define internal i32 @tw_launch_sized(ptr %kernel, ptr %args, i64 %tasks, i32 %threads) nounwind {
entry:
 switch i64 %tasks, label %several [ i64 0, label %none i64 1, label %one ]
one:
 call void %kernel(ptr %args, i64 0, i64 0)
 ret i32 0
none:
 ret i32 0
several:
 %status = call i32 @tw_launch(ptr %kernel, ptr %args, i64 %tasks, i32 %threads)
 ret i32 %status
}
"""
