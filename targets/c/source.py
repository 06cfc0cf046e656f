"""The texts of a C source file and its header, from the parts of a program.

In: the parsed facts and the printed functions of a program (program.py).  Out: C99, in which the
name of the model is a placeholder; `named` replaces it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from ...codegen.entry import ModelArgument as Tensor
from ...lowering.loop_to_c import FIRST_STATUS, HEADERS, STATUS, CKernel, c_name
from ...lowering.loop_to_c.dialect import FUNCTIONS, LANGUAGES
from ...machines.target import Target
from ...runtime.abi.constants import element_bytes
from ...runtime.abi.ndarray import Array

NAME, CAPITALS = "@name@", "@NAME@"
"""The placeholders for the name of the model, in small letters and in capitals."""

_TYPES = {
    "float32": "float",
    "float64": "double",
    "bool": "uint8_t",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
_COLUMNS = 96
_LEAST = "(-9223372036854775807ll - 1)"
"""The least int64_t, which has no constant in C."""


def c_type_of(dtype: str) -> str:
    """Return the C type of elements of a dtype; floats of 16 and 8 bits are stored as integers."""
    return _TYPES.get(dtype) or f"uint{8 * element_bytes(dtype)}_t"


@dataclass(frozen=True)
class CArgument:
    """An argument of the C function that runs the model.

    name: its name in C.  tensor: the declared name, dtype and shape.  is_input: whether the
    argument is an input of the model; otherwise an output.
    """

    name: str
    tensor: Tensor
    is_input: bool

    @property
    def pointer(self) -> str:
        """The C type of the argument."""
        const = "const " if self.is_input else ""
        return f"{const}{c_type_of(self.tensor.dtype)} *"

    @property
    def count(self) -> int:
        """The number of elements of the array."""
        return prod(size for size in self.tensor.shape if isinstance(size, int))

    @property
    def shown(self) -> str:
        """The declaration in C, with a size per dimension: ``float image[1][3][12][12]``."""
        sizes = "".join(f"[{size}]" for size in self.tensor.shape) or "[1]"
        return f"{c_type_of(self.tensor.dtype)} {self.name}{sizes}"


@dataclass(frozen=True)
class CArray:
    """A constant array.

    name: its name in C.  element: the C type of its elements.  array: its values.
    """

    name: str
    element: str
    array: Array

    @property
    def type(self) -> str:
        """The C type of a pointer to the first element."""
        return f"const {self.element} *"

    @property
    def definition(self) -> str:
        """The C definition of the array, with its values."""
        flat = np.ascontiguousarray(self.array).reshape(-1)
        shape = "".join(f"[{size}]" for size in self.array.shape)
        comment = f" /* {shape} */" if self.array.ndim > 1 else ""
        head = f"static const {self.element} {self.name}[{max(1, flat.size)}] = {{{comment}"
        values = ", ".join(_numbers(flat, self.element)) or "0"
        return f"{head}\n{_filled(values)}\n}};"


def _filled(values: str) -> str:
    indent = "    "
    return textwrap.fill(values, _COLUMNS, initial_indent=indent, subsequent_indent=indent)


def _numbers(flat: Array, element: str) -> Iterator[str]:
    if element in ("float", "double"):
        suffix = "f" if element == "float" else ""
        for value in flat:
            yield _float_text(value, suffix)
        return
    bits = 8 * flat.dtype.itemsize
    held = flat if flat.dtype.kind in "iu" else flat.view(f"u{flat.dtype.itemsize}")
    signed = held.dtype.kind == "i"
    suffix = "" if bits < 64 else "ll" if signed else "ull"
    for number in held.tolist():
        yield _LEAST if number == -(1 << 63) else f"{number}{suffix}"


def _float_text(value: np.floating, suffix: str) -> str:
    if not np.isfinite(value):
        return "NAN" if np.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    text = str(value)
    return f"{text if '.' in text or 'e' in text else text + '.0'}{suffix}"


@dataclass(frozen=True)
class CSource:
    """The parts of a C program.

    model: the name of the model.  target: the target.  arguments: the arguments of the function
    that runs the model.  weights: the arrays of the weights.  functions: C functions that the
    kernels and main call.  kernels: the functions of the kernels.  constants: tables of main.
    body: the statements of main.  arena_bytes: the memory of intermediate results.  messages: the
    messages of the status codes from `FIRST_STATUS` on.
    """

    model: str
    target: Target
    arguments: Sequence[CArgument]
    weights: Sequence[CArray]
    functions: Sequence[str]
    kernels: Sequence[CKernel]
    constants: Sequence[str]
    body: str
    arena_bytes: int
    messages: Sequence[str]

    @property
    def identifier(self) -> str:
        """The name of the model as an identifier of C."""
        return c_name(self.model)

    @property
    def weights_bytes(self) -> int:
        """The bytes of all weights."""
        return sum(weight.array.nbytes for weight in self.weights)


def named(text: str, name: str) -> str:
    """Return a text with the name of the model in place of `NAME` and `CAPITALS`."""
    return text.replace(NAME, name).replace(CAPITALS, name.upper())


def source_text(source: CSource) -> str:
    """Return the text of the C source file of a program."""
    weights = [weight.definition for weight in source.weights]
    kernels = [kernel.text for kernel in source.kernels]
    functions = _used([*FUNCTIONS.values(), *source.functions], [*kernels, source.body])
    everything = "\n".join((*weights, *functions, *kernels))
    includes = [f'#include "{NAME}.h"', ""]
    includes += [f"#include <{header}>" for text, header in HEADERS.items() if text in everything]
    if any(word in everything for word in ("NAN", "INFINITY", "sqrt", "fabs", "copysign")):
        includes.append("#include <math.h>")
    includes += ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
    parts = [
        _comment(source),
        "\n".join(includes),
        LANGUAGES[source.target.kind].prologue,
        _NO_CONTRACTION,
        *_section("Weights", weights),
        *_section("Functions of numbers", functions),
        *_section("The steps of the model", kernels),
        *_section(
            "The model", [*source.constants, _memory(source), _run(source), _message(source)]
        ),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


_NO_CONTRACTION = """\
/* Products and sums are rounded apart, as gcc -std=c99 does by default. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif"""


def _used(functions: Sequence[str], users: Sequence[str]) -> list[str]:
    kept: list[str] = []
    text = "\n".join(users)
    for function in reversed(functions):
        name = re.search(r"(\w+)\(", function)
        if name is not None and f"{name[1]}(" in text:
            kept.append(function)
            text += function
    return kept[::-1]


def _section(title: str, parts: Sequence[str]) -> list[str]:
    texts = [part for part in parts if part]
    return [f"/* ---- {title} */", *texts] if texts else []


