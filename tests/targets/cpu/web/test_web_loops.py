"""The inner loops of products and convolutions in WebAssembly, read from the assembly of LLVM."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from onnx import ModelProto

import tilewright
from tilewright.testing.models import with_weights

from .web_module import RELAXED, TARGET

REGISTERS = 16
"""The vector registers of x86-64 without AVX-512; AArch64 has more."""
PRODUCT = with_weights(
    """<ir_version: 8, opset_import: ["": 18]>
    product (float[64, 64] x) => (float[64, 64] y) { y = MatMul (x, w) }""",
    w=(64, 64),
)
CONVOLUTION = """<ir_version: 8, opset_import: ["": 18]>
    conv (float[1, CHANNELS, 12, 12] x) => (float[1, 16, 12, 12] y) {
      y = Conv <pads = [1, 1, 1, 1]> (x, w) }"""
CONVOLUTIONS = {
    channels: with_weights(CONVOLUTION.replace("CHANNELS", f"{channels}"), w=(16, channels, 3, 3))
    for channels in (3, 16)
}
OPERANDS = {
    **dict.fromkeys(("add", "sub", "mul", "lt_s", "lt_u", "ne", "eq", "store"), 2),
    **dict.fromkeys(("relaxed_madd", "relaxed_nmadd"), 3),
    "const": 0,
}
"""The operands of instructions that do not have one."""
ARITHMETIC = ("f32x4.add", "f32x4.sub", "f32x4.mul", "f32x4.relaxed_madd", "f32x4.relaxed_nmadd")


def inner_loops(assembly: str) -> Iterator[list[list[str]]]:
    """Yield the words of the instructions of each loop that contains no other loop."""
    opened: list[tuple[str, list[list[str]]]] = []
    for line in assembly.splitlines():
        words = line.split()
        if not words or words[0].startswith((".", "#")) or words[0].endswith(":"):
            continue
        if words[0] in ("block", "loop"):
            opened.append((words[0], []))
        elif words[0] in ("end_block", "end_loop"):
            kind, body = opened.pop()
            if kind == "loop":
                if not any(each[0] == "loop" for each in body):
                    yield body
                body = [["loop"]]
            if opened:
                opened[-1][1].extend(body)
        elif opened:
            opened[-1][1].append(words)


def live_vectors(body: list[list[str]]) -> int:
    """Return the most vectors that are alive at the same time in an iteration of a loop.

    They are in locals, or on the stack of WebAssembly.
    """
    stack: list[bool] = []
    vectors, depths = set[str](), list[int]()
    for name, *operands in body:
        if name == "local.get":
            stack.append(operands[0] in vectors)
        elif name in ("local.set", "local.tee"):
            if stack and stack[-1]:
                vectors.add(operands[0])
            if name == "local.set" and stack:
                stack.pop()
        else:
            kind, _, verb = name.partition(".")
            taken = OPERANDS.get(verb, 1)
            del stack[max(0, len(stack) - taken) :]
            if verb != "store" and kind not in ("br_if", "br"):
                stack.append(kind in ("f32x4", "v128", "i32x4"))
        depths.append(sum(stack))
    # The vectors at the end of an iteration are those that the next one reads first.
    alive, most = set[str](), 0
    for _ in range(2):
        most = 0
        for (name, *operands), depth in reversed([*zip(body, depths, strict=True)]):
            if name in ("local.set", "local.tee"):
                alive.discard(operands[0])
            if name == "local.get" and operands[0] in vectors:
                alive.add(operands[0])
            most = max(most, len(alive) + depth)
    return most


@pytest.mark.parametrize(
    ("model", "target"),
    [
        (PRODUCT, TARGET),
        (PRODUCT, RELAXED),
        (CONVOLUTIONS[3], TARGET),
        (CONVOLUTIONS[16], TARGET),
    ],
    ids=["product", "relaxed product", "first convolution", "convolution"],
)
def test_the_inner_loop_multiplies_and_adds_in_registers(model: ModelProto, target: str) -> None:
    module = tilewright.compile(model, target=target)
    loops = [
        body
        for body in inner_loops(module.get_source("asm"))
        if sum(words[0] in ("f32x4.mul", "f32x4.relaxed_madd") for words in body) >= 4
        and any("splat" in words[0] for words in body)
    ]
    assert loops
    for body in loops:
        count = Counter(words[0] for words in body)
        assert not count["v128.store"], "a sum leaves its register"
        pairs = 2 * min(count["f32x4.mul"], count["f32x4.add"]) + count["f32x4.relaxed_madd"]
        assert pairs >= 0.8 * sum(count[name] for name in ARITHMETIC)
        assert live_vectors(body) <= REGISTERS
