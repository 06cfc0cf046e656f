"""ONNX model in, module of graph ops out: names, shapes, and one converter per node.

The function ``@main`` takes the graph's inputs in order and returns its outputs in order; their
names are in the attributes ``tw.arg_names`` and ``tw.result_names``. Each op carries the name of
its node as location. Shape arithmetic is evaluated here (symbolic.py) and leaves no ops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.shape import element_count
from ...interp.graph import evaluate_op
from ...support.diagnostics import (
    ModelError,
    NeedsBinding,
    RefusedNode,
    TilewrightError,
    UnsupportedOp,
)
from ...support.rewriting import erase_dead_ops
from . import (
    attention,
    constant,
    control,
    conv,
    det,
    einsum,
    elementwise,
    index,
    matmul,
    move,
    norm,
    pool,
    quant,
    random,
    recurrent,
    reduce,
    resize,
    sample,
    scatter,
    selection,
    sequence,
    signal,
    sort,
    symbolic,
    training,
)
from .binding import Values, given_values, inputs_behind
from .bodies import has_body, standard_body
from .builder import MAX_SIZES, Builder, Tensor, name_location
from .definitions import GraphDef, Model, NodeDef
from .early import modernized
from .node import MAX_OPSET, MIN_OPSET, OLDEST_FORM, Node, Row, RunTimeValue
from .proto import load
from .schema import check_node
from .scope import Scope, call_scope, graph_scope
from .signature import Shapes, argument_types, check_declared, identifier

if TYPE_CHECKING:
    from onnx import ModelProto

MAX_LISTED = 100
"""Unsupported nodes that a message shows."""
NOT_CONVERTED = "the node's inputs and attributes do not fit together"
"""The rule of errors that no converter saw coming."""
FAMILIES = (
    elementwise,
    matmul,
    einsum,
    conv,
    pool,
    resize,
    quant,
    sample,
    reduce,
    norm,
    attention,
    recurrent,
    control,
    move,
    index,
    scatter,
    sort,
    det,
    selection,
    constant,
    signal,
    random,
    training,
)


def import_model(
    model: str | PathLike[str] | bytes | ModelProto | Model,
    *,
    shapes: Shapes | None = None,
    values: Values | None = None,
    converters: Sequence[Row] = (),
) -> ModuleOp:
    """Import a model; ``shapes`` fixes or names sizes of inputs, wherever a symbol occurs.

    values: arrays for inputs that become constants and leave the signature, such as target shapes.
    converters: further rows, asked before those of the project.
    Errors: ModelError for a malformed model, or shapes and values that contradict it; UnsupportedOp
    listing every node that cannot be imported, as NeedsBinding if more shapes or values would do;
    TypeMismatch where a node breaks a type rule.
    """
    loaded = model if isinstance(model, Model) else load(model)
    try:
        return _Importer(loaded, shapes or {}, values or {}, converters).run()
    except TilewrightError as err:
        raise err.in_file(loaded.file) from err.__cause__


Converters: TypeAlias = Mapping[tuple[str, str], tuple[Row, ...]]
"""Rows by domain and operator."""


@cache
def converters() -> Converters:
    """All converters of the project."""
    return _with_rows({}, (row for family in FAMILIES for row in family.CONVERTERS))


def _with_rows(known: Converters, rows: Iterable[Row]) -> Converters:
    """Add rows to a table: in their order, before those that it has."""
    added: dict[tuple[str, str], tuple[Row, ...]] = {}
    for row in rows:
        key = (row.domain, row.op_type)
        added[key] = (*added.get(key, ()), row)
    return {**known, **{key: (*more, *known.get(key, ())) for key, more in added.items()}}


class _InnerNodesUnsupported(UnsupportedOp):
    """Nodes of a graph inside a node cannot be imported: a line for each, and what they lack."""

    def __init__(self, unsupported: list[RefusedNode], unknown: list[NeedsBinding]):
        super().__init__("nodes of a body are not supported", got=", ".join(map(str, unsupported)))
        self.unsupported, self.unknown = unsupported, unknown


class _Importer:
    """State of one import: the block being filled, nodes that turned out unsupported."""

    def __init__(
        self, model: Model, shapes: Shapes, given: Values, rows: Sequence[Row] = ()
    ) -> None:
        self.model = model
        self.converters = _with_rows(converters(), rows) if rows else converters()
        self.scope = Scope(model.opsets, model.initializers)
        self.scope.values.update(given_values(model.inputs, given))
        self.inputs = [value for value in model.inputs if value.name not in given]
        self.unsupported: list[RefusedNode] = []
        self.unknown: list[NeedsBinding] = []
        self.block = Block(arg_types=argument_types(self.inputs, shapes))
        # Files often keep the sizes of one example in outputs when those of inputs are open.
        self.fixed = all(value.is_fixed for value in model.inputs)
        self.builder = Builder(self.block)

    def run(self) -> ModuleOp:
        """Convert inputs, initializers and nodes, then wrap them in a function."""
        for value, arg in zip(self.inputs, self.block.args, strict=True):
            arg.name_hint = identifier(value.name)
            self.scope.values[value.name] = Tensor.of_ssa(arg)
        for name in self.model.declared:
            if name in self.model.initializers:
                self._check_declared(name, sizes=True)
        self._import_nodes(self.model.nodes, self.scope)
        if self.unsupported:
            raise self._refusal()
        return ModuleOp([self._function()])

    def _import_nodes(self, nodes: Iterable[NodeDef], scope: Scope) -> None:
        for node in nodes:
            self._import_node(scope.resolved(node), scope)

    def _import_node(self, node: NodeDef, scope: Scope) -> None:
        """Import one node; of one that reads the result of an unsupported one check the kind."""
        try:
            if self._is_about_lists(node, scope):
                self._import_list_node(node, scope)
            elif not self._is_function(node, scope):
                row, opset = self._row(node, scope)
                if all(map(scope.knows, node.reads)):
                    inputs = _inputs(node, scope)
                    check_node(node, opset, inputs)
                    run_graph = partial(self._run_graph, node, scope)
                    converted = self._convert(row, Node(node, opset, inputs, run_graph))
                    self._bind(node, converted, scope)
            elif all(scope.knows(name) for name in node.inputs if name):
                self._call(node, scope)
        except _InnerNodesUnsupported as err:
            self.unsupported += err.unsupported
            self.unknown += err.unknown
        except UnsupportedOp as err:
            self._refuse(node, err, scope)
        except TilewrightError as err:
            err.advised(f"check the node against the definition of {node.op_type}")
            raise err.named(f"{node.op_type} at loc({node.name!r})") from err.__cause__

    def _is_about_lists(self, node: NodeDef, scope: Scope) -> bool:
        """Whether a node makes or takes sequences or optionals."""
        known = node.op_type in sequence.RULES or (
            node.op_type == "Identity"
            and any(scope.list_of(name) is not None for name in node.inputs)
        )
        return known and not node.domain and node.key not in self.model.functions

    def _import_list_node(self, node: NodeDef, scope: Scope) -> None:
        """Import a node of sequence.py; it has one output."""
        if not node.outputs or not all(scope.knows(name) for name in node.inputs if name):
            return
        self.builder.location = name_location(node.name)
        lists = [scope.list_of(name) for name in node.inputs]
        names = [name if x is None else "" for name, x in zip(node.inputs, lists, strict=True)]
        tensors = _inputs(replace(node, inputs=tuple(names)), scope)
        rule = sequence.RULES.get(node.op_type, sequence.optional)
        result = rule(Node(node, scope.opsets.get("", 0), tensors), lists, self.builder)
        if isinstance(result, sequence.TensorList):
            scope.lists[node.outputs[0]] = result
        elif result is None:
            scope.values[node.outputs[0]] = None
        else:
            self._bind(node, [result], scope)

    def _run_graph(
        self,
        node: NodeDef,
        scope: Scope,
        graph: GraphDef,
        builder: Builder,
        inputs: Sequence[Tensor],
    ) -> list[Tensor]:
        """Import a graph in an attribute with a builder; what it captures is in ``scope``.

        Errors: UnsupportedOp about all nodes that cannot be imported.
        """
        inner = graph_scope(node, graph, inputs, scope)
        around = self.builder, self.unsupported, self.unknown
        self.builder, self.unsupported, self.unknown = builder, [], []
        try:
            self._import_nodes(graph.nodes, inner)
            if self.unsupported:
                raise _InnerNodesUnsupported(self.unsupported, self.unknown)
            if any(inner.list_of(name) is not None for name in graph.outputs):
                raise UnsupportedOp("a branch or body gives a sequence")
            results = [inner.value(name) for name in graph.outputs]
        finally:
            self.builder, self.unsupported, self.unknown = around
            self.builder.location = name_location(node.name)
        known = [x for x in results if x is not None]
        if len(known) < len(results):
            raise UnsupportedOp("a result is an optional parameter that the call leaves out")
        return known

    def _is_function(self, node: NodeDef, scope: Scope) -> bool:
        """Whether the model, or else the standard alone, defines the operator by a body."""
        return node.key in self.model.functions or (
            (node.domain, node.op_type) not in self.converters
            and has_body(node, scope.opsets.get(node.domain, 0))
        )

    def _call(self, node: NodeDef, scope: Scope) -> None:
        """Import what a call needs of a function's body, and bind its results."""
        inputs = _inputs(node, scope)
        function = self.model.functions.get(node.key)
        if function is None:
            check_node(node, scope.opsets[node.domain], inputs)
            function = standard_body(node, scope.opsets[node.domain], inputs)
        inner = call_scope(node, function, inputs, scope)
        wanted = [(x, y) for x, y in zip(node.outputs, function.outputs, strict=False) if x]
        self._import_nodes(function.needed(formal for _, formal in wanted), inner)
        for name, formal in wanted:
            if inner.knows(formal):
                scope.values[name] = inner.value(formal)

    def _row(self, node: NodeDef, scope: Scope) -> tuple[Row, int]:
        opset = scope.opsets.get(node.domain, 0)
        if not opset:
            raise UnsupportedOp(f"the model imports no opset of domain {node.domain!r}")
        rows = self.converters.get((node.domain, node.op_type), ())
        if not rows:
            raise UnsupportedOp("no converter")
        if not node.domain and not MIN_OPSET <= opset <= MAX_OPSET:
            raise UnsupportedOp(f"opset is outside {MIN_OPSET}..{MAX_OPSET}")
        form = opset if node.domain else max(opset, OLDEST_FORM)
        for row in rows:
            if row.since <= form <= row.until:
                return row, opset
        raise UnsupportedOp(f"exists since opset {min(row.since for row in rows)}")

    def _convert(self, row: Row, node: Node) -> tuple[Tensor | None, ...]:
        """The results of a node, as sizes or arrays where it computes on nothing else."""
        self.builder.location = name_location(node.name)
        try:
            node = modernized(node, self.builder)
            known = symbolic.evaluate(node)
            if known is not None:
                return known
            converted = row.convert(node, self.builder)
            results = (converted,) if isinstance(converted, Tensor) else converted
            return tuple(map(_folded, results)) if _is_known(node) else results
        except TilewrightError:
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError, VerifyException) as err:
            # No converter foresees every combination of shapes and attributes that a file holds.
            raise ModelError(
                NOT_CONVERTED,
                got=f"{type(err).__name__}: {err}",
                hint="check shapes and attributes of the node; if they are right, report this",
            ) from err

    def _bind(self, node: NodeDef, results: Sequence[Tensor | None], scope: Scope) -> None:
        for position, name in enumerate(node.outputs):
            if not name:
                continue
            result = results[position] if position < len(results) else None
            if result is None:
                err = UnsupportedOp(f"output {position} is not supported")
                self._refuse(node, err, scope)
                continue
            if result.ssa is not None and result.ssa.name_hint is None:
                result.ssa.name_hint = identifier(name)
            scope.values[name] = result

    def _refuse(self, node: NodeDef, err: UnsupportedOp, scope: Scope) -> None:
        """Note a node that cannot be imported: node, operator, domain, opset, reason."""
        opset = scope.opsets.get(node.domain, 0)
        reason = err.rule if err.got is None else f"{err.rule}: {err.got}"
        self.unsupported.append(RefusedNode(node.name, node.op_type, node.domain, opset, reason))
        if isinstance(err, NeedsBinding):
            self.unknown.append(err)

    def _refusal(self) -> UnsupportedOp:
        """The error about all nodes that cannot be imported."""
        count = len(self.unsupported)
        what = "1 node is" if count == 1 else f"{count} nodes are"
        rule, got = f"{what} not supported", "\n      ".join(["", *self._listed()])
        tensors = [err.tensor for err in self.unknown if isinstance(err, RunTimeValue)]
        names: dict[SSAValue, str] = {
            arg: value.name for arg, value in zip(self.block.args, self.inputs, strict=True)
        }
        inputs = inputs_behind(tensors, names)
        if len(self.unknown) < count or inputs is None:
            refused = UnsupportedOp(
                rule, got=got, hint="docs/limits.md lists what there is instead"
            )
            refused.nodes = tuple(self.unsupported)
            return refused
        hint = f"give values= of {', '.join(inputs)}" if inputs else "bind all sizes by shapes="
        err = NeedsBinding(rule, got=got, hint=hint)
        err.inputs, err.nodes = inputs, tuple(self.unsupported)
        return err

    def _listed(self) -> list[str]:
        more = len(self.unsupported) - MAX_LISTED
        listed = map(str, self.unsupported[:MAX_LISTED])
        return [*listed, *([f"… and {more} more"] if more > 0 else [])]

    def _function(self) -> FuncOp:
        results = [self._result(name) for name in self.model.outputs]
        self.block.add_op(ReturnOp(*results))
        types = ([a.type for a in self.block.args], [r.type for r in results])
        func = FuncOp("main", types, Region(self.block))
        erase_dead_ops(func)
        func.attributes["tw.arg_names"] = _names(v.name for v in self.inputs)
        func.attributes["tw.result_names"] = _names(self.model.outputs)
        return func

    def _result(self, name: str) -> SSAValue:
        if name in self.scope.lists:
            raise UnsupportedOp(
                f"output {name!r} is a sequence", hint="return its tensors as separate outputs"
            )
        value = self.scope.value(name)
        if value is None:
            raise ModelError(
                f"output {name!r} is an optional value that nothing provides",
                hint="give the optional input that it comes from",
            )
        self._check_declared(name, sizes=self.fixed)
        return self.builder.ssa(value)

    def _check_declared(self, name: str, *, sizes: bool) -> None:
        value = self.scope.value(name)
        assert value is not None, f"checked where it was defined: {name}"
        check_declared(value, self.model.declared[name], sizes=sizes)


