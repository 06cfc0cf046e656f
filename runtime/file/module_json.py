"""The graph of a module as JSON text: inputs, outputs, states and kernels.

In: the fields of a manifest, and the fields that an export adds. Out: text in the form that
docs/graph.schema.json describes; tools read it, loading does not need it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..abi.constants import SYMBOL_MANIFEST
from ..abi.library import Symbols

FORMAT = "tilewright graph 1"


def graph_of(library: Symbols, facts: Mapping[str, Any]) -> str:
    """Return the graph of a loaded library as JSON text.

    library: contains the manifest.  facts: fields to add to those of the manifest.
    """
    return graph_json(json.loads(library.text(SYMBOL_MANIFEST)) | facts)


def graph_json(fields: Mapping[str, Any]) -> str:
    """Return the graph of a module as JSON text.

    fields: the fields of the manifest and those that an export adds.
    """
    inputs, outputs = fields["inputs"], fields["outputs"]
    graph = {
        "format": FORMAT,
        "name": fields["name"],
        "target": fields["target"],
        "cpu_flags": fields["cpu_flags"],
        "compiler": fields["compiler"],
        "inputs": list(map(_tensor, inputs)),
        "outputs": list(map(_tensor, outputs)),
        "states": states_of(fields),
        "kernels": fields["kernels"],
        "functions": fields["externs"],
        "params": [
            {"name": name, "dtype": dtype, "shape": shape, "reason": reason}
            for name, dtype, shape, reason, _ in fields["params"].get("params", ())
        ],
        "weights_bytes": fields["weights_bytes"],
        "arena_bytes": fields["arena_bytes"],
    }  # fmt: skip
    return json.dumps(graph, indent=1)


def states_of(fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return a description of each state of a module.

    The result has the keys input and output (names), axis (the growing one, or None) and capacity.
    fields: the fields of the manifest and those that an export adds.
    """
    inputs, outputs = fields["inputs"], fields["outputs"]
    states: Sequence[Mapping[str, Any]] = fields["states"]
    return [
        {"input": inputs[row["position"]]["name"], "output": outputs[row["result"]]["name"],
         "axis": row["axis"], "capacity": row["growth"] and row["growth"]["capacity"]}
        for row in states
    ]  # fmt: skip


def _tensor(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a tensor; a data-dependent size is a text: "<=" and the largest size."""
    entries = row["entries"] or [-1] * len(row["shape"])
    sizes = zip(row["shape"], entries, strict=True)
    shape = [size if entry < 0 else f"<={size}" for size, entry in sizes]
    return {"name": row["name"], "dtype": row["dtype"], "shape": shape}
