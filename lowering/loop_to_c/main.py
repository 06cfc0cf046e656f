"""The printer of main for C source: one function that calls the kernels by name.

    conv_warm(image, w, warm);
    matmul_scores(warm, v, scores);

In: calls of the methods of a `MainPrinter`.  Out: the body of one C function, the names of the
buffers in the arena, and the messages of its errors.  The arguments of main, weights and buffers
have the names that they have in the model.  Everything runs in the calling thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp

from ...support.diagnostics import LoweringError
from ..main.c_functions import PARTS
from ..main.c_printer import CPrinter
from ..main.printer import CONCAT, Check, Value
from .dialect import LANGUAGES, Language
from .emitter import c_name
from .kernel import CKernel

STATUS = "STATUS_"
"""The start of the name of a status: ``OK`` or ``BAD_INDEX_`` and a number follow."""
FIRST_STATUS = 2
"""The status of the first check of indices; smaller ones are those of the arguments."""

_PARTS: Mapping[str, str] = {
    "copy_bytes": """\
static void copy_bytes(void *target, const void *source, int64_t count)
{
    unsigned char *to = (unsigned char *)target;
    const unsigned char *from = (const unsigned char *)source;
    for (int64_t n = 0; n < count; n++)
        to[n] = from[n];
}""",
    "copy_rows": """\
/* Copy rows of count bytes to rows that begin pitch bytes apart. */
static void copy_rows(
    unsigned char *target, int64_t pitch, const void *source, int64_t count, int64_t rows)
{
    const unsigned char *from = (const unsigned char *)source;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t n = 0; n < count; n++)
            target[row * pitch + n] = from[row * count + n];
}""",
    **{
        f"in_bounds_i{bits}": f"""\
