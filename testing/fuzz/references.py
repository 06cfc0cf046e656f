"""The reference values of a model's results, and the check of results against them.

The allowed difference from a reference is that of `interp.compare`.  The references, which are the
interpreter and onnxruntime, round too.  If a result differs by more from one of them,
`testing.reference` decides: it evaluates the model in double precision, and allows a multiple of
the error of onnxruntime or numpy.
"""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.func import FuncOp

from ...frontend.onnx.file.proto import load
from ...frontend.onnx.importer import import_model
from ...interp.compare import expect_close
from ...interp.graph import run_graph
from ...support.diagnostics import TilewrightError
from ..reference import reference_results, relative_error, results_as_typed, tolerance
from .draw import Array
from .graph_builder import parsed_model

Feeds: TypeAlias = Mapping[str, Array]

_RECURRENT = ("LSTM", "GRU", "RNN")


def model_difference(data: bytes, feeds: Feeds, results: Sequence[Array]) -> str:
    """Return how a model's results differ from the references, as text; "" if they agree.

    data: the model.  feeds: its inputs.
    """
    text = difference(results, interpreted(data, feeds), "the interpreter")
    call = onnxruntime_call(data, feeds)
    if call is None:
        return text
    peer = call()
    text = text or difference(results, peer, "onnxruntime")
    return "" if text and _is_exact_enough(data, feeds, results, peer) else text


def integer_difference(data: bytes, feeds: Feeds, results: Sequence[Array]) -> str:
    """Return how results differ from the results of onnxruntime for the integer form of a model.

    The text is empty if they are equal bit by bit.
    data: the integer form (pairs.py), which runs without optimization.
    """
    ort: Any = importlib.import_module("onnxruntime")
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(data, options, ["CPUExecutionProvider"])
    expected = session.run(None, dict(feeds))
    for n, (got, wanted) in enumerate(zip(results, expected, strict=True)):
        if got.shape != wanted.shape:
            return f"result {n} has shape {got.shape}, expected {wanted.shape}"
        count = np.count_nonzero(got != wanted)
        if count:
            return f"result {n}: {count} of {got.size} bytes differ from onnxruntime"
    return ""


def difference(results: Sequence[Array], expected: Sequence[Array], whom: str) -> str:
    """Return how results differ from those of a reference, as text; "" if they agree.

    whom: the name of the reference, for the text.
    """
    try:
        for n, (got, wanted) in enumerate(zip(results, expected, strict=True)):
            expect_close(got, wanted, f"result {n}")
    except TilewrightError as err:
        return f"{err} (from {whom})"
    return ""


def onnxruntime_call(
    data: bytes, feeds: Feeds, *, threads: int = 1
) -> Callable[[], list[Array]] | None:
    """Load a model into onnxruntime; return a function that runs it once and returns its outputs.

    data: the model.  feeds: its inputs.
    Return None if onnxruntime is missing, rejects the model, or would abort the process.  Its idle
    worker threads sleep, because spinning ones would slow down the system that is timed next.
    """
    if importlib.util.find_spec("onnxruntime") is None or _aborts(data, feeds):
        return None
    ort: Any = importlib.import_module("onnxruntime")
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = ort.InferenceSession(data, options, ["CPUExecutionProvider"])
        given = dict(feeds)
        session.run(None, given)
    except Exception:  # its exceptions have no common class
        return None
    return lambda: [np.asarray(each) for each in session.run(None, given)]


def _aborts(data: bytes, feeds: Feeds) -> bool:
    """Return whether onnxruntime may abort the process, as for a recurrent layer of an empty batch.

    Source: onnxruntime 1.32 calls std::terminate for an LSTM with x of shape (2, 0, 375).
    """
    kinds = {node.op_type for node in parsed_model(data).graph.node}
    return not kinds.isdisjoint(_RECURRENT) and any(x.size == 0 for x in feeds.values())


def interpreted(data: bytes, feeds: Feeds) -> tuple[Array, ...]:
    """Return the results of a model in the interpreter.

    data: the model.  feeds: its inputs.
    Errors: any error of the import; IndexError for an index outside its axis.
    """
    module = import_model(load(data))
    main = next(op for op in module.ops if isinstance(op, FuncOp))
    return run_graph(main, *feeds.values())


def _is_exact_enough(
    data: bytes, feeds: Feeds, results: Sequence[Array], peer: Sequence[Array]
) -> bool:
    """Return whether the results of a model are close enough to its results in double precision.

    The error may be a multiple of the error of onnxruntime (``peer``: its results) or of numpy.
    Normalized rows of equal values depend only on the rounding of their mean, so another summation
    order gives other values, which count as exact enough.
    """
    model = parsed_model(data)
    try:
        with warnings.catch_warnings(action="ignore"):  # such as that of a mean of nothing
            exact, typed = reference_results(model, feeds), results_as_typed(model, feeds)
    except Exception:  # a failure of onnx's evaluator decides nothing
        return False
    return all(
        got.shape == wanted.shape
        and relative_error(_wide(got), wanted)
        <= max(tolerance(_wide(other), wanted) for other in others)
        for got, wanted, *others in zip(results, exact, peer, typed, strict=True)
    )


def _wide(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.kind == "f" else array
