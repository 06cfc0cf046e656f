"""Convert the support vector machines of the domain ai.onnx.ml: SVMRegressor and SVMClassifier."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from xdsl.dialects.builtin import f32, i1, i64

from ....dialects.graph import ArgReduceOp, LoopOp
from ....dialects.graph.control import ITERATION
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..converters.classes import DOMAIN, class_labels, label_at, post_transformed
from ..converters.features import rows_of
from ..converters.matmul import product
from ..node import Node, OpConverter, static
from ..values import StringTensor

MOST_CLASSES = 16
"""The largest number of classes whose probabilities are computed; each class adds ops."""
LEAST = 1e-7
"""The smallest probability of a class in a comparison of two classes."""


def _numbers(values: object) -> Tensor:
    return Tensor.of_array(np.asarray(values, np.float32))


def _vectors(node: Node, name: str, features: int) -> np.ndarray:
    values = np.asarray(node.floats(name))
    if not values.size or values.size % features:
        raise ModelError(f"the length of {name!r} is wrong", expected=f"n * {features}")
    return values.reshape(-1, features)


def _kernel(node: Node, x: Tensor, vectors: np.ndarray, b: Builder) -> Tensor:
    """Compute the kernel function of each row and each vector, as (rows, vectors)."""
    gamma, offset, degree = node.floats("kernel_params", ()) or (0.0, 0.0, 0.0)
    kind = node.text("kernel_type", "LINEAR")
    if kind == "RBF":
        # Differences of close vectors are exact; differences of their products are not.
        wide = b.reshape(x, (x.dims[0], 1, x.dims[1]))
        apart = b.apply("sub", wide, _numbers(vectors))
        distance = b.reduce(b.apply("mul", apart, apart), "sum", (2,), keep=False)
        return b.apply("exp", b.apply("mul", distance, -gamma))
    made = product(b, x, _numbers(np.ascontiguousarray(vectors.T)))
    match kind:
        case "LINEAR":
            return made
        case "POLY":
            made = b.apply("add", b.apply("mul", made, gamma), offset)
            return b.apply("pow", made, degree)
        case "SIGMOID":
            return b.apply("tanh", b.apply("add", b.apply("mul", made, gamma), offset))
        case _:
            raise ModelError(
                "the kernel is unknown", expected="LINEAR, POLY, RBF, SIGMOID", got=kind
            )


def svm_regressor(node: Node, b: Builder) -> Tensor:
    """Compute a regression as (rows, 1); the result of a one-class machine is 1 or -1."""
    x = b.cast(rows_of(node[0], b), f32)
    features = static(x.dims[1], "the number of features")
    if node.integer("n_supports", 0):
        kernel = _kernel(node, x, _vectors(node, "support_vectors", features), b)
        coefficients = np.asarray(node.floats("coefficients"))
        if Tensor.of_array(coefficients).dims != kernel.dims[1:]:
            raise ModelError("the number of coefficients is wrong", expected=kernel.dims[1])
        made = product(b, kernel, _numbers(coefficients[:, None]))
    else:
        made = _kernel(node, x, _vectors(node, "coefficients", features)[:1], b)
    made = b.apply("add", made, node.floats("rho")[0])
    if node.integer("one_class", 0):
        made = b.select(b.apply("lt", b.scalar(0.0, f32), made), 1.0, b.scalar(-1.0, f32))
    return post_transformed(node.text("post_transform", "NONE"), made, b)


def svm_classifier(node: Node, b: Builder) -> tuple[Tensor | StringTensor, Tensor]:
    """Compute the labels of rows, and either scores of pairs of classes or class probabilities."""
    labels = class_labels(node)
    x = b.cast(rows_of(node[0], b), f32)
    features, classes = static(x.dims[1], "the number of features"), len(labels)
    rho = node.floats("rho")
    if not node.ints("vectors_per_class", ()):
        vectors = _vectors(node, "coefficients", features)
        scores = b.apply("add", _kernel(node, x, vectors, b), rho[0])
        position = b.emit(ArgReduceOp(b.ssa(scores), kind="max", axis=1, keep=False))
    else:
        kernel = _kernel(node, x, _vectors(node, "support_vectors", features), b)
        scores = b.apply("add", product(b, kernel, _pair_weights(node, classes)), _numbers(rho))
        wins, start = _votes(classes)
        won = b.cast(b.apply("lt", b.scalar(0.0, f32), scores), f32)
        votes = b.apply("add", product(b, won, _numbers(wins)), _numbers(start))
        position = b.emit(ArgReduceOp(b.ssa(votes), kind="max", axis=1, keep=False))
        if node.has("prob_a"):
            scores = _probabilities(node, scores, classes, b)
    if scores.dims[1].value == 1:
        scores = b.concat([b.apply("neg", scores), scores], 1)
    scores = post_transformed(node.text("post_transform", "NONE"), scores, b)
    return label_at(labels, position, b), scores


def _pair_weights(node: Node, classes: int) -> Tensor:
    """Return the coefficients of the support vectors, as (vectors, pairs of classes)."""
    counts = np.asarray(node.ints("vectors_per_class"))
    given = np.asarray(node.floats("coefficients"))
    if len(counts) != classes or given.size != (classes - 1) * counts.sum():
        expected = f"{classes} counts of vectors, {classes - 1} coefficients of each vector"
        raise ModelError("the number of coefficients is wrong", expected=expected, got=given.size)
    coefficients = given.reshape(classes - 1, -1)
    ends = np.cumsum(counts)
    parts = [slice(end - count, end) for end, count in zip(ends, counts, strict=True)]
    pairs = list(combinations(range(classes), 2))
    weights = np.zeros((counts.sum(), len(pairs)))
    for n, (first, second) in enumerate(pairs):
        weights[parts[first], n] = coefficients[second - 1, parts[first]]
        weights[parts[second], n] = coefficients[first, parts[second]]
    return _numbers(weights)


def _votes(classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays from which the votes of one row for each class are computed.

    Each pair of classes votes for one of its classes. The second array, (classes), counts the votes
    if the second class of every pair wins.  For each pair whose first class wins, add the pair's
    row of the first array, (pairs, classes): it moves the vote from the second to the first class.
    """
    pairs = list(combinations(range(classes), 2))
    wins, start = np.zeros((len(pairs), classes)), np.zeros(classes)
    for n, (first, second) in enumerate(pairs):
        wins[n, first], wins[n, second] = 1, -1
        start[second] += 1
    return wins, start


