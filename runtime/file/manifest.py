"""Manifests: the description of a compiled module, which its code contains as JSON text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias, cast

from ..abi.constants import ABI_VERSION, element_bytes
from ..abi.library import LoadError
from ..spelling import SuggestsNames

Form: TypeAlias = int | tuple[int, ...] | None

ANY_RANK = ("…",)
"""The shape of a tensor of any number of dimensions."""

_SHORT_OPERATIONS, _SHORT_BYTES = 4000, 16 << 10
"""The most scalar operations and bytes of a call that takes at most about 2 us."""


@dataclass(frozen=True)
class TensorSpec(SuggestsNames):
    """Name, shape and dtype of an input or output.

    shape: a symbolic size is the text of its expression.  dtype: numpy's or ml_dtypes' name.

    entries: for an output with sizes that the model computes. A call fills an array of such sizes.
    For each dimension, this is the position of its size in the array, or -1 if the model does not
    compute it. ``shape`` then has the largest size, unless the tensor is ``unbounded``.

    unbounded: whether a computed size has no largest value.
    """

    name: str
    shape: tuple[int | str, ...]
    dtype: str
    entries: tuple[int, ...] = ()
    unbounded: bool = False

    def __str__(self) -> str:
        rows = zip(self.shape, self.entries or [-1] * len(self.shape), strict=True)
        least = "" if self.unbounded else "<="
        sizes = [f"{size}" if entry < 0 else f"{least}{size}" for size, entry in rows]
        return f"{self.dtype}[{', '.join(sizes)}]"

    @staticmethod
    def of(fields: Mapping[str, Any]) -> TensorSpec:
        """Read a spec from its JSON fields."""
        return TensorSpec(
            fields["name"],
            tuple(fields["shape"]),
            fields["dtype"],
            tuple(fields.get("entries", ())),
            fields.get("unbounded", False),
        )

    def is_data_dependent(self) -> bool:
        """Return whether a size is data-dependent: computed from elements of inputs."""
        return any(entry >= 0 for entry in self.entries)

    def is_symbolic(self) -> bool:
        """Return whether a size is symbolic: the shapes of a call's arguments determine it."""
        return any(isinstance(size, str) for size in self.shape)

    def sizes(self) -> tuple[int, ...]:
        """Return the shape of a tensor without symbolic sizes."""
        return cast("tuple[int, ...]", self.shape)


