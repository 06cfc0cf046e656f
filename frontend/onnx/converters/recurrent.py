"""Convert recurrent layers: RNN, GRU and LSTM become one graph.scan per direction.

One matrix product before the scan computes ``X · Wᵀ + b`` for all steps; each step adds ``H · Rᵀ``
and applies the gates. After the end of a sequence, its state is unchanged and its outputs are
zeros. If the lengths of the sequences are constant, the scan ends with the longest.

Source: ONNX RNN-22, GRU-22, LSTM-22; input_forget and the order of alphas as in onnxruntime.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute

from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import MatmulOp, ScanOp
from ....dialects.shape import Dim, tensor_type
from ....support.diagnostics import ModelError, UnequalSizes, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter
from .elementwise import elu, hard_sigmoid, leaky_relu, relu, softplus, softsign, thresholded_relu

ONE = Dim.const(1)
DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
"""By value of the attribute ``direction``: for each direction, whether it runs backward."""

Activation: TypeAlias = Callable[[Builder, Tensor], Tensor]


def _affine(node: Node, b: Builder) -> Tensor:
    scaled = b.apply("mul", node[0], node.number("alpha", 1.0))
    return b.apply("add", scaled, node.number("beta", 0.0))


def _scaled_tanh(node: Node, b: Builder) -> Tensor:
    inner = b.apply("tanh", b.apply("mul", node[0], node.number("beta", 1.0)))
    return b.apply("mul", inner, node.number("alpha", 1.0))


def _plain(name: str) -> Converter:
    return lambda node, b: b.apply(name, node[0])


ACTIVATIONS: Mapping[str, tuple[Converter, int]] = {
    "sigmoid": (_plain("sigmoid"), 0),
    "tanh": (_plain("tanh"), 0),
    "relu": (relu, 0),
    "softsign": (softsign, 0),
    "softplus": (softplus, 0),
    "elu": (elu, 1),
    "leakyrelu": (leaky_relu, 1),
    "thresholdedrelu": (thresholded_relu, 1),
    "affine": (_affine, 2),
    "hardsigmoid": (hard_sigmoid, 2),
    "scaledtanh": (_scaled_tanh, 2),
}
"""Converters of activations by name, each with the number of its parameters (alpha, then beta)."""


@dataclass(frozen=True)
class Matrix:
    """Weights of one direction, with a row per gate and unit."""

    values: Tensor

    @property
    def columns(self) -> Dim:
        """The number of elements of a row: inputs, or hidden units."""
        return self.values.dims[-1]

    def times(self, b: Builder, x: Tensor) -> Tensor:
        """Append the product of the rows of x, (rows, columns), and the transposed weights."""
        return b.emit(MatmulOp(b.ssa(x), b.ssa(self.values), transpose_rhs=True))

    def rows(self, b: Builder, start: Dim | int, size: Dim) -> Matrix:
        """Return some of the rows."""
        return Matrix(b.slice(self.values, 0, start, size))


ReadWeights: TypeAlias = Callable[[Node, Builder, int], tuple[Matrix, Matrix]]
"""A function from a node and the position of a direction to its weights, for inputs and for states.
"""


@dataclass(frozen=True)
class Direction:
    """The operands of one direction of a layer.

    reverse: whether steps run from the last to the first.  weights, recurrent: the matrices that
    multiply the inputs and the states.  bias: the biases of all gates, added before the scan.
    recurrent_bias: the bias that a GRU's reset gate multiplies.  peepholes: one weight vector per
    gate.  initial: the states before the first step.  activations: functions that also clip their
    operand.
    """

    reverse: bool
    weights: Matrix
    recurrent: Matrix
    bias: Tensor | None
    recurrent_bias: Tensor | None
    peepholes: Sequence[Tensor]
    initial: Sequence[Tensor]
    activations: Sequence[Activation]


Step: TypeAlias = Callable[[Builder, Node, Direction, Tensor, Sequence[Tensor]], list[Tensor]]
"""A function that computes new states from a step's gate inputs and the previous states."""


