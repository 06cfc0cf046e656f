"""Straight-line ops of the host program: weights, buffers, and kernel calls in order.

Before bufferization, calls take and return tensors.  After bufferization, outputs are arguments,
and packed.alloc returns buffers; after memory planning, each buffer has an offset in one arena.

    %w = packed.constant #graph.weight<"0a1b…"> : memref<768x3072xf32>
    %t = packed.alloc at 4096 : memref<128x3072xf32>
    packed.call @ffn(%x, %w, %t) : (memref<128x768xf32>, …) -> ()
    packed.call @norm(%y, %z) sizes [b * s] : (memref<?x768xf32, #te.dims<b * s, 768>>, …) -> ()
    packed.sections {
      packed.call @query(%t, %wq, %q) : …
      packed.call @key(%t, %wk, %k) : …
    }
    packed.check_indices %ids below [3000] wraps of "Gather 'words'" : memref<1x9xi64>
    packed.concat %q, %k along 0 to %qk : memref<8x8xf32> of memref<4x8xf32>, memref<4x8xf32>
    packed.extern "numpy.dot"(%q, %k, %s) with [#builtin.int<0>, #builtin.int<1>, …] …

Symbolic sizes: the attribute ``sizes`` of the main function (main), which calls the kernels, names
its symbols. Their values follow from the shapes of its arguments, or from values that it computes:
packed.bind.  A call passes each size parameter of its kernel as an expression over the symbols.
Memory planning then lists the buffers directly below a buffer in the arena instead of an offset:

    %u = packed.alloc above (%s, %t : memref<?xf32, #te.dims<s>>, memref<8xf32>) : memref<4xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
)

from ...support.diagnostics import TypeMismatch
from ..loop import check_offset
from ..shape import Dim, DimsAttr, Extent, dims_of
from ..size_lists import CallSizes, SizeList, sizes_attr, sizes_of
from ..weights import WeightAttr


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A weight of the model: a tensor, or after bufferization a read-only buffer."""

    name = "packed.constant"
    value = prop_def(WeightAttr)
    res = result_def(TensorType | MemRefType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($res)"

    def __init__(self, value: WeightAttr, type_: Attribute) -> None:
        super().__init__(properties={"value": value}, result_types=[type_])

    def insert_derived(self, value: WeightAttr, type_: Attribute) -> ConstantOp:
        """Insert a constant that was computed from this one after it, and return the new op.

        value: the weight of the new constant.  type_: its type.  Location and name hint are copied.
        """
        made = ConstantOp(value, type_)
        made.location, made.res.name_hint = self.location, self.res.name_hint
        Rewriter.insert_op(made, InsertPoint.after(self))
        return made


@irdl_op_definition
class AllocOp(IRDLOperation):
    """A buffer whose lifetime is one run of the main function.

    host: the buffer is in host memory although the program runs on another device.  offset: bytes
    from the start of the arena.  below: with symbolic sizes, the buffers that must end at or before
    the start of this buffer; each size is rounded up to the alignment.
    Errors: TypeMismatch for an offset that is no multiple of 64, for an offset together with
    buffers below, or for either of them on a buffer in host memory.
    """

    name = "packed.alloc"
    host = opt_prop_def(UnitAttr)
    offset = opt_prop_def(IntegerAttr.constr(i64))
    below = var_operand_def(MemRefType)
    res = result_def(MemRefType)
    traits = traits_def(MemoryAllocEffect())
    assembly_format = (
        "(`host` $host^)? (`at` $offset^)? (`above` `(` $below^ `:` type($below) `)`)? "
        "attr-dict `:` type($res)"
    )

    def __init__(self, type_: Attribute, *, is_host: bool = False) -> None:
        properties = {"host": UnitAttr()} if is_host else {}
        super().__init__(operands=[[]], result_types=[type_], properties=properties)

    @property
    def is_host(self) -> bool:
        """Whether the buffer is in the memory of the host, outside of the arena."""
        return self.host is not None

    def verify_(self) -> None:
        check_offset(self, self.offset)
        if self.is_host and (self.below or self.offset is not None):
            raise TypeMismatch(
                "a buffer of the host has a place in the arena",
                expected="none",
                hint="leave out the offset and the buffers below",
            ).at(self)
        if self.below and self.offset is not None:
            raise TypeMismatch(
                "a buffer has an offset and buffers below it",
                expected="one of them",
                got=f"at {self.offset.value.data}",
                hint="leave out the offset",
            ).at(self)
        for value in self.below:
            if not isinstance(value.owner, AllocOp):
                raise TypeMismatch(
                    "only a buffer of the arena is below another one",
                    expected="results of packed.alloc",
                    got=value.type,
                    hint="name the buffer itself, not a view of it",
                ).at(self)


@irdl_op_definition
class CallOp(IRDLOperation):
    """Call of a kernel on tensors; after bufferization on buffers, of which the last are outputs.

    when: a size expression of value 0 or 1; the kernel runs if the value is 1.
    serial: the calling thread runs all tasks, because the tasks are too small to distribute.
    unless: a size expression; if its value is not 0, ``serial`` is ignored.
    workspace: start of the kernel's workspace, in bytes from the start of the arena; by default,
    the workspace follows all buffers.
    sizes: the values of the kernel's size parameters, in the order in which the kernel lists them.
    """

    name = "packed.call"
    callee = prop_def(FlatSymbolRefAttrConstr)
    when = opt_prop_def(DimsAttr)
    serial = opt_prop_def(UnitAttr)
    unless = opt_prop_def(DimsAttr)
    workspace = opt_prop_def(IntegerAttr.constr(i64))
    sizes_attr = opt_prop_def(DimsAttr, prop_name="sizes")
    arguments = var_operand_def()
    res = var_result_def(TensorType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (CallSizes,)
    assembly_format = (
        "(`when` $when^)? (`serial` $serial^)? (`unless` $unless^)? $callee `(` $arguments `)` "
        "custom<CallSizes>($sizes) "
        "(`workspace` `at` $workspace^)? attr-dict `:` functional-type($arguments, $res)"
    )

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        results: Sequence[Attribute] = (),
        *,
        serial: bool = False,
        unless: DimsAttr | None = None,
        sizes: Sequence[Dim] = (),
        when: Dim | None = None,
    ) -> None:
        super().__init__(
            operands=[list(arguments)],
            result_types=[list(results)],
            properties={
                "callee": SymbolRefAttr(callee),
                "when": None if when is None else DimsAttr((when,)),
                "serial": UnitAttr() if serial else None,
                "unless": unless,
                "sizes": DimsAttr(tuple(sizes)) if sizes else None,
            },
        )

    @property
    def sizes(self) -> tuple[Dim, ...]:
        """The values of the kernel's size parameters."""
        return () if self.sizes_attr is None else self.sizes_attr.data

    def pass_constant(self, position: int, constant: ConstantOp) -> None:
        """Pass a constant as argument number ``position``, in place of another constant.

        The other constant is erased if nothing else uses it.
        """
        old = self.arguments[position].owner
        assert isinstance(old, ConstantOp), "the argument is constant"
        self.operands[position] = constant.res
        if not old.res.uses:
            Rewriter.erase_op(old)

    @property
    def condition(self) -> Dim:
        """A size expression that is 1 if the kernel runs and 0 if not.

        It is the constant 1 for a call without ``when``.
        """
        return Dim.const(1) if self.when is None else self.when.data[0]

    @property
    def kernel_name(self) -> str:
        """The name of the called kernel."""
        return self.callee.root_reference.data


@irdl_op_definition
class ExternOp(IRDLOperation):
    """Call of a packed function, which the process registers by name, with tensors or buffers.

    pattern: the arguments of the function in order. Each is the number of a tensor (inputs are
    numbered first, then the outputs, which the function fills), a size, or a literal integer,
    float, bool or string.  dtypes: the names of the tensors' dtypes, which include signedness.
    first_output: the number of inputs.
    Errors: TypeMismatch if a tensor number is out of range, or there is not one dtype per tensor.
    """

    name = "packed.extern"
    callee = prop_def(StringAttr)
    pattern = prop_def(ArrayAttr)
    dtypes = prop_def(ArrayAttr[StringAttr])
    first_output = prop_def(IntAttr)
    arguments = var_operand_def()
    res = var_result_def(TensorType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$callee `(` $arguments `)` `with` $pattern `of` $dtypes `from` $first_output attr-dict "
        "`:` functional-type($arguments, $res)"
    )

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        pattern: Sequence[Attribute],
        dtypes: Sequence[str],
        results: Sequence[Attribute] = (),
        *,
        first_output: int | None = None,
    ) -> None:
        super().__init__(
            operands=[list(arguments)],
            result_types=[list(results)],
            properties={
                "callee": StringAttr(callee),
                "pattern": ArrayAttr(pattern),
                "dtypes": ArrayAttr([StringAttr(d) for d in dtypes]),
                "first_output": IntAttr(len(arguments) if first_output is None else first_output),
            },
        )

    @property
    def function_name(self) -> str:
        """The name of the called function."""
        return self.callee.data

    @property
    def dtype_names(self) -> tuple[str, ...]:
        """The names of the dtypes of the tensors."""
        return tuple(d.data for d in self.dtypes)

    def on_buffers(self, buffers: Sequence[SSAValue]) -> ExternOp:
        """Return the same call with buffers in place of all tensors."""
        inputs = self.first_output.data
        return ExternOp(
            self.function_name, buffers, self.pattern.data, self.dtype_names, first_output=inputs
        )

    def verify_(self) -> None:
        count = len(self.arguments) + len(self.res)
        if len(self.dtypes) != count:
            raise TypeMismatch(
                "the number of dtypes is not the number of tensors",
                expected=count,
                got=len(self.dtypes),
                hint="give one dtype per tensor",
            ).at(self)
        for each in self.pattern:
            if isinstance(each, IntAttr) and not 0 <= each.data < count:
                raise TypeMismatch(
                    "an argument names a tensor that is not an operand",
                    expected=f"0..{count - 1}",
                    got=each.data,
                    hint="pass a number of a tensor operand",
                ).at(self)


