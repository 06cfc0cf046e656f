"""Model inputs from files or random numbers, and one-line summaries of arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..dialects.shape import Dim
from ..interp.scalar import is_float_dtype, random_array
from ..runtime.abi.ndarray import numpy_dtype
from ..runtime.file.manifest import TensorSpec
from ..support.diagnostics import NeedsBinding, TilewrightError
from ..testing.array_files import ADDED_TYPE, Array, load_arrays
from ..testing.reference import relative_error

_LARGEST_ERROR = 1e-4
"""The largest relative L2 error of an output that `--expect` accepts."""


def read_inputs(names: Sequence[str], files: Mapping[str, str]) -> dict[str, Array]:
    """Read the arrays of input files; return them by input name.

    names: the inputs of the model.  files: the file of each input, by its name.  The name "" stands
    for a .npz file, which names its inputs itself, or for the file of a model's only input.

    Errors: TilewrightError for an unknown name, or a file that cannot be read.
    """
    given: dict[str, Array] = {}
    for name, file in files.items():
        loaded = load_arrays(Path(file))
        if isinstance(loaded, dict):
            if name:
                raise TilewrightError(
                    "an archive names its inputs itself", expected=file, got=f"{name}={file}"
                )
            given |= loaded
        elif name or len(names) == 1:
            given[name or names[0]] = loaded
        else:
            raise TilewrightError("input without a name", expected="NAME=file.npy", got=file)
    for name in given:
        if name not in names:
            raise TilewrightError("unknown input", expected=", ".join(names), got=name)
    return given


def complete_inputs(
    specs: Sequence[TensorSpec], given: Mapping[str, Array], *, seed: int
) -> dict[str, Array]:
    """Return one array per input: the array in ``given``, or else a random array.

    specs: the inputs of the model.  given: arrays by input.  seed: the seed of the random values.
    A symbolic size in the shape of a random array has the value that it has in the given arrays.

    Errors: TilewrightError for a wrong shape or dtype; NeedsBinding for a size that no array
    determines.
    """
    rng = np.random.default_rng(seed)
    arrays = {spec.name: _checked(spec, given[spec.name]) for spec in specs if spec.name in given}
    sizes = {
        str(size): number
        for spec in specs
        if spec.name in arrays
        for size, number in zip(spec.shape, arrays[spec.name].shape, strict=True)
    }
    return {
        spec.name: arrays[spec.name]
        if spec.name in arrays
        else random_array(_shape(spec, sizes), numpy_dtype(spec.dtype), rng)
        for spec in specs
    }


def output_errors(outputs: Mapping[str, Array], file: Path) -> dict[str, float]:
    """Return the relative L2 error of each output, compared with the array in a .npz file.

    The error of equal arrays is 0.
    Errors: TilewrightError for a missing output, another shape or dtype, or a file without arrays.
    """
    expected = load_arrays(file)
    if not isinstance(expected, dict):
        raise TilewrightError("an archive of outputs is needed", expected=".npz", got=str(file))
    if not expected:
        raise TilewrightError("the archive of outputs is empty", where=str(file))
    return array_errors(outputs, expected)


def array_errors(outputs: Mapping[str, Array], expected: Mapping[str, Array]) -> dict[str, float]:
    """Return the relative L2 error of each output, compared with the expected array.

    The error of equal arrays is 0.
    Errors: TilewrightError for a missing output, or another shape or dtype.
    """
    errors: dict[str, float] = {}
    for name, wanted in expected.items():
        got = outputs.get(name)
        if got is None:
            raise TilewrightError("no such output", expected=", ".join(outputs), got=name)
        wanted = _with_dtype(wanted, got.dtype)
        if (got.shape, got.dtype) != (wanted.shape, wanted.dtype):
            raise TilewrightError(
                "the output has another type",
                expected=f"{wanted.dtype}{list(wanted.shape)}",
                got=f"{got.dtype}{list(got.shape)}",
                where=name,
            )
        if got.dtype.isbuiltin == ADDED_TYPE and is_float_dtype(got.dtype):
            got, wanted = got.astype(np.float32), wanted.astype(np.float32)
        exact = np.array_equal(got, wanted, equal_nan=got.dtype.kind == "f")
        errors[name] = 0.0 if exact else relative_error(got, wanted)
    return errors


def check_errors(errors: Mapping[str, float], reference: Path | str) -> None:
    """Raise an error if the relative L2 error of an output exceeds 1e-4.

    reference: the file, or else the machine, of the expected outputs, for the message.
    Errors: TilewrightError, which names the output.
    """
    for name, error in errors.items():
        if not error <= _LARGEST_ERROR:
            raise TilewrightError(
                "the output differs",
                expected=f"the array of {reference}, within a relative error of {_LARGEST_ERROR}",
                got=f"a relative error of {error:.3g}",
                where=name,
            )


@dataclass(frozen=True)
class Summary:
    """The range and mean of the finite elements of an array, and counts of its elements.

    elements: the count of all elements.  min, max, mean: None if no element is finite.
    nan, infinite: the counts of elements that are NaN or infinite.
    """

    elements: int
    min: float | None
    max: float | None
    mean: float | None
    nan: int
    infinite: int

    @staticmethod
    def of(array: Array) -> Summary:
        """Return the summary of an array."""
        values = array.astype(np.float64)
        finite = values[np.isfinite(values)]
        nan = int(np.isnan(values).sum())
        infinite = values.size - finite.size - nan
        if finite.size == 0:
            return Summary(values.size, None, None, None, nan, infinite)
        numbers = float(finite.min()), float(finite.max()), float(finite.mean())
        return Summary(values.size, *numbers, nan, infinite)

    def __str__(self) -> str:
        others = (self.nan, "NaN"), (self.infinite, "infinite")
        parts = [f"{count} {what}" for count, what in others if count]
        if self.elements == 0:
            return "no elements"
        if self.elements in (self.nan, self.infinite):
            return f"all {'NaN' if self.nan else 'infinite'}"
        if self.mean is not None:
            parts = [f"{self.min:.6g} … {self.max:.6g}, mean {self.mean:.6g}", *parts]
        return ", ".join(parts)


def _with_dtype(array: Array, dtype: np.dtype[np.generic]) -> Array:
    """Return an array with a dtype that .npy files cannot state, such as bfloat16.

    A file contains elements of such a type as void elements of the same size. Other arrays are
    returned as they are.
    """
    is_unnamed = array.dtype.type is np.void and array.dtype.names is None
    return array.view(dtype) if is_unnamed and array.itemsize == dtype.itemsize else array


def _checked(spec: TensorSpec, array: Array) -> Array:
    array = _with_dtype(array, numpy_dtype(spec.dtype))
    if not _fits(spec, array):
        raise TilewrightError(
            "input does not fit",
            expected=f"{spec.dtype}{list(spec.shape)}",
            got=f"{array.dtype}{list(array.shape)}",
            where=spec.name,
        )
    return array


def _shape(spec: TensorSpec, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape of an input in numbers.

    spec: the input, whose sizes may be symbolic.  sizes: the values of known symbolic sizes.

    Errors: NeedsBinding for a size that is not known.
    """
    try:
        return tuple(Dim.of(size).evaluate(sizes) for size in spec.shape)
    except KeyError as err:
        shape = "x".join(str(size) if isinstance(size, int) else "1" for size in spec.shape)
        raise NeedsBinding(
            f"input {spec.name!r} has a size that is not a number",
            expected="every size bound",
            got=f"{spec.dtype}[{', '.join(map(str, spec.shape))}]",
            hint=f"pass a file with the input, or --shapes {spec.name}={shape}",
        ) from err


def _fits(spec: TensorSpec, array: Array) -> bool:
    """Return whether an array has the dtype, the rank and the static sizes of an input."""
    sizes = zip(spec.shape, array.shape, strict=False)
    return (
        array.dtype == numpy_dtype(spec.dtype)
        and array.ndim == len(spec.shape)
        and all(size in (number, str(size)) for size, number in sizes)
    )
