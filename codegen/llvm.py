"""Compile LLVM IR to object code; the only importer of llvmlite.

This module does not know Tilewright's own IR. Callers name LLVM passes one by one: generated
kernels need only ``sroa``, because the emitter has already hoisted and unrolled; scalar code may
request a whole pipeline with ``O1`` to ``O3``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

import llvmlite.binding as _llvm  # pyright: ignore[reportMissingTypeStubs]

from ..runtime.errors import Error

if TYPE_CHECKING:
    from ..machines.target import Target

# llvmlite is untyped: its values are Any, in this file only.
_binding: Any = _llvm

_PIPELINES = {"O1": 1, "O2": 2, "O3": 3}
_PASSES = {
    "always-inline": "add_always_inliner_pass",
    "dce": "add_dead_code_elimination_pass",
    "instcombine": "add_instruction_combine_pass",
    "simplifycfg": "add_simplify_cfg_pass",
    "sroa": "add_sroa_pass",
}


_ABIS = {"riscv64": "lp64d", "loongarch64": "lp64d"}
"""The ABI names of Linux by instruction set, where LLVM's default ABI differs."""

_STATIC = ("wasm32",)
"""The instruction sets with the static relocation model; all others use PIC."""

_FEATURES = {"riscv64": "+m,+a,+f,+d,+c", "loongarch64": "+f,+d,-lsx"}
"""Features that Linux requires by instruction set, beyond LLVM's generic processor."""


@dataclass(frozen=True)
class Machine:
    """The properties of a target that LLVM's code generation needs.

    triple: for example ``x86_64-unknown-linux-gnu``.
    cpu: LLVM's name of the processor; "" is the generic one of the triple.
    features: for example ``+avx2,+fma``; if empty, the features that Linux requires.
    code_model: LLVM's code model.
    """

    triple: str
    cpu: str = ""
    features: str = ""
    code_model: str = "small"

    def __post_init__(self) -> None:
        usual = _FEATURES.get(self.triple.partition("-")[0], "")
        object.__setattr__(self, "features", self.features or usual)

    @classmethod
    def of(cls, target: Target) -> Machine:
        """Return the LLVM machine description of a target."""
        return cls(target.triple, target.llvm_cpu, target.attribute_string)


def set_options(options: Sequence[str]) -> None:
    """Set command-line options of LLVM, such as ``-pre-RA-sched=source``, for this process."""
    for option in options:
        _binding.set_option("tilewright", option)


class CodegenError(Error, RuntimeError):
    """The error for generated code that LLVM refuses: a bug in Tilewright, not in the model."""

    def named(self, part: str) -> CodegenError:
        """Return a new error whose message begins with the name of a part of the program."""
        return CodegenError(f"{part}: {self}")


def compile_ir(
    text: str, target: Machine, *, passes: tuple[str, ...] = ("sroa",), opt_level: int = 2
) -> bytes:
    """Compile LLVM IR to a position-independent object; return the bytes of the object file.

    passes: the LLVM passes to run, in order.  opt_level: the level of LLVM's code generator, 0 to
    3.
    Errors: CodegenError with the offending line if the text does not parse or verify, and for
    inline assembly of a foreign instruction set, whose assembler llvmlite does not initialize.
    """
    if is_foreign(target) and _INLINE_ASSEMBLY.search(text):
        raise CodegenError(f"no assembler for the inline assembly of {target.triple}")
    module, machine = _optimized(text, target, passes, opt_level)
    return bytes(machine.emit_object(module))


def assembly_of(
    text: str, target: Machine, *, passes: tuple[str, ...] = ("sroa",), opt_level: int = 2
) -> str:
    """Compile LLVM IR to assembly; return the text.

    Every back end of LLVM can write assembly, but some cannot write objects.  The parameters and
    errors are those of `compile_ir`.
    """
    module, machine = _optimized(text, target, passes, opt_level)
    return str(machine.emit_assembly(module))


def link_ir(texts: Sequence[str], target: Machine) -> str:
    """Link several LLVM IR modules into one module; return it as LLVM prints it.

    Errors: CodegenError if a text does not parse, or two texts define one name.
    """
    layout = data_layout(target)
    linked: Any = None
    # In a new context, types have the names that the texts give them.
    context = _binding.create_context()
    for text in texts:
        module = _parse(text, target.triple, context)
        module.data_layout = layout
        if linked is None:
            linked = module
            continue
        try:
            linked.link_in(module)
        except RuntimeError as err:
            raise CodegenError(f"texts do not link: {err}") from err
    linked.name = "tilewright"
    return str(linked)


def data_layout(target: Machine) -> str:
    """Return the data layout string that LLVM uses for a target."""
    return str(_target_machine(target, 2).target_data)


