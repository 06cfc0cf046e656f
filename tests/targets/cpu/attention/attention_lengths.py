"""Plan attention for every length: one kernel per form, replayed with other lengths.

A kernel is compiled up to planning once, with a length that occurs nowhere else in its text; other
lengths replace this number.  For all lengths up to 3000 on all targets, with 300 lowered:

    python tests/targets/cpu/attention/attention_lengths.py --last 3000 --lowered 300
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import onnx
from onnx import TensorProto, helper
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.dialects.te import kernels_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.targets.cpu.plan import CpuPlan, plan_kernel

LENGTH = 131
"""The length in the text of a kernel: a prime that occurs nowhere else in it."""

FORMS = ("square", "causal", "one_query", "64_queries")

TARGETS = (
    "llvm -mcpu=x86-64-v2 -l2-kib=256",
    "llvm -mcpu=x86-64-v3 -l2-kib=256",
    "llvm -mcpu=x86-64-v3 -l2-kib=512",
    "llvm -mcpu=x86-64-v3 -l2-kib=1024",
    "llvm -mcpu=x86-64-v3 -l2-kib=2048",
    "llvm -mcpu=x86-64-v4 -l2-kib=1024",
    "llvm -mcpu=x86-64-v4 -l2-kib=2048",
    "llvm -mcpu=cortex-a72 -l2-kib=512",
)


@cache
def kernel_text(form: str) -> str:
    """Return the kernel of an attention over LENGTH keys in buffer form."""
    queries = {"one_query": 1, "64_queries": 64}.get(form, LENGTH)
    sizes = {"q": queries, "k": LENGTH, "v": LENGTH}
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 2, size, 48))
        for name, size in sizes.items()
    ]
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 2, queries, 48))
    node = helper.make_node("Attention", list(sizes), ["y"], is_causal=int(form == "causal"))
    graph = helper.make_graph([node], "attention", inputs, [out])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    model.ir_version = 10
    onnx.checker.check_model(model)
    module = import_model(model)
    run_pipeline(module, new_context(), Target(TARGETS[-1]), to="sched")
    (kernel,) = kernels_of(module)
    return str(kernel)


def module_of(form: str, length: int) -> ModuleOp:
    """Return the module of a form at a length; its kernel has no schedule yet."""
    text = re.sub(rf"(?<!\d){LENGTH}(?!\d)", str(length), kernel_text(form))
    return Parser(new_context(), text).parse_module()


def plan(form: str, length: int, targets: Sequence[str]) -> None:
    """Plan the attention on each target; any exception is a defect."""
    (kernel,) = kernels_of(module_of(form, length))
    for target in targets:
        plan_kernel(kernel, Target(target))


def lower(form: str, length: int, target: str) -> None:
    """Plan, schedule and lower the attention to loop level."""
    module, ctx = module_of(form, length), new_context()
    CpuPlan(Target(target)).apply(ctx, module)
    run_pipeline(module, ctx, Target(target), start="schedule", to="loop")


def draws(count: int, last: int, seed: int = 0) -> Iterator[tuple[str, int, str]]:
    """Draw forms, lengths from 2 to ``last``, and targets."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        length = int(rng.integers(2, last + 1))
        yield FORMS[number % len(FORMS)], length, TARGETS[int(rng.integers(len(TARGETS)))]


def main() -> None:
    """Plan all lengths and lower a sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--last", type=int, default=3000)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--lowered", type=int, default=300)
    options = parser.parse_args()
    for form in FORMS:
        for length in range(2, options.last + 1, options.step):
            plan(form, length, TARGETS)
        print(form, "planned", flush=True)
    for drawn in draws(options.lowered, options.last):
        lower(*drawn)
    print(options.lowered, "lowered")


if __name__ == "__main__":
    main()
