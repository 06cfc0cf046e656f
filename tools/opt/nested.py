"""The output form ``tw-opt -t nested``: nested expressions, for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...ir import to_nested_text


@dataclass(frozen=True)
class NestedOutput(Target):
    """The output form of tw-opt whose text is that of `ir.to_nested_text`."""

    name = "nested"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(to_nested_text(module))
