"""The contents of an ONNX model in plain Python: dataclasses, numpy arrays and strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np


@dataclass(frozen=True)
class Opaque:
    """An attribute that no converter reads: a list of graphs, a sparse tensor, a type."""

    kind: str


@dataclass(frozen=True)
class AttributeRef:
    """Inside a function: the attribute of this name of the node that calls the function."""

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
    """One node: names of values (empty: absent) and attributes; overload is of a function."""

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, AttributeValue]
    overload: str = ""

    @property
    def key(self) -> FunctionKey:
        """What the node calls, if it is a function."""
        return self.domain, self.op_type, self.overload

    @property
    def graphs(self) -> list[GraphDef]:
        """The graphs among its attributes."""
        return [value for value in self.attributes.values() if isinstance(value, GraphDef)]

    @property
    def reads(self) -> list[str]:
        """All names that it needs, those that its graphs capture included."""
        captured = {name: None for graph in self.graphs for name in sorted(graph.captures)}
        return [*filter(None, self.inputs), *captured]


@dataclass(frozen=True)
class ValueDef:
    """A graph input or output: dtype (None: unknown, or no tensor) and shape (None: no rank).

    A size is fixed, named, or None if it is unknown.  is_list: it is a sequence, and this is the
    type of its tensors.  is_optional: it may be absent.
    """

    name: str
    dtype: np.dtype | None
    shape: tuple[int | str | None, ...] | None
    is_list: bool = False
    is_optional: bool = False

    @property
    def is_tensor(self) -> bool:
        """Return whether it always is one tensor."""
        return not (self.is_list or self.is_optional)

    @property
    def is_fixed(self) -> bool:
        """Return whether it is a tensor whose sizes are numbers."""
        sizes = self.shape
        return self.is_tensor and sizes is not None and all(isinstance(n, int) for n in sizes)


@dataclass(frozen=True)
class GraphDef:
    """A graph in an attribute: inputs, nodes in dependency order, names of results.

    captures: names that it reads from the graphs around it.  defines: all names that it defines,
    and the graphs inside of it.
    """

    inputs: tuple[ValueDef, ...]
    outputs: tuple[str, ...]
    initializers: Mapping[str, np.ndarray]
    nodes: tuple[NodeDef, ...]
    captures: frozenset[str]
    defines: frozenset[str]


def all_nodes(nodes: Iterable[NodeDef]) -> Iterator[NodeDef]:
    """Yield nodes, including the nodes of their subgraphs."""
    for node in nodes:
        yield node
        for graph in node.graphs:
            yield from all_nodes(graph.nodes)


@dataclass(frozen=True)
class FunctionDef:
    """A function: parameters, nodes in dependency order, opsets of the body.

    attributes: names of the attribute parameters; defaults: values of those that have one.
    """

    key: FunctionKey
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: tuple[NodeDef, ...]
    opsets: Mapping[str, int]
    attributes: tuple[str, ...] = ()
    defaults: Mapping[str, AttributeValue] = field(default_factory=dict[str, AttributeValue])

    def needed(self, wanted: Iterable[str]) -> list[NodeDef]:
        """The nodes that the wanted outputs depend on, in dependency order."""
        live, kept = set(wanted), list[NodeDef]()
        for node in reversed(self.nodes):
            if live.intersection(node.outputs):
                live.update(node.reads)
                kept.append(node)
        return kept[::-1]


@dataclass(frozen=True)
class Model:
    """A checked model: inputs without initializers, nodes in dependency order, result names.

    declared: what the file says of all inputs and outputs.  file: for messages; empty in memory.
    ir_version, producer: of the file.  data_files: where the file says that tensors are stored,
    relative to its folder.
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


def shown(key: FunctionKey) -> str:
    """A function's key in messages."""
    domain, name, overload = key
    text = f"{domain}::{name}" if domain else name
    return repr(f"{text}:{overload}" if overload else text)
