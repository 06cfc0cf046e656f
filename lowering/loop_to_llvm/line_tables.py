"""Line tables, which map each instruction of a kernel to a line of the printed program.

     %t3 = fadd float %t2, 1.0    ==>     %t3 = fadd float %t2, 1.0, !dbg !7

Input: the instructions of a kernel, and the line of each op. Output: the instructions with
locations, and the metadata from which LLVM writes ``.loc`` directives or DWARF sections. An
instruction belongs to the innermost op for which it was emitted; address computations before a loop
belong to the loop. LLVM generates the same machine code with and without locations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from xdsl.ir import Operation

from ...machines.target import Target
from .emitter import KernelEmitter
from .op_emitter import Handlers

_MARK = ", !dbg !"
# Metadata in front of the locations, after the empty node that the emitter uses.
_UNIT, _FILE, _FUNCTION, _TYPE, _TYPES, _VERSION, _DWARF, _FIRST_LOCATION = range(1, 9)


class LineForm(StrEnum):
    """What LLVM writes for locations: only directives in assembly text, or also DWARF sections."""

    DIRECTIVES = "DebugDirectivesOnly"
    SECTIONS = "FullDebug"


@dataclass(frozen=True)
class LineTable:
    """The line of each op in the printed program.

    file: the name of the file with the printed program, which debuggers open.
    form: what LLVM writes for locations.
    lines: the line number, by op.
    """

    file: str
    form: LineForm
    lines: Mapping[Operation, int]


@dataclass(frozen=True)
class KernelLines:
    """The lines of the ops of one function, a kernel or main, in the printed program.

    table: the lines of the whole program.
    function: the function op.
    name: the name that debuggers show for the function.
    """

    table: LineTable
    function: Operation
    name: str

    @property
    def first(self) -> int:
        """The line of the function op."""
        return self.table.lines[self.function]


class Locations:
    """The locations of the instructions of one function under construction.

    A location is the line of an op in the printed program.
    """

    def __init__(self, lines: KernelLines) -> None:
        self._function, self._numbers = lines, dict[int, int]()

    def mark(self, lines: list[str], start: int, op: Operation) -> None:
        """Set the location of some instructions that have none yet to the line of an op.

        lines, start: the instructions are ``lines[start:]``.
        """
        if (line := self._function.table.lines.get(op)) is not None:
            self._mark(lines, start, line)

    def finished(self, module: list[str], function: str = "define ") -> list[str]:
        """Add locations and metadata to a finished module; return its lines.

        Instructions without a location get the line of the function.
        module: the lines of the module.
        function: the start of the line with the function's definition, which must be the last
        definition of the module.
        """
        start = next(n for n, line in enumerate(module) if line.startswith(function))
        self._mark(module, start, self._function.first)
        module[start] = f"{module[start].removesuffix(' {')} !dbg !{_FUNCTION} {{"
        return [*module, *_metadata(self._function), *_located(self._numbers)]

    def _mark(self, lines: list[str], start: int, line: int) -> None:
        number = self._numbers.setdefault(line, _FIRST_LOCATION + len(self._numbers))
        for position in range(start, len(lines)):
            text = lines[position]
            if text.startswith(" ") and _MARK not in text:
                lines[position] = f"{text}{_MARK}{number}"


class LocatedEmitter(KernelEmitter):
    """A kernel emitter that marks each instruction with the line of its op."""

    def __init__(
        self,
        target: Target,
        handlers: Handlers,
        lines: KernelLines,
        *,
        strict_math: bool = False,
    ) -> None:
        super().__init__(target, handlers, strict_math=strict_math)
        self._locations = Locations(lines)

    def emit_op(self, op: Operation) -> None:
        lines, start = self.lines, len(self.lines)
        super().emit_op(op)
        self._locations.mark(lines, start, op)

    def finished(self, module: list[str]) -> list[str]:
        return self._locations.finished(module)


def _metadata(lines: KernelLines) -> list[str]:
    file, name = _quoted(lines.table.file), _quoted(lines.name)
    return [
        f"!llvm.dbg.cu = !{{!{_UNIT}}}",
        f"!llvm.module.flags = !{{!{_VERSION}, !{_DWARF}}}",
        f"!{_UNIT} = distinct !DICompileUnit(language: DW_LANG_C99, file: !{_FILE}, "
        f'producer: "tilewright", isOptimized: true, runtimeVersion: 0, '
        f"emissionKind: {lines.table.form}, nameTableKind: None)",
        f'!{_FILE} = !DIFile(filename: {file}, directory: "")',
        f"!{_FUNCTION} = distinct !DISubprogram(name: {name}, scope: !{_FILE}, file: !{_FILE}, "
        f"line: {lines.first}, type: !{_TYPE}, scopeLine: {lines.first}, "
        f"spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !{_UNIT})",
        f"!{_TYPE} = !DISubroutineType(types: !{_TYPES})",
        f"!{_TYPES} = !{{null}}",
        f'!{_VERSION} = !{{i32 2, !"Debug Info Version", i32 3}}',
        # Version 4: each unit needs no sections but info, abbreviations, strings and lines.
        f'!{_DWARF} = !{{i32 7, !"Dwarf Version", i32 4}}',
    ]


def _located(locations: Mapping[int, int]) -> list[str]:
    return [
        f"!{number} = !DILocation(line: {line}, scope: !{_FUNCTION})"
        for line, number in locations.items()
    ]


def _quoted(name: str) -> str:
    """Return a string in quotes, escaped as in LLVM IR."""
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in name.encode())
    return f'"{"".join(plain)}"'
