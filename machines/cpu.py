"""Instruction sets, and processors by LLVM's name, with the numbers that plans are computed from.

Each instruction set has a generic processor, which stands for a triple without a processor:
``generic-aarch64``, ``generic-rv64``.  Latency and ports are those of fused multiply-adds and loads
of the widest vectors that generated code uses: 512 bits with avx512f, 256 with avx2, else 128.  A
processor that executes such an operation in two halves has half the ports in this table, and
``unit_bits`` says that narrower vectors take one half.

Sources: "SDM" Intel 64 and IA-32 Architectures Optimization Reference Manual (248966), tables of
the microarchitectures; "SOG" Software Optimization Guide for the AMD family, or of the Arm core;
"TRM" Technical Reference Manual of the core;
"uops.info" the measured latency and throughput of VFMADD231PS and VMOVUPS; "Agner" Agner Fog,
Instruction tables and The microarchitecture of Intel, AMD and VIA CPUs.  Level 3 caches differ
between models of one processor: 32 MiB, unless all models share one size per core complex.  Arm's
guides give two latencies of FMLA; the table has the one for multiplicands, and the one between sums
is shorter, such as 2 in place of 4 cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

LEVELS: Mapping[str, tuple[str, ...]] = {
    "sse2": ("sse2",),
    "avx2": ("sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "avx", "avx2", "fma", "f16c",
             "bmi", "bmi2", "lzcnt", "movbe"),
    "avx512": ("sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "avx", "avx2", "fma", "f16c",
               "bmi", "bmi2", "lzcnt", "movbe",
               "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"),
    "neon": ("neon",),
    "rv64": ("m", "a", "f", "d", "c"),
    "rvv": ("m", "a", "f", "d", "c", "v"),
    "armv7e-m": ("dsp",),
    "armv8.1-m": ("dsp", "mve", "mve.fp"),
    "la64": ("f", "d"),
    "power8": ("altivec", "vsx"),
    "z10": (),
    "z14": ("vector", "vector-enhancements-1"),
    "wasm": ("simd128",),
    "armv7": ("neon", "vfp4"),
    "v67": (),
}  # fmt: skip
"""The features of each level."""


@dataclass(frozen=True)
class InstructionSet:
    """An instruction set, as the first word of an LLVM triple names it.

    generic: the processor that a triple without a processor stands for.
    abis: the calling conventions for which the compiler generates code, the default first.
    pointer_bits: the width of an address.
    byte_order: ``little`` or ``big``.
    system: the system and the environment of a target without a triple.
    spellings: other first words of triples for this instruction set.

    vectors: the feature that adds vector registers; empty if every processor has them.
    vector_registers: the number of vector registers.
    scalable: the feature that adds vectors whose length the processor chooses; empty if there is
    none.
    has_fma: whether every processor has fused multiply-adds.

    emulator: the program that runs code of the instruction set on another machine, such as QEMU's
    for Linux programs; empty if there is none.  emulator_vectors: options of QEMU that set the
    length of scalable vectors; {bits} and {bytes} stand for the length.

    memory_scalars: whether a vector multiply-add can read a scalar factor from memory, itself or by
    the instruction before it, so that the factor takes no register for longer.  scalar_registers:
    the number of registers for scalar factors apart from those for vectors; 0 if scalar factors
    take vector registers.

    rounding: the feature with which one instruction rounds a float to an integral value.
    half_conversion: the feature with which one instruction converts between f16 and f32.  Both are
    empty if no instruction does.

    pair_bytes: the bytes after an address in which one instruction can load two vectors; 0 if no
    instruction does.
    """

    generic: str
    abis: tuple[str, ...]
    pointer_bits: int = 64
    byte_order: str = "little"
    system: tuple[str, str] = ("linux", "gnu")
    spellings: tuple[str, ...] = ()
    vectors: str = ""
    vector_registers: int = 32
    scalable: str = ""
    has_fma: bool = False
    emulator: str = ""
    emulator_vectors: tuple[str, ...] = ()
    memory_scalars: bool = False
    scalar_registers: int = 0
    rounding: str = ""
    half_conversion: str = ""
    pair_bytes: int = 0


_MICROCONTROLLER = InstructionSet(
    "cortex-m4",
    ("aapcs-vfp",),
    32,
    system=("none", "eabihf"),
    vectors="mve",
    vector_registers=8,
    has_fma=True,
)

INSTRUCTION_SETS: Mapping[str, InstructionSet] = {
    "x86_64": InstructionSet(
        "x86-64",
        ("sysv",),
        spellings=("amd64", "x64"),
        vector_registers=16,
        memory_scalars=True,
        rounding="sse4.1",
        half_conversion="f16c",
        emulator="qemu-x86_64",
    ),
    "aarch64": InstructionSet(
        "generic-aarch64",
        ("lp64",),
        spellings=("arm64",),
        scalable="sve",
        rounding="neon",
        half_conversion="neon",
        # LDP: a multiple of 16, of 7 bits.
        pair_bytes=1024,
        emulator="qemu-aarch64",
        emulator_vectors=("-cpu", "max,sve-default-vector-length={bytes}"),
    ),
    "riscv64": InstructionSet(
        "generic-rv64",
        ("lp64d",),
        vectors="v",
        scalable="v",
        has_fma=True,
        scalar_registers=32,
        emulator="qemu-riscv64",
        emulator_vectors=("-cpu", "rv64,v=true,vlen={bits},vext_spec=v1.0"),
    ),
    "loongarch64": InstructionSet(
        "generic-la64", ("lp64d",), vectors="lsx", has_fma=True, emulator="qemu-loongarch64"
    ),
    "ppc64le": InstructionSet(
        "generic-ppc64le",
        ("elfv2",),
        spellings=("powerpc64le",),
        # The other half of the 64 registers of VSX.
        scalar_registers=32,
        has_fma=True,
        emulator="qemu-ppc64le",
    ),
    "s390x": InstructionSet(
        "generic-s390x",
        ("s390x",),
        byte_order="big",
        vectors="vector",
        has_fma=True,
        emulator="qemu-s390x",
    ),
    "thumbv7em": _MICROCONTROLLER,
    "thumbv8.1m.main": replace(_MICROCONTROLLER, generic="cortex-m55"),
    "wasm32": InstructionSet(
        "generic-wasm32",
        ("c",),
        32,
        system=("unknown", ""),
        vectors="simd128",
        emulator="node",
        # Of 16 registers, V8 keeps one (xmm15), and a product takes one before its sum.
        vector_registers=14,
        rounding="simd128",
    ),
    "armv7": InstructionSet(
        "generic-armv7",
        ("aapcs-vfp",),
        32,
        system=("linux", "gnueabihf"),
        spellings=("armv7l", "armv7a", "arm"),
        vectors="neon",
        vector_registers=16,
        emulator="qemu-arm",
    ),
    "hexagon": InstructionSet(
        "hexagonv67",
        ("hexagon",),
        32,
        system=("linux", "musl"),
        vectors="hvx",
        has_fma=True,
        emulator="qemu-hexagon",
    ),
}
"""The instruction sets by the first word of an LLVM triple."""
MACHINES = (
    "x86_64", "aarch64", "riscv64", "loongarch64", "ppc64le", "s390x", "wasm32", "armv7", "hexagon",
)  # fmt: skip
"""The instruction sets that machine code is made for; codegen/prelude/ has code for each."""

_ARCHITECTURES: Mapping[str, str] = {
    "neon": "aarch64",
    "rv64": "riscv64",
    "rvv": "riscv64",
    "armv7e-m": "thumbv7em",
    "armv8.1-m": "thumbv8.1m.main",
    "la64": "loongarch64",
    "power8": "ppc64le",
    "z10": "s390x",
    "z14": "s390x",
    "wasm": "wasm32",
    "armv7": "armv7",
    "v67": "hexagon",
}
"""The instruction set of each level that is not x86-64."""


@dataclass(frozen=True)
class CpuModel:
    """Features, cache sizes and throughput of a processor.

    level: the set of features that the processor has at least, a key of `LEVELS`.
    source: the document of the numbers.
    features: further features, by LLVM's names.
    implied: features that LLVM uses for this processor although the compiler never requests them
    (LLVM 22, X86.td; a test compares the rows with the instructions that LLVM selects).
    llvm: LLVM's name of the processor, if the key of the row differs from it.
    vector_bits: the length of scalable vectors.
    broadcast_ports: loads of one element into all lanes, as operands of FMAs; 0: as many as
    ``load_ports``.
    unit_bits: the width of the execution units in bits, if an operation on the widest vectors takes
    several of them; 0: an operation on any vector takes one port.

    Units: caches in KiB, per core; fma_latency in cycles; ports: operations per cycle.
    """

    level: str
    source: str
    features: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    l1_kib: int = 32
    l2_kib: int = 512
    l3_kib: int = 32 << 10
    fma_latency: int = 4
    fma_ports: int = 2
    load_ports: int = 2
    broadcast_ports: int = 0
    unit_bits: int = 0
    llvm: str = ""
    vector_bits: int = 128

    @property
    def architecture(self) -> str:
        """The instruction set, named as in an LLVM triple."""
        return _ARCHITECTURES.get(self.level, "x86_64")

    def vectors_per_port(self, bits: int) -> int:
        """Return how many vectors execute at once on the units of one port of the row.

        bits: the width of the vectors.  More than 1 only for vectors that are narrower than those
        of the ports, on a processor that divides the widest vectors between its units.
        """
        if not self.unit_bits:
            return 1
        widest = 512 if "avx512f" in self.all_features else 256
        return max(1, widest // max(bits, self.unit_bits))

    @property
    def all_features(self) -> frozenset[str]:
        """The features that generated code may use: those of the level, and the further ones."""
        return frozenset((*LEVELS[self.level], *self.features))


_ICE_LAKE = ("avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq", "gfni")
_SAPPHIRE_RAPIDS = (*_ICE_LAKE, "avx512fp16")
_VNNI, _BF16, _AVX_VNNI = "avx512vnni", "avx512bf16", "avxvnni"
_AMX = ("amx-tile", "amx-int8", "amx-bf16")
_GENERIC = "generic: the numbers that the plans were tuned with, on Ice Lake and Zen 3"

PROCESSORS: Mapping[str, CpuModel] = {
    "x86-64": CpuModel("sse2", _GENERIC),
    "x86-64-v2": CpuModel("sse2", _GENERIC, ("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt")),
    "x86-64-v3": CpuModel("avx2", _GENERIC),
    "x86-64-v4": CpuModel("avx512", _GENERIC),
    "haswell": CpuModel(
        "avx2", "SDM Haswell; Agner: FMA 5 cycles, ports 0 and 1", l2_kib=256, fma_latency=5
    ),
    "skylake": CpuModel("avx2", "SDM Skylake client; uops.info: FMA 4 cycles", l2_kib=256),
    "alderlake": CpuModel(
        "avx2",
        "SDM Golden Cove, the cores for speed: 3 loads of 256 bits per cycle; uops.info",
        (_AVX_VNNI,),
        ("gfni",),
        l1_kib=48,
        l2_kib=1280,
        load_ports=3,
    ),
    "znver1": CpuModel(
        "avx2",
        "SOG AMD family 17h models 00h-2Fh: units of 128 bits, FMA 5 cycles",
        implied=("sse4a",),
        l3_kib=8 << 10,
        fma_latency=5,
        fma_ports=1,
        load_ports=1,
        unit_bits=128,
    ),
    "znver2": CpuModel(
        "avx2",
        "SOG AMD family 17h models 30h and greater: FMA 5 cycles",
        implied=("sse4a",),
        l3_kib=16 << 10,
        fma_latency=5,
    ),
    "znver3": CpuModel(
        "avx2", "SOG AMD family 19h: FMA 4 cycles, 2 vector loads", implied=("sse4a",)
    ),
    "znver4": CpuModel(
        "avx512",
        "SOG AMD family 19h model 61h: 512 bits in two halves; measured: a broadcast that is an "
        "operand of an FMA takes no load of 512 bits; 2 FMA, 2 loads and 1 store of 256 bits, and "
        "half of each of 512",
        (_VNNI, _BF16),
        (*_ICE_LAKE, "sse4a"),
        l2_kib=1024,
        fma_ports=1,
        load_ports=1,
        broadcast_ports=2,
        unit_bits=256,
    ),
    "znver5": CpuModel(
        "avx512",
        "SOG AMD family 1Ah: 2 FMA and 2 loads of 512 bits",
        (_VNNI, _BF16, _AVX_VNNI),
        (*_ICE_LAKE, "sse4a"),
        l1_kib=48,
        l2_kib=1024,
    ),
    "skylake-avx512": CpuModel(
        "avx512", "SDM Skylake server: FMA of 512 bits on ports 0 and 5, 4 cycles", l2_kib=1024
    ),
    "cascadelake": CpuModel("avx512", "as skylake-avx512", (_VNNI,), l2_kib=1024),
    "icelake-server": CpuModel(
        "avx512",
        "SDM Ice Lake; uops.info: FMA 4 cycles, 2 loads of 512 bits",
        (_VNNI,),
        _ICE_LAKE,
        l1_kib=48,
        l2_kib=1280,
    ),
    "sapphirerapids": CpuModel(
        "avx512",
        "SDM Golden Cove server: 2 FMA and 2 loads of 512 bits, FMA 4 cycles",
        (_VNNI, _BF16, _AVX_VNNI, *_AMX),
        _SAPPHIRE_RAPIDS,
        l1_kib=48,
        l2_kib=2048,
    ),
    "graniterapids": CpuModel(
        "avx512",
        "as sapphirerapids",
        (_VNNI, _BF16, _AVX_VNNI, *_AMX),
        _SAPPHIRE_RAPIDS,
        l1_kib=48,
        l2_kib=2048,
    ),
    "generic-aarch64": CpuModel(
        "neon",
        "generic: units of 128 bits as in Cortex-A76 and Neoverse N1, caches as in Cortex-A72",
        llvm="generic",
    ),
    "cortex-a53": CpuModel(
        "neon",
        "LLVM's AArch64SchedA53.td: FMLA 10 cycles on 1 unit; 1 load",
        fma_latency=10,
        fma_ports=1,
        load_ports=1,
    ),
    "cortex-a72": CpuModel(
        "neon",
        "SOG Arm Cortex-A72: FMLA 7 cycles, on 2 units; 1 load per cycle",
        fma_latency=7,
        load_ports=1,
    ),
    "cortex-a76": CpuModel(
        "neon", "SOG Arm Cortex-A76: FMLA 4 cycles, on 2 units", ("dotprod",), l1_kib=64
    ),
    "neoverse-n1": CpuModel(
        "neon",
        "SOG Arm Neoverse N1: FMLA 4 cycles, on 2 units",
        ("dotprod",),
        l1_kib=64,
        l2_kib=1024,
    ),
    "neoverse-v1": CpuModel(
        "neon",
        "SOG Arm Neoverse V1: FMLA 4 cycles, on 4 units of 128 bits; 3 loads per cycle",
        ("dotprod", "i8mm", "bf16"),
        l1_kib=64,
        l2_kib=1024,
        fma_ports=4,
        load_ports=3,
        vector_bits=256,
    ),
    "neoverse-n2": CpuModel(
        "neon",
        "SOG Arm Neoverse N2: FMLA 4 cycles, on 2 units; 3 loads per cycle",
        ("dotprod", "i8mm", "bf16"),
        l1_kib=64,
        l2_kib=1024,
        load_ports=3,
    ),
    "neoverse-v2": CpuModel(
        "neon",
        "SOG Arm Neoverse V2: FMLA 4 cycles, on 4 units of 128 bits; 3 loads per cycle",
        ("dotprod", "i8mm", "bf16"),
        l1_kib=64,
        l2_kib=2048,
        fma_ports=4,
        load_ports=3,
    ),
    "generic-rv64": CpuModel(
        "rv64",
        "generic: RV64GC without vectors; LLVM's RISCVSchedSiFive7.td: FMA of f32 5 cycles, 1 load",
        fma_latency=5,
        fma_ports=1,
        load_ports=1,
    ),
    "sifive-p670": CpuModel(
        "rvv",
        "LLVM's RISCVSchedSiFiveP600.td: vectors of 128 bits, FMA 6 cycles on 2 units, 1 load",
        fma_latency=6,
        load_ports=1,
    ),
    "generic-la64": CpuModel(
        "la64",
        "generic: LA64 without vectors, with the numbers of generic-rv64",
        fma_latency=5,
        fma_ports=1,
        load_ports=1,
    ),
    "generic-ppc64le": CpuModel(
        "power8",
        "generic: POWER8 User's Manual: FMA of 128 bits 6 cycles, on 2 units; 2 loads",
        l1_kib=64,
        l3_kib=8 << 10,
        fma_latency=6,
        llvm="ppc64le",
    ),
    "pwr9": CpuModel(
        "power8",
        "LLVM's PPCScheduleP9.td: FMA of 128 bits 7 cycles, on 2 superslices; 2 loads",
        ("power9-vector",),
        l3_kib=10 << 10,
        fma_latency=7,
    ),
    "generic-s390x": CpuModel(
        "z10",
        "generic: z10 without vectors; FMA of f32 7 cycles as in LLVM's SystemZScheduleZ196.td",
        l1_kib=128,
        l2_kib=1024,
        fma_latency=7,
        fma_ports=1,
        load_ports=1,
        llvm="z10",
    ),
    "z14": CpuModel(
        "z14",
        "LLVM's SystemZScheduleZ14.td: FMA of 128 bits 7 cycles, on 2 units; 2 loads",
        l1_kib=128,
        l2_kib=4096,
        fma_latency=7,
    ),
    "generic-armv7": CpuModel(
        "armv7",
        "generic: LLVM's ARMScheduleA9.td: VMLA of 128 bits 9 cycles, in halves; 1 load",
        fma_latency=9,
        fma_ports=1,
        load_ports=1,
        llvm="cortex-a7",
    ),
    "hexagonv67": CpuModel(
        "v67",
        "LLVM's HexagonDepTimingClasses.h: multiply-add of f32 4 cycles, on 2 slots; 2 loads",
    ),
    "cortex-m4": CpuModel(
        "armv7e-m",
        "TRM Arm Cortex-M4: VFMA.F32 3 cycles, not pipelined; memory of 64 KiB without caches",
        l1_kib=64,
        l2_kib=64,
        l3_kib=64,
        fma_latency=3,
        fma_ports=1,
        load_ports=1,
    ),
    "cortex-m7": CpuModel(
        "armv7e-m",
        "TRM Arm Cortex-M7: caches of up to 64 KiB; LLVM's ARMScheduleM7.td: FMA of f32 6 cycles",
        l2_kib=512,
        l3_kib=512,
        fma_latency=6,
        fma_ports=1,
        load_ports=1,
    ),
    "cortex-m55": CpuModel(
        "armv8.1-m",
        "LLVM's ARMScheduleM55.td: VFMA of 128 bits 2 cycles, in halves; a load at the same time",
        l2_kib=512,
        l3_kib=512,
        fma_latency=2,
        fma_ports=1,
        load_ports=1,
    ),
    "generic-wasm32": CpuModel(
        "wasm",
        "generic: the numbers of x86-64, on which engines run",
        llvm="generic",
    ),
}
"""The processors that a target can name."""


_MODELS: Mapping[str, str] = {
    "haswell": "GenuineIntel 6 60 63 69-70",
    "skylake": "GenuineIntel 6 78 94 142 158 165-166",
    "alderlake": "GenuineIntel 6 151 154",
    "znver1": "AuthenticAMD 23 0-47",
    "znver2": "AuthenticAMD 23 48-63 71 96-127 132-135 144-175",
    "znver3": "AuthenticAMD 25 0-15 32-95",
    "znver4": "AuthenticAMD 25 16-31 96-127 160-175",
    "znver5": "AuthenticAMD 26 0-79 96-119 208-215",
    "skylake-avx512": "GenuineIntel 6 85",
    "cascadelake": "GenuineIntel 6 85",
    "icelake-server": "GenuineIntel 6 106 108",
    "sapphirerapids": "GenuineIntel 6 143",
    "graniterapids": "GenuineIntel 6 173",
}
"""The vendor, family and models of CPUID to which LLVM gives a name.  Source: LLVM 22, Host.cpp."""


def processor_of(vendor: str, family: int, model: int, features: Set[str]) -> str:
    """Return the name of the row in `PROCESSORS` for an x86-64 processor.

    vendor, family, model: the processor's identification by CPUID.  features: the features of the
    machine; a virtual machine may lack some of its processor's.  If no row describes this model,
    the result is the generic row with the most features that the machine has.
    """
    fitting = [
        name
        for name, row in PROCESSORS.items()
        if row.architecture == "x86_64" and features >= row.all_features.union(row.implied)
    ]
    named = [name for name in fitting if _has_model(name, vendor, family, model)]
    generic = [name for name in fitting if name.startswith("x86-64")]
    return (named or generic or ["x86-64"])[-1]


def _has_model(name: str, vendor: str, family: int, model: int) -> bool:
    first, second, *ranges = _MODELS.get(name, " 0").split(" ")
    ends = (text.partition("-") for text in ranges)
    known = any(int(low) <= model <= int(high or low) for low, _, high in ends)
    return known and (first, int(second)) == (vendor, family)


_UNPLANNED: Mapping[str, tuple[str, ...]] = {
    "aarch64": ("sve",),
    "loongarch64": ("lasx", "lsx"),
    "wasm32": ("relaxed-simd",),
}
"""Features that are used only if a target names them; not all emulators and engines have them."""


def features_known(architecture: str) -> tuple[str, ...]:
    """Return the features that processors of an instruction set can have."""
    same = (p for p in PROCESSORS.values() if p.architecture == architecture)
    found = {feature for p in same for feature in p.all_features}
    return tuple(sorted(found.union(_UNPLANNED.get(architecture, ()))))
