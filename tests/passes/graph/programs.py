"""Graph programs for the tests of passes: hand-written and random ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import FunctionType, ModuleOp, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from tilewright.analysis.verify import verify_module
from tilewright.dialects.graph import (
    ELEMENTWISE,
    BroadcastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    MatmulOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ReshapeOp,
    SelectOp,
    SliceOp,
    TransposeOp,
)
from tilewright.dialects.shape import static_shape, tensor_type, type_of
from tilewright.support.rewriting import erase_dead_ops
from tilewright.testing import pass_case
from tilewright.testing.pass_case import small_integers

Body = Callable[..., Sequence[SSAValue]]
Draw = Callable[[st.SearchStrategy[Any]], Any]


class Graph:
    """A builder that appends graph ops to the main function."""

    def __init__(self, block: Block) -> None:
        self.block = block

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def apply(self, name: str, *operands: SSAValue) -> SSAValue:
        return self.add(ELEMENTWISE[name](*operands))

    def constant(self, array: Any, dtype: str = "float32") -> SSAValue:
        return self.add(ConstantOp(np.asarray(array, dtype)))

    def full(self, number: float, like: SSAValue, dtype: str = "float32") -> SSAValue:
        scalar = self.constant(number, dtype)
        return self.add(BroadcastOp(scalar, static_shape(type_of(like)), ()))

    def per_channel(self, vector: Any, like: SSAValue, axis: int = 1) -> SSAValue:
        source = self.constant(vector)
        return self.add(BroadcastOp(source, static_shape(type_of(like)), (axis,)))

    def transpose(self, x: SSAValue, *perm: int) -> SSAValue:
        return self.add(TransposeOp(x, perm))


def program(body: Body, *shapes: tuple[int | str, ...], element: Any = f32) -> ModuleOp:
    """Return a module whose main takes f32 tensors and returns ``body(graph, *args)``."""
    types = [tensor_type(element, shape) for shape in shapes]
    block = Block(arg_types=types)
    results = body(Graph(block), *block.args)
    block.add_op(ReturnOp(*results))
    signature = FunctionType.from_lists(types, [value.type for value in results])
    module = ModuleOp([FuncOp("main", signature, Region(block))])
    verify_module(module)
    return module


def main_of(module: ModuleOp) -> FuncOp:
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return func


def ops_of(module: ModuleOp) -> list[str]:
    """Return the names of main's ops in order, without constants and without the dialect."""
    names = [op.name for op in main_of(module).body.block.ops]
    return [n.removeprefix("graph.") for n in names if n not in ("graph.constant", "func.return")]


def inputs_for(module: ModuleOp, seed: int = 0) -> list[np.ndarray]:
    return small_integers(module, seed)


def check_pass(module: ModuleOp, pass_: ModulePass, *, exact: bool = True) -> ModuleOp:
    """Run a pass on a clone and check it; erase dead ops, as graph-dce would."""
    after = pass_case.check_pass(module, pass_, exact=exact)
    erase_dead_ops(after)
    return after


class Sample:
    """A random program; no dataclass, so that hypothesis shows it as IR."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module

    def __repr__(self) -> str:
        return str(self.module)


@st.composite
def programs(draw: Draw, rank: int = 4, most: int = 12, largest: int = 3) -> Sample:
    """Draw programs of up to ``most`` ops on tensors of one rank, with sizes up to ``largest``."""

    def body(g: Graph, *args: SSAValue) -> Sequence[SSAValue]:
        values = list(args)
        for _ in range(draw(st.integers(1, most))):
            step = draw(st.sampled_from(STEPS))
            value = step(draw, g, values)
            if value is not None and np.prod(static_shape(type_of(value))) <= 4096:
                values.append(value)
        count = draw(st.integers(1, 3))
        return values[-count:]

    shape = st.tuples(*[st.integers(1, largest)] * rank)
    return Sample(program(body, draw(shape), draw(shape)))


def _any(draw: Draw, values: Sequence[SSAValue]) -> SSAValue:
    return values[draw(st.integers(0, len(values) - 1))]


def _unary(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    return g.apply(draw(st.sampled_from(("neg", "abs", "floor"))), _any(draw, values))


def _partner(draw: Draw, g: Graph, x: SSAValue, values: Sequence[SSAValue]) -> SSAValue:
    """Draw a value of x's type: an existing one, a number, a vector along an axis, or x itself."""
    same = [v for v in values if v.type == x.type]
    shape = static_shape(type_of(x))
    match draw(st.integers(0, 3)):
        case 0:
            return g.full(draw(st.integers(-1, 2)), x)
        case 1:
            axis = draw(st.integers(0, len(shape) - 1))
            return g.per_channel(np.arange(shape[axis]) - 1, x, axis)
        case 2:
            return g.constant(np.arange(np.prod(shape)).reshape(shape) % 5 - 2)
        case _:
            return _any(draw, same)