def _inputs(node: NodeDef, scope: Scope) -> tuple[Tensor | None, ...]:
    if any(scope.list_of(name) is not None for name in node.inputs):
        raise UnsupportedOp("a sequence is given where only tensors are supported")
    return tuple(scope.value(name) if name else None for name in node.inputs)


def _is_known(node: Node) -> bool:
    """Whether a node computes on small constants, such as bounds and pad values."""
    if node.definition.graphs:
        return False
    # Of the second input of CastLike only the dtype counts.
    inputs = node.inputs[:1] if node.op_type == "CastLike" else node.inputs
    return bool(inputs) and all(
        x is None or (x.values() is not None and _is_small(x)) for x in inputs
    )


def _is_small(x: Tensor) -> bool:
    count = element_count(x.dims).value
    return count is not None and count <= MAX_SIZES


def _folded(x: Tensor | None) -> Tensor | None:
    """The array of a result that was computed from constants only; its ops become unused."""
    if x is None or x.ssa is None or not _is_small(x):
        return x
    return Tensor.of_array(_evaluated(x.ssa))


def _evaluated(value: SSAValue) -> np.ndarray:
    op = value.owner
    assert isinstance(op, Operation), "constants do not depend on arguments"
    results = evaluate_op(op, [_evaluated(operand) for operand in op.operands])
    return results[op.results.index(value)]


def _names(names: Iterable[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(name) for name in names])
