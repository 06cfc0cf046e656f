"""The float rows of the op cases: each case with each float result, in any float type.

A row is differentiated with respect to all float operands, with a random cotangent of its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.shape import type_of
from tilewright.gradient.graph_gradient import append_gradients
from tilewright.interp.program import interpret
from tilewright.support.blocks import terminator
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.testing.fuzz.gradients import FLOATS, with_floats

from ..ops.case import Array, OpCase, np_dtype
from ..ops.cases import CASES

DTYPES = frozenset(FLOATS.values())
"""The dtypes in which gradients are computed."""


REFUSED = {
    "loop*": "without a constant limit",
    "while": "data-dependent size",
    "unique_*": "data-dependent size",
}
"""The cases without a gradient, with a part of the reason."""


def retyped(module: ModuleOp, element: str) -> ModuleOp:
    """Return a program with one float type in the place of the others."""
    made = Parser(new_context(), with_floats(str(module), element)).parse_module()
    made.verify()
    return made


def program(case: OpCase, element: str) -> ModuleOp:
    """Return the program of a case whose floats have a given type.

    If the op fixes the type of a statistic or a weight, only the other floats have the given type.
    Errors: TilewrightError if the op is not defined on the type.
    """
    try:
        return retyped(case.function()[0], element)
    except TilewrightError:
        narrow = any(i.dtype == "float16" for i in case.inputs) and element != "f64"
    old, name = {"float16"} if narrow else {d.name for d in DTYPES}, FLOATS[element].name
    inputs = [replace(i, dtype=name) if i.dtype in old else i for i in case.inputs]
    module, _ = replace(case, inputs=tuple(inputs)).function()
    module.verify()
    return module


def argument_dtypes(module: ModuleOp) -> list[np.dtype]:
    """Return the dtypes of the arguments of a program."""
    return [numpy_dtype(type_of(value).element_type) for value in entry_of(module).args]


def result_dtypes(module: ModuleOp) -> list[np.dtype]:
    """Return the dtypes of the results of a program."""
    ends = terminator(entry_of(module).body.block, ReturnOp)
    return [numpy_dtype(type_of(value).element_type) for value in ends.operands]


def values(case: OpCase, module: ModuleOp) -> list[Array]:
    """Return operands for the program of a case, moved away from ties and steps of its points."""
    rng = np.random.default_rng(5)
    return [
        (a.astype(np.float64) + 1e-3 * rng.standard_normal(a.shape)).astype(dtype)
        if dtype in DTYPES
        else a
        for a, dtype in zip(case.arrays(3), argument_dtypes(module), strict=True)
    ]


def widened(arrays: Sequence[Array]) -> list[Array]:
    """Return arrays with floats as f64."""
    return [a.astype(np.float64) if a.dtype in DTYPES else a for a in arrays]


@dataclass(frozen=True)
class Row:
    """A case and the number of one of its float results."""

    case: OpCase
    result: int

    @property
    def name(self) -> str:
        """The name of the case, with the number of the result if it is not the first."""
        return f"{self.case.name}.{self.result}" if self.result else self.case.name

    @property
    def op(self) -> Operation:
        """The op of the case."""
        return list(self.case.function()[1].body.block.ops)[-2]

    @property
    def refusal(self) -> str | None:
        """A part of the reason why the case has no gradient; None if it has one."""
        name = self.case.name
        return next((text for pattern, text in REFUSED.items() if fnmatchcase(name, pattern)), None)

    def differentiated(self, module: ModuleOp, *, derives: bool = False) -> ModuleOp:
        """Return a copy of a program that returns the gradients only.

        Its last argument is the cotangent of the result.  derives: as in `append_gradients`.
        """
        made = module.clone()
        main = entry_of(made)
        wrt = [n for n, dtype in enumerate(argument_dtypes(made)) if dtype in DTYPES]
        append_gradients(main, wrt, result=self.result, takes_head=True, derives=derives)
        ends = terminator(main.body.block, ReturnOp)
        ends.operands = ends.operands[-len(wrt) :]
        main.update_function_type()
        made.verify()
        return made

    def head(self, module: ModuleOp, y: Array) -> Array:
        """Return a random cotangent for the result y, in its type in a program."""
        numbers = np.random.default_rng(1).uniform(0.5, 1.5, y.shape)
        return numbers.astype(result_dtypes(module)[self.result])


def rows_of(case: OpCase) -> list[Row]:
    """Return a row for each result of a case that can be f64."""
    try:
        made = result_dtypes(program(case, "f64"))
    except TilewrightError:
        return []
    return [Row(case, n) for n, dtype in enumerate(made) if dtype == np.float64]


def computed(module: ModuleOp, arrays: Sequence[Array]) -> list[Array]:
    """Return the results of a program by the interpreter."""
    return [np.asarray(x) for x in interpret(module, list(arrays))]


FLOAT_CASES = [case for case in CASES if any(np_dtype(i.dtype) in DTYPES for i in case.inputs)]
ROWS = [row for case in FLOAT_CASES for row in rows_of(case)]
DIFFERENTIABLE = [row for row in ROWS if row.refusal is None]