def _binary(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    pair = [x, _partner(draw, g, x, values)][:: draw(st.sampled_from((1, -1)))]
    names = ("add", "sub", "mul", "max", "min")
    return g.apply(draw(st.sampled_from(names)), *pair)


def _select(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    y = _partner(draw, g, x, values)
    pair = [x, y][:: draw(st.sampled_from((1, -1)))]
    return g.add(SelectOp(g.apply("lt", x, y), *pair))


def _transpose(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    perms = [(0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 3, 2), (0, 2, 1, 3), (0, 1, 2, 3)]
    return g.transpose(x, *draw(st.sampled_from(perms)))


def _reshape(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    return g.add(ReshapeOp(x, draw(st.permutations(static_shape(type_of(x))))))


def _slice(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    sizes = static_shape(type_of(x))
    starts = [draw(st.integers(0, min(1, n - 1))) for n in sizes]
    kept = [n - start for n, start in zip(sizes, starts, strict=True)]
    return g.add(SliceOp(x, starts, kept, [1] * len(sizes)))


def _pad(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    rank = len(static_shape(type_of(x)))
    low, high = ([draw(st.integers(0, 1)) for _ in range(rank)] for _ in range(2))
    return g.add(PadOp(x, low, high, draw(st.sampled_from(("constant", "edge"))), 1.0))


def _concat(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    parts = [x] + [_partner(draw, g, x, values) for _ in range(draw(st.integers(0, 2)))]
    return g.add(ConcatOp(parts, draw(st.integers(0, 3))))


def _matmul(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    *batch, m, k = static_shape(type_of(x))
    shape = (k, 2) if draw(st.booleans()) else (*batch, k, 2)
    w = g.constant(np.arange(np.prod(shape)).reshape(shape) % 3 - 1)
    if draw(st.booleans()):
        return g.add(MatmulOp(x, w))
    return g.add(MatmulOp(g.transpose(x, 0, 1, 3, 2), x, transpose_lhs=draw(st.just(m == k))))


def _conv(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    x = _any(draw, values)
    channels = static_shape(type_of(x))[1]
    w = g.constant(np.arange(2 * channels).reshape(2, channels, 1, 1) % 3 - 1)
    b = g.constant([1, 2]) if draw(st.booleans()) else None
    return g.add(ConvOp(x, w, b, strides=(1, 1), dilations=(1, 1), pads=(0, 1, 1, 0)))


def _pool(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    window = {"strides": (1, 1), "dilations": (1, 1), "pads": (1, 1, 1, 1)}
    return g.add(PoolOp(_any(draw, values), kind="max", kernel=(2, 2), **window))


def _reduce(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    axis = draw(st.integers(0, 3))
    return g.add(ReduceOp(_any(draw, values), kind="sum", axes=(axis,), keep=True))


def _constant_part(draw: Draw, g: Graph, values: Sequence[SSAValue]) -> SSAValue:
    """Draw a value that does not depend on the inputs."""
    vector = g.constant(np.arange(draw(st.integers(1, 3))))
    x = g.add(BroadcastOp(vector, (2, *static_shape(type_of(vector)), 1, 3), (1,)))
    return g.apply("add", x, g.full(1.0, x))


STEPS = (
    _unary,
    _binary,
    _select,
    _transpose,
    _transpose,
    _reshape,
    _slice,
    _pad,
    _concat,
    _matmul,
    _conv,
    _pool,
    _reduce,
    _constant_part,
)
