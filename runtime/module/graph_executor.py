"""The graph executor: set inputs, run, and get outputs in separate calls.

    executor = GraphModule(module["default"](cpu(0)))
    executor.set_input("x", x)
    executor.run()
    y = executor.get_output(0).numpy()

    executor = create(graph_json, load_module("m.so"), cpu(0))    with a separate graph and params
    executor.load_params(params)

In: a compiled module. Out: the results of the last run. An executor copies its inputs, so a caller
may reuse arrays after `set_input`. The C code of runtime/native/executor.c holds the inputs. Only
one thread at a time may use an executor.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, cast

import numpy as np

from ..abi.device import Device
from ..abi.ndarray import Array, NDArray, elements_of, empty, numpy_dtype
from ..abi.packed import PackedFunc
from ..call.arguments import arguments_of
from ..call.states import StatefulCallee
from ..call.timing import BenchmarkResult, TimeEvaluator
from ..errors import ArgumentError
from ..spelling import SuggestsNames
from .params import Params


class Inputs(Protocol):
    """The methods of an executor's inputs; `ExecutorInputs` implements them."""

    def set(self, name: str, array: Array | None) -> None:
        """Copy an array to an input.

        array: None, for a value that is no array, raises the error for a missing array.
        """
        ...

    def get(self, name: str) -> NDArray:
        """Return the array of an input, on the memory of the executor."""
        ...

    def given(self) -> dict[str, Array]:
        """Return copies of the inputs that are set, by name."""
        ...

    def check(self) -> None:
        """Raise an error if an input is not set."""
        ...


