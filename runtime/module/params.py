"""Parameters of a module: the model's initializers, whose values may be replaced.

In: the parameters in an exported file (driver/params.py writes them), and the packed weights. Out:
new packed weights for new values, and the values that the packed weights contain. The machine code
of runtime/native/repack.c computes both, for Python and for C; it is in the library of the worker
pool. If the code of the model depends on the values of a parameter, the parameter cannot be
replaced, and its `ParamSpec` has the reason.
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
from ..abi.ndarray import Array, NDArray, elements_of, empty_array, numpy_dtype
from ..abi.param_code import ParamCode
from ..abi.values import as_array
from ..file.manifest import ParamSpec
from ..file.safetensors import arrays_in, parts

Params: TypeAlias = "Mapping[str, object] | str | PathLike[str] | bytes"
"""Values by name, the path of a file that `save_params` wrote, or its bytes."""


def packed_table(table: bytes) -> str:
    """Return the text that encodes a table: base64 of the table with compressed zeros.

    Each run of n zero bytes, at most 255, is stored as a zero byte and a byte n, because most bytes
    of the table's integers are zeros. runtime/native/params.c decodes the text, too.
    """
    return b64encode(re.sub(rb"\0{1,255}", lambda run: bytes((0, len(run[0]))), table)).decode()


def _unpacked(text: str) -> bytes:
    packed = b64decode(text, validate=True)
    return re.sub(rb"\0(.)", lambda run: bytes(run[1][0]), packed, flags=re.DOTALL)


@dataclass(frozen=True)
class ParamMaps:
    """The parameters of a module, and the table from which their packed form is computed.

    specs: each parameter by name.  combined: for each parameter in the packed weights, the names of
    the other parameters with which the compiler combined it into one constant.  table: for one
    program, the bytes from which runtime/native/repack.c computes constants; empty for several
    programs.
    """

    specs: Mapping[str, ParamSpec]
    combined: Mapping[str, tuple[str, ...]]
    table: bytes

    @staticmethod
    def of_fields(fields: Mapping[str, Any]) -> ParamMaps:
        """Read the parameters from the fields of an export.

        Errors: LoadError for malformed fields.
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
        """Return the parameters of several programs of one model as one object, without a table.

        If one program cannot replace a parameter, the result cannot replace it either, for the same
        reason.
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
        """Return packed weights that contain new values of some parameters.

        code: the functions that compute them.  weights: the current packed weights, which supply
        all other values.  given: the new values by name.  module: the name of the module in
        messages.

        Errors: ArgumentError for an unknown parameter, for one that cannot be replaced, for a wrong
        shape or dtype, and for a parameter that is combined with others whose values are not given.
        """
        made = empty_array(weights.shape, weights.dtype)
        code.repack(self._bytes, module, weights, _arrays(given, module), made)
        return made

    def check(self, code: ParamCode, given: Mapping[str, object], module: str) -> dict[str, Array]:
        """Check new values of parameters; return those that `load_params` can replace, by name.

        A parameter that cannot be replaced may be given the value that it has; the result leaves it
        out.

        code: the functions that check.  given: the new values by name.  module: the name of the
        module in messages.

        Errors: as of `repacked`, but no parameter needs the values of others.
        """
        arrays = _arrays(given, module)
        code.repack(self._bytes, module, np.zeros(0, np.uint8), arrays, None)
        return {name: array for name, array in arrays.items() if not self.specs[name].reason}

    def stored(self, code: ParamCode, weights: Array, module: str) -> dict[str, Array]:
        """Return the parameters whose values can be read from packed weights, as arrays by name.

        code: the functions that read.  weights: the packed weights.  module: the name of the module
        in messages.
        """
        found: dict[str, Array] = {}
        for name in self.combined:
            spec = self.specs[name]
            made = empty_array(spec.shape, numpy_dtype(spec.dtype))
            if code.read(self._bytes, module, weights, name, made):
                found[name] = made
        return found

    def refuse_reading(self, code: ParamCode, weights: Array, name: str, module: str) -> NoReturn:
        """Raise the error that says why the values of a parameter cannot be returned.

        code: the functions that read parameters.  weights: the packed weights.  name: the
        parameter. module: the name of the module in messages.

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
    return {name: _rows(value, f"{module}: parameter {name}") for name, value in given.items()}


def _rows(value: object, where: str) -> Array:
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
    """Return the values of parameters by name.

    params: a mapping, or the path or the bytes of a safetensors file.

    Errors: ArgumentError for bytes of another layout, OSError from the disk.
    """
    if isinstance(params, Mapping):
        return params
    if isinstance(params, (bytes, bytearray, memoryview)):
        return load_param_dict(params)
    return load_param_dict(Path(fspath(params)).read_bytes())