def _comment(source: CSource) -> str:
    rows = [
        f" *     {each.shown}{'' if each.is_input else '   (output)'}" for each in source.arguments
    ]
    return "\n".join(
        [
            f"/* The model {NAME} in {LANGUAGES[source.target.kind].name}, "
            f"compiled by Tilewright for {source.target}.",
            " *",
            *rows,
            " *",
            f" * It has {source.weights_bytes} bytes of weights and {source.arena_bytes} bytes of",
            " * intermediate results, uses no heap and no recursion, and runs one call at a time.",
            " */",
        ]
    )


def _memory(source: CSource) -> str:
    if not source.arena_bytes:
        return ""
    return f"""\
/* The memory of intermediate results, aligned for every type. */
static union {{
    unsigned char bytes[{CAPITALS}_ARENA_BYTES];
    uint64_t number;
    double real;
}} memory;"""


def _parameters(source: CSource) -> str:
    return ", ".join(f"{each.pointer}{each.name}" for each in source.arguments)


def _run(source: CSource) -> str:
    missing = " || ".join(f"{each.name} == NULL" for each in source.arguments if each.count)
    check = f"    if ({missing})\n        return {CAPITALS}_NO_ARRAY;\n" if missing else ""
    arena = "    unsigned char *const arena = memory.bytes;\n" if source.arena_bytes else ""
    body = source.body.replace(STATUS, f"{CAPITALS}_")
    return f"int {NAME}_run({_parameters(source)})\n{{\n{arena}{check}{body}\n}}"


def _message(source: CSource) -> str:
    rows = [f'    case {CAPITALS}_OK: return "no error";']
    rows.append(f'    case {CAPITALS}_NO_ARRAY: return "an array is NULL";')
    for number, message in enumerate(source.messages, FIRST_STATUS):
        rows.append(f"    case {CAPITALS}_BAD_INDEX_{number}: return {_string(message)};")
    body = "\n".join(rows)
    return f"""\
const char *{NAME}_message(int status)
{{
    switch (status) {{
{body}
    default: return "unknown status";
    }}
}}"""


def _string(text: str) -> str:
    letters = (c if c.isascii() and c.isprintable() and c not in '"\\?' else "_" for c in text)
    return '"' + "".join(letters) + '"'


def header_text(source: CSource) -> str:
    """Return the text of the C header of a program."""
    statuses = [f"    {CAPITALS}_OK = 0,", f"    {CAPITALS}_NO_ARRAY = 1, /* an array is NULL */"]
    for number, message in enumerate(source.messages, FIRST_STATUS):
        shown = message.replace("*/", "* /")
        statuses.append(f"    {CAPITALS}_BAD_INDEX_{number} = {number}, /* {shown} */")
    counts = [
        f"#define {CAPITALS}_{each.name.upper()}_COUNT {each.count}" for each in source.arguments
    ]
    rows = [
        f" *   {each.shown}{'' if each.is_input else '   (output)'}" for each in source.arguments
    ]
    lines = [
        f"/* The model {NAME} in C99, compiled by Tilewright. */",
        f"#ifndef {CAPITALS}_H",
        f"#define {CAPITALS}_H",
        "",
        "#include <stdint.h>",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        "/* The numbers of elements. */",
        *counts,
        "",
        "/* Bytes of the static memory of intermediate results, and of the weights. */",
        f"#define {CAPITALS}_ARENA_BYTES {source.arena_bytes}",
        f"#define {CAPITALS}_WEIGHTS_BYTES {source.weights_bytes}",
        "",
        f"enum {NAME}_status {{",
        *statuses,
        "};",
        "",
        "/* Run the model:",
        *rows,
        " * The arrays do not overlap. Returns a status; only one call may run at a time. */",
        f"int {NAME}_run({_parameters(source)});",
        "",
        "/* Return the message of a status. */",
        f"const char *{NAME}_message(int status);",
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)
