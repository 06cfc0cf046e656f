"""Random graphs of products: MatMul, Gemm, Einsum, feed-forward blocks, products by group."""

from __future__ import annotations

from itertools import pairwise
from math import prod

from ..graph_builder import GraphBuilder, GraphTensor
from .layers import WORK, activation, layer_norm, linear, reshape, rms_norm, turned

EQUATIONS = (
    "bhqd,bhkd->bhqk", "bhqk,bhkd->bhqd", "bthd,bshd->bhts", "bhts,bshd->bthd", "ij,jk->ik",
    "bij,bjk->bik", "bi,bj->bij", "bij->bji", "bii->bi", "nctkv,kvw->nctw", "ijk,jil->kl",
    "bnd,de->bne", "bld,dn->bldn", "bldn,bln->bld", "xyi,xyj->ij", "blh,bhs->bls", "abc,cd,de->abe",
    "bhwc,hkc->bhwk", "bhwc,wkc->bhwk", "eij,ejk->eik",
)  # fmt: skip
_WEIGHTS = 4e6
"""Most elements of a weight."""


def _product_cost(m: int, k: int, n: int, batch: int = 1) -> float:
    """Return the cost of a test: the operations of products, or more if their operands are large.

    Drawing and packing weights takes time in proportion to their elements.
    """
    return batch * max(2.0 * m * k * n, 60.0 * (m * k + k * n + m * n))


def matmul(g: GraphBuilder) -> None:
    """Draw a product of two matrices, either of which may be constant or transposed."""
    d = g.draw
    m, k, n = d.fitting(
        lambda: (d.size(4096), d.size(8192), d.size(8192)), lambda s: _product_cost(*s), WORK
    )
    m = d.one(m, m, m, 1, 2)
    where = d.one("rhs", "rhs", "none", "none", "lhs")
    lhs = _matrix(g, m, k, is_constant=where == "lhs", is_turned=d.chance(0.2))
    rhs = _matrix(g, k, n, is_constant=where == "rhs", is_turned=d.chance(0.25))
    y = g.op("MatMul", lhs, rhs)
    g.output(activation(g, y) if d.chance(0.3) else y)


def _matrix(
    g: GraphBuilder, rows: int, columns: int, *, is_constant: bool, is_turned: bool
) -> GraphTensor:
    shape = (columns, rows) if is_turned else (rows, columns)
    make = g.weight if is_constant else g.input
    return turned(g, make(*shape)) if is_turned else make(*shape)


def matmul_batch(g: GraphBuilder) -> None:
    """Draw products of batches that broadcast."""
    d = g.draw
    rank = d.integer(1, 3)

    def sizes() -> tuple[list[int], int, int, int]:
        return [d.size(24) for _ in range(rank)], d.size(1024), d.size(1024), d.size(1024)

    batch, m, k, n = d.fitting(sizes, lambda s: _product_cost(s[1], s[2], s[3], prod(s[0])), WORK)
    m = d.one(m, m, m, m, 1)
    lhs = _batched(g, batch, m, k, constant=0.0, turn=0.3)
    rhs = _batched(g, batch, k, n, constant=0.3, turn=0.4)
    g.output(g.op("MatMul", lhs, rhs))


def _batched(
    g: GraphBuilder, batch: list[int], rows: int, columns: int, *, constant: float, turn: float
) -> GraphTensor:
    """Return an operand of a batched product that lacks some batch axes, or has size 1 along them.

    batch: the sizes of the batch axes.  constant: the probability of a constant operand.  turn: the
    probability of a transposed operand.
    """
    d = g.draw
    axes = [1 if d.chance(0.2) else size for size in batch]
    axes = axes[d.integer(0, len(axes)) if d.chance(0.35) else 0 :]
    is_turned = d.chance(turn)
    shape = (*axes, columns, rows) if is_turned else (*axes, rows, columns)
    x = g.operand(*shape, fan_in=max(rows, 1), constant=constant)
    return turned(g, x) if is_turned else x


def gemm(g: GraphBuilder) -> None:
    """Draw Gemm with alpha, beta, transposes and every shape of C."""
    d = g.draw
    m, k, n = d.fitting(
        lambda: (d.size(1024), d.size(4096), d.size(4096)), lambda s: _product_cost(*s), WORK
    )
    trans_a, trans_b = int(d.chance(0.2)), d.integer(0, 1)
    a = g.input(*((k, m) if trans_a else (m, k)))
    b = g.operand(*((n, k) if trans_b else (k, n)), fan_in=k, constant=0.7)
    shape = d.one((n,), (1, n), (m, 1), (m, n), (1,), ())
    c = g.operand(*shape) if d.chance(0.8) else None
    y = g.op(
        "Gemm",
        a,
        b,
        *([] if c is None else [c]),
        transA=trans_a,
        transB=trans_b,
        alpha=d.one(1.0, 1.0, 0.5, -1.25),
        beta=d.one(1.0, 1.0, 0.0, -2.0),
    )
    g.output(activation(g, y) if d.chance(0.4) else y)


