"""Report the contents and the unsupported nodes of a model file, without compiling it.

In: a model, and the known sizes and values.  Out: a `ModelReport` of plain values.  The import
finds unsupported nodes; if the producer of a node's input is unsupported, only the node's operator
is checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from ...frontend.model_file import load_model
from ...frontend.onnx.bodies import has_body
from ...frontend.onnx.file.definitions import FunctionKey, Model, NodeDef, ValueDef
from ...frontend.onnx.importer import converters, import_model
from ...frontend.onnx.input_values import Values
from ...frontend.onnx.installed import InstalledConverters
from ...frontend.onnx.signature import Shapes
from ...support.diagnostics import (
    NeedsBinding,
    RefusedNode,
    TilewrightError,
    TypeMismatch,
    UnsupportedOp,
)
from ...support.entry import entry_of
from ..declared import declared_inputs, formed_text, shape_and_dtype


@dataclass(frozen=True)
class TensorReport:
    """The name, dtype and shape of an input or output.

    dtype: numpy's name, or ``string``; None if the value is no tensor or its type is not declared.
    shape: None if the rank is unknown; each size is a number, a name, or None if unknown.
    is_list: the value is a sequence of such tensors.  is_optional: the value may be absent.
    """

    name: str
    dtype: str | None
    shape: tuple[int | str | None, ...] | None
    is_list: bool = False
    is_optional: bool = False

    def __str__(self) -> str:
        sizes = "…" if self.shape is None else ", ".join(str(size or "?") for size in self.shape)
        text = f"{self.dtype or '?'}[{sizes}]"
        return formed_text(text, is_list=self.is_list, is_optional=self.is_optional)


@dataclass(frozen=True)
class OperatorReport:
    """An operator of a model, with the number of its nodes.

    kind: how the operator is imported: ``converter``, ``function`` (of the model), ``body`` (a
    function body of the ONNX standard) or ``none``. count: the number of nodes; refused: the number
    of unsupported nodes. Both include nodes in functions and in nested graphs.
    """

    domain: str
    op_type: str
    count: int
    kind: str
    refused: int


@dataclass(frozen=True)
class ModelReport:
    """The contents of a model.

    Units: sizes in bytes; ``parameters`` counts elements.

    opsets: the version of each operator set, by domain.
    refused: the unsupported nodes.  dynamic_inputs: inputs with symbolic sizes.  value_inputs:
    inputs whose values decide shapes; if the import failed, its later steps may need the values of
    further inputs.
    is_bindable: whether the import may succeed if more sizes or values are bound.
    problem: why the import failed, if not because of the nodes in ``refused``.
    """

    name: str
    file: str
    file_bytes: int
    ir_version: int
    producer: str
    opsets: Mapping[str, int]
    inputs: tuple[TensorReport, ...]
    outputs: tuple[TensorReport, ...]
    parameters: int
    parameter_bytes: int
    operators: tuple[OperatorReport, ...]
    refused: tuple[RefusedNode, ...]
    dynamic_inputs: tuple[str, ...]
    value_inputs: tuple[str, ...]
    is_bindable: bool
    problem: str

    @property
    def is_supported(self) -> bool:
        """Return whether the model can be imported, possibly after sizes and values are bound."""
        return not self.problem and (not self.refused or self.is_bindable)


def describe_model(
    path: Path, *, shapes: Shapes | None = None, values: Values | None = None
) -> ModelReport:
    """Read a model and report its contents; unsupported nodes are listed and raise no error.

    shapes, values: see `compile`.
    Errors: ModelError if the file is malformed, or if shapes or values contradict it.
    """
    model = load_model(path)
    known = {} if values is None else values
    inputs = [value for value in model.inputs if value.name not in known]
    sizes = {} if shapes is None else shapes
    dynamic_inputs = _dynamic_inputs(inputs, sizes)
    installed = InstalledConverters()
    outcome = _import(model, sizes, known, installed, is_dynamic=bool(dynamic_inputs))
    weights = model.initializers.values()
    return ModelReport(
        name=model.name,
        file=str(path),
        file_bytes=path.stat().st_size,
        ir_version=model.ir_version,
        producer=model.producer,
        opsets={domain or "ai.onnx": version for domain, version in model.opsets.items()},
        inputs=tuple(map(_declared, inputs)),
        outputs=outcome.outputs or tuple(_declared(model.declared[n]) for n in model.outputs),
        parameters=sum(array.size for array in weights),
        parameter_bytes=sum(array.nbytes for array in weights),
        operators=_operators(model, outcome.refused, installed),
        refused=outcome.refused,
        dynamic_inputs=dynamic_inputs,
        value_inputs=outcome.value_inputs,
        is_bindable=outcome.is_bindable,
        problem=outcome.problem,
    )


@dataclass(frozen=True)
class _Outcome:
    outputs: tuple[TensorReport, ...] = ()
    refused: tuple[RefusedNode, ...] = ()
    value_inputs: tuple[str, ...] = ()
    is_bindable: bool = False
    problem: str = ""


def _import(
    model: Model,
    shapes: Shapes,
    values: Values,
    installed: InstalledConverters,
    *,
    is_dynamic: bool,
) -> _Outcome:
    try:
        module = import_model(model, shapes=shapes, values=values, installed=installed)
        return _Outcome(outputs=_results(module))
    except NeedsBinding as err:
        return _Outcome(refused=err.nodes, value_inputs=err.inputs, is_bindable=True)
    except UnsupportedOp as err:
        return _Outcome(refused=err.nodes, problem="" if err.nodes else str(err))
    except TypeMismatch as err:
        # Sizes with different names may be equal in every call.
        return _Outcome(is_bindable=is_dynamic, problem="" if is_dynamic else str(err))
    except TilewrightError as err:
        return _Outcome(problem=str(err))


def _results(module: ModuleOp) -> tuple[TensorReport, ...]:
    main = entry_of(module)
    names = cast("ArrayAttr[StringAttr]", main.attributes["tw.result_names"])
    types = main.function_type.outputs.data
    facts = zip(names, map(shape_and_dtype, types), strict=True)
    return tuple(TensorReport(name.data, dtype, shape) for name, (shape, dtype) in facts)


def _declared(value: ValueDef) -> TensorReport:
    name = None if value.dtype is None else value.dtype.name
    shape = value.shape
    if value.is_text or value.dtype == np.object_:
        name = "string"
        # The bytes of strings are no axis of the file.
        shape = shape[:-1] if shape is not None and value.is_text else shape
    return TensorReport(value.name, name, shape, value.is_list, value.is_optional)


def _dynamic_inputs(inputs: Sequence[ValueDef], shapes: Shapes) -> tuple[str, ...]:
    tensors = [value for value in inputs if value.dtype is not None]
    try:
        return tuple(spec.name for spec in declared_inputs(tensors, shapes) if spec.is_symbolic())
    except UnsupportedOp:  # an unsupported element type, which the import reports
        return ()


def _operators(
    model: Model, refused: Iterable[RefusedNode], installed: InstalledConverters
) -> tuple[OperatorReport, ...]:
    refusals = Counter((node.domain, node.op_type) for node in refused)
    counter = _NodeCounter(model)
    counts = counter.count(model.nodes)
    return tuple(
        OperatorReport(*key, count, _kind(model, counter.examples[key], installed), refusals[key])
        for key, count in sorted(counts.items())
    )


def _kind(model: Model, node: NodeDef, installed: InstalledConverters) -> str:
    if node.key in model.functions:
        return "function"
    if (node.domain, node.op_type) in converters():
        return "converter"
    if has_body(node, model.opsets.get(node.domain, 0)):
        return "body"
    return "converter" if installed.find(node.domain, node.op_type) else "none"


class _NodeCounter:
    """A counter of a model's nodes by domain and operator type.

    Each call of a function counts the nodes in its body again.

    examples: a node of each operator.
    """

    def __init__(self, model: Model) -> None:
        self.examples: dict[tuple[str, str], NodeDef] = {}
        self._functions = model.functions
        self._known: dict[FunctionKey, Counter[tuple[str, str]]] = {}

    def count(self, nodes: Iterable[NodeDef]) -> Counter[tuple[str, str]]:
        """Return the number of nodes of each operator, including those in nested graphs."""
        counts = Counter[tuple[str, str]]()
        for node in nodes:
            key = node.domain, node.op_type
            self.examples[key] = node
            counts[key] += 1
            for graph in node.graphs:
                counts.update(self.count(graph.nodes))
            if node.key in self._functions:
                if node.key not in self._known:
                    self._known[node.key] = self.count(self._functions[node.key].nodes)
                counts.update(self._known[node.key])
        return counts
