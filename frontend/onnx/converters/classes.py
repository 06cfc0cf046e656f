"""Compute the labels and scores of classifiers in the domain ai.onnx.ml from their raw scores."""

from __future__ import annotations

from math import pi

import numpy as np
from xdsl.dialects.builtin import f32, i64

from ....dialects.graph import ArgReduceOp, GatherOp
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node
from ..values import StringTensor
from .norm import softmax

DOMAIN = "ai.onnx.ml"
POST_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
WINITZKI = 0.147
"""The constant of Winitzki's approximation of the inverse error function."""


def class_labels(node: Node) -> np.ndarray:
    """Return the labels of a classifier's classes: integers, or strings as objects.

    Errors: ModelError if the node has no labels.
    """
    for name in ("classlabels_int64s", "classlabels_ints"):
        if node.has(name):
            return np.asarray(node.ints(name), np.int64)
    if node.has("classlabels_strings"):
        return np.asarray(node.texts("classlabels_strings"), object)
    raise ModelError(f"{node.op_type} lacks labels of its classes")


def post_transformed(name: str, scores: Tensor, b: Builder) -> Tensor:
    """Apply a function to the scores in the last axis.

    name: the value of the node's attribute post_transform.
    Errors: ModelError for an unknown function.
    """
    match name:
        case "NONE":
            return scores
        case "LOGISTIC":
            return b.apply("sigmoid", scores)
        case "SOFTMAX":
            return softmax(b, scores, scores.rank - 1)
        case "SOFTMAX_ZERO":
            # A score of 0 stays 0, and is left out of the softmax's sum.
            is_zero = b.apply("eq", scores, 0.0)
            made = softmax(b, b.select(is_zero, float("-inf"), scores), scores.rank - 1)
            return b.select(is_zero, 0.0, made)
        case "PROBIT":
            return probit(scores, b)
        case _:
            raise ModelError("the post_transform is unknown", expected=POST_TRANSFORMS, got=name)


def probit(x: Tensor, b: Builder) -> Tensor:
    """Approximate the quantiles of the normal distribution at the probabilities ``x``.

    Error: 2e-3 of the inverse error function, relative; onnxruntime has the same approximation.
    Source: S. Winitzki, A handy approximation for the error function and its inverse, 2008.
    """
    y = b.apply("sub", b.apply("mul", x, 2.0), 1.0)
    log = b.apply("log", b.apply("mul", b.apply("sub", 1.0, y), b.apply("add", y, 1.0)))
    half = b.apply("add", b.apply("mul", log, 0.5), 2 / (pi * WINITZKI))
    square = b.apply("div", log, -WINITZKI)
    root = b.apply("sqrt", b.apply("add", b.apply("mul", half, half), square))
    # The root minus half, without cancellation.
    size = b.apply("sqrt", b.apply("div", b.apply("mul", square, 2.0), b.apply("add", root, half)))
    return b.select(b.apply("lt", y, 0.0), b.apply("neg", size), size)


def classified(
    labels: np.ndarray,
    scores: Tensor,
    transform: str,
    b: Builder,
    *,
    is_probability: bool = False,
    is_alone: bool = False,
) -> tuple[Tensor | StringTensor, Tensor]:
    """Return the label with the largest score of each row, and the scores of all labels, in f32.

    scores: (rows, labels).  If there are two labels and a single column of scores, the column
    contains the scores of the second label; the score of the first label is then ``1 - score`` if
    ``is_probability``, 0 if ``is_alone``, and otherwise ``-score``.
    transform: the value of the attribute post_transform, the function to apply to the scores.
    is_probability: whether scores are probabilities.  is_alone: whether the model has weights for
    the second of the two labels only.
    Source: onnxruntime, tree_ensemble_aggregator.h.
    """
    if scores.dims[1].value == 1 and len(labels) == 2:
        if transform == "PROBIT":
            raise UnsupportedOp("PROBIT defines no score of the first of two labels")
        limit = 0.5 if is_probability else 0.0
        position = b.cast(b.apply("lt", b.scalar(limit, scores.dtype), scores), i64)
        position = b.reshape(position, (scores.dims[0],))
        opposite = b.apply("neg", scores)
        if is_alone:
            opposite = b.broadcast_to(b.scalar(0.0, scores.dtype), scores.dims)
            scores = b.concat([opposite, scores], 1)
            return label_at(labels, position, b), b.cast(
                post_transformed(transform, scores, b), f32
            )
        if is_probability and transform != "LOGISTIC":
            opposite = b.apply("add", opposite, 1.0)
        scores = b.concat([opposite, scores], 1)
        if transform == "LOGISTIC":
            scores = post_transformed(transform, scores, b)
    else:
        position = b.emit(ArgReduceOp(b.ssa(scores), kind="max", axis=1, keep=False))
        scores = post_transformed(transform, scores, b)
    return label_at(labels, position, b), b.cast(scores, f32)


def label_at(labels: np.ndarray, position: Tensor, b: Builder) -> Tensor | StringTensor:
    """Return a tensor of the labels at computed positions.

    If the labels are consecutive integers, a label is the position plus the first label, so no
    table is read.
    """
    position, is_text = b.cast(position, i64), labels.dtype == np.object_
    if not is_text and np.array_equal(labels, labels[0] + np.arange(len(labels))):
        return b.apply("add", position, int(labels[0])) if labels[0] else position
    return elements_at(labels, position, b)


def elements_at(values: np.ndarray, position: Tensor, b: Builder) -> Tensor | StringTensor:
    """Return the elements of ``values``, which may be strings, at computed positions."""
    if values.dtype == np.object_:
        table = StringTensor.of_array(values).data
        return StringTensor(b.emit(GatherOp(b.ssa(table), b.ssa(position), 0)))
    return b.emit(GatherOp(b.ssa(Tensor.of_array(values)), b.ssa(position), 0))
