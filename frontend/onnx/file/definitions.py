"""The contents of an ONNX model in plain Python: dataclasses, numpy arrays and strings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from ....dialects.params import ParamTable
    from ..builder import Builder, Tensor


@dataclass(frozen=True)
class Opaque:
    """An attribute value that no converter reads: a list of graphs, a sparse tensor, a type.

    kind: the name of the attribute's ONNX type, for messages.
    """

    kind: str


@dataclass(frozen=True)
class AttributeRef:
    """A reference, inside a function, to an attribute of the node that calls the function."""

    name: str


AttributeValue: TypeAlias = """(
    int
    | float
    | str
    | np.ndarray
    | tuple[int, ...]
    | tuple[float, ...]
    | tuple[str, ...]
    | Opaque
    | AttributeRef
    | GraphDef
)"""
# Domain, name and overload of a function.
FunctionKey: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True)
class NodeDef:
    """A node of a graph or function.

    inputs, outputs: the names of values; an empty name stands for an absent value.
    overload: the overload of the function that the node calls.
    """

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, AttributeValue]
    overload: str = ""

    @property
    def key(self) -> FunctionKey:
        """The key of the function that the node calls, if the node is a function call."""
        return self.domain, self.op_type, self.overload

    @property
    def graphs(self) -> list[GraphDef]:
        """The graphs among the values of the attributes."""
        return [value for value in self.attributes.values() if isinstance(value, GraphDef)]

    @property
    def reads(self) -> list[str]:
        """The names that the node reads, including the names that its graphs capture."""
        captured = {name: None for graph in self.graphs for name in sorted(graph.captures)}
        return [*filter(None, self.inputs), *captured]


@dataclass(frozen=True)
class ValueDef:
    """The declaration of a graph's input or output.

    shape: each size is a number, a name, or None if unknown; None for an unknown rank.  is_list:
    whether the value is a sequence of tensors of this type.  is_optional: whether the value may be
    absent.  is_text: whether the elements are strings; then the tensor has one more axis, of bytes.
    """

    name: str
    dtype: np.dtype | None
    shape: tuple[int | str | None, ...] | None
    is_list: bool = False
    is_optional: bool = False
    is_text: bool = False

    @property
    def is_tensor(self) -> bool:
        """Whether the value is always one tensor."""
        return not (self.is_list or self.is_optional)

    @property
    def is_fixed(self) -> bool:
        """Whether the value is a tensor of static shape."""
        sizes = self.shape
        return self.is_tensor and sizes is not None and all(isinstance(n, int) for n in sizes)


@dataclass(frozen=True)
class GraphDef:
    """A graph in an attribute of a node.

    outputs: the names of its results.  nodes: in dependency order.  captures: the names of the
    enclosing graphs' values that this graph reads.
    """

    inputs: tuple[ValueDef, ...]
    outputs: tuple[str, ...]
    initializers: Mapping[str, np.ndarray]
    nodes: tuple[NodeDef, ...]
    captures: frozenset[str]


def all_nodes(nodes: Iterable[NodeDef]) -> Iterator[NodeDef]:
    """Yield nodes and the nodes of their subgraphs."""
    for node in nodes:
        yield node
        for graph in node.graphs:
            yield from all_nodes(graph.nodes)


@dataclass(frozen=True)
class FunctionDef:
    """A function of a model, or the function body of an operator.

    inputs, outputs: the names of parameters and results.  nodes: in dependency order.  opsets: the
    version of the operator set for each domain in the body.  attributes: the names of the
    function's attribute parameters.  defaults: their default values, if any.
    """

    key: FunctionKey
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: tuple[NodeDef, ...]
    opsets: Mapping[str, int]
    attributes: tuple[str, ...] = ()
    defaults: Mapping[str, AttributeValue] = field(default_factory=dict[str, AttributeValue])

    def needed(self, wanted: Iterable[str]) -> list[NodeDef]:
        """Return the nodes on which some outputs of the function depend, in dependency order.

        wanted: the names of these outputs.
        """
        live, kept = set(wanted), list[NodeDef]()
        for node in reversed(self.nodes):
            if live.intersection(node.outputs):
                live.update(node.reads)
                kept.append(node)
        return kept[::-1]


Body: TypeAlias = "Callable[[Builder, Sequence[Tensor]], list[Tensor]]"
"""A function that appends ops to a builder; it maps the inputs of a model to its outputs."""


@dataclass(frozen=True)
class Model:
    """A model that has been read and checked.

    inputs: the declarations of the inputs that are no initializers.  outputs: the names of the
    outputs.
    nodes: the nodes in dependency order.  declared: the declarations of all inputs and outputs, by
    name.
    file: the path of the file, for messages; empty for a model in memory.
    ir_version, producer: as in the file.
    data_files: the paths of the external tensor files, relative to the model's folder.
    params: if set, the table in which the import records the initializers as parameters.
    body: for a model of another format, which has no nodes, the function that builds its outputs
    from its inputs.
    """

    name: str
    opsets: Mapping[str, int]
    inputs: tuple[ValueDef, ...]
    outputs: tuple[str, ...]
    initializers: Mapping[str, np.ndarray]
    nodes: tuple[NodeDef, ...]
    functions: Mapping[FunctionKey, FunctionDef] = field(
        default_factory=dict[FunctionKey, FunctionDef]
    )
    declared: Mapping[str, ValueDef] = field(default_factory=dict[str, ValueDef])
    file: str = field(default="", compare=False)
    ir_version: int = field(default=0, compare=False)
    producer: str = field(default="", compare=False)
    data_files: tuple[str, ...] = field(default=(), compare=False)
    params: ParamTable | None = field(default=None, compare=False)
    body: Body | None = field(default=None, compare=False)


def shown(key: FunctionKey) -> str:
    """Return the domain, name and overload of a function as text, for messages."""
    domain, name, overload = key
    text = f"{domain}::{name}" if domain else name
    return repr(f"{text}:{overload}" if overload else text)
