"""The tables of compiled models: LLVM IR that describes a model to its entry code.

The entry code checks arguments, allocates arenas and reports errors; all models share it. Its
source is runtime/native/entry.c, its LLVM IR prelude/entry.ll. Each model adds one object with
the tables that this code reads, and the functions that the lowering of `main` defines:

    i32 @tw_run(ptr addresses, ptr arena, i32 threads)
    i32 @tw_derive(ptr sizes, i32 stage)

addresses: array of pointers to the first element of each input, then of each output; then a pointer
to the table of sizes, and a pointer to the call, for the entry's ``tw_bind``.
arena: the first block of temporary memory, aligned to 64 bytes and private to this call. It has
`arena_bytes`, or as many bytes as the table of sizes says; null if it has no bytes.
threads: 1 to `max_threads`.  Returns 0, or a status that the entry reports.
sizes: the table of sizes, which starts with the symbolic sizes; a model without symbolic sizes has
no ``tw_derive`` of its own.  stage: 0, or the number of symbolic sizes that main has computed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from math import prod

from ..dialects.results import Form
from ..dialects.shape import MOST, Dim, Extent
from ..dialects.sizes import SizeSource, stage_of
from ..lowering.main.size_table import signature_sizes
from ..runtime.abi.constants import (
    ABI_VERSION,
    DTYPES,
    FUNCTION_PREFIX,
    MODULE_SYMBOLS,
    SYMBOL_EXTERNS,
    SYMBOL_MAIN,
    SYMBOL_MANIFEST,
    SYMBOL_OUTPUT_SHAPES,
    DeviceType,
    alignment_bytes,
    element_bytes,
)
from ..support.size_names import shown_size

ARENA_ALIGNMENT_BYTES = 64
# Linkage of symbols that are visible to the objects of the module, but not outside.
HIDDEN = "hidden "
# Most characters of a name in messages, because the buffer for messages is small.
NAME_LIMIT = 80
# Prefixes of names that TVM's loaders reserve, after the function prefix.
_RESERVED = ("_library_", "_metadata_", "_doc_")
SYMBOL_SPECS = "tw_specs"
# The layout of struct tw_spec in runtime/native/entry.h.
SPEC = "{ ptr, ptr, ptr, i64, i64, i32, i32, i32, i32 }"
# The layouts of struct tw_symbol and struct tw_expression.
_SYMBOL = "{ i64, i64, i64, i64, i64, i32, i32 }"
_EXPRESSION = "{ ptr, ptr, ptr, i64, i64, i64, i32 }"
# The escaped form of each byte in a quoted string of LLVM's syntax.
_ESCAPES = [
    chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}"
    for byte in range(256)
]

# A function of the entry, exported under the model's name; weak, because a function of sessions may
# have the same name.
_ALIAS = """declare i32 @{function}(ptr, ptr, i32, ptr)
define weak i32 {symbol}(ptr %self, ptr %args, i32 %count, ptr %result) nounwind {{
  %status = call i32 @{function}(ptr %self, ptr %args, i32 %count, ptr %result)
  ret i32 %status
}}"""


@dataclass(frozen=True)
class ModelArgument:
    """An input or output of a model.

    dtype: the name of the element type in numpy.
    shape: the sizes; a symbolic size is an expression.
    entries: for an output with computed sizes, the position of each dimension's size in the tensor
    of computed sizes, or -1 if the size is not computed.
    largest: the shape with the largest values of computed sizes; empty if no size is computed.
    """

    name: str
    dtype: str
    shape: tuple[Extent, ...]
    entries: tuple[int, ...] = ()
    largest: tuple[Extent, ...] = ()

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.described_shape))}]"

    @property
    def described_shape(self) -> tuple[int | str, ...]:
        """Return the shape for messages; ``<=`` and the largest value stand for a computed size."""
        rows = zip(self.shape, self.largest or self.shape, strict=True)
        shown = (size if size == most else f"<={most}" for size, most in rows)
        return tuple(size if isinstance(size, int) else shown_size(size) for size in shown)

    @property
    def nbytes(self) -> int:
        """Return the size of the data in bytes, where each symbolic size counts as 1."""
        known = (size for size in self.shape if isinstance(size, int))
        return prod(known) * element_bytes(self.dtype)


@dataclass(frozen=True)
class ModelSymbol:
    """A symbolic size of a model.

    source: the dimension of an argument that has this size; None if main computes the size from
    elements of the inputs.
    least, most: the smallest and the largest value of the size.
    bound: its largest value, as an expression over the symbolic sizes before it.
    """

    name: str
    source: SizeSource | None
    least: int = 1
    most: int = MOST
    bound: Extent = MOST


@dataclass(frozen=True)
class Entry:
    """The description of a model for its entry code, which checks arguments and calls main.

    sizes: the number of distinct computed output sizes; if it is not 0, the last argument is an
    int64 tensor that receives them.
    max_threads: the largest number of threads for which the arena has scratch memory.
    cpu_flags: required processor features, by their names in Linux.
    forms: the structure of each result of the model, if not all are tensors: the position of an
    output, the positions of a sequence's outputs, or None for an absent result.
    externs: the functions of the process that the model calls, in the order of their slots.
    appends: for each state to which a call appends rows: the position of the input, the position of
    the output, and the axis along which rows are appended.
    limits: sizes, or expressions over sizes, with their smallest and largest allowed values.
    required_by: for each limited size, the nodes of the model that need the limit.
    operations: the number of scalar operations of one call; None if it depends on the arguments.
    device_type: DLPack's number of the kind of device in whose memory arguments may be, in addition
    to the CPU's.
    symbols: the symbolic sizes; if there are any, ``arena_bytes`` is 0.
    size_count: the number of entries in the table of sizes.
    """

    inputs: tuple[ModelArgument, ...]
    outputs: tuple[ModelArgument, ...]
    sizes: int = 0
    arena_bytes: int = 0
    weights_bytes: int = 0
    max_threads: int = 1
    name: str = "main"
    target: str = ""
    cpu_flags: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    externs: tuple[str, ...] = ()
    appends: tuple[tuple[int, int, int], ...] = ()
    symbols: tuple[ModelSymbol, ...] = ()
    limits: tuple[tuple[Dim, tuple[int, int]], ...] = ()
    required_by: Mapping[Dim, str] = field(default_factory=dict, hash=False)
    size_count: int = 0
    operations: int | None = None
    device_type: int = DeviceType.CPU

    @property
    def computed(self) -> tuple[str, ...]:
        """Return the names of the symbolic sizes that main computes."""
        return tuple(symbol.name for symbol in self.symbols if symbol.source is None)

    def stage(self, shape: Sequence[Extent]) -> int:
        """Return the stage of a call at which all sizes of a shape are known.

        Main computes sizes one after the other: stage n begins when n sizes are computed, and stage
        0 is the start of the call.
        """
        return stage_of(map(Dim.of, shape), self.computed)

    @property
    def filled(self) -> tuple[ModelArgument, ...]:
        """Return the arguments that a call writes: the outputs, and the sizes tensor if any."""
        sizes = (ModelArgument("sizes", "int64", (self.sizes,)),) if self.sizes else ()
        return (*self.outputs, *sizes)

    @property
    def own_symbols(self) -> tuple[str, ...]:
        """Return the exported symbols that contain the model's name.

        Modules of other models do not have them.  There are none if the name is empty, contains NUL
        or is reserved by a loader; such a name appears in messages only.
        """
        slots = (SYMBOL_EXTERNS,) if self.externs else ()
        return (*self.aliases, *slots)

    @property
    def aliases(self) -> dict[str, str]:
        """The entry function that an exported symbol with the model's name calls, by symbol."""
        return aliases_of(self.name)

    @property
    def signature(self) -> str:
        """Return the signature of the model as a text for messages."""
        taken = ", ".join(f"{each.name}: {each}" for each in self.inputs)
        made = ", ".join(f"{each.name}: {each}" for each in self.filled)
        return f"{self.name}({taken}) -> ({made})"

    def manifest(self) -> str:
        """Return the manifest: JSON that describes the module to its loader."""
        inputs, outputs = (
            [
                {
                    "name": each.name,
                    "shape": [
                        s if isinstance(s, int) else shown_size(s)
                        for s in each.largest or each.shape
                    ],
                    "dtype": each.dtype,
                    "entries": each.entries,
                    "unbounded": self.stage(each.largest) > 0,
                }
                for each in group
            ]
            for group in (self.inputs, self.outputs)
        )
        return json.dumps(
            {
                "abi": ABI_VERSION,
                "name": self.name,
                "inputs": inputs,
                "outputs": outputs,
                "forms": self.forms,
                "externs": self.externs,
                "appends": self.appends,
                "sizes": self.sizes,
                "computes_sizes": bool(self.computed),
                "operations": self.operations,
                "arena_bytes": self.arena_bytes,
                "weights_bytes": self.weights_bytes,
                "max_threads": self.max_threads,
                "target": self.target,
                "cpu_flags": self.cpu_flags,
                "compiler": f"tilewright {version('tilewright')}",
            }
        )


