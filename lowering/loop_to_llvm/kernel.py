"""Lower a kernel function of the loop level to one LLVM IR module, in printed form.

    func.func @k(%x: memref<…>, %y: memref<…>) { loop, arith and math ops }
    =>
    define hidden void @tw.k.0(ptr %args, i64 %task, i64 %worker)

Kernel symbols never contain user names, which may collide with names in the C library.

%args points to one pointer per memref, then, if the kernel has a workspace, a pointer to the
workspace of all workers, then, if the kernel has size parameters, a pointer to their values (i64).
Tasks 0 … tasks-1 may run in any order and concurrently.

With the attribute ``tw.strict_math`` math functions of f32 are computed in f64 and rounded once.
With `KernelLines` each instruction has a line of the printed program (line_tables.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType

from ...dialects.functions import WORKSPACE_BYTES, recorded_bytes
from ...dialects.shape import Dim, Extent, extent_of, size_parameters
from ...machines.target import Target
from ...support.diagnostics import LoweringError
from ...support.precision import STRICT_MATH
from ...support.size_names import shown_size
from . import arithmetic, control, instructions, math_table, memory
from .control import bind_task
from .emitter import KernelEmitter
from .line_tables import KernelLines, LocatedEmitter
from .op_emitter import Handlers, emit_nothing
from .tasks import TaskSegment, TaskSpace, check_independent, task_space

HANDLERS: Handlers = {
    **arithmetic.HANDLERS,
    **math_table.HANDLERS,
    **memory.HANDLERS,
    **control.HANDLERS,
    **instructions.HANDLERS,
    func.ReturnOp: emit_nothing,
}


def kernel_symbol(number: int) -> str:
    """Return the symbol of the kernel at position ``number`` of its program."""
    return f"tw.k.{number}"


@dataclass(frozen=True)
class KernelInfo:
    """The interface of a kernel, for the code that calls it.

    name: the name that users see.
    tasks: the number of tasks of one call.
    workspace_bytes: the bytes of workspace that each worker needs.
    symbol: the symbol of the kernel's code.
    sizes: the names of the kernel's size parameters.
    """

    name: str
    tasks: Extent
    workspace_bytes: int
    symbol: str
    sizes: tuple[str, ...] = ()

    @property
    def shown_tasks(self) -> int | str:
        """The number of tasks of one call; if it is symbolic, as a text for users."""
        return self.tasks if isinstance(self.tasks, int) else shown_size(self.tasks)

    def tasks_with(self, sizes: Sequence[Dim]) -> Extent:
        """Return the number of tasks of a call.

        sizes: the values of the size parameters in this call.
        """
        given = dict(zip(self.sizes, sizes, strict=True))
        return extent_of(Dim.of(self.tasks).substitute(given))


def kernel_info(function: func.FuncOp, symbol: str = kernel_symbol(0)) -> KernelInfo:
    """Return the interface of a kernel function.

    symbol: the symbol of its code.
    """
    tasks = task_space(function).tasks
    size = recorded_bytes(function, WORKSPACE_BYTES)
    return KernelInfo(function.sym_name.data, tasks, size, symbol, size_parameters(function))


def emit_kernel(
    function: func.FuncOp,
    target: Target,
    symbol: str = kernel_symbol(0),
    lines: KernelLines | None = None,
    *,
    attributes: str = "",
) -> str:
    """Return the printed LLVM IR module of one kernel function.

    symbol: the symbol of the code, made by `kernel_symbol`.
    lines: the line of each op in the printed program, for a line table; None for code without one.
    attributes: further attributes of the LLVM function.
    Errors: LoweringError for an op or type without a handler, for top-level statements that depend
    on each other although one is a parallel loop, and for a function that returns values.
    """
    if function.function_type.outputs:
        raise LoweringError("a kernel returns nothing: its outputs are arguments").at(function)
    space = task_space(function)
    check_independent(space)
    emitter = _new_emitter(function, target, lines)
    emitter.survey(function.body.block, 0)
    _load_arguments(emitter, function, recorded_bytes(function, WORKSPACE_BYTES))
    for op in space.shared:
        emitter.emit_op(op)
    _emit_segments(emitter, space, "%task")
    for fill in space.fills:
        _emit_share(emitter, fill, space.tasks)
    return "\n".join((*emitter.finished(_module(emitter, symbol, attributes)), ""))


def _new_emitter(function: func.FuncOp, target: Target, lines: KernelLines | None) -> KernelEmitter:
    is_strict = STRICT_MATH in function.attributes
    if lines is None:
        return KernelEmitter(target, HANDLERS, strict_math=is_strict)
    return LocatedEmitter(target, HANDLERS, lines, strict_math=is_strict)


def _load_arguments(e: KernelEmitter, function: func.FuncOp, workspace_bytes: int) -> None:
    for position, argument in enumerate(function.body.block.args):
        if not isinstance(argument.type, MemRefType):
            raise LoweringError("kernel arguments are memrefs", got=argument.type).at(function)
        e.values[argument] = e.load_argument(position)
    if workspace_bytes:
        base = e.load_argument(len(function.body.block.args))
        offset = e.emit(f"mul nuw nsw i64 %worker, {workspace_bytes}")
        e.lines.append(f" %workspace = getelementptr i8, ptr {base}, i64 {offset}")
    slot = len(function.body.block.args) + bool(workspace_bytes)
    e.take_sizes(size_parameters(function), slot)


def _emit_segments(e: KernelEmitter, space: TaskSpace, given: str) -> None:
    """Emit the code that runs one task: a test per segment, and the code of the segment.

    A task belongs to the segment that contains its number.  If one segment has all tasks, the code
    needs no test.
    given: the printed number of the task.
    """
    first: Extent = 0
    for segment in space.segments:
        if segment.tasks == space.tasks:
            _emit_tasks(e, segment, given)
            return
        number = e.number()
        task = given if first == 0 else e.emit(f"sub nsw i64 {given}, {e.size(first)}")
        mine = e.emit(f"icmp ult i64 {task}, {e.size(segment.tasks)}")
        e.branch(mine, f"P{number}", f"Q{number}")
        e.start(f"P{number}")
        saved = e.save_addresses()
        _emit_tasks(e, segment, task)
        e.restore_addresses(saved)
        e.jump(f"Q{number}")
        e.start(f"Q{number}")
        first = extent_of(Dim.of(segment.tasks) + first)


def _emit_tasks(e: KernelEmitter, segment: TaskSegment, task: str) -> None:
    """Emit the code of a segment for one of its tasks.

    task: the printed number of the task in the segment, which determines the variables of the
    parallel loops.
    """
    if not segment.nest:
        for op in segment.ops:
            e.emit_op(op)
        return
    rest, inner, depth = task, segment.inner, e.depth
    own = ""
    if inner is not None:
        own = e.emit(f"urem i64 {task}, {e.size(inner.tasks)}")
        rest = e.emit(f"udiv i64 {task}, {e.size(inner.tasks)}")
    for position in reversed(range(len(segment.nest))):
        size, op = segment.sizes[position], segment.nest[position]
        value = rest
        if position and size != 1:
            value = e.emit(f"urem i64 {rest}, {e.size(size)}")
            rest = e.emit(f"udiv i64 {rest}, {e.size(size)}")
        low = cast("tuple[Dim, Dim]", op.size_bounds)[0]
        bind_task(e, op.variable, value, extent_of(low), size)
    e.depth = depth + len(segment.nest)
    if inner is None:
        e.emit_block(segment.nest[-1].body.block)
    else:
        for op in inner.shared:
            e.emit_op(op)
        _emit_segments(e, inner, own)
    e.depth = depth


def _emit_share(e: KernelEmitter, fill: TaskSegment, tasks: Extent) -> None:
    """Emit a loop over the iterations of a fill that this task runs.

    fill: a parallel loop that only stores, and whose iterations all tasks share evenly.
    tasks: the number of tasks.
    """
    if fill.tasks == 0:
        return
    own, all_ = e.size(fill.tasks), e.size(tasks)
    low = e.emit(f"udiv i64 {e.emit(f'mul nuw nsw i64 %task, {own}')}, {all_}")
    next_ = e.emit("add nuw nsw i64 %task, 1")
    high = e.emit(f"udiv i64 {e.emit(f'mul nuw nsw i64 {next_}, {own}')}, {all_}")
    number, before = e.number(), e.label
    e.branch(e.emit(f"icmp ult i64 {low}, {high}"), f"L{number}", f"X{number}")
    e.start(f"L{number}")
    phi = len(e.lines)
    counter, following = e.name(), e.name()
    saved = e.save_addresses()
    _emit_tasks(e, fill, counter)
    e.restore_addresses(saved)
    e.lines.append(f" {following} = add nuw nsw i64 {counter}, 1")
    end = e.label
    e.lines.insert(phi, f" {counter} = phi i64 [{low}, %{before}], [{following}, %{end}]")
    e.branch(e.emit(f"icmp ult i64 {following}, {high}"), f"L{number}", f"X{number}")
    e.start(f"X{number}")


def _module(e: KernelEmitter, symbol: str, further: str) -> list[str]:
    """Return the lines of the kernel's LLVM module.

    symbol: the name of the kernel's function.
    further: additional attributes of this function.
    """
    attributes = "nounwind"
    if e.target.vector_bits == 512:
        attributes += ' "prefer-vector-width"="512"'
    attributes += f" {further}" if further else ""
    if e.target.has("sve"):
        # The length of vectors is at least that of the target, and at most that of the feature.
        attributes += f" vscale_range({e.target.scalable_bits // 128},16)"
    return [
        f"define hidden void @{symbol}(ptr %args, i64 %task, i64 %worker) {attributes} {{",
        "entry:",
        *e.entry,
        *e.lines,
        " ret void",
        "}",
        *sorted(e.declarations),
        "!0 = !{}",
    ]
