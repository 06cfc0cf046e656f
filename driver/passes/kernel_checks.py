"""Checks of single kernels after a pass: equal values as before it, and no race between threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.packed import CallOp
from ...dialects.te import KernelOp
from ...interp import packed
from ...interp.compare import expect_close
from ...interp.simt import run_kernel
from ...interp.thread_memory import JointWrite, Race
from ...passes.packed.pack_constants import pack_array
from ...passes.simt.kernels import has_bound_loops
from ...passes.simt.map_threads import map_threads
from ...passes.simt.place_barriers import PlaceBarriers
from ...support.diagnostics import TilewrightError
from .kernel_samples import has_short_blocks

Array: TypeAlias = NDArray[Any]
Kernel: TypeAlias = KernelOp | FuncOp

PLACE_BARRIERS = PlaceBarriers.name
"""The pass that inserts the barriers of GPU kernels, after which races are checked."""


def stored(arrays: Sequence[Array], packs: Mapping[int, AffineMapAttr]) -> list[Array]:
    """Return copies of the arguments of a kernel, in the storage layouts of packed arguments.

    packs: the layouts, by the number of the argument.
    """
    return [pack_array(x, packs[n]) if n in packs else x.copy() for n, x in enumerate(arrays)]


def compare_kernels(before: ModuleOp, after: ModuleOp, inputs: Sequence[Array]) -> None:
    """Check a pass by comparing each kernel before the pass with the same kernel after it.

    The interpreter runs the program from before the pass. Whenever that program calls a kernel, the
    kernel of the same name in ``after`` gets the same arguments, and must compute the same values.
    Before: both modules have kernels with the same names, in buffer form or at the loop level.
    Errors: TilewrightError that names the first kernel that fails or computes different values.
    """
    changed = packed.symbols(after)

    def call(op: CallOp, kernel: Kernel, arrays: Sequence[Array]) -> None:
        other = changed.get(op.kernel_name)
        if other is None:
            raise TilewrightError("the kernel no longer exists", where=f"@{op.kernel_name}")
        packs = other.pack_maps if isinstance(other, KernelOp) else {}
        given = stored(arrays, packs)
        packed.call_kernel(kernel, arrays)
        try:
            packed.call_kernel(packed.with_call_sizes(other, op), given)
            for i, (got, expected) in enumerate(zip(given, arrays, strict=True)):
                if i not in packs:
                    expect_close(got, expected, f"argument {i}")
        except TilewrightError as err:
            raise err.named(f"kernel @{op.kernel_name}") from None

    packed.run(before, *inputs, call=call)


def check_races(module: ModuleOp, inputs: Sequence[Array]) -> None:
    """Check that no two statements between barriers of a GPU kernel exchange data.

    Before: simt-place-barriers has run. Without threads, a missing barrier changes no result, so
    each called kernel also runs as its threads run it.
    Errors: Race, which names the first such kernel.
    """

    def call(op: CallOp, kernel: Kernel, arrays: Sequence[Array]) -> None:
        check_race(kernel, arrays)
        packed.call_kernel(kernel, arrays)

    packed.run(module, *inputs, call=call)


def check_race(kernel: Kernel, arrays: Sequence[Array]) -> None:
    """Run the threads of the first block of a kernel on copies of its arguments.

    Do nothing for a kernel without loops bound to threads, and for one that takes too long.
    Errors: Race for two statements between barriers that exchange data.  Other errors, such as a
    store by several threads at once, are not raised: simt-map-threads makes them, and validation
    checks that pass, too.
    """
    if not isinstance(kernel, FuncOp) or not has_bound_loops(kernel):
        return
    mapped = kernel.clone()
    try:
        map_threads(mapped)
        if has_short_blocks(mapped):
            run_kernel(mapped, *(x.copy() for x in arrays), blocks={(0, 0, 0)})
    except TilewrightError as err:
        if isinstance(err, Race) and not isinstance(err, JointWrite):
            raise err.named(f"kernel @{kernel.sym_name.data}") from None
