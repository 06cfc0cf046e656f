"""Tables of dialects, passes and frontends by name; ``"module:Attribute"`` is loaded on use.

Nothing is imported before a lookup, which imports only the requested object.
The order of passes is not defined here, but by each backend; see targets/backend.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect
from xdsl.passes import ModulePass

from ..runtime.spelling import nearest
from .diagnostics import TilewrightError
from .installed import OpenContext
from .lazy import load

DIALECTS: Mapping[str, str] = {
    "graph": "tilewright.dialects.graph:GRAPH",
    "te": "tilewright.dialects.te:TE",
    "sched": "tilewright.dialects.sched:SCHED",
    "loop": "tilewright.dialects.loop:LOOP",
    "simt": "tilewright.dialects.simt:SIMT",
    "packed": "tilewright.dialects.packed:PACKED",
}

UPSTREAM_DIALECTS: Mapping[str, str] = {
    "builtin": "xdsl.dialects.builtin:Builtin",
    "func": "xdsl.dialects.func:Func",
    "arith": "tilewright.dialects.arith:ARITH",
    "math": "xdsl.dialects.math:Math",
    "memref": "xdsl.dialects.memref:MemRef",
    "scf": "xdsl.dialects.scf:Scf",
    "vector": "xdsl.dialects.vector:Vector",
    "gpu": "tilewright.dialects.gpu:GPU",
    "nvgpu": "tilewright.dialects.nvgpu:NVGPU",
}

PASSES: Mapping[str, str] = {
    "c-outline": "tilewright.targets.c.outline:COutline",
    "c-plan": "tilewright.targets.c.plan:CPlan",
    "c-workspace": "tilewright.targets.c.workspace:CWorkspace",
    "c-serial-loops": "tilewright.targets.c.serial_loops:SerialLoops",
    "cpu-choose-algorithms": "tilewright.targets.cpu.choices.choose_algorithms:CpuChooseAlgorithms",
    "cpu-narrow-operands": "tilewright.targets.cpu.choices.narrow_operands:NarrowOperands",
    "cpu-plan": "tilewright.targets.cpu.plan:CpuPlan",
    "cpu-block-products": "tilewright.targets.cpu.block_products:BlockProducts",
    "cpu-sign-bytes": "tilewright.targets.cpu.choices.sign_bytes:SignBytes",
    "cpu-pad-sums": "tilewright.targets.cpu.choices.pad_sums:PadSums",
    "cpu-plan-graph": "tilewright.targets.cpu.choices.plan_graph:CpuPlanGraph",
    "cpu-widen-operands": "tilewright.targets.cpu.choices.widen_operands:WidenOperands",
    "gpu-plan": "tilewright.targets.gpu.plan:GpuPlan",
    "gpu-copy-to-host": "tilewright.targets.gpu.copy_to_host:GpuCopyToHost",
    "gpu-plan-memory": "tilewright.targets.gpu.plan_memory:GpuPlanMemory",
    "gpu-bind-tasks": "tilewright.targets.gpu.bind_tasks:GpuBindTasks",
    "gpu-bufferize": "tilewright.targets.gpu.bufferize:GpuBufferize",
    "gpu-order-axes": "tilewright.targets.gpu.order_axes:GpuOrderAxes",
    "gpu-plan-layouts": "tilewright.targets.gpu.plan_layouts:GpuPlanLayouts",
    "gpu-form-attention": "tilewright.targets.gpu.form_attention:GpuFormAttention",
    "gpu-group-calls": "tilewright.targets.gpu.group_calls:GpuGroupCalls",
    "gpu-join-sums": "tilewright.targets.gpu.join_sums:GpuJoinSums",
    "gpu-quantize": "tilewright.targets.gpu.quantize:GpuQuantize",
    "gpu-round-operands": "tilewright.targets.gpu.round_operands:RoundOperands",
    "gpu-serial-launch": "tilewright.targets.gpu.serial_launch:GpuSerialLaunch",
    "graph-apply-closures": "tilewright.passes.functions.apply_closures:ApplyClosures",
    "graph-choose-closures": "tilewright.passes.functions.choose_closures:ChooseClosures",
    "graph-expand-data": "tilewright.passes.functions.expand_data:ExpandData",
    "graph-tabulate-recursion": "tilewright.passes.functions.tabulate_recursion:TabulateRecursion",
    "graph-inline-calls": "tilewright.passes.functions.inline_calls:InlineCalls",
    "graph-loop-tail-calls": "tilewright.passes.functions.loop_tail_calls:LoopTailCalls",
    "graph-remove-functions": "tilewright.passes.functions.remove_functions:RemoveFunctions",
    "graph-specialize-calls": "tilewright.passes.functions.specialize_calls:SpecializeCalls",
    "graph-stack-recursion": "tilewright.passes.functions.stack_recursion:StackRecursion",
    "graph-thread-references": "tilewright.passes.functions.thread_references:ThreadReferences",
    "graph-append-states": "tilewright.passes.graph.append_states:AppendStates",
    "graph-combine-parallel": "tilewright.passes.graph.combine_parallel:CombineParallel",
    "graph-cse": "tilewright.passes.graph.cse:Cse",
    "graph-dce": "tilewright.passes.graph.dce:Dce",
    "graph-dense-to-sparse": "tilewright.passes.graph.dense_to_sparse:DenseToSparse",
    "graph-eliminate-transposes": (
        "tilewright.passes.graph.eliminate_transposes:EliminateTransposes"
    ),
    "graph-expose-fusion": "tilewright.passes.graph.expose_fusion:ExposeFusion",
    "graph-fold-batch-norm": "tilewright.passes.graph.fold_batch_norm:FoldBatchNorm",
    "graph-gradient": "tilewright.gradient.graph_gradient:GraphGradient",
    "graph-fold-constants": "tilewright.passes.graph.fold_constants:FoldConstants",
    "graph-prove-indices": "tilewright.passes.graph.prove_indices:ProveIndices",
    "graph-quantize": "tilewright.passes.graph.quantize:Quantize",
    "graph-simplify": "tilewright.passes.graph.simplify:Simplify",
    "graph-to-te": "tilewright.lowering.graph_to_te.convert:GraphToTe",
    "loop-check-bounds": "tilewright.passes.loop.check_bounds:CheckBounds",
    "loop-hoist": "tilewright.passes.loop.hoist:Hoist",
    "loop-narrow-indices": "tilewright.passes.loop.narrow_indices:NarrowIndices",
    "loop-drop-unread": "tilewright.passes.loop.drop_unread:DropUnread",
    "loop-simplify": "tilewright.passes.loop.simplify:Simplify",
    "loop-split-launches": "tilewright.passes.loop.split_launches:SplitLaunches",
    "loop-split-phases": "tilewright.passes.loop.split_phases:SplitPhases",
    "loop-workspace": "tilewright.passes.loop.workspace:Workspace",
    "packed-group-calls": "tilewright.passes.packed.group_calls:GroupCalls",
    "packed-update-states": "tilewright.passes.packed.update_states:UpdateStates",
    "packed-pack-constants": "tilewright.passes.packed.pack_constants:PackConstants",
    "packed-plan-memory": "tilewright.passes.packed.plan_memory:PlanMemory",
    "simt-async-copies": "tilewright.passes.simt.async_copies:AsyncCopies",
    "simt-check-threads": "tilewright.passes.simt.check_threads:CheckThreads",
    "simt-combine-lanes": "tilewright.passes.simt.combine_lanes:CombineLanes",
    "simt-expand-intrinsics": "tilewright.passes.simt.expand_intrinsics:ExpandIntrinsics",
    "simt-form-warpgroups": "tilewright.passes.simt.form_warpgroups:FormWarpgroups",
    "simt-align-loads": "tilewright.passes.simt.align_loads:AlignLoads",
    "simt-load-matrices": "tilewright.passes.simt.load_matrices:LoadMatrices",
    "simt-map-threads": "tilewright.passes.simt.map_threads:MapThreads",
    "simt-place-barriers": "tilewright.passes.simt.place_barriers:PlaceBarriers",
    "simt-private-buffers": "tilewright.passes.simt.private_buffers:PrivateBuffers",
    "simt-branch-single-trips": "tilewright.passes.simt.branch_single_trips:BranchSingleTrips",
    "simt-merge-launches": "tilewright.passes.simt.merge_launches:MergeLaunches",
    "simt-peel-copies": "tilewright.passes.simt.peel_copies:PeelCopies",
    "simt-repeat-results": "tilewright.passes.simt.repeat_results:RepeatResults",
    "simt-to-gpu": "tilewright.lowering.simt_to_gpu.convert:SimtToGpu",
    "te-apply-schedule": "tilewright.passes.schedule.apply_schedule:ApplySchedule",
    "te-bufferize": "tilewright.passes.te.bufferize:Bufferize",
    "te-deduplicate": "tilewright.passes.te.deduplicate:Deduplicate",
    "te-fuse-elementwise": "tilewright.passes.te.fuse_elementwise:FuseElementwise",
    "te-form-attention": "tilewright.passes.te.form_attention:FormAttention",
    "te-match-schedules": "tilewright.passes.schedule.match_schedules:MatchSchedules",
    "te-merge-all-axes": "tilewright.passes.te.merge_all_axes:MergeAllAxes",
    "te-merge-axes": "tilewright.passes.te.merge_axes:MergeAxes",
    "te-outline": "tilewright.passes.te.outline:Outline",
    "te-record-costs": "tilewright.passes.te.record_costs:RecordCosts",
    "te-insert-padded-copies": "tilewright.passes.te.insert_padded_copies:InsertPaddedCopies",
    "te-insert-boundary-copies": "tilewright.passes.te.insert_boundary_copies:InsertBoundaryCopies",
    "te-to-loop": "tilewright.lowering.te_to_loop.te_to_loop:TeToLoop",
    "te-winograd": "tilewright.passes.te.winograd:Winograd",
}

FRONTENDS: Mapping[str, str] = {
    "onnx": "tilewright.frontend.onnx.importer:import_model",
}


def dialect_factory(entry: str) -> Callable[[], Dialect]:
    """Return a function that imports and returns one dialect, as xDSL's Context registers it.

    entry: the place of the dialect, ``"module:Attribute"``.
    """
    return lambda: cast(Dialect, load(entry))


def pass_factory(entry: str) -> Callable[[], type[ModulePass]]:
    """Return a function that imports and returns one pass class, as xDSL's tools register it.

    entry: the place of the class, ``"module:Attribute"``.
    """
    return lambda: cast(type[ModulePass], load(entry))


def importer_of(frontend: str) -> Callable[..., ModuleOp]:
    """Return the function of a frontend that converts a model to a module.

    frontend: a key of `FRONTENDS`.
    """
    return cast(Callable[..., ModuleOp], load(FRONTENDS[frontend]))


def new_context(more: Mapping[str, str] | None = None) -> Context:
    """Return a Context with Tilewright's dialects and the xDSL dialects that it uses.

    Dialects of installed packages are registered when parsed IR uses them (`OpenContext`).

    more: dialects of other packages, in the form of DIALECTS.

    Cost: a dialect is imported when the parser first needs it.
    """
    ctx = OpenContext()
    for name, entry in {**UPSTREAM_DIALECTS, **DIALECTS, **(more or {})}.items():
        ctx.register_dialect(name, dialect_factory(entry))
    return ctx


def find_pass(name: str) -> type[ModulePass]:
    """Return the class of the pass with a name such as ``te-fuse-elementwise``.

    Errors: TilewrightError for an unknown name.
    """
    if name not in PASSES:
        raise unknown("pass", name, PASSES)
    return pass_factory(PASSES[name])()


def unknown(kind: str, name: str, known: Iterable[str]) -> TilewrightError:
    """Return the error for a name that a table does not contain; the message lists similar names.

    kind: what the names stand for, such as "pass".  known: the names in the table.
    """
    names = sorted(known)
    near = nearest(name, names, cutoff=0.5)
    return TilewrightError(
        f"unknown {kind}",
        expected=f"one of {', '.join(near or names[:12]) or '(none registered)'}",
        got=name,
    )