def einsum(g: GraphBuilder) -> None:
    """Draw an equation with sizes that fit."""
    d = g.draw
    equation = d.one(*EQUATIONS)
    left, right = equation.split("->")
    terms, letters = left.split(","), sorted(set(left) - {","})

    def cost(sizes: dict[str, int]) -> float:
        parts = (prod(sizes[a] for a in term) for term in (*terms, right))
        return max(2.0 * prod(sizes.values()), 200.0 * max(parts))

    sizes = d.fitting(lambda: {a: d.size(200) for a in letters}, cost, WORK / 2)
    operands = [g.input(*(sizes[a] for a in term), scale=0.5) for term in terms]
    g.output(g.op("Einsum", *operands, equation=equation))


def feed_forward(g: GraphBuilder) -> None:
    """Draw one to three products with bias, activation, gate, norm and residual."""
    d = g.draw
    layers = d.integer(1, 3)
    lead = d.one([1], [d.size(8)], [d.size(4), d.size(512)], [d.size(1024)])
    rows = prod(lead)
    widths = d.fitting(
        lambda: [d.size(4096) for _ in range(layers + 1)],
        lambda w: sum(_product_cost(rows, a, b) for a, b in pairwise(w)),
        WORK / 2,
    )
    x = y = g.input(*lead, widths[0])
    if d.chance(0.4):
        y = layer_norm(g, y)
    for width in widths[1:]:
        z = linear(g, y, width)
        if d.chance(0.2):
            z = g.op("Mul", activation(g, z), linear(g, y, width))
        y = activation(g, z) if d.chance(0.6) else z
    if d.chance(0.4) and y.shape[-1] * x.shape[-1] < _WEIGHTS:
        y = g.op("Add", linear(g, y, x.shape[-1]), x)
        y = layer_norm(g, y) if d.chance(0.5) else y
    g.output(y)


def gated(g: GraphBuilder) -> None:
    """Draw products of the same few rows whose results are combined, as by decoders' gates."""
    d = g.draw
    rows, k, n = d.fitting(
        lambda: (d.one(1, 1, 1, 2, 3, 4, 7, 16), d.size(4096), d.size(4096)),
        lambda s: _product_cost(*s),
        WORK / 4,
    )
    x = g.input(*d.one((rows, k), (1, rows, k)))
    z = rms_norm(g, x) if d.chance(0.4) else x
    kind = d.one("swiglu", "tanh", "recurrent", "three")
    if kind == "swiglu":
        y = g.op("Mul", activation(g, linear(g, z, n, bias=0.1)), linear(g, z, n, bias=0.1))
        y = linear(g, y, min(n, k)) if d.chance(0.5) else y
    elif kind == "tanh":
        y = g.op("Mul", g.op("Sigmoid", linear(g, z, n)), g.op("Tanh", linear(g, z, n)))
    elif kind == "recurrent":
        hidden = g.input(*x.shape[:-1], n)
        y = g.op("Tanh", g.op("Add", linear(g, z, n), linear(g, hidden, n)))
    else:
        parts = [linear(g, z, n) for _ in range(3)]
        y = g.op("Add", g.op("Mul", parts[0], parts[1]), parts[2])
    g.output(y)


def grouped_products(g: GraphBuilder) -> None:
    """Draw a product per group of channels, and products with the weights of selected experts."""
    d = g.draw
    groups, rows, k, n = d.fitting(
        lambda: (d.integer(2, 16), d.size(256), d.size(256), d.size(256)),
        lambda s: _product_cost(s[1], s[2], s[3], s[0]),
        WORK / 2,
    )
    if d.chance(0.5):
        x = reshape(g, g.input(rows, groups * k), rows, groups, k)
        x = g.op("Transpose", x, perm=[1, 0, 2])
        y = g.op("MatMul", x, g.weight(groups, k, n))
        y = reshape(g, g.op("Transpose", y, perm=[1, 0, 2]), rows, groups * n)
    else:
        chosen = d.integers((d.integer(1, 4),), 0, groups - 1)
        stored = g.weight(groups, n, k, fan_in=k) if d.chance(0.5) else g.weight(groups, k, n)
        weights = g.op("Gather", stored, g.feed(chosen), axis=0)
        if stored.shape[1:] == (n, k) and (n, k) != (k, n):
            weights = turned(g, weights)
        y = g.op("MatMul", g.input(1, rows, weights.shape[1]), weights)
    g.output(activation(g, y) if d.chance(0.5) else y)
