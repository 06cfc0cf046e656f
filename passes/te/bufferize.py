"""te-bufferize: turn tensors between kernels into buffers.

    %y = packed.call @conv(%x, %w) : (tensor<…>, tensor<…>) -> tensor<1x64x56x56xf32>
==>
    %b = packed.alloc : memref<1x8x58x58x8xf32>         (layout NCHW8c, halo 1)
    packed.call @conv(%x, %w, %b)

Each value gets a storage (passes/te/storage.py): the annotated layout, a halo for the padded reads
of its consumers, or a slice of a concat's result. A te.scatter updates the buffer of its base in
place, or a copy of the buffer if the base is read again. Kernels get one memref argument per input
and result. The pass composes layout, halo and slice into the index maps of the kernels. The kernel
that writes a value with a halo also fills the border, with te.compute ops of ``role(border)``.  An
empty axis of a kernel becomes a size parameter (dialects/te/empty_axes.py).

Branches and loops pass buffers on without copies where possible (passes/te/buffers.py).

Before: main, the program's host function, has packed ops on tensors; each kernel has one call.
After: no tensor is left; arguments and results of main are row-major memrefs, results last; main
records their dtypes.
Exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseArrayBase,
    MemRefType,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import loop, packed
from ...dialects.results import ARG_DTYPES, RESULT_DTYPES, record_dtypes
from ...dialects.sched import ScriptOp
from ...dialects.shape import Dim, size_parameters
from ...dialects.sizes import record_not_negative, recorded_not_negative
from ...dialects.te import (
    Access,
    ComputeOp,
    ComputeView,
    KernelOp,
    LoopsOp,
    ScatterOp,
    SortOp,
    TensorOp,
    kernels_of,
    symbolize_empty_axes,
)
from ...dialects.te import ReturnOp as KernelReturnOp
from ...dialects.te import buffer_type as memref_of
from ...support.entry import find_entry
from ...support.names import Names, value_hint
from ...support.passes import ExactPass
from .buffers import Buffers, bufferize_if, bufferize_loop
from .concat_parts import copies, tensor_sizes
from .deduplicate import structure_of
from .halo import halo_fills, slides_over_dynamic_image
from .storage import Storage, assign_storage, change_of, concat_of

ITERATION = MemRefType(i64, ())
"""The type of the buffer that holds an iteration number."""


@dataclass(frozen=True)
class Bufferize(ExactPass):
    """Turn tensors between kernels into buffers.

    guards: whether all reads stay padded, so that no value has a halo; see storage.py.
    """

    name = "te-bufferize"
    guards: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = find_entry(op)
        if main is not None:
            _Main(op, main, has_guards=self.guards).run()


class _Main:
    """The rewrite of the main function from tensors to buffers, with the kernels that it calls.

    A kernel is rewritten when its call is rewritten.
    has_guards: whether all reads stay padded, so that no value has a halo.
    """

    def __init__(self, module: ModuleOp, func: FuncOp, *, has_guards: bool) -> None:
        self.func, self.top = func, func.body.block
        self.kernels = {k.label: k for k in kernels_of(module)}
        self.storage = assign_storage(func, self.kernels, has_guards=has_guards)
        self.buffers = Buffers(self.storage)
        # A kernel with its own schedule is not merged with an equal one.
        self.scripted = {op.kernel_name for op in module.ops if isinstance(op, ScriptOp)}
        self.rewritten: dict[Hashable, str] = {}

    def run(self) -> None:
        last = cast(ReturnOp, self.top.last_op)
        self._record_dtypes(last)
        self._make_arguments(last)
        self._rewrite_block(self.top)
        self._return(last)
        self.buffers.drop_replaced()
        self.func.update_function_type()

    def _record_dtypes(self, last: ReturnOp) -> None:
        """Record the element types of main's arguments and results, unless this has been done.

        Buffers do not distinguish signed and unsigned integers, but main's signature does.
        last: the return of main.
        """
        for attribute, values in ((ARG_DTYPES, self.top.args), (RESULT_DTYPES, last.operands)):
            if attribute not in self.func.attributes:
                types = [cast(TensorType, value.type) for value in values]
                record_dtypes(self.func, attribute, [type_.element_type for type_ in types])

    def _make_arguments(self, last: ReturnOp) -> None:
        """Change the inputs of main to memrefs in place; add an argument for each result.

        last: the return of main.
        """
        for argument in list(self.top.args):
            self.buffers.retype(argument)
        for value in last.operands:
            type_ = memref_of(value.type)
            output: SSAValue = self.top.insert_arg(type_, len(self.top.args))
            stage = packed.stage_of_type(self.func, type_)
            first = packed.start_of_stage(self.func, stage)
            while isinstance(value.owner, packed.ViewOp):
                if packed.stage_of_type(self.func, value.owner.x.type) != stage:
                    break  # a view without elements
                value = value.owner.x
                view = packed.ViewOp(output, memref_of(value.type))
                Rewriter.insert_op(view, InsertPoint.before(first))
                output = view.res
            self.buffers.suggest(value, output)

    def _rewrite_block(self, block: Block) -> None:
        for op in list(block.ops):
            match op:
                case packed.ConstantOp():
                    self.buffers.retype(op.res)
                case packed.CallOp():
                    self._bufferize_call(op)
                case packed.ExternOp():
                    inputs = [self.buffers.of(v) for v in op.arguments]
                    outputs = [self.buffers.of(r, before=op) for r in op.res]
                    self.buffers.replace(op, op.on_buffers([*inputs, *outputs]), outputs)
                case packed.ConcatOp() if op.res is not None:
                    inputs = [self.buffers.of(v) for v in op.xs]
                    output = self.buffers.of(op.res, before=op)
                    appends = op.appends is not None
                    new = packed.ConcatOp(inputs, op.axis, output, appends=appends)
                    self.buffers.replace(op, new, [output])
                case packed.CheckIndicesOp() | packed.BindOp():
                    new = op.on_buffers(*map(self.buffers.of, op.operands))
                    self.buffers.replace(op, new, [])
                case packed.IfOp():
                    bufferize_if(op, self.buffers, self._rewrite_block)
                case packed.LoopOp():
                    bufferize_loop(op, self.buffers, self._rewrite_block)
                case packed.SliceOp() if isinstance(op.res.type, TensorType):
                    part = packed.SliceOp(self.buffers.of(op.x), op.index)
                    self.buffers.replace(op, part, [part.res])
                case packed.ViewOp() if isinstance(op.res.type, TensorType):
                    same = packed.ViewOp(self.buffers.of(op.x), memref_of(op.res.type))
                    self.buffers.replace(op, same, [same.res])
                case packed.NumberOp():
                    target = self.buffers.allocate(ITERATION, op)
                    self.buffers.replace(op, packed.NumberOp(op.number, target), [target])
                case _:
                    pass

    def _bufferize_call(self, op: packed.CallOp) -> None:
        results = list(op.results)
        if all(self.storage[r].is_in_place for r in results):
            kernel = self.kernels.pop(op.kernel_name)
            Rewriter.erase_op(kernel)
            self.buffers.remove(op)
            return
        kernel = self.kernels[op.kernel_name]
        inputs = [self.buffers.of(v) for v in op.arguments]
        outputs = [self.buffers.of(r, before=op) for r in results]
        given = [self.storage.get(v) for v in op.arguments]
        slices = _slices_of_result(kernel, given, self.storage[results[0]])
        change = change_of(kernel)
        own_sizes = dict(zip(size_parameters(kernel), op.sizes, strict=True))
        name = self._rewrite_kernel(kernel, given, [self.storage[r] for r in results])
        kept = recorded_not_negative(self.kernels[name])
        record_not_negative(self.func, [dim.substitute(own_sizes) for dim in kept])
        arguments = [*inputs, *outputs]
        if change is not None:
            if not self.storage[results[change.result]].updates_base:
                copy = packed.CopyOp(inputs[change.argument], outputs[change.result])
                Rewriter.insert_op(copy, InsertPoint.before(op))
            if change.is_only_use:
                del arguments[change.argument]
        for position in slices:
            del arguments[position]
        # The remaining tensor uses belong to later calls, which look up buffers by value.
        opened = len(size_parameters(self.kernels[name])) - len(op.sizes)
        sizes = [*op.sizes, *[Dim.const(0)] * opened]
        self.buffers.replace(op, packed.CallOp(name, arguments, sizes=sizes), outputs)

    def _rewrite_kernel(
        self, kernel: KernelOp, inputs: Sequence[Storage | None], outputs: Sequence[Storage]
    ) -> str:
        """Rewrite a kernel to buffers, or erase it if an equal kernel was rewritten likewise.

        inputs, outputs: the storages of its arguments and results; None: row-major.
        Returns the label of the kernel to call.
        """
        # te-winograd transforms the weights of each kernel.
        if kernel.label in self.scripted or kernel.constants is not None:
            bufferize_kernel(kernel, inputs, outputs)
            return kernel.label
        forms = [s and s.form() for s in (*inputs, *outputs)]
        key = (structure_of(kernel), *forms, *_slices_of_result(kernel, inputs, outputs[0]))
        name = self.rewritten.setdefault(key, kernel.label)
        if name == kernel.label:
            bufferize_kernel(kernel, inputs, outputs)
        else:
            Rewriter.erase_op(kernel)
        return name

    def _return(self, last: ReturnOp) -> None:
        """Copy each result to its argument of main, unless a kernel has written it there.

        last: the return of main.
        """
        outputs = self.top.args[len(self.top.args) - len(last.operands) :]
        for value, output in zip(last.operands, outputs, strict=True):
            source = self.buffers.of(value)
            if _viewed(source) is not output:
                self.top.insert_op_before(packed.CopyOp(source, output), last)
        self.buffers.replace(last, ReturnOp(), [])


def _viewed(buffer: SSAValue) -> SSAValue:
    """Return the buffer that a chain of views refers to."""
    while isinstance(buffer.owner, packed.ViewOp):
        buffer = buffer.owner.x
    return buffer


def bufferize_kernel(
    kernel: KernelOp, inputs: Sequence[Storage | None], outputs: Sequence[Storage]
) -> None:
    """Rewrite a kernel on tensors to a kernel on buffers.

    inputs, outputs: the storages of the arguments and results; None: row-major. The kernel gets no
    argument for a base that only a te.scatter uses, because the result's buffer holds the base.
    """
    slices = _slices_of_result(kernel, inputs, outputs[0])
    change = change_of(kernel)
    block = kernel.body.block
    last = cast(KernelReturnOp, block.last_op)
    record_not_negative(kernel, tensor_sizes(block))
    homes: Homes = {}
    for argument, storage in zip(list(block.args), inputs, strict=True):
        homes[argument] = (argument, storage)
    for value, storage in zip(last.values, outputs, strict=True):
        buffer = block.insert_arg(storage.buffer_type(), len(block.args))
        buffer.name_hint = "out"
        homes[value] = (buffer, storage)
    for op in [o for o in block.ops if isinstance(o, TensorOp)]:
        _bufferize_op(op, homes)
    border = Names(o.label for o in block.ops if isinstance(o, TensorOp)).fresh("halo")
    for storage, value in zip(outputs, list(last.values), strict=True):
        for fill in halo_fills(storage, homes[value][0], border, block):
            fill.location = kernel.location
            block.insert_op_before(fill, last)
    block.insert_op_before(KernelReturnOp(), last)
    Rewriter.erase_op(last)
    _retype_arguments(block, inputs)
    if change is not None and change.is_only_use:
        _drop_argument(kernel, change.argument)
    for position in slices:
        _drop_argument(kernel, position)
    kernel.update_function_type()
    symbolize_empty_axes(kernel)


def _slices_of_result(
    kernel: KernelOp, inputs: Sequence[Storage | None], result: Storage
) -> list[int]:
    """Return the arguments of a concat that are slices of its result, the last one first.

    kernel: a kernel on tensors; other kernels than concats have no such arguments.
    inputs, result: the storages of the arguments, and of the result.
    """
    if concat_of(kernel) is None:
        return []
    found = [n for n, s in enumerate(inputs) if s and s.concat is result.value]
    return found[::-1]


def _drop_argument(kernel: KernelOp, position: int) -> None:
    kernel.body.block.erase_arg(kernel.body.block.args[position])
    if kernel.constants is not None:
        kept = [p - (p > position) for p in kernel.constant_positions if p != position]
        kernel.properties["constants"] = DenseArrayBase.from_list(i64, kept)


def _retype_arguments(block: Block, inputs: Sequence[Storage | None]) -> None:
    for argument, storage in zip(list(block.args), inputs, strict=False):
        if isinstance(argument.type, TensorType):
            type_ = memref_of(argument.type) if storage is None else storage.buffer_type()
            Rewriter.replace_value_with_new_type(argument, type_)


Homes: TypeAlias = dict[SSAValue, tuple[SSAValue, Storage | None]]


def _bufferize_op(op: TensorOp, homes: Homes) -> None:
    """Replace an op on tensors by ops on the buffers of the tensors.

    homes: the buffer and the storage of each tensor; a tensor without a buffer gets a local one.
    """
    for result in op.results:
        if result not in homes:
            alloc = loop.AllocOp.make(memref_of(result.type))
            alloc.res.name_hint = value_hint(op.label)
            Rewriter.insert_op(alloc, InsertPoint.before(op))
            homes[result] = (alloc.res, None)
    for new in _on_buffers(op, homes):
        new.location = op.location
        new.attributes.update(op.attributes)
        Rewriter.insert_op(new, InsertPoint.before(op))
    op.detach()
    op.drop_all_references()


def _on_buffers(op: TensorOp, homes: Homes) -> list[TensorOp]:
    match op:
        case ComputeOp():
            return _compute_on_buffers(op, homes)
        case ScatterOp():
            view = op.view()
            reads = [_placed(a, view, homes) for a in view.inputs]
            buffer = homes[op.res[0]][0]
            new = ScatterOp.from_view(replace(view, inputs=reads, base=buffer))
            _retype_whole(reads, new.body.block.args)
            return [new]
        case SortOp():
            outs = [homes[r][0] for r in op.res]
            new = SortOp.make(
                op.label,
                homes[op.x][0],
                op.axis.data,
                descending=op.descending is not None,
                outs=outs,
                tile=op.options,
            )
            return [new]
        case LoopsOp():
            body = op.body
            op.detach_region(body)
            ins = [homes[v][0] for v in op.ins]
            return [LoopsOp(op.label, ins, body, outs=[homes[r][0] for r in op.res])]


def _compute_on_buffers(op: ComputeOp, homes: Homes) -> list[TensorOp]:
    """Return a compute on buffers; for a concat without layout, return one copy per operand.

    homes: the buffer and the storage of each tensor.
    """
    whole = homes[op.results[0]][1]
    views = copies(op.view())
    if whole is not None and len(views) > 1:
        # An operand that is a slice of the result needs no copy.
        sources = [homes.get(cast(SSAValue, view.inputs[0].value)) for view in views]
        views = [
            view
            for view, source in zip(views, sources, strict=True)
            if source is None or source[1] is None or source[1].concat is not whole.value
        ]
    placed = (_view_on_buffers(view, list(op.results), homes) for view in views)
    return [ComputeOp.from_view(view) for view in placed]


def _view_on_buffers(view: ComputeView, results: Sequence[SSAValue], homes: Homes) -> ComputeView:
    reads = [_placed(a, view, homes) for a in view.inputs]
    post = [_placed(a, view, homes) for a in view.post]
    outputs = [
        replace(_placed(replace(o, value=r), view, homes), result_type=None, layout=None)
        for o, r in zip(view.outputs, results, strict=True)
    ]
    _retype_whole(reads, view.body.block.args)
    if post:
        _retype_whole(post, view.then.block.args[-len(post) :])
    return replace(view, inputs=reads, post=post, outputs=outputs)


def _retype_whole(accesses: Sequence[Access], arguments: Sequence[SSAValue]) -> None:
    for access, argument in zip(accesses, list(arguments), strict=True):
        if access.is_whole:
            Rewriter.replace_value_with_new_type(argument, memref_of(argument.type))


def _placed(access: Access, view: ComputeView, homes: Homes) -> Access:
    """Convert an access of a tensor to an access of the buffer that stores the tensor.

    view: the compute that has the access.
    homes: the buffer and the storage of each tensor.
    """
    if access.value is None:
        return access
    buffer, storage = homes[access.value]
    if storage is None or access.indices is None:
        return replace(access, value=buffer)
    pad = None if storage.covers(access, view) else access.pad
    indices = storage.place(access.indices, view.range_of)
    border = None
    if pad is None and access.pad is not None and slides_over_dynamic_image(access, view):
        border = (buffer, storage.elements())
    return replace(access, value=buffer, indices=indices, pad=pad, border=border)
