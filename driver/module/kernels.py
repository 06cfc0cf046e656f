"""Compile the kernels of a model without its main function, to call them one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ...frontend.model_file import load_model
from ...frontend.onnx.input_values import Values
from ...frontend.onnx.signature import Shapes
from ...lowering.loop_to_llvm import KernelInfo
from ...machines.target import Target, TargetText
from ...support.cache import user_cache
from ...support.collection import paused_collection
from ...targets.backend import KernelRecord
from ..build import Build
from ..extension import Extension
from ..model_import import ModelImport
from ..progress import Stopwatch
from ..settings import settings_for

if TYPE_CHECKING:
    import onnx


@dataclass(frozen=True)
class KernelCode:
    """The host program of a model, and its kernels in machine code, to be called one by one.

    module: the module at the last level.  infos: the `KernelInfo` of each kernel, by name.  code: a
    shared object that exports the symbol of each kernel; empty if the target has no shared object.
    """

    module: ModuleOp
    infos: Mapping[str, KernelInfo]
    records: tuple[KernelRecord, ...]
    code: bytes

    @staticmethod
    def of(build: Build) -> KernelCode:
        """Compile the kernels of a module.

        Errors: see `Build.kernels`.
        """
        module, library, records = build.kernels()
        return KernelCode(module, library.infos, records, library.code)


@paused_collection()
def compile_kernels(
    model: str | PathLike[str] | bytes | onnx.ModelProto,
    *,
    target: TargetText | Target | None = None,
    precision: str = "default",
    shapes: Shapes | None = None,
    values: Values | None = None,
    extensions: tuple[Extension, ...] = (),
    schedules: str | PathLike[str] | None = None,
    unchecked_indices: bool = False,
) -> KernelCode:
    """Compile the kernels of a model whose sizes and values are all bound.

    For the arguments and errors, see `compile`.
    """
    settings = settings_for(
        target, precision, extensions, schedules, unchecked_indices=unchecked_indices
    )
    watch = Stopwatch(None)
    module = ModelImport(settings, watch).run(lambda: load_model(model), shapes or {}, values or {})
    return KernelCode.of(Build(settings, user_cache(), watch, module))
