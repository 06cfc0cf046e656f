"""An assembler that turns the text of a SPIR-V module into a binary module.

In: the text that spirv-as takes, one instruction per line, such as ``%t3 = OpFAdd %f32 %t1 %t2``.
Out: the binary module.  Ids get numbers in the order of their first use.  Only the instructions in
`OPCODES` and the names in `NAMES` are known, because lowering/simt_to_spirv/ writes no others.
Source of the numbers and of the layout: Khronos, SPIR-V Specification 1.6, sections 2.3 and 3.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ..support.diagnostics import LoweringError

MAGIC, VERSION = 0x07230203, 0x00010500
"""The first two words of a module: SPIR-V's magic number, and version 1.5."""

OPCODES: Mapping[str, int] = MappingProxyType(
    {
        "OpExtInstImport": 11, "OpExtInst": 12, "OpMemoryModel": 14,
        "OpEntryPoint": 15, "OpExecutionMode": 16, "OpCapability": 17, "OpTypeVoid": 19,
        "OpTypeBool": 20, "OpTypeInt": 21, "OpTypeFloat": 22, "OpTypeVector": 23,
        "OpTypeArray": 28, "OpTypeRuntimeArray": 29, "OpTypeStruct": 30, "OpTypePointer": 32,
        "OpTypeFunction": 33, "OpConstantTrue": 41, "OpConstantFalse": 42, "OpConstant": 43,
        "OpFunction": 54, "OpFunctionEnd": 56, "OpVariable": 59, "OpLoad": 61, "OpStore": 62,
        "OpAccessChain": 65, "OpDecorate": 71, "OpMemberDecorate": 72, "OpCompositeExtract": 81,
        "OpConvertFToU": 109, "OpConvertFToS": 110, "OpConvertSToF": 111, "OpConvertUToF": 112,
        "OpUConvert": 113, "OpSConvert": 114, "OpFConvert": 115, "OpBitcast": 124,
        "OpFNegate": 127, "OpIAdd": 128, "OpFAdd": 129, "OpISub": 130, "OpFSub": 131,
        "OpIMul": 132, "OpFMul": 133, "OpUDiv": 134, "OpSDiv": 135, "OpFDiv": 136, "OpUMod": 137,
        "OpLogicalEqual": 164, "OpLogicalNotEqual": 165, "OpLogicalOr": 166, "OpLogicalAnd": 167,
        "OpLogicalNot": 168, "OpSelect": 169, "OpIEqual": 170, "OpINotEqual": 171,
        "OpUGreaterThan": 172, "OpSGreaterThan": 173, "OpUGreaterThanEqual": 174,
        "OpSGreaterThanEqual": 175, "OpULessThan": 176, "OpSLessThan": 177,
        "OpULessThanEqual": 178, "OpSLessThanEqual": 179, "OpFOrdEqual": 180,
        "OpFUnordEqual": 181, "OpFOrdNotEqual": 182, "OpFUnordNotEqual": 183,
        "OpFOrdLessThan": 184, "OpFUnordLessThan": 185, "OpFOrdGreaterThan": 186,
        "OpFUnordGreaterThan": 187, "OpFOrdLessThanEqual": 188, "OpFUnordLessThanEqual": 189,
        "OpFOrdGreaterThanEqual": 190, "OpFUnordGreaterThanEqual": 191,
        "OpShiftRightLogical": 194, "OpShiftRightArithmetic": 195, "OpShiftLeftLogical": 196,
        "OpBitwiseOr": 197, "OpBitwiseXor": 198, "OpBitwiseAnd": 199,
        "OpBitCount": 205, "OpControlBarrier": 224, "OpPhi": 245, "OpLoopMerge": 246,
        "OpSelectionMerge": 247, "OpLabel": 248, "OpBranch": 249, "OpBranchConditional": 250,
        "OpReturn": 253,
    }
)  # fmt: skip
"""The opcode of each instruction, by name."""

_UNTYPED = ("OpExtInstImport", "OpLabel")
"""Instructions that have a result but no result type, such as declarations of types."""

