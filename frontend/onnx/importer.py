"""ONNX model in, module of graph ops out: names, shapes, and one converter per node.

The function ``@main`` takes the graph's inputs in order and returns its outputs in order; their
names are in the attributes ``tw.arg_names`` and ``tw.result_names``. Each op carries the name of
its node as location. Shape arithmetic is evaluated here (symbolic.py) and leaves no ops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.shape import element_count
from ...interp.graph import evaluate_op
from ...support.diagnostics import TilewrightError, TypeMismatch, UnsupportedOp
from . import (
    attention,
    constant,
    conv,
    elementwise,
    index,
    matmul,
    move,
    norm,
    pool,
    reduce,
    symbolic,
)
from .builder import MAX_SIZES, Builder, Tensor, name_location
from .node import MAX_OPSET, MIN_OPSET, Node, Row
from .proto import Model, NodeDef, load
from .signature import Shapes, argument_types, identifier

if TYPE_CHECKING:
    from onnx import ModelProto

FAMILIES = (
    elementwise,
    matmul,
    conv,
    pool,
    reduce,
    norm,
    attention,
    move,
    index,
    constant,
)


def import_model(
    model: str | PathLike[str] | bytes | ModelProto, *, shapes: Shapes | None = None
) -> ModuleOp:
    """Import a model; ``shapes`` fixes or names sizes of inputs, wherever a symbol occurs.

    Errors: ModelError for a malformed model or shapes that contradict it; UnsupportedOp listing
    every node that cannot be imported; TypeMismatch where a node breaks a type rule.
    """
    return _Importer(load(model), shapes or {}).run()


@cache
def converters() -> Mapping[tuple[str, str], tuple[Row, ...]]:
    """All converters by domain and operator."""
    table: dict[tuple[str, str], tuple[Row, ...]] = {}
    for row in (row for family in FAMILIES for row in family.CONVERTERS):
        key = (row.domain, row.op_type)
        table[key] = (*table.get(key, ()), row)
    return table


class _Importer:
    """State of one import: values by name, nodes that turned out unsupported."""

    def __init__(self, model: Model, shapes: Shapes):
        self.model = model
        self.values: dict[str, Tensor] = {}
        self.unsupported: list[str] = []
        self.block = Block(arg_types=argument_types(model.inputs, shapes))
        self.builder = Builder(self.block)

    def run(self) -> ModuleOp:
        """Convert inputs, initializers and nodes, then wrap them in a function."""
        for value, arg in zip(self.model.inputs, self.block.args, strict=True):
            arg.name_hint = identifier(value.name)
            self.values[value.name] = Tensor.of_ssa(arg)
        for node in self.model.nodes:
            self._import_node(node)
        if self.unsupported:
            raise _unsupported(self.unsupported)
        return ModuleOp([self._function()])

    def _import_node(self, definition: NodeDef) -> None:
        """Convert one node; a node that reads the result of an unsupported one is passed over."""
        try:
            row, opset = self._row(definition)
            inputs = [self._value(name) if name else None for name in definition.inputs]
            if any(name and x is None for name, x in zip(definition.inputs, inputs, strict=True)):
                return
            results = self._convert(row, Node(definition, opset, tuple(inputs)))
        except UnsupportedOp as err:
            self.unsupported.append(self._described(definition, err))
            return
        except TilewrightError as err:
            raise err.named(f"{definition.op_type} at loc({definition.name!r})") from None
        self._bind(definition, results)

    def _row(self, node: NodeDef) -> tuple[Row, int]:
        opset = self.model.opsets.get(node.domain, 0)
        if not opset:
            raise UnsupportedOp(f"the model imports no opset of domain {node.domain!r}")
        rows = converters().get((node.domain, node.op_type), ())
        if not rows:
            raise UnsupportedOp("no converter")
        if not node.domain and not MIN_OPSET <= opset <= MAX_OPSET:
            raise UnsupportedOp(f"opset is outside {MIN_OPSET}..{MAX_OPSET}")
        for row in rows:
            if row.since <= opset <= row.until:
                return row, opset
        raise UnsupportedOp(f"exists since opset {min(row.since for row in rows)}")

    def _value(self, name: str) -> Tensor | None:
        """The tensor of a name; initializers are converted when first read."""
        if name not in self.values and name in self.model.initializers:
            self.values[name] = _initializer(self.model.initializers[name], name)
        return self.values.get(name)

    def _convert(self, row: Row, node: Node) -> tuple[Tensor | None, ...]:
        self.builder.location = name_location(node.name)
        known = symbolic.evaluate(node)
        if known is not None:
            return known
        converted = row.convert(node, self.builder)
        results = (converted,) if isinstance(converted, Tensor) else converted
        return tuple(map(_folded, results)) if _is_known(node) else results

    def _bind(self, definition: NodeDef, results: Sequence[Tensor | None]) -> None:
        for position, name in enumerate(definition.outputs):
            if not name:
                continue
            result = results[position] if position < len(results) else None
            if result is None:
                err = UnsupportedOp(f"output {position} is not supported")
                self.unsupported.append(self._described(definition, err))
                continue
            if result.ssa is not None and result.ssa.name_hint is None:
                result.ssa.name_hint = identifier(name)
            self.values[name] = result

    def _described(self, node: NodeDef, err: UnsupportedOp) -> str:
        """One line of the error: node, operator, domain, opset, reason."""
        opset = self.model.opsets.get(node.domain, 0)
        reason = err.rule if err.got is None else f"{err.rule}: {err.got}"
        domain = node.domain or "ai.onnx"
        return f"{node.name!r}: {node.op_type} ({domain}, opset {opset}): {reason}"

    def _function(self) -> FuncOp:
        results = [self._result(name) for name in self.model.outputs]
        self.block.add_op(ReturnOp(*results))
        _erase_unused(self.block)
        types = ([a.type for a in self.block.args], [r.type for r in results])
        func = FuncOp("main", types, Region(self.block))
        func.attributes["tw.arg_names"] = _names(v.name for v in self.model.inputs)
        func.attributes["tw.result_names"] = _names(self.model.outputs)
        return func

    def _result(self, name: str) -> SSAValue:
        value = self._value(name)
        assert value is not None, f"checked at load: {name}"
        return self.builder.ssa(value)


def _unsupported(lines: Sequence[str]) -> UnsupportedOp:
    count = "1 node is" if len(lines) == 1 else f"{len(lines)} nodes are"
    return UnsupportedOp(f"{count} not supported", got="\n      ".join(["", *lines]))


def _initializer(array: np.ndarray, name: str) -> Tensor:
    try:
        return Tensor.of_array(array, name)
    except TypeMismatch as err:
        raise UnsupportedOp(f"initializer {name!r} has dtype {array.dtype}") from err


def _is_known(node: Node) -> bool:
    """Whether a node computes on small constants, such as bounds and pad values."""
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


def _erase_unused(block: Block) -> None:
    """Erase ops whose results nobody reads; all of them are pure."""
    for op in reversed(list(block.ops)):
        if op.results and not any(result.first_use for result in op.results):
            op.detach()
            op.erase()