/* Return whether count indices are below the bounds, in turn, and not negative unless they wrap. */
static bool in_bounds_i{bits}(
    const void *indices, int64_t count, const int64_t *bounds, int64_t columns, bool wraps)
{{
    const int{bits}_t *index = (const int{bits}_t *)indices;
    for (int64_t n = 0; n < count; n++) {{
        const int64_t bound = bounds[n % columns];
        if (index[n] < (wraps ? -bound : 0) || index[n] >= bound)
            return false;
    }}
    return true;
}}"""
        for bits in (32, 64)
    },
}


RESERVED = ("arena", "memory", *_PARTS, *PARTS)
"""The names of C source that no array of a model has."""


class SourcePrinter(CPrinter):
    """A printer of main, the host function of a program, as a C function that a person can read.

    kernels: the C function of each kernel, by the kernel's symbol.
    weights: the name and the C type of each weight's array, by the weight's offset.
    arguments: the name and the C type of each argument.
    messages: the messages of the errors that main can return, in the order of their status.
    """

    address_type = "void *"

    def __init__(
        self,
        kernels: Mapping[str, CKernel],
        weights: Mapping[int, tuple[str, str]],
        arguments: Sequence[tuple[str, str]],
        language: Language = LANGUAGES["c"],
    ) -> None:
        super().__init__()
        self._language = language
        self._functions, self._weight_arrays = kernels, weights
        self._types = dict((*arguments, *weights.values()))
        for name in (*RESERVED, *(kernel.name for kernel in kernels.values())):
            self.unique(name)
        self._arguments = [self.unique(name) for name, _ in arguments]
        for name, _ in weights.values():
            self.unique(name)
        self._named: dict[tuple[str, str], str] = {}
        self._stored: list[Value] = []
        self._concat: list[int] = []
        self._checks: dict[str, Check] = {}
        self.messages: list[str] = []

    # ---- main

    def begin_main(self, main: FuncOp, *, is_traced: bool) -> None:
        assert not is_traced, "C source records no times"

    def module(self, version: int | None) -> str:
        """Return the statements of main, preceded by the declarations of its buffers.

        version: None, because C source has one version of main.
        """
        assert version is None, "C source has one version"
        places = [f"    void *const {name} = {at};" for (at, _), name in self._named.items()]
        unused = [name for name in self._arguments if not self._uses(name, self.lines)]
        return "\n".join([*places, *(f"    (void){name};" for name in unused), *self.lines])

    @property
    def functions(self) -> list[str]:
        """The definitions of the C functions that main calls, except for kernels."""
        own = {name: text for name, text in _PARTS.items() if name in self.used}
        return [*own.values(), *(text for name, (text, _) in PARTS.items() if name in self.used)]

    @property
    def constants(self) -> list[str]:
        """The definitions of the constant arrays that main reads."""
        return self._constants

    def finish(self) -> None:
        self.line(f"return {STATUS}OK;")

    # ---- memory

    def argument(self, position: int) -> Value:
        return self._arguments[position]

    def weight(self, offset: int, name: str) -> Value:
        return self._weight_arrays[offset][0]

    def buffer(self, stage: int, offset: int | Value, name: str) -> Value:
        assert isinstance(offset, int), "sizes are static"
        address = f"arena + {offset}" if offset else "arena"
        key = address, name
        if key not in self._named:
            self._named[key] = self.unique(c_name(name or f"buffer_{offset}"))
        return self._named[key]

    def within(self, address: Value, offset: int | Value) -> Value:
        start = f"(unsigned char *){address}"
        return self.constant("void *", f"{start} + {offset}", "part")

    def _assign(self, variables: Sequence[Value], values: Sequence[Value]) -> None:
        super()._assign(variables, [self._carried(value) for value in values])

    def enter_loop(
        self, inits: Sequence[Value], trip: Value | None, condition: Value
    ) -> tuple[Value, Sequence[Value]]:
        return super().enter_loop([self._carried(init) for init in inits], trip, condition)

    def _carried(self, address: Value) -> Value:
        """Return an address as a value of type ``void *``, for variables that control flow assigns.

        Only the addresses of constant arrays need a cast; main does not write to these arrays.
        """
        is_constant = self._types.get(address, "").startswith("const")
        return f"(void *){address}" if is_constant else address

    def copy(self, target: Value, source: Value, size: Value) -> None:
        self.used.add("copy_bytes")
        self.line(f"copy_bytes({target}, {source}, {size});")

    def load_condition(self, address: Value) -> Value:
        return self.constant("bool", f"*(const unsigned char *){address} != 0")

    # ---- calls

    def store_arguments(self, addresses: Sequence[Value], first: int) -> None:
        self._stored = list(addresses)

    def run_task(self, function: str) -> None:
        kernel = self._functions[function]
        given = ", ".join(map(self._passed, self._stored, kernel.parameters))
        self.line(f"{kernel.name}({given});")

    def _passed(self, address: Value, type_: str) -> str:
        """Return an address as an argument of a kernel.

        It has a cast if the buffer is declared with another type, for example as a second view.
        type_: the C type of the parameter.
        """
        own = self._types.get(address, "void *")
        is_converted = own == "void *" and self._language.converts_pointers
        is_same = is_converted or own in (type_, type_.removeprefix("const "))
        return address if is_same else f"({type_})(const void *){address}"

    def run_tasks(self, function: str, count: int) -> None:
        assert function == CONCAT, "kernels have no parallel loops"
        self.used.add("copy_rows")
        target, _, *operands = self._stored
        rows, pitch, *fields = self._concat
        for number, operand in enumerate(operands):
            start, size = fields[2 * number : 2 * number + 2]
            place = f"(unsigned char *){target}{f' + {start}' if start else ''}"
            self.line(f"copy_rows({place}, {pitch}, {operand}, {size}, {rows});")

    def launch(self, function: str, count: Value, threads: Value, *, is_sized: bool) -> None:
        self.run_tasks(function, int(count))

    def section(self, position: int, function: str, arguments: Value, count: Value) -> None:
        self.run_task(function)

    def launch_sections(self, count: Value, *, is_sized: bool) -> None:
        """Print nothing, because `section` has already printed each call."""

    def concat_table(self, fields: Sequence[int]) -> Value:
        self._concat = list(fields)
        return "table"

    def call_extern(self, slot: int, name: str, count: int) -> None:
        raise LoweringError(
            "C source cannot call a function of a process",
            got=name,
            hint="compile for the target llvm, or compute it with operators",
        )

    # ---- checks

    def check_table(self, check: Check) -> tuple[Value, Value]:
        table = f"check_{len(self._checks)}"
        self._checks[table] = check
        return table, self._numbers("bounds", check.bounds) if check.bounds else ""

    def check_indices(self, element: str, address: Value, table: Value, bounds: Value) -> None:
        check, name = self._checks[table], f"in_bounds_{element}"
        self.used.add(name)
        wraps = str(check.wraps).lower()
        given = f"{address}, {check.elements}, {bounds}, {check.columns}, {wraps}"
        self._return_if(
            f"!{name}({given})", f"{STATUS}BAD_INDEX_{FIRST_STATUS + len(self.messages)}"
        )
        limits = " and ".join(map(str, dict.fromkeys(check.bounds)))
        self.messages.append(f"{check.place}: an index is out of range of {limits}")
