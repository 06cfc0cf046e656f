"""A backend for an accelerator with a systolic array, which the simulated device executes.

import systolic
mod = tilewright.compile("model.onnx", placement="systolic", extensions=[systolic.EXTENSION])

The array multiplies two matrices of 8 x 8 floats and adds the product to its sums. A te.intrinsic
says so, and sched.tensorize finds the array's work in the loops of a product. The device runs the
lowered loops: in place of the intrinsic, its array computes, cycle by cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import simulated_device
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import tilewright
from tilewright import Extension
from tilewright.dialects.graph import MatmulOp
from tilewright.interp.loop import run_function
from tilewright.lowering.te_to_loop.te_to_loop import TeToLoop
from tilewright.passes.graph.op_patterns import op
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.targets.external import ExternalBackend

SIDE = 8
"""The rows and the columns of the array's processing elements."""
PROGRAM = """
te.intrinsic @systolic features ["systolic"] cycles 22.0 source "systolic.py"
    definition(%c: memref<8x8xf32>, %a: memref<8x8xf32>, %b: memref<8x8x1xf32>) {{
  te.compute @dot [m: 8, k: 8 red, n: 8, r: 1 red]
      ins(%a[m, k] : memref<8x8xf32>, %b[k, n, r] : memref<8x8x1xf32>)
      outs(%c[m, n] add acc : memref<8x8xf32>) {body}
}} emission(%c: vector<8x8xf32>, %a: vector<8x8xf32>, %b: vector<8x8xf32>) {{
  %r = loop.call_llvm "llvm.systolic"(%c, %a, %b)
      : (vector<8x8xf32>, vector<8x8xf32>, vector<8x8xf32>) -> vector<8x8xf32>
  te.yield %r : vector<8x8xf32>
}}
te.kernel @product(%x: memref<{m}x{k}xf32>, %y: memref<{k}x{n}xf32>, %z: memref<{m}x{n}xf32>) {{
  te.compute @mm [m: {m}, n: {n}, k: {k} red]
      ins(%x[m, k] : memref<{m}x{k}xf32>, %y[k, n] : memref<{k}x{n}xf32>)
      outs(%z[m, n] add 0.0 : f32 : memref<{m}x{n}xf32>) {body}
  te.return
}}
sched.script @product {{
  %c = sched.match {{name = mm}}
  %t, %ms, %ns = sched.tile %c {{m = 8, n = 8}}
  %u = sched.tensorize %t {{intrinsic = systolic, axis = n}}
}}
"""
BODY = """body(%p: f32, %q: f32) {
    %s = arith.mulf %p, %q : f32
    te.yield %s : f32
  }"""


class SystolicArray:
    """The array: sums stay in its elements; rows of a move right, columns of b move down.

    cycles: the cycles so far.
    """

    def __init__(self) -> None:
        self.cycles = 0

    def multiply(self, sums: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return ``sums + a @ b``; row m of a and column n of b enter m or n cycles late."""
        sums = sums.copy()
        right, down = np.zeros((2, SIDE, SIDE), np.float32)
        for cycle in range(3 * SIDE - 2):
            right[:, 1:], down[1:] = right[:, :-1].copy(), down[:-1].copy()
            for lane in range(SIDE):
                k = cycle - lane
                right[lane, 0] = a[lane, k] if 0 <= k < SIDE else 0
                down[0, lane] = b.reshape(SIDE, SIDE)[k, lane] if 0 <= k < SIDE else 0
            sums += right * down
        self.cycles += 3 * SIDE - 2
        return sums


class Accelerator:
    """The simulated device with an array, and the programs that it has loaded."""

    def __init__(self) -> None:
        self.device, self.array = simulated_device.register(), SystolicArray()

    def load(self, m: int, n: int, k: int) -> FuncOp:
        """Return the loops of a product of m x k by k x n floats, for the array."""
        text = PROGRAM.format(m=m, n=n, k=k, body=BODY)
        module = Parser(new_context(), text).parse_module()
        for step in (ApplySchedule(), TeToLoop()):
            step.apply(new_context(), module)
        return next(each for each in module.ops if isinstance(each, FuncOp))

    def run(self, program: FuncOp, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> None:
        """Run a product on arrays of the host, which are copied to the device and back."""
        made = [tilewright.nd.array(each, self.device) for each in (x, y, z)]
        there = [each for each in made if isinstance(each, tilewright.DeviceArray)]
        instructions = {"systolic": self.array.multiply}
        simulated_device.launch(
            lambda *arrays: run_function(program, *arrays, instructions=instructions), *there
        )
        z[...] = there[-1].numpy()


def sizes_of(product: MatmulOp) -> Sequence[int]:
    """Return m, n and k of a plain product of f32 matrices in whole tiles; () for others."""
    types = [t for t in (product.lhs.type, product.rhs.type) if isinstance(t, TensorType)]
    if product.transpose_lhs or product.transpose_rhs or {t.element_type for t in types} != {f32}:
        return ()
    (*rows, k), (*others, n) = (t.get_shape() for t in types)
    sizes = (prod(rows), n, k)
    is_plain = len(rows) == len(others) == 1 and min(sizes) > 0
    return sizes if is_plain and not any(size % SIDE for size in sizes) else ()


class Systolic(ExternalBackend):
    """The backend of the target ``systolic``: products in whole tiles of the array."""

    kind = "systolic"
    patterns = (("product", op(MatmulOp, where=lambda each: bool(sizes_of(each)))),)

    def function(self, module: ModuleOp) -> str:
        """Return the name of a function that computes a product on the accelerator."""
        (product,) = (each for each in entry_of(module).walk() if isinstance(each, MatmulOp))
        m, n, k = sizes_of(product)
        program, name = ACCELERATOR.load(m, n, k), f"systolic.product_{m}x{n}x{k}"

        def run(*arrays: np.ndarray) -> None:
            ACCELERATOR.run(program, *map(np.asarray, arrays))

        tilewright.register_func(name, run, override=True)
        return name


ACCELERATOR = Accelerator()
EXTENSION = Extension(backends=[Systolic()])