NAMES: Mapping[str, int] = MappingProxyType(
    {
        # capabilities
        "Shader": 1, "Float64": 10, "Int64": 11, "Int16": 22, "Int8": 39,
        "StorageBuffer16BitAccess": 4433, "StorageBuffer8BitAccess": 4448,
        "PhysicalStorageBufferAddresses": 5347,
        # the addressing model, the memory model, the execution model and execution modes
        "PhysicalStorageBuffer64": 5348, "GLSL450": 1, "GLCompute": 5, "LocalSize": 17,
        # storage classes
        "Input": 1, "Workgroup": 4, "Function": 7, "PushConstant": 9,
        "PhysicalStorageBuffer": 5349,
        # decorations and built-in variables
        "Block": 2, "ArrayStride": 6, "BuiltIn": 11, "Offset": 35, "NoContraction": 42,
        "NumWorkgroups": 24, "WorkgroupId": 26, "LocalInvocationId": 27,
        # function control, loop control, selection control; operands of a memory access
        "None": 0, "Aligned": 2,
        # instructions of GLSL.std.450
        "RoundEven": 2, "Trunc": 3, "FAbs": 4, "Floor": 8, "Ceil": 9, "Sqrt": 31,
    }
)  # fmt: skip
"""The number of each named operand, such as a capability or a storage class."""

_TOKEN = re.compile(r'"[^"]*"|\S+')
_WIDE = ("%i64", "%f64")


class SpirvAssembler:
    """An assembler of one SPIR-V module, which numbers the ids in the order of their first use."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def words(self, line: str) -> list[int]:
        """Return the words that encode one instruction.

        line: the instruction as text.
        Errors: LoweringError for an unknown instruction or operand.
        """
        result, separator, rest = line.partition(" = ")
        name, *operands = _TOKEN.findall(rest if separator else line)
        if name not in OPCODES:
            raise LoweringError("no number of this SPIR-V instruction", got=line)
        body: list[int] = []
        if separator:
            is_typed = name not in _UNTYPED and not name.startswith("OpType")
            if is_typed:
                body.append(self._id(operands.pop(0)))
            body.append(self._id(result))
        if name == "OpConstant":
            body += _constant(line, operands[0])
        else:
            body += [word for operand in operands for word in self._operand(line, operand)]
        return [(len(body) + 1) << 16 | OPCODES[name], *body]

    def binary(self, text: str) -> bytes:
        """Return the binary module for a text.

        Errors: LoweringError for an unknown instruction or operand.
        """
        lines = (line.partition(";")[0].strip() for line in text.splitlines())
        body = [word for line in lines if line for word in self.words(line)]
        words = [MAGIC, VERSION, 0, len(self._ids) + 1, 0, *body]
        return struct.pack(f"<{len(words)}I", *words)

    def _id(self, name: str) -> int:
        return self._ids.setdefault(name, len(self._ids) + 1)

    def _operand(self, line: str, text: str) -> Iterator[int]:
        if text.startswith("%"):
            yield self._id(text)
        elif text.startswith('"'):
            data = text[1:-1].encode() + b"\0"
            data += bytes(-len(data) % 4)
            yield from struct.unpack(f"<{len(data) // 4}I", data)
        elif text.isdigit():
            yield int(text)
        elif text in NAMES:
            yield NAMES[text]
        else:
            raise LoweringError("no number of this operand of SPIR-V", got=f"{text} in {line}")


def _constant(line: str, text: str) -> list[int]:
    """Return the words that encode the value of an OpConstant.

    line: the whole instruction, which names the type.
    text: the value as text.
    """
    type_ = line.split()[3]
    is_float = type_.startswith("%f")
    bits = float_bits(text, int(type_[2:])) if is_float else int(text)
    return [bits % (1 << 32), bits >> 32] if type_ in _WIDE else [bits % (1 << 32)]


_EXPONENTS = {32: 128, 64: 1024}
"""The exponent with which the text writes infinity and NaN, by the width of the float type."""


def float_bits(text: str, width: int) -> int:
    """Return the bit pattern of an f32 or f64 constant.

    text: a hexadecimal float as in C.  As in texts for spirv-as, an exponent above the largest one
    encodes infinity (``0x1p+128`` for f32) or NaN (``0x1.8p+128``).
    """
    sign, magnitude = text.startswith("-"), text.lstrip("-")
    top = f"p+{_EXPONENTS[width]}"
    if magnitude.endswith(top):
        exponent, fraction = (0xFF, 23) if width == 32 else (0x7FF, 52)
        quiet = 1 << (fraction - 1) if magnitude.startswith("0x1.8") else 0
        return int(sign) << (width - 1) | exponent << fraction | quiet
    format_, integer = ("<f", "<I") if width == 32 else ("<d", "<Q")
    (bits,) = struct.unpack(integer, struct.pack(format_, float.fromhex(text)))
    return bits


def assemble(text: str) -> bytes:
    """Assemble a SPIR-V text to a binary module.

    Errors: LoweringError for an unknown instruction or operand.
    """
    return SpirvAssembler().binary(text)