class Executable(StatefulCallee, Protocol):
    """The methods of a module that a `GraphModule` calls."""

    def executor_inputs(self, device: Device | None = None) -> Inputs:
        """Return memory for the inputs of a new executor.

        device: the device in whose memory the inputs are, if the module supports several.
        """
        ...

    def filled_shapes(self, inputs: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the shapes of the arrays that a call fills, for inputs of given shapes."""
        ...

    def time_evaluator(
        self,
        name: str,
        device: Device | None = None,
        *,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: float = 0,
    ) -> TimeEvaluator:
        """Return a function that measures calls of the function with a name.

        The parameters are those of `ModuleFunctions.time_evaluator`.
        """
        ...

    def load_params(self, params: Params) -> None:
        """Replace parameters of the model; see `Module.load_params`."""
        ...

    def share_weights(self, other: Self) -> None:
        """Make this module read the weights of another module, in the memory of that module."""
        ...


class Described(Executable, Protocol):
    """An executable module that also returns its graph and its functions."""

    def get_graph_json(self) -> str:
        """Return the graph of the module as JSON text."""
        ...

    def get_function(self, name: str) -> PackedFunc:
        """Return the function of the module with a name."""
        ...


def _executable(given: GraphModule | Executable) -> Executable:
    if isinstance(given, GraphModule):
        return given.module
    if not hasattr(given, "manifest") or not hasattr(given, "run"):
        raise ArgumentError(
            "GraphModule takes a module",
            expected='a compiled module, or what its function "default" returns',
            got=f"{type(given).__name__} {given!r}",
            hint='call it as GraphModule(module["default"](cpu(0)))',
        )
    return given


class GraphModule(SuggestsNames):
    """An executor of a module: it holds inputs, runs the module, and holds the results.

    module: the compiled module.
    """

    def __init__(self, executor: GraphModule | Executable, device: Device | None = None) -> None:
        """Make a new executor without inputs.

        executor: the module to run, or an executor of this module.  device: the device in whose
        memory the inputs are, if the module supports several.
        """
        self.module = _executable(executor)
        self._specs = {spec.name: spec for spec in self.module.inputs}
        self._names = [*self._specs]
        self._inputs = self.module.executor_inputs(device)
        self._results: tuple[Any, ...] | None = None

    def set_input(
        self, key: str | int | None = None, value: object = None, /, **named: object
    ) -> None:
        """Copy a value into an input.

        key: the name or the position of the input.  ``named``: more inputs by name.

        Errors: ArgumentError for an unknown input, a wrong dtype or a wrong shape.
        """
        given = {**({} if key is None else {self._name_of(key): value}), **named}
        for name, each in given.items():
            self._inputs.set(name, self._array_of(name, each))

    def run(self, **named: object) -> None:
        """Run the module on its inputs.

        ``named``: inputs to set before the run.
        Errors: ArgumentError for inputs that are missing; those of a call.
        """
        self.set_input(**named)
        self._results = self.module.run(self._given())

    def get_output(self, index: int, out: NDArray | None = None) -> Any:
        """Return a result of the last run, or copy it to ``out`` and return ``out``.

        The result is an NDArray, a list of NDArrays for a sequence, or None for an absent optional.

        Errors: ArgumentError before the first run, and for an index that no result has.
        """
        if self._results is None:
            raise self._error("has no results yet", hint="call run() first")
        if not 0 <= index < len(self._results):
            last = len(self._results) - 1
            raise self._error(
                f"has no output {index}",
                expected=f"0..{last}",
                got=index,
                hint="see get_num_outputs()",
            )
        found = self._results[index]
        return found if out is None else found.copyto(out)

    def get_num_outputs(self) -> int:
        """Return the number of results."""
        return len(self.module.manifest.forms or self.module.manifest.outputs)

    def get_num_inputs(self) -> int:
        """Return the number of inputs."""
        return len(self._names)

    def get_input(self, key: str | int) -> NDArray:
        """Return the array of an input, on the memory of the executor.

        key: the name or the position of the input.

        Errors: ArgumentError for an unknown input, and for one that is not set.
        """
        return self._inputs.get(self._name_of(key))

    def get_input_index(self, name: str) -> int:
        """Return the position of an input.

        Errors: ArgumentError for an unknown input.
        """
        if name not in self._specs:
            self._inputs.set(name, None)  # raises the error
        return self._names.index(name)

    def load_params(self, params: Params) -> None:
        """Replace parameters of the model: values by name, or a file's path or its bytes.

        Errors: ArgumentError, as from `Module.load_params`.
        """
        self.module.load_params(params)

    def share_params(self, other: GraphModule) -> None:
        """Make the module of this executor read the weights of another executor's module.

        The weights are then in memory once.

        Errors: ArgumentError if the modules do not have the same code.
        """
        self.module.share_weights(other.module)

    def benchmark(
        self,
        device: Device | None = None,
        *,
        number: int = 5,
        repeat: int = 5,
        min_repeat_ms: float = 0,
        **named: object,
    ) -> BenchmarkResult:
        """Measure runs on the inputs; return the seconds per run.

        device: None or the device of the module.  number: runs per repeat.  min_repeat_ms: raises
        the number of runs, so that each repeat takes at least this long.  ``named``: inputs to set
        before the runs.

        Errors: ArgumentError for inputs that are missing, a device that does not run the module,
        and for outputs whose shapes depend on the elements of the inputs.
        """
        self.set_input(**named)
        inputs = [array.numpy() for array in self._given()]
        shapes = self.module.filled_shapes([array.shape for array in inputs])
        rows = zip(shapes, self.module.manifest.filled, strict=True)
        outputs = [empty(shape, spec.dtype) for shape, spec in rows]
        evaluate = self.module.time_evaluator(
            "main", device, number=number, repeat=repeat, min_repeat_ms=min_repeat_ms
        )
        return evaluate(*inputs, *outputs)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the data by which pickle and copy make the executor: module, inputs and results.

        Errors: those of pickle and copy for the module.
        """
        return GraphModule, (self.module,), (self._inputs.given(), self._results)

    def __setstate__(self, state: tuple[Mapping[str, Array], tuple[Any, ...] | None]) -> None:
        """Set the inputs and results of an executor that pickle or copy has made."""
        inputs, self._results = state
        for name, array in inputs.items():
            self._inputs.set(name, array)

    def __repr__(self) -> str:
        return f"<GraphModule {self.module.manifest.signature}>"

    def _given(self) -> list[NDArray]:
        self._inputs.check()
        return [self._inputs.get(name) for name in self._names]

    def _name_of(self, key: str | int) -> str:
        if isinstance(key, int) and 0 <= key < len(self._names):
            return self._names[key]
        return str(key)

    def _array_of(self, name: str, value: object) -> Array | None:
        if name not in self._specs:
            return None
        argument = arguments_of(self.module.manifest)[self._names.index(name)]
        value = value.numpy() if isinstance(value, NDArray) else value
        array = argument.typed(value, numpy_dtype(argument.spec.dtype))
        return np.require(elements_of(array, where=argument.where), requirements="C")

    def _error(
        self, rule: str, *, expected: object = None, got: object = None, hint: str
    ) -> ArgumentError:
        return ArgumentError(
            f"the executor of {self.module.name}: {rule}",
            expected=expected,
            got=got,
            hint=hint,
            signature=self.module.manifest.signature,
        )


def create(graph_json: str, module: Described, device: Device) -> GraphModule:
    """Return an executor of a module, after a check that a graph is the graph of this module.

    graph_json: a text that `get_graph_json` returned.

    Errors: ArgumentError if the text is the graph of another module, or if the module does not run
    on the device.
    """
    own, given = (_signature(text, module.name) for text in (module.get_graph_json(), graph_json))
    if own != given:
        raise ArgumentError(
            f"the graph is not that of the module {module.name}",
            expected=json.dumps(own),
            got=json.dumps(given),
            hint="load the library that was exported with the graph",
        )
    return GraphModule(cast("GraphModule", module.get_function("default")(device)))


def _signature(text: str, name: str) -> Mapping[str, object]:
    try:
        fields = json.loads(text)
        return {key: fields[key] for key in ("format", "inputs", "outputs")}
    except (ValueError, KeyError, TypeError) as err:
        raise ArgumentError(
            f"the graph of {name} is malformed",
            expected="a text of get_graph_json",
            got=repr(err),
            hint="write it again with get_graph_json",
        ) from err
