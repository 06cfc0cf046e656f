"""``tw debug``: run a model node by node in the interpreter, and stop where a value is of interest.

In: a model and inputs. Out: the first op that fits a condition: its text, operands and results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click
import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import ConstantOp
from ...dialects.shape import dims_of, type_of
from ...driver.model_import import ModelFacts, imported
from ...interp.graph import run_graph
from ...runtime.file.manifest import TensorSpec
from ...support.entry import entry_of
from ...support.locations import node_names
from ..compilation import shown_progress, uncompiled_request
from ..options import CommandRequest, Feed, input_options, model_options, refuse_ir
from ..tables import tensor_table
from ..tensors import Array, complete_inputs, read_inputs
from ..terminal import show_table, show_text, terminal
from .help import ToolCommand

_Condition = Callable[[Operation, Sequence[Array]], str]
"""Returns why the run stops at an op with these results; empty if it goes on."""


@dataclass(frozen=True)
class _Stop(Exception):
    """The exception that ends the interpretation at an op whose results fit the condition.

    reason: the part of the condition that holds, for the user.
    """

    reason: str
    op: Operation
    operands: Sequence[Array]
    results: Sequence[Array]


class _BreakOn(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]
    """The click parameter type of --break-on: nan, node=NAME or range=LOW:HIGH."""

    name = "condition"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> _Condition:
        kind, _, rest = str(value).partition("=")
        try:
            if kind == "nan" and not rest:
                return _not_a_number
            if kind == "node" and rest:
                return lambda op, _: f"node {rest}" if rest in node_names(op.location) else ""
            if kind == "range":
                low, high = (float(end) for end in rest.split(":"))
                return lambda _, results: _outside(results, low, high)
        except ValueError:
            pass
        self.fail(f"{value!r} is none of nan, node=NAME, range=LOW:HIGH.", param, ctx)


@click.command(
    "debug",
    cls=ToolCommand,
    examples=[
        "tw debug model.onnx --break-on nan --input x=cat.npy",
        "tw debug model.onnx --break-on node=encoder/MatMul_3",
        "tw debug model.onnx --break-on range=-1e4:1e4",
    ],
)
@model_options
@input_options
@click.option(
    "--break-on",
    "stops",
    type=_BreakOn(),
    required=True,
    metavar="CONDITION",
    help="nan, node=NAME, or range=LOW:HIGH.",
)
def debug_command(request: CommandRequest, feed: Feed, stops: _Condition) -> None:
    """Interpret MODEL in numpy, and stop at the first node whose results fit a condition.

    The model is imported, but not optimized. Exit code 1 if the run stops.
    """
    refuse_ir(request.model)
    facts = ModelFacts()
    with shown_progress(request.model.name) as watcher:
        lowered = imported(uncompiled_request(request, watcher), facts)
    main = entry_of(lowered.parts[-1].module)
    names = [spec.name for spec in facts.signature.inputs if spec.name not in request.values]
    specs = [_spec(*pair) for pair in zip(names, main.args, strict=True)]
    given = read_inputs(names, feed.files)
    arrays = complete_inputs(specs, given, seed=feed.seed)
    count = 0

    def observe(op: Operation, operands: Sequence[Array], results: Sequence[Array]) -> None:
        nonlocal count
        if isinstance(op, ConstantOp):
            return
        count += 1
        if reason := stops(op, results):
            raise _Stop(reason, op, operands, results)

    try:
        run_graph(main, *arrays.values(), observe=observe)
    except _Stop as stop:
        _show(stop)
        raise click.exceptions.Exit(1) from None
    show_text(terminal(), f"no stop: {count} ops ran")


def _spec(name: str, argument: SSAValue) -> TensorSpec:
    type_ = type_of(argument)
    shape = tuple(str(dim) if dim.value is None else dim.value for dim in dims_of(type_))
    return TensorSpec(name, shape, str(numpy_dtype(type_.get_element_type())))


def _show(stop: _Stop) -> None:
    op, console = stop.op, terminal()
    nodes = ", ".join(node_names(op.location)) or "without a name"
    show_text(console, f"stopped at node {nodes}, {op.name}: {stop.reason}")
    show_text(console, str(op).splitlines()[0], "dim")
    for title, values, arrays in (
        ("operands", op.operands, stop.operands),
        ("results", op.results, stop.results),
    ):
        names = (v.name_hint or str(number) for number, v in enumerate(values))
        tensors = dict(zip(names, arrays, strict=True))
        if tensors:
            show_table(console, tensor_table(title, tensors))
    for name, array in zip(("result", "second result"), stop.results, strict=False):
        show_text(console, f"{name}: {np.array2string(array, threshold=40)}")


def _not_a_number(_op: Operation, results: Sequence[Array]) -> str:
    for array in results:
        if array.dtype.kind not in "iub" and (found := np.isnan(array.astype(np.float32))).any():
            return f"NaN at {_first(found)}"
    return ""


def _outside(results: Sequence[Array], low: float, high: float) -> str:
    for array in results:
        numbers = array.astype(np.float64)
        found = ~((numbers >= low) & (numbers <= high))
        if found.any():
            return f"{array[_first(found)]} at {_first(found)} is outside {low:g}..{high:g}"
    return ""


def _first(found: Array) -> tuple[int, ...]:
    return tuple(int(n) for n in np.argwhere(found)[0])
