"""The graph dialect: operators on immutable tensors, one family of ops per file.

Sizes are static or symbolic (``dialects/shape.py``); a weight is identified by its content
(``dialects/weights.py``). Size attributes are ``te.dims`` of the te dialect.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from ...support.lazy import family_modules
from ..data_type import NodeType, RefType
from ..weights import WeightAttr
from .base import GraphOp
from .block_product import (
    DIGIT_BASE,
    DIGIT_BLOCK,
    LARGEST_DIGIT,
    LEAST_MAGNITUDE,
    BlockMatmulOp,
    DigitMatmulOp,
    SplitDigitsOp,
)
from .constant import ConstantOp
from .control import IfOp, LoopOp, ScanOp, WhileOp, YieldOp
from .conv import ConvOp, ConvTransposeOp, DeformColumnsOp, FoldOp
from .data import ConstructOp, DataOp, DataValueOp, MatchOp, NodeAtOp, NodeNumberOp, TableOp
from .defined import DefinedOp
from .derivative import CheckpointOp, CustomGradientOp, HoldOp, RegionOp, SameOp, StopGradientOp
from .det import DetOp
from .elementwise import (
    ELEMENTWISE,
    AbsOp,
    AcoshOp,
    AcosOp,
    AddOp,
    AndOp,
    AsinhOp,
    AsinOp,
    AtanhOp,
    AtanOp,
    BinaryOp,
    BitcastOp,
    CastOp,
    CeilOp,
    CoshOp,
    CosOp,
    DivOp,
    ElementwiseOp,
    EqOp,
    ErfOp,
    Expm1Op,
    ExpOp,
    FloorOp,
    FmodOp,
    IsNanOp,
    LeOp,
    Log1pOp,
    LogOp,
    LtOp,
    MaxOp,
    MinOp,
    ModOp,
    MulOp,
    NegOp,
    NotOp,
    OrOp,
    PowOp,
    RoundEvenOp,
    SelectOp,
    ShlOp,
    ShrOp,
    SigmoidOp,
    SignOp,
    SinhOp,
    SinOp,
    SqrtOp,
    SubOp,
    TanhOp,
    TanOp,
    UnaryOp,
    XorOp,
)
from .function import MOST_CALLS, ApplyOp, CallOp, ClosureOp, NamingOp, functions_of
from .index import CheckIndicesOp, GatherElementsOp, GatherNdOp, GatherOp
from .matmul import MatmulOp
from .move import (
    AppendOp,
    BroadcastOp,
    ConcatOp,
    IotaOp,
    PadOp,
    ReshapeOp,
    Size,
    SliceOp,
    TransposeOp,
)
from .norm import LogSoftmaxOp, LrnOp, NormalizeOp, SoftmaxOp
from .pool import MaxPoolIndicesOp, PoolOp
from .quant import DequantizeOp, QuantizeOp
from .random import RandomBitsOp
from .reduce import ArgReduceOp, CumulativeOp, ReduceOp
from .reference import ReadOp, ReferenceOp, RefOp, WriteOp
from .sample import GridSampleOp, ResampleOp, RoiAlignOp, RoiPoolOp
from .scatter import ScatterElementsOp, ScatterNdOp, UpdateSliceOp
from .selection import NmsOp, NonZeroOp, UniqueOp
from .size import BindingOp, BindOp, SizeOp, bound_by, bound_symbols, mentioned_symbols
from .sort import TopKOp

GRAPH = Dialect(
    "graph",
    [
        op
        for family in family_modules(__name__)
        for op in vars(family).values()
        if isinstance(op, type)
        and issubclass(op, GraphOp)
        and op.__module__ == family.__name__
        and "name" in vars(op)
    ],
    [WeightAttr, NodeType, RefType],
)
"""The ops that the files of this folder define."""

__all__ = [
    "WriteOp",
    "ReferenceOp",
    "RefOp",
    "ReadOp",
    "GRAPH",
    "GraphOp",
    "AbsOp",
    "AcosOp",
    "AcoshOp",
    "AddOp",
    "AndOp",
    "AppendOp",
    "AsinOp",
    "AsinhOp",
    "AtanOp",
    "AtanhOp",
    "BinaryOp",
    "BitcastOp",
    "CallOp",
    "CastOp",
    "CeilOp",
    "CheckIndicesOp",
    "CheckpointOp",
    "CosOp",
    "CoshOp",
    "DivOp",
    "ELEMENTWISE",
    "ElementwiseOp",
    "EqOp",
    "ErfOp",
    "ExpOp",
    "Expm1Op",
    "FloorOp",
    "FmodOp",
    "IsNanOp",
    "LeOp",
    "Log1pOp",
    "LogOp",
    "LtOp",
    "MaxOp",
    "MinOp",
    "ModOp",
    "MulOp",
    "NegOp",
    "NotOp",
    "OrOp",
    "PowOp",
    "RoundEvenOp",
    "SelectOp",
    "ShlOp",
    "ShrOp",
    "SigmoidOp",
    "SignOp",
    "SinOp",
    "SinhOp",
    "SqrtOp",
    "StopGradientOp",
    "SubOp",
    "TanOp",
    "TanhOp",
    "UnaryOp",
    "XorOp",
    "ApplyOp",
    "ArgReduceOp",
    "BindOp",
    "BindingOp",
    "BlockMatmulOp",
    "BroadcastOp",
    "ClosureOp",
    "ConcatOp",
    "ConstantOp",
    "ConvOp",
    "ConvTransposeOp",
    "CumulativeOp",
    "DIGIT_BASE",
    "DIGIT_BLOCK",
    "DequantizeOp",
    "DigitMatmulOp",
    "GatherElementsOp",
    "GatherNdOp",
    "GatherOp",
    "HoldOp",
    "IfOp",
    "UpdateSliceOp",
    "TopKOp",
    "ScatterNdOp",
    "ScatterElementsOp",
    "ConstructOp",
    "CustomGradientOp",
    "DataOp",
    "DataValueOp",
    "DefinedOp",
    "DetOp",
    "IotaOp",
    "LARGEST_DIGIT",
    "LEAST_MAGNITUDE",
    "LogSoftmaxOp",
    "LoopOp",
    "LrnOp",
    "MOST_CALLS",
    "MatchOp",
    "MatmulOp",
    "NamingOp",
    "NmsOp",
    "NonZeroOp",
    "NodeAtOp",
    "NodeNumberOp",
    "NormalizeOp",
    "PadOp",
    "PoolOp",
    "QuantizeOp",
    "RandomBitsOp",
    "ReduceOp",
    "RegionOp",
    "ResampleOp",
    "GridSampleOp",
    "RoiAlignOp",
    "RoiPoolOp",
    "DeformColumnsOp",
    "FoldOp",
    "MaxPoolIndicesOp",
    "ReshapeOp",
    "SameOp",
    "ScanOp",
    "Size",
    "SizeOp",
    "SliceOp",
    "SoftmaxOp",
    "SplitDigitsOp",
    "TableOp",
    "TransposeOp",
    "YieldOp",
    "UniqueOp",
    "WhileOp",
    "bound_by",
    "bound_symbols",
    "functions_of",
    "mentioned_symbols",
]
