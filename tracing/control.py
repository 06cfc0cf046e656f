"""Control flow of traced functions on data: cond, scan and while_loop.

The Python functions that they take are traced into regions of graph.if, graph.scan and graph.loop.
A region reads arrays of the functions around it, so no array has to be passed to it.  A number
among the carried values, or among the results of a branch, takes the dtype of the array that it is
combined with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Attribute, Region, SSAValue

from ..dialects.dtypes import is_float
from ..dialects.graph import IfOp, LoopOp, ScanOp
from ..dialects.graph.control import ITERATION, element_of_stack
from ..dialects.shape import Dim
from ..support.diagnostics import TypeMismatch
from .array import Array, Size, as_array, as_weak
from .trace import Trace, current_trace, traced_by, user_line
from .tree import Structure, flatten

Python = Callable[..., Any]
"""A Python function of trees of arrays."""


class Branch:
    """A Python function that is traced into a region of an op, such as a branch of graph.if.

    The constructor runs the function, which appends its ops to the block of the region. The block
    has no terminator until `ended` is called, so that the caller can first compare the results of
    several branches.
    types: the types of the region's arguments.
    python: the function.
    arguments: takes the arguments of the region, and returns the arguments with which to call
    ``python``.
    leaves: the arrays among the results of ``python``, as a flat list.
    structure: the dicts, lists and tuples in which ``python`` returned these arrays.
    """

    def __init__(
        self,
        types: Sequence[Attribute],
        python: Python,
        arguments: Callable[[Sequence[SSAValue]], Sequence[Any]],
    ) -> None:
        self.trace = Trace(types, current_trace(), is_region=True)
        with self.trace.running():
            result = python(*arguments(list(self.trace.block.args)))
            leaves, self.structure = flatten(result)
            self.leaves = [as_array(leaf) for leaf in leaves]

    def ended(self, like: Sequence[Array], first: int = 0) -> Region:
        """Append the terminator, which yields the results, and return the finished region.

        A result that is a Python number is first converted to the dtype of the array that
        corresponds to it.
        like: the arrays to which results correspond.
        first: the number of the result that corresponds to the first array of ``like``.
        """
        with self.trace.running():
            pairs = zip(self.leaves[first:], like, strict=False)
            made = [number_like(leaf, other) for leaf, other in pairs]
            leaves = [*self.leaves[:first], *made, *self.leaves[first + len(made) :]]
            return self.trace.region([self.trace.local(leaf.value) for leaf in leaves])


def number_like(leaf: Array, other: Array) -> Array:
    """Convert an array that follows from Python numbers only to the dtype of ``other``.

    An array that does not follow from Python numbers is returned unchanged. So is every array if
    ``other`` follows from Python integers.
    """
    to = other.element_type
    if not leaf.is_weak or leaf.element_type == to or (other.is_weak and not is_float(to)):
        return leaf
    return Array(as_weak(leaf, to).value, is_weak=other.is_weak)


def cond(condition: Any, then: Python, otherwise: Python, *operands: Any) -> Any:
    """Return the results of one of two functions, of which only the chosen one runs.

    condition: a bool, as an array of one element.  then, otherwise: functions of the operands whose
    results have the same tree, shapes and dtypes.

    Errors: TypeMismatch for results of other trees or types.

    >>> absolute = tilewright.function(
    ...     lambda x: tilewright.cond(x < 0, lambda: -x, lambda: x), target="interpreter")
    >>> float(absolute(np.float32(-2)))
    2.0
    """
    trace = traced_by("a condition")
    taken = as_array(condition)
    one, other = (Branch([], branch, lambda _: operands) for branch in (then, otherwise))
    _check_structures("the branches return different trees", one.structure, other.structure)
    ends = [one.ended(other.leaves), other.ended(one.leaves)]
    results = trace.append(IfOp, trace.local(taken.value), *ends)
    return one.structure.build(map(Array, results))


def scan(
    step: Python,
    init: Any,
    xs: Any = None,
    *,
    length: Size | None = None,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Run ``carry, y = step(carry, x)`` for each ``x`` along the first axis of the arrays in xs.

    init: the first carry, a tree of arrays.  xs: a tree of arrays with the same first size.
    length: the number of steps; required without xs.  reverse: run from the last x to the first.
    Return the last carry, and the tree of the y of all steps, stacked along a new first axis.

    Errors: TypeMismatch for a carry whose tree, shape or dtype changes.

    >>> def running_sums(x):
    ...     return tilewright.scan(lambda total, x: (total + x, total + x), 0.0, x)[1]
    >>> tilewright.function(running_sums, target="interpreter")(np.arange(4.0)).numpy().tolist()
    [0.0, 1.0, 3.0, 6.0]
    """
    trace = traced_by("a scan")
    first, structure = flatten(init)
    read, form = flatten(xs)
    over = [as_array(leaf) for leaf in read]
    steps = _length(over, length)

    def elements(values: Sequence[SSAValue]) -> Any:
        return form.build(map(Array, values)) if over else None

    def body(carried: Sequence[Array]) -> Branch:
        types = [*(a.type for a in carried), *(element_of_stack(x.type) for x in over)]
        return Branch(
            types,
            step,
            lambda values: [
                structure.build(_like(values, carried)),
                elements(values[len(carried) :]),
            ],
        )

    carried, branch = _carried(first, body, 0)
    pair = branch.structure
    if pair.kind is not tuple or len(pair.parts) != 2:
        raise TypeMismatch(
            "a step returns a pair: the next carry, and the values to stack",
            got=", ".join(pair.paths("result")) or "nothing",
            hint="return carry, None if nothing is stacked",
        ).named(user_line())
    _check_structures("the carry of a scan changes its tree", structure, pair.parts[0])
    region = branch.ended(carried)
    results = trace.append(
        ScanOp,
        Dim.of(steps),
        [trace.local(a.value) for a in carried],
        [trace.local(x.value) for x in over],
        region,
        reverse=reverse,
    )
    made = iter(map(Array, results))
    return structure.build(made), pair.parts[1].build(made)


