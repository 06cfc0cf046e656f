"""Texts of targets: strings, dicts and JSON become words, and words become options.

In: ``llvm -mcpu=znver3 -mattr=-fma``, ``{"kind": "llvm", "mcpu": "znver3"}``, or this as JSON.
Out: the kind or name, and the values of the options.  Every error is a TargetError, which names
the unknown word and similar names.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, cast

from ..runtime.spelling import nearest
from ..support.diagnostics import TargetError
from .cpu import PROCESSORS
from .gpu import GPU_KINDS, GPUS
from .names import ABSENT_KINDS, NAMES, OPTION_NAMES, OTHER_OPTIONS, PROCESSOR_NAMES

NATIVE, GENERIC = "native", "generic"
KINDS = ("llvm", "interpreter", "c", "hls", *GPU_KINDS)
"""The kinds of targets of this package: the first word of a target string."""
TargetText: TypeAlias = "str | Mapping[str, Any]"
"""A target as a string, as JSON, or as a dict."""

_SPELLINGS = (
    'a processor such as "znver3" or "x86-64-v3", "native" for this machine, '
    f'"llvm -mcpu=znver3 -mattr=-fma", or a kind: {", ".join(KINDS)}'
)
_PROCESSORS = (
    "tw targets lists the processors, such as x86-64-v3, cortex-a72, generic-rv64 and cortex-m55; "
    "a GPU is a target of another kind: cuda -arch=sm_80"
)
_SHOWN = 5
"""The most similar names that a hint lists."""


def target_names() -> tuple[str, ...]:
    """Return all words that are a complete target string, without options.

    These are the processors such as ``znver3``, their other names, ``native``, the kinds of targets
    such as ``llvm``, the names of machines and instruction sets such as ``raspberrypi4``, and the
    GPUs.
    """
    return (*PROCESSORS, *PROCESSOR_NAMES, NATIVE, *KINDS, *NAMES, *GPUS)


def words_of(text: object) -> list[str]:
    """Return the words of a target string; the first word is a kind or a name of a target.

    text: a string, JSON, or a dict.
    Errors: TargetError if the argument is no target, is empty, or has unbalanced quotes.
    """
    if isinstance(text, Mapping):
        return _words_of_fields(cast("Mapping[str, Any]", text))
    if not isinstance(text, str):
        raise TargetError(
            "not a target", expected='a Target or text such as "znver3"', got=repr(text)
        )
    if text.lstrip().startswith("{"):
        return _words_of_json(text)
    try:
        words = shlex.split(text)
    except ValueError as err:
        raise TargetError("malformed target", got=f"{text!r}: {err}") from err
    if not words:
        raise TargetError("the target is empty", got=repr(text), hint=_SPELLINGS)
    return words


def _words_of_json(text: str) -> list[str]:
    try:
        fields = json.loads(text)
    except ValueError as err:
        raise TargetError("malformed target", got=f"{text!r}: {err}") from err
    return words_of(fields)


def _words_of_fields(fields: Mapping[str, Any]) -> list[str]:
    name = "kind" if "kind" in fields else "tag"
    first = fields.get(name)
    if not isinstance(first, str):
        raise TargetError(
            "a target as a dict has a kind or a tag",
            expected='{"kind": "llvm", "mcpu": "znver3"}',
            got=repr(dict(fields)),
        )
    rest = {key: value for key, value in fields.items() if key != name}
    return [*words_of(first), *(f"-{key}={_value_text(value)}" for key, value in rest.items())]


def _value_text(value: object) -> str:
    if isinstance(value, Mapping):
        return shlex.join(words_of(cast("Mapping[str, Any]", value)))
    if isinstance(value, list | tuple):
        return ",".join(map(str, cast("Iterable[object]", value)))
    return str(int(value)) if isinstance(value, bool) else str(value)


def expanded(words: list[str]) -> list[str]:
    """Return the words of a target with a kind first: a name becomes its kind and options.

    Errors: TargetError, which suggests similar names.
    """
    first, *options = words
    if first in KINDS:
        return words
    if first in NAMES:
        return [*NAMES[first].split(), *options]
    for kind, row in GPU_KINDS.items():
        if row.pattern and re.fullmatch(row.pattern, first):
            return [kind, f"-{row.option}={first}", *options]
    if first == NATIVE or first in PROCESSORS or first in PROCESSOR_NAMES:
        return ["llvm", f"-mcpu={first}", *options]
    if first in ABSENT_KINDS:
        raise TargetError(
            f"there is no backend for {first}",
            expected=f"a kind: {', '.join(KINDS)}",
            got=shlex.join(words),
            hint=ABSENT_KINDS[first],
        )
    near = nearest(first, target_names(), _SHOWN)
    hint = f"did you mean {', '.join(near)}?" if near else f"a target is {_SPELLINGS}"
    raise TargetError("unknown target", got=repr(first), hint=hint)


def options_of(words: list[str], known: tuple[str, ...]) -> dict[str, str]:
    """Return the options of a target's words after the first: ``-name=value`` or ``-name value``.

    known: the names of the options that the kind has.
    Errors: TargetError for an unknown option, an option without a value, a value that the option
    cannot have, and an option that occurs twice.
    """
    options: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key, has_value, value = word.lstrip("-").partition("=")
        key = key.replace("_", "-")
        if OPTION_NAMES.get(key) in known:
            key = OPTION_NAMES[key]
        if not word.startswith("-") or key not in known:
            if not _has_default_value(key, value):
                raise _unknown_option(word, key, known)
            continue
        if not has_value and rest and not rest[0].startswith("-"):
            value = rest.pop(0)
        if not value:
            raise TargetError(f"target option -{key} has no value", got=word, hint=f"-{key}=VALUE")
        if key in options:
            raise TargetError(
                f"target option -{key} occurs twice", got=f"{options[key]} and {value}"
            )
        _check_value(key, value)
        options[key] = value
    return options


def _has_default_value(key: str, value: str) -> bool:
    """Return whether an option of a target string only states what this compiler does anyway.

    Other compilers have the option ``fast-math``; here it is accepted and ignored if its value is
    false.
    """
    return key.startswith("fast-math") and value in ("0", "false", "False")


def _unknown_option(word: str, key: str, known: tuple[str, ...]) -> TargetError:
    if word.startswith("-") and key in OTHER_OPTIONS:
        shown = ", ".join(f"-{each}" for each in known)
        return TargetError(
            f"unknown target option -{key}", expected=shown, got=word, hint=OTHER_OPTIONS[key]
        )
    return unknown("target option", word, tuple(f"-{o}" for o in known))


_IS_LEVEL: Callable[[str], bool] = ("0", "1", "2", "3").__contains__
_RULES: Mapping[str, tuple[Callable[[str], object], str]] = {
    "opt-level": (_IS_LEVEL, "a level of LLVM's code generator, from 0 to 3"),
    "codegen": ("llvm".__eq__, "llvm, the only code generator"),
    "max-ram": (
        re.compile(r"[1-9]\d*[KM]?").fullmatch,
        "bytes for intermediate results, such as 64K",
    ),
    "vector-bits": (
        ("128", "256", "512", "1024", "2048").__contains__,
        "a power of two from 128 to 2048",
    ),
    "sums": ("fixed".__eq__, "fixed: the order of a sum depends on shapes and types alone"),
}
"""The values of options with few of them: whether a text is one, and their description."""


def _check_value(key: str, value: str) -> None:
    """Check the value of one option; checks that involve several options are made elsewhere.

    Errors: TargetError for a value that the option cannot have.
    """
    is_count = value.isascii() and value.isdigit() and int(value) > 0
    if key.endswith("-kib") and not is_count:
        raise TargetError(f"target option -{key}", expected="a size in KiB", got=value)
    if key.startswith("max-") and key not in _RULES and not is_count:
        raise TargetError(
            f"target option -{key}", expected="a positive number", got=value, hint=f"-{key}=64"
        )
    is_one, description = _RULES.get(key, (str.isprintable, ""))
    if not is_one(value):
        raise TargetError(f"target option -{key}", expected=description, got=value)


def unknown_processor(name: str) -> TargetError:
    """Return the error for an unknown processor; it suggests processors, and the kinds of GPUs."""
    if name in GPUS:
        kind = GPUS[name]
        hint = f"{name} is a GPU: {kind} -{GPU_KINDS[kind].option}={name}"
        return TargetError("unknown cpu", got=repr(name), hint=hint)
    near = nearest(name, (*PROCESSORS, *PROCESSOR_NAMES, NATIVE, *NAMES, *GPUS), _SHOWN, 0.4)
    hint = f"did you mean {', '.join(near)}?" if near else _PROCESSORS
    return TargetError("unknown cpu", got=repr(name), hint=hint)


def unknown(what: str, got: str, known: tuple[str, ...]) -> TargetError:
    """Return the error for an unknown name; it suggests similar names.

    what: the kind of name, such as "target option".  got: the unknown name.  known: the possible
    names.
    """
    near = nearest(got, known, 3, 0.4) or known[:8]
    hint = f"did you mean {', '.join(near)}?" if near else f"there is no {what}"
    return TargetError(f"unknown {what}", got=repr(got), hint=hint)
