"""The argument of a schedule primitive: parameters, ops of the handles, and errors of a step.

Primitives take a ``Step`` and return one list of ops per result handle.  They change computes in
place (``ComputeOp.update``), so handles of other steps stay valid.  ``copies`` records clones of
ops that other handles hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation

from ....dialects.loop import ForOp
from ....dialects.sched import Param, StepOp
from ....dialects.te import Access, ComputeOp, ComputeView, KernelOp, TensorOp
from ....dialects.te.verifier import accumulator_type, stores_accumulator
from ....support.diagnostics import ScheduleError
from ....support.names import Names
from .axes import is_pointwise

Handles: TypeAlias = Sequence[Sequence[Operation]]
"""The ops of each result handle of a step."""


@dataclass
class Step:
    """A step of a script with its handles resolved to ops: the argument of all primitives.

    op: the step.
    kernel: the kernel that it changes.
    handles: for each handle that the step takes, its ops.
    params: the step's options, by name.
    by_axis: the parameters that are named after axes, as in ``{m = 6}``.
    copies: for each op that the step copied, the copies.
    """

    op: StepOp
    kernel: KernelOp
    handles: list[list[Operation]]
    params: dict[str, Param]
    by_axis: dict[str, Param] = field(default_factory=dict[str, Param])
    copies: dict[Operation, list[Operation]] = field(
        default_factory=dict[Operation, list[Operation]]
    )
    _labels: Names | None = None
    _fresh_labels: dict[str, str] = field(default_factory=dict[str, str])

    def computes(self, position: int = 0) -> list[ComputeOp]:
        """Return the computes of the step's operand handle number ``position``.

        Errors: ScheduleError if the handle holds other ops.
        """
        ops = self.handles[position]
        for op in ops:
            if not isinstance(op, ComputeOp):
                what = "loops" if isinstance(op, ForOp) else "an op that is no compute"
                raise self.error(
                    f"handle {position} holds {what}", expected="computes", got=op.name
                )
        return cast("list[ComputeOp]", ops)

    def loops(self, position: int = 0) -> list[ForOp]:
        """Return the loops of the step's operand handle number ``position``.

        Errors: ScheduleError if the handle holds other ops.
        """
        ops = self.handles[position]
        for op in ops:
            if not isinstance(op, ForOp):
                raise self.error(f"handle {position} holds computes", expected="loops", got=op.name)
        return cast("list[ForOp]", ops)

    def only_compute(self, position: int = 0) -> ComputeOp:
        """Return the compute of the step's operand handle number ``position``.

        Errors: ScheduleError unless the handle holds exactly one compute.
        """
        computes = self.computes(position)
        if len(computes) != 1:
            raise self.error(
                "the handle holds one compute",
                got=f"{len(computes)} leaves of {', '.join({f'@{c.label}' for c in computes})}",
                hint="use the step before the compute is tiled or split",
            )
        return computes[0]

    def record_copy(self, op: Operation, copy: Operation) -> None:
        """Record that ``copy`` is a clone of an op, and so are all ops inside it."""
        for old, new in zip(op.walk(), copy.walk(), strict=True):
            self.copies.setdefault(old, []).append(new)

    def with_copies(self, ops: Sequence[Operation]) -> list[Operation]:
        """Return the given ops, each after the copies that this step made of the op."""
        return [o for op in ops for o in (*self.copies.get(op, ()), op)]

    def fresh_label(self, wanted: str) -> str:
        """Return a label for new computes, ``wanted`` if no op of the kernel has this label.

        Within one step, equal values of ``wanted`` give the same label, because all innermost
        computes (leaves) made from one compute share it.
        """
        if self._labels is None:
            ops = self.kernel.body.walk()
            self._labels = Names(op.label for op in ops if isinstance(op, TensorOp))
        if wanted not in self._fresh_labels:
            self._fresh_labels[wanted] = self._labels.fresh(wanted)
        return self._fresh_labels[wanted]

    def number(self, name: str, default: int | None = None) -> int:
        """Return the step's integer option ``name``, or ``default`` if the option is absent."""
        value = self.params.get(name, default)
        if not isinstance(value, int):
            raise self.error(f"parameter {name} is a number", expected=f"{name} = 4", got=value)
        return value

    def word(self, name: str, default: str | None = None) -> str:
        """Return the step's option ``name``, whose value is a word, or ``default`` if absent."""
        value = self.params.get(name, default)
        if not isinstance(value, str):
            raise self.error(f"parameter {name} is a name", expected=f"{name} = x", got=value)
        return value

    def words(self, name: str) -> list[str]:
        """Return the step's option ``name``, whose value is a list of names; empty if absent."""
        value = self.params.get(name, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.error(
                f"parameter {name} is a list of names", expected=f"{name} = [x, y]", got=value
            )
        return cast("list[str]", value)

    def new_axes(self, name: str, stem: str, count: int) -> list[str]:
        """Return the ``count`` axis names that the step's option ``name`` lists for a new compute.

        By default, the names are ``stem`` and a number: c0, c1, .. for the stem c.
        """
        names = self.words(name) or [f"{stem}{n}" for n in range(count)]
        if len(names) != count or len(set(names)) < count:
            raise self.error(
                f"parameter {name} names the axes of the new compute",
                expected=f"{count} different names",
                got=", ".join(names),
            )
        return names

    def layout(self, name: str) -> AffineMapAttr:
        """Return the step's option ``name``, whose value is an affine map."""
        value = self.params.get(name)
        if not isinstance(value, AffineMapAttr):
            raise self.error(
                f"parameter {name} is an affine map",
                expected=f"{name} = affine_map<(i, j) -> (j, i)>",
                got=value,
            )
        return value

    def sizes(self, minimum: int = 1) -> dict[str, int]:
        """Return the integer that the step gives for each axis that it names, such as ``{m = 6}``.

        Errors: ScheduleError for another value, and for an integer below ``minimum``.
        """
        sizes: dict[str, int] = {}
        for name, size in self.by_axis.items():
            if not isinstance(size, int):
                raise self.error(f"parameter {name} is a number", expected=f"{name} = 4", got=size)
            sizes[name] = size
            if size < minimum:
                raise self.error(
                    f"size of axis {name} is too small", expected=f"at least {minimum}", got=size
                )
        return sizes

    def only_size(self) -> tuple[str, int]:
        """Return the axis and the value of the only parameter that is named after an axis."""
        sizes = self.sizes()
        if len(sizes) != 1:
            raise self.error(
                "exactly one axis is given a size",
                expected="axis = 8",
                got=", ".join(sizes) or "none",
            )
        return next(iter(sizes.items()))

    def extent(self, view: ComputeView, axis: str) -> int:
        """Return the extent of the axis named ``axis`` of the compute ``view``.

        Errors: ScheduleError if the compute has no such axis; SymbolicSize if the extent is known
        only at run time.
        """
        self.require_axis(view, axis)
        return view.extents[axis]

    def require_axis(self, view: ComputeView, axis: str) -> None:
        """Raise ScheduleError if ``axis`` is not the name of an axis of the compute ``view``."""
        if axis not in view.axes:
            raise self.error(
                f"@{view.name} has no axis {axis}", expected=f"one of {', '.join(view.axes)}"
            )

    def require_unscanned(
        self, view: ComputeView, axis: str, legal: Iterable[str] | None = None
    ) -> None:
        """Raise ScheduleError if ``axis`` is the axis along which ``view`` is scanned.

        legal: the axes that the error names as allowed; by default all others.
        """
        if axis == view.scan:
            others = [a for a in view.axes if a != axis] if legal is None else list(legal)
            raise self.error(
                f"axis {axis} of @{view.name} is scanned in order",
                expected=f"one of {', '.join(others) or 'none'}",
            )

    def require_elementwise(self, view: ComputeView, hint: str) -> None:
        """Raise ScheduleError, with a hint, unless the compute ``view`` is elementwise."""
        if not is_pointwise(view):
            raise self.error(
                f"@{view.name} is not elementwise",
                expected="one stored output, nothing reduced or scanned",
                hint=hint,
            )

    def require_reduced(self, view: ComputeView, axis: str, hint: str) -> None:
        """Raise ScheduleError unless ``axis`` is a reduced axis of the compute ``view``.

        hint: the hint of the error.
        """
        self.require_axis(view, axis)
        reduced = view.reduced_axes()
        if axis not in reduced:
            raise self.error(
                f"axis {axis} of @{view.name} is not reduced",
                expected=f"one of {', '.join(reduced) or 'none'}",
                hint=hint,
            )

    def require_no_register_tile(self, view: ComputeView) -> None:
        """Raise ScheduleError if the register tile of the compute ``view`` is declared."""
        if view.register_tile:
            raise self.error(
                f"the register tile of @{view.name} is declared",
                hint=f"use {self.name} before vectorize",
            )

    def require_initialized(self, view: ComputeView, outputs: Sequence[Access]) -> None:
        """Raise ScheduleError if a reduction adds to stored values instead of an initial value.

        view: the compute.  outputs: those of its outputs that are checked.
        """
        if any(o.reduces and o.init is None for o in outputs):
            raise self.error(
                f"@{view.name} continues from memory",
                expected="a compute that starts from an initial value",
                hint=f"use {self.name} before split_reduction or decompose_reduction",
            )

    def require_stored_accumulator(self, view: ComputeView, output: Access, hint: str) -> None:
        """Raise ScheduleError if an output and its accumulator have different types.

        view: the compute.  hint: the hint of the error.
        """
        if not stores_accumulator(output):
            raise self.error(
                f"@{view.name} accumulates in another type than it stores",
                expected=accumulator_type(output),
                got=output.element_type,
                hint=hint,
            )

    def error(
        self, rule: str, *, expected: object = None, got: object = None, hint: str = ""
    ) -> ScheduleError:
        """Return a ScheduleError about this step.

        rule: the violated rule, the first line of the message.  expected, got: what the step needs
        and what it found.
        """
        return ScheduleError(rule, expected=expected, got=got, hint=hint, where=self.where)

    @property
    def name(self) -> str:
        """The name of the step in messages: its op's name without the prefix ``sched.``."""
        return self.op.name.removeprefix("sched.")

    @property
    def where(self) -> str:
        """The location of the step in messages."""
        return f"{self.op.name} in @{self.kernel.label}"


def divisors_near(extent: int, wanted: int, count: int = 4) -> str:
    """Return the ``count`` divisors of an extent that are nearest to ``wanted``, as text."""
    divisors = [d for d in range(1, extent + 1) if extent % d == 0]
    near = sorted(divisors, key=lambda d: (abs(d - wanted), d))[:count]
    return ", ".join(map(str, sorted(near)))
