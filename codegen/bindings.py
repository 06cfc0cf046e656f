"""Tables of a library with several programs of one model, compiled for different input values.

A call of the library runs the program whose bound values equal the inputs of the call.

In: the declared interface, and for each program its bound values, the offset of its weights among
all weights, and its numbers of inputs and arguments. The objects of program N define its entry
functions under symbols that end in ``.N`` (`program_symbol`). Out: LLVM IR of the constants that
runtime/native/bindings.h declares: descriptions of the arguments, and the bound values that the
library compares with the inputs of a call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.abi.constants import (
    SYMBOL_ARENA_BYTES,
    SYMBOL_MAIN,
    SYMBOL_MAIN_ALLOCATING,
    SYMBOL_MAIN_THREADS,
    SYMBOL_OUTPUT_SHAPES,
    SYMBOL_RELEASE,
    SYMBOL_WEIGHTS,
    program_symbol,
)
from .entry import (
    HIDDEN,
    NAME_LIMIT,
    SPEC,
    SYMBOL_SPECS,
    alias_texts,
    aliases_of,
    array_constant,
    interface_constants,
    quoted,
    shortened,
    spec_row,
    text_constant,
)

_FUNCTIONS = (
    SYMBOL_MAIN, SYMBOL_MAIN_THREADS, SYMBOL_MAIN_ALLOCATING, SYMBOL_OUTPUT_SHAPES,
    SYMBOL_ARENA_BYTES,
)  # fmt: skip
# The layouts of struct tw_bound and struct tw_program in runtime/native/bindings.h.
_BOUND = "{ ptr, ptr, i64, i32 }"
_PROGRAM = "{ ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i32, i32 }"


@dataclass(frozen=True)
class BoundTable:
    """The facts about one program of the library that its tables contain.

    values: the value of each bound input, in order.
    weights_at: the byte offset of the program's weights among all weights.
    inputs: the number of the program's inputs.
    arguments: the number of the program's inputs and outputs.
    """

    values: Sequence[np.ndarray]
    weights_at: int
    inputs: int
    arguments: int


@dataclass(frozen=True)
class Declared:
    """An input or output of the model, as its interface declares it.

    text: the dtype and the shape, for messages.
    rank: the number of dimensions; -1 if it differs between the programs.
    """

    name: str
    text: str
    dtype: str
    rank: int


@dataclass(frozen=True)
class DeclaredInterface:
    """The declared interface of a model with several programs.

    name: the name of the model.
    signature: a text for messages that describes the signature.
    inputs, outputs: the declared arguments.
    bound: the positions of the bound inputs, by whose values the library chooses a program.
    bindings: a text for messages that describes the bound values.
    weights_bytes: the size of all weights in bytes.
    """

    name: str
    signature: str
    inputs: Sequence[Declared]
    outputs: Sequence[Declared]
    bound: Sequence[int]
    bindings: str
    weights_bytes: int

    @property
    def aliases(self) -> Mapping[str, str]:
        """The entry function that an exported symbol with the model's name calls, by symbol."""
        return aliases_of(self.name)


def binding_tables(interface: DeclaredInterface, programs: Sequence[BoundTable]) -> str:
    """Return the LLVM IR of the tables for several programs of one model."""
    arguments = [*interface.inputs, *interface.outputs]
    parts = [
        *interface_constants(
            interface.name,
            interface.signature,
            len(interface.inputs),
            len(arguments),
            interface.weights_bytes,
        ),
        text_constant("tw_bindings", shortened(interface.bindings), HIDDEN),
        f"@tw_bound_count = {HIDDEN}constant i32 {len(interface.bound)}",
        f"@tw_bound_inputs = {HIDDEN}constant {_numbers('i32', interface.bound)}",
        f"@tw_program_count = {HIDDEN}constant i32 {len(programs)}",
        *alias_texts(interface.aliases),
    ]
    rows: list[str] = []
    for number, argument in enumerate(arguments):
        parts.append(text_constant(f"name_{number}", shortened(argument.name, NAME_LIMIT)))
        parts.append(text_constant(f"text_{number}", shortened(argument.text, NAME_LIMIT)))
        no_shape, no_state = "ptr null, i64 0", "i32 -1, i32 0"
        rows.append(spec_row(number, argument.dtype, no_shape, argument.rank, no_state))
    parts.append(array_constant(SYMBOL_SPECS, SPEC, rows))
    made: list[str] = []
    for number, program in enumerate(programs):
        parts += _values(number, program)
        made.append(_program(number, program))
    parts.append(array_constant("tw_programs", _PROGRAM, made))
    return "\n".join((*parts, ""))


def _values(program: int, table: BoundTable) -> list[str]:
    """Return the LLVM IR of the bound values of one program.

    The result also declares the symbols of the program.
    program: the number of the program.
    """
    parts, rows = list[str](), list[str]()
    for number, value in enumerate(table.values):
        place = f"{program}_{number}"
        parts.append(f"@value_{place} = internal constant {_numbers('i8', value.tobytes())}")
        parts.append(f"@shape_{place} = internal constant {_numbers('i64', value.shape)}")
        rows.append(
            f"{_BOUND} {{ ptr @value_{place}, ptr @shape_{place}, i64 {value.nbytes}, "
            f"i32 {value.ndim} }}"
        )
    parts.append(array_constant(f"bound_{program}", _BOUND, rows, "internal "))
    for symbol in (*_FUNCTIONS, SYMBOL_RELEASE, SYMBOL_SPECS, SYMBOL_WEIGHTS):
        parts.append(f"{quoted(program_symbol(symbol, program))} = external global i8")
    return parts


def _program(number: int, table: BoundTable) -> str:
    symbols = (*_FUNCTIONS, SYMBOL_RELEASE, SYMBOL_SPECS)
    pointers = [f"ptr {quoted(program_symbol(symbol, number))}" for symbol in symbols]
    weights = f"ptr {quoted(program_symbol(SYMBOL_WEIGHTS, number))}"
    own = f"ptr @bound_{number}, {weights}"
    sizes = f"i64 {table.weights_at}, i32 {table.inputs}, i32 {table.arguments}"
    return f"{_PROGRAM} {{ {', '.join(pointers)}, {own}, {sizes} }}"


def _numbers(kind: str, values: Sequence[int] | bytes) -> str:
    """Return the LLVM IR of a constant array: its type and its value.

    An empty list gives an array with a single 0.
    kind: the LLVM type of the elements, such as ``i64``.
    values: the elements.
    """
    texts = [f"{kind} {value}" for value in values] or [f"{kind} 0"]
    return f"[{len(texts)} x {kind}] [{', '.join(texts)}]"
