"""Inline calls: return a function's body without calls, in which all value names are unique.

    %1 = call @f(%0)          the ops of @f, with %arg0 = %0 and new names for its values

A composite op is inlined as a call of its decomposition, unless it has a converter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ...support.diagnostics import ModelError
from .definitions import DefinedFunction, OpDef, Program, RegionDef

MAX_DEPTH = 64
"""Maximum depth of nested calls and regions."""
MAX_OPS = 2_000_000
"""Maximum number of ops after inlining."""


def inlined(
    program: Program, function: DefinedFunction, is_call: Callable[[OpDef], bool]
) -> RegionDef:
    """Return the body of a function in which the bodies of all callees replace the calls.

    is_call: whether an op is to be replaced by the body of the function that it names.
    Errors: ModelError if functions call themselves, or the result is too large.
    """
    return _Inliner(program, is_call).region(function.body, {}, 0)


class _Inliner:
    """The state of inlining: the numbers of ops and calls so far."""

    def __init__(self, program: Program, is_call: Callable[[OpDef], bool]) -> None:
        self.program, self.is_call = program, is_call
        self.calls = self.ops = 0

    def region(
        self, region: RegionDef, names: Mapping[str, str], depth: int, suffix: str = ""
    ) -> RegionDef:
        """Return a copy of a region without calls.

        names: the new names of values that are defined outside.  depth: the number of enclosing
        calls and regions.  suffix: is appended to the names that are defined inside.
        """
        known = dict(names)
        known.update((name, name + suffix) for name, _ in region.arguments)
        ops = self._ops(region, known, depth, suffix)
        return RegionDef(tuple((known[name], type_) for name, type_ in region.arguments), ops)

    def _ops(
        self, region: RegionDef, names: dict[str, str], depth: int, suffix: str
    ) -> tuple[OpDef, ...]:
        if depth > MAX_DEPTH:
            raise ModelError(f"calls and regions are nested more than {MAX_DEPTH} deep")
        made: list[OpDef] = []
        for op in region.ops:
            self.ops += 1
            if self.ops > MAX_OPS:
                raise ModelError(f"the module has more than {MAX_OPS} ops after inlining")
            operands = tuple(names[name] for name in op.operands)
            if self.is_call(op):
                made += self._called(op, operands, names, depth)
                continue
            for name in op.results:
                names[name] = name + suffix
            regions = tuple(self.region(each, names, depth + 1, suffix) for each in op.regions)
            results = tuple(names[name] for name in op.results)
            made.append(replace(op, operands=operands, results=results, regions=regions))
        return tuple(made)

    def _called(
        self, op: OpDef, operands: tuple[str, ...], names: dict[str, str], depth: int
    ) -> tuple[OpDef, ...]:
        """Return the inlined ops of a called function, without its return op.

        operands: the new names of the call's operands.  names: the new names of values; the
        function adds those of the call's results.
        """
        function = self.program.functions[op.callee or ""]
        types = tuple(x.type for x in function.arguments), tuple(x.type for x in function.results)
        if len(types[0]) != len(operands) or types[1] != op.types:
            raise ModelError(
                f"the call of @{function.name} does not fit the function",
                expected=f"({', '.join(map(str, types[0]))}) -> ({', '.join(map(str, types[1]))})",
                got=f"{len(operands)} operands, ({', '.join(map(str, op.types))})",
                where=f"{op.name} at line {op.line}",
            )
        self.calls += 1
        inner = dict(zip((x.name for x in function.arguments), operands, strict=True))
        ops = self._ops(function.body, inner, depth + 1, f"'{self.calls}")
        names.update(zip(op.results, ops[-1].operands, strict=True))
        return ops[:-1]
