"""Parameters of a loaded module: read, replaced, saved.

    params = module.get_params()            by the names and in the layouts of the model
    module.load_params({"fc.weight": w})    or a path, or the bytes of a file
    module.save_params("m.params")

In: the parameters of a module (params.py) and its packed weights. Out: new packed weights, which
later calls read. Another module that shares the old weights keeps them unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..abi.constants import SYMBOL_RUNNING, SYMBOL_WEIGHTS
from ..abi.library import Library
from ..abi.ndarray import Array, NDArray, address_reader
from ..abi.param_code import ParamCode
from ..errors import ArgumentError
from .functions import ModuleFunctions
from .loading import HeldCode
from .params import ParamMaps, Params, save_param_dict, values_of


class ModuleParams(ModuleFunctions):
    """A module that can read, replace and save the parameters of its model."""

    _code: HeldCode

    @cached_property
    def params(self) -> ParamMaps:
        """The parameters of the module, and the table from which their packed form is computed."""
        return ParamMaps({}, {}, b"")

    @cached_property
    def _loaded(self) -> dict[str, Array]:
        """The values of replaced parameters that the packed weights do not contain, by name."""
        return {}

    def get_params(self, names: Iterable[str] | None = None) -> dict[str, NDArray]:
        """Return copies of the parameters that `load_params` can replace, by the model's names.

        names: the parameters to return; None: all.  A module that was loaded from files does not
        have the values of `folded_params`.

        Errors: ArgumentError for a name that the model does not have, for a parameter that the code
        depends on, with the reason, and for a parameter in `folded_params`.
        """
        found = self._values()
        if names is not None:
            return {name: NDArray(self._value(name, found)) for name in names}
        specs = self.params.specs.values()
        return {s.name: NDArray(found[s.name]) for s in specs if not s.reason and s.name in found}

    @property
    def folded_params(self) -> Mapping[str, tuple[str, ...]]:
        """The parameters that `load_params` can replace but `get_params` cannot return.

        The result maps the name of each to the names of the other parameters with which the
        compiler combined it by arithmetic. There are no other parameters if the compiler
        transformed the parameter alone, or removed it as unused.
        """
        found = self._values()
        return {
            spec.name: self.params.combined.get(spec.name, ())
            for spec in self.params.specs.values()
            if not spec.reason and spec.name not in found
        }

    def _values(self) -> Mapping[str, Array]:
        stored = self._stored()
        return {**self._original(stored), **stored, **self._loaded}

    def _stored(self) -> Mapping[str, Array]:
        """Return the parameters whose values the packed weights contain, as arrays by name."""
        weights, code = self._code.weights, ParamCode.of(self._library)
        if weights is None or code is None or not self.params.combined:
            return {}
        return self.params.stored(code, weights, self.name)

    @cached_property
    def _held(self) -> frozenset[str]:
        """The names of the parameters whose values the packed weights contain.

        Replacing values does not change this set.
        """
        return frozenset(self._stored())

    def _value(self, name: str, found: Mapping[str, Array]) -> Array:
        spec = self.params.specs.get(name)
        if spec is not None and not spec.reason and name in found:
            return found[name]
        self._refuse_reading(name, self.name)

    def _refuse_reading(self, name: str, module: str) -> NoReturn:
        self.params.refuse_reading(self._param_code(), self._packed, name, module)

    def _param_code(self) -> ParamCode:
        code = ParamCode.of(self._library)
        if code is None:
            raise ArgumentError(
                f"{self.name} has no packed weights, so no parameter can be replaced or read",
                got="the code for this target contains its values",
                hint='compile the model with target="native"',
            )
        return code

    @property
    def _packed(self) -> Array:
        """The packed weights; no bytes if there are none."""
        weights = self._code.weights
        return np.zeros(0, np.uint8) if weights is None else weights

    def save_params(self, path: str | PathLike[str]) -> None:
        """Write the result of `get_params` to a file in safetensors layout.

        Errors: OSError if the file cannot be written.
        """
        Path(path).write_bytes(save_param_dict(self.get_params()))

    def load_params(self, params: Params) -> None:
        """Replace the values of parameters.

        Later calls give the results, bit for bit, of a module that is compiled from a model with
        the new values.  Calls that are running in other threads finish with the old values.

        params: the new values by name, or a file that `save_params` wrote, or the bytes of such a
        file.

        Before: no other thread replaces parameters of this module.
        Errors: ArgumentError for an unknown parameter, for one that cannot be replaced, with the
        reason, and for a wrong shape or dtype; then nothing is replaced.
        """
        given = values_of(params)
        self._check_params(given)
        self.take_params(given, self.repacked(given, self.name))

    def repacked(self, given: Mapping[str, object], name: str) -> Array:
        """Return packed weights that contain new values of parameters; change nothing.

        given: the new values by name.  name: the name of the module in messages.

        Errors: ArgumentError, as from `load_params`.
        """
        return self.params.repacked(self._param_code(), self._packed, given, name)

    def take_params(self, given: Mapping[str, object], repacked: Array) -> None:
        """Make later calls read new values of parameters, the second half of `load_params`.

        given: the new values by name.  repacked: the result of `repacked` for these values.
        """
        if repacked.size:
            self.use_weights(repacked)
        own = {name: np.array(value) for name, value in given.items() if name not in self._held}
        self._loaded.update(own)

    def _original(self, stored: Mapping[str, Array]) -> Mapping[str, Array]:
        """Return the model's values of parameters that ``stored`` lacks, by name.

        A module that was loaded from files does not have them and returns an empty mapping.
        """
        return {}

    def _check_params(self, given: Mapping[str, object]) -> None:
        """Raise an error if the parameters of this module cannot be replaced."""

    def use_weights(self, weights: Array) -> None:
        """Make later calls read other packed weights.

        Errors: ArgumentError for a module whose target has no packed weights.
        """
        if not isinstance(self._library, Library):
            raise ArgumentError(
                f"{self.name} has no packed weights",
                hint='compile the model with target="native"',
            )
        self._library.store_pointer(SYMBOL_WEIGHTS, address_reader()(weights))
        self._code.replace_weights(weights, is_running=self._library.int32_at(SYMBOL_RUNNING) != 0)
