"""Convert operators of the domain ai.onnx.ml on tables of features, and linear models.

Scaler, Normalizer, Binarizer, Imputer, FeatureVectorizer, ArrayFeatureExtractor, LabelEncoder,
OneHotEncoder, LinearRegressor, LinearClassifier and ZipMap, on numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32

from ....dialects.dtypes import element_type, is_float, numpy_dtype
from ....dialects.graph import GatherOp
from ....dialects.shape import element_count
from ....support.diagnostics import ModelError, UnsupportedOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter, static
from ..values import StringTensor
from .classes import DOMAIN, class_labels, classified, elements_at, post_transformed
from .index import check_indices
from .matmul import product

MAX_KEYS = 1024
"""The largest number of keys or categories; each element is compared with all of them."""


def rows_of(x: Tensor, b: Builder) -> Tensor:
    """Convert to floats of shape (rows, features)."""
    x = b.widen(x)
    x = b.reshape(x, (1, *x.dims)) if x.rank == 1 else x
    if x.rank != 2:
        raise ModelError("input 0 has a wrong rank", expected=2, got=x.rank, hint="reshape it")
    return x


def _constant(values: object, x: Tensor) -> Tensor:
    return Tensor.of_array(np.asarray(values, numpy_dtype(x.dtype)))


def scaler(node: Node, b: Builder) -> Tensor:
    """Compute ``(x - offset) * scale`` with one pair of numbers per feature, or one for all."""
    x = b.widen(node[0])
    for name, operator in (("offset", "sub"), ("scale", "mul")):
        values = node.floats(name, ())
        if values:
            x = b.apply(operator, x, _constant(values, x))
    return b.cast(x, f32)


def normalizer(node: Node, b: Builder) -> Tensor:
    """Divide each row by its norm; a row whose norm is 0 is unchanged."""
    x, norm = b.widen(node[0]), node.text("norm", "MAX")
    last = (x.rank - 1,)
    match norm:
        case "MAX":
            # As in onnxruntime, divide by the largest element, not by the largest magnitude.
            size = b.reduce(x, "max", last)
        case "L1":
            size = b.reduce(b.apply("abs", x), "sum", last)
        case "L2":
            size = b.apply("sqrt", b.reduce(b.apply("mul", x, x), "sum", last))
        case _:
            raise ModelError("the norm is unknown", expected="MAX, L1 or L2", got=norm)
    size = b.select(b.apply("eq", size, 0.0), 1.0, size)
    return b.cast(b.apply("div", x, size), f32)


def binarizer(node: Node, b: Builder) -> Tensor:
    """Return 1 where an element exceeds the threshold, else 0."""
    x = node[0]
    limit = b.scalar(node.number("threshold", 0.0), x.dtype)
    return b.cast(b.apply("lt", limit, x), x.dtype)


def imputer(node: Node, b: Builder) -> Tensor:
    """Replace missing elements, which a special number or NaN marks, by given values."""
    x = node[0]
    if is_float(x.dtype):
        values, mark = node.floats("imputed_value_floats"), node.number("replaced_value_float", 0.0)
    else:
        values, mark = node.ints("imputed_value_int64s"), node.integer("replaced_value_int64", 0)
    is_missing = b.apply("is_nan", x) if np.isnan(mark) else b.apply("eq", x, mark)
    return b.select(is_missing, _constant(values, x), x)


def feature_vectorizer(node: Node, b: Builder) -> Tensor:
    """Concatenate the features of all inputs, as f32."""
    parts = [b.cast(rows_of(x, b), f32) for x in node.present()]
    return b.concat(parts, 1)


def array_feature_extractor(node: Node, b: Builder) -> Tensor:
    """Gather elements along the last axis."""
    x, count = node[0], static(element_count(node[1].dims), "the number of indices")
    indices = b.reshape(node[1], (count,))
    if x.rank == 1:
        x = b.reshape(x, (1, *x.dims))
    check_indices(node, b, indices, x.dims[-1:], wraps=False)
    return b.emit(GatherOp(b.ssa(x), b.ssa(indices), x.rank - 1))


def label_encoder(node: Node, b: Builder) -> Tensor | StringTensor:
    """Replace each number by the value of its key, or by a default."""
    x = node[0]
    keys, values = keys_and_values(node)
    if keys.dtype == np.object_:
        raise ModelError("the keys of numbers are strings", got=keys[0])
    keys = keys.astype(numpy_dtype(x.dtype))
    # Strings are found by their number.
    is_text = values.dtype == np.object_
    numbers = np.arange(len(keys)) if is_text else values
    default = len(keys) if is_text else default_of(node, values)
    found = b.broadcast_to(b.scalar(default, element_type(numbers.dtype)), x.dims)
    # Of equal keys, the first counts.
    for key, value in reversed(list(zip(keys, numbers, strict=True))):
        is_key = b.apply("is_nan", x) if key != key else b.apply("eq", x, key.item())
        found = b.select(is_key, b.scalar(value.item(), found.dtype), found)
    return elements_at(np.append(values, default_of(node, values)), found, b) if is_text else found


def default_of(node: Node, values: np.ndarray) -> Any:
    """Return the LabelEncoder's result for an element that is not among its keys.

    values: the results for the keys.  Their element type decides which attribute of the node
    contains the default.
    """
    if node.has("default_tensor"):
        return node.array("default_tensor").reshape(-1)[0]
    match values.dtype.kind:
        case "f":
            return node.number("default_float", -0.0)
        case "O":
            return node.text("default_string", "_Unused")
        case _:
            return node.integer("default_int64", -1)


def keys_and_values(node: Node) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys and the values of a LabelEncoder; strings are Python objects.

    Errors: ModelError if they differ in number; UnsupportedOp if there are too many.
    """
    keys, values = _mapping(node, "keys"), _mapping(node, "values")
    if len(keys) != len(values) or not len(keys):
        raise ModelError("keys and values differ in number", expected=len(keys), got=len(values))
    if len(keys) > MAX_KEYS:
        raise UnsupportedOp(f"more than {MAX_KEYS} keys are not supported", got=len(keys))
    return keys, values


