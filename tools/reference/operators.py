"""Reference of the operators on te tensors: a Markdown page, and a stub file with their types.

The operators are generated on demand from the classes of the graph dialect, so type checkers and
editors do not find definitions in the source; ops/__init__.pyi declares the operators.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

from xdsl.ir import Operation

from ... import ops
from ...frontend.te.tensor import Tensor
from ...lowering.graph_to_te.convert import RULES
from ...ops.table import broadcasts
from ...ops.table import table as ops_table

_WIDTH = 100
_DIMENSIONS = ("axes", "perm")
"""Names of parameters that are lists of axes, not of sizes."""

_STUB = """\
# Made by `make reference` from what __init__.py gives when it is asked for an operator.

from collections.abc import Sequence
from types import ModuleType

from ..frontend.te.tensor import Tensor
IMPORTS

MODULES: tuple[ModuleType, ...]

__all__ = [
ALL
]

"""


def operators_page() -> str:
    """Return the Markdown page with the operators on te tensors."""
    parts = [
        "# Operators on te tensors\n",
        "Made from the code: `from tilewright import ops`. The ops of the graph dialect, with the",
        "file of their te definition, which take `name=` too, and compositions of them.\n",
        "| operator | what it is | defined in |",
        "|---|---|---|",
    ]
    for name in dir(ops):
        operator = getattr(ops, name)
        summary = (inspect.getdoc(operator) or "").partition("\n")[0].replace("|", "\\|")
        graph_op = ops_table().get(name)
        home = "composed" if graph_op is None else _lowering_file(graph_op)
        parts.append(f"| `{name}{_call(operator)}` | {summary} | {home} |")
    return "\n".join([*parts, ""])


def _call(operator: object) -> str:
    shown: list[str] = []
    keywords = False
    for parameter in inspect.signature(cast(Any, operator)).parameters.values():
        if parameter.name == "name":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            shown.append("*")
            keywords = True
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        shown.append(parameter.name + default)
    return f"({', '.join(shown)})"


def _lowering_file(op: type[Operation]) -> str:
    module = RULES[op].__module__.rpartition(".")[2]
    return f"`lowering/graph_to_te/{module}.py`"


def operators_stub() -> str:
    """Return a Python stub file of the package ``ops`` with the types of all operators."""
    table = ops_table()
    imports = [
        f"from .{module.__name__.rpartition('.')[2]} import (\n{_lines(module.__all__)}\n)"
        for module in ops.MODULES
    ]
    imports = sorted([*imports, "from .table import Extent, Operand, TensorLike"])
    every = "\n".join(f'    "{name}",' for name in dir(ops))
    parts = [_STUB.replace("IMPORTS", "\n".join(imports)).replace("ALL", every).rstrip("\n") + "\n"]
    for name in sorted(table):
        summary = (inspect.getdoc(getattr(ops, name)) or "").partition("\n")[0]
        parts.append(f'{_definition(name, table[name])}\n    """{summary}"""\n')
    return "\n".join(parts)


def _lines(names: Sequence[str]) -> str:
    # Ruff sorts numbers in names by value: log2, log10.
    def key(name: str) -> list[int | str]:
        return [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]

    return "\n".join(f"    {name}," for name in sorted(names, key=key))


def _definition(name: str, op: type[Operation]) -> str:
    """Return the header of a function of the stub file, with line breaks if it is too long.

    name: the name of the operator.  op: the op of the graph dialect.
    """
    signature = inspect.signature(getattr(ops, name))
    parameters = list(_parameters(signature, op))
    result = _type_text(signature.return_annotation, "Tensor")
    end = f") -> {result}:"
    inside = ", ".join(parameters)
    if len(name) + len(inside) + len(end) + 5 <= _WIDTH:
        return f"def {name}({inside}{end}"
    if len(inside) + 4 <= _WIDTH:
        return f"def {name}(\n    {inside}\n{end}"
    lines = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"def {name}(\n{lines}{end}"


def _parameters(signature: inspect.Signature, op: type[Operation]) -> Iterator[str]:
    """Yield the parameters of an operator with types and defaults, as in Python source.

    A star precedes the first keyword-only parameter.
    """
    every = list(signature.parameters.values())
    tensors = sum(p.annotation is Tensor for p in every)
    value = "TensorLike"
    if broadcasts(op):
        value = "Operand" if tensors > 1 else "Tensor"
    is_positional = True
    for parameter in every:
        if parameter.kind is parameter.KEYWORD_ONLY and is_positional:
            is_positional = False
            yield "*"
        type_text = _type_text(parameter.annotation, value)
        if parameter.name not in _DIMENSIONS:
            type_text = type_text.replace("Sequence[int]", "Sequence[Extent]")
        text = f"{parameter.name}: {type_text}"
        is_required = parameter.default is parameter.empty
        yield text if is_required else f"{text} = {_default(parameter.default)}"


def _default(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _type_text(hint: Any, tensor: str) -> str:
    """Return the source text of a type hint.

    tensor: the name of the tensor type in this text.
    """
    known = {Tensor: tensor, NoneType: "None"}
    origin, inner = get_origin(hint), [_type_text(part, tensor) for part in get_args(hint)]
    if origin in (Union, UnionType):
        return " | ".join(inner)
    if origin is not None:
        name = "Sequence" if origin is Sequence else origin.__name__
        return f"{name}[{', '.join(inner)}]"
    return known.get(hint) or hint.__name__


__all__ = ["operators_page", "operators_stub"]
