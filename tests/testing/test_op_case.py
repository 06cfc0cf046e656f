"""An op that is wrong at one level is detected at that level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, TensorType, f64
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from tilewright.dialects.graph import MulOp
from tilewright.dialects.graph.base import GraphOp
from tilewright.dialects.shape import type_of
from tilewright.dialects.te.build import ComputeResult, read
from tilewright.interp.graph import EvaluatedBy
from tilewright.lowering.graph_to_te.builder import LoweredBy, axes_of, element_of
from tilewright.machines.target import Target
from tilewright.support.diagnostics import UnsupportedOp
from tilewright.testing.native import Native
from tilewright.testing.op_case import (
    OpCase,
    check_interpreter,
    check_op,
    check_te,
    check_text,
    float_input,
)

HERE = __name__


def lower_as(scale: float):
    """Return a lowering to x * scale."""

    def lower(op, builder):
        axes = axes_of(op.x)
        inputs = [read(builder.value(op.x), [*axes])]
        result = ComputeResult(tuple(axes), element_of(op.x))
        return builder.compute(
            "scaled", axes, inputs, result, lambda s, x: s.mul(x, s.like(scale, x))
        )

    return lower


class Scaled(GraphOp):
    """x times a number."""

    x = operand_def(TensorType)
    out = result_def(TensorType)

    def __init__(self, x: SSAValue) -> None:
        super().__init__(operands=(x,), result_types=(x.type,))

    def inferred_types(self):
        return (type_of(self.x),)


TWICE = EvaluatedBy(lambda op, arrays, sizes: (2 * arrays[0],))


@irdl_op_definition
class TwiceOp(Scaled):
    name = "own.twice"
    traits = traits_def(Pure(), TWICE, LoweredBy(lower_as(2)))
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"


@irdl_op_definition
class WrongDefinitionOp(Scaled):
    name = "own.wrong_definition"
    traits = traits_def(Pure(), TWICE, LoweredBy(lower_as(3)))
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"


@irdl_op_definition
class UndefinedOp(Scaled):
    name = "own.undefined"
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"


@irdl_op_definition
class ForgetfulOp(Scaled):
    """An op that prints too little to parse back."""

    name = "own.forgetful"
    factor = prop_def(FloatAttr.constr(f64))
    traits = traits_def(Pure(), TWICE, LoweredBy(lower_as(2)))

    def __init__(self, x: SSAValue) -> None:
        GraphOp.__init__(
            self, operands=(x,), result_types=(x.type,), properties={"factor": FloatAttr(2.0, f64)}
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.x)
        printer.print_string(" : ")
        printer.print_attribute(self.x.type)

    @classmethod
    def parse(cls, parser: Parser):
        x = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        made = cls(parser.resolve_operand(x, parser.parse_type()))
        made.properties["factor"] = FloatAttr(1.0, f64)
        return made


OWN = Dialect("own", [TwiceOp, WrongDefinitionOp, UndefinedOp, ForgetfulOp])
TWO = OpCase(
    "twice", TwiceOp, (float_input(3, 5),), lambda x: x + x, dialects={"own": f"{HERE}:OWN"}
)


def test_an_op_of_another_package_passes_at_every_level_above_machine_code() -> None:
    for check in (check_text, check_interpreter, check_te):
        check(TWO)


def test_a_wrong_truth_is_found_by_the_interpreter() -> None:
    with pytest.raises(AssertionError):
        check_interpreter(replace(TWO, reference=np.square))


def test_a_wrong_definition_is_found_in_te() -> None:
    case = replace(TWO, build=WrongDefinitionOp)
    check_interpreter(case)
    with pytest.raises(AssertionError):
        check_te(case)


def test_an_op_without_meaning_is_an_error() -> None:
    case = replace(TWO, build=UndefinedOp)
    with pytest.raises(UnsupportedOp, match="does not know this op"):
        check_interpreter(case)


def test_text_that_loses_something_is_found() -> None:
    with pytest.raises(AssertionError, match="parses back different"):
        check_text(replace(TWO, build=ForgetfulOp))


def test_an_op_of_this_package_passes_on_the_host_and_compiles_for_another_machine() -> None:
    inputs = (float_input(3, 5), float_input(3, 5))
    case = OpCase("mul", MulOp, inputs, np.multiply)
    check_op(case, targets=[None, Target("llvm -mcpu=x86-64")])
    with pytest.raises(AssertionError):
        check_op(replace(case, reference=np.add))


def test_a_dialect_that_the_worker_cannot_import_is_an_error() -> None:
    module, _ = TWO.function()
    with Native() as native, pytest.raises(ModuleNotFoundError, match="no_such_module"):
        native(module, TWO.arrays(), str(Target.native()), {"own": "no_such_module:OWN"})
