"""Names of TVM's passes and options, and the names of this compiler with the same meaning."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TVM_PASSES: Mapping[str, str] = MappingProxyType(
    {
        "AlterOpLayout": "cpu-plan-graph",
        "CanonicalizeOps": "graph-simplify",
        "CombineParallelDense": "graph-combine-parallel",
        "ConvertLayout": "cpu-plan-graph",
        "DeadCodeElimination": "graph-dce",
        "Defunctionalization": "graph-specialize-calls",
        "DenseToSparse": "graph-dense-to-sparse",
        "EliminateCommonSubexpr": "graph-cse",
        "FakeQuantizationToInteger": "graph-quantize",
        "FoldBatchnormToConv2D": "graph-fold-batch-norm",
        "FoldConstant": "graph-fold-constants",
        "FoldScaleAxis": "graph-fold-batch-norm",
        "FuseOps": "te-fuse-elementwise",
        "FuseTIR": "te-outline",
        "Gradient": "graph-gradient",
        "Inline": "graph-inline-calls",
        "Legalize": "graph-to-te",
        "LegalizeOps": "graph-to-te",
        "ManifestLifetimes": "packed-plan-memory",
        "PartialEvaluate": "graph-remove-functions",
        "SimplifyExpr": "graph-simplify",
        "SimplifyFCTranspose": "graph-eliminate-transposes",
        "SimplifyInference": "graph-fold-batch-norm",
        "StaticPlanBlockMemory": "packed-plan-memory",
        "tir.HoistExpression": "loop-hoist",
        "tir.HoistIfThenElse": "loop-hoist",
        "tir.InjectPTXAsyncCopy": "simt-async-copies",
        "tir.InstrumentBoundCheckers": "loop-check-bounds",
        "tir.LowerCrossThreadReduction": "simt-combine-lanes",
        "tir.LowerThreadAllreduce": "simt-combine-lanes",
        "tir.NarrowDataType": "loop-narrow-indices",
        "tir.Simplify": "loop-simplify",
        "tir.ThreadSync": "simt-place-barriers",
        "tir.UnifiedStaticMemoryPlanner": "packed-plan-memory",
        "tir.VerifyMemory": "simt-check-threads",
    }
)
"""By name of a TVM pass, the pass of this compiler that does the same work."""

TVM_CONFIG: Mapping[str, str] = MappingProxyType(
    {
        "relax.FuseOps.max_depth": "te-fuse-elementwise.max_body_ops",
        "relay.FuseOps.max_depth": "te-fuse-elementwise.max_body_ops",
        "tir.disable_assert": "unchecked_indices",
    }
)
"""By TVM config key, the config key of this compiler that has the same meaning."""
