"""Single attentions: softmax of queries by keys, times values, without the projections."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class Attention(nn.Module):
    """Multi-head attention by torch's operator, without projections.

    causal: whether a query sees only the keys up to its own position.  Several heads may share keys
    and values.
    """

    def __init__(self, *, causal: bool = False) -> None:
        super().__init__()
        self.causal = causal

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        shared = q.shape[1] // k.shape[1]
        if shared > 1:
            k, v = k.repeat_interleave(shared, 1), v.repeat_interleave(shared, 1)
        return functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
