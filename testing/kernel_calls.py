"""The arguments of each call of a model's kernels: buffers, workspace and sizes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ..codegen.objects import pool_object
from ..dialects.packed import CallOp, ConstantOp, ViewOp
from ..dialects.packed.arena import aligned
from ..driver.module.kernels import KernelCode
from ..interp.memory import ALIGNMENT_BYTES, aligned_bytes
from ..interp.sizes import number_of
from ..runtime.abi.threads import process_pool
from ..support.cache import user_cache

Array = np.ndarray[Any, Any]


class KernelCalls:
    """The arguments of the calls of one program's kernels.

    threads: the number of tasks of a kernel that run at the same time; each has its own workspace.
    """

    def __init__(self, code: KernelCode, threads: int = 1) -> None:
        size = max((info.workspace_bytes for info in code.infos.values()), default=0)
        self._infos, self._workspace = code.infos, aligned_bytes(aligned(size) * threads)
        # Constants at addresses that the code does not expect, by address, with their copies.
        self._copies: dict[int, tuple[Array, Array]] = {}

    def arguments(self, call: CallOp, arrays: Sequence[Array]) -> list[Array]:
        """Return the arguments with which main passes a kernel: buffers, workspace and sizes.

        arrays: the values of the buffers.
        """
        pairs = zip(call.arguments, arrays, strict=True)
        given = [self._placed(x) if is_constant(value) else x for value, x in pairs]
        if self._infos[call.kernel_name].workspace_bytes:
            given.append(self._workspace)
        if call.sizes:
            given.append(np.array([number_of(size) for size in call.sizes], np.int64))
        return given

    def _placed(self, array: Array) -> Array:
        """Return a constant as a compiled model holds it: contiguous and aligned."""
        address = array.ctypes.data
        if address % ALIGNMENT_BYTES == 0 and array.flags.c_contiguous:
            return array
        if address not in self._copies:
            copy = aligned_bytes(array.nbytes).view(array.dtype).reshape(array.shape)
            copy[...] = array
            self._copies[address] = (copy, array)
        return self._copies[address][0]


def is_constant(value: SSAValue) -> bool:
    """Return whether a buffer is a constant of the program, or a view of one."""
    match value.owner:
        case ConstantOp():
            return True
        case ViewOp() as op:
            return is_constant(op.x)
        case _:
            return False


@cache
def pool_run(triple: str) -> Callable[..., int]:
    """Return the function of this process's thread pool that runs the tasks of a kernel.

    The function takes the addresses of the kernel and of its arguments, and the numbers of tasks
    and threads; its result is 0, or the status of a task that failed.
    triple: the LLVM triple of this machine.
    """
    pool = process_pool(lambda: pool_object(triple, user_cache()))
    signature = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *signature)(pool.run_address)
