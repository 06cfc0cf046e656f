"""The node that a converter receives: inputs as tensors, attributes by type, known sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar, cast

import numpy as np
from xdsl.ir import Attribute

from ...dialects.dtypes import element_type
from ...dialects.shape import Dim, normalize_axis
from ...support.diagnostics import (
    ModelError,
    NeedsBinding,
    RefusedNode,
    TypeMismatch,
    UnsupportedOp,
)
from .builder import Builder, Tensor
from .file.definitions import GraphDef, NodeDef, ValueDef
from .file.tensors import numpy_type
from .values import StringTensor, TensorList, Value

T = TypeVar("T")
MIN_OPSET, MAX_OPSET = 1, 28
OLDEST_FORM = 7
"""The oldest opset whose nodes converters accept; file/opset_upgrade.py rewrites older nodes."""


class RunTimeValue(NeedsBinding):
    """The error for a converter that needs the values of a tensor computed at run time.

    what: a noun for the message that names what depends on the values.
    """

    def __init__(self, what: str, tensor: Tensor) -> None:
        super().__init__(f"{what} depends on run-time data")
        self.tensor = tensor


class InnerNodesUnsupported(UnsupportedOp):
    """The error that lists the unsupported nodes of a subgraph.

    unknown: the errors of those nodes that need values or sizes that are unknown at import.
    """

    def __init__(self, unsupported: list[RefusedNode], unknown: list[NeedsBinding]) -> None:
        super().__init__("nodes of a body are not supported", got=", ".join(map(str, unsupported)))
        self.unsupported, self.unknown = unsupported, unknown

    @property
    def only_needs_values(self) -> bool:
        """Whether all these nodes would be supported if unknown values and sizes were known."""
        return len(self.unknown) == len(self.unsupported)


RunGraph: TypeAlias = Callable[[GraphDef, Builder, Sequence[Value]], list[Value]]
"""A function that appends the nodes of a graph to a builder; it maps inputs to results."""


@dataclass(frozen=True)
class Subgraph:
    """A graph in an attribute of a node, and the function that converts it."""

    definition: GraphDef
    run: RunGraph

    @property
    def inputs(self) -> tuple[ValueDef, ...]:
        """The inputs of the graph."""
        return self.definition.inputs

    def check_inputs(self, count: int) -> None:
        """Check that the graph has ``count`` inputs.

        Errors: ModelError if it has another number of inputs.
        """
        if len(self.inputs) != count:
            raise ModelError(
                "the body takes another number of values than the node gives it",
                expected=count,
                got=len(self.inputs),
                hint="correct the inputs of the node or of its body",
            )

    def __call__(self, b: Builder, inputs: Sequence[Value]) -> list[Value]:
        """Append the ops of the graph's nodes to a builder; return the results of the graph."""
        return self.run(self.definition, b, inputs)


