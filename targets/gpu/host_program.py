"""The host program of a GPU: main and its tables as LLVM IR, linked for any host.

In: main with planned buffers, and the launches of the kernels. Out: LLVM IR of main, which queues
launches and copies (lowering/main/device_main.py), and of the tables by which the entry code and
device.c (runtime/native/) know the program; later the objects of a library with this code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ...codegen.entry import Entry, entry_tables
from ...codegen.linker import Blob
from ...codegen.signature import describe_main
from ...dialects.dtypes import numpy_dtype
from ...dialects.packed import CheckIndicesOp, ViewOp
from ...dialects.shape import extent_of
from ...dialects.weights import WeightAttr
from ...lowering.main.device_main import DeviceKernel, emit_device_main
from ...lowering.main.device_printer import DevicePrinter
from ...machines.target import Target
from ...runtime.abi.constants import (
    SYMBOL_DEVICE_FUNCTION,
    SYMBOL_DEVICE_LIBRARY,
    SYMBOL_KERNELS_CODE,
    SYMBOL_MAIN_ON_STREAM,
)
from ...runtime.abi.device import device
from .code import DeviceCode, KernelFacts
from .device_tables import DRIVERS, device_tables

PARTS = ("entry", "device")
"""The parts of the prelude that the code of a program needs, beyond those of its process."""
SYMBOLS = (
    SYMBOL_DEVICE_LIBRARY, SYMBOL_DEVICE_FUNCTION, SYMBOL_MAIN_ON_STREAM, SYMBOL_KERNELS_CODE,
)  # fmt: skip
"""The symbols that a library for a device exports in addition to those of all libraries."""


@dataclass(frozen=True)
class HostProgram:
    """The main function of a program for a GPU, as LLVM IR for the host, and its description.

    texts: modules of LLVM IR.  entry: the description for the entry code.  is_fixed: whether calls
    with equal addresses and sizes queue the same work.
    """

    texts: tuple[str, ...]
    entry: Entry
    is_fixed: bool

    @staticmethod
    def of(
        main: FuncOp,
        facts: Mapping[str, KernelFacts],
        target: Target,
        weights: Mapping[WeightAttr, int],
        weights_bytes: int,
    ) -> HostProgram:
        """Return the host program of a module.

        main: the main function.  facts: the launch of each kernel, by name.  weights: the byte
        offset of each weight.  weights_bytes: the size of all weights.

        Before: main has a memory plan.
        """
        printer = DevicePrinter(target.main_platform)
        program = emit_device_main(main, _launches(facts), weights, printer)
        kind = DRIVERS.get(target.kind)
        entry = replace(
            describe_main(main, target),
            externs=program.externs,
            arena_bytes=program.arena_bytes,
            size_count=program.size_count,
            weights_bytes=weights_bytes,
            device_type=device(target.kind).kind if kind is None else kind,
        )
        tables = device_tables(facts, target.kind, printer)
        texts = (program.text, tables, entry_tables(entry))
        return HostProgram(texts, entry, printer.is_fixed)


def _launches(facts: Mapping[str, KernelFacts]) -> Mapping[str, DeviceKernel]:
    return {
        name: DeviceKernel(number, each.sizes, each.grid, each.numbers)
        for number, (name, each) in enumerate(facts.items())
    }


def checks_of_inputs(main: FuncOp) -> list[Mapping[str, Any]]:
    """Return the bounds checks of inputs that hold indices, as JSON fields of each check.

    main: the main function, whose sizes are constants.  The field ``input`` is the number of the
    input; the others are the fields of `IndexCheck`.
    """
    rows: list[Mapping[str, Any]] = []
    for op in main.body.block.ops:
        if not isinstance(op, CheckIndicesOp) or op.bounds is not None:
            continue
        value = op.x
        while isinstance(value.owner, ViewOp):
            value = value.owner.x
        if isinstance(value, BlockArgument):
            type_ = cast("MemRefType", op.x.type)
            rows.append(
                {
                    "input": value.index,
                    "dtype": numpy_dtype(type_.element_type).name,
                    "shape": [*type_.get_shape()],
                    "sizes": [extent_of(size) for size in op.sizes],
                    "wraps": op.wraps,
                    "place": op.place,
                }
            )
    return rows


def kernels_blob(code: DeviceCode) -> Blob:
    """Return the constant with the code of the kernels."""
    return Blob(SYMBOL_KERNELS_CODE, code.kernels_code + b"\0")


def symbols_of(kernels: Mapping[str, KernelFacts]) -> Sequence[str]:
    """Return the names of the kernels in the device code, in the order of the program's table."""
    return [each.symbol for each in kernels.values()]
