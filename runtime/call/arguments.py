"""Arguments of a call: their order in a signature, their conversion to arrays, and their errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from ..abi.dltensor import as_array
from ..abi.ndarray import Array, converted
from ..abi.producers import requires_gradients
from ..errors import ArgumentError
from ..file.manifest import Manifest, TensorSpec
from ..strings import encoded, is_strings
from .output_buffers import CheckedShape

_SHAPE_HINT = "pass this shape, or compile the model for another one with shapes="


@dataclass(frozen=True)
class Argument:
    """One argument of calls of a compiled function: its position, and its type in the signature."""

    manifest: Manifest
    position: int
    spec: TensorSpec

    @property
    def is_input(self) -> bool:
        """Return whether the argument is an input; a call writes to all other arguments."""
        return self.position < len(self.manifest.inputs)

    @property
    def where(self) -> str:
        """Return the name of the argument in messages."""
        return f"{self.manifest.name}: argument {self.position} ({self.spec.name})"

    def refused(
        self, rule: str, got: object, hint: str = "", *, expected: object = None
    ) -> ArgumentError:
        """Return the error for a value that is not allowed for this argument.

        rule: the violated rule, as the predicate of a sentence about the argument, such as
        "requires gradients".  got: the value.  expected: the expected value; None: the type of the
        argument.
        """
        return ArgumentError(
            f"{self.where} {rule}",
            expected=self.spec if expected is None else expected,
            got=got,
            hint=hint,
            signature=self.manifest.signature,
        )

    def array_of(self, value: Any) -> Array:
        """Return a value as a numpy array of the value's own dtype; an array is not copied.

        Errors: ArgumentError for nested lists of unequal lengths, and for other objects.
        """
        if not isinstance(value, (bool, int, float, list, tuple)):
            return as_array(value, self.where)
        try:
            return np.asarray(value)
        except ValueError as err:
            rule, hint = "is a list with rows of unequal lengths", "give all rows one length"
            raise self.refused(rule, err, hint) from err

    def typed(self, value: Any, dtype: np.dtype[Any]) -> Array:
        """Return the value of an input as an array of a dtype, in any byte order.

        Only Python numbers, and lists of them, are converted.

        Errors: ArgumentError as from `array_of`, and for an array of another dtype.
        """
        array = self.array_of(value)
        if isinstance(value, (bool, int, float, list, tuple)):
            array = self._converted_numbers(array, dtype)
        if array.dtype.newbyteorder("=") != dtype:
            is_array = isinstance(value, np.ndarray)
            name = self.spec.dtype
            how = f'.astype("{name}")' if is_array else f'numpy.asarray(…, "{name}")'
            raise self.refused("has the wrong dtype", _described(array), f"convert it with {how}")
        return array

    def converted(self, value: Any, row: CheckedShape) -> Array:
        """Return a value as an array that compiled code can read or, for an output, write.

        Inputs are copied if necessary, outputs never.

        row: the required shape and dtype.

        Errors: ArgumentError if the value does not fit.
        """
        return self._input(value, row) if self.is_input else self._output(value, row)

    def _converted_numbers(self, array: Array, dtype: np.dtype[Any]) -> Array:
        is_integer = array.dtype.kind in "iu" and dtype.kind in "iu"
        if is_integer or np.can_cast(array.dtype, dtype, "same_kind"):
            return converted(array, dtype, self.where)
        return array

    def _input(self, value: Any, row: CheckedShape) -> Array:
        array = self.typed(value, row.dtype)
        if array.shape != row.shape:
            raise self.refused("has the wrong shape", _described(array), _SHAPE_HINT)
        return np.require(array, row.dtype, ["C", "A"])

    def writable(self, value: Any) -> Array:
        """Return the value of an output as an array on its memory, which a call may write.

        Errors: ArgumentError for an object without memory, and for read-only memory.
        """
        array = as_array(value, self.where)
        # ``__array__`` may return a copy, as that of a numpy scalar does.
        if not hasattr(value, "__dlpack__"):
            kind, expected = type(value).__name__, f"{self.spec} in memory of its own"
            raise self.refused("cannot be filled", kind, "pass an array", expected=expected)
        self.check_gradients(value)
        if not array.flags.writeable:
            got = f"read-only {_described(array)}"
            raise self.refused("is read-only", got, "pass a copy of the array")
        return array

    def check_gradients(self, value: object) -> None:
        """Raise an error if the value is an output and a tensor that requires gradients.

        Autograd cannot record that a call writes to the tensor, so its gradients would be wrong.
        Inputs may require gradients.

        Errors: ArgumentError.
        """
        if not self.is_input and requires_gradients(value):
            hint = "pass x.detach(), a tensor on the same memory"
            raise self.refused("requires gradients", "a tensor that requires them", hint)

    def _output(self, value: Any, row: CheckedShape) -> Array:
        array = self.writable(value)
        got, flags = _described(array), array.flags
        hint = f'pass an array from numpy.empty({row.shape}, "{self.spec.dtype}")'
        if array.dtype != row.dtype:
            raise self.refused("has the wrong dtype", got, hint)
        if array.shape != row.shape:
            raise self.refused("has the wrong shape", got, _SHAPE_HINT)
        if not (flags.c_contiguous and flags.aligned):
            kept = f"{got} with strides {array.strides}"
            got = kept if flags.aligned else f"{got} at an address that is not aligned"
            raise self.refused("is not stored row by row, aligned, without gaps", got, hint)
        return array


def arguments_of(manifest: Manifest) -> tuple[Argument, ...]:
    """Return all arguments of a call: the inputs, then the arrays that the call fills."""
    specs = (*manifest.inputs, *manifest.filled)
    return tuple(Argument(manifest, position, spec) for position, spec in enumerate(specs))


def as_bytes(arrays: Sequence[object], inputs: Sequence[TensorSpec]) -> Sequence[object]:
    """Return the arguments of a call, with strings in place of uint8 inputs encoded as bytes.

    The encoding is that of strings.py; all other arguments are returned unchanged.

    arrays: the arguments.  inputs: the specs of the inputs.
    """
    if all(spec.dtype != "uint8" for spec in inputs):
        return arrays
    pairs = zip_longest(arrays, inputs[: len(arrays)])
    return [
        encoded(x) if spec is not None and spec.dtype == "uint8" and is_strings(x) else x
        for x, spec in pairs
    ]


def in_order(
    names: Sequence[str],
    arrays: Sequence[object],
    named: Mapping[str, object],
    module_name: str,
    signature: str,
) -> tuple[object, ...]:
    """Return all inputs of a call in the order of the signature.

    names: the names of the inputs.  arrays: the first inputs.  named: the other inputs by name.
    module_name, signature: for messages.

    Errors: ArgumentError for an unknown, repeated or missing name.
    """
    given = dict(zip(names, arrays, strict=False))
    for name in named:
        if name not in names or name in given:
            problem = "is given twice" if name in names else "is not an input"
            raise ArgumentError(
                f"{module_name}: {name} {problem}",
                expected=", ".join(names),
                hint="pass each input once, by position or by its name",
                signature=signature,
            )
    given.update(named)
    missing = [name for name in names if name not in given]
    if missing:
        raise ArgumentError(
            f"{module_name}: inputs are missing",
            expected=", ".join(missing),
            signature=signature,
            hint="pass an array for each input of the signature",
        )
    return tuple(given[name] for name in names)


def wrong_count(manifest: Manifest, got: int, filled: int | None = None) -> ArgumentError:
    """Return the error for a call with a wrong number of arguments.

    got: the number of arguments.  filled: how many arguments a call fills; None: the number of
    `Manifest.filled`.
    """
    inputs, filled = len(manifest.inputs), len(manifest.filled) if filled is None else filled
    what = "outputs with room" if manifest.sizes else "outputs"
    what += ", then sizes to fill" if manifest.sizes else " to fill"
    return ArgumentError(
        f"{manifest.name}: wrong number of arguments",
        expected=f"{inputs} (inputs) or {inputs + filled} (inputs, then {what})",
        got=got,
        signature=manifest.signature,
        hint="pass the inputs, or the inputs and the outputs",
    )


def _described(array: Array) -> str:
    name = array.dtype.name if array.dtype.isnative else f"{array.dtype.name} (swapped bytes)"
    return f"{name}[{', '.join(map(str, array.shape))}]"
