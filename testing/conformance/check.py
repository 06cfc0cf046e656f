"""One case of the suite, in a worker process: compile, run, compare."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...driver.compile import compile
from ...runtime.abi.ndarray import NDArray
from ...runtime.strings import decoded
from ...support.diagnostics import UnsupportedOp
from ..guard import guarded
from .random_ops import random_check
from .suite import ConformanceCase, Data, load_suite, tolerance

_MESSAGE_LENGTH = 300


def check(name: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    """Run a case of the suite; return its outcome, one of `runner.OUTCOMES`, and a message.

    name: the name of the case.  kinds: the kinds of cases to load, as in `load_suite`.
    """
    warnings.simplefilter("ignore")
    case = load_suite(kinds)[name]
    try:
        module = compile(case.model, threads=1)
        for inputs, expected in case.data_sets:
            got = module.run([_guarded(value) for value in inputs])
            outcome = _compare(got, inputs, expected, case)
            if outcome is not None:
                return outcome
    except UnsupportedOp as err:
        return "unsupported", _brief(err)
    # The boundary of a worker: any exception is the outcome of the case.
    except Exception as err:
        return "error", _brief(err)
    return "pass", ""


def load(kinds: tuple[str, ...]) -> list[tuple[str, str, str, int, str]]:
    """Return (name, kind, operator, opset, group) of every case of these kinds.

    kinds: some of `suite.KINDS`.
    """
    return [(c.name, c.kind, c.op, c.opset, c.group) for c in load_suite(kinds).values()]


def _brief(err: Exception) -> str:
    text = f"{type(err).__name__}: {err}"
    return text if len(text) <= _MESSAGE_LENGTH else text[:_MESSAGE_LENGTH] + " …"


def _guarded(value: Data) -> Data:
    """Return a copy of a value whose arrays end at inaccessible pages; arrays of strings stay."""
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OUS":
        return guarded(value)
    if isinstance(value, list):
        return [_guarded(each) for each in value]
    return value


def _compare(
    got: Sequence[Data], inputs: Sequence[Data], expected: Sequence[Data], case: ConformanceCase
) -> tuple[str, str] | None:
    if len(got) != len(expected):
        return "wrong-shape", f"{len(got)} outputs, expected {len(expected)}"
    check_random = random_check(case.op, inputs)
    for index, (a, b) in enumerate(zip(got, expected, strict=True)):
        difference = _difference(f"output {index}", a, b, case, values=check_random is None)
        if difference is not None:
            return difference
    if check_random is not None:
        broken = check_random(inputs, [each.numpy() for each in got])
        return ("wrong-value", broken) if broken else None
    return None


def _difference(
    what: str, got: Data, expected: Data, case: ConformanceCase, *, values: bool = True
) -> tuple[str, str] | None:
    if expected is None or isinstance(expected, list):
        return _list_difference(what, got, expected, case)
    array = got.numpy() if isinstance(got, NDArray) else np.asarray(got)
    if expected.dtype.kind in "OUS":
        array, expected = decoded(array), expected.astype(object)
    if array.shape != expected.shape:
        return "wrong-shape", f"{what}: shape {array.shape}, expected {expected.shape}"
    if array.dtype != expected.dtype:
        return "wrong-dtype", f"{what}: {array.dtype}, expected {expected.dtype}"
    return _value_difference(what, array, expected, case) if values else None


def _list_difference(
    what: str, got: Data, expected: Data, case: ConformanceCase
) -> tuple[str, str] | None:
    if expected is None:
        return None if got is None else ("wrong-shape", f"{what}: not an absent optional")
    if not isinstance(got, (list, tuple)) or len(got) != len(expected):
        return "wrong-shape", f"{what}: not a sequence of {len(expected)}"
    for index, (a, b) in enumerate(zip(got, expected, strict=True)):
        difference = _difference(f"{what}[{index}]", a, b, case)
        if difference is not None:
            return difference
    return None


def _value_difference(
    what: str, got: Any, expected: Any, case: ConformanceCase
) -> tuple[str, str] | None:
    if expected.dtype.kind in "iubO":
        close = got == expected
    else:
        wide = (np.complex128 if expected.dtype.kind == "c" else np.float64,)
        rtol = tolerance(case, expected.dtype)
        got, expected = got.astype(*wide), expected.astype(*wide)
        close = np.isclose(got, expected, rtol=rtol, atol=case.atol, equal_nan=True)
    if close.all():
        return None
    return "wrong-value", f"{what}: {np.sum(~close)} of {close.size} elements differ"
