"""The text of every kernel of a program at every level, without incidental names.

In: a module of graph ops, or of a lower level, and a target. Out: for each kernel its text at the
levels te, sched, loop, for GPUs simt, and as code: LLVM IR, or the source language of the target.
Names of values, kernels, computes and axes become numbers in the order in which they appear, and
the names of the model's nodes are left out: a text changes only with the code that it describes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.dialects.sched import ScriptOp
from tilewright.dialects.te import KernelOp, kernels_of
from tilewright.driver.passes.pipeline import first_stage, run_pipeline
from tilewright.driver.settings import CompilationSettings
from tilewright.support.entry import entry_of, kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.backend import Backend
from tilewright.targets.cpu.emit.program import CpuProgram
from tilewright.targets.gpu.emission import GpuEmitter, GpuProgram

LEVELS = ("te", "sched", "loop", "simt", "code")
"""The levels with texts. Only GPUs have the level simt."""
MAIN = "main"
"""The name of the program that calls the kernels; its only level is code."""
THREADS = 2
"""Threads that memory is planned for; by default this number depends on the machine."""

_COSTS = ("cost", "tw.cost")
"""Attributes that hold names of the model's nodes."""
_CALLS, _TABLES = "; the calls of the kernels", "; the tables of the entry"
_VALUE = r"%[\w.$-]+|\btw[._]k[._]?\d+\b"
_CONSTANT = re.compile(r"packed\.constant <.*> : ")

Texts = Mapping[str, Mapping[str, str]]
"""Texts by kernel and level."""


def texts_of(module: ModuleOp, settings: CompilationSettings) -> Texts:
    """Return the texts of all kernels of a module, which is consumed."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    backend, start = settings.backend, first_stage(module, settings.backend)
    for level in [level for level in LEVELS if level in backend.levels_from(start)]:
        start = _lower(module, settings, start, level)
        for name, text in _level_texts(module, level):
            texts[name][level] = text
    # Equal kernels become one on the way to level sched; the others have only a text of level te.
    texts = {name: each for name, each in texts.items() if set(each) != {"te"}}
    _lower(module, settings, start, backend.last_level)
    for name, text in _code(module, settings):
        texts.setdefault(name, {})["code"] = text
    return texts


def _lower(module: ModuleOp, settings: CompilationSettings, start: str, level: str) -> str:
    """Lower a module from a stage to a level; return the stage that follows."""
    backend = settings.backend
    run_pipeline(
        module,
        new_context(),
        settings.target,
        start=start,
        to=level,
        precision=settings.precision,
    )
    return _stage_after(backend, level, start)


def _stage_after(backend: Backend, level: str, start: str) -> str:
    names, order = backend.stage_names(), list(backend.levels)
    through = [s.name for s in backend.stages if order.index(s.level) <= order.index(level)]
    return names[min(max(len(through), names.index(start)), len(names) - 1)]


def _level_texts(module: ModuleOp, level: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each kernel of a module at a level."""
    kernels: Sequence[KernelOp | FuncOp] = kernels_of(module) or kernel_functions(module)
    scripts = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    for kernel in kernels:
        name = kernel.sym_name.data
        script = scripts.get(name) if level == "sched" else None
        ops = [kernel] if script is None else [kernel, script]
        yield name, renamed("\n".join(map(_printed, ops)), _names(ops))


def _printed(op: Operation) -> str:
    """Print an op without the attributes that name nodes of the model."""
    places = (op.properties, op.attributes)
    dropped = [(place, key, place.pop(key)) for place in places for key in _COSTS if key in place]
    text = str(op)
    for place, key, value in dropped:
        place[key] = value
    return text


def _names(ops: Iterable[Operation]) -> set[str]:
    """Return the names of kernels, computes and axes."""
    found: set[str] = set()
    for op in (inner for each in ops for inner in each.walk()):
        label, axes = op.properties.get("sym_name"), op.properties.get("axes")
        if isinstance(label, StringAttr):
            found.add(label.data)
        if isinstance(axes, ArrayAttr):
            found |= {axis.data for axis in axes if isinstance(axis, StringAttr)}
    return found


def renamed(text: str, names: Iterable[str] = ()) -> str:
    """Replace value names, and these names, by numbers in the order of their first appearance."""
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = rf"{_VALUE}|(?<![\w.])(?:{words})(?![\w.])" if words else _VALUE
    numbers: dict[str, str] = {}
    return re.sub(pattern, lambda m: numbers.setdefault(m[0], f"%{len(numbers)}"), text)


def _code(module: ModuleOp, settings: CompilationSettings) -> Iterator[tuple[str, str]]:
    """Yield the name and the code of each kernel, and the calls of main."""
    emitter = settings.backend.new_emitter(settings.target, None)
    program = emitter.emit(module, THREADS)
    if isinstance(program, CpuProgram):
        for part in program.texts():
            if part.kernel:
                yield part.kernel, renamed(part.source)
            elif f"; {part.label}" == _CALLS:
                yield MAIN, renamed(part.source)
        return
    assert isinstance(program, GpuProgram), "a program for a GPU"
    assert isinstance(emitter, GpuEmitter), "an emitter for a GPU"
    for name, (_, function) in program.kernels().items():
        yield name, renamed(emitter.print_kernels([("tw_k0", function)], emitter.printed))
    main = entry_of(module)
    names = [kernel.sym_name.data for kernel in kernel_functions(module)]
    yield MAIN, renamed(_CONSTANT.sub("packed.constant : ", _printed(main)), names)
