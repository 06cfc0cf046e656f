"""The program of a module as text (IR, source or assembly), and its description in a notebook.

    print(module.get_source("loop"))        the program at a level
    module                                  signature and memory, as the output of a cell

In: the manifest of a module, and a function that prints its program. Out: text and HTML.
"""

from __future__ import annotations

from typing import Protocol, Self

from .. import display
from ..display import Markup, byte_text
from ..errors import UnknownText
from ..file.manifest import Manifest, TensorSpec
from .module_params import ModuleParams


class Sources(Protocol):
    """A function that returns the IR, source or assembly of a module."""

    def __call__(self, kind: str, kernel: str | None = None, /) -> str:
        """Return the program, or one kernel of the program, as text.

        kind: the level or language, as for `Module.get_source`.
        """
        ...


class ShownText(str):
    """The text of a program, which a notebook shows with its line breaks, highlighted.

    kind: the level or language, as `Module.get_source` takes it.
    """

    __slots__ = ("kind",)

    def __new__(cls, text: str, kind: str = "") -> Self:
        """Make a text that a notebook highlights.

        kind: the level or language.
        """
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def _repr_html_(self) -> str:
        return display.fragment(display.source(self, self.kind))


class ShownModule(ModuleParams):
    """A module that can print its program and be shown in a notebook."""

    name: str
    manifest: Manifest
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    _sources: Sources | None

    def get_source(self, kind: str = "", *, kernel: str | None = None) -> ShownText:
        """Return the program as text, for example as ``loop`` IR, ``ll`` (LLVM IR) or ``asm``.

        Each text is one complete program: LLVM parses ``ll``, and an assembler takes ``asm``.

        kind: a level or a language; by default the code for the target: ``ll``, or the source that
        a driver compiles.
        kernel: the name of a kernel, to return only its text.

        Errors: LookupError if the module was loaded without its sources, or for an unknown name.
        """
        if self._sources is None:
            raise UnknownText(
                f"module {self.name} was loaded without its sources",
                hint="call get_source on the module that compile or build returned",
            )
        text = self._sources(kind) if kernel is None else self._sources(kind, kernel)
        return ShownText(text, kind)

    def __repr__(self) -> str:
        return f"<Module {self.manifest.signature}>"

    def _repr_html_(self) -> str:
        return display.fragment(*self.html_parts())

    def html_parts(self) -> list[Markup]:
        """Return the HTML elements that show the module in a notebook."""
        specs = [("in", spec) for spec in self.inputs] + [("out", spec) for spec in self.outputs]
        rows = [(kind, display.code(spec.name), display.code(spec)) for kind, spec in specs]
        is_dynamic = any(spec.is_symbolic() for spec in self.inputs)
        arena = "by sizes" if is_dynamic else byte_text(self.manifest.arena_bytes)
        return [
            display.heading(self.name),
            display.paragraph("for ", display.code(self.manifest.target)),
            display.table(("", "name", "type"), rows, names=range(3)),
            display.paragraph(
                f"weights: {byte_text(self.manifest.weights_bytes)}, intermediate results: {arena}"
            ),
        ]