def rnn_step(
    b: Builder, node: Node, layer: Direction, x: Tensor, states: Sequence[Tensor]
) -> list[Tensor]:
    """Compute one step of an RNN: ``h = f(x + h · Rᵀ)``.

    x: the gate inputs of the step, ``X · Wᵀ + b``.  states: the previous h.
    Result: the new states.
    """
    (f,) = layer.activations
    return [f(b, b.apply("add", layer.recurrent.times(b, states[0]), x))]


def gru_step(
    b: Builder, node: Node, layer: Direction, x: Tensor, states: Sequence[Tensor]
) -> list[Tensor]:
    """Compute one step of a GRU: gates z and r, the candidate c, and ``h = (1 - z) c + z h``.

    The reset gate r multiplies the previous h in the candidate.
    x: the gate inputs of the step, ``X · Wᵀ + b``.  states: the previous h.
    Result: the new states.
    """
    (h,), (f, g) = states, layer.activations
    units = h.dims[-1]
    first = layer.recurrent.rows(b, 0, units * 2)
    last = layer.recurrent.rows(b, units * 2, units)
    if node.integer("linear_before_reset", 0):
        total = layer.recurrent.times(b, h)
        product = _gate(b, total, 2, units)
        if layer.recurrent_bias is not None:
            product = b.apply("add", product, layer.recurrent_bias)
        gates = b.apply("add", _columns(b, total, 0, units * 2), _columns(b, x, 0, units * 2))
        update, reset = (f(b, _gate(b, gates, n, units)) for n in range(2))
        weakened = b.apply("mul", reset, product)
    else:
        gates = b.apply("add", first.times(b, h), _columns(b, x, 0, units * 2))
        update, reset = (f(b, _gate(b, gates, n, units)) for n in range(2))
        weakened = last.times(b, b.apply("mul", reset, h))
    candidate = g(b, b.apply("add", weakened, _gate(b, x, 2, units)))
    kept = b.apply("mul", b.apply("sub", b.scalar(1, h.dtype), update), candidate)
    return [b.apply("add", kept, b.apply("mul", update, h))]


def lstm_step(
    b: Builder, node: Node, layer: Direction, x: Tensor, states: Sequence[Tensor]
) -> list[Tensor]:
    """Compute one step of an LSTM: gates i, o and f (with peepholes), then c and h.

    The cell is ``c = f c + i g(…)``, the output ``h = o h(c)``.
    x: the gate inputs of the step, ``X · Wᵀ + b``.  states: the previous h and c.
    Result: the new states.
    """
    (h, c), (f, g, out) = states, layer.activations
    gates = b.apply("add", layer.recurrent.times(b, h), x)
    i, o, forget, cell = (_gate(b, gates, n, h.dims[-1]) for n in range(4))
    if layer.peepholes:
        i = b.apply("add", i, b.apply("mul", layer.peepholes[0], c))
        forget = b.apply("add", forget, b.apply("mul", layer.peepholes[2], c))
    i = f(b, i)
    if node.integer("input_forget", 0):
        forget = b.apply("sub", b.scalar(1, h.dtype), i)
    else:
        forget = f(b, forget)
    after = b.apply("add", b.apply("mul", forget, c), b.apply("mul", i, g(b, cell)))
    if layer.peepholes:
        o = b.apply("add", o, b.apply("mul", layer.peepholes[1], after))
    return [b.apply("mul", f(b, o), out(b, after)), after]


@dataclass(frozen=True)
class Kind:
    """A kind of recurrent layer: RNN, GRU or LSTM.

    gates: the number of gates.  states: the number of state vectors, such as 2 (h and c) for LSTM.
    activations: the names of the default activations.  step: the function that computes one step.
    """

    gates: int
    states: int
    activations: tuple[str, ...]
    step: Step


