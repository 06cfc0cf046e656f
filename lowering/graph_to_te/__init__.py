"""Lower tensor operators to element definitions: graph ops become te.compute in value form.

    %y = graph.matmul %a, %b : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
    =>
    %y = te.compute @matmul [m: 4, n: 8, k: 16 red]
        ins(%a[m, k] : tensor<4x16xf32>, %b[k, n] : tensor<16x8xf32>)
        outs([m, n] add 0.0 : f32 : tensor<4x8xf32>)
        body(%x: f32, %z: f32) { … }

Before: func.func of graph ops, all sizes bound to numbers.
After: the same functions hold te.compute, packed.constant and func.return; integers are signless.
    Function attributes ``tw.arg_dtypes`` and ``tw.result_dtypes`` keep the signature's dtypes.
Exact: elementwise ops, movement and integers; later passes may reorder sums of floats.
"""

from __future__ import annotations

from .convert import GraphToTe

__all__ = ["GraphToTe"]
