"""Compiled models in the cache folder, looked up before a model is parsed.

A cache entry belongs to one model, shapes, values and settings.  It holds the shared object, its
objects, the packed weights, and the `KernelRecord` of each kernel; or, for a model that needs more
sizes or values, its signature.  The key of an entry consists of

    the digests of the model, and of its external data files
    shapes and values, every field of CompilationSettings, the compiler and its dependencies

The locations of external data files are known only after parsing, so a separate entry, whose key is
the digest of the model, holds them.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..support.cache import DiskCache, compiler_key, content_key
from ..support.checked_file import Bundle, BundleLayout, DamagedError, lay_out, read_bundle
from ..targets.backend import Artifact, KernelRecord, ScheduleOrigin
from .source import ModelSource

if TYPE_CHECKING:
    from ..frontend.onnx.file.definitions import ValueDef
    from ..frontend.onnx.input_values import Values
    from ..frontend.onnx.signature import Shapes
    from .request import Request

_FORMAT = "model 5"


@dataclass(frozen=True)
class ModelSignature:
    """The signature of a model whose compilation needs more sizes or values.

    value_inputs: names of inputs whose values decide shapes.  reason: why the model cannot be
    compiled for all sizes at once; empty if unknown.
    """

    name: str
    inputs: tuple[ValueDef, ...]
    outputs: tuple[ValueDef, ...]
    value_inputs: tuple[str, ...]
    reason: str = ""


Stored: TypeAlias = Artifact | ModelSignature


def find(request: Request) -> Stored | None:
    """Return the cached result of a request for a model, or None; delete a damaged cache entry."""
    if (model := _cached_model(request)) is None:
        return None
    cache, source, digest = model
    locations = cache.read(_files_key(digest))
    key = None if locations is None else _key(request, source, digest, json.loads(locations))
    path = None if key is None else cache.model_file(key)
    if path is None:
        return None
    try:
        return _read(read_bundle(path))
    except FileNotFoundError:  # another process evicted it
        return None
    except DamagedError:
        cache.discard(path)
        return None


def keep(request: Request, data_files: Sequence[str], made: Stored) -> None:
    """Store the result of a request in the cache, unless it has no key or is too large.

    A model with a kernel whose plan failed is not stored, so that each compilation warns about the
    failure.
    data_files: the locations of the model's external data.
    """
    if isinstance(made, Artifact) and any(k.plan is ScheduleOrigin.SIMPLE for k in made.kernels):
        return
    if (model := _cached_model(request)) is None:
        return
    cache, source, digest = model
    key = _key(request, source, digest, data_files)
    if key is not None:
        layout = _laid_out(made)
        cache.write_model(key, layout.size_bytes, layout.write)
        cache.write(_files_key(digest), json.dumps(data_files).encode())


def _cached_model(request: Request) -> tuple[DiskCache, ModelSource, str] | None:
    """Return the cache of whole models, the source of a request's model, and its digest.

    Return None if cached code may not replace a compilation of this request.
    """
    cache, source = request.cache if request.settings.is_known else None, request.source
    if cache is None or not isinstance(source, ModelSource) or (digest := source.digest()) is None:
        return None
    return cache, source, digest


def _key(
    request: Request, source: ModelSource, digest: str, data_files: Iterable[str]
) -> str | None:
    given = _given_parts(request.shapes, request.values)
    files, settings = source.data_digests(data_files), request.settings.key_parts()
    if given is None or files is None:
        return None
    counts = [str(len(part)) for part in (files, given, settings)]
    return content_key(_FORMAT, compiler_key(), digest, *counts, *files, *given, *settings)


def _files_key(digest: str) -> str:
    return content_key("data files", compiler_key(), digest)


def _given_parts(shapes: Shapes, values: Values) -> list[bytes | str] | None:
    """Return the parts of a cache key that identify shapes and values.

    Return None if one of them cannot be a part of a key, such as an array of Python objects.
    """
    parts: list[bytes | str] = []
    try:
        for name in sorted(shapes):
            parts += [name, repr(_plain(shapes[name]))]
        for name in sorted(values):
            array = np.asarray(values[name])
            if array.dtype.hasobject:
                return None
            is_array = isinstance(values[name], np.ndarray)
            parts += [f"{name} {is_array} {array.dtype.str} {array.shape}", array.tobytes()]
    except (TypeError, ValueError, AttributeError):
        return None
    return parts


def _plain(sizes: object) -> object:
    """Convert sizes to nested tuples of integers and names, for a cache key.

    Errors: TypeError for an object that is no size.
    """
    if sizes is None or isinstance(sizes, str):
        return sizes
    if isinstance(sizes, range):
        return "range", sizes.start, sizes.stop, sizes.step
    if isinstance(sizes, Iterable):
        return tuple(_plain(size) for size in cast("Iterable[object]", sizes))
    return index(cast(Any, sizes))


def _laid_out(made: Stored) -> BundleLayout:
    if isinstance(made, Artifact):
        kernels = [dataclasses.astuple(kernel) for kernel in made.kernels]
        parts = {
            "code": made.code, "pool": made.pool, "weights": made.weights, "objects": made.objects,
        }  # fmt: skip
        return lay_out({"kernels": kernels, "params": made.params}, parts)
    inputs, outputs = ([_as_json(value) for value in g] for g in (made.inputs, made.outputs))
    return lay_out({"name": made.name, "inputs": inputs, "outputs": outputs,
                    "value_inputs": made.value_inputs, "reason": made.reason}, {})  # fmt: skip


def _read(bundle: Bundle) -> Stored:
    metadata = bundle.metadata
    if "kernels" in metadata:
        rows = metadata["kernels"]
        kernels = [
            KernelRecord(
                name, tuple(ops), flops, tasks, calls, ScheduleOrigin(plan), tuple(nodes), moved
            )
            for name, ops, flops, tasks, calls, plan, nodes, moved in rows
        ]
        parts = bundle.parts
        code, pool, weights, objects = (parts[n] for n in ("code", "pool", "weights", "objects"))
        return Artifact(code, pool, weights, tuple(kernels), objects, metadata["params"])
    inputs, outputs = (tuple(map(_value_def, metadata[g])) for g in ("inputs", "outputs"))
    value_inputs = tuple(metadata["value_inputs"])
    return ModelSignature(metadata["name"], inputs, outputs, value_inputs, metadata["reason"])


def _dtype(name: str) -> np.dtype[Any]:
    if hasattr(np, name) or name == "object":
        return np.dtype(name)
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, name))


def _as_json(value: ValueDef) -> Mapping[str, Any]:
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return fields | {"dtype": None if value.dtype is None else value.dtype.name}


def _value_def(fields: Mapping[str, Any]) -> ValueDef:
    from ..frontend.onnx.file.definitions import ValueDef  # late: only signatures of models need it

    dtype = None if fields["dtype"] is None else _dtype(fields["dtype"])
    shape = None if fields["shape"] is None else tuple(fields["shape"])
    return ValueDef(fields["name"], dtype, shape, fields["is_list"], fields["is_optional"])
