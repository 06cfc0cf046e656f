"""Parameters of a module: the model's initializers, whose values may be replaced.

In: the parameters in an exported file (driver/params.py writes them), and the packed weights. Out:
new packed weights for new values, and the values that the packed weights contain. The machine code
of runtime/native/repack.c does both, as in C; it is in the library of the worker pool. If the
code itself depends on the values of a parameter, it has no constants, but a reason why not.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import numpy as np

from ..abi.library import LoadError
from ..abi.ndarray import Array, NDArray, elements_of, numpy_dtype
from ..abi.param_code import ParamCode
from ..abi.values import as_array
from ..call.output_buffers import empty_array
from ..file.manifest import ParamSpec
from ..file.safetensors import arrays_in, parts

Params: TypeAlias = "Mapping[str, object] | str | PathLike[str] | bytes"
"""Values by name, the path of a file that `save_params` wrote, or its bytes."""


def packed_table(table: bytes) -> str:
    """Return a table as text: base64, in which a zero byte and a number n stand for n zeros.

    Most bytes of the table's integers are zeros. runtime/native/params.c unpacks the text, too.
    """
    return b64encode(re.sub(rb"\0{1,255}", lambda run: bytes((0, len(run[0]))), table)).decode()


def _unpacked(text: str) -> bytes:
    """Return the table of a text.

    Errors: ValueError for other texts.
    """
    packed = b64decode(text, validate=True)
    return re.sub(rb"\0(.)", lambda run: bytes(run[1][0]), packed, flags=re.DOTALL)


@dataclass(frozen=True)
class ParamMaps:
    """The parameters of a module.

    specs: each parameter by name.  combined: each parameter that a constant uses, with the other
    parameters of these constants.
    table: for one program, the bytes from which runtime/native/repack.c computes constants.
    """

    specs: Mapping[str, ParamSpec]
    combined: Mapping[str, tuple[str, ...]]
    table: bytes

    @staticmethod
    def of_fields(fields: Mapping[str, Any]) -> ParamMaps:
        """Read the fields of an export.

        Errors: LoadError if they are malformed.
        """
        try:
            rows = fields.get("params", ())
            specs = [ParamSpec(n, d, tuple(s), reason, h) for n, d, s, reason, h in rows]
            combined = {name: tuple(own) for name, own in fields.get("combined", {}).items()}
            table = _unpacked(fields.get("table", ""))
            return ParamMaps({spec.name: spec for spec in specs}, combined, table)
        except (ValueError, TypeError, AttributeError) as err:
            hint = "export the model again: the file is damaged or of another version"
            raise LoadError("the parameters are malformed", got=repr(err), hint=hint) from err

    @staticmethod
    def joined(maps: Sequence[ParamMaps]) -> ParamMaps:
        """Return the parameters of several programs, without a table.

        A parameter that one program cannot replace cannot be replaced in the result either, for the
        same reason.
        """
        specs: dict[str, ParamSpec] = {}
        combined: dict[str, tuple[str, ...]] = {}
        for each in maps:
            for spec in each.specs.values():
                if spec.name not in specs or not specs[spec.name].reason:
                    specs[spec.name] = spec
            for name, own in each.combined.items():
                combined[name] = tuple(dict.fromkeys((*combined.get(name, ()), *own)))
        return ParamMaps(specs, combined, b"")

    def repacked(
        self, code: ParamCode, weights: Array, given: Mapping[str, object], module: str
    ) -> Array:
        """Return packed weights whose constants are computed from new values.

        weights: the current packed weights, which supply all other values.
        Errors: ArgumentError for an unknown parameter, for one that cannot be replaced, for a wrong
        shape or dtype, and for a parameter that is combined with others whose values are not given.
        """
        made = empty_array(weights.shape, weights.dtype)
        code.repack(self._bytes, module, weights, _arrays(given, module), made)
        return made

    def check(self, code: ParamCode, given: Mapping[str, object], module: str) -> dict[str, Array]:
        """Check new values of parameters; return those that replace a parameter, as arrays by name.

        A parameter that cannot be replaced may be given its present value, which is left out.
        Errors: as of `repacked`, for each value alone.
        """
        arrays = _arrays(given, module)
        code.repack(self._bytes, module, np.zeros(0, np.uint8), arrays, None)
        return {name: array for name, array in arrays.items() if not self.specs[name].reason}

    def stored(self, code: ParamCode, weights: Array, module: str) -> dict[str, Array]:
        """Return the values of all parameters whose elements are all in the packed weights."""
        found: dict[str, Array] = {}
        for name in self.combined:
            spec = self.specs[name]
            made = empty_array(spec.shape, numpy_dtype(spec.dtype))
            if code.read(self._bytes, module, weights, name, made):
                found[name] = made
        return found

    def refuse_reading(self, code: ParamCode, weights: Array, name: str, module: str) -> NoReturn:
        """Raise the error that says why the values of a parameter are not known.

        Errors: ArgumentError.
        """
        code.read(self._bytes, module, weights, name, None)
        raise AssertionError(f"{module} contains the values of {name}")

    @cached_property
    def _bytes(self) -> Array:
        """The table in memory that is aligned to 64-bit integers."""
        made = empty_array((len(self.table),), np.dtype(np.uint8))
        made[:] = np.frombuffer(self.table, np.uint8)
        return made


def _arrays(given: Mapping[str, object], module: str) -> dict[str, Array]:
    """Return values as arrays, row by row.

    Errors: ArgumentError for a value that is no array.
    """
    return {name: _rows(value, f"{module}: parameter {name}") for name, value in given.items()}


def _rows(value: object, where: str) -> Array:
    """Return a value as an array, row by row in the byte order of this machine.

    Errors: ArgumentError for a value that is no array, or has elements of another kind.
    """
    return np.asarray(elements_of(as_array(value, where), where=where), order="C")


def save_param_dict(params: Mapping[str, object]) -> bytes:
    """Return named arrays as the bytes of a safetensors file.

    Errors: ArgumentError for a value that is no array.
    """
    arrays = {name: np.asarray(as_array(value, name)) for name, value in params.items()}
    return b"".join(parts(arrays))


def load_param_dict(data: bytes | memoryview) -> dict[str, NDArray]:
    """Return the named arrays in the bytes of a safetensors file.

    Errors: ArgumentError if the bytes are not of this layout.
    """
    return {name: NDArray(array) for name, array in arrays_in(data).items()}


def values_of(params: Params) -> Mapping[str, object]:
    """Return values by name.

    params: a mapping, or the path or the bytes of a file.
    Errors: ArgumentError for another layout, OSError from the disk.
    """
    if isinstance(params, Mapping):
        return params
    if isinstance(params, (bytes, bytearray, memoryview)):
        return load_param_dict(params)
    return load_param_dict(Path(fspath(params)).read_bytes())
