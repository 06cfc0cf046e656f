"""Load StableHLO text as a `Model`: its signature, and a function that converts its ops.

The inputs get the names of the Python function's parameters, which jax writes as locations, or else
the names of the arguments in the text. A dynamic size has the name of jax's dimension variable, or
a name made from input and axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...dialects.dtypes import numpy_dtype
from ...support.diagnostics import ModelError, TilewrightError, UnsupportedOp
from ..onnx.builder import Builder, Tensor
from ..onnx.file.definitions import Model, ValueDef
from .definitions import ArgumentDef, DefinedFunction, OpDef, Program, direction_of, is_complex
from .importer import import_program
from .reader import read_program

MAIN = "main"


def load_text(text: str, file: str = "") -> Model:
    """Read a model from StableHLO text.

    file: the path, for messages; "" for a text in memory.
    Errors: ModelError with line and column for a malformed text.
    """
    program = read_program(text, file or "<text>")
    try:
        return _model(program, file)
    except TilewrightError as err:
        raise err.in_file(file) from err.__cause__


def _model(program: Program, file: str) -> Model:
    main = _main(program)
    inputs = _inputs(program, main)
    names = _unique((str(x.attributes.get("jax.result_info", "")) for x in main.results), "result")
    results = [_value(name, x, x.type.dims) for name, x in zip(names, main.results, strict=True)]
    if not results:
        raise ModelError(f"function @{main.name} has no results", hint="return at least one array")

    def body(builder: Builder, tensors: Sequence[Tensor]) -> list[Tensor]:
        return import_program(program, main, builder, tensors)

    return Model(
        program.name or main.name,
        {},
        inputs,
        tuple(names),
        {},
        (),
        declared={value.name: value for value in (*inputs, *results)},
        file=file,
        producer="StableHLO",
        body=body,
    )


def _main(program: Program) -> DefinedFunction:
    public = [function for function in program.functions.values() if function.is_public]
    if MAIN in program.functions:
        return program.functions[MAIN]
    if len(public) == 1:
        return public[0]
    raise ModelError(
        "the module has no function @main",
        expected="func.func public @main",
        got=", ".join(f"@{name}" for name in program.functions) or "no function",
    )


def _inputs(program: Program, main: DefinedFunction) -> tuple[ValueDef, ...]:
    wrapped = _wrapped(program, main)
    located: dict[str, str] = {}
    sizes: dict[tuple[str, int], str] = {}
    if wrapped is not None:
        inner, call = wrapped
        located = {
            name: argument.location
            for name, argument in zip(call.operands, inner.arguments, strict=False)
        }
        sizes = _size_names(main, inner, call)
    names = _unique(
        (x.location or located.get(x.name, "") or x.name[1:] for x in main.arguments), "arg"
    )
    return tuple(
        _value(name, x, [_size(n, name, x, axis, sizes) for axis, n in enumerate(x.type.dims)])
        for name, x in zip(names, main.arguments, strict=True)
    )


def _size(
    number: int | None, name: str, x: ArgumentDef, axis: int, sizes: dict[tuple[str, int], str]
) -> int | str:
    return number if number is not None else sizes.get((x.name, axis), f"{name}_{axis}")


def _value(name: str, x: ArgumentDef, sizes: Iterable[int | str | None]) -> ValueDef:
    if x.type.dtype is None:
        raise UnsupportedOp(
            "the type of an input or output is not supported", got=f"{name}: {x.type.text}"
        )
    if is_complex(x.type):
        raise UnsupportedOp(
            "inputs and outputs have no complex elements",
            got=f"{name}: {x.type.text}",
            hint="take the parts and make lax.complex(re, im) of them; return x.real and x.imag",
        )
    return ValueDef(name, numpy_dtype(x.type.dtype), tuple(sizes))


def _unique(names: Iterable[str], default: str) -> list[str]:
    found: list[str] = []
    for n, name in enumerate(names):
        name = name or f"{default}{n}"
        found.append(name if name not in found else f"{name}.{n}")
    return found


def _wrapped(program: Program, main: DefinedFunction) -> tuple[DefinedFunction, OpDef] | None:
    """Return the function whose results main returns, and the call of it; None if there is none.

    jax's main only checks sizes and calls such a function.
    """
    for op in main.body.ops:
        if op.name == "func.call" and op.results and op.results == main.body.returned:
            return program.functions[op.callee or ""], op
    return None


def _size_names(
    main: DefinedFunction, inner: DefinedFunction, call: OpDef
) -> dict[tuple[str, int], str]:
    """Return the names of jax's dimension variables, by argument name and axis.

    jax passes each variable as an argument with an attribute, and asserts which sizes equal it.
    """
    measured: dict[str, tuple[str, int]] = {}
    for op in main.body.ops:
        axis = op.attributes.get("dimension")
        if op.name == "stablehlo.get_dimension_size" and isinstance(axis, int):
            measured[op.results[0]] = op.operands[0], axis
        elif op.name == "stablehlo.convert" and op.operands[0] in measured:
            measured[op.results[0]] = measured[op.operands[0]]
    found: dict[tuple[str, int], str] = {}
    for value, argument in zip(call.operands, inner.arguments, strict=False):
        name = argument.attributes.get("jax.global_constant")
        if isinstance(name, str) and value in measured:
            found[measured[value]] = name
    for op in main.body.ops:
        if op.name != "stablehlo.compare" or direction_of(op) != "EQ":
            continue
        lhs, rhs = (measured.get(name) for name in op.operands)
        if lhs is not None and rhs is not None:
            for place, other in ((lhs, rhs), (rhs, lhs)):
                if other in found:
                    found.setdefault(place, found[other])
    return found
