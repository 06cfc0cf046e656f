"""Import an ONNX model as a module of graph ops: resolve names, and convert each node.

The function ``@main`` takes the graph's inputs in order and returns its outputs in order; their
names are in the attributes ``tw.arg_names`` and ``tw.result_names``. The location of each op is the
name of its node. Shape arithmetic is evaluated at import (symbolic.py) and leaves no ops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue

from ...support.diagnostics import (
    ModelError,
    NeedsBinding,
    RefusedNode,
    TilewrightError,
    UnequalSizes,
    UnsupportedOp,
)
from ...support.lazy import family_tables
from .bodies import has_body, standard_body
from .builder import Builder, SizeFacts, Tensor
from .conversion import convert_node
from .entry_function import entry_function
from .file.definitions import GraphDef, Model, NodeDef
from .file.proto import load
from .file.schema import check_node
from .input_values import Values, bound_values, inputs_behind
from .installed import InstalledConverters
from .node import (
    MAX_OPSET,
    MIN_OPSET,
    OLDEST_FORM,
    InnerNodesUnsupported,
    Node,
    OpConverter,
    RunTimeValue,
)
from .scope import Scope, call_scope, graph_scope
from .signature import (
    Shapes,
    argument_types,
    check_result,
    from_zero_sizes,
    given_ranges,
    identifier,
    parameters,
)
from .values import StringTensor, TensorList, Value, flat

if TYPE_CHECKING:
    from onnx import ModelProto

MAX_LISTED = 100
"""Maximum number of unsupported nodes in a message."""
NO_TEXTS = "the operator is not supported for strings"
NO_LISTS = "a sequence is given where only tensors are supported"


def import_model(
    model: str | PathLike[str] | bytes | ModelProto | Model,
    *,
    shapes: Shapes | None = None,
    values: Values | None = None,
    converters: Sequence[OpConverter] = (),
    installed: InstalledConverters | None = None,
) -> ModuleOp:
    """Import an ONNX model as a module of graph ops.

    shapes: the sizes of inputs, by input or by size name; a number or another name replaces a
    symbolic size wherever it occurs.
    values: arrays for inputs that become constants and leave the signature, such as target shapes.
    converters: converters that take precedence over the converters of this library.  installed:
    converters of installed packages, used for operators without any other converter.
    Errors: ModelError for a malformed model, or shapes and values that contradict it;
    UnsupportedOp, which lists every node that cannot be imported; its subclass NeedsBinding if more
    shapes or values would help; TypeMismatch if a node violates a type rule.
    """
    loaded = model if isinstance(model, Model) else load(model)
    more = InstalledConverters() if installed is None else installed
    facts = SizeFacts.of_ranges(given_ranges(shapes or {}))
    try:
        while True:
            importer = _OnnxImport(loaded, shapes or {}, values or {}, converters, more, facts)
            try:
                return importer.run()
            except UnequalSizes as err:
                refined = importer.builder.facts.after(err)
                if refined is None:
                    raise
                facts = refined
    except TilewrightError as err:
        raise err.in_file(loaded.file) from err.__cause__


def import_for_all_sizes(
    model: Model,
    shapes: Shapes,
    values: Values,
    *,
    converters: Sequence[OpConverter] = (),
    installed: InstalledConverters,
) -> ModuleOp:
    """Import a model for all sizes from 0 on; if that fails, for all sizes from 1 on.

    A model that can be imported for sizes from 0 on can also be imported for sizes from 1 on. So if
    both imports fail, the error of the second import is raised. The error of the first import is
    raised at once if it cannot depend on the sizes.
    shapes, values, converters, installed, Errors: as for `import_model`.
    """
    try:
        from_zero = from_zero_sizes(shapes, model.inputs, values)
    except TilewrightError as err:
        raise err.in_file(model.file) from err.__cause__
    imported = partial(
        import_model, model, values=values, converters=converters, installed=installed
    )
    try:
        return imported(shapes=from_zero)
    except TilewrightError as err:
        if from_zero is shapes or _fails_for_any_sizes(err):
            raise
    return imported(shapes=shapes)


def _fails_for_any_sizes(error: TilewrightError) -> bool:
    if isinstance(error, NeedsBinding) and error.inputs:
        return True
    nodes = error.nodes if isinstance(error, UnsupportedOp) else ()
    return bool(nodes) and not any(node.has_converter for node in nodes)


class _NoConverter(UnsupportedOp):
    """The error for a node whose operator has no converter."""


Converters: TypeAlias = Mapping[tuple[str, str], tuple[OpConverter, ...]]
"""Converters by domain and operator type."""


@cache
def converters() -> Converters:
    """Return all converters of the project, by domain and operator type."""
    tables = family_tables("tilewright.frontend.onnx", "CONVERTERS", without=__name__)
    families = (cast("tuple[OpConverter, ...]", table) for table in tables)
    return _with_converters({}, (converter for family in families for converter in family))


def _with_converters(known: Converters, first: Iterable[OpConverter]) -> Converters:
    """Return a table of the known converters and the ``first`` ones, which take precedence."""
    added: dict[tuple[str, str], tuple[OpConverter, ...]] = {}
    for converter in first:
        key = (converter.domain, converter.op_type)
        added[key] = (*added.get(key, ()), converter)
    return {**known, **{key: (*more, *known.get(key, ())) for key, more in added.items()}}


class _OnnxImport:
    def __init__(
        self,
        model: Model,
        shapes: Shapes,
        given: Values,
        more: Sequence[OpConverter],
        installed: InstalledConverters,
        facts: SizeFacts,
    ) -> None:
        self.model, self.installed = model, installed
        self.converters = _with_converters(converters(), more) if more else converters()
        self.scope = Scope(model.opsets, model.initializers, params=model.params)
        self.parameters = parameters(model.inputs, shapes)
        parts = [part for each in self.parameters for part in each.parts]
        self.tensors = bound_values(parts, given)
        self.inputs = [value for value in parts if value.name not in given]
        sizes = {
            name: shape
            for each in self.parameters
            for name, shape in each.shapes.items()
            if name not in given or each.value.is_tensor
        }
        self.unsupported: list[RefusedNode] = []
        self.unknown: list[NeedsBinding] = []
        types = [facts.of_type(type_) for type_ in argument_types(self.inputs, sizes)]
        self.block = Block(arg_types=types)
        # If input sizes are dynamic, files often declare outputs with the sizes of one example.
        self.fixed = all(value.is_fixed for value in model.inputs)
        self.builder = Builder(self.block, facts=replace(facts, computed={}))

    def run(self) -> ModuleOp:
        """Convert the nodes of the model; return a module with the function main."""
        for value, arg in zip(self.inputs, self.block.args, strict=True):
            arg.name_hint = identifier(value.name)
            self.tensors[value.name] = Tensor.of_ssa(arg)
        for each in self.parameters:
            self.scope.values[each.value.name] = each.collected(self.tensors)
        for name in self.model.declared:
            if name in self.model.initializers:
                check_result(self.scope.value(name), self.model.declared[name], sizes=True)
        if self.model.body is not None:
            given = [self.tensors[value.name] for value in self.model.inputs]
            outputs = list(
                zip(self.model.outputs, self.model.body(self.builder, given), strict=True)
            )
        else:
            self._import_nodes(self.model.nodes, self.scope)
            if self.unsupported:
                raise self._refusal()
            outputs = [(name, self._result(name)) for name in self.model.outputs]
        inputs = [value.name for value in self.inputs]
        return ModuleOp([entry_function(self.builder, inputs, outputs)])

    def _import_nodes(self, nodes: Iterable[NodeDef], scope: Scope) -> None:
        for node in nodes:
            self._import_node(scope.resolved(node), scope)

    def _import_node(self, node: NodeDef, scope: Scope) -> None:
        """Import one node, or record why it is unsupported.

        If an operand is the result of an unsupported node, its type is unknown; then only check
        that the operator of this node is supported, so that one error lists all unsupported nodes.
        """
        try:
            if not self._is_function(node, scope):
                converter, opset = self._converter(node, scope)
                if all(map(scope.knows, node.reads)):
                    checked = self._checked(node, opset, converter, scope)
                    results = convert_node(converter, checked, self.builder)
                    self._bind(node, results, converter, scope)
            elif all(scope.knows(name) for name in node.inputs if name):
                self._call(node, scope)
        except InnerNodesUnsupported as err:
            self.unsupported += err.unsupported
            self.unknown += err.unknown
        except UnsupportedOp as err:
            self._refuse(node, err, scope)
        except TilewrightError as err:
            err.advised(f"check the node against the definition of {node.op_type}")
            raise err.named(f"{node.op_type} at loc({node.name!r})") from err.__cause__

    def _checked(self, node: NodeDef, opset: int, converter: OpConverter, scope: Scope) -> Node:
        """Check a node against the standard's schema; return the node that its converter receives.

        opset: the version of the operator set of the node's domain.
        """
        inputs = _inputs(node, scope)
        tensors = tuple(x if isinstance(x, Tensor) else None for x in inputs)
        lists = {n: x for n, x in enumerate(inputs) if isinstance(x, TensorList)}
        strings = {n: x for n, x in enumerate(inputs) if isinstance(x, StringTensor)}
        if lists and not converter.lists:
            raise UnsupportedOp(NO_LISTS)
        check_node(node, opset, inputs)
        run_graph = partial(self._run_graph, node, scope)
        named = partial(_named, scope)
        return Node(node, opset, tensors, run_graph, lists, self.model.producer, strings, named)

    def _run_graph(
        self,
        node: NodeDef,
        scope: Scope,
        graph: GraphDef,
        builder: Builder,
        inputs: Sequence[Value],
    ) -> list[Value]:
        """Import a graph in an attribute of a node; return the graph's results.

        scope: the scope that contains the node and the names that the graph captures.  builder: the
        builder of the block that gets the graph's ops.  inputs: the values of the graph's inputs.
        Errors: InnerNodesUnsupported, which lists all nodes of the graph that cannot be imported.
        """
        inner = graph_scope(node, graph, inputs, scope)
        around = self.builder, self.unsupported, self.unknown
        self.builder, self.unsupported, self.unknown = builder, [], []
        try:
            self._import_nodes(graph.nodes, inner)
            if self.unsupported:
                raise InnerNodesUnsupported(self.unsupported, self.unknown)
            return [inner.value(name) for name in graph.outputs]
        finally:
            self.builder, self.unsupported, self.unknown = around
            self.builder.locate(node.name)

    def _is_function(self, node: NodeDef, scope: Scope) -> bool:
        return node.key in self.model.functions or (
            (node.domain, node.op_type) not in self.converters
            and has_body(node, scope.opsets.get(node.domain, 0))
        )

    def _call(self, node: NodeDef, scope: Scope) -> None:
        """Import those nodes of a function's body that a call needs; assign the call's results."""
        inputs = _inputs(node, scope)
        function = self.model.functions.get(node.key)
        if function is None:
            tensors = [x for x in inputs if not isinstance(x, TensorList | StringTensor)]
            if len(tensors) < len(inputs):
                raise UnsupportedOp(NO_LISTS)
            check_node(node, scope.opsets[node.domain], tensors)
            function = standard_body(node, scope.opsets[node.domain], tensors)
        inner = call_scope(node, function, inputs, scope)
        wanted = [(x, y) for x, y in zip(node.outputs, function.outputs, strict=False) if x]
        self._import_nodes(function.needed(formal for _, formal in wanted), inner)
        for name, formal in wanted:
            if inner.knows(formal):
                scope.values[name] = inner.value(formal)

    def _converter(self, node: NodeDef, scope: Scope) -> tuple[OpConverter, int]:
        opset = scope.opsets.get(node.domain, 0)
        if not opset:
            raise _NoConverter(f"the model imports no opset of domain {node.domain!r}")
        candidates = self.converters.get((node.domain, node.op_type), ())
        candidates = candidates or self.installed.find(node.domain, node.op_type)
        if not candidates:
            raise _NoConverter("no converter")
        if not node.domain and not MIN_OPSET <= opset <= MAX_OPSET:
            raise _NoConverter(f"opset is outside {MIN_OPSET}..{MAX_OPSET}")
        has_text = any(
            isinstance(scope.value(x), StringTensor) for x in node.inputs if x and scope.knows(x)
        )
        candidates = [each for each in candidates if each.texts == has_text]
        if not candidates:
            raise _NoConverter(NO_TEXTS if has_text else "is for strings only")
        form = opset if node.domain else max(opset, OLDEST_FORM)
        for converter in candidates:
            if converter.since <= form <= converter.until:
                return converter, opset
        raise _NoConverter(f"exists since opset {min(each.since for each in candidates)}")

    def _bind(
        self, node: NodeDef, results: Sequence[Value], converter: OpConverter, scope: Scope
    ) -> None:
        for position, name in enumerate(node.outputs):
            if not name:
                continue
            result = results[position] if position < len(results) else None
            if position >= len(results) or (result is None and not converter.lists):
                err = UnsupportedOp(f"output {position} is not supported")
                self._refuse(node, err, scope)
                continue
            for x in flat([result]):
                if x.ssa is not None and x.ssa.name_hint is None:
                    x.ssa.name_hint = identifier(name)
            scope.values[name] = result

    def _refuse(self, node: NodeDef, err: UnsupportedOp, scope: Scope) -> None:
        opset = scope.opsets.get(node.domain, 0)
        reason = err.rule if err.got is None else f"{err.rule}: {err.got}"
        has_converter = not isinstance(err, _NoConverter)
        self.unsupported.append(
            RefusedNode(node.name, node.op_type, node.domain, opset, reason, has_converter)
        )
        if isinstance(err, NeedsBinding):
            self.unknown.append(err)

    def _refusal(self) -> UnsupportedOp:
        count = len(self.unsupported)
        what = "1 node is" if count == 1 else f"{count} nodes are"
        listed = list(map(str, self.unsupported[:MAX_LISTED]))
        if count > MAX_LISTED:
            listed.append(f"… and {count - MAX_LISTED} more")
        rule, got = f"{what} not supported", "\n      ".join(["", *listed])
        tensors = [err.tensor for err in self.unknown if isinstance(err, RunTimeValue)]
        names: dict[SSAValue, str] = {
            arg: value.name for arg, value in zip(self.block.args, self.inputs, strict=True)
        }
        inputs = inputs_behind(tensors, names)
        if len(self.unknown) < count or inputs is None:
            hint = "change the nodes, or add converters: help(tilewright.Extension)"
            refused = UnsupportedOp(rule, got=got, hint=hint)
            refused.nodes = tuple(self.unsupported)
            return refused
        hint = f"give values= of {', '.join(inputs)}" if inputs else "bind all sizes by shapes="
        err = NeedsBinding(rule, got=got, hint=hint)
        err.inputs, err.nodes = inputs, tuple(self.unsupported)
        return err

    def _result(self, name: str) -> Value:
        value = self.scope.value(name)
        declared = self.model.declared[name]
        if value is None and not declared.is_optional:
            raise ModelError(
                f"output {name!r} is an absent optional value",
                hint="give the optional input that it comes from",
            )
        disputed = self.builder.disputed
        check_result(value, declared, sizes=self.fixed, disputed=disputed)
        return value


def _named(scope: Scope, name: str) -> Value:
    if not scope.knows(name):
        raise ModelError(f"no earlier node, input or initializer has the name {name!r}")
    return scope.value(name)


def _inputs(node: NodeDef, scope: Scope) -> tuple[Value, ...]:
    return tuple(scope.value(name) if name else None for name in node.inputs)
