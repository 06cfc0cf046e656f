"""The reference page of schedule primitives: steps, implementations and methods of Stage."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, cast

from ...dialects import sched
from ...dialects.sched import STEPS, StepOp
from ...passes.schedule.primitives import PRIMITIVES, Primitive
from ...schedule.stage import Stage

_STEP = re.compile(r"\bsched\.(\w+Op)\b")
_METHOD = re.compile(r"\bself\.(\w+)\(")


def primitives_page() -> str:
    """Return the Markdown page with all schedule steps."""
    parts = [
        "# Schedule primitives\n",
        "Made from the code: the steps of `sched`, the functions of `passes/schedule/` that run",
        "them, and the methods of `te.Stage` that append them. In the text of a step `%h` and `%r`",
        "stand for computes or loops, `[..]` may be left out, and `<axis> = ..` stands for any",
        "number of axes; the text below says which parameters a step needs. A step without a",
        "method is written in a script or, if it takes computes only, appended with",
        "`Schedule.step`. [How to add a primitive](../how-to-add-a-primitive.md).\n",
        "| classic name | method of a stage | step |",
        "|---|---|---|",
        *(_row(name) for name in stage_methods()),
        "",
        *(_step(op) for op in sorted(STEPS, key=lambda op: op.name)),
    ]
    return "\n".join(parts)


def stage_methods() -> dict[str, list[type[StepOp]]]:
    """Return the schedule steps that each method of `Stage` appends, by the name of the method."""
    found: dict[str, list[type[StepOp]]] = {}
    calls: dict[str, list[str]] = {}
    for name, method in inspect.getmembers(Stage, inspect.isfunction):
        if name.startswith("_"):
            continue
        source = inspect.getsource(method)
        found[name] = [getattr(sched, op) for op in dict.fromkeys(_STEP.findall(source))]
        calls[name] = _METHOD.findall(source)
    for name, called in calls.items():
        if not found[name]:
            found[name] = [op for other in called for op in found.get(other, [])]
    return {name: ops for name, ops in found.items() if ops}


def _row(name: str) -> str:
    steps = [f"[`{op.name}`](#{_anchor(op)})" for op in stage_methods()[name]]
    return f"| `{name}` | `s[C].{name}{_parameters(name)}` | {', '.join(steps)} |"


def _parameters(name: str) -> str:
    signature = inspect.signature(getattr(Stage, name))
    given = [p.replace(annotation=p.empty) for p in signature.parameters.values()][1:]
    return str(inspect.Signature(given))


def _anchor(op: type[StepOp]) -> str:
    return op.name.replace(".", "")


def _step(op: type[StepOp]) -> str:
    primitive = PRIMITIVES[op]
    text = inspect.getdoc(primitive.apply) or ""
    module = inspect.getmodule(inspect.unwrap(primitive.apply))
    assert module is not None, f"{op.name} is run by a function of a file"
    file = module.__name__.partition(".")[2].replace(".", "/")
    lines = [
        f"## {op.name}\n",
        f"{inspect.getdoc(op)}\n",
        f"```text\n{step_text(op, primitive)}\n```\n",
        f"`{file}.py`:\n",
        f"```text\n{text}\n```",
    ]
    methods = [name for name, ops in stage_methods().items() if ops == [op]]
    for name in methods:
        method = cast("Callable[..., Any]", getattr(Stage, name))
        doc = inspect.getdoc(method) or ""
        lines += ["", f"In Python: `s[C].{name}{_parameters(name)}`", "", f"```text\n{doc}\n```"]
    return "\n".join([*lines, ""])


def step_text(op: type[StepOp], primitive: Primitive) -> str:
    """Return the syntax of a schedule step, with placeholders for handles and values."""
    handles = [f"%h{n}" for n in range(primitive.handles)]
    text = ", ".join(handles)
    more = [f" [, %h{primitive.handles + n}]" for n in range(primitive.optional)]
    text += "".join(more[:1]) + " .." * (len(more) > 1)
    results = ", ".join(f"%r{n}" for n in range(op.count_results({}, 0)))
    if primitive.axis_sizes and op.count_results({}, 1) > op.count_results({}, 0):
        results += ", %<axis>"
    keys = [*op.options(), *(["<axis> = .."] if primitive.axis_sizes else [])]
    start = f"{results} = {op.name}" if results else op.name
    return " ".join(p for p in (start, text, f"{{{', '.join(keys)}}}" if keys else "") if p)
