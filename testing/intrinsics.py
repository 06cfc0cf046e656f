"""Tests of intrinsics against the hardware instructions that they emit.

The emitted code runs on random vectors, including whole ranges of integers and their extremes, on
this machine or in an emulator, and must agree with the definition in te IR: integers exactly,
floats within rounding.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp
from xdsl.ir import Block, Region, SSAValue

from ..codegen.linker import link
from ..codegen.llvm import Machine, compile_ir
from ..dialects import loop
from ..dialects.dtypes import is_float, numpy_dtype
from ..dialects.te import IntrinsicOp
from ..interp.compare import expect_close
from ..interp.loop import run_intrinsic
from ..lowering.loop_to_llvm import emit_kernel, kernel_symbol
from ..machines.target import Target
from ..runtime.abi.library import Library
from ..support.affine import constant
from ..support.diagnostics import TargetError

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_NAME = "use"
_SYMBOL = kernel_symbol(0)


class Loaded(Protocol):
    """The protocol of machine code that a test can run, here or in `testing.emulator.Emulator`."""

    def call(self, symbol: str, arrays: Sequence[Array], /) -> None:
        """Run a kernel of one task on arrays, in place.

        symbol: the symbol of the kernel.
        """
        ...


class NativeCode:
    """Machine code that runs in this process: a shared object."""

    def __init__(self, image: bytes) -> None:
        self._library = Library(image)

    def call(self, symbol: str, arrays: Sequence[Array]) -> None:
        """Run a kernel of one task on arrays, in place.

        symbol: the symbol of the kernel.
        """
        pointers = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        kernel(self._library.address(symbol))(ctypes.addressof(pointers), 0, 0)


def check_intrinsic(
    intrinsic: IntrinsicOp,
    *,
    target: Target | None = None,
    load: Callable[[bytes], Loaded] = NativeCode,
    rounds: int = 64,
    seed: int = 0,
) -> None:
    """Run the instruction of an intrinsic, and compare the results with its definition.

    target: the machine to compile for; None is this machine.  load: makes the code runnable;
    `Emulator` for another machine than this one.  rounds: the number of random inputs.
    Errors: TilewrightError that shows the first lane that differs; TargetError if the target lacks
    a feature that the intrinsic needs.
    """
    chosen = target or Target.native()
    missing = [f.data for f in intrinsic.features if not chosen.has(f.data)]
    if missing:
        name = "this machine" if target is None else "the target"
        raise TargetError(
            f"{name} cannot run @{intrinsic.label}", expected=", ".join(missing), got=chosen
        )
    text = emit_kernel(use_of(intrinsic), chosen, _SYMBOL)
    code = load(link([compile_ir(text, Machine.of(chosen))], exports=[_SYMBOL]))
    rng = np.random.default_rng(seed)
    for number in range(rounds):
        _compare(intrinsic, code, _vectors(intrinsic, rng, number))


def use_of(intrinsic: IntrinsicOp) -> func.FuncOp:
    """Return a loop-level function that uses an intrinsic, inside a module that contains both.

    The function loads a vector from each buffer of the intrinsic's definition, and stores the
    result of the intrinsic to the output buffer of the definition.
    """
    buffers = [cast("MemRefType[Any]", a.type) for a in intrinsic.definition.block.args]
    block = Block(arg_types=buffers)
    rows = 0 if intrinsic.is_tile else None
    types = [intrinsic.vector_at(number) for number in range(len(buffers))]
    vectors = [
        loop.LoadOp.make(a, [constant(0)] * t.get_num_dims(), type_, rows=rows)
        for a, t, type_ in zip(block.args, buffers, types, strict=True)
    ]
    output = _output(intrinsic)
    use = loop.IntrinsicOp.make(intrinsic.label, [v.res for v in vectors], types[output])
    start = [constant(0)] * buffers[output].get_num_dims()
    store = loop.StoreOp.make(use.res, block.args[output], start, rows=rows)
    block.add_ops([*vectors, use, store, func.ReturnOp()])
    function = func.FuncOp(_NAME, FunctionType.from_lists(buffers, []), Region(block))
    ModuleOp([intrinsic.clone(), function])
    return function


def _vectors(intrinsic: IntrinsicOp, rng: np.random.Generator, number: int) -> list[Array]:
    """Return one random vector per buffer of the definition.

    number: the number of the round; in the first eight, integers are extremes of their type, -1, 0
    or 1.
    """
    made: list[Array] = []
    for argument in intrinsic.definition.block.args:
        type_ = cast("MemRefType[Any]", argument.type)
        dtype, count = numpy_dtype(type_.element_type), int(np.prod(type_.get_shape()))
        if is_float(type_.element_type):
            made.append(rng.standard_normal(count).astype(dtype))
            continue
        info = np.iinfo(cast("np.dtype[np.integer[Any]]", dtype))
        low, high = info.min, info.max
        extremes = rng.choice(np.array([low, -1, 0, 1, high], dtype), count)
        whole = rng.integers(low, high, count, dtype, endpoint=True)
        made.append(extremes if number < 8 else whole)
    return made


def _output(intrinsic: IntrinsicOp) -> int:
    arguments: list[SSAValue] = list(intrinsic.definition.block.args)
    return arguments.index(intrinsic.compute.outs[0])


def _compare(intrinsic: IntrinsicOp, code: Loaded, vectors: list[Array]) -> None:
    expected = run_intrinsic(intrinsic, vectors).reshape(-1)
    arrays = [v.copy() for v in vectors]
    code.call(_SYMBOL, arrays)
    expect_close(arrays[_output(intrinsic)], expected, f"@{intrinsic.label}")
