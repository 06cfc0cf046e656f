"""Lower the ops of main, the program's host function: call kernels in order on one arena.

In: the ops of main, with planned buffers.  Out: calls of the methods of a `MainPrinter`
(printer.py), which prints main(data, arena, threads).

arena: the planned buffers, then the workspace of max_threads workers, which starts after the
buffers that are live when a kernel runs.  packed.bind gets the arena block for the buffers whose
sizes it makes known.  The calls of one packed.sections share workspace if their sizes per worker
are equal; otherwise the parts of two workers could overlap.  The calling thread runs kernels of one
task, serial calls, and every call without a pool or with one thread, as worker 0; other calls go
through the function of the pool.  A packed.sections is one launch, with a table of kernel,
arguments and task count per call; the tasks of all calls are numbered consecutively.  An error of
the pool, of a function of the process (externs.py) or of an index check (index_checks.py) is
returned at once.  Control flow carries addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.dtypes import buffer_size
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
from ...support.affine import Index
from ...support.diagnostics import LoweringError
from ..loop_to_llvm import KernelInfo
from .concats import is_shared, table_of, tasks_of
from .externs import Externs
from .index_checks import check_indices
from .places import Places
from .printer import CONCAT, TRUE, MainPrinter, Value
from .size_table import BuffersEnd, Item, SizeTable
from .trace import MainTrace


class MainLowering:
    """The lowering of one main, the host function of a program, op by op, to calls of a printer.

    infos: the interface of each kernel, by the kernel's name.
    places: the printed values of main's SSA values.
    table: the table of sizes.
    max_threads: the largest number of threads for which the arena has workspace.
    trace: records the time of each step; None for a main that is not profiled.
    arena_bytes: the size of the arena, if main has no symbolic sizes.
    externs: the functions of the process that main calls.
    """

    def __init__(
        self,
        infos: Mapping[str, KernelInfo],
        places: Places,
        table: SizeTable,
        printer: MainPrinter,
        *,
        max_threads: int,
        trace: MainTrace | None,
    ) -> None:
        self.printer, self.trace, self.table, self.places = printer, trace, table, places
        self._infos, self._max_threads = infos, max_threads
        self.arena_bytes = table.planned_bytes
        self.externs = Externs()

    def name(self, value: SSAValue) -> Value:
        """Return the printed value of an SSA value; for a buffer, its address."""
        return self.places.name(value, self.load)

    def size(self, extent: Extent) -> Value:
        """Return the printed value of a size; a symbolic one is loaded from the table of sizes."""
        return str(extent) if isinstance(extent, int) else self.load(extent)

    def sizes(self, sizes: Sequence[Extent]) -> Value:
        """Return the address of a part of the table of sizes that contains these sizes in order."""
        return self.printer.sizes(self.table.run(sizes))

    def load(self, item: Item) -> Value:
        """Print a load of an entry of the table of sizes; return the printed value.

        item: a size, or the buffer whose offset is the entry, or the end of buffers.
        """
        return self.printer.size(self.table.position(item))

    def block(self, block: Block) -> None:
        """Lower the ops of a block in order.

        Errors: LoweringError for an op that main cannot have.
        """
        for op in block.ops:
            handler = _HANDLERS.get(type(op))
            if handler is None:
                raise LoweringError("main cannot hold this op", got=op.name).at(op)
            self.printer.begin_op(op)
            getattr(self, handler)(op)
            if self.printer.end_op(op) and self.trace is not None:
                self.trace.record(op, self.size, self.printer)

    def constant(self, op: ConstantOp) -> None:
        """Lower packed.constant to an address in the weights."""
        self.places.add_weight(op)

    def alloc(self, op: AllocOp) -> None:
        """Lower packed.alloc to an address in the arena."""
        self.places.add_buffer(op, self.table.stage(op))

    def view(self, op: ViewOp) -> None:
        """Lower packed.view to the address of its operand."""
        self.places.add_view(op)

    def copy(self, op: CopyOp) -> None:
        """Lower packed.copy to a copy of bytes, unless source and target are one buffer.

        A session passes a state and its new value in one buffer; then nothing is copied.
        """
        size = buffer_size(cast(MemRefType, op.source.type))
        if size != 0 and not self.places.is_same(op.source, op.target):
            source, target = self.name(op.source), self.name(op.target)
            count = self.size(size)
            if isinstance(op.source, BlockArgument) and isinstance(op.target, BlockArgument):
                count = self.printer.zero_if(self.printer.is_same(source, target), count)
            self.printer.copy(target, source, count)

    def concat(self, op: ConcatOp) -> None:
        """Lower packed.concat to one task per operand, or to copies in one thread if small."""
        assert op.target is not None, "main is bufferized"
        if op.appends is not None:
            self._append(op)
            return
        fields, tasks = table_of(op), tasks_of(op)
        if tasks == 0:
            return
        static = [field for field in fields if isinstance(field, int)]
        is_static = len(static) == len(fields)
        table = self.printer.concat_table(static) if is_static else self.sizes(fields)
        addresses = [self.name(op.target), table, *map(self.name, op.xs)]
        self.printer.store_arguments(addresses, 0)
        self.run_concat(op, tasks)

    def run_concat(self, op: ConcatOp, tasks: Extent) -> None:
        """Print the tasks of a concat, which copy its operands.

        The array of arguments already holds the table and the buffers.
        tasks: the number of tasks.
        """
        if not isinstance(tasks, int):
            self._launch(CONCAT, tasks, self.printer.threads)
        elif is_shared(op):
            self.printer.launch(CONCAT, str(tasks), self.printer.threads, is_sized=False)
        else:
            self.printer.run_tasks(CONCAT, tasks)

    def _append(self, op: ConcatOp) -> None:
        """Lower a packed.concat that appends new rows to the rows of a state.

        The new rows are copied to their position in the result, behind the past rows.  The past
        rows are copied only if they are in another buffer than the result; main tests this at run
        time.
        """
        assert op.target is not None, "main is bufferized"
        printer = self.printer
        target, past, new = (self.name(value) for value in (op.target, *op.xs))
        old, added = (self.size(buffer_size(cast(MemRefType, x.type))) for x in op.xs)
        rest = printer.zero_if(printer.is_same(past, target), old)
        end = printer.within(target, old)
        printer.copy(target, past, rest)
        printer.copy(end, new, added)

    def call(self, op: CallOp) -> None:
        """Lower packed.call: store the addresses of the arguments, and run the kernel's tasks."""
        info, tasks = self._arguments(op, 0, {})
        if not isinstance(tasks, int):
            self._launch(info.symbol, tasks, self._threads(op))
        elif tasks == 1:
            self.printer.run_task(info.symbol)
        elif tasks and op.unless is not None:
            self._launch(info.symbol, Dim.const(tasks), self._threads(op))
        elif tasks and op.serial:
            self.printer.run_tasks(info.symbol, tasks)
        elif tasks:
            self.printer.launch(info.symbol, str(tasks), self.printer.threads, is_sized=False)

    def _threads(self, op: CallOp) -> Value:
        """Return the printed number of threads that share the tasks of a call.

        It is 1 for a serial call, and if the size ``op.unless`` is 0 at run time.
        """
        if op.unless is None:
            return "1" if op.serial else self.printer.threads
        return self.printer.one_thread_if_zero(self.size(op.unless.data[0]))

    def _launch(self, function: str, tasks: Dim, threads: Value) -> None:
        """Print a launch of a symbolic number of tasks.

        function: the symbol of the function that runs a task.  threads: the number of threads.
        """
        self.printer.launch(function, self.size(tasks), threads, is_sized=True)

    def sections(self, op: SectionsOp) -> None:
        """Lower packed.sections, a group of independent calls, to one launch of all tasks."""
        first, total = 0, Dim.const(0)
        workspaces: dict[int, Value] = {}
        for position, call in enumerate(op.calls):
            info, tasks = self._arguments(call, first, workspaces)
            start = self.printer.arguments_from(first)
            self.printer.section(position, info.symbol, start, self.size(tasks))
            first += len(call.arguments) + (info.workspace_bytes > 0) + bool(info.sizes)
            total = total + tasks
        count = extent_of(total)
        if count != 0:
            is_sized = not isinstance(count, int)
            self.printer.launch_sections(self.size(count), is_sized=is_sized)

    def _arguments(
        self, op: CallOp, first: int, workspaces: dict[int, Value]
    ) -> tuple[KernelInfo, Extent]:
        """Print the stores of a call's arguments into the array of arguments.

        The arguments are the addresses of buffers, workspace and sizes.
        first: the position of the first argument in the array.
        workspaces: the addresses of the workspaces of calls that run at the same time, by bytes per
        worker; this call's workspace is added.
        Returns the kernel's interface and the number of tasks of the call.
        """
        info = self._infos.get(op.kernel_name)
        if info is None:
            raise LoweringError("unknown kernel", got=op.kernel_name).at(op)
        addresses = [self.name(v) for v in op.arguments]
        if info.workspace_bytes:
            addresses.append(self._workspace(op, info.workspace_bytes, workspaces))
        if info.sizes:
            addresses.append(self.sizes(op.sizes))
        self.printer.store_arguments(addresses, first)
        return info, extent_of(op.condition * info.tasks_with(op.sizes))

    def _workspace(self, op: CallOp, each: int, others: dict[int, Value]) -> Value:
        """Return the address in the arena of the workspace of a call.

        Calls that run at the same time share a workspace if they need the same bytes per worker.
        each: the bytes that each worker needs.
        others: the addresses of the workspaces of the calls that run at the same time, by bytes per
        worker.
        """
        if each not in others:
            before = sum(aligned(size) * self._max_threads for size in others)
            own = before + aligned(each) * self._max_threads
            if self.table.symbols:
                end = self.printer.buffer(0, self.load(BuffersEnd()), "")
                self.table.workspace_bytes = max(self.table.workspace_bytes, own)
                others[each] = self.printer.within(end, before)
            else:
                start = (
                    self.table.planned_bytes if op.workspace is None else op.workspace.value.data
                )
                self.arena_bytes = max(self.arena_bytes, start + own)
                others[each] = self.printer.buffer(0, start + before, "workspace")
        return others[each]

    def extern(self, op: ExternOp) -> None:
        """Lower packed.extern to a call through the table of functions of the process."""
        self.externs.call(op, self, self.printer)

    def check_indices(self, op: CheckIndicesOp) -> None:
        """Lower packed.check_indices to a scan of the buffer with the indices."""
        check_indices(op, self, self.printer)

    def bind(self, op: BindOp) -> None:
        """Lower packed.bind, which makes symbols known: each symbol begins a new stage of main."""
        for position, dim in enumerate(op.dims):
            value = self.printer.load_element(self.name(op.x), position)
            self.printer.bind(self.table.stage(dim), value)

    def slice(self, op: SliceOp) -> None:
        """Lower packed.slice to an address inside the sliced buffer."""
        size = buffer_size(cast(MemRefType, op.res.type))
        if isinstance(size, int):
            offset = self._index(op.index * size)
        else:
            index = self._index(op.index)
            offset = self.printer.integers.binary("mul", index, self.size(size))
        self.places.set([op.res], [self.printer.within(self.name(op.x), offset)])

    def _index(self, index: Index) -> Value:
        """Print the computation of a linear expression of iteration numbers and sizes.

        Returns the printed value.
        """
        integers, total = self.printer.integers, str(index.const)
        for key, factor in index.terms.items():
            assert isinstance(key, SSAValue), f"slices are at linear positions: {index}"
            total = integers.binary(
                "add", total, integers.binary("mul", self.name(key), str(factor))
            )
        return total

    def size_value(self, op: SizeOp) -> None:
        """Lower loop.size to the printed value of the size."""
        self.places.set([op.res], [self.size(extent_of(op.dim))])

    def number(self, op: NumberOp) -> None:
        """Lower packed.number to a store of the iteration number into the buffer of the result."""
        assert op.target is not None, "main is bufferized"
        target = self.name(op.target)
        self.printer.store_number(target, self.name(op.number))

    def _holds(self, condition: SSAValue | None) -> Value:
        """Print a load of a condition from its buffer, one byte; return the printed condition.

        condition: the buffer; None for a condition that always holds.
        """
        return TRUE if condition is None else self.printer.load_condition(self.name(condition))

    def yields(self, op: YieldOp) -> None:
        """Print nothing: the lowering of the parent op passes on the operands of packed.yield."""

    def _yielded(self, block: Block) -> list[Value]:
        """Lower the ops of a block; return the printed addresses that the block yields."""
        self.block(block)
        last = block.last_op
        assert isinstance(last, YieldOp), "checked by the verifier"
        return [self.name(value) for value in last.values]

    def branches(self, op: IfOp) -> None:
        """Lower packed.if to a branch whose results are addresses."""
        printer = self.printer
        printer.begin_branch()
        printer.begin_then(self._holds(op.condition))
        printer.begin_else(self._yielded(op.then.block))
        results = printer.end_branch(self._yielded(op.otherwise.block))
        self.places.set(op.results, results)

    def loop(self, op: LoopOp) -> None:
        """Lower packed.loop to a loop that carries addresses and first tests its condition."""
        printer = self.printer
        printer.begin_loop()
        inits = [self.name(v) for v in op.inits]
        trip = None if op.steps is None else self.size(op.steps)
        if op.trip is not None:
            trip = printer.load_number(self.name(op.trip))
        number, carried = printer.enter_loop(inits, trip, self._holds(op.condition))
        self.places.set([op.number], [number])
        self.places.set(op.carried, carried)
        self.places.set(op.results, carried)
        if op.symbol is not None:
            printer.iterate(self.table.iterations.index(op.symbol), number)
        self.block(op.body.block)
        printer.next_iteration()
        again = self._holds(op.next_condition)
        printer.end_loop(again, [self.name(v) for v in op.next_values])

    def done(self, op: func.ReturnOp) -> None:
        """Lower func.return to a return of status 0."""
        if op.operands:
            raise LoweringError("main returns nothing: its outputs are arguments").at(op)
        self.printer.finish()

    def finish_sizes(self) -> None:
        """Print the functions that compute the table of sizes, and declare the table in main.

        If main has symbols, its caller passes the table; otherwise main allocates the table.
        """
        table = self.table
        table.print_functions(self.printer)
        if table.symbols:
            self.printer.take_sizes(table.entries())
        elif table.iterations or len(table):
            self.printer.make_sizes(table.entries(), list(table.numbers()))


_HANDLERS: dict[type[Operation], str] = {
    ConstantOp: "constant",
    AllocOp: "alloc",
    ViewOp: "view",
    CopyOp: "copy",
    ConcatOp: "concat",
    SliceOp: "slice",
    NumberOp: "number",
    SizeOp: "size_value",
    IfOp: "branches",
    LoopOp: "loop",
    YieldOp: "yields",
    CallOp: "call",
    ExternOp: "extern",
    CheckIndicesOp: "check_indices",
    BindOp: "bind",
    SectionsOp: "sections",
    func.ReturnOp: "done",
}
"""The name of the method that lowers each type of op; a subclass may override the method."""
