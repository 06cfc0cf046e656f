"""What must hold of a program, checked in a worker process; the result is plain data.

plan  import, plan and lower to the loop level for targets; whatever comes out verifies
run   compile for this machine; results as the interpreter's and onnxruntime's, and bitwise equal
      with 1, 2 and 3 threads

The bounds are the project's: `interp.compare` for a result and its reference.  Where the reference
is itself in single precision, and differs by more, `testing.reference` decides: the model in double
precision, and a multiple of onnxruntime's own error.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...driver.compile import compile
from ...driver.pipeline import first_stage, run_pipeline
from ...frontend.onnx.importer import import_model
from ...frontend.onnx.proto import load
from ...interp.compare import expect_close
from ...interp.graph import run_graph
from ...support.diagnostics import TilewrightError, UnsupportedOp
from ...support.registry import new_context
from ...support.target import Target
from ...support.verify import verify_module
from ..reference import reference_results, relative_error, tolerance
from .draw import Array
from .graph_builder import parsed_model

Feeds: TypeAlias = Mapping[str, Array]

OUTCOMES = (
    "pass", "unsupported", "plan-error", "invalid", "run-error", "wrong", "threads", "crash",
    "timeout", "memory",
)  # fmt: skip
"""The last three end a worker.  ``invalid``: the verifier refuses what the lowering made."""

FAILURES = frozenset(OUTCOMES) - {"pass", "unsupported"}
THREADS = (1, 2, 3)
_MESSAGE_LENGTH = 500


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    signature: what failures of one cause have in common: the exception without numbers and names,
    and the function that raised it.  target: for which planning failed.
    """

    kind: str
    message: str = ""
    signature: str = ""
    target: str = ""

    @property
    def is_failure(self) -> bool:
        """Whether this must not happen."""
        return self.kind in FAILURES


PASS = Outcome("pass")


def plan_model(data: bytes, targets: Sequence[str]) -> Outcome:
    """Import, plan and lower a model for targets; a warning counts as an error."""
    return plan_module(lambda: import_model(load(data)), targets)


def plan_module(make: Callable[[], ModuleOp], targets: Sequence[str]) -> Outcome:
    """Plan and lower a program, made anew for each target."""
    for target in targets:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                module = make()
                run_pipeline(
                    module, new_context(), Target(target), start=first_stage(module), to="loop"
                )
        # The boundary of a worker: whatever goes wrong is the outcome.
        except Exception as err:
            return failed("plan-error", err, target)
        try:
            verify_module(module)
        except Exception as err:
            return failed("invalid", err, target)
    return PASS


def run_model(data: bytes, feeds: Feeds) -> Outcome:
    """Compile a model for this machine, run it, and compare."""
    try:
        module = compile(data, threads=1, cache=False)
        results = {count: _arrays(module.run(dict(feeds), threads=count)) for count in THREADS}
    except Exception as err:
        return failed("run-error", err)
    first = results[1]
    for count in THREADS[1:]:
        if any(a.tobytes() != b.tobytes() for a, b in zip(first, results[count], strict=True)):
            return Outcome("threads", f"results with {count} threads differ", "threads")
    return compare_results(data, feeds, first)


def compare_results(data: bytes, feeds: Feeds, results: Sequence[Array]) -> Outcome:
    """Compare results of a model with the interpreter's and onnxruntime's."""
    try:
        difference = _difference(interpreted(data, feeds), results, "the interpreter")
    except Exception as err:
        return failed("run-error", err)
    peer = onnxruntime_results(data, feeds)
    if peer is not None and difference is None:
        difference = _difference(peer, results, "onnxruntime")
    if difference is None or (peer is not None and _is_exact_enough(data, feeds, results, peer)):
        return PASS
    return Outcome("wrong", difference, _normalized(difference))


def interpreted(data: bytes, feeds: Feeds) -> tuple[Array, ...]:
    """Return what the interpreter of graph ops gives."""
    module = import_model(load(data))
    main = next(op for op in module.ops if isinstance(op, FuncOp))
    return run_graph(main, *feeds.values())


def onnxruntime_session(data: bytes) -> Any | None:
    """Return a session with one thread and idle workers asleep; None if there is none."""
    if importlib.util.find_spec("onnxruntime") is None:
        return None
    ort: Any = importlib.import_module("onnxruntime")
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return ort.InferenceSession(data, options, ["CPUExecutionProvider"])
    except Exception:  # its exceptions have no common class
        return None


def onnxruntime_results(data: bytes, feeds: Feeds) -> list[Array] | None:
    """Return what onnxruntime gives; None if it is not there or refuses the model."""
    session = onnxruntime_session(data)
    if session is None:
        return None
    try:
        return [np.asarray(x) for x in session.run(None, dict(feeds))]
    except Exception:
        return None


def _is_exact_enough(data: bytes, feeds: Feeds, results: Sequence[Array], peer: Any) -> bool:
    """Whether the error is at most the multiple of onnxruntime's that is allowed."""
    try:
        exact = reference_results(parsed_model(data), feeds)
    except Exception:
        return False
    return all(
        got.shape == wanted.shape
        and relative_error(_wide(got), wanted) <= tolerance(_wide(theirs), wanted)
        for got, wanted, theirs in zip(results, exact, peer, strict=True)
    )


def _wide(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def _difference(expected: Sequence[Array], results: Sequence[Array], whom: str) -> str | None:
    try:
        for n, (got, wanted) in enumerate(zip(results, expected, strict=True)):
            expect_close(got, np.asarray(wanted), f"result {n}")
    except TilewrightError as err:
        return f"{err} (from {whom})"
    return None


def _arrays(results: Any) -> list[Array]:
    many = results if isinstance(results, tuple | list) else (results,)
    return [np.array(each.numpy()) for each in many]


def failed(kind: str, error: Exception, target: str = "") -> Outcome:
    """Return the outcome that an exception stands for."""
    if isinstance(error, UnsupportedOp):
        kind = "unsupported"
    if isinstance(error, MemoryError):
        kind = "memory"
    text = f"{type(error).__name__}: {error}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_ours(f.filename)]
    at = f" [{Path(frames[-1].filename).name}:{frames[-1].name}]" if frames else ""
    return Outcome(kind, text[:_MESSAGE_LENGTH], _normalized(text) + at, target)


def _is_ours(file: str) -> bool:
    root = Path(__file__).parents[2]
    path = Path(file)
    return root in path.parents and ".venv" not in path.parts


def _normalized(text: str) -> str:
    """Return the first line without what differs from program to program."""
    line = text.splitlines()[0] if text else ""
    line = re.sub(r"@[\w.]+", "@…", line)
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", line)[:160]
