"""build: tensor expressions in, a callable module out.

frontend/te describes the tensors as te IR; from there on it is the way of a model: kernels are
formed, the target's plan schedules them, and driver/build.py makes code.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..frontend.te.program import make_program, signature_of
from ..frontend.te.tensor import Tensor
from ..runtime.threads import check_threads
from ..support.collection import paused_collection
from ..support.diagnostics import TypeMismatch
from ..support.target import Target
from .build import Build
from .compile import CompiledModule, load_compiled, object_cache
from .progress import Stopwatch, Watcher
from .settings import settings_for

FORM_KERNELS = "form-kernels"


@paused_collection()
def build(
    tensors: Tensor | Sequence[Tensor],
    args: Sequence[Tensor] | None = None,
    *,
    target: str | Target | None = None,
    name: str = "main",
    precision: str = "default",
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
) -> CompiledModule:
    """Compile tensor expressions for a target (default: this machine).

    tensors: what is computed.  args: the arguments of the module, placeholders first, then what is
    computed; by default the placeholders in the order in which they are read, then ``tensors``.
    Placeholders among ``tensors`` make them the args.  The module is called as ``mod(a, b, c)``,
    which fills c, or as ``c = mod(a, b)``; ``mod[name]`` is the same packed function.
    precision, threads, cache, progress: see compile.
    Errors: TypeMismatch for args that do not fit the tensors, TargetError, ArgumentError if threads
    is no count.
    """
    check_threads(threads)
    outputs = _outputs(tensors)
    if args is None and any(t.op.ir is None for t in outputs):
        args = outputs
    settings, watch = settings_for(target, precision), Stopwatch(progress)
    module = make_program(signature_of(outputs, args), name)
    made = Build(settings, object_cache(wanted=cache), watch, module, start=FORM_KERNELS)
    return load_compiled(made.compiled(keep=True), threads, made.source, watch)


def _outputs(tensors: Tensor | Sequence[Tensor]) -> list[Tensor]:
    given = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    for tensor in given:
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeMismatch(
                "build takes te tensors",
                got=f"{tensor!r} of type {type(tensor).__name__}",
                hint="for an ONNX model there is tilewright.compile",
            )
    if not given:
        raise TypeMismatch("build takes te tensors", got="none")
    return given
