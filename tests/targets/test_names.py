"""Names do not matter: programs with other names are planned and lowered to the same code."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.dialects.graph import MatmulOp, MulOp, SoftmaxOp, TransposeOp
from tilewright.dialects.te import KernelOp
from tilewright.driver.passes.pipeline import make_pass, run_pipeline
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.testing.hostile import HOSTILE, names_from, rename, text_without_names

from . import programs
from .programs import Graph

AVX2, AVX512 = (Target(f"llvm -mcpu=x86-64-v{n} -l1-kib=32 -l2-kib=128") for n in (3, 4))


def attention(queries: int, keys: int) -> ModuleOp:
    """Return attention of two heads with scaled scores."""
    g = Graph((2, queries, 16), (2, keys, 16), (2, keys, 16), (2, queries, keys))
    q, k, v, scale = g.args
    scores = g.add(MulOp(g.add(MatmulOp(q, k, transpose_rhs=True)), scale))
    return g.finish(g.add(MatmulOp(g.add(SoftmaxOp(scores, 2)), v)))


def expansion() -> ModuleOp:
    """Return a 1x1 convolution that its depthwise consumer computes."""
    g = Graph((1, 16, 20, 26))
    wide = g.conv(g.args[0], 96, 1, 1, 1)
    return g.finish(g.conv(g.conv(wide, 96, 3, 1, 96), 16, 1, 1, 1))


def moved() -> ModuleOp:
    """Return a product with a transposed operand, and relu."""
    g = Graph((24, 48), (24, 40))
    turned = g.add(TransposeOp(g.args[0], [1, 0]))
    return g.finish(g.relu(g.add(MatmulOp(turned, g.args[1]))))


PROGRAMS: dict[str, tuple[Callable[[], ModuleOp], Target]] = {
    "product": (lambda: programs.matmul(40, 96, 64), AVX2),
    "copied product": (lambda: programs.dynamic(200, 96, 64, transposed=True), AVX512),
    "moved product": (moved, AVX2),
    "batched product": (lambda: programs.batched(3, 20, 33, 48), AVX2),
    "convolution with halo": (lambda: programs.conv(16, 16, 9, 5), AVX512),
    "groups": (lambda: programs.conv(32, 32, 8, 3, groups=2), AVX2),
    "winograd": (lambda: programs.conv(32, 32, 12, 3), AVX2),
    "expansion": (expansion, AVX2),
    "attention": (lambda: attention(24, 40), AVX2),
    "attention by blocks": (lambda: attention(32, 1024), AVX512),
    "attention of one query": (lambda: attention(1, 40), AVX2),
    "softmax": (lambda: programs.softmax(12, 70), AVX512),
    "row kernel": (lambda: programs.layer_norm(12, 70), AVX2),
    "pooling": (lambda: programs.pool(16, 9, 3, 2, pad=1), AVX2),
    "scan": (lambda: programs.reduce_then_scan((3, 6, 17), 1), AVX2),
    "elementwise": (lambda: programs.elementwise(7, 33), AVX2),
    "reduction": (lambda: programs.reduction((40, 33), [0]), AVX512),
}


def te_program(name: str) -> ModuleOp:
    """Return a program of te ops before its kernels are formed."""
    build, target = PROGRAMS[name]
    module, context = build(), new_context()
    run_pipeline(module, context, target, to="graph")
    make_pass("graph-to-te", target).apply(context, module)
    return module


def lowered(module: ModuleOp, target: Target) -> ModuleOp:
    run_pipeline(module, new_context(), target, start="form-kernels", to="loop")
    module.verify()
    return module


@lru_cache
def code(name: str) -> str:
    return text_without_names(lowered(te_program(name), PROGRAMS[name][1]))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_code_does_not_depend_on_names(name: str) -> None:
    for seed in range(2):
        module = te_program(name)
        rename(module, names_from(seed, HOSTILE))
        assert text_without_names(lowered(module, PROGRAMS[name][1])) == code(name)


@pytest.mark.parametrize("name", ["copied product", "winograd", "attention by blocks"])
def test_schedules_of_any_names_are_printed_and_parsed(name: str) -> None:
    module, target = te_program(name), PROGRAMS[name][1]
    rename(module, names_from(7, HOSTILE))
    run_pipeline(module, new_context(), target, start="form-kernels", to="sched")
    parsed = Parser(new_context(), str(module)).parse_module()
    parsed.verify()
    assert str(parsed) == str(module)
    assert any(isinstance(op, KernelOp) for op in parsed.ops)
