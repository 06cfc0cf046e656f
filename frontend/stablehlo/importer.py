"""Import a StableHLO program: convert the ops of ``@main`` to graph ops.

StableHLO is SSA with tensor types, like the graph dialect, so an op becomes a few graph ops on
tensors of the same shapes. Calls are inlined first. Sizes of dynamic shapes are computed at import
(sizes.py), as expressions of the named sizes of the inputs, and small constants are folded. Each
result is checked against its type in the text.

A region on single elements, such as the reducer of a reduction, is either one known op, or it is
lifted: its ops are converted to ops on whole tensors.
Source: StableHLO specification.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from xdsl.utils.exceptions import VerifyException

from ...dialects.shape import Dim
from ...support.diagnostics import ModelError, TilewrightError, UnsupportedOp
from ...support.lazy import family_tables
from ..onnx.builder import Builder, Tensor
from ..onnx.conversion import are_small_constants, folded, read_values
from .complex_values import WITH_COMPLEX, split_complex
from .composites import LIBRARY, NATIVE
from .definitions import DefinedFunction, OpDef, Program, RegionDef, ValueType, is_complex
from .inline import inlined
from .node import Converter, StablehloNode
from .reader import CALLS, RETURNS
from .sizes import computed_sizes
from .table import OPS

MAX_LISTED = 40
"""Maximum number of unsupported ops that a message lists."""
_OUTER = re.compile(r"jit\([^/]*\)/?")


@cache
def converters() -> Mapping[str, Converter]:
    """Return the converters of all supported ops, by name of the op."""
    found: dict[str, Converter] = {}
    for table in family_tables("tilewright.frontend.stablehlo", "CONVERTERS", without=__name__):
        found.update(cast("Mapping[str, Converter]", table))
    return found


def import_program(
    program: Program, main: DefinedFunction, builder: Builder, inputs: Sequence[Tensor]
) -> list[Tensor]:
    """Append the ops of a function to a builder; return the results of the function.

    main: the function.  inputs: its arguments.
    Errors: UnsupportedOp that lists the ops that are not supported; ModelError for ops that do not
    fit their operands, attributes or types.
    """
    _check_supported(program, main)
    body = split_complex(inlined(program, main, _is_call))
    values = {name: x for (name, _), x in zip(body.arguments, inputs, strict=True)}
    return _Scope(ChainMap(values), ChainMap(), is_lifted=False).run(body, builder)


def _is_call(op: OpDef) -> bool:
    return op.name == "func.call" or (op.name == "stablehlo.composite" and not is_native(op))


def is_native(op: OpDef) -> bool:
    """Return whether a composite op has a converter, so that its body is not needed."""
    return op.attributes.get("name") in NATIVE


def _check_supported(program: Program, main: DefinedFunction) -> None:
    refused: dict[str, list[int]] = {}
    for op in program.walk(main):
        reason = _refusal(op)
        if reason:
            refused.setdefault(f"{op.name}: {reason}", []).append(op.line)
    if not refused:
        return
    listed = [
        f"line {min(lines)}{f' and {len(lines) - 1} more' if len(lines) > 1 else ''}: {text}"
        for text, lines in sorted(refused.items(), key=lambda row: min(row[1]))
    ]
    count = sum(map(len, refused.values()))
    raise UnsupportedOp(
        "1 op is not supported" if count == 1 else f"{count} ops are not supported",
        got="\n      ".join(["", *listed[:MAX_LISTED]]),
        hint="change the function so that jax writes other ops; the page StableHLO lists all ops",
    )


def _refusal(op: OpDef) -> str:
    """Return the reason why an op is not supported; "" if it is supported."""
    if op.name in CALLS or op.name in RETURNS:
        return ""
    row = OPS.get(op.name)
    if row is None and op.name not in converters():
        return "no op of StableHLO that is known here"
    if row:
        return row
    if op.name == "stablehlo.custom_call":
        target = op.attributes.get("call_target_name")
        name = target if isinstance(target, str) else getattr(target, "text", "")
        if name not in LIBRARY:
            return f"the library function @{name} is not known"
    for type_ in op.types:
        if is_complex(type_) and op.name not in WITH_COMPLEX:
            return "complex elements are not supported"
        if type_.dtype is None:
            return f"results of type {type_.text} are not supported"
    return ""


class _Scope:
    """The values of a region, and the ops that define them, by name.

    The values of enclosing regions are visible, too.

    is_lifted: whether the region is one on single elements that is converted to ops on whole
    tensors.
    """

    def __init__(
        self,
        values: ChainMap[str, Tensor],
        definitions: ChainMap[str, OpDef],
        *,
        is_lifted: bool,
    ) -> None:
        self.values, self.definitions, self.is_lifted = values, definitions, is_lifted

    def run(self, region: RegionDef, b: Builder) -> list[Tensor]:
        around = b.location
        for op in region.ops[:-1]:
            self._convert(op, b)
        b.location = around
        return [self.values[name] for name in region.returned]

    def _run_region(
        self, region: RegionDef, b: Builder, arguments: Sequence[Tensor], is_lifted: bool
    ) -> list[Tensor]:
        if len(region.arguments) != len(arguments):
            raise ModelError(
                "a region takes another number of values than its op gives",
                expected=len(arguments),
                got=len(region.arguments),
            )
        values = {name: x for (name, _), x in zip(region.arguments, arguments, strict=True)}
        inner = self.values.new_child(values), self.definitions.new_child()
        return _Scope(*inner, is_lifted=is_lifted).run(region, b)

    def _convert(self, op: OpDef, b: Builder) -> None:
        place = f"{op.name} at line {op.line}"
        b.locate(_node_name(op))
        inputs = tuple(self.values[name] for name in op.operands)
        known = self.definitions.get, self.values.__getitem__
        node = StablehloNode(op, inputs, self._run_region, *known, self.is_lifted)
        try:
            results = self._results(node, b)
        except TilewrightError as err:
            raise err.named(place) from err.__cause__
        except (ArithmeticError, LookupError, TypeError, ValueError, VerifyException) as err:
            raise ModelError(
                "the op's operands and attributes do not fit together",
                got=f"{type(err).__name__}: {err}",
                hint="check the op; if it is right, report this",
                where=place,
            ) from err
        for name, type_, x in zip(op.results, op.types, results, strict=True):
            if not self.is_lifted:
                _check_type(x, type_, place)
            self.values[name] = x
            self.definitions[name] = op

    def _results(self, node: StablehloNode, b: Builder) -> Sequence[Tensor]:
        sizes = computed_sizes(node)
        if sizes is not None:
            return [sizes]
        converted = converters()[node.op.name](node, b)
        results = [converted] if isinstance(converted, Tensor) else list(converted)
        if len(results) != len(node.op.types):
            raise ModelError(
                "the op has a wrong number of results",
                expected=len(results),
                got=len(node.op.types),
            )
        if node.op.regions or not are_small_constants(node.inputs):
            return results
        read_values(node.inputs)
        return [folded(x) for x in results]


def _node_name(op: OpDef) -> str:
    """Return the name of an op in the source program, without the prefix of jax's outer function.

    An op without a location is named by its first result.
    """
    return _OUTER.sub("", op.location) or (op.results[0] if op.results else op.name)


def _check_type(x: Tensor, type_: ValueType, place: str) -> None:
    sizes = [None if size is None else Dim.const(size) for size in type_.dims]
    fits = len(sizes) == x.rank and all(
        size is None or size == dim or dim.value is None
        for size, dim in zip(sizes, x.dims, strict=True)
    )
    if not fits or x.dtype != type_.dtype:
        raise ModelError(
            "the result has another type than the text says",
            expected=type_.text,
            got=f"tensor<{'x'.join([*map(str, x.dims), str(x.dtype)])}>",
            where=place,
        )
