"""Programs with independent rows, for any number of rows.

    n = te.var("n")
    A = te.placeholder((n, 64), name="A")

If every tensor with rows computes a row from the same row of such tensors and from tensors of fixed
sizes, code for blocks of rows works for any number of rows.  ``row_program`` checks this condition;
``with_rows`` makes a program for another number of rows.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.packed import CallOp, ConstantOp, ViewOp
from ...dialects.te import Access, ComputeOp, ComputeView, KernelOp, kernels_of
from ...dialects.te import ReturnOp as KernelReturnOp
from ...support.diagnostics import TilewrightError, TypeMismatch
from ...support.entry import entry_of
from ...support.rewriting import swap_op
from .binding import bound
from .program import Signature

_LOG = logging.getLogger("tilewright.frontend")

PROBES = (10_000_019, 10_000_080)
"""Numbers of rows for which a program is described to test whether rows are independent.

Large, so that folding applies only if valid for every number; different modulo all small numbers.
"""


@dataclass(frozen=True)
class RowProgram:
    """A program whose rows are independent.

    size: name of the number of rows.  module: the program for ``rows`` rows.  is_input,
    is_output: which inputs and outputs have rows; the others have fixed sizes.
    """

    size: str
    module: ModuleOp
    rows: int
    is_input: Sequence[bool]
    is_output: Sequence[bool]

    def of_rows(self, rows: int) -> ModuleOp:
        """Return the program for another number of rows.

        Errors: TypeMismatch for a compute that mixes rows, or depends on their number.
        """
        module = self.module.clone()
        with_rows(module, self.is_input, self.is_output, rows=rows, given=self.rows)
        return module


def row_program(signature: Signature, describe: Callable[[], ModuleOp]) -> RowProgram | None:
    """Return a program for any number of rows; None if its rows are not independent.

    signature: a signature with dynamic sizes.  describe: returns the program for the current sizes.
    """
    name = _name_of_rows(signature)
    if name is None:
        return None
    is_input, is_output = (
        [t.rows is not None for t in tensors] for tensors in (signature.inputs, signature.outputs)
    )
    try:
        first, other = (_probed(describe, name, rows) for rows in PROBES)
        found = RowProgram(name, first, PROBES[0], is_input, is_output)
        if not found.of_rows(PROBES[1]).is_structurally_equivalent(other):
            raise TypeMismatch(f"more than the number of rows depends on {name}")
    except TilewrightError as err:
        _LOG.info("compiled for each %s: %s", name, err)
        return None
    return found


def _name_of_rows(signature: Signature) -> str | None:
    """Return the only dynamic size of a program, if it is the first size of some inputs."""
    opened = [t for t in signature.arguments if t.recipe is not None]
    names = {name for t in opened for name in (t.recipe.names if t.recipe else ())}
    has_rows = all(t.rows is not None for t in opened) and any(
        t.rows is not None for t in signature.inputs
    )
    return min(names) if len(names) == 1 and has_rows else None


def _probed(describe: Callable[[], ModuleOp], name: str, rows: int) -> ModuleOp:
    with bound({name: rows}) as binding:
        module = describe()
    if binding.counted:
        raise TypeMismatch(f"{name} is used as a number in an expression")
    return module


def with_rows(
    module: ModuleOp, is_sized: Sequence[bool], results: Sequence[bool], *, rows: int, given: int
) -> None:
    """Set the number of rows of main's arguments marked in is_sized, and of dependent values.

    results: which results have rows.  given: the number of rows so far.
    Errors: TypeMismatch for a compute that mixes rows, or depends on their number.
    """
    main = entry_of(module)
    kernels = {kernel.label: kernel for kernel in kernels_of(module)}
    block = main.body.block
    found = _Rows(kernels, rows, given)
    found.start(block, is_sized)
    found.block(block)
    last = cast(ReturnOp, block.last_op)
    for number, (value, wanted) in enumerate(zip(last.operands, results, strict=True)):
        if (value in found.sized) != wanted:
            raise TypeMismatch(
                f"output {number} of {'a' if wanted else 'no'} run-time size does not follow from "
                "the inputs",
                expected=f"{'one' if wanted else 'no'} input of that size behind it",
            )
    main.update_function_type()


@dataclass
class _Rows:
    """The rewrite of a program from ``given`` to ``rows`` rows; sized: the values with rows."""

    kernels: dict[str, KernelOp]
    rows: int
    given: int

    def __post_init__(self) -> None:
        self.sized: set[SSAValue] = set()

    def start(self, block: Block, is_sized: Sequence[bool]) -> None:
        """Set the number of rows of the marked arguments of a block."""
        for argument, wanted in zip(list(block.args), is_sized, strict=True):
            if wanted:
                type_ = _with_rows(argument.type, self.rows)
                self.sized.add(Rewriter.replace_value_with_new_type(argument, type_))

    def block(self, block: Block) -> None:
        """Set the number of rows of each op in a block whose operands have this number."""
        for op in list(block.ops):
            match op:
                case ComputeOp():
                    self._compute(op)
                case CallOp():
                    self._call(op)
                case ConstantOp() | ReturnOp() | KernelReturnOp():
                    pass
                case _:
                    if any(v in self.sized for each in op.walk() for v in each.operands):
                        raise TypeMismatch(
                            "it does not work on a run-time number of rows",
                            expected="te.computes that work row by row",
                            got=op.name,
                            hint="give its operands fixed sizes" if isinstance(op, ViewOp) else "",
                        ).at(op)

    def _call(self, op: CallOp) -> None:
        is_sized = [v in self.sized for v in op.arguments]
        if not any(is_sized):
            return
        kernel = self.kernels[op.kernel_name]
        self.start(kernel.body.block, is_sized)
        self.block(kernel.body.block)
        kernel.update_function_type()
        end = cast(KernelReturnOp, kernel.body.block.last_op)
        made = CallOp(op.kernel_name, list(op.arguments), [v.type for v in end.values])
        new = swap_op(op, made)
        for value, result in zip(end.values, new.res, strict=True):
            if value in self.sized:
                self.sized.add(result)

    def _compute(self, op: ComputeOp) -> None:
        view = op.view()
        axis = self._sized_axis(view)
        if axis is None:
            return
        for access in view.reads:
            if access.value not in self.sized and _first_axis(access) == axis:
                self._repeat(access.value)
        view = op.view()
        self._check_reads(view, axis)
        self._resize(op, view, axis)

    def _repeat(self, value: SSAValue | None) -> None:
        """Set the number of rows of a compute with equal rows, such as a broadcast number."""
        op = None if value is None else value.owner
        if not isinstance(op, ComputeOp):
            return
        view = op.view()
        axis = _first_axis(view.outputs[0])
        if axis is not None and not any(axis in access.axes() for access in view.reads):
            self._resize(op, view, axis)

    def _resize(self, op: ComputeOp, view: ComputeView, axis: str) -> None:
        outputs: list[Access] = []
        for output in view.outputs:
            if _first_axis(output) != axis:
                _refuse(view, f"axis {axis} has the size", f"results whose first axis is {axis}")
            outputs.append(replace(output, result_type=_with_rows(output.type, self.rows)))
        if view.scan == axis:
            _refuse(view, f"it scans axis {axis}, which has the size")
        sized = replace(view, axes={**view.extents, axis: self.rows}, outputs=outputs)
        new = swap_op(op, ComputeOp.from_view(sized))
        self.sized |= set(new.res)

    def _sized_axis(self, view: ComputeView) -> str | None:
        """Return the axis that runs over the rows."""
        axes: set[str] = set()
        for access in view.reads:
            if access.value not in self.sized:
                continue
            if access.indices is None:
                _refuse(view, "it reads rows at computed positions")
            axis = _first_axis(access)
            if axis is None:
                shown = ", ".join(map(str, access.indices or []))
                _refuse(view, "it reads another row than that of its result", got=f"[{shown}]")
            elif view.extents[axis] != self.given:
                _refuse(
                    view,
                    f"axis {axis} has a fixed extent, but reads rows",
                    got=f"{view.extents[axis]}",
                )
            else:
                axes.add(axis)
        if len(axes) > 1:
            _refuse(view, f"axes {', '.join(sorted(axes))} both have the size", "one of them")
        return next(iter(axes), None)

    def _check_reads(self, view: ComputeView, axis: str) -> None:
        for access in view.reads:
            sized = access.value in self.sized
            others = (access.indices or [])[1:] if sized else access.indices or []
            if any(axis in set(e.variables()) for e in others):
                what = (
                    "its values depend on the number of a row"
                    if access.is_index
                    else ("a tensor of fixed size is read at rows of the run-time size")
                )
                _refuse(view, what)


def _first_axis(access: Access) -> str | None:
    """Return the axis that is the first index of an access; None if that is not one axis alone."""
    axis = access.indices[0].variable() if access.indices else None
    return axis if isinstance(axis, str) else None


def _refuse(view: ComputeView, rule: str, expected: str = "", got: str = "") -> None:
    raise TypeMismatch(
        f"te.compute @{view.name}: {rule}",
        expected=expected or "each row from the same row of what has the size",
        got=got,
    )


def _with_rows(type_: Attribute, rows: int) -> TensorType[Attribute]:
    assert isinstance(type_, TensorType), f"not a tensor: {type_}"
    return TensorType(type_.get_element_type(), (rows, *type_.get_shape()[1:]))
