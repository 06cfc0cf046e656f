"""Main as LLVM IR: the printer of main, the program's host function, for LLVM's targets.

    printer.copy(%y, %x, 16)   =>   call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 16, i1 0)

In: calls of the methods of a `MainPrinter` (printer.py), and the platform, which has the width of
addresses; LLVM shortens offsets of 64 bits to that width.  Out: a printed LLVM module that defines

    define hidden i32 @tw_run(ptr %data, ptr %arena, i32 %threads)
    define hidden i32 @tw_derive(ptr %sizes, i32 %stage)

Weights are at ``load @__tw_weights`` + offset, the function of the pool is in ``@__tw_pool``, and
the functions of the process are in ``@__tw_externs``.  The text of the functions that every such
module defines is in llvm_functions.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...machines.platforms import Platform
from ...runtime.abi.constants import SYMBOL_EXTERNS, DeviceType, TypeIndex
from ..loop_to_llvm import KernelLines, Locations
from ..loop_to_llvm.text import LlvmLines
from .llvm_functions import CHECK_TYPE, CONCAT_TASK, DROP, LAUNCH, LAUNCH_SIZED, SCAN
from .llvm_integers import LlvmIntegers
from .printer import CONCAT, Check, Integers, MainPrinter, SizeFunction, Value

SIGNATURE = "(ptr %data, ptr %arena, i32 %threads)"
"""The parameters of main."""

_TRACE = (
    "declare hidden void @__tw_trace_step(i64, i64, i64, i64)",
    "declare hidden i32 @__tw_trace_launch(ptr, ptr, i64, i32)",
    "declare hidden i32 @__tw_trace_sections(ptr, ptr, i64, i32)",
)
_BEGIN = " call void @__tw_trace_step(i64 -1, i64 0, i64 0, i64 0)"
_MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
# The function of the entry code that begins a new stage of main.
_BIND = "declare hidden ptr @tw_bind(ptr, i32, i64)"
# The function of entry.c that is called if a slot is empty; its handle is the missing name.
_MISSING = "tw_missing_function"
_EXTENSION = {"i64": "bitcast", "i32": "sext"}
"""The LLVM op that extends an element to i64."""


def suffix_of(version: int | None) -> str:
    """Return the suffix that the functions of a version of main have in their names.

    version: the number of the version; None if there is one version only, whose suffix is "".
    """
    return "" if version is None else f".{version}"


class _LlvmSizeFunction(SizeFunction):
    """An LLVM function under construction that computes entries of the table of sizes."""

    number = "%number"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self.integers: Integers = LlvmIntegers(self)

    def emit(self, instruction: str) -> Value:
        """Append an instruction; return the name of its result."""
        self.lines.append(f" %t{len(self.lines)} = {instruction}")
        return f"%t{len(self.lines) - 1}"

    def load(self, position: int) -> Value:
        at = self.emit(f"getelementptr i64, ptr %sizes, i64 {position}")
        return self.emit(f"load i64, ptr {at}, align 8")

    def store(self, position: int, value: Value) -> None:
        at = self.emit(f"getelementptr i64, ptr %sizes, i64 {position}")
        self.lines.append(f" store i64 {value}, ptr {at}, align 8")

    def finish(self, negative: Value, overflow: Value) -> None:
        self.lines += [
            f" %negative = select i1 {negative}, i32 2, i32 0",
            f" %status = select i1 {overflow}, i32 1, i32 %negative",
            " ret i32 %status",
        ]

    def definition(self, head: str) -> list[str]:
        """Return the lines of the whole function.

        head: the first line, which begins the definition.
        """
        return [head, "entry:", *self.lines, "}"]


@dataclass
class _Branch:
    """A branch of main under construction.

    then, otherwise, after: the labels of the two blocks and of the code after the branch.
    ends: for each of the two blocks, the addresses that it yields and the label of its last block.
    """

    then: str
    otherwise: str
    after: str
    ends: list[tuple[Sequence[Value], str]] = field(default_factory=list)


@dataclass
class _OpenLoop:
    """A loop of main under construction.

    test, body, after: the labels of the condition, of the body, and of the code after the loop.
    at: the position among the printed lines at which its phi instructions are inserted.
    before: the label of the block from which the loop is entered.
    following: the printed number of the next iteration.
    values: the result, the type and the first value of each phi instruction.
    """

    test: str
    body: str
    after: str
    at: int = 0
    before: str = ""
    following: Value = ""
    values: list[tuple[Value, str, Value]] = field(default_factory=list)


class LlvmPrinter(LlvmLines, MainPrinter):
    """A printer of main, the host function of a program, in LLVM IR.

    platform: the system that runs main.
    lines: the lines of the ops of main in the printed program; None for code without a line table.
    """

    threads = "%threads"

    def __init__(self, platform: Platform, lines: KernelLines | None = None) -> None:
        super().__init__()
        self._pointer_bytes = platform.pointer_bytes
        self._locations = None if lines is None else Locations(lines)
        self.integers: Integers = LlvmIntegers(self)
        self._is_traced, self._argument_count = False, 0
        self._starts: list[int] = []
        self._branches: list[_Branch] = []
        self._loops: list[_OpenLoop] = []
        self._pointers = self._sections = 1
        self._sizes: list[str] = []
        self._has_table = self._has_concat = self._has_sized_check = False
        self._concats: list[str] = []
        self._checks: list[str] = []
        self._elements: set[str] = set()
        self._externs: set[int] = set()
        self._constants: list[str] = []
        self._extern_arguments = self._extern_tensors = 0
        self._iterations: dict[int, _LlvmSizeFunction] = {}
        self._stages: dict[int, _LlvmSizeFunction] = {}

    def _line(self, instruction: str) -> None:
        self.lines.append(f" {instruction}")

    def _pointer_at(self, address: Value) -> Value:
        return self.emit(f"load ptr, ptr {address}, align {self._pointer_bytes}")

    # ---- main and its ops

    def begin_main(self, main: FuncOp, *, is_traced: bool) -> None:
        self._argument_count = len(main.body.block.args)
        self._is_traced = is_traced

    def begin_op(self, op: Operation) -> None:
        self._starts.append(len(self.lines))

    def end_op(self, op: Operation) -> bool:
        start = self._starts.pop()
        if self._locations is not None:
            self._locations.mark(self.lines, start, op)
        return len(self.lines) > start

    def finish(self) -> None:
        self._line("ret i32 0")

    def _end_if(self, condition: Value, status: str) -> None:
        """Append a branch that returns from main with ``status`` if a condition holds."""
        following = f"C{self._count}"
        self.branch(condition, f"fail{following}", following)
        self.lines += [f"fail{following}:", f" ret i32 {status}"]
        self.start(following)

    def _checked(self, call: str) -> None:
        """Append a call whose status main returns at once, unless it is 0.

        call: the function and the arguments.
        """
        status = self.emit(f"call i32 {call}")
        self._end_if(self.emit(f"icmp ne i32 {status}, 0"), status)

    # ---- memory

    def argument(self, position: int) -> Value:
        return self._pointer_at(self.emit(f"getelementptr ptr, ptr %data, i64 {position}"))

    def weight(self, offset: int, name: str) -> Value:
        return self.within("%weights", offset)

    def buffer(self, stage: int, offset: int | Value, name: str) -> Value:
        return self.within(self.block_name(stage), offset)

    @staticmethod
    def block_name(stage: int) -> Value:
        """Return the name of the value with the address of an arena block.

        stage: the stage of main to which the block belongs.
        """
        return f"%arena.{stage}" if stage else "%arena"

    def within(self, address: Value, offset: int | Value) -> Value:
        return self.emit(f"getelementptr i8, ptr {address}, i64 {offset}")

    def is_same(self, x: Value, y: Value) -> Value:
        return self.emit(f"icmp eq ptr {x}, {y}")

    def zero_if(self, condition: Value, x: Value) -> Value:
        return self.emit(f"select i1 {condition}, i64 0, i64 {x}")

    def copy(self, target: Value, source: Value, size: Value) -> None:
        self.declarations.add(_MEMCPY)
        arguments = f"ptr {target}, ptr {source}, i64 {size}, i1 0"
        self._line(f"call void @llvm.memcpy.p0.p0.i64({arguments})")

    def load_number(self, address: Value) -> Value:
        return self.emit(f"load i64, ptr {address}, align 8")

    def load_element(self, address: Value, position: int) -> Value:
        return self.load_number(self._entry(address, position))

    def store_number(self, address: Value, value: Value) -> None:
        self._line(f"store i64 {value}, ptr {address}, align 8")

    def load_condition(self, address: Value) -> Value:
        byte = self.emit(f"load i8, ptr {address}, align 1")
        return self.emit(f"icmp ne i8 {byte}, 0")

    def size(self, position: int) -> Value:
        return self.load_number(self.sizes(position))

    def sizes(self, position: int) -> Value:
        return self._entry("%sizes", position)

    def _entry(self, address: Value, position: int) -> Value:
        return self.emit(f"getelementptr i64, ptr {address}, i64 {position}")

    # ---- calls of kernels

    def store_arguments(self, addresses: Sequence[Value], first: int) -> None:
        self._pointers = max(self._pointers, first + len(addresses))
        for position, address in enumerate(addresses, first):
            slot = self.arguments_from(position)
            self._line(f"store ptr {address}, ptr {slot}, align {self._pointer_bytes}")

    def arguments_from(self, first: int) -> Value:
        return self.emit(f"getelementptr ptr, ptr %args, i64 {first}")

    def one_thread_if_zero(self, size: Value) -> Value:
        is_zero = self.emit(f"icmp eq i64 {size}, 0")
        return self.emit(f"select i1 {is_zero}, i32 1, i32 %threads")

    def _function(self, name: str) -> str:
        """Return the symbol of a kernel, and note that the module must declare the kernel.

        name: the symbol, or `CONCAT`, a helper function that the module then defines.
        """
        if name == CONCAT:
            self._has_concat = True
            self.declarations.add(_MEMCPY)
        else:
            self.declarations.add(f"declare hidden void @{name}(ptr, i64, i64)")
        return f"@{name}"

    def run_task(self, function: str) -> None:
        self._line(f"call void {self._function(function)}(ptr %args, i64 0, i64 0)")

    def run_tasks(self, function: str, count: int) -> None:
        arguments = f"ptr {self._function(function)}, ptr %args, i64 {count}"
        self._line(f"call void @tw_run_tasks({arguments})")

    def launch(self, function: str, count: Value, threads: Value, *, is_sized: bool) -> None:
        arguments = f"ptr {self._function(function)}, ptr %args, i64 {count}, i32 {threads}"
        self._launch("__tw_trace_launch", arguments, is_sized=is_sized)

    def _launch(self, traced: str, arguments: str, *, is_sized: bool) -> None:
        """Append a call of the function that runs tasks in several threads.

        traced: the name of the function that a profiled main calls instead; it also records the
        time.
        arguments: the arguments of the call, which are the same for both functions.
        is_sized: whether the number of tasks is known only at run time, so that it may be 0 or 1.
        """
        plain = "tw_launch_sized" if is_sized else "tw_launch"
        self._checked(f"@{traced if self._is_traced else plain}({arguments})")

    def section(self, position: int, function: str, arguments: Value, count: Value) -> None:
        self._sections = max(self._sections, position + 1)
        fields = f"ptr {self._function(function)}", f"ptr {arguments}", f"i64 {count}"
        for field_, value in enumerate(fields):
            row = f"%section, ptr %sections, i64 {position}, i32 {field_}"
            slot = self.emit(f"getelementptr {row}")
            bytes_ = 8 if value.startswith("i64") else self._pointer_bytes
            self._line(f"store {value}, ptr {slot}, align {bytes_}")

    def launch_sections(self, count: Value, *, is_sized: bool) -> None:
        arguments = f"ptr @tw_section_task, ptr %sections, i64 {count}, i32 %threads"
        self._launch("__tw_trace_sections", arguments, is_sized=is_sized)

    def concat_table(self, fields: Sequence[int]) -> Value:
        name = f"@tw_concat_{len(self._concats)}"
        self._concats.append(f"{name} = internal constant {_numbers(fields)}")
        return name

    def bind(self, stage: int, value: Value) -> None:
        self.declarations.add(_BIND)
        block = self.block_name(stage)
        self._line(f"{block} = call ptr @tw_bind(ptr %data, i32 {stage}, i64 {value})")
        self._end_if(self.emit(f"icmp eq ptr {block}, null"), "-1")

    def iterate(self, loop: int, number: Value) -> None:
        self._checked(f"@tw_iterate.{loop}(ptr %sizes, i64 {number})")

    def trace_step(self, number: int, tasks: Value, flops: Value, moved: Value) -> None:
        arguments = ", ".join(f"i64 {value}" for value in (number, tasks, flops, moved))
        self._line(f"call void @__tw_trace_step({arguments})")

    # ---- checks of indices

    def check_table(self, check: Check) -> tuple[Value, Value]:
        number = len(self._checks) // 4
        place, shape, sizes, table = (
            f"@tw_check_{word}{number}" for word in ("place_", "shape_", "sizes_", "")
        )
        fields = (
            f"ptr {place}", f"ptr {shape}", f"i64 {len(check.shape)}", f"i64 {check.elements}",
            f"i64 {check.columns}", f"i64 {-1 if check.wraps else 0}",
        )  # fmt: skip
        self._checks += [
            f"{place} = internal constant {_string(check.place)}",
            f"{shape} = internal constant {_numbers(check.shape)}",
            f"{sizes} = internal constant {_numbers(check.bounds)}",
            f"{table} = internal constant %check {{ {', '.join(fields)} }}",
        ]
        return table, sizes

    def sized_check(self, table: Value, shape: Value, elements: Value) -> Value:
        self._has_sized_check = True
        fields = self.emit(f"load %check, ptr {table}, align 8")
        for position, value in ((1, f"ptr {shape}"), (3, f"i64 {elements}")):
            fields = self.emit(f"insertvalue %check {fields}, {value}, {position}")
        self._line(f"store %check {fields}, ptr %check, align 8")
        return "%check"

    def check_indices(self, element: str, address: Value, table: Value, bounds: Value) -> None:
        self._elements.add(element)
        self._checked(f"@tw_check_{element}(ptr {address}, ptr {table}, ptr {bounds})")

    # ---- functions of the process

    def constant_sizes(self, sizes: Sequence[int]) -> Value:
        return self._constant(_numbers(sizes))

    def _constant(self, constant: str) -> Value:
        self._constants.append(constant)
        return f"@tw_extern_{len(self._constants) - 1}"

    def store_tensor(
        self, position: int, address: Value, dtype: int, rank: int, shape: Value
    ) -> None:
        self._extern_tensors = max(self._extern_tensors, position + 1)
        fields = (
            f"ptr {address}", f"i32 {int(DeviceType.CPU)}", "i32 0", f"i32 {rank}", f"i32 {dtype}",
            f"ptr {shape}", "ptr null", "i64 0",
        )  # fmt: skip
        self._store_row("%tensor", "%extern_tensors", position, fields)

    def tensor_argument(self, position: int, tensor: int) -> None:
        row = self.emit(f"getelementptr %tensor, ptr %extern_tensors, i64 {tensor}")
        self._store_value(position, TypeIndex.TENSOR_PTR, f"ptr {row}")

    def number_argument(self, position: int, kind: TypeIndex, value: Value) -> None:
        self._store_value(position, kind, f"i64 {value}")

    def text_argument(self, position: int, text: str) -> None:
        payload = self._constant(_string(text))
        self._store_value(position, TypeIndex.RAW_STR, f"ptr {payload}")

    def _store_value(self, position: int, kind: TypeIndex, payload: str) -> None:
        self._extern_arguments = max(self._extern_arguments, position + 1)
        fields = f"i32 {int(kind)}", "i32 0", payload
        self._store_row("%value", "%extern_values", position, fields)

    def _store_row(self, type_: str, base: str, position: int, fields: Sequence[str]) -> None:
        for number, value in enumerate(fields):
            at = self.emit(f"getelementptr {type_}, ptr {base}, i64 {position}, i32 {number}")
            self._line(f"store {value}, ptr {at}")

    def call_extern(self, slot: int, name: str, count: int) -> None:
        self._externs.add(slot)
        self._store_row("%value", "%extern_result", 0, ("i32 0", "i32 0", "i64 0"))
        code, handle = (
            self._pointer_at(self.emit(f"getelementptr ptr, ptr @{SYMBOL_EXTERNS}, i64 {n}"))
            for n in (2 * slot, 2 * slot + 1)
        )
        missing = self.emit(f"icmp eq ptr {code}, null")
        function = self.emit(f"select i1 {missing}, ptr @{_MISSING}, ptr {code}")
        text = self._constant(_string(name))
        handle = self.emit(f"select i1 {missing}, ptr {text}, ptr {handle}")
        arguments = f"ptr {handle}, ptr %extern_values, i32 {count}, ptr %extern_result"
        status = self.emit(f"call i32 {function}({arguments})")
        self._line("call void @tw_drop(ptr %extern_result)")
        self._end_if(self.emit(f"icmp ne i32 {status}, 0"), status)

    # ---- control flow

    def _fresh(self, word: str) -> str:
        return f"{word}{self.number()}"

    def begin_branch(self) -> None:
        then, otherwise, after = map(self._fresh, ("then", "else", "after"))
        self._branches.append(_Branch(then, otherwise, after))

    def begin_then(self, condition: Value) -> None:
        branch = self._branches[-1]
        self.branch(condition, branch.then, branch.otherwise)
        self.start(branch.then)

    def begin_else(self, results: Sequence[Value]) -> None:
        self._end_block(results)
        self.start(self._branches[-1].otherwise)

    def end_branch(self, results: Sequence[Value]) -> Sequence[Value]:
        self._end_block(results)
        branch = self._branches.pop()
        self.start(branch.after)
        made: list[Value] = []
        for number in range(len(results)):
            ends = ", ".join(f"[ {values[number]}, %{label} ]" for values, label in branch.ends)
            made.append(self.emit(f"phi ptr {ends}"))
        return made

    def _end_block(self, results: Sequence[Value]) -> None:
        branch = self._branches[-1]
        branch.ends.append((results, self.label))
        self.jump(branch.after)

    def begin_loop(self) -> None:
        self._loops.append(
            _OpenLoop(self._fresh("test"), self._fresh("body"), self._fresh("after"))
        )

    def enter_loop(
        self, inits: Sequence[Value], trip: Value | None, condition: Value
    ) -> tuple[Value, Sequence[Value]]:
        loop = self._loops[-1]
        loop.before = self.label
        self.jump(loop.test)
        self.start(loop.test)
        loop.at = len(self.lines)
        number, goes_on = self._fresh("%n"), self._fresh("%c")
        carried = [self._fresh("%p") for _ in inits]
        loop.values = [(number, "i64", "0"), (goes_on, "i1", condition)]
        loop.values += [(name, "ptr", first) for name, first in zip(carried, inits, strict=True)]
        more = goes_on
        if trip is not None:
            below = self.emit(f"icmp slt i64 {number}, {trip}")
            more = self.emit(f"and i1 {below}, {goes_on}")
        self.branch(more, loop.body, loop.after)
        self.start(loop.body)
        return number, carried

    def next_iteration(self) -> None:
        loop = self._loops[-1]
        loop.following = self.emit(f"add i64 {loop.values[0][0]}, 1")

    def end_loop(self, condition: Value, carried: Sequence[Value]) -> None:
        loop = self._loops.pop()
        end = self.label
        self.jump(loop.test)
        later = (loop.following, condition, *carried)
        self.lines[loop.at : loop.at] = [
            f" {name} = phi {type_} [ {first}, %{loop.before} ], [ {next_}, %{end} ]"
            for (name, type_, first), next_ in zip(loop.values, later, strict=True)
        ]
        self.start(loop.after)

    # ---- sizes and the module

    def iteration(self, loop: int) -> SizeFunction:
        return self._iterations.setdefault(loop, _LlvmSizeFunction())

    def derivation(self, stage: int) -> SizeFunction:
        return self._stages.setdefault(stage, _LlvmSizeFunction())

    def take_sizes(self, entries: Sequence[str]) -> None:
        self._has_table = True
        address = f"getelementptr ptr, ptr %data, i64 {self._argument_count}"
        self._sizes = [
            f" %sizes_at = {address}",
            f" %sizes = load ptr, ptr %sizes_at, align {self._pointer_bytes}",
        ]

    def make_sizes(self, entries: Sequence[str], numbers: Sequence[tuple[int, int]]) -> None:
        self._has_table = bool(entries)
        self._sizes = [f" %sizes = alloca [{max(1, len(entries))} x i64], align 8"]
        for position, number in numbers:
            self._sizes += [
                f" %size{position} = getelementptr i64, ptr %sizes, i64 {position}",
                f" store i64 {number}, ptr %size{position}, align 8",
            ]

    def module(self, version: int | None) -> str:
        suffix = suffix_of(version)
        lines = [
            *self._globals(),
            *sorted(self.declarations),
            *self._definitions(),
            *self._size_functions(suffix),
            *self._launches(),
            *(_TRACE if self._is_traced else []),
            f"define hidden i32 {self._head(suffix)} nounwind {{",
            "entry:",
            *self._allocations(),
            *([_BEGIN] if self._is_traced else []),
            *self._sizes,
            self._weights(),
            *self.lines,
            "}",
            "",
        ]
        if self._locations is not None:
            lines = [*self._locations.finished(lines, "define hidden i32 @tw_run"), ""]
        return "\n".join(lines)

    def _head(self, suffix: str) -> str:
        """Return the name and the parameters of main, as in its definition.

        suffix: the end of its name, for this version of main.
        """
        return f"@tw_run{suffix}{SIGNATURE}"

    def _globals(self) -> list[str]:
        """Return the declarations of the global variables that main reads."""
        return ["@__tw_weights = external global ptr", "@__tw_pool = external global ptr"]

    def _launches(self) -> list[str]:
        """Return the definitions of the functions that distribute tasks among threads."""
        sized = [LAUNCH_SIZED] if self._has_table else []
        return [LAUNCH.format(pointer_bytes=self._pointer_bytes), *sized]

    def _weights(self) -> str:
        """Return the instruction that loads the address of the weights."""
        return self._weights_of("@__tw_weights")

    def _weights_of(self, slot: str) -> str:
        return f" %weights = load ptr, ptr {slot}, align {self._pointer_bytes}"

    def _definitions(self) -> list[str]:
        """Return the definitions of main's constants, and of helper functions that use them."""
        lines: list[str] = []
        if self._externs:
            slots = 2 * (max(self._externs) + 1)
            lines.append(f"@{SYMBOL_EXTERNS} = global [{slots} x ptr] zeroinitializer")
            constants = enumerate(self._constants)
            lines += [f"@tw_extern_{n} = internal constant {each}" for n, each in constants]
            lines.append(f"declare hidden i32 @{_MISSING}(ptr, ptr, i32, ptr)")
            lines.append(DROP.format(pointer_bytes=self._pointer_bytes))
        if self._checks:
            lines += [CHECK_TYPE, *self._checks]
            elements = sorted(self._elements)
            lines += [SCAN.format(type=each, extend=_EXTENSION[each]) for each in elements]
        if self._has_concat:
            lines += [*self._concats, CONCAT_TASK.format(pointer_bytes=self._pointer_bytes)]
        return lines

    def _allocations(self) -> list[str]:
        """Return the instructions at the start of main that allocate its arrays on the stack."""
        return [
            f" %args = alloca [{self._pointers} x ptr], align 16",
            f" %sections = alloca [{self._sections} x %section], align 16",
            *self._extern_tables(),
        ]

    def _extern_tables(self) -> list[str]:
        """Return the instructions that allocate the arrays for calls of process functions."""
        lines: list[str] = []
        if self._externs:
            lines += [
                f" %extern_values = alloca [{max(1, self._extern_arguments)} x %value], align 16",
                f" %extern_tensors = alloca [{max(1, self._extern_tensors)} x %tensor], align 16",
                " %extern_result = alloca %value, align 16",
            ]
        if self._has_sized_check:
            lines.append(" %check = alloca %check, align 8")
        return lines

    def _size_functions(self, suffix: str) -> list[str]:
        """Return the definitions of the functions that compute the table of sizes.

        The declarations that they need come first.
        suffix: the end of their names, for this version of main.
        """
        functions = (*self._stages.values(), *self._iterations.values())
        lines = sorted(set[str]().union(*(each.declarations for each in functions)))
        for number, function in sorted(self._iterations.items()):
            head = f"@tw_iterate.{number}(ptr %sizes, i64 %number)"
            lines += function.definition(f"define internal i32 {head} nounwind {{")
        name = f"@tw_derive{suffix}"
        if len(self._stages) == 1:
            head = f"define hidden i32 {name}(ptr %sizes, i32 %stage) nounwind {{"
            return [*lines, *self._stages[0].definition(head)]
        for stage, function in self._stages.items():
            head = f"define internal i32 {name}.{stage}(ptr %sizes) nounwind {{"
            lines += function.definition(head)
        return [*lines, *(_dispatch(name, len(self._stages)) if self._stages else [])]


def _numbers(numbers: Sequence[int]) -> str:
    """Return a constant array of i64 in LLVM IR: its type and its value."""
    return f"[{len(numbers)} x i64] [{', '.join(f'i64 {n}' for n in numbers)}]"


def _string(text: str) -> str:
    """Return a constant zero-terminated string in LLVM IR: its type and its value."""
    data = text.encode() + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'[{len(data)} x i8] c"{escaped}"'


def _dispatch(name: str, stages: int) -> list[str]:
    """Return the lines of ``tw_derive``, which calls one function per stage of main.

    name: the name of ``tw_derive`` with its suffix.  stages: the number of stages.
    """
    cases = " ".join(f"i32 {stage}, label %stage{stage}" for stage in range(stages))
    lines = [
        f"define hidden i32 {name}(ptr %sizes, i32 %stage) nounwind {{",
        "entry:",
        f" switch i32 %stage, label %stage0 [{cases}]",
    ]
    for stage in range(stages):
        lines += [
            f"stage{stage}:",
            f" %status{stage} = call i32 {name}.{stage}(ptr %sizes)",
            f" ret i32 %status{stage}",
        ]
    return [*lines, "}"]
