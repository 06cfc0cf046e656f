"""Convert control flow: case and if select a region, while repeats a region.

A while loop whose trip count is known becomes a graph.scan (counted.py finds such loops); any other
becomes a graph.loop, whose region computes the condition for the next iteration.
Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.graph import IfOp, LoopOp, ScanOp
from ...dialects.graph.control import ITERATION
from ...dialects.shape import Dim, tensor_type
from ..onnx.builder import Builder, Tensor
from .counted import Counted, Read, find_counted
from .definitions import RegionDef
from .node import Converter, StablehloNode


def case(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Select a region by number; a number out of range selects the last region."""
    regions = node.op.regions
    known = node[0].values()
    if known is not None:
        index = int(known.item())
        return node.run(regions[index if 0 <= index < len(regions) else -1], b, ())
    if len(regions) == 1:
        return node.run(regions[0], b, ())
    if len(regions) == 2:
        return _chosen(node, b, b.apply("eq", node[0], 0), (0, 1, 2))
    last = len(regions) - 1
    is_inside = b.apply("and", b.apply("le", 0, node[0]), b.apply("le", node[0], last))
    return _searched(node, b, b.select(is_inside, node[0], last), 0, len(regions))


def _searched(
    node: StablehloNode, b: Builder, index: Tensor, first: int, end: int
) -> Sequence[Tensor]:
    """Append ops that run the region with the number ``index``; return the region's results.

    The number is one of ``first`` to ``end - 1``. Nested if ops find the region by binary search.
    """
    if end - first == 1:
        return node.run(node.op.regions[first], b, ())
    middle = (first + end) // 2
    return _chosen(node, b, b.apply("lt", index, middle), (first, middle, end), index)


def _chosen(
    node: StablehloNode,
    b: Builder,
    condition: Tensor,
    ends: tuple[int, int, int],
    index: Tensor | None = None,
) -> Sequence[Tensor]:
    """Append an if op that runs one of two groups of regions; return its results.

    index: the number of the region to run; by default, the op's first operand.
    ends: three region numbers (first, middle, end).  If the condition holds, one of the regions
    ``first`` to ``middle - 1`` runs, otherwise one of the regions ``middle`` to ``end - 1``.
    """
    first, middle, end = ends
    then, otherwise = b.region([]), b.region([])
    index = node[0] if index is None else index
    chosen = then.yields(*_searched(node, then, index, first, middle))
    others = otherwise.yields(*_searched(node, otherwise, index, middle, end))
    return b.emit_all(IfOp(b.ssa(condition), chosen, others))


def if_(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Run the first region if the condition holds, else the second region."""
    regions = node.region(0), node.region(1)
    known = node[0].values()
    if known is not None:
        return node.run(regions[0 if known.item() else 1], b, ())
    inner = [b.region([]) for _ in regions]
    made = [
        each.yields(*node.run(region, each, ()))
        for region, each in zip(regions, inner, strict=True)
    ]
    return b.emit_all(IfOp(b.ssa(node[0]), *made))


def while_(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Run the second region repeatedly, as long as the first region returns true."""
    counted = find_counted(node)
    return _looped(node, b) if counted is None else _LoopToScan(node, counted, b).run()


def _looped(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    condition, body = node.region(0), node.region(1)
    (first,) = node.run(condition, b, node.inputs)
    known = first.values()
    if known is not None and not known.item():
        return node.inputs
    inner = b.region([ITERATION, *(tensor_type(x.dtype, x.dims) for x in node.inputs)])
    following = node.run(body, inner, inner.arguments()[1:])
    (goes_on,) = node.run(condition, inner, following)
    region = inner.yields(goes_on, *following)
    return b.emit_all(LoopOp(None, b.ssa(first), [b.ssa(x) for x in node.inputs], region))


class _LoopToScan:
    """The conversion of a counted loop to a graph.scan.

    Carried values that the loop does not change are captured by the body.  A slice that is read at
    a position that depends on the counter becomes a scanned input, and a slice that is written at
    such a position becomes a stacked result.
    """

    def __init__(self, node: StablehloNode, counted: Counted, b: Builder) -> None:
        self.node, self.counted, self.b = node, counted, b
        count = len(node.inputs)
        special = {counted.counter, *counted.unchanged, *counted.written}
        self.carried = [n for n in range(count) if n not in special]

    def run(self) -> Sequence[Tensor]:
        """Append the graph.scan; return the results of the loop."""
        node, counted, b = self.node, self.counted, self.b
        steps = counted.steps
        if steps == 0:
            return node.inputs
        inits = [node[n] for n in self.carried]
        over = [self._over(read) for read in counted.reads]
        numbers = self._numbers(node[counted.counter])
        types = [tensor_type(x.dtype, x.dims) for x in inits]
        elements = [tensor_type(x.dtype, x.dims[1:]) for x in (*over, numbers)]
        inner = b.region([*types, *elements])
        made = self._body(inner)
        number = inner.block.args[-1]
        kept = [*over, numbers]
        region = inner.yields(*made)
        if number.first_use is None:
            inner.block.erase_arg(number)
            kept.pop()
        op = ScanOp(steps, [b.ssa(x) for x in inits], [b.ssa(x) for x in kept], region)
        return self._results(b.emit_all(op))

    def _numbers(self, counter: Tensor) -> Tensor:
        first, steps = self.counted.first, self.counted.steps
        numbers = self.b.iota((Dim.const(steps),), 0, counter.dtype)
        return self.b.apply("add", numbers, first) if first else numbers

    def _over(self, read: Read) -> Tensor:
        x = self.node.value_of(read.source)
        steps = self.counted.steps
        low = read.first if read.step > 0 else read.first - steps + 1
        if (low, steps) != (0, x.dims[0].value):
            x = self.b.slice(x, 0, low, steps)
        return x if read.step > 0 else self.b.reverse(x, (0,))

    def _body(self, inner: Builder) -> list[Tensor]:
        node, counted = self.node, self.counted
        arguments = inner.arguments()
        given: list[Tensor] = list(node.inputs)
        for n, x in zip(self.carried, arguments, strict=False):
            given[n] = x
        given[counted.counter] = arguments[-1]
        elements = arguments[len(self.carried) : -1]
        names = [name for name, _ in node.region(1).arguments]
        types = dict(node.region(1).arguments)
        known = [(name, x) for name, x in zip(names, given, strict=True)]
        for read, x in zip(counted.reads, elements, strict=True):
            known.append((read.result, inner.reshape(x, (1, *x.dims))))
        region = RegionDef(
            tuple((name, types.get(name, node.type)) for name, _ in known), counted.ops
        )
        made = node.run(region, inner, [x for _, x in known])
        count = len(self.carried)
        return [*made[:count], *(inner.reshape(x, x.dims[1:]) for x in made[count:])]

    def _results(self, made: Sequence[Tensor]) -> Sequence[Tensor]:
        node, counted, b = self.node, self.counted, self.b
        results: list[Tensor] = list(node.inputs)
        for n, x in zip(self.carried, made, strict=False):
            results[n] = x
        last = counted.first + counted.steps
        results[counted.counter] = b.scalar(last, node[counted.counter].dtype)
        for (n, step), x in zip(counted.written.items(), made[len(self.carried) :], strict=True):
            results[n] = x if step > 0 else b.reverse(x, (0,))
        return results


CONVERTERS: dict[str, Converter] = {
    "stablehlo.case": case,
    "stablehlo.if": if_,
    "stablehlo.while": while_,
}
