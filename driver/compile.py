"""compile: compile a model, and return a callable module.

The arguments become a `Request` (driver/request.py), driver/compilation.py makes its artifact, and
driver/module/compiled_module.py loads the artifact. The caller's model is never changed. The
printed IR of earlier levels is made on request, by another run of the pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from ..frontend.frameworks import Program, plain_model
from ..machines.target import Target, TargetText
from ..runtime.spelling import suggests_arguments
from .decoder_states import StateOptions
from .given import DEFAULT_PLAN, check_kinds, check_sizes
from .module.called_module import module_of
from .module.compiled_module import CompiledModule
from .progress import Watcher
from .request import Request, request_for
from .source import ModelSource

if TYPE_CHECKING:
    import onnx

    from ..frontend.onnx.input_values import Values
    from ..frontend.onnx.signature import Shapes
    from .extension import Extension
    from .placement import Placement


@suggests_arguments
def compile(
    model: str | PathLike[str] | bytes | onnx.ModelProto | Program,
    *,
    target: TargetText | Target | None = None,
    precision: str = "default",
    shapes: Shapes | None = None,
    values: Values | None = None,
    inputs: Sequence[object] | Mapping[str, object] | None = None,
    dynamic_shapes: object | None = None,
    threads: int | None = None,
    cache: bool = True,
    progress: Watcher | None = None,
    extensions: Sequence[Extension] = (),
    plan: str | PathLike[str] = DEFAULT_PLAN,
    strict_plan: bool = False,
    unchecked_indices: bool = False,
    state: Mapping[str, str] | None = None,
    capacity: Mapping[str, int] | None = None,
    specialize: Mapping[str, Sequence[int]] | None = None,
    placement: Placement | None = None,
    gradient: Sequence[str] = (),
    validate: bool = False,
) -> CompiledModule:
    """Compile a model, in ONNX or StableHLO, for a target (default: this machine).

    A model with symbolic sizes is compiled once for all sizes from 1 on.  If a step of the
    compilation needs sizes or values of inputs that only a call has (`CompiledModule.reason` names
    the step), each call compiles a program for its sizes and values, unless an earlier call has
    done so; `CompiledModule.programs` lists the programs.

    model: a file (ONNX, ``.pt2`` or StableHLO), bytes, a proto, StableHLO text, or a module or
    program of torch or jax.
    target: a processor ("znver3"), "native", "interpreter" for the reference in numpy, or a full
    text ("llvm -mcpu=znver3 -mattr=-fma").
    precision: "strict" uses no algorithm with a larger rounding error than the sums that define the
    operators, and gives the same bits at all levels of x86-64; by default, convolutions may use
    Winograd tiles (relative L2 error of a network below 1e-5). "bf16" rounds operands of f32
    products to bf16 where the target multiplies bf16 faster, "bf16-forced" everywhere. "tf32"
    rounds operands to 10 fraction bits on CUDA devices.
    shapes: sizes of inputs with symbolic dimensions, by input, or by size name, such as ``{"batch":
    2}``, or ranges, ``{"seq": range(1, 513)}``; only ranges allow the size 0.  For a sequence a
    list of shapes, for an absent optional None.
    values: arrays for inputs that become constants and leave the signature.
    inputs: example inputs of a torch.nn.Module, as a tuple or by name.
    dynamic_shapes: as in torch.export.
    threads: the default number of threads of a call; None: all processors that this process may
    use.
    cache: whether to use the cache folder.
    progress: called with each `StageProgress`; logger ``tilewright.driver`` logs stages and passes.
    extensions: additions of other packages.
    plan: "default": the schedules of the target's plan; or a file or folder of schedules
    (`CompiledModule.dump_schedules`), a file of tuning records, or "starter" (the records in the
    package), which replace those of the kernels that they match (docs/tuning.md).
    strict_plan: whether a kernel that cannot be planned is an error; by default it gets a simple
    schedule, and a `PlanWarning` names the kernel and a file that reproduces the failure.
    unchecked_indices: omit the checks that turn an out-of-range index into an IndexError of the
    call; such an index then reads some element of the axis, and an update at it is dropped.
    state: for each input whose value is an output of the previous call, the name of this output, as
    ``{"past_k0": "present_k0"}``; `Module.session` then remembers their values.
    capacity: the largest value of each size that grows from call to call, as ``{"past": 2048}``.
    specialize: sizes that get their own code in the module, as ``{"batch": [1, 8]}``; a call with
    these sizes runs that code.  Several names give a version for each combination.
    placement: targets of ops that run elsewhere than the rest, by graph op or pattern of node
    names, as ``{"softmax": "llvm", "decoder/*": "llvm"}``; a function from an op to a target or
    None; or a target alone, whose backend takes the ops that it supports.
    gradient: names of float inputs and initializers; the module also returns the gradients of the
    sum of the first output with respect to them, named ``d_w`` for ``w``, and these initializers
    become inputs.
    validate: check the program after every stage, and the results of the code against the
    interpreter and onnxruntime, on random inputs; the sizes must be bound.
    `CompiledModule.validation` holds the table (docs/testing.md).
    Errors: ModelError, UnsupportedOp or TypeMismatch from the model, NoGradient for an op without a
    gradient, TargetError from the target, ArgumentError if threads is not a count, TilewrightError
    for an unknown precision, ScheduleError for a schedule that is illegal or matches no kernel.

    >>> import numpy as np, tilewright
    >>> module = tilewright.compile("model.onnx")
    >>> module(np.ones((2, 4), np.float32)).shape
    (2, 3)
    """
    check_sizes(shapes=shapes, values=values, specialize=specialize)
    check_kinds(inputs, extensions, plan, threads)
    request = request_for(
        lambda: ModelSource(plain_model(model, inputs, dynamic_shapes)),
        target=target,
        precision=precision,
        values=values,
        threads=threads,
        cache=cache,
        progress=progress,
        extensions=extensions,
        plan=plan,
        strict_plan=strict_plan,
        unchecked_indices=unchecked_indices,
    )
    if gradient:
        request = request.with_settings(gradients=tuple(gradient))
    if placement is not None:
        from .placement import with_placement  # imports xdsl

        request = with_placement(request, placement)
    options = StateOptions.of(state or {}, capacity or {}, specialize or {}, shapes or {})
    request = options.applied(request, shapes or {})
    module = _validated(request) if validate else module_of(request)
    options.give(module)
    return module


def _validated(request: Request) -> CompiledModule:
    """Compile a request, check the results, and return the module, whose `validation` is the table.

    Errors: TargetError for another CPU, whose code this machine cannot run; see `validated`.
    """
    from .report.validation import validated  # imports the compiler

    module, table = validated(request)
    if module is None:  # this machine has no device of the target
        request.settings.check_host()
        module = module_of(request)
        module.validation = table
    return module