@dataclass(frozen=True)
class ParamSpec:
    """A parameter: an initializer of the model, with its name, dtype and shape in the model.

    reason: why new values need a compilation; empty if `load_params` can replace the values.
    digest: the SHA-256 of the values, in hexadecimal, so that `load_params` accepts the same values
    again for a parameter with a ``reason``; empty for a parameter of more than 64 KiB.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    reason: str = ""
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Metadata(SuggestsNames):
    """Facts about a compiled module, which `Module.metadata` returns.

    inputs, outputs: names, shapes and dtypes.  compiler: name and version.  params: the model's
    initializers.
    """

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    target: str
    compiler: str
    weights_bytes: int
    max_threads: int
    cpu_flags: tuple[str, ...]
    params: tuple[ParamSpec, ...] = ()


@dataclass(frozen=True)
class Manifest:
    """The description of a compiled module that its code contains.

    sizes: the number of distinct output sizes that the model computes; if not 0, the last argument
    of a call receives them.
    arena_bytes: the size of the arena (the memory of intermediate tensors); 0 if sizes are
    symbolic: `Module.memory` then returns it for given shapes.
    cpu_flags: features that the processor needs, in Linux's names.
    forms: how the outputs form the results of the model; empty if each result is one output.
    Otherwise, there is one entry per result: the position of its output, the positions of the
    outputs of a sequence, or None if the result is absent.
    externs: global functions that the module calls.
    appends: the states that a call may update in place. For each: the position of the input, the
    position of the output, and the axis of the model that is the outermost in memory, or -1. The
    caller may pass input and output in one memory; the call then only appends rows to a growing
    state.
    computes_sizes: whether the main function computes sizes, of outputs or only of memory.
    operations: scalar operations of one call, or None if they are not known.
    compiler: the name and version of the compiler.
    """

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    sizes: int
    arena_bytes: int
    weights_bytes: int
    max_threads: int
    target: str
    cpu_flags: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    externs: tuple[str, ...] = ()
    appends: tuple[tuple[int, int, int], ...] = ()
    computes_sizes: bool = False
    operations: int | None = None
    compiler: str = ""

    @staticmethod
    def parse(text: str) -> Manifest:
        """Parse the JSON text of a manifest.

        Errors: LoadError for a text of another version than this runtime's, or a malformed one.
        """
        return Manifest.of(fields_of(text))

    @staticmethod
    def of(fields: Mapping[str, Any]) -> Manifest:
        """Read a manifest from its JSON fields.

        Errors: LoadError for fields of another version than this runtime's, or malformed ones.
        """
        try:
            if fields["abi"] != ABI_VERSION:
                raise LoadError(
                    "the module was made for another runtime",
                    expected=f"ABI {ABI_VERSION}",
                    got=f"ABI {fields['abi']}",
                    hint="compile the model again with this version of Tilewright",
                )
            inputs, outputs = (
                tuple(map(TensorSpec.of, group)) for group in (fields["inputs"], fields["outputs"])
            )
            return Manifest(
                fields["name"], inputs, outputs, fields["sizes"], fields["arena_bytes"],
                fields["weights_bytes"], fields["max_threads"], fields["target"],
                tuple(fields["cpu_flags"]),
                tuple(tuple(f) if isinstance(f, list) else f for f in fields["forms"]),
                tuple(fields.get("externs", ())),
                tuple(tuple(each) for each in fields.get("appends", ())),
                fields.get("computes_sizes", False),
                fields.get("operations"),
                fields.get("compiler", ""),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as err:
            raise _malformed(err) from err

    @property
    def is_unbounded(self) -> bool:
        """Return whether an output has a computed size without a largest value."""
        return any(spec.unbounded for spec in self.outputs)

    @property
    def metadata(self) -> Metadata:
        """Return the facts that users can read; the params are left out."""
        return Metadata(
            self.name, self.inputs, self.outputs, self.target, self.compiler, self.weights_bytes,
            self.max_threads, self.cpu_flags,
        )  # fmt: skip

    @property
    def filled(self) -> tuple[TensorSpec, ...]:
        """Return the arguments that a call fills: the outputs, then the array of computed sizes."""
        sizes = (TensorSpec("sizes", (self.sizes,), "int64"),) if self.sizes else ()
        return (*self.outputs, *sizes)

    @property
    def is_short(self) -> bool:
        """Return whether a call surely ends within a few microseconds; else False."""
        if self.operations is None or self.operations > _SHORT_OPERATIONS:
            return False
        specs = (*self.inputs, *self.filled)
        moved = sum(prod(spec.sizes()) * element_bytes(spec.dtype) for spec in specs)
        return moved + self.arena_bytes + self.weights_bytes <= _SHORT_BYTES

    @property
    def signature(self) -> str:
        """Return the text of the signature for error messages."""
        taken = ", ".join(f"{each.name}: {each}" for each in self.inputs)
        made = ", ".join(f"{each.name}: {each}" for each in self.filled)
        return f"{self.name}({taken}) -> ({made})"


def fields_of(text: str) -> dict[str, Any]:
    """Return the JSON fields of the text of a manifest.

    Errors: LoadError for a text that is not a JSON object.
    """
    try:
        fields: object = json.loads(text)
    except ValueError as err:
        raise _malformed(err) from err
    if not isinstance(fields, dict):
        raise _malformed(fields)
    return cast("dict[str, Any]", fields)


def _malformed(got: object) -> LoadError:
    hint = "compile the model again: the file is damaged or of another version"
    return LoadError("the module's manifest is malformed", got=repr(got), hint=hint)