@dataclass(frozen=True)
class Node:
    """A node to convert: its definition in the model, and the values of its inputs.

    inputs: None for an input that is absent, a sequence, or a tensor of strings.  run_graph:
    converts a graph in an attribute of the node.  lists: the inputs that are sequences, by
    position; only for converters that accept sequences.  strings: the inputs that are tensors of
    strings, by position; only for converters that read strings.
    producer: the name and version of the program that wrote the model.  named: returns the value of
    a name in the node's graph, for an operator whose attributes contain names.
    """

    definition: NodeDef
    opset: int
    inputs: tuple[Tensor | None, ...]
    run_graph: RunGraph | None = None
    lists: Mapping[int, TensorList] = field(default_factory=dict[int, TensorList])
    producer: str = ""
    strings: Mapping[int, StringTensor] = field(default_factory=dict[int, StringTensor])
    named: Callable[[str], Value] | None = None

    @property
    def name(self) -> str:
        """The node's name in the model."""
        return self.definition.name

    @property
    def op_type(self) -> str:
        """The operator type."""
        return self.definition.op_type

    def __getitem__(self, index: int) -> Tensor:
        x = self.get(index)
        if x is None:
            raise ModelError(f"{self.op_type} lacks input {index}")
        return x

    def get(self, index: int) -> Tensor | None:
        """Return the input tensor at a position, or None if it is absent."""
        return self.inputs[index] if index < len(self.inputs) else None

    def value(self, index: int) -> Value:
        """Return the input at a position: a tensor, a sequence, or None if it is neither."""
        return self.lists.get(index) or self.get(index)

    def list_at(self, index: int) -> TensorList:
        """Return a required input that is a sequence.

        Errors: ModelError if the input is a tensor or absent.
        """
        found = self.lists.get(index)
        if found is None:
            raise ModelError(f"input {index} of {self.op_type} is no sequence")
        return found

    def text_at(self, index: int) -> StringTensor:
        """Return a required input that is a tensor of strings.

        Errors: ModelError if the input is a tensor of numbers or absent.
        """
        found = self.strings.get(index)
        if found is None:
            raise ModelError(f"input {index} of {self.op_type} is no tensor of strings")
        return found

    def ranked(self, index: int, rank: int, *, more: bool = False) -> Tensor:
        """Return a required input of the given rank; with ``more``, of this rank or a higher one.

        Errors: ModelError for another rank.
        """
        x = self[index]
        if x.rank < rank or (x.rank > rank and not more):
            raise ModelError(
                f"input {index} has a wrong rank",
                expected=f"{rank} or more" if more else rank,
                got=x.rank,
                hint="reshape it",
            )
        return x

    def present(self) -> list[Tensor]:
        """Return all inputs as tensors.

        Errors: ModelError if an input is absent.
        """
        return [self[i] for i in range(len(self.inputs))]

    def wants(self, output: int) -> bool:
        """Return whether the output at this position has a name; only then is it read."""
        outputs = self.definition.outputs
        return output < len(outputs) and bool(outputs[output])

    def has(self, name: str) -> bool:
        """Return whether the node sets the attribute of this name."""
        return name in self.definition.attributes

    def _attribute(self, name: str, kind: type[T], default: T | None) -> T:
        value = self.definition.attributes.get(name, default)
        if value is None:
            raise ModelError(f"{self.op_type} lacks attribute {name!r}")
        if not isinstance(value, kind):
            raise ModelError(f"attribute {name!r} has a wrong type", expected=kind, got=value)
        return value

    def _list(
        self,
        name: str,
        what: str,
        kind: type[T] | tuple[type[T], ...],
        default: tuple[T, ...] | None,
    ) -> tuple[T, ...]:
        values = self._attribute(name, tuple, cast("tuple[object, ...] | None", default))
        checked = tuple(v for v in values if isinstance(v, kind))
        if len(checked) != len(values):
            raise ModelError(f"attribute {name!r} is not a list of {what}", got=values)
        return checked

    def graph(self, name: str) -> Subgraph:
        """Return the graph in an attribute."""
        assert self.run_graph is not None, "nodes with graphs come from the importer"
        return Subgraph(self._attribute(name, GraphDef, None), self.run_graph)

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an integer attribute, or the default if the node does not set the attribute.

        Errors: ModelError for another type, and for an attribute that has neither value nor
        default. The same holds for the attributes of other types.
        """
        return self._attribute(name, int, default)

    def number(self, name: str, default: float | None = None) -> float:
        """Return a float attribute, or the default if it is not set."""
        return self._attribute(name, float, default)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string attribute, or the default if it is not set."""
        return self._attribute(name, str, default)

    def array(self, name: str, default: np.ndarray | None = None) -> np.ndarray:
        """Return a tensor attribute as an array, or the default if it is not set."""
        return self._attribute(name, np.ndarray, default)

    def ints(self, name: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return an attribute that is a list of integers."""
        return self._list(name, "integers", int, default)

    def texts(self, name: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return an attribute that is a list of strings."""
        return self._list(name, "strings", str, default)

    def floats(self, name: str, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """Return an attribute that is a list of floats."""
        return tuple(map(float, self._list(name, "numbers", (int, float), default)))

    def dtype(self, name: str, default: int | None = None) -> Attribute:
        """Return the element type whose ONNX type code is in an attribute.

        Errors: UnsupportedOp for an element type that the graph dialect lacks.
        """
        dtype = numpy_type(self.integer(name, default))
        try:
            return element_type(dtype)
        except TypeMismatch as err:
            raise UnsupportedOp("element type is not supported", got=dtype) from err

    def sizes_at(self, index: int, what: str) -> list[Dim] | None:
        """Return the integers in an input that is known at import; None if the input is absent.

        The integers may be symbolic sizes.
        what: a noun for messages that names what the integers determine.
        Errors: RunTimeValue if the input depends on run-time data.
        """
        x = self.get(index)
        if x is None:
            return None
        if x.sizes is None:
            raise RunTimeValue(what, x)
        return list(x.sizes.reshape(-1))

    def ints_at(self, index: int, what: str) -> list[int] | None:
        """Return the integers in an input that is known at import; None if the input is absent.

        what: a noun for messages that names what the integers determine.
        Errors: RunTimeValue if the input depends on run-time data; NeedsBinding if an integer
        depends on a symbolic size.
        """
        sizes = self.sizes_at(index, what)
        return None if sizes is None else [static(dim, what) for dim in sizes]

    def values_at(self, index: int, what: str) -> np.ndarray | None:
        """Return the array of an input that is known at import; None if the input is absent.

        what: a noun for messages that names what the array determines.
        Errors: RunTimeValue if it depends on run-time data; NeedsBinding for a symbolic size.
        """
        x = self.get(index)
        if x is None:
            return None
        values = x.values()
        if values is None:
            if x.sizes is not None:
                raise NeedsBinding(f"{what} depends on an unbound size")
            raise RunTimeValue(what, x)
        return values

    def number_at(self, index: int, what: str) -> float:
        """Return the number in a required one-element input that is known at import.

        what: a noun for messages that names what the number determines.
        Errors: RunTimeValue if the input depends on run-time data; NeedsBinding for a symbolic
        size; ModelError for another number of elements.
        """
        values = self.values_at(index, what)
        if values is None or values.size != 1:
            raise ModelError(f"{what} needs one number", got=f"input {index} of {self.op_type}")
        return values.item()

    def axis(self, name: str, default: int | None, rank: int) -> int:
        """Return an axis attribute; a negative axis is converted to a position from 0.

        rank: the number of axes of the tensor to which the attribute refers.
        """
        return normalize_axis(self.integer(name, default), rank)


Converter: TypeAlias = Callable[[Node, Builder], Value | tuple[Value, ...]]


@dataclass(frozen=True)
class OpConverter:
    """A converter of an operator, and the opsets for which it is valid.

    op_type, domain: the operator.  convert: maps a node to the values of its results.  since,
    until: the first and the last opset.  lists: whether the converter accepts sequences, and may
    return None for an absent optional; otherwise a result None means that this output is
    unsupported.  folds: whether small results of constant inputs are evaluated at import.  texts:
    whether the converter is for nodes that read strings, and only for these nodes.
    """

    op_type: str
    convert: Converter
    since: int = OLDEST_FORM
    until: int = MAX_OPSET
    domain: str = ""
    lists: bool = False
    folds: bool = True
    texts: bool = False


def static(dim: Dim, what: str) -> int:
    """Return the value of a size that must not be symbolic.

    what: a noun for messages that names what depends on the size.
    Errors: NeedsBinding if the size is symbolic.
    """
    if dim.value is None:
        raise NeedsBinding(f"{what} depends on an unbound size (bind it by shapes=)", got=dim)
    return dim.value
