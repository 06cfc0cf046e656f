"""The list of a model's symbols, for programs that link the model and call `tw_load_linked`.

In: the names that a shared object of the model exports. Out: an object with an array of ``struct
tw_linked`` (runtime/native/packed.h), which replaces the symbol table of a shared object.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...codegen.entry import quoted, text_constant
from ...codegen.llvm import Machine
from ...codegen.objects import cached_object
from ...codegen.worker import CompileOptions
from ...runtime.abi.constants import SYMBOL_LINKED
from ...support.cache import user_cache


def linked_object(names: Iterable[str], triple: str) -> bytes:
    """Return an object file with a table of symbols: the name and the address of each.

    triple: the LLVM triple of the system that runs the code.
    """
    symbols = [*names]
    texts = [text_constant(f"name.{n}", symbol) for n, symbol in enumerate(symbols)]
    others = [f"{quoted(symbol)} = external global i8" for symbol in symbols]
    rows = [f"{{ ptr, ptr }} {{ ptr @name.{n}, ptr {quoted(s)} }}" for n, s in enumerate(symbols)]
    rows.append("{ ptr, ptr } zeroinitializer")
    values = ",\n  ".join(rows)
    made = f"@{SYMBOL_LINKED} = constant [{len(rows)} x {{ ptr, ptr }}] [\n  {values}\n]"
    text = "\n".join([*texts, *others, made, ""])
    options = CompileOptions(Machine(triple), ())
    return cached_object(text, options, user_cache())
