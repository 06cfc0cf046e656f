"""Check the names and options of a PassContext for a backend, and set the options of passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, cast

from xdsl.passes import ModulePass

from ...runtime.errors import ArgumentError
from ...runtime.spelling import nearest
from ...support.registry import PASSES, find_pass, unknown
from ...targets.backend import Backend
from .pass_context import FLAGS, PassContext

_GIVEN = ("target", "precision")
"""Pass options that `make_pass` sets, so a config cannot set them."""


def check_context(context: PassContext, backend: Backend, added: Iterable[str]) -> None:
    """Check that the names in a context exist, and that it disables no pass that a stage needs.

    A disabled pass may belong to another backend, because one context may apply to compilations for
    several backends.

    added: the names of the passes that extensions add to the pipeline.

    Errors: TilewrightError for an unknown name; ArgumentError for an option of another type, and
    for a pass that the pipeline needs or does not have.
    """
    own = {*backend.level_of, *added}
    for name in (*context.required_pass, *context.disabled_pass):
        if name not in own and name not in PASSES:
            raise unknown("pass of the pipeline", name, own)
    for name in context.required_pass:
        if name not in own:
            near = nearest(name, own, 1)
            raise ArgumentError(
                "a required pass is not in the pipeline of the target",
                expected=f"a pass of target {backend.kind}",
                got=name,
                hint=f"did you mean {near[0]}?" if near else "`tw-opt --print-pipeline` lists them",
            )
    for name in context.disabled_pass:
        if name in backend.level_of and (stage := backend.needed_by(name)):
            raise ArgumentError(
                "a pass that a later stage needs cannot be disabled",
                expected=f"one of {', '.join(n for n in backend.opt_levels if n in own)}",
                got=name,
                hint=f"the stage {stage} needs the pass",
            )
    for key, value in context.config.items():
        _check_option(key, value, backend)


def _check_option(key: str, value: object, backend: Backend) -> None:
    """Check the key and the value of one option of a PassContext (an entry of ``config``).

    Errors: TilewrightError for an unknown key, ArgumentError for a value of another type.
    """
    names = dict.fromkeys((*backend.level_of, key.partition(".")[0]))
    types = {option: kind for name in names for option, kind in _option_types(name, backend)}
    types |= dict.fromkeys(FLAGS, bool)
    if key not in types:
        raise unknown("config key of PassContext", key, types)
    is_right = _is_texts(value) if types[key] is tuple else type(value) is types[key]
    if not is_right:
        raise ArgumentError(
            f"PassContext: config[{key!r}] has another type",
            expected="a list of texts" if types[key] is tuple else types[key].__name__,
            got=repr(value),
        )


def _is_texts(value: object) -> bool:
    """Return whether a value stands for a tuple of texts: a list of them, or one with commas."""
    each = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(text, str) for text in cast("Iterable[object]", each))


def _option_types(name: str, backend: Backend) -> Iterator[tuple[str, type[object]]]:
    """Yield the config key and type of each option of a pass; nothing for an unknown pass."""
    if name in backend.passes or name in PASSES:
        found = backend.passes[name] if name in backend.passes else find_pass(name)
        for option in fields(found):
            if option.name not in _GIVEN:
                yield f"{name}.{option.name}", type(option.default)


def with_options(step: ModulePass, config: Mapping[str, object]) -> ModulePass:
    """Return a copy of a pass with the options that a config sets."""
    kinds = {option.name: type(option.default) for option in fields(step)}
    keys = (key for key in config if key.partition(".")[0] == step.name)
    own = ((key.partition(".")[2], config[key]) for key in keys)
    given = {name: _value(value, kinds[name]) for name, value in own}
    return replace(step, **given) if given else step


def _value(given: Any, kind: type[object]) -> Any:
    """Return the value of an option; a tuple of texts may be a list, or one text with commas."""
    if kind is not tuple:
        return given
    return tuple(given.split(",") if isinstance(given, str) else given)
