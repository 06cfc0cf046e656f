"""Options of passes that were tuned for a model: match them to the model, and read their text.

In: an imported module of graph ops and the `GraphPlan`s of tuning records.  Out: the PassContext of
its compilation.  The digest of a model covers the ops, their types and the names of their nodes,
and the precision, but not the values of weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects import graph, packed
from ...runtime.errors import ArgumentError, Error
from ...support.locations import node_names
from ...support.tuning_records import GraphPlan, graph_file
from ...targets.backend import Backend
from .pass_context import PassContext
from .pass_options import check_context

_BYTES = 16


def graph_digest(module: ModuleOp, precision: str) -> str:
    """Return the digest of an imported module of graph ops.

    precision: that of the compilation, which is part of the digest.
    """
    digest, numbers = blake2b(precision.encode(), digest_size=_BYTES), dict[SSAValue, int]()
    for op in module.walk():
        attributes = (
            {}
            if isinstance(op, graph.ConstantOp | packed.ConstantOp)
            else {**op.properties, **op.attributes}
        )
        parts = (
            op.name,
            node_names(op.location),
            [numbers.setdefault(value, len(numbers)) for value in op.operands],
            [(numbers.setdefault(value, len(numbers)), str(value.type)) for value in op.results],
            sorted((name, str(value)) for name, value in attributes.items()),
        )
        digest.update(repr(parts).encode())
    return digest.hexdigest()


def best_plan(module: ModuleOp, plans: Sequence[GraphPlan], precision: str) -> GraphPlan | None:
    """Return the plan with the largest speedup for an imported module; None if there is none."""
    digest = graph_digest(module, precision) if plans else ""
    own = [plan for plan in plans if plan.digest == digest]
    return max(own, key=lambda plan: plan.speedup, default=None)


def graph_files(module: ModuleOp, plans: Sequence[GraphPlan], precision: str) -> Mapping[str, str]:
    """Return the file of the best plan for an imported module, by its name; {} without a plan."""
    plan = best_plan(module, plans, precision)
    return {} if plan is None else dict([graph_file(plan)])


def planned_context(
    module: ModuleOp,
    plans: Sequence[GraphPlan],
    precision: str,
    context: PassContext,
    backend: Backend,
) -> PassContext:
    """Return a PassContext with the options that were tuned for a module.

    An option of the context itself has precedence.

    plans: of several plans for the module, the one with the largest speedup counts.

    backend: the backend of the target, which has the passes.

    Errors: ArgumentError for a plan that is no JSON object of options of these passes.
    """
    best = best_plan(module, plans, precision)
    if best is None:
        return context
    found = parse_context(best.text, best.file)
    try:
        check_context(found, backend, ())
    except Error as err:
        raise ArgumentError(
            f"{best.file}: the passes have no longer the options that were tuned",
            got=str(err).splitlines()[0],
            hint="tune the model again: tw tune MODEL --space graph --records FILE",
        ) from err
    return combined(found, context)


def combined(tuned: PassContext, context: PassContext) -> PassContext:
    """Return a PassContext with tuned options, in which the context's own have precedence."""
    disabled = {*tuned.disabled_pass, *context.disabled_pass} - {*context.required_pass}
    config = {**tuned.config, **context.config}
    return replace(context, config=config, disabled_pass=disabled)


def context_text(context: PassContext) -> str:
    """Return a PassContext as JSON, without its instruments."""
    fields = {
        "opt_level": context.opt_level,
        "required_pass": [*context.required_pass],
        "disabled_pass": [*context.disabled_pass],
        "config": {**context.config},
    }
    return json.dumps(fields, sort_keys=True)


def parse_context(text: str, where: str) -> PassContext:
    """Return the PassContext of a text that `context_text` has written.

    where: the file, for messages.

    Errors: ArgumentError for any other text.
    """
    try:
        given: dict[str, Any] = json.loads(text)
        given["config"] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in given["config"].items()
        }
        return PassContext(disabled_pass=given.pop("disabled_pass"), **given)
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        raise ArgumentError(
            f"{where}: the options of passes are malformed",
            expected='{"config": {"PASS.OPTION": VALUE, ...}, "disabled_pass": ["PASS", ...]}',
            got=text,
            hint="tune the model again: tw tune MODEL --space graph --records FILE",
        ) from err