def aliases_of(name: str) -> dict[str, str]:
    """Return the entry function that an exported symbol with the model's name calls.

    The result is indexed by these symbols.  It is empty if the name cannot be part of a symbol, see
    `Entry.own_symbols`.
    name: the name of the model.
    """
    symbol = f"{FUNCTION_PREFIX}{name}"
    is_taken = symbol in MODULE_SYMBOLS or name.startswith(_RESERVED)
    if is_taken or not name or "\0" in name:
        return {}
    return {symbol: SYMBOL_MAIN, f"{symbol}_output_shapes": SYMBOL_OUTPUT_SHAPES}


def alias_texts(aliases: Mapping[str, str]) -> list[str]:
    """Return the LLVM IR of exported functions that only call an entry function.

    aliases: the name of the entry function, by the name of the exported function.
    """
    rows = aliases.items()
    return [_ALIAS.format(symbol=quoted(symbol), function=function) for symbol, function in rows]


def entry_tables(entry: Entry) -> str:
    """Return the LLVM IR of the tables that describe one model.

    Errors: ValueError for a dtype without a DLPack code.
    """
    arguments = (*entry.inputs, *entry.filled)
    for argument in arguments:
        if argument.dtype not in DTYPES:
            raise ValueError(f"argument {argument.name} has dtype {argument.dtype}, not in DLPack")
    alignment = ARENA_ALIGNMENT_BYTES
    arena_bytes = (entry.arena_bytes + alignment - 1) // alignment * alignment
    parts = [
        *interface_constants(
            entry.name, entry.signature, len(entry.inputs), len(arguments), entry.weights_bytes
        ),
        # Weak, because an exported library defines a longer manifest.
        text_constant(SYMBOL_MANIFEST, entry.manifest(), "weak "),
        f"@tw_arena_bytes = {HIDDEN}constant i64 {arena_bytes}",
        f"@tw_max_threads = {HIDDEN}constant i32 {max(1, entry.max_threads)}",
        f"@tw_device_type = {HIDDEN}constant i32 {int(entry.device_type)}",
    ]
    limits, bounds = [dim for dim, _ in entry.limits], [s.bound for s in entry.symbols]
    shapes = (*(argument.shape for argument in arguments), limits, bounds)
    expressions = signature_sizes((s.name for s in entry.symbols), shapes)
    parts += _size_tables(entry, expressions)
    positions = {dim: -1 - number for number, dim in enumerate(expressions)}
    rows: list[str] = []
    pasts = {len(entry.inputs) + result: past for past, result, _ in entry.appends}
    for index, argument in enumerate(arguments):
        parts.append(text_constant(f"name_{index}", shortened(argument.name, NAME_LIMIT)))
        parts.append(text_constant(f"text_{index}", str(argument)))
        numbers = (s if isinstance(s, int) else positions[s] for s in argument.shape)
        sizes = [f"i64 {number}" for number in numbers]
        parts.append(array_constant(f"shape_{index}", "i64", sizes, "internal "))
        shape = f"ptr @shape_{index}, i64 {argument.nbytes}"
        state = f"i32 {pasts.get(index, -1)}, i32 {entry.stage(argument.shape)}"
        rows.append(spec_row(index, argument.dtype, shape, len(sizes), state))
    parts += alias_texts(entry.aliases)
    parts.append(array_constant(SYMBOL_SPECS, SPEC, rows))
    return "\n".join((*parts, ""))


