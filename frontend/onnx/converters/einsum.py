"""Convert Einsum: contract pairs of terms by one matrix product or elementwise product each.

    "bhid,bhjd->bhij"   pairs: sum over d, batch (b, h), rows i, columns j

A term is a tensor with a list of labels, one per axis: letters, and for the axes of an ellipsis
numbers that count from its end, so that shorter ellipses align as in broadcasting. Before
a product, a term has distinct labels: diagonals are taken first, axes of size 1 that another term
broadcasts are dropped, and labels that occur neither in another term nor in the result are summed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TypeAlias

from ....dialects.graph import MatmulOp
from ....dialects.shape import Dim, element_count
from ....support.diagnostics import ModelError, UnequalSizes
from ..builder import Builder, Tensor
from ..node import Node, OpConverter
from .index import elements

Label: TypeAlias = str
ONE = Dim.const(1)
# The assumed value of an unknown size when choosing a pair.
TYPICAL_SIZE = 64


@dataclass(frozen=True)
class Term:
    """A tensor of an Einsum, with a label for each of its axes.

    labels: for each axis, the letter of the equation; for an axis of an ellipsis, a number that
    counts from the end of the ellipsis.
    """

    x: Tensor
    labels: tuple[Label, ...]

    def size(self, label: Label) -> Dim:
        """Return the size of the axis that has a label."""
        return self.x.dims[self.labels.index(label)]


def einsum(node: Node, b: Builder) -> Tensor:
    """Multiply all inputs by the node's equation, and sum over labels that the result lacks."""
    terms, result = parsed(node.text("equation"), node.present())
    terms = [_diagonal(b, term) for term in terms]
    terms = [_without_stretched(b, term, terms) for term in terms]
    while len(terms) > 1:
        first, second = _cheapest(terms)
        rest = [term for n, term in enumerate(terms) if n not in (first, second)]
        kept = {*result, *(label for term in rest for label in term.labels)}
        terms = [*rest, _product(b, terms[first], terms[second], kept)]
    return _arranged(b, _summed(b, terms[0], result), result)