@irdl_op_definition
class BindOp(IRDLOperation):
    """Binding of symbols to the elements of an i64 tensor; later ops use the symbols as sizes.

    After each symbol a new stage of the main function begins: the table of sizes gets the value of
    the symbol and of all sizes that depend on it, and buffers of these sizes get memory.
    Errors: TypeMismatch if x does not hold one i64 per size.
    """

    name = "packed.bind"

    x = operand_def(TensorType | MemRefType)
    dims_attr = prop_def(DimsAttr, prop_name="dims")
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$x `as` $dims attr-dict `:` type($x)"

    def __init__(self, x: SSAValue, dims: Sequence[Dim | str]) -> None:
        super().__init__(operands=[x], properties={"dims": DimsAttr.of(dims)})

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The symbols, or their values after specialization to constant sizes."""
        return self.dims_attr.data

    def on_buffers(self, x: SSAValue) -> BindOp:
        """Return the same op with a buffer as its operand."""
        return BindOp(x, self.dims)

    def verify_(self) -> None:
        x = cast("TensorType | MemRefType", self.x.type)
        if x.get_element_type() != i64 or prod(x.get_shape()) != len(self.dims):
            raise TypeMismatch(
                "x does not hold one i64 per size",
                expected=f"{len(self.dims)} elements of i64",
                got=x,
                hint="give one integer per size",
            ).at(self)


@irdl_op_definition
class CheckIndicesOp(IRDLOperation):
    """Run-time check that every element of x is an index in 0..size-1.

    sizes: one size for all elements, or one size per element of the last axis.  bounds: a tensor of
    data-dependent sizes that replace ``sizes``.  wraps: indices from -size to -1 are valid, too.
    place: names the operator that uses the indices, for the message.
    Range: after the op, every element of x is in the checked range, as for graph.check_indices.
    Errors: TypeMismatch if the elements of x are not i32 or i64, or if the number of sizes is
    neither 1 nor the size of the last axis.
    """

    name = "packed.check_indices"

    x = operand_def(TensorType | MemRefType)
    bounds = opt_operand_def(TensorType | MemRefType)
    sizes_attr = prop_def(DenseArrayBase.constr(i64) | BaseAttr(DimsAttr), prop_name="sizes")
    wraps_attr = opt_prop_def(UnitAttr, prop_name="wraps")
    place_attr = prop_def(StringAttr, prop_name="place")
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (SizeList,)
    assembly_format = (
        "$x `below` custom<SizeList>($sizes) (`or` $bounds^ `:` type($bounds))? "
        "(`wraps` $wraps^)? `of` $place attr-dict `:` type($x)"
    )

    def __init__(
        self,
        x: SSAValue,
        sizes: Sequence[Extent],
        place: str,
        *,
        wraps: bool = False,
        bounds: SSAValue | None = None,
    ) -> None:
        super().__init__(
            operands=[x, [] if bounds is None else [bounds]],
            properties={
                "sizes": sizes_attr(sizes),
                "wraps": UnitAttr() if wraps else None,
                "place": StringAttr(place),
            },
        )

    @property
    def sizes(self) -> tuple[Extent, ...]:
        """The exclusive upper bounds of the indices; with ``bounds``, their largest values."""
        return sizes_of(self.sizes_attr)

    @property
    def wraps(self) -> bool:
        """Whether negative indices count from the end."""
        return self.wraps_attr is not None

    @property
    def place(self) -> str:
        """The name of the operator that uses the indices."""
        return self.place_attr.data

    def on_buffers(self, x: SSAValue, bounds: SSAValue | None = None) -> CheckIndicesOp:
        """Return the same check with buffers as operands.

        x: the buffer of the indices.  bounds: the buffer of the data-dependent sizes, if there is
        one.
        """
        return CheckIndicesOp(x, self.sizes, self.place, wraps=self.wraps, bounds=bounds)

    def verify_(self) -> None:
        x = cast("TensorType | MemRefType", self.x.type)
        count = len(self.sizes)
        if x.get_element_type() not in (i32, i64):
            raise TypeMismatch(
                "an index tensor must be i32 or i64", got=x, hint="insert graph.cast"
            ).at(self)
        if count != 1 and x.get_shape()[-1:] != (count,):
            raise TypeMismatch(
                "the number of sizes is neither 1 nor the number of columns",
                expected=x,
                got=count,
                hint="give one size, or one per column",
            )
        if self.bounds is None:
            return
        bounds = cast("TensorType | MemRefType", self.bounds.type)
        if (bounds.get_element_type(), bounds.get_shape()) != (i64, (count,)):
            raise TypeMismatch(
                "the bounds are not one i64 per size",
                expected=count,
                got=bounds,
                hint="give one i64 per size",
            )


@irdl_op_definition
class SectionsOp(IRDLOperation):
    """Independent kernel calls whose tasks all run as one parallel loop.

    Valid only after bufferization; the region contains only calls.
    """

    name = "packed.sections"
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    assembly_format = "$body attr-dict"

    def __init__(self, calls: Sequence[CallOp]) -> None:
        super().__init__(regions=[Region(Block(calls))])

    @property
    def calls(self) -> tuple[CallOp, ...]:
        """The calls, in program order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, CallOp))

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if not isinstance(op, CallOp) or op.res:
                raise TypeMismatch(
                    "a section may hold only calls in buffer form",
                    got=op.name,
                    hint="bufferize first (te-bufferize), or move the op out of the section",
                ).at(self)


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy of a contiguous buffer to another buffer of the same type."""

    name = "packed.copy"
    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$source `to` $target attr-dict `:` type($source) `,` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue) -> None:
        super().__init__(operands=[source, target])


@irdl_op_definition
class ConcatOp(IRDLOperation):
    """Concatenation of tensors along an axis; after bufferization, into the buffer ``target``.

    appends: the first operand may already be the start of the target in memory; in this case it is
    not copied.
    Errors: TypeMismatch if the result is not the concatenation of the operands along the axis.
    """

    name = "packed.concat"
    axis_attr = prop_def(IntegerAttr.constr(i64), prop_name="axis")
    appends = opt_prop_def(UnitAttr)
    xs = var_operand_def(TensorType | MemRefType)
    target = opt_operand_def(MemRefType)
    res = opt_result_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "(`append` $appends^)? $xs `along` $axis (`to` $target^ `:` type($target))? `of` type($xs) "
        "(`:` type($res)^)? attr-dict"
    )

    def __init__(
        self,
        xs: Sequence[SSAValue],
        axis: int,
        out: SSAValue | Attribute,
        *,
        appends: bool = False,
    ) -> None:
        is_buffer = isinstance(out, SSAValue)
        super().__init__(
            operands=[list(xs), [out] if is_buffer else []],
            properties={
                "axis": IntegerAttr(axis, i64),
                "appends": UnitAttr() if appends else None,
            },
            result_types=[[] if is_buffer else [out]],
        )

    @property
    def axis(self) -> int:
        """The axis along which the operands are concatenated."""
        return self.axis_attr.value.data

    @property
    def shapes(self) -> list[tuple[Dim, ...]]:
        """The shapes of the operands."""
        return [dims_of(cast("TensorType | MemRefType", x.type)) for x in self.xs]

    def verify_(self) -> None:
        out = self.target or self.res
        if out is None or not self.xs or (self.target and self.res):
            raise TypeMismatch(
                "a concat needs operands, and a target or a result",
                got=len(self.operands),
                hint="give at least one operand, and a target or a result",
            ).at(self)
        if self.appends is not None and (self.axis or len(self.xs) != 2):
            raise TypeMismatch(
                "an appending concat has two operands along axis 0",
                got=f"{len(self.xs)} operands along axis {self.axis}",
                hint="leave out append",
            ).at(self)
        types = [cast("TensorType | MemRefType", x.type) for x in (out, *self.xs)]
        shapes = [list(dims_of(each)) for each in types]
        if not 0 <= self.axis < len(shapes[0]) or len({len(shape) for shape in shapes}) > 1:
            raise TypeMismatch(
                "the axis is not an axis of the operands",
                got=self.axis,
                hint="choose an axis from 0 to the rank - 1",
            ).at(self)
        whole, *sizes = (shape.pop(self.axis) for shape in shapes)
        kinds = {each.get_element_type() for each in types}
        total = sum(sizes, Dim.const(0))
        if whole != total or len(kinds) > 1 or any(shape != shapes[0] for shape in shapes):
            raise TypeMismatch(
                "the result is not the concatenation of the operands",
                expected=f"{total} along axis {self.axis}",
                got=types[0],
                hint=f"make the result {total} long along axis {self.axis}",
            ).at(self)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """A contiguous tensor or buffer, or its first elements, in another shape without a copy."""

    name = "packed.view"
    x = operand_def(TensorType | MemRefType)
    res = result_def(TensorType | MemRefType)
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($res)"

    def __init__(self, x: SSAValue, type_: Attribute) -> None:
        super().__init__(operands=[x], result_types=[type_])
