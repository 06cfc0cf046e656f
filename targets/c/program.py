"""A lowered module as C99: a source file and its header.

    static const float w[216] = {..};                        weights
    static union { .. unsigned char bytes[M_ARENA_BYTES]; }  intermediate results
    static void conv_warm(const float *image, ..) {..}       a function per kernel
    int m_run(const float *image, float *scores) {..}        main

In: a module whose buffers are planned, with static sizes.  Out: the two texts.  They contain the
name of the model as `NAME` and `CAPITALS`, which `named` replaces, because only an export knows the
name of its file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...codegen.signature import describe_main
from ...codegen.weights import layout_weights
from ...dialects.packed import CallOp
from ...dialects.shape import size_parameters
from ...lowering.loop_to_c import (
    LANGUAGES,
    RESERVED,
    CKernel,
    Language,
    SourcePrinter,
    c_name,
    emit_kernel,
)
from ...lowering.loop_to_llvm import KernelInfo, kernel_info
from ...lowering.main.main_program import emit_main
from ...machines.target import Target
from ...support.diagnostics import LoweringError
from ...support.entry import entry_of, kernel_functions
from ...support.names import Names
from ..backend import EmittedText
from .memory import check_ram, used_bytes
from .names import argument_names, weights_of
from .source import CArgument, CSource, header_text, source_text


class CProgram:
    """The C source of a lowered module.

    calls: the name of the called kernel, for each call in main.  functions: the C function of each
    kernel, by the kernel's name.

    Errors: LoweringError for symbolic sizes, and for an op that C99 cannot express.
    """

    def __init__(self, module: ModuleOp, target: Target) -> None:
        self.main, self.target = entry_of(module), target
        _check_static(self.main)
        self._kernels = kernel_functions(module)
        self.calls = [op.kernel_name for op in self.main.walk() if isinstance(op, CallOp)]
        self.entry = describe_main(self.main, target)
        self.functions: dict[str, str] = {}
        self.source = self._emitted()

    @property
    def tasks(self) -> Mapping[str, int]:
        """The number of parallel tasks of each kernel: one."""
        return dict.fromkeys((f.sym_name.data for f in self._kernels), 1)

    def texts(self) -> Iterator[EmittedText]:
        """Yield the source file and the header."""
        yield EmittedText("the source", source_text(self.source))
        yield EmittedText("the header", header_text(self.source))

    def _emitted(self) -> CSource:
        _, offsets = layout_weights(self.main, byte_order="little")
        names = Names(RESERVED)
        arguments = [
            CArgument(names.fresh(c_name(each.name)), each, is_input)
            for each, is_input in (
                *((each, True) for each in self.entry.inputs),
                *((each, False) for each in self.entry.outputs),
            )
        ]
        weights = weights_of(self.main, offsets, names)
        functions: dict[str, str] = {}
        infos, kernels = self._functions(functions, names, [each.name for each in weights.values()])
        printer = SourcePrinter(
            kernels,
            {offset: (each.name, each.type) for offset, each in weights.items()},
            [(each.name, each.pointer) for each in arguments],
            LANGUAGES[self.target.kind],
        )
        made = emit_main(self.main, infos, offsets, printer, max_threads=1)
        arena_bytes = used_bytes(self.main, infos) if made.arena_bytes else 0
        check_ram(self.main, infos, arena_bytes, self.target)
        return CSource(
            self.entry.name,
            self.target,
            arguments,
            [each for each in weights.values() if re.search(rf"\b{each.name}\b", made.text)],
            [*functions.values(), *printer.functions],
            list(kernels.values()),
            printer.constants,
            made.text,
            arena_bytes,
            printer.messages,
        )

    def _functions(
        self, functions: dict[str, str], names: Names, weights: Collection[str]
    ) -> tuple[dict[str, KernelInfo], dict[str, CKernel]]:
        """Return the interface of each kernel by name, and its function by symbol.

        functions: a dict to which the functions that kernels call are added, by name.  names: the C
        names in use.  weights: the names of weights.
        """
        calls: dict[str, list[CallOp]] = {}
        for op in self.main.walk():
            if isinstance(op, CallOp):
                calls.setdefault(op.kernel_name, []).append(op)
        parameters, infos = dict[str, list[str]](), dict[str, KernelInfo]()
        for function in (f for f in self._kernels if f.sym_name.data in calls):
            label = function.sym_name.data
            parameters[label] = argument_names(function, calls[label])
            name = names.fresh(c_name(f"{label}_{parameters[label][-1]}"))
            infos[label] = kernel_info(function, name)
        taken = {*weights, *(info.symbol for info in infos.values())}
        kernels: dict[str, CKernel] = {}
        language = LANGUAGES[self.target.kind]
        for function in (f for f in self._kernels if f.sym_name.data in infos):
            label = function.sym_name.data
            name = infos[label].symbol
            kernels[name] = _emitted_kernel(
                function, name, parameters[label], functions, taken, language
            )
            self.functions[label] = kernels[name].text
        return infos, kernels


def _check_static(main: FuncOp) -> None:
    if symbols := size_parameters(main):
        raise LoweringError(
            "C source has static sizes",
            expected="a size for each dimension",
            got=", ".join(symbols),
            hint="--shapes sets sizes of inputs; operators that compute sizes need the target llvm",
        ).at(main)


def _emitted_kernel(
    function: FuncOp,
    name: str,
    arguments: Sequence[str],
    functions: dict[str, str],
    taken: Collection[str],
    language: Language,
) -> CKernel:
    try:
        return emit_kernel(function, name, arguments, functions, taken, language)
    except LoweringError as err:
        raise err.named(f"kernel {function.sym_name.data!r}") from None