RNN = Kind(1, 1, ("Tanh",), rnn_step)
GRU = Kind(3, 1, ("Sigmoid", "Tanh"), gru_step)
LSTM = Kind(4, 2, ("Sigmoid", "Tanh", "Tanh"), lstm_step)
LENGTHS, FIRST_STATE, PEEPHOLES = 4, 5, 7
"""Positions of optional node inputs (the bias is input 3)."""
STATES = (5, 6)
HAVE_DIRECTIONS = {
    1: "the weights are",
    2: "the recurrent weights are",
    3: "the bias is",
    5: "the first state is",
    6: "the first cell is",
    7: "the peepholes are",
}
"""The names, in messages, of the inputs that have an axis of directions."""


def _float_weights(node: Node, b: Builder, number: int) -> tuple[Matrix, Matrix]:
    return Matrix(direction_of(b, node[1], number)), Matrix(direction_of(b, node[2], number))


def recurrent_layer(kind: Kind, read_weights: ReadWeights = _float_weights) -> Converter:
    """Return the converter of a kind of recurrent layer.

    read_weights: a function that reads the weights of a direction from the inputs of a node.
    """

    def convert(node: Node, b: Builder) -> tuple[Tensor | None, ...]:
        by_batch = node.integer("layout", 0) == 1
        x = b.transpose(node[0], (1, 0, 2)) if by_batch else node[0]
        all_steps = x.dims[0]
        steps = _busy_steps(node, x)
        x = x if steps == x.dims[0] else b.slice(x, 0, 0, steps)
        lengths = _lengths(node, x)
        outputs = [
            _run(kind, node, b, x, lengths, layer)
            for layer in _directions(kind, node, b, x, read_weights)
        ]
        joined = [_joined(b, values) for values in zip(*outputs, strict=True)]
        if joined[0] is not None and steps != all_steps:
            rest = b.broadcast_to(b.scalar(0, x.dtype), (all_steps - steps, *joined[0].dims[1:]))
            joined[0] = b.concat([joined[0], rest], 0)
        if not by_batch:
            return tuple(joined)
        # (step, direction, batch, unit) to (batch, step, direction, unit), and without the step
        orders = ((2, 0, 1, 3), *[(1, 0, 2)] * kind.states)
        return tuple(
            None if value is None else b.transpose(value, order)
            for value, order in zip(joined, orders, strict=True)
        )

    return convert


def _busy_steps(node: Node, x: Tensor) -> Dim:
    """Return the number of steps until all sequences have ended: the largest length, at least 1.

    If the lengths are unknown at import, return the total number of steps.
    """
    lengths = node.get(LENGTHS)
    known = None if lengths is None else lengths.values()
    size = x.dims[0].value
    if known is None or size is None or not known.size:
        return x.dims[0]
    return Dim.const(max(1, min(size, int(known.max()))))


def _lengths(node: Node, x: Tensor) -> Tensor | None:
    lengths = node.get(LENGTHS)
    known = None if lengths is None else lengths.values()
    if known is not None and all(Dim.const(int(n)) == x.dims[0] for n in known.reshape(-1)):
        return None
    return lengths


def _directions(
    kind: Kind, node: Node, b: Builder, x: Tensor, read_weights: ReadWeights
) -> list[Direction]:
    name = node.text("direction", "forward")
    if name not in DIRECTIONS:
        raise ModelError("unknown direction", expected=", ".join(DIRECTIONS), got=name)
    activations = _activations(kind, node, len(DIRECTIONS[name]))
    _check_directions(node, name)
    count = len(kind.activations)
    return [
        _direction(
            kind,
            node,
            b,
            x,
            n,
            reverse,
            activations[n * count : (n + 1) * count],
            read_weights(node, b, n),
        )
        for n, reverse in enumerate(DIRECTIONS[name])
    ]


def _check_directions(node: Node, name: str) -> None:
    wanted = Dim.const(len(DIRECTIONS[name]))
    for position, what in HAVE_DIRECTIONS.items():
        given = node.get(position)
        by_batch = position in STATES and node.integer("layout", 0) == 1
        got = wanted if given is None else given.dims[int(by_batch)]
        if got != wanted:
            raise UnequalSizes(
                f"{what} not of this direction",
                expected=f"{name}: {wanted}",
                got=got,
                sizes=[(got, wanted)],
            )