def interface_constants(
    name: str, signature: str, inputs: int, arguments: int, weights_bytes: int
) -> list[str]:
    """Return the LLVM IR of constants with a model's name, signature and sizes.

    inputs: the number of inputs.
    arguments: the number of inputs and outputs.
    weights_bytes: the size of the weights.
    """
    return [
        text_constant("tw_name", shortened(name, NAME_LIMIT), HIDDEN),
        text_constant("tw_signature", shortened(signature), HIDDEN),
        f"@tw_inputs = {HIDDEN}constant i32 {inputs}",
        f"@tw_arguments = {HIDDEN}constant i32 {arguments}",
        f"@tw_weights_bytes = {HIDDEN}constant i64 {weights_bytes}",
    ]


def spec_row(number: int, dtype: str, shape: str, rank: int, state: str) -> str:
    """Return the LLVM IR of a struct tw_spec, which describes an argument (runtime/native/entry.h).

    number: the position of the argument, which the symbols of its texts contain.
    dtype: the name of the element type.
    shape: the LLVM IR of two fields: the pointer to the shape, and the number of bytes.
    rank: the number of dimensions.
    state: the LLVM IR of two fields: the position of the state to which a call appends, and the
    stage of a call at which the shape is known.
    """
    code, bits = DTYPES[dtype]
    return (
        f"{SPEC} {{ ptr @name_{number}, ptr @text_{number}, {shape}, "
        f"i64 {alignment_bytes(dtype)}, i32 {rank}, i32 {code | bits << 8 | 1 << 16}, {state} }}"
    )


