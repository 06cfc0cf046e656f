"""Programs for any number of rows: one compilation per block size, linked into one module.

    te.var("n"): A[n, 64] -> C[n, 32]      programs for 1, 8, 64, 512 rows, and tw_run over blocks

lowering/rows_to_llvm.py divides the rows of a call into blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, SymbolRefAttr, TensorType
from xdsl.ir import Block, BlockArgument

from ..codegen.entry import Argument, Entry
from ..codegen.weights import layout_weights
from ..dialects.packed import CallOp, CheckIndicesOp
from ..frontend.te.program import Signature
from ..frontend.te.rows import RowProgram
from ..frontend.te.tensor import Tensor
from ..lowering.arena import aligned
from ..lowering.rows_to_llvm import BLOCK_ROWS, MANY_ROWS, RowCheck, emit_rows
from ..passes.schedule.match_schedules import Misfits, schedule_texts
from ..runtime.abi import element_bytes
from ..support.cache import DiskCache
from ..support.entry import entry_of, kernel_functions
from ..support.schedule_files import SUFFIX
from ..support.target import Target
from ..targets.backend import Text
from ..targets.cpu.program import CpuProgram, LlvmProgram, entry_texts
from .build import Build
from .progress import Stopwatch
from .schedules import refuse
from .settings import Settings


class RowsBuild(Build):
    """One compilation of a program with a dynamic number of rows."""

    def __init__(
        self,
        settings: Settings,
        cache: DiskCache | None,
        watch: Stopwatch,
        program: RowProgram,
        signature: Signature,
        start: str,
        checks: Sequence[RowCheck] = (),
    ) -> None:
        super().__init__(settings, cache, watch, program.module, start=start)
        self._of_rows, self._signature = program, signature
        self._sizes = block_sizes(signature, settings.target)
        self._checks = () if settings.unchecked_indices else checks
        # Errors of the schedules that match no kernel of any block so far.
        self._misfits: Misfits | None = None

    def schedules(self) -> dict[str, str]:
        """Return the schedules of the kernels of all blocks."""
        texts: dict[str, str] = {}
        digests: set[str] = set()
        for rows in self._sizes:
            own = schedule_texts(self._block(rows, "sched"), digests)
            for file, text in own.items():
                texts[f"{file.removesuffix(SUFFIX)}_of_{rows}{SUFFIX}"] = text
        return texts

    def _lowered(self, to: str, *, keep: bool) -> ModuleOp:
        """Return the program of the largest block at a level."""
        return self._block(self._sizes[-1], to)

    def _block(self, rows: int, to: str) -> ModuleOp:
        module = self._of_rows.of_rows(rows)
        self._run_stages(module, to)
        return module

    def _note_misfits(self, misfits: Misfits) -> None:
        """Record the schedules that match no kernel of a block; another block may match them."""
        before = self._misfits
        kept = misfits if before is None else {k: e for k, e in misfits.items() if k in before}
        self._misfits = kept

    def _packed(self, *, keep: bool) -> list[ModuleOp]:
        self._misfits = None
        modules: list[ModuleOp] = []
        for rows in self._sizes:
            module = self._block(rows, "packed")
            self._name_kernels(module, rows)
            modules.append(module)
        refuse(self._misfits or {})
        return modules

    def _name_kernels(self, module: ModuleOp, rows: int) -> None:
        """Make the kernel names of a block unique."""
        for function in kernel_functions(module):
            name = function.sym_name.data
            function.properties["sym_name"] = StringAttr(f"{name}_of_{rows}")
            if name in self._simple:
                self._simple.add(f"{name}_of_{rows}")
        for call in module.walk():
            if isinstance(call, CallOp):
                call.properties["callee"] = SymbolRefAttr(f"{call.kernel_name}_of_{rows}")

    def _program(self, modules: Sequence[ModuleOp]) -> RowsProgram:
        layout = layout_weights([entry_of(module) for module in modules])
        parts = [
            CpuProgram(
                module, self._settings.target, self._settings.max_threads, str(rows), layout=layout
            )
            for rows, module in zip(self._sizes, modules, strict=True)
        ]
        return RowsProgram(parts, self._sizes, self._signature, self._settings, self._checks)


def row_checks(module: ModuleOp, signature: Signature) -> list[RowCheck]:
    """Return the index checks of the arguments of a program.

    Checks of computed indices are omitted, because blocks of rows run as tasks, which cannot report
    errors.
    """
    found: list[RowCheck] = []
    for op in entry_of(module).body.block.ops:
        if isinstance(op, CheckIndicesOp) and isinstance(op.x, BlockArgument):
            has_rows = signature.inputs[op.x.index].rows is not None
            type_ = cast("TensorType", op.x.type)
            shape = (MANY_ROWS, *type_.get_shape()[1:]) if has_rows else type_.get_shape()
            row = Block(arg_types=[MemRefType(type_.get_element_type(), shape)]).args[0]
            found.append(RowCheck(op.x.index, op.on_buffers(row, None), has_rows))
    return found


def block_sizes(signature: Signature, target: Target) -> list[int]:
    """Return the block sizes, in rows.

    A block takes at most the size of L2, or of the operands without rows if that is larger.
    """
    row_bytes = sum(_row_bytes(t) for t in signature.arguments)
    fixed = [t for t in signature.arguments if t.rows is None]
    fixed_bytes = sum(prod(t.shape) * element_bytes(t.dtype) for t in fixed)
    most_bytes = max(target.l2_bytes, fixed_bytes)
    fits = [rows for rows in BLOCK_ROWS if rows * row_bytes <= most_bytes]
    return fits if len(fits) >= 2 else list(BLOCK_ROWS[:2])


def _row_bytes(tensor: Tensor) -> int:
    """Return the bytes of a row, 0 for a tensor of fixed size."""
    if tensor.rows is None:
        return 0
    return prod(tensor.shape[1:]) * element_bytes(tensor.dtype)


@dataclass
class RowsProgram(LlvmProgram):
    """The LLVM texts of the programs of all blocks, and of the division of rows into blocks."""

    parts: Sequence[CpuProgram]
    sizes: Sequence[int]
    signature: Signature
    settings: Settings
    checks: Sequence[RowCheck]

    def __post_init__(self) -> None:
        self.weights = self.parts[0].weights
        self.infos = {}
        for part in self.parts:
            self.infos |= part.infos
        self.calls = [name for part in self.parts for name in part.calls]
        self.block_bytes = aligned(max(part.program.arena_bytes for part in self.parts))

    def texts(self) -> Iterator[Text]:
        """Yield the LLVM IR of every kernel, the blocks, the tables and the entry."""
        for part in self.parts:
            yield from part.kernel_texts()
            yield part.main_text()
        strides = [_row_bytes(t) for t in self.signature.arguments]
        text = emit_rows(self.sizes, strides, self.block_bytes, self.checks)
        yield Text("the division of the rows", text)
        yield from entry_texts(self.entry, self.settings.target)

    @property
    def entry(self) -> Entry:
        """The data of the module's entry."""
        largest = self.parts[-1].entry
        inputs, outputs = self.signature.inputs, self.signature.outputs
        return replace(
            largest,
            inputs=tuple(map(_opened, largest.inputs, inputs)),
            outputs=tuple(map(_opened, largest.outputs, outputs)),
            arena_bytes=self.block_bytes * self.settings.max_threads,
            max_threads=self.settings.max_threads,
        )


def _opened(argument: Argument, tensor: Tensor) -> Argument:
    """Return an argument, with a dynamic number of rows if its tensor has one."""
    if tensor.rows is None:
        return argument
    return replace(argument, shape=(-1, *argument.shape[1:]), rows=tensor.rows.name)
