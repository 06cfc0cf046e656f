"""Convert TfIdfVectorizer: count n-grams of integers or strings, and weight the counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from xdsl.dialects.builtin import f32

from ....dialects.dtypes import numpy_dtype
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor
from ..converters.matmul import product
from ..node import Node, OpConverter, static
from ..text.strings import first_of, is_one_of

MODES = ("TF", "IDF", "TFIDF")


def tfidf_vectorizer(node: Node, b: Builder) -> Tensor:
    """Count the n-grams of integers in each row, and weight the counts.

    Attributes give the n-grams, their lengths, and how many items may be skipped between the items
    of an n-gram.
    Source: ONNX TfIdfVectorizer-9.
    """
    if node.has("pool_strings"):
        raise ModelError("the n-grams of integers are strings", got=node.texts("pool_strings"))
    pool = np.asarray(node.ints("pool_int64s"), np.int64)
    return _vectorized(node, node[0], pool, b)


def string_vectorizer(node: Node, b: Builder) -> Tensor:
    """Count the n-grams of strings in each row, and weight the counts.

    Each string is replaced by its position in the list of known strings.
    """
    known, pool = np.unique(np.asarray(node.texts("pool_strings"), object), return_inverse=True)
    x = first_of(is_one_of(node.text_at(0), known, b), b)
    return _vectorized(node, x, pool, b)


def _vectorized(node: Node, x: Tensor, pool: np.ndarray, b: Builder) -> Tensor:
    mode = node.text("mode")
    if mode not in MODES:
        raise ModelError("the mode is unknown", expected=", ".join(MODES), got=mode)
    if x.rank not in (1, 2):
        raise ModelError("input 0 has a wrong rank", expected="1 or 2", got=x.rank)
    rows = x if x.rank == 2 else b.reshape(x, (1, x.dims[0]))
    columns = np.asarray(node.ints("ngram_indexes"))
    weights = np.ones(len(columns))
    if mode != "TF" and node.has("weights"):
        weights = np.asarray(node.floats("weights"))
    if len(weights) != len(columns):
        raise ModelError("'weights' has a wrong length", expected=len(columns), got=len(weights))
    width = int(columns.max(initial=-1)) + 1
    total = b.broadcast_to(b.scalar(0.0, f32), (rows.dims[0], Dim.const(width)))
    lengths = range(node.integer("min_gram_length"), node.integer("max_gram_length") + 1)
    first = 0
    for length, grams in enumerate(_grams(node, pool), 1):
        numbers = first + np.arange(len(grams))
        first += len(grams)
        if len(numbers) and numbers[-1] >= len(columns):
            raise ModelError("'ngram_indexes' is too short", expected=numbers[-1] + 1)
        if length not in lengths or not len(grams):
            continue
        counts = _counts(rows, grams, node.integer("max_skip_count"), b)
        if counts is None:
            continue
        if mode == "IDF":
            counts = b.apply("min", counts, 1.0)
        placed = np.zeros((len(grams), width), np.float32)
        placed[np.arange(len(grams)), columns[numbers]] = weights[numbers]
        total = b.apply("add", total, product(b, counts, Tensor.of_array(placed)))
    return total if x.rank == 2 else b.reshape(total, (width,))


def _grams(node: Node, pool: np.ndarray) -> list[np.ndarray]:
    """Return the n-grams of length 1, of length 2, and so on, each as an array (n-grams, length).

    pool: the items of all n-grams, one n-gram after the other.
    """
    bounds = [*node.ints("ngram_counts"), len(pool)]
    grams: list[np.ndarray] = []
    for n, (start, end) in enumerate(pairwise(bounds), 1):
        if not 0 <= start <= end <= len(pool) or (end - start) % n:
            raise ModelError("'ngram_counts' does not split the pool into n-grams", got=bounds[:-1])
        grams.append(pool[start:end].reshape(-1, n))
    return grams


def _counts(x: Tensor, grams: np.ndarray, most_skipped: int, b: Builder) -> Tensor | None:
    """Return how often each n-gram occurs in each row, as f32; None if the rows are too short.

    x: the items, as (rows, items). grams: the n-grams to count, which have the same length.
    most_skipped: the largest number of items that may be skipped between adjacent items of an
    n-gram.
    """
    size, length = static(x.dims[1], "the number of items of a row"), grams.shape[1]
    wide = b.reshape(x, (x.dims[0], 1, size))
    total = None
    for skipped in range(most_skipped + 1 if length > 1 else 1):
        windows = size - (length - 1) * (skipped + 1)
        if windows <= 0:
            break
        found = None
        for n, items in enumerate(grams.T):
            item = Tensor.of_array(items[:, None].astype(numpy_dtype(x.dtype)))
            part = b.slice(wide, 2, n * (skipped + 1), windows)
            is_item = b.apply("eq", part, item)
            found = is_item if found is None else b.apply("and", found, is_item)
        assert found is not None, "an n-gram has an item"
        count = b.reduce(b.cast(found, f32), "sum", (2,), keep=False)
        total = count if total is None else b.apply("add", total, count)
    return total


CONVERTERS = (
    OpConverter("TfIdfVectorizer", tfidf_vectorizer, since=9),
    OpConverter("TfIdfVectorizer", string_vectorizer, since=9, texts=True),
)
