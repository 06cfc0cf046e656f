"""Op cases in WebAssembly: node computes what the graph interpreter computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.driver.compile_module import compile_module
from tilewright.machines.target import Target
from tilewright.testing.op_case import check_native
from tilewright.tools.tensors import Array

from ....ops.case import OpCase
from ....ops.cases import CASES
from ....sweeps import sampled
from .web_module import TARGET, in_node, needs_web


@pytest.mark.one_in(2)
@needs_web
@pytest.mark.parametrize(
    "case", sampled(CASES, lambda case: case.name, one_in=50, each_family=False)
)
def test_node_computes_what_the_interpreter_computes(case: OpCase, tmp_path: Path) -> None:
    def run(
        module: ModuleOp, arrays: tuple[Array, ...], target: str, dialects: Mapping[str, str]
    ) -> Sequence[Sequence[Array]]:
        """Compile a module, run it in node, and return the results of one run."""
        del dialects  # the module is not printed
        compiled = compile_module(module.clone(), target=target, cache=False, strict_plan=True)
        names = [spec.name for spec in compiled.inputs]
        made = in_node(compiled, dict(zip(names, arrays, strict=True)), tmp_path)
        return [[made[spec.name] for spec in compiled.outputs]]

    check_native(case, Target(TARGET), run)