def while_loop(condition: Python, step: Python, init: Any, *, most: int | None = None) -> Any:
    """Run ``carry = step(carry)`` while ``condition(carry)`` holds; return the last carry.

    init: the first carry, a tree of arrays.  most: the largest number of steps, after which the
    loop ends in any case.  Only a loop with this limit has a gradient; the gradient needs memory
    for this number of carries.
    Errors: TypeMismatch for a carry whose tree, shape or dtype changes.

    >>> def digits(n):
    ...     below = lambda pair: pair[0] > 0
    ...     return tilewright.while_loop(below, lambda pair: (pair[0] / 10, pair[1] + 1), (n, 0))[1]
    >>> int(tilewright.function(digits, target="interpreter")(np.int64(1234)))
    4
    """
    trace = traced_by("a loop")
    given, structure = flatten(init)

    def both(carry: Any) -> Any:
        following = step(carry)
        return _condition(condition, following), following

    def body(carried: Sequence[Array]) -> Branch:
        return Branch(
            [ITERATION, *(a.type for a in carried)],
            both,
            lambda values: [structure.build(_like(values[1:], carried))],
        )

    carried, branch = _carried(given, body, 1)
    _check_structures("the carry of a loop changes its tree", structure, branch.structure.parts[1])
    first = _condition(condition, structure.build(carried))
    region = branch.ended(carried, 1)
    limit = None if most is None else trace.constant(np.asarray(most, np.int64))
    inits = [trace.local(a.value) for a in carried]
    results = trace.append(LoopOp, limit, trace.local(first.value), inits, region)
    return structure.build(map(Array, results))


def _condition(condition: Python, carry: Any) -> Array:
    made = as_array(condition(carry))
    return made.reshape(()) if made.dims else made


def _like(values: Sequence[SSAValue], carried: Sequence[Array]) -> list[Array]:
    """Return values of a region as arrays, each as weak as the carried value at its position.

    A weak array follows from Python numbers only, so other operands decide its dtype.
    """
    return [Array(v, is_weak=a.is_weak) for v, a in zip(values, carried, strict=False)]


def _carried(
    init: Sequence[Any], body: Callable[[Sequence[Array]], Branch], first: int
) -> tuple[list[Array], Branch]:
    """Trace the body of a scan or loop; return the first carried values, and the traced body.

    If a first value is a Python number, it takes the dtype that the body gives to its next value,
    and the body is traced again.
    init: the first carried values.
    body: takes the carried values, and traces the body for them.
    first: the number of the first result of the body that is a carried value.
    """
    given = [as_array(leaf) for leaf in init]
    branch = body(given)
    joined = [number_like(*pair) for pair in zip(given, branch.leaves[first:], strict=False)]
    joined += given[len(joined) :]
    if all(a is b for a, b in zip(joined, given, strict=True)):
        return given, branch
    branch.trace.block.drop_all_references()
    return joined, body(joined)


def _length(over: Sequence[Array], length: Size | None) -> Size:
    """Return the number of steps of a scan.

    over: the arrays along whose first axes the scan runs.
    length: the number of steps that the user gives, or None.
    Errors: TypeMismatch for arrays without a first axis, and if no size is known.
    """
    if any(not x.dims for x in over):
        raise TypeMismatch(
            "a scan reads its arrays along their first axis",
            expected="arrays with at least one dimension",
            got=", ".join(map(repr, over)),
        ).named(user_line())
    if length is None and not over:
        raise TypeMismatch(
            "a scan without arrays needs the number of its steps", hint="pass length="
        ).named(user_line())
    return over[0].dims[0] if length is None else length


def _check_structures(rule: str, expected: Structure, got: Structure) -> None:
    if expected != got:
        raise TypeMismatch(
            rule,
            expected=", ".join(expected.paths("tree")) or "nothing",
            got=", ".join(got.paths("tree")) or "nothing",
        ).named(user_line())