def parsed(equation: str, inputs: Sequence[Tensor]) -> tuple[list[Term], tuple[Label, ...]]:
    """Parse an equation into terms and the labels of the result.

    Errors: ModelError if the equation is malformed or does not fit the inputs.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    texts = left.split(",")
    if len(texts) != len(inputs):
        raise ModelError(
            "the number of terms in the equation is not the number of inputs",
            expected=len(inputs),
            got=equation,
        )
    terms = [Term(x, _labels(text, x.rank)) for text, x in zip(texts, inputs, strict=True)]
    ellipsis = max((_ellipsis(term.labels) for term in terms), key=len)
    if arrow:
        result = _expanded(right, ellipsis)
    else:
        found = [label for term in terms for label in term.labels]
        once = sorted(x for x in set(found) if found.count(x) == 1 and x.isalpha())
        result = (*ellipsis, *once)
    known = {label for term in terms for label in term.labels}
    if len(set(result)) != len(result) or not known.issuperset(result):
        raise ModelError("result of the equation repeats or invents a label", got=equation)
    return terms, result


def _labels(text: str, rank: int) -> tuple[Label, ...]:
    letters = len(text.replace("...", ""))
    count = rank - letters if "..." in text else 0
    labels = _expanded(text, tuple(str(n) for n in reversed(range(max(count, 0)))))
    if len(labels) != rank:
        raise ModelError("the rank of a term is not the rank of its input", expected=rank, got=text)
    return labels


def _expanded(text: str, ellipsis: tuple[Label, ...]) -> tuple[Label, ...]:
    before, dots, after = text.partition("...")
    if not (before + after).isalpha() and before + after:
        raise ModelError("a term of the equation has characters other than letters", got=text)
    return (*before, *(ellipsis if dots else ()), *after)


def _ellipsis(labels: Sequence[Label]) -> tuple[Label, ...]:
    return tuple(label for label in labels if label.isdigit())


def _diagonal(b: Builder, term: Term) -> Term:
    x, labels = term.x, list(term.labels)
    for label in dict.fromkeys(term.labels):
        while labels.count(label) > 1:
            first, last = labels.index(label), len(labels) - 1 - labels[::-1].index(label)
            if x.dims[first] != x.dims[last]:
                raise UnequalSizes(
                    f"label {label!r} repeats with another size",
                    expected=x.dims[first],
                    got=x.dims[last],
                    sizes=[(x.dims[first], x.dims[last])],
                )
            dims = (*x.dims[:last], ONE, *x.dims[last + 1 :])
            x = elements(b, x, b.iota(dims, first), last)
            x = b.reshape(x, (*dims[:last], *dims[last + 1 :]))
            del labels[last]
    return Term(x, tuple(labels))


def _without_stretched(b: Builder, term: Term, terms: Sequence[Term]) -> Term:
    """Drop each axis of size 1 whose label has another size in another term.

    Broadcasting of the product restores this axis.
    Errors: UnequalSizes if two sizes of a label differ, and neither is 1.
    """
    drop: set[Label] = set()
    for label in term.labels:
        sizes = [other.size(label) for other in terms if label in other.labels]
        stretched = next((size for size in sizes if size != ONE), ONE)
        if term.size(label) == ONE != stretched:
            drop.add(label)
        elif term.size(label) != stretched:
            raise UnequalSizes(
                f"sizes of label {label!r} differ",
                expected=stretched,
                got=term.size(label),
                sizes=[(term.size(label), stretched)],
                broadcasts=True,
            )
    kept = tuple(label for label in term.labels if label not in drop)
    return Term(b.reshape(term.x, [term.size(label) for label in kept]), kept)


def _cheapest(terms: Sequence[Term]) -> tuple[int, int]:
    def cost(pair: tuple[int, int]) -> int:
        x, y = (terms[n] for n in pair)
        sizes = {label: term.size(label) for term in (x, y) for label in term.labels}
        return prod(TYPICAL_SIZE if s.value is None else s.value for s in sizes.values())

    return min(combinations(range(len(terms)), 2), key=cost)


def _summed(b: Builder, term: Term, kept: Collection[Label]) -> Term:
    axes = [n for n, label in enumerate(term.labels) if label not in kept]
    labels = tuple(label for label in term.labels if label in kept)
    return Term(b.reduce(term.x, "sum", axes, keep=False), labels)


def _arranged(b: Builder, term: Term, labels: Sequence[Label]) -> Tensor:
    return b.transpose(term.x, [term.labels.index(label) for label in labels])


def _product(b: Builder, x: Term, y: Term, kept: Collection[Label]) -> Term:
    """Multiply two terms, and sum over those of their labels that are not in ``kept``."""
    x, y = _summed(b, x, {*kept, *y.labels}), _summed(b, y, {*kept, *x.labels})
    shared = [label for label in x.labels if label in y.labels]
    batch = [label for label in shared if label in kept]
    inner = [label for label in shared if label not in kept]
    rows = [label for label in x.labels if label not in shared]
    columns = [label for label in y.labels if label not in shared]
    labels = (*batch, *rows, *columns)
    if not inner:
        return Term(_outer(b, x, y, labels), labels)
    lhs, transpose_lhs = _matrix(b, x, batch, rows, inner)
    rhs, transpose_rhs = _matrix(b, y, batch, columns, inner)
    # The rhs matrix is stored as (columns, inner).
    op = MatmulOp(
        b.ssa(lhs),
        b.ssa(rhs),
        transpose_lhs=transpose_lhs,
        transpose_rhs=not transpose_rhs,
    )
    sizes = [(x if label in x.labels else y).size(label) for label in labels]
    return Term(b.reshape(b.cast(b.emit(op), x.x.dtype), sizes), labels)


def _outer(b: Builder, x: Term, y: Term, labels: Sequence[Label]) -> Tensor:
    aligned: list[Tensor] = []
    for term in (x, y):
        own = [label for label in labels if label in term.labels]
        dims = [term.size(label) if label in own else ONE for label in labels]
        aligned.append(b.reshape(_arranged(b, term, own), dims))
    return b.apply("mul", *aligned)


def _matrix(
    b: Builder, term: Term, batch: Sequence[Label], outer: Sequence[Label], inner: Sequence[Label]
) -> tuple[Tensor, bool]:
    """Return a term as matrices (*batch, outer, inner), and whether they are stored transposed.

    batch, outer, inner: the labels of the axes of each group.
    A term that is stored as (*batch, inner, outer) is returned in that order, and the second result
    is true. Batch axes are not merged, so that kernels read the term in place with simple indices.
    """
    order = (*batch, *outer, *inner)
    swapped = (*batch, *inner, *outer) == term.labels and bool(outer)
    x = term.x if swapped else _arranged(b, term, order)
    sizes = [
        element_count([term.size(label) for label in labels])
        for labels in (inner if swapped else outer, outer if swapped else inner)
    ]
    return b.reshape(x, [*(term.size(label) for label in batch), *sizes]), swapped


CONVERTERS = (OpConverter("Einsum", einsum, since=12),)