@cache
def version() -> str:
    """Return the versions of llvmlite and of its LLVM, on which the generated bytes depend."""
    numbers = ".".join(str(part) for part in _binding.llvm_version_info)
    return f"llvmlite {installed_version('llvmlite')} llvm {numbers}"


def _optimized(
    text: str, target: Machine, passes: tuple[str, ...], opt_level: int
) -> tuple[Any, Any]:
    """Parse LLVM IR and run passes on it; return the module and the target machine of llvmlite."""
    machine = _target_machine(target, opt_level)
    module = _parse(text, target.triple)
    options = _binding.create_pipeline_tuning_options(speed_level=opt_level)
    for name in passes:
        _run_pass(name, module, machine, options)
    return module, machine


def _run_pass(name: str, module: Any, machine: Any, options: Any) -> None:
    if name in _PIPELINES:
        options.speed_level = _PIPELINES[name]
        builder = _binding.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return
    if name not in _PASSES:
        known = ", ".join((*_PIPELINES, *_PASSES))
        raise CodegenError(f"unknown LLVM pass {name!r}\n    expected: one of {known}")
    builder = _binding.create_pass_builder(machine, options)
    manager = _binding.create_new_module_pass_manager()
    getattr(manager, _PASSES[name])()
    manager.run(module, builder)


@cache
def _initialize(everything: bool) -> None:
    """Initialize LLVM's back end for this machine, or all back ends that llvmlite contains.

    everything: whether to initialize all.
    """
    if everything:
        _binding.initialize_all_targets()
        _binding.initialize_all_asmprinters()
    else:
        _binding.initialize_native_target()
        _binding.initialize_native_asmprinter()
        # The target's own assembler parses inline assembly (pause, amx).
        _binding.initialize_native_asmparser()


_INLINE_ASSEMBLY = re.compile(r"\basm (?:sideeffect |alignstack )*\"[^\"]")


def is_foreign(target: Machine) -> bool:
    """Return whether a target has another instruction set than this machine."""
    host = _binding.get_process_triple()
    return target.triple.partition("-")[0] != host.partition("-")[0]


def _target_machine(target: Machine, opt_level: int) -> Any:
    """Return a new LLVM target machine.

    Errors: CodegenError if LLVM does not know the triple.
    """
    _initialize(is_foreign(target))
    try:
        found = _binding.Target.from_triple(target.triple)
    except RuntimeError as err:
        raise CodegenError(f"LLVM has no back end for {target.triple}: {err}") from err
    architecture = target.triple.partition("-")[0]
    return found.create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=opt_level,
        reloc="static" if architecture in _STATIC else "pic",
        codemodel=target.code_model,
        abiname=_ABIS.get(architecture, ""),
    )


def _parse(text: str, triple: str, context: Any = None) -> Any:
    """Parse and verify LLVM IR; return the module of llvmlite.

    context: the LLVM context of the module; None is LLVM's global context.
    Errors: CodegenError with the line, its number and LLVM's message.
    """
    try:
        module = _binding.parse_assembly(text, context)
    except RuntimeError as err:
        raise CodegenError(_described(text, str(err))) from err
    module.triple = triple
    try:
        module.verify()
    except RuntimeError as err:
        raise CodegenError(_described(text, str(err))) from err
    return module


def _described(text: str, message: str) -> str:
    """Return an error text that quotes the line of generated IR that LLVM rejects."""
    lines = text.splitlines()
    number = _line_number(lines, message)
    complaint = message.removeprefix("LLVM IR parsing error\n").strip()
    if number is None:
        return f"generated LLVM IR is invalid (a bug in Tilewright)\n    got: {complaint}"
    first, last = max(0, number - 3), min(len(lines), number + 2)
    marks = (
        f"    {'>' if at + 1 == number else ' '} {at + 1}: {lines[at]}" for at in range(first, last)
    )
    excerpt = "\n".join(marks)
    return (
        f"generated LLVM IR is invalid at line {number} (a bug in Tilewright)\n"
        f"    got: {complaint}\n{excerpt}"
    )


def _line_number(lines: list[str], message: str) -> int | None:
    position = re.search(r"<string>:(\d+):\d+:", message)
    if position is not None:
        return int(position[1])
    printed = [_squeezed(line) for line in message.splitlines()[1:] if line.strip()]
    # The verifier prints the definition first and the offending use last.
    for wanted in reversed(printed):
        for number, line in enumerate(lines, 1):
            if _squeezed(line) == wanted:
                return number
    return None


def _squeezed(line: str) -> str:
    return " ".join(line.partition(";")[0].split())