def _direction(
    kind: Kind,
    node: Node,
    b: Builder,
    x: Tensor,
    number: int,
    reverse: bool,
    activations: Sequence[Activation],
    matrices: tuple[Matrix, Matrix],
) -> Direction:
    weights, recurrent = matrices
    units = recurrent.columns
    bias, recurrent_bias = _biases(kind, node, b, number, units)
    peepholes: list[Tensor] = []
    if kind is LSTM and node.get(PEEPHOLES) is not None:
        rows = direction_of(b, node[PEEPHOLES], number)
        peepholes = [b.slice(rows, 0, units * n, units) for n in range(3)]
    by_batch = node.integer("layout", 0) == 1
    initial: list[Tensor] = []
    for position in range(FIRST_STATE, FIRST_STATE + kind.states):
        given = node.get(position)
        if given is None:
            initial.append(_zeros(b, x.dtype, (x.dims[1], units)))
        else:
            initial.append(
                direction_of(b, b.transpose(given, (1, 0, 2)) if by_batch else given, number)
            )
    return Direction(
        reverse, weights, recurrent, bias, recurrent_bias, peepholes, initial, activations
    )


def _biases(
    kind: Kind, node: Node, b: Builder, number: int, units: Dim
) -> tuple[Tensor | None, Tensor | None]:
    """Return the bias that is added before the scan, and the bias inside a GRU's reset gate.

    number: the position of the direction in the layer.  units: the number of hidden units.
    """
    given = node.get(3)
    if given is None:
        return None, None
    rows = direction_of(b, given, number)
    size = units * kind.gates
    before, inside = b.slice(rows, 0, 0, size), b.slice(rows, 0, size, size)
    if kind is not GRU or not node.integer("linear_before_reset", 0):
        return b.apply("add", before, inside), None
    last = b.slice(inside, 0, units * 2, units)
    zeros = _zeros(b, rows.dtype, (units,))
    outside = b.concat([b.slice(inside, 0, 0, units * 2), zeros], 0)
    return b.apply("add", before, outside), last


def _activations(kind: Kind, node: Node, directions: int) -> list[Activation]:
    names = node.definition.attributes.get("activations", kind.activations * directions)
    if not isinstance(names, tuple) or len(names) != len(kind.activations) * directions:
        raise ModelError(
            "wrong number of activations", expected=len(kind.activations) * directions, got=names
        )
    rows = [_known_activation(str(name)) for name in names]
    # Parameter lists hold values only for activations with that parameter.
    alphas = _parameters(node, "activation_alpha", [count > 0 for _, count in rows])
    betas = _parameters(node, "activation_beta", [count > 1 for _, count in rows])
    clip = node.number("clip", 0.0) if node.has("clip") else None
    return [
        _activation(node, convert, {"alpha": alpha, "beta": beta}, clip)
        for (convert, _), alpha, beta in zip(rows, alphas, betas, strict=True)
    ]


def _known_activation(name: str) -> tuple[Converter, int]:
    found = ACTIVATIONS.get(name.lower())
    if found is None:
        raise UnsupportedOp(
            f"activation {name} is not supported", expected=", ".join(sorted(ACTIVATIONS))
        )
    return found


def _parameters(node: Node, name: str, taken: Sequence[bool]) -> list[float | None]:
    given = node.floats(name, ())
    positions = list(accumulate(taken, initial=0))
    return [
        given[at] if takes and at < len(given) else None
        for takes, at in zip(taken, positions, strict=False)
    ]


