"""Rewriting: a worklist driver indexed by op type, and replacement that preserves locations.

A pattern is a ``RewritePattern`` whose ``match_and_rewrite`` is decorated with ``rewrites``; a
pattern without this decorator is applied to every op. Inserted ops inherit the location of the
matched op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, SSAValues
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, SymbolOpInterface, is_side_effect_free

from .diagnostics import TilewrightError, TypeMismatch

PatternT = TypeVar("PatternT", bound=RewritePattern)
OpT = TypeVar("OpT", bound=Operation)

REWRITES_PER_OP = 64
"""The default limit of rewrites, per op of the program; terminating patterns need far fewer."""


def rewrites(
    *op_types: type[OpT],
) -> Callable[
    [Callable[[PatternT, OpT, PatternRewriter], None]],
    Callable[[PatternT, Operation, PatternRewriter], None],
]:
    """Return a decorator by which ``match_and_rewrite`` is called only for some types of ops.

    op_types: these types.
    """

    def decorate(
        method: Callable[[PatternT, OpT, PatternRewriter], None],
    ) -> Callable[[PatternT, Operation, PatternRewriter], None]:
        def match_and_rewrite(self: PatternT, op: Operation, rewriter: PatternRewriter) -> None:
            if isinstance(op, op_types):
                method(self, op, rewriter)

        match_and_rewrite.op_types = op_types  # pyright: ignore[reportFunctionMemberAccess]
        return match_and_rewrite

    return decorate


def replace_op(
    rewriter: PatternRewriter,
    op: Operation,
    new_ops: Operation | Sequence[Operation],
    new_results: Sequence[SSAValue | None] | None = None,
) -> None:
    """Replace an op by new ops, which inherit its location if they have none.

    new_results: the value that replaces each result; None: the results of the last new op.
    """
    ops = (new_ops,) if isinstance(new_ops, Operation) else new_ops
    for new_op in ops:
        inherit_location(new_op, op)
    rewriter.replace(op, ops, new_results)


def check_replacement(op: Operation, new_results: Sequence[SSAValue | None]) -> None:
    """Check that the results of an op are replaced by values of the same types.

    new_results: the value that replaces each result; None erases the result.
    Errors: TypeMismatch, which names the op.
    """
    for number, (result, new) in enumerate(zip(op.results, new_results, strict=True)):
        if new is not None and new.type != result.type:
            raise TypeMismatch(
                f"result {number} is replaced by a value of another type",
                expected=result.type,
                got=new.type,
            ).at(op)


def add_results(op: Operation, types: Sequence[Attribute]) -> Sequence[OpResult]:
    """Append results to an op with a variable number of results; return the new results."""
    first = len(op.results)
    made = [OpResult(type_, op, first + n) for n, type_ in enumerate(types)]
    op.results = SSAValues((*op.results, *made))
    return made


def drop_result(result: OpResult) -> None:
    """Remove a result without uses from an op with a variable number of results."""
    kept = [each for each in result.op.results if each is not result]
    result.op.results = SSAValues(kept)
    for number, each in enumerate(kept):
        each.index = number
    result.erase()


def swap_op(op: Operation, new: OpT) -> OpT:
    """Replace an op by a new op with the same number of results; return the new op.

    The new op gets the location, the attributes and the name hints of the old one.
    """
    new.location = op.location
    new.attributes.update(op.attributes)
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old_result, new_result in zip(op.results, new.results, strict=True):
        new_result.name_hint = old_result.name_hint
        old_result.replace_all_uses_with(new_result)
    Rewriter.erase_op(op)
    return new


def insert_before(op: Operation, *new: Operation) -> None:
    """Insert new ops before an op; they inherit its location if they have none."""
    for each in new:
        inherit_location(each, op)
    Rewriter.insert_op(new, InsertPoint.before(op))


def inherit_location(op: Operation, source: Operation) -> None:
    """Copy the location of ``source`` to an op and its nested ops, where they have no location."""
    for nested in op.walk():
        if nested.location == UNKNOWN_LOC:
            nested.location = source.location


class RewriteLimitError(TilewrightError):
    """The error for patterns that rewrite each other's results without end."""