def _probabilities(node: Node, scores: Tensor, classes: int, b: Builder) -> Tensor:
    """Compute the probabilities of all classes from the probabilities of pairs, iteratively.

    Source: Wu, Lin, Weng: Probability Estimates for Multi-class Classification, JMLR 2004, section
    4.3, algorithm 2; with the tolerance of libsvm.
    """
    if classes > MOST_CLASSES:
        raise UnsupportedOp(f"probabilities of more than {MOST_CLASSES} classes", got=classes)
    slopes, offsets = _numbers(node.floats("prob_a")), _numbers(node.floats("prob_b"))
    steep = b.apply("add", b.apply("mul", scores, slopes), offsets)
    each = b.apply("sigmoid", b.apply("neg", steep))
    each = b.apply("min", b.apply("max", each, LEAST), 1 - LEAST)
    pairs = {pair: b.slice(each, 1, n, 1) for n, pair in enumerate(combinations(range(classes), 2))}
    pairs |= {(j, i): b.apply("sub", b.scalar(1.0, f32), x) for (i, j), x in pairs.items()}
    rows = [b.concat(_quadratic_row(pairs, t, classes, b), 1) for t in range(classes)]
    dims = (scores.dims[0], classes)
    start = b.broadcast_to(b.scalar(1 / classes, f32), b.reshape(rows[0], dims).dims)
    inner = b.region([ITERATION, b.ssa(start).type])
    p = inner.arguments()[1]
    made, is_left = _refined(p, rows, classes, inner)
    region = inner.yields(is_left, made)
    limit, going = b.scalar(max(100, classes), i64), b.scalar(1, i1)
    return b.emit_all(LoopOp(b.ssa(limit), b.ssa(going), [b.ssa(start)], region))[0]


def _quadratic_row(
    pairs: dict[tuple[int, int], Tensor], t: int, classes: int, b: Builder
) -> list[Tensor]:
    """Return row t of the matrix of the quadratic form that the class probabilities minimize.

    An entry of this row is a tensor with a number for each row of the input, because each has its
    own matrix.
    pairs: for each pair of classes, the probability of the first class.
    """
    squares = [b.apply("mul", pairs[j, t], pairs[j, t]) for j in range(classes) if j != t]
    own = squares[0]
    for square in squares[1:]:
        own = b.apply("add", own, square)
    others = {j: b.apply("mul", pairs[j, t], pairs[t, j]) for j in range(classes) if j != t}
    return [own if j == t else b.apply("neg", others[j]) for j in range(classes)]


def _refined(p: Tensor, rows: list[Tensor], classes: int, b: Builder) -> tuple[Tensor, Tensor]:
    """Return the next probabilities, and whether some row of the input has not converged.

    Rows that have converged keep their probabilities.
    p: the probabilities.  rows: the rows of the matrix that `_quadratic_row` describes.
    """

    def dot(x: Tensor, y: Tensor) -> Tensor:
        return b.reduce(b.apply("mul", x, y), "sum", (1,))

    slope = b.concat([dot(row, p) for row in rows], 1)
    value = dot(p, slope)
    error = b.reduce(b.apply("abs", b.apply("sub", slope, value)), "max", (1,))
    is_left = b.apply("not", b.apply("lt", error, 0.005 / classes))
    made = p
    for t, row in enumerate(rows):
        own, ahead = b.slice(row, 1, t, 1), b.slice(slope, 1, t, 1)
        step = b.apply("div", b.apply("sub", value, ahead), own)
        scale = b.apply("add", step, 1.0)
        unit = _numbers(np.eye(classes)[t : t + 1])
        made = b.apply("div", b.apply("add", made, b.apply("mul", step, unit)), scale)
        grown = b.apply("add", b.apply("mul", step, own), b.apply("mul", ahead, 2.0))
        value = b.apply("add", value, b.apply("mul", step, grown))
        value = b.apply("div", value, b.apply("mul", scale, scale))
        slope = b.apply("div", b.apply("add", slope, b.apply("mul", step, row)), scale)
    any_left = b.reduce(b.cast(is_left, i64), "max", (0, 1), keep=False)
    return b.select(is_left, made, p), b.apply("lt", b.scalar(0, i64), any_left)


CONVERTERS = (
    OpConverter("SVMRegressor", svm_regressor, since=1, domain=DOMAIN),
    OpConverter("SVMClassifier", svm_classifier, since=1, domain=DOMAIN),
)
