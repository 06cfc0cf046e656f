"""sched.script and the base class of its steps: handles, parameters, textual syntax.

A step is ``%results = sched.<name> %handles {param = value, ...}``; steps.py lists the steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import (
    Attribute,
    Block,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from ...support.diagnostics import ScheduleError
from ..names import parse_key, quoted_among

Param: TypeAlias = "int | str | list[Param] | AffineMapAttr"
"""The value of a parameter of a step: integer, name, list, or affine map."""


@irdl_attr_definition
class HandleType(ParametrizedAttribute, TypeAttribute):
    """Type of handles; a handle refers to computes or loops of the scheduled kernel."""

    name = "sched.handle"


HANDLE = HandleType()


@irdl_op_definition
class ScriptOp(IRDLOperation):
    """The schedule of the kernel with the same name.

    digest: identifies the kernel by its structure; printed as ``of "..."``, see te-match-schedules.
    """

    name = "sched.script"
    kernel = prop_def(StringAttr)
    digest = opt_prop_def(StringAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(
        self, kernel: str, steps: Sequence[StepOp] = (), *, digest: str | None = None
    ) -> None:
        super().__init__(
            properties={
                "kernel": StringAttr(kernel),
                "digest": None if digest is None else StringAttr(digest),
            },
            regions=[Region(Block(list(steps)))],
        )

    @property
    def kernel_name(self) -> str:
        """The name of the kernel to schedule."""
        return self.kernel.data

    @property
    def steps(self) -> list[StepOp]:
        """The steps in order."""
        return [cast(StepOp, op) for op in self.body.block.ops]

    @property
    def intrinsics(self) -> list[str]:
        """The names of the intrinsics that the steps use."""
        params = [step.arguments() for step in self.steps]
        return list(dict.fromkeys(str(p["intrinsic"]) for p in params if "intrinsic" in p))

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if not isinstance(op, StepOp):
                raise ScheduleError(
                    "a script may hold only schedule steps",
                    got=op.name,
                    where=f"@{self.kernel_name}",
                    hint="move other ops out of the script",
                )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.kernel_name)
        if self.digest is not None:
            printer.print_string(" of ")
            printer.print_string_literal(self.digest.data)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> ScriptOp:
        properties: dict[str, Attribute] = {"kernel": parser.parse_symbol_name()}
        if parser.parse_optional_keyword("of"):
            properties["digest"] = StringAttr(parser.parse_str_literal())
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        return cls.create(properties=properties, regions=[body])


def encode_param(value: Param) -> Attribute:
    """Return the attribute of a parameter value."""
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, list):
        return ArrayAttr([encode_param(v) for v in value])
    return value


def decode_param(value: Attribute) -> Param:
    """Return the Python value of a parameter attribute."""
    if isinstance(value, IntegerAttr):
        return value.value.data
    if isinstance(value, StringAttr):
        return value.data
    if isinstance(value, ArrayAttr):
        return [decode_param(v) for v in cast("ArrayAttr[Attribute]", value)]
    return cast(AffineMapAttr, value)


class StepOp(IRDLOperation):
    """A schedule step: ``%results = sched.<name> %handles {param = value, axis = value, ...}``.

    params: the parameters that have fixed names (options).  by_axis: the parameters that are named
    after axes.  An axis that has the name of an option is printed in quotes: ``sched.tile %c {even
    = [even], "even" = 6}``.
    """

    handles = var_operand_def(HandleType)
    res = var_result_def(HandleType)
    params = prop_def(DictionaryAttr)
    by_axis = prop_def(DictionaryAttr)

    @classmethod
    def count_results(cls, params: Mapping[str, Param], axes: int) -> int:
        """Return the number of result handles of a step.

        params: the options of the step.  axes: the number of parameters that are named after axes.
        """
        return 1

    @classmethod
    def options(cls) -> tuple[str, ...]:
        """Return the names of the options; all other parameters are named after axes."""
        return ()

    @classmethod
    def make(
        cls, *handles: SSAValue, by_axis: Mapping[str, Param] | None = None, **params: Param
    ) -> StepOp:
        """Return a step with handles and parameters.

        by_axis: parameters named after axes; ``params`` may contain them, too, if no axis has the
        name of an option.
        """
        options = cls.options()
        axes = {k: v for k, v in params.items() if k not in options} | dict(by_axis or {})
        own = {k: v for k, v in params.items() if k in options}
        return cls(
            operands=[list(handles)],
            result_types=[[HANDLE] * cls.count_results(own, len(axes))],
            properties={"params": _encode_params(own), "by_axis": _encode_params(axes)},
        )

    def arguments(self) -> dict[str, Param]:
        """Return the options of this step, as Python values by name."""
        return {k: decode_param(v) for k, v in self.params.data.items()}

    def axis_arguments(self) -> dict[str, Param]:
        """Return the parameters that are named after axes, as Python values by axis."""
        return {k: decode_param(v) for k, v in self.by_axis.data.items()}

    def print(self, printer: Printer) -> None:
        if self.handles:
            printer.print_string(" ")
            printer.print_list(self.handles, printer.print_ssa_value)
        words = self.options()
        axes = [(quoted_among(k, words), v) for k, v in self.by_axis.data.items()]
        options = self.params.data.items()
        last = [(k, v) for k, v in options if axes and isinstance(v, ArrayAttr)]
        entries = [*(o for o in options if o not in last), *axes, *last]
        if entries:
            printer.print_string(" {")
            for i, (key, value) in enumerate(entries):
                printer.print_string(f"{', ' if i else ''}{key} = ")
                _print_param(printer, value)
            printer.print_string("}")

    @classmethod
    def parse(cls, parser: Parser) -> StepOp:
        handles: list[SSAValue] = []
        while (operand := parser.parse_optional_unresolved_operand()) is not None:
            handles.append(parser.resolve_operand(operand, HANDLE))
            if not parser.parse_optional_punctuation(","):
                break
        params: dict[str, Param] = {}
        by_axis: dict[str, Param] = {}

        def entry() -> None:
            key, is_axis = parse_key(parser, "parameter")
            parser.parse_punctuation("=")
            (by_axis if is_axis or key not in cls.options() else params)[key] = _parse_param(parser)

        parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, entry)
        return cls.make(*handles, by_axis=by_axis, **params)


def _encode_params(params: Mapping[str, Param]) -> DictionaryAttr:
    return DictionaryAttr({k: encode_param(v) for k, v in params.items()})


def _print_param(printer: Printer, value: Attribute) -> None:
    if isinstance(value, IntegerAttr):
        printer.print_string(str(value.value.data))
    elif isinstance(value, StringAttr):
        printer.print_string(quoted_among(value.data, ("affine_map",)))
    elif isinstance(value, ArrayAttr):
        printer.print_string("[")
        printer.print_list(cast("ArrayAttr[Attribute]", value), lambda v: _print_param(printer, v))
        printer.print_string("]")
    else:
        printer.print_attribute(value)


def _parse_param(parser: Parser) -> Param:
    if (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
        return number
    values = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_param(parser)
    )
    if values is not None:
        return values
    word, is_quoted = parse_key(parser, "number, name, list or affine map")
    if is_quoted or word != "affine_map":
        return word
    parser.parse_punctuation("<")
    layout = AffineMapAttr(parser.parse_affine_map())
    parser.parse_punctuation(">")
    return layout