def _mapping(node: Node, name: str) -> np.ndarray:
    if node.has(f"{name}_tensor"):
        return node.array(f"{name}_tensor").reshape(-1)
    if node.has(f"{name}_int64s"):
        return np.asarray(node.ints(f"{name}_int64s"), np.int64)
    if node.has(f"{name}_floats"):
        return np.asarray(node.floats(f"{name}_floats"), np.float32)
    return np.asarray(node.texts(f"{name}_strings"), object)


def one_hot_encoder(node: Node, b: Builder) -> Tensor:
    """Append an axis in which an element is 1 at the position of its category, and else 0.

    Errors: UnsupportedOp for a node that requires each element to be a known category.
    """
    x, categories = node[0], node.ints("cats_int64s")
    if not node.integer("zeros", 1):
        raise UnsupportedOp("zeros = 0 is not supported: an unknown category ends the call")
    table = np.asarray(categories).astype(numpy_dtype(x.dtype))
    wide = b.reshape(x, (*x.dims, 1))
    return b.cast(b.apply("eq", wide, Tensor.of_array(table)), f32)


def _linear(node: Node, x: Tensor, count: int, b: Builder) -> Tensor:
    """Compute ``x @ coefficients.T + intercepts`` by the node's attributes.

    count: the number of targets.
    """
    values = np.asarray(node.floats("coefficients"))
    if not count or values.size % count:
        raise ModelError(
            "the number of coefficients is no multiple of the number of targets",
            expected=count,
            got=values.size,
        )
    weights = values.reshape(count, -1).T
    made = product(b, x, _constant(np.ascontiguousarray(weights), x))
    intercepts = node.floats("intercepts", ())
    return b.apply("add", made, _constant(intercepts, x)) if intercepts else made


def linear_regressor(node: Node, b: Builder) -> Tensor:
    """Compute a linear model."""
    made = _linear(node, b.cast(rows_of(node[0], b), f32), node.integer("targets", 1), b)
    return post_transformed(node.text("post_transform", "NONE"), made, b)


def linear_classifier(node: Node, b: Builder) -> tuple[Tensor | StringTensor, Tensor]:
    """Compute the labels and scores of a linear model."""
    labels = class_labels(node)
    count = len(node.floats("intercepts", ())) or len(labels)
    scores = _linear(node, b.cast(rows_of(node[0], b), f32), count, b)
    return classified(labels, scores, node.text("post_transform", "NONE"), b)


def zip_map(node: Node, b: Builder) -> Tensor:
    """Return the scores as columns in the order of the labels, instead of one map per row."""
    return node[0]


CONVERTERS = tuple(
    OpConverter(op_type, convert, since=1, domain=DOMAIN)
    for op_type, convert in (
        ("ArrayFeatureExtractor", array_feature_extractor),
        ("Binarizer", binarizer),
        ("FeatureVectorizer", feature_vectorizer),
        ("Imputer", imputer),
        ("LabelEncoder", label_encoder),
        ("LinearClassifier", linear_classifier),
        ("LinearRegressor", linear_regressor),
        ("Normalizer", normalizer),
        ("OneHotEncoder", one_hot_encoder),
        ("Scaler", scaler),
        ("ZipMap", zip_map),
    )
)
