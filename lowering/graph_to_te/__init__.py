"""Lower tensor operators to definitions of their elements: graph ops become te.compute.

    %y = graph.matmul %a, %b : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
    =>
    %y = te.compute @matmul [m: 4, n: 8, k: 16 red]
        ins(%a[m, k] : tensor<4x16xf32>, %b[k, n] : tensor<16x8xf32>)
        outs([m, n] add 0.0 : f32 : tensor<4x8xf32>)
        body(%x: f32, %z: f32) { … }

Before: func.func of graph ops.
After: the same functions have te.compute on tensors, packed.constant and func.return; integers are
signless. The function attributes ``tw.arg_dtypes`` and ``tw.result_dtypes`` record the dtypes of
the signature.
Exact: elementwise ops, data movement and integers; later passes may reorder sums of floats.
"""

from __future__ import annotations

from .convert import GraphToTe

__all__ = ["GraphToTe"]
