"""Main as C99: the printer of main, the program's host function, for a C compiler to build.

    printer.copy(buffer_y, data[ARGUMENT_x], 16)   =>   tw_copy(buffer_y, data[ARGUMENT_x], 16);

In: calls of the methods of a `MainPrinter` (printer.py).  Out: one freestanding file, which
includes stdbool.h, stddef.h and stdint.h only, and calls the kernels as external functions

    void kernel(void *args, int64_t task, int64_t worker);

The file defines tw_run and tw_derive for the same entry code as LLVM's main.  Buffers, weights and
arguments have their names in the model, and a comment names the nodes that a step computes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

from ...dialects.packed import CallOp
from ...dialects.results import recorded_texts
from ...runtime.abi.constants import SYMBOL_EXTERNS, DeviceType, TypeIndex
from ...support.locations import node_names
from .c_functions import HEAD, parts_text
from .c_integers import CIntegers, CStatements
from .printer import CONCAT, FALSE, TRUE, Check, Integers, MainPrinter, SizeFunction, Value


class _CSizeFunction(CStatements, SizeFunction):
    """A C99 function under construction that computes entries of the table of sizes."""

    number = "number"

    def __init__(self, used: set[str]) -> None:
        super().__init__(used)
        self.integers: Integers = CIntegers(self)

    def load(self, position: int) -> Value:
        return f"sizes[{position}]"

    def store(self, position: int, value: Value) -> None:
        self.line(f"sizes[{position}] = {value};")

    def finish(self, negative: Value, overflow: Value) -> None:
        status = "0" if negative == FALSE else f"{negative} ? 2 : 0"
        self.line(f"return {status if overflow == FALSE else f'{overflow} ? 1 : {status}'};")

    def definition(self, head: str, unused: str = "") -> str:
        """Return the source of the whole function.

        head: the return type, the name and the parameters.  unused: the name of a parameter that
        the body does not use; "" for none.
        """
        return _function(head, [*_ignored([unused] if unused else []), *self.lines])


@dataclass
class _OpenBlock:
    """A branch or a loop of main under construction, and the C variables that hold its values.

    at: the line before which the variables are declared, as a position in the printed lines.
    carried: the variables that hold the addresses that the loop carries, or that the branch yields.
    inits: the first values of the carried variables.
    number: the variable that holds the iteration number of a loop.
    trip: the number of iterations; None for no limit.
    condition: the variable that holds the condition of a loop, and its first value.
    """

    at: int = 0
    carried: list[Value] = field(default_factory=list)
    inits: Sequence[Value] = ()
    number: Value = ""
    trip: Value | None = None
    condition: tuple[Value, Value] = (TRUE, TRUE)


class CPrinter(CStatements, MainPrinter):
    """A printer of main, the host function of a program, in C99."""

    threads = "threads"
    address_type = "unsigned char *"
    """The type of the addresses that control flow carries."""

    def __init__(self) -> None:
        super().__init__(set())
        self.integers: Integers = CIntegers(self)
        self._arguments: list[str] = []
        self._is_traced = False
        self._kernels: dict[str, None] = {}
        self._constants: list[str] = []
        self._places: dict[str, str] = {}
        self._starts: list[int] = []
        self._blocks: list[_OpenBlock] = []
        self._counts = {"args": 0, "sections": 0, "values": 0, "tensors": 0}
        self._externs = 0
        self._table: list[str] = []
        self._entries: Sequence[str] = ()
        self._iterations: dict[int, _CSizeFunction] = {}
        self._stages: dict[int, _CSizeFunction] = {}

    # ---- main and its ops

    def begin_main(self, main: FuncOp, *, is_traced: bool) -> None:
        recorded = [n for key in ("arg", "result") for n in recorded_texts(main, f"tw.{key}_names")]
        for position in range(len(main.body.block.args)):
            known = recorded[position] if position < len(recorded) else ""
            self._arguments.append(self.unique(_identifier("ARGUMENT", known, position)))
        if is_traced:
            self._is_traced = True
            self.used.add("trace")
            self.line("__tw_trace_step(-1, 0, 0, 0);")

    def begin_op(self, op: Operation) -> None:
        self._starts.append(len(self.lines))

    def end_op(self, op: Operation) -> bool:
        start = self._starts.pop()
        if len(self.lines) == start:
            return False
        nodes = ", ".join(node_names(op.location)).replace("*/", "* /")
        what = op.kernel_name if isinstance(op, CallOp) else op.name.partition(".")[2]
        comment = f"/* {what}{': ' if nodes else ''}{nodes} */"
        if not isinstance(op, ReturnOp):
            self.lines[start:start] = ["", f"{'    ' * self.depth}{comment}"]
        return True

    def finish(self) -> None:
        self.line("return 0;")

    def _checked(self, call: str) -> None:
        """Append a call whose status main returns at once, unless it is 0.

        call: the C expression that calls the function.
        """
        self.line(f"status = {call};")
        self._return_if("status != 0", "status")

    def _return_if(self, condition: str, status: str) -> None:
        self.line(f"if ({condition})")
        self.line(f"    return {status};")

    # ---- memory

    def argument(self, position: int) -> Value:
        return f"data[{self._arguments[position]}]"

    def weight(self, offset: int, name: str) -> Value:
        return self._place("weight", f"weights + {offset}", name, offset)

    def buffer(self, stage: int, offset: int | Value, name: str) -> Value:
        if stage == 0 and isinstance(offset, int):
            return self._place("buffer", f"arena + {offset}", name, offset)
        block = _block_name(stage)
        return self.constant(
            "unsigned char *", f"{block} + {offset}", _identifier("buffer", name, "")
        )

    def _place(self, kind: str, address: str, name: str, offset: int) -> Value:
        """Return the name of a constant that holds an address; main declares it at its start.

        address: the address as a C expression.
        kind, name, offset: the parts from which the name is made, as in `_identifier`.
        """
        if address not in self._places:
            self._places[address] = self.unique(_identifier(kind, name, offset))
        return self._places[address]

    def within(self, address: Value, offset: int | Value) -> Value:
        return self.constant("unsigned char *", f"{address} + {offset}", "part")

    def is_same(self, x: Value, y: Value) -> Value:
        return f"{x} == {y}"

    def zero_if(self, condition: Value, x: Value) -> Value:
        return self.constant("int64_t", f"{condition} ? 0 : {x}")

    def copy(self, target: Value, source: Value, size: Value) -> None:
        self.used.add("copy")
        self.line(f"tw_copy({target}, {source}, {size});")

    def load_number(self, address: Value) -> Value:
        return self.constant("int64_t", f"*{_numbers_at(address)}")

    def load_element(self, address: Value, position: int) -> Value:
        return self.constant("int64_t", f"({_numbers_at(address)})[{position}]")

    def store_number(self, address: Value, value: Value) -> None:
        self.line(f"*(int64_t *)(void *)({address}) = {value};")

    def load_condition(self, address: Value) -> Value:
        return self.constant("bool", f"*({address}) != 0")

    def size(self, position: int) -> Value:
        return f"sizes[{position}]"

    def sizes(self, position: int) -> Value:
        return f"sizes + {position}"

    # ---- calls of kernels

    def _array(self, name: str, length: int) -> str:
        """Request a local array of main; return its name.

        name: the name of the array.  length: the number of elements that the caller needs; the
        array gets the largest length of all requests.
        """
        self._counts[name] = max(self._counts[name], length)
        return name

    def _constant(self, word: str, type_: str, value: str) -> str:
        """Add a constant to the file; return its name.

        word: the first part of the name.
        type_: the C declaration with ``@`` in place of the name, as in ``int64_t @[2]``.
        value: the initializer.
        """
        name = f"{word}_{len(self._constants)}"
        self._constants.append(f"static const {type_.replace('@', name)} = {value};")
        return name

    def _numbers(self, word: str, numbers: Sequence[int]) -> str:
        elements = ", ".join(map(str, numbers)) or "0"
        return self._constant(word, f"int64_t @[{max(1, len(numbers))}]", f"{{{elements}}}")

    def store_arguments(self, addresses: Sequence[Value], first: int) -> None:
        args = self._array("args", first + len(addresses))
        for position, address in enumerate(addresses, first):
            self.line(f"{args}[{position}] = {address};")

    def arguments_from(self, first: int) -> Value:
        return f"args + {first}"

    def one_thread_if_zero(self, size: Value) -> Value:
        return self.constant("int32_t", f"{size} == 0 ? 1 : threads")

    def _kernel(self, name: str) -> str:
        """Return the C name of a kernel, and note that the file must declare the kernel.

        name: the symbol of the kernel, or `CONCAT`, a helper function that the file then defines.
        """
        assert name.isidentifier(), f"a kernel has a symbol that C cannot name: {name}"
        if name == CONCAT:
            self.used.update({"concat", "copy"})
        else:
            self._kernels[name] = None
        return name

    def run_task(self, function: str) -> None:
        self.line(f"{self._kernel(function)}({self._array('args', 1)}, 0, 0);")

    def run_tasks(self, function: str, count: int) -> None:
        self.used.add("run_tasks")
        self.line(f"tw_run_tasks({self._kernel(function)}, {self._array('args', 1)}, {count});")

    def launch(self, function: str, count: Value, threads: Value, *, is_sized: bool) -> None:
        arguments = f"{self._kernel(function)}, {self._array('args', 1)}, {count}, {threads}"
        self._launch("__tw_trace_launch", arguments)

    def _launch(self, traced: str, arguments: str) -> None:
        """Append a call of the function that runs tasks in several threads.

        traced: the name of the function that a profiled main calls instead; it also records the
        time.
        arguments: the arguments of the call, which are the same for both functions.
        """
        if not self._is_traced:
            self.used.update({"launch", "run_tasks"})
        self._checked(f"{traced if self._is_traced else 'tw_launch'}({arguments})")

    def section(self, position: int, function: str, arguments: Value, count: Value) -> None:
        self.used.add("section_task")
        row = f"{self._array('sections', position + 1)}[{position}]"
        fields = f"{self._kernel(function)}, {arguments}, {count}"
        self.line(f"{row} = (struct tw_section){{{fields}}};")

    def launch_sections(self, count: Value, *, is_sized: bool) -> None:
        arguments = f"tw_section_task, {self._array('sections', 1)}, {count}, threads"
        self._launch("__tw_trace_sections", arguments)

    def concat_table(self, fields: Sequence[int]) -> Value:
        return f"(void *){self._numbers('concat', fields)}"

    def bind(self, stage: int, value: Value) -> None:
        self.used.add("bind")
        block = _block_name(stage)
        self.line(f"unsigned char *const {block} = tw_bind(data, {stage}, {value});")
        self._return_if(f"{block} == NULL", "-1")

    def iterate(self, loop: int, number: Value) -> None:
        self._checked(f"tw_iterate_{loop}(sizes, {number})")

    def trace_step(self, number: int, tasks: Value, flops: Value, moved: Value) -> None:
        self.line(f"__tw_trace_step({number}, {tasks}, {flops}, {moved});")

    # ---- checks of indices

    def check_table(self, check: Check) -> tuple[Value, Value]:
        self.used.add("check")
        # The numbers of a check with dynamic sizes are replaced before it runs.
        shape = self._numbers("shape", [max(size, 0) for size in check.shape])
        elements = check.elements if min(check.shape, default=0) >= 0 else 0
        sign = -1 if check.wraps else 0
        fields = _string(check.place), shape, len(check.shape), elements, check.columns, sign
        value = f"{{{', '.join(map(str, fields))}}}"
        table = self._constant("check", "struct tw_check @", value)
        return f"&{table}", self._numbers("bounds", check.bounds)

    def sized_check(self, table: Value, shape: Value, elements: Value) -> Value:
        name = self.fresh("check")
        self.line(f"struct tw_check {name} = *{table};")
        self.line(f"{name}.shape = {shape};")
        self.line(f"{name}.elements = {elements};")
        return f"&{name}"

    def check_indices(self, element: str, address: Value, table: Value, bounds: Value) -> None:
        self.used.add(f"check_{element}")
        if not bounds.startswith(("sizes", "bounds")):
            bounds = _numbers_at(bounds)
        self._checked(f"tw_check_{element}({address}, {table}, {bounds})")

    # ---- functions of the process

    def constant_sizes(self, sizes: Sequence[int]) -> Value:
        return self._numbers("shape", sizes)

    def store_tensor(
        self, position: int, address: Value, dtype: int, rank: int, shape: Value
    ) -> None:
        self.used.add("tensor")
        row = f"{self._array('tensors', position + 1)}[{position}]"
        fields = f"{address}, {int(DeviceType.CPU)}, 0, {rank}, {dtype}, {shape}, NULL, 0"
        self.line(f"{row} = (struct tw_tensor){{{fields}}};")

    def tensor_argument(self, position: int, tensor: int) -> None:
        self._value(position, TypeIndex.TENSOR_PTR, f".pointer = tensors + {tensor}")

    def number_argument(self, position: int, kind: TypeIndex, value: Value) -> None:
        self._value(position, kind, f".integer = {value}")

    def text_argument(self, position: int, text: str) -> None:
        self._value(position, TypeIndex.RAW_STR, f".pointer = {_string(text)}")

    def _value(self, position: int, kind: TypeIndex, payload: str) -> None:
        row = f"{self._array('values', position + 1)}[{position}]"
        self.line(f"{row} = (struct tw_value){{{int(kind)}, 0, {{{payload}}}}};")

    def call_extern(self, slot: int, name: str, count: int) -> None:
        self.used.add("extern")
        self._externs = max(self._externs, slot + 1)
        values = self._array("values", 1)
        slots = f"{SYMBOL_EXTERNS} + {2 * slot}"
        self._checked(f"tw_call({slots}, {_string(name)}, {values}, {count})")

    # ---- control flow

    def _open(self, head: str) -> None:
        self.line(f"{head} {{")
        self.depth += 1

    def _close(self, following: str = "") -> None:
        self.depth -= 1
        self.line(f"}}{following}")

    def _assign(self, variables: Sequence[Value], values: Sequence[Value]) -> None:
        """Append assignments of new values to the variables of carried addresses.

        If a new value is one of the variables, all values are copied before the first assignment.
        """
        changed = [(x, y) for x, y in zip(variables, values, strict=True) if x != y]
        if any(y in variables for _, y in changed):
            changed = [(x, self.constant(self.address_type, y, "next")) for x, y in changed]
        for variable, value in changed:
            self.line(f"{variable} = {value};")

    def begin_branch(self) -> None:
        self._blocks.append(_OpenBlock())

    def begin_then(self, condition: Value) -> None:
        self._blocks[-1].at = len(self.lines)
        self._open(f"if ({condition})")

    def begin_else(self, results: Sequence[Value]) -> None:
        block = self._blocks[-1]
        block.carried = [self.fresh("result") for _ in results]
        self._assign(block.carried, results)
        self._close(" else {")
        self.depth += 1

    def end_branch(self, results: Sequence[Value]) -> Sequence[Value]:
        block = self._blocks.pop()
        self._assign(block.carried, results)
        self._close()
        self._declare(block.at, [f"{self.address_type}{name};" for name in block.carried])
        return block.carried

    def _declare(self, at: int, declarations: Sequence[str]) -> None:
        """Insert declarations of variables before the lines of a branch or a loop.

        at: the position of its first line among the printed lines.
        """
        self.lines[at:at] = [f"{'    ' * self.depth}{each}" for each in declarations]

    def begin_loop(self) -> None:
        self._blocks.append(_OpenBlock())

    def enter_loop(
        self, inits: Sequence[Value], trip: Value | None, condition: Value
    ) -> tuple[Value, Sequence[Value]]:
        block = self._blocks[-1]
        block.at, block.inits, block.trip = len(self.lines), inits, trip
        block.condition = self.fresh("goes_on"), condition
        block.number = self.fresh("n")
        block.carried = [self.fresh("carried") for _ in inits]
        self.depth += 1
        return block.number, block.carried

    def next_iteration(self) -> None:
        """Print nothing: the head of the C loop increments the iteration number."""

    def end_loop(self, condition: Value, carried: Sequence[Value]) -> None:
        block = self._blocks.pop()
        variable, first = block.condition
        is_tested = (first, condition) != (TRUE, TRUE)
        if is_tested:
            self.line(f"{variable} = {condition};")
        self._assign(block.carried, carried)
        self._close()
        pairs = zip(block.carried, block.inits, strict=True)
        lines = [f"{self.address_type}{name} = {init};" for name, init in pairs]
        if is_tested:
            lines.append(f"bool {variable} = {first};")
        number, trip = block.number, block.trip
        tests = [variable] * is_tested + ([] if trip is None else [f"{number} < {trip}"])
        head = f"for (int64_t {number} = 0; {' && '.join(tests)}; {number}++) {{"
        self._declare(block.at, [*lines, head])

    # ---- sizes and the module

    def iteration(self, loop: int) -> SizeFunction:
        return self._iterations.setdefault(loop, _CSizeFunction(self.used))

    def derivation(self, stage: int) -> SizeFunction:
        return self._stages.setdefault(stage, _CSizeFunction(self.used))

    def take_sizes(self, entries: Sequence[str]) -> None:
        self._entries = entries
        count = len(self._arguments)
        self._table = [f"int64_t *const sizes = (int64_t *)(void *)data[{count}];"]

    def make_sizes(self, entries: Sequence[str], numbers: Sequence[tuple[int, int]]) -> None:
        self._entries = entries
        self._table = [f"int64_t sizes[{max(1, len(entries))}];"]
        self._table += [f"sizes[{position}] = {number};" for position, number in numbers]

    def module(self, version: int | None) -> str:
        suffix = "" if version is None else f"_{version}"
        arguments = ", ".join(f"{name} = {n}" for n, name in enumerate(self._arguments))
        entries = [f" *   sizes[{n}]: {text}" for n, text in enumerate(self._entries)]
        parts = [
            HEAD,
            *(["\n".join(["/* The table of sizes:", *entries, " */"])] if entries else []),
            f"enum {{ {arguments} }};" if arguments else "",
            "\n".join(f"tw_kernel {name};" for name in self._kernels),
            "extern unsigned char *__tw_weights;" if self._uses("weights", self._places) else "",
            *parts_text(self.used),
            f"void *{SYMBOL_EXTERNS}[{2 * self._externs}];" if self._externs else "",
            "\n".join(self._constants),
            *self._size_functions(suffix),
            self._main(suffix),
        ]
        return "\n\n".join(filter(None, parts)) + "\n"

    def _uses(self, name: str, texts: Sequence[str] | dict[str, str]) -> bool:
        return any(re.search(rf"\b{name}\b", text) for text in texts)

    def _main(self, suffix: str) -> str:
        """Return the definition of main, which declares the arrays and addresses that it uses.

        suffix: the end of the function's name, for this version of main.
        """
        types = {"args": "void *", "sections": "struct tw_section "}
        types |= {"values": "struct tw_value ", "tensors": "struct tw_tensor "}
        tables = [f"{types[n]}{n}[{count}];" for n, count in self._counts.items() if count]
        places = [f"unsigned char *const {n} = {at};" for at, n in self._places.items()]
        if self._uses("weights", self._places):
            places.insert(0, "unsigned char *const weights = __tw_weights;")
        if self._uses("status", self.lines):
            tables.append("int32_t status;")
        table = self._table if self._uses("sizes", self.lines) else []
        declared = [f"    {line}" for line in (*tables, *table, *places)]
        body = [*declared, *self.lines]
        unused = [n for n in ("data", "arena", "threads") if not self._uses(n, body)]
        head = (
            f"int32_t tw_run{suffix}(unsigned char **data, unsigned char *arena, int32_t threads)"
        )
        return _function(head, [*body[: len(declared)], *_ignored(unused), *self.lines])

    def _size_functions(self, suffix: str) -> list[str]:
        """Return the definitions of the C functions that compute the table of sizes.

        suffix: the end of their names, for this version of main.
        """
        made = [
            function.definition(
                f"static int32_t tw_iterate_{number}(int64_t *sizes, int64_t number)"
            )
            for number, function in sorted(self._iterations.items())
        ]
        name, parameters = f"tw_derive{suffix}", "(int64_t *sizes, int32_t stage)"
        if len(self._stages) == 1:
            return [*made, self._stages[0].definition(f"int32_t {name}{parameters}", "stage")]
        for stage, function in self._stages.items():
            made.append(function.definition(f"static int32_t {name}_{stage}(int64_t *sizes)"))
        cases = [f"    case {n}: return {name}_{n}(sizes);" for n in self._stages if n]
        body = ["    switch (stage) {", *cases, f"    default: return {name}_0(sizes);", "    }"]
        return [*made, _function(f"int32_t {name}{parameters}", body)] if self._stages else made


def _function(head: str, body: Sequence[str]) -> str:
    return "\n".join([head, "{", *body, "}"])


def _ignored(parameters: Sequence[str]) -> list[str]:
    """Return C statements that mark parameters as unused, so that compilers do not warn."""
    return [f"    (void){name};" for name in parameters]


def _block_name(stage: int) -> Value:
    """Return the name of the C variable with the address of an arena block.

    stage: the stage of main to which the block belongs.
    """
    return f"arena_{stage}" if stage else "arena"


def _identifier(kind: str, name: str, number: int | str) -> str:
    """Return a C identifier that describes a value.

    kind: the kind of the value, such as ``buffer``.
    name: the name of the value in the model, or "".
    number: replaces an empty name.
    """
    return f"{kind}_{re.sub(r'[^0-9A-Za-z]+', '_', name).strip('_') or number}"


def _numbers_at(address: Value) -> str:
    return f"(const int64_t *)(const void *)({address})"


def _string(text: str) -> str:
    """Return a text as a string literal of C."""
    return '"' + "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in text.encode()
    ) + '"'  # fmt: skip