def _activation(
    node: Node, convert: Converter, given: Mapping[str, float | None], clip: float | None
) -> Activation:
    attributes = {name: value for name, value in given.items() if value is not None}
    definition = replace(node.definition, attributes=attributes)

    def apply(b: Builder, x: Tensor) -> Tensor:
        if clip is not None:
            x = b.apply("min", b.apply("max", x, -clip), clip)
        made = convert(Node(definition, node.opset, (x,)), b)
        assert isinstance(made, Tensor), "activations have one result"
        return made

    return apply


def _run(
    kind: Kind, node: Node, b: Builder, x: Tensor, lengths: Tensor | None, layer: Direction
) -> list[Tensor | None]:
    """Append the scan of one direction; return the outputs of all steps, then the last states.

    lengths: the number of steps of each sequence; None if all have full length.  A result that no
    node reads is None.
    Shapes: outputs (step, direction, batch, unit), states (direction, batch, unit).
    """
    steps, stacked = x.dims[0], node.wants(0)
    over = [_gate_inputs(b, x, layer)]
    if lengths is not None:
        over.append(b.iota((steps,), 0, i32))
    inits = list(layer.initial)
    types = [tensor_type(s.dtype, s.dims) for s in inits]
    inner = b.region([*types, *(tensor_type(v.dtype, v.dims[1:]) for v in over)])
    arguments = inner.arguments()
    before = arguments[: len(inits)]
    after = kind.step(inner, node, layer, arguments[len(inits)], before)
    given = after[0]
    if lengths is not None:
        runs = inner.apply("lt", arguments[-1], inner.cast(lengths, i32))
        runs = inner.broadcast_to(runs, given.dims, 0)
        after = [inner.select(runs, new, old) for new, old in zip(after, before, strict=True)]
        given = inner.select(runs, given, 0.0)
    body = inner.yields(*after, *([given] if stacked else []))
    results = b.emit_all(
        ScanOp(
            steps,
            [b.ssa(v) for v in inits],
            [b.ssa(v) for v in over],
            body,
            reverse=layer.reverse,
        )
    )
    ends = [b.reshape(v, (ONE, *v.dims)) for v in results[: kind.states]]
    stack = results[-1]
    every = b.reshape(stack, (steps, ONE, *stack.dims[1:])) if stacked else None
    return [every, *(v if node.wants(1 + n) else None for n, v in enumerate(ends))]


def _gate_inputs(b: Builder, x: Tensor, layer: Direction) -> Tensor:
    """Compute ``X · Wᵀ + b`` for all steps, as (step, batch, gates)."""
    steps, batch, size = x.dims
    rows = b.reshape(x, (steps * batch, size))
    product = layer.weights.times(b, rows)
    if layer.bias is not None:
        product = b.apply("add", product, layer.bias)
    return b.reshape(product, (steps, batch, product.dims[-1]))


def _columns(b: Builder, x: Tensor, start: Dim | int, size: Dim) -> Tensor:
    return b.slice(x, 1, start, size)


def _gate(b: Builder, x: Tensor, number: int, units: Dim) -> Tensor:
    return _columns(b, x, units * number, units)


def direction_of(b: Builder, x: Tensor, number: int) -> Tensor:
    """Return the part of an input of a node for one direction, without the axis of directions."""
    part = x if x.dims[0] == ONE else b.slice(x, 0, number, 1)
    return b.reshape(part, x.dims[1:])


def _zeros(b: Builder, dtype: Attribute, dims: Sequence[Dim]) -> Tensor:
    sizes = [dim.value for dim in dims]
    if None in sizes:
        return b.broadcast_to(b.scalar(0, dtype), dims)
    return Tensor.of_array(np.zeros([size or 0 for size in sizes], numpy_dtype(dtype)))


def _joined(b: Builder, parts: Sequence[Tensor | None]) -> Tensor | None:
    known = [part for part in parts if part is not None]
    return b.concat(known, 1 if known[0].rank == 4 else 0) if known else None


CONVERTERS = (
    OpConverter("RNN", recurrent_layer(RNN), since=7),
    OpConverter("GRU", recurrent_layer(GRU), since=7),
    OpConverter("LSTM", recurrent_layer(LSTM), since=7),
)
