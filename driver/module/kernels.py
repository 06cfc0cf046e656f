"""Compile the kernels of a model without its main function, to call them one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from xdsl.dialects.builtin import ModuleOp

from ...lowering.loop_to_llvm import KernelInfo
from ...support.collection import paused_collection
from ...targets.backend import KernelRecord
from ..artifact import kernels_of
from ..request import ModelOptions, Request, request_for
from ..source import ModelSource

if TYPE_CHECKING:
    import onnx


@dataclass(frozen=True)
class KernelCode:
    """The kernels of a model in machine code, to be called one by one, and their host program.

    module: the lowered module, whose main calls the kernels.  infos: the `KernelInfo` of each
    kernel, by name.  records: the costs, tasks and model nodes of each kernel.
    code: a shared object that exports the symbol of each kernel; empty if the target has no shared
    object.
    """

    module: ModuleOp
    infos: Mapping[str, KernelInfo]
    records: tuple[KernelRecord, ...]
    code: bytes

    @staticmethod
    def of(request: Request) -> KernelCode:
        """Compile the kernels of a request.

        Errors: see `kernels_of`.
        """
        module, library, records = kernels_of(request)
        return KernelCode(module, library.infos, records, library.code)


@paused_collection()
def compile_kernels(
    model: str | PathLike[str] | bytes | onnx.ModelProto, **options: Unpack[ModelOptions]
) -> KernelCode:
    """Compile the kernels of a model whose sizes and values are all bound.

    For the options and errors, see `compile`.
    """
    return KernelCode.of(request_for(ModelSource(model), **options))
