"""product_errors: compare a model's matrix products at a lower precision with those in f32.

Both programs come from one module at level te, whose main also returns the result of each product.
So the errors are those of the program that `compile` makes: the same products are rounded, and
attention stays one kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...analysis.patterns.attention import find_attention
from ...dialects.results import RESULT_DTYPES, RESULT_NAMES, record_dtypes
from ...dialects.te import ComputeOp
from ...frontend.onnx.importer import import_model
from ...support.diagnostics import TilewrightError
from ...support.entry import entry_of
from ...support.locations import node_names
from ...support.precision import Precision
from ...support.registry import new_context
from ..compile_module import compile_module
from ..passes.pipeline import passes_to
from ..settings import CompilationSettings, settings_for
from .product_times import ROUNDS, product_times


@dataclass(frozen=True)
class ProductError:
    """The error and the times of a matrix product or convolution of a model.

    nodes: the names of the model nodes that the product computes, in order.  kept: why its operands
    stay f32; empty if they are rounded.  error: the relative L2 distance of its result from the
    result in f32, including the errors of all earlier products; None if the result is not stored.
    f32_us, us: the time of the kernels that compute it, in f32 and at the lower precision.
    """

    nodes: tuple[str, ...]
    kept: str
    error: float | None
    f32_us: float
    us: float


def product_errors(
    model: str | PathLike[str] | bytes,
    inputs: Mapping[str, NDArray[np.generic]],
    *,
    precision: str = Precision.BF16,
    target: str | None = None,
    threads: int | None = None,
) -> list[ProductError]:
    """Return the errors and times of the products of a model, in the order of the program.

    inputs: an array for each input by name; their shapes determine the sizes.
    precision: the lower precision that is compared with f32.

    Errors: TilewrightError for a precision that rounds no products; see `compile`.

    Cost: two compilations without the cache of models, and a profile of each.
    """
    settings = settings_for(target, precision)
    if not settings.precision.rounds_products:
        rounding = [str(each) for each in Precision if each.rounds_products]
        raise TilewrightError(
            "the precision rounds no products", expected=" or ".join(rounding), got=precision
        )
    module = import_model(model, shapes={name: array.shape for name, array in inputs.items()})
    rows, stored = _with_results(module, settings)
    own = len(entry_of(module).function_type.outputs) - len(stored)
    found: list[list[NDArray[np.float64]]] = []
    times: list[dict[int, float]] = []
    nodes = {number: names for number, (names, _) in enumerate(rows)}
    for each in (Precision.DEFAULT, settings.precision):
        program = module.clone()
        _run_passes(program, settings, each, start=settings.backend.rounding)
        compiled = compile_module(program, target=target, precision=each, threads=threads)
        results = compiled.run(inputs)[own:]
        found.append([np.asarray(result).astype(np.float64) for result in results])
        times.append(product_times(compiled.profile(inputs, rounds=ROUNDS), nodes))
    errors = {row: _error(*pair) for row, *pair in zip(stored, *found, strict=True)}
    return [
        ProductError(names, kept, errors.get(number), *(each[number] for each in times))
        for number, (names, kept) in enumerate(rows)
    ]


def _with_results(
    module: ModuleOp, settings: CompilationSettings
) -> tuple[list[tuple[tuple[str, ...], str]], list[int]]:
    """Lower a module up to the pass that rounds products, and make main return product results.

    Return two lists: for each product, the names of its nodes and the reason why it stays f32; and
    the indices of the products whose results main returns.
    """
    _run_passes(module, settings, settings.precision, end=settings.backend.rounding)
    main = entry_of(module)
    found = settings.backend.rounded_products(main, settings.precision, settings.target)
    computes = [op for op in main.body.block.ops if isinstance(op, ComputeOp)]
    attentions = [a for op in computes if (a := find_attention(op)) is not None]
    inner: set[Operation] = {op for attention in attentions for op in attention.members[:-1]}
    stored = [
        number
        for number, (op, kept) in enumerate(found)
        if op not in inner and _is_stored(main, op, kept)
    ]
    _return(main, [found[n][0].results[0] for n in stored])
    return [(node_names(op.location), kept) for op, kept in found], stored


def _is_stored(main: FuncOp, op: Operation, kept: str) -> bool:
    """Return whether main can return a product's result without any change to the product's kernel.

    kept: the reason why the operands of the product stay f32; empty if they are rounded.
    """
    if op.parent_block() is not main.body.block:
        return False
    return not kept or (isinstance(op, ComputeOp) and find_attention(op) is not None)


def _return(main: FuncOp, values: Sequence[SSAValue]) -> None:
    """Append values to the results of a function; rename all its results ``result0``, …."""
    last = main.body.block.last_op
    assert isinstance(last, ReturnOp), "a function ends with func.return"
    last.operands = [*last.operands, *values]
    types = [value.type for value in last.operands]
    main.properties["function_type"] = FunctionType.from_lists(
        main.function_type.inputs.data, types
    )
    names = [f"result{number}" for number in range(len(types))]
    main.attributes[RESULT_NAMES] = ArrayAttr([StringAttr(name) for name in names])
    elements = [type_.element_type for type_ in types if isinstance(type_, TensorType)]
    record_dtypes(main, RESULT_DTYPES, elements)


def _run_passes(
    module: ModuleOp,
    settings: CompilationSettings,
    precision: Precision,
    *,
    end: str = "",
    start: str = "",
) -> None:
    """Run the passes of level te up to the pass ``end`` (exclusive), or from ``start`` on."""
    steps = passes_to(settings.target, "te", precision=precision)
    names = [step.name for step in steps]
    chosen = steps[: names.index(end)] if end else steps[names.index(start) :]
    context = new_context()
    for step in chosen:
        step.apply(context, module)


def _error(reference: NDArray[np.float64], got: NDArray[np.float64]) -> float:
    distance, norm = np.linalg.norm(got - reference), np.linalg.norm(reference)
    return float(distance / norm) if norm else float(distance)