class PatternDriver:
    """A worklist driver that applies patterns to a fixpoint, each to the ops that it rewrites.

    rewrites_per_op: the limit of rewrites, per op of the program.
    Errors: TypeMismatch for a pattern that changes the type of a result, RewriteLimitError beyond
    the limit of rewrites.
    Cost: about 1 us for an op to which no pattern applies, 40 us per rewrite.
    """

    def __init__(
        self, patterns: Iterable[RewritePattern], *, rewrites_per_op: int = REWRITES_PER_OP
    ) -> None:
        self._patterns = tuple(patterns)
        self._rewrites_per_op = rewrites_per_op
        self._by_type: dict[type[Operation], tuple[RewritePattern, ...]] = {}
        self._worklist: list[Operation] = []
        self._pending: set[Operation] = set()
        self._location_source: LocationAttr = UNKNOWN_LOC

    def run(self, root: Operation) -> bool:
        """Rewrite all ops nested in ``root``; return whether anything changed."""
        ops = [op for op in root.walk() if op is not root]
        for op in reversed(ops):
            self._push(op)
        rewriter = self._rewriter(root)
        budget = limit = self._rewrites_per_op * max(len(ops), 1)
        while self._worklist:
            op = self._worklist.pop()
            if op not in self._pending:
                continue
            self._pending.discard(op)
            if op.parent is None:
                continue
            pattern = self._rewrite_once(op, rewriter)
            if pattern is None:
                continue
            budget -= 1
            if budget < 0:
                raise RewriteLimitError(
                    "patterns do not come to an end",
                    expected=f"at most {limit} rewrites for {len(ops)} ops",
                    got=f"one more, by {type(pattern).__name__}",
                    hint="let each pattern reduce something that no other one increases",
                ).named(op.name)
        return budget != limit

    def _patterns_for(self, op_type: type[Operation]) -> tuple[RewritePattern, ...]:
        found = self._by_type.get(op_type)
        if found is None:
            found = tuple(p for p in self._patterns if issubclass(op_type, _op_types(p)))
            self._by_type[op_type] = found
        return found

    def _rewrite_once(self, op: Operation, rewriter: PatternRewriter) -> RewritePattern | None:
        """Apply the first pattern that matches an op, and return the pattern, or None."""
        self._location_source = op.location
        for pattern in self._patterns_for(type(op)):
            rewriter.has_done_action = False
            rewriter.insertion_point = InsertPoint.before(op)
            try:
                pattern.match_and_rewrite(op, rewriter)
            except TypeMismatch as err:
                raise err.advised(f"the pattern is {type(pattern).__name__}") from None
            if rewriter.has_done_action:
                return pattern
        return None

    def _rewriter(self, root: Operation) -> PatternRewriter:
        rewriter = PatternRewriter(InsertPoint.at_end(root.regions[0].blocks[0]))
        rewriter.operation_insertion_handler.append(self._inserted)
        rewriter.operation_modification_handler.append(self._push)
        rewriter.operation_replacement_handler.append(self._replaced)
        rewriter.operation_removal_handler.append(self._removed)
        return rewriter

    def _push(self, op: Operation) -> None:
        if op not in self._pending and self._patterns_for(type(op)):
            self._pending.add(op)
            self._worklist.append(op)

    def _inserted(self, op: Operation) -> None:
        for nested in op.walk():
            if nested.location == UNKNOWN_LOC:
                nested.location = self._location_source
            self._push(nested)

    def _replaced(self, op: Operation, new_results: Sequence[SSAValue | None]) -> None:
        check_replacement(op, new_results)
        for result in op.results:
            for use in result.uses:
                self._push(use.operation)

    def _removed(self, op: Operation) -> None:
        for nested in op.walk():
            self._pending.discard(nested)
        for operand in op.operands:
            if isinstance(operand.owner, Operation):
                self._push(operand.owner)


def _op_types(pattern: RewritePattern) -> tuple[type[Operation], ...]:
    method: Any = type(pattern).match_and_rewrite
    return getattr(method, "op_types", (Operation,))


def apply_patterns(root: Operation, *patterns: RewritePattern) -> bool:
    """Apply patterns until none of them matches; return whether anything changed."""
    return PatternDriver(patterns).run(root)


def erase_dead_ops(root: Operation) -> bool:
    """Erase side-effect-free ops without uses; return whether anything changed."""
    changed = False
    for op in reversed([op for op in root.walk() if op is not root]):
        if op.parent is None or any(result.first_use for result in op.results):
            continue
        if _is_erasable(op):
            Rewriter.erase_op(op)
            changed = True
    return changed


def _is_erasable(op: Operation) -> bool:
    if op.has_trait(IsTerminator) or op.has_trait(SymbolOpInterface):
        return False
    return is_side_effect_free(op)
