"""The gradients of a program in f64, compared with central differences.

In: a module of graph ops or te ops whose floats are f64, and its inputs.  The check takes a random
cotangent of one result, and a random direction of all float inputs.  The derivative in this
direction is the sum of the gradients times the direction, and the limit of differences of results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import ModuleOp, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from ...dialects.shape import static_shape, type_of
from ...dialects.te import TensorOp
from ...frontend.onnx.file.proto import load
from ...frontend.onnx.importer import import_model
from ...gradient.graph_gradient import append_gradients
from ...interp.program import interpret, random_inputs
from ...passes.functions.remove_functions import remove_functions
from ...passes.te.gradient import differentiate
from ...support.diagnostics import ModelError
from ...support.entry import entry_of
from ...support.registry import new_context
from ..reference import in_double
from .checks import PASS, Arrays, CheckOutcome
from .draw import Array
from .graph_builder import parsed_model

STEPS = (1e-5, 1e-6, 1e-4, 1e-3)
"""The steps of the differences; the gradient must agree with one of the differences."""

TOLERANCE = 1e-6
"""The allowed error, as a part of the sum of the magnitudes that the derivative adds."""

FLOATS: Mapping[str, np.dtype[Any]] = {
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
"""The dtype of each float type that a gradient has."""


def check_model(data: bytes, feeds: Mapping[str, Array]) -> CheckOutcome:
    """Compare the gradients of one result of an ONNX model with central differences.

    data: the model.  feeds: its inputs.  See `check_gradients` for the outcome.
    """
    model = in_double(parsed_model(data)).SerializeToString()
    try:
        module = import_model(load(model))
    except ModelError as err:
        return CheckOutcome("unsupported", str(err), "not in the standard with doubles")
    inputs = (x.astype(np.float64) if x.dtype == np.float32 else x for x in feeds.values())
    return check_gradients(module, list(inputs))


def check_text(text: str) -> CheckOutcome:
    """Compare the gradients of one result of a program in printed IR with central differences.

    The inputs are random.  See `check_gradients` for the outcome.
    """
    module = Parser(new_context(), with_floats(text, "f64")).parse_module()
    module.verify()
    return check_gradients(module, random_inputs(module))


def check_gradients(module: ModuleOp, inputs: Arrays) -> CheckOutcome:
    """Compare the gradients of one result with differences of the result; return the outcome.

    module: a program whose floats are f64.  A program is unsupported if it has no float input or
    result, if an op has no gradient, or if it has a jump or a corner at the inputs.
    """
    remove_functions(module)
    main = entry_of(module)
    wrt = [n for n, argument in enumerate(main.args) if _is_double(argument)]
    expected = interpret(module, inputs)
    result = _result(main, expected)
    if not wrt or result is None:
        return CheckOutcome("unsupported", "no float input or finite float result", "no floats")
    rng = np.random.default_rng(0)
    head = rng.standard_normal(expected[result].shape)
    directions = {n: rng.standard_normal(inputs[n].shape) for n in wrt}
    derived = _with_gradients(module, wrt, result)
    gradients = interpret(derived, [*inputs, head])[len(expected) :]

    def moved(step: float) -> float:
        given = list(inputs)
        for n, direction in directions.items():
            given[n] = inputs[n] + step * direction
        return float(np.sum(head * interpret(module, given)[result]))

    parts = [np.sum(g * directions[n]) for n, g in zip(wrt, gradients, strict=True)]
    sizes = [np.sum(np.abs(g * directions[n])) for n, g in zip(wrt, gradients, strict=True)]
    return _compared(float(np.sum(parts)), float(np.sum(sizes)), moved)


def _compared(slope: float, size: float, moved: Callable[[float], float]) -> CheckOutcome:
    """Compare a derivative with differences at several steps.

    slope: the derivative.  size: the sum of the magnitudes of its parts.  moved: returns the value
    of the function after a step along the direction.
    """
    here = moved(0.0)
    found: list[float] = []
    for step in STEPS:
        ahead, behind = moved(step) - here, here - moved(-step)
        found.append((ahead + behind) / (2 * step))
        noise = 1e-15 * abs(here) / step
        scale = max(size, abs(found[-1]), 1e-3)
        if abs(found[-1] - slope) <= TOLERANCE * scale + noise:
            return PASS
        # Without a corner, the two sides differ by the curvature times the step.
        if step == STEPS[0] and abs(ahead - behind) > 1e-4 * step * scale + noise * step:
            return CheckOutcome("unsupported", "a corner or a jump", "the differences jump")
    if max(found[:2]) - min(found[:2]) > 1e-4 * max(map(abs, found)):
        return CheckOutcome(
            "unsupported", f"differences {found}", "the differences do not converge"
        )
    text = f"the derivative is {slope:.12g}, by differences {found[0]:.12g}"
    return CheckOutcome("wrong", text, "the gradient differs from differences")


def _is_double(value: SSAValue) -> bool:
    type_ = type_of(value)
    return type_.element_type == f64 and 0 not in static_shape(type_)


def _result(main: FuncOp, arrays: Arrays) -> int | None:
    """Return the number of the first result with finite f64 numbers, or None.

    arrays: the results.
    """
    last = main.body.block.last_op
    assert isinstance(last, ReturnOp), "a function ends with func.return"
    for number, (value, array) in enumerate(zip(last.operands, arrays, strict=True)):
        if _is_double(value) and array.size and bool(np.isfinite(array).all()):
            return number
    return None


def _with_gradients(module: ModuleOp, wrt: Sequence[int], result: int) -> ModuleOp:
    """Return a copy of a program that also computes gradients.

    Its main takes the cotangent of a result as the last argument, and returns gradients after the
    results.
    wrt: the numbers of the arguments.  result: the number of the result.
    """
    copy = module.clone()
    main = entry_of(copy)
    if not any(isinstance(op, TensorOp) for op in main.body.block.ops):
        append_gradients(main, wrt, result=result, takes_head=True)
        return copy
    block = main.body.block
    last = block.last_op
    assert isinstance(last, ReturnOp), "a function ends with func.return"
    value = last.operands[result]
    ops = [op for op in block.ops if op is not last]
    head = block.insert_arg(value.type, len(block.args))
    made = differentiate(ops, {value: head}, [block.args[n] for n in wrt])
    block.insert_ops_before(list(made.ops), last)
    block.insert_op_before(ReturnOp(*last.operands, *made.gradients), last)
    last.detach()
    last.erase()
    main.update_function_type()
    # The recorded dtypes are those of the old arguments and results.
    main.attributes.clear()
    return copy


def with_floats(text: str, element: str) -> str:
    """Return printed IR with one float type in the place of f16, bf16, f32 and f64.

    element: a key of `FLOATS`.
    """

    def converted(pattern: re.Match[str]) -> str:
        """Return a number that the text has as bits, such as an infinity, in the new type."""
        number = np.frombuffer(bytes.fromhex(pattern[1])[::-1], FLOATS[pattern[2]])
        return f"0x{number.astype(FLOATS[element]).tobytes()[::-1].hex()} : {element}"

    names = "|".join(FLOATS)
    text = re.sub(rf"0x([0-9A-Fa-f]+) : ({names})\b", converted, text)
    text = re.sub(rf"(\b|(?<=[\d?]x))({names})\b", element, text)
    dtypes = "|".join(dtype.name for dtype in FLOATS.values())
    return re.sub(rf"\b({dtypes})\b", FLOATS[element].name, text)