def array_constant(name: str, kind: str, rows: Sequence[str], linkage: str = HIDDEN) -> str:
    """Return the LLVM IR that defines a constant array.

    name: the symbol of the constant.
    kind: the LLVM type of an element.
    rows: the elements, each with its type.
    linkage: the linkage and visibility of the symbol.
    """
    return f"@{name} = {linkage}constant [{len(rows)} x {kind}] [{', '.join(rows)}]"


def _size_tables(entry: Entry, expressions: Sequence[Dim]) -> list[str]:
    """Return the LLVM IR of two tables: the symbolic sizes, and expressions over them.

    expressions: all expressions over symbolic sizes to which the tables of the model refer.
    """
    numbers = {symbol.name: number for number, symbol in enumerate(entry.symbols)}
    parts, symbols, rows, limits = list[str](), list[str](), list[str](), dict(entry.limits)
    positions = {dim: -1 - number for number, dim in enumerate(expressions)}
    for symbol in entry.symbols:
        source = SizeSource(-1, 0) if symbol.source is None else symbol.source
        bound = symbol.bound if isinstance(symbol.bound, int) else positions[symbol.bound]
        fields = (symbol.least, symbol.most, source.factor, source.offset, bound)
        symbols.append(
            f"{_SYMBOL} {{ {', '.join(f'i64 {n}' for n in fields)}, "
            f"i32 {source.argument}, i32 {source.axis} }}"
        )
    for number, dim in enumerate(expressions):
        used = [f"i32 {numbers[name]}" for name in sorted(dim.symbols())]
        least, most = limits.get(dim, (-MOST, MOST))
        node = shortened(entry.required_by.get(dim, ""), NAME_LIMIT)
        parts.append(text_constant(f"size_text_{number}", shortened(shown_size(dim), NAME_LIMIT)))
        parts.append(text_constant(f"size_node_{number}", node))
        parts.append(array_constant(f"size_symbols_{number}", "i32", used, "internal "))
        rows.append(
            f"{_EXPRESSION} {{ ptr @size_text_{number}, ptr @size_node_{number}, "
            f"ptr @size_symbols_{number}, i64 {len(used)}, i64 {least}, i64 {most}, "
            f"i32 {entry.stage([dim])} }}"
        )
    if not entry.symbols:
        parts.append(f"define {HIDDEN}i32 @tw_derive(ptr %sizes, i32 %stage) {{ ret i32 0 }}")
    given = sum(symbol.source is not None for symbol in entry.symbols)
    return [
        *parts,
        f"@tw_symbol_count = {HIDDEN}constant i32 {len(entry.symbols)}",
        f"@tw_given_count = {HIDDEN}constant i32 {given}",
        f"@tw_expression_count = {HIDDEN}constant i32 {len(expressions)}",
        f"@tw_size_count = {HIDDEN}constant i32 {entry.size_count}",
        array_constant("tw_symbols", _SYMBOL, symbols),
        array_constant("tw_expressions", _EXPRESSION, rows),
    ]


def quoted(symbol: str) -> str:
    """Return the name of a global in LLVM's syntax: with ``@``, and in quotes."""
    return f'@"{_escaped(symbol.encode())}"'


def shortened(text: str, limit: int = 400) -> str:
    """Return a text cut to ``limit`` characters, so that an error message stays readable."""
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def text_constant(name: str, text: str, linkage: str = "internal ") -> str:
    """Return the LLVM IR of a constant that holds a NUL-terminated string."""
    data = text.encode() + b"\0"
    return f'@{name} = {linkage}constant [{len(data)} x i8] c"{_escaped(data)}"'


def _escaped(data: bytes) -> str:
    return "".join(map(_ESCAPES.__getitem__, data))
