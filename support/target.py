"""Target: the machine to generate code for, and the numbers that plans use.

    Target("llvm -mcpu=znver3 -mattr=+avx2,-avx512f")      parse
    str(target)                                            print, parses back equal
    Target.host()                                          this machine

The numbers (vector width, registers, caches, FMA ports) follow from the CPU's features; the host's
cache sizes come from the operating system.  Plans and lowerings read a Target's properties, never
its name.
"""

from __future__ import annotations

import difflib
import platform
import shlex
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ..runtime.host import cpu_flags
from .diagnostics import TargetError

KIB = 1 << 10

_LEVELS: dict[str, tuple[str, ...]] = {
    "sse2": ("sse2",),
    "avx2": ("sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "avx", "avx2", "fma", "f16c",
             "bmi", "bmi2", "lzcnt", "movbe"),
}  # fmt: skip
_LEVELS["avx512"] = (
    *_LEVELS["avx2"], "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl",
)  # fmt: skip
_LEVELS["neon"] = ("neon",)
_ARCHITECTURES = {level: "aarch64" if level == "neon" else "x86_64" for level in _LEVELS}
"""The instruction set of each feature level, named as in an LLVM triple."""

_CPUS: dict[str, tuple[str, tuple[str, ...]]] = {
    # LLVM name: (feature level, further features)
    "x86-64": ("sse2", ()),
    "x86-64-v2": ("sse2", ("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt")),
    "x86-64-v3": ("avx2", ()),
    "x86-64-v4": ("avx512", ()),
    "haswell": ("avx2", ()),
    "skylake": ("avx2", ()),
    "alderlake": ("avx2", ()),
    "znver1": ("avx2", ()),
    "znver2": ("avx2", ()),
    "znver3": ("avx2", ()),
    "znver4": ("avx512", ("avx512vnni", "avx512bf16")),
    "znver5": ("avx512", ("avx512vnni", "avx512bf16")),
    "skylake-avx512": ("avx512", ()),
    "cascadelake": ("avx512", ("avx512vnni",)),
    "icelake-server": ("avx512", ("avx512vnni",)),
    "sapphirerapids": ("avx512", ("avx512vnni", "avx512bf16", "amx-tile", "amx-int8", "amx-bf16")),
    "graniterapids": ("avx512", ("avx512vnni", "avx512bf16", "amx-tile", "amx-int8", "amx-bf16")),
    "cortex-a72": ("neon", ()),
    "cortex-a76": ("neon", ("dotprod",)),
    "neoverse-n1": ("neon", ("dotprod",)),
}
_ICE_LAKE = ("avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq", "gfni")
_SAPPHIRE_RAPIDS = (*_ICE_LAKE, "avx512fp16", "avxvnni")
_IMPLIED: dict[str, tuple[str, ...]] = {
    "alderlake": ("avxvnni", "gfni"),
    **{f"znver{n}": ("sse4a",) for n in (1, 2, 3)},
    "znver4": (*_ICE_LAKE, "sse4a"),
    "znver5": (*_ICE_LAKE, "avxvnni", "sse4a"),
    "icelake-server": _ICE_LAKE,
    "sapphirerapids": _SAPPHIRE_RAPIDS,
    "graniterapids": _SAPPHIRE_RAPIDS,
}
"""Features that no plan reads, but that LLVM uses for a processor.

Source: LLVM 22, X86.td; a test compares the rows with the instructions that LLVM selects.
"""
_L1_KIB = {"cortex-a76": 64, "neoverse-n1": 64}
_L2_KIB = {"znver4": 1024, "znver5": 1024, "skylake-avx512": 1024, "cascadelake": 1024,
           "icelake-server": 1280, "sapphirerapids": 2048, "graniterapids": 2048,
           "neoverse-n1": 1024}  # fmt: skip
_KINDS = ("llvm",)
_LLVM_NAMES = {
    "sse4_1": "sse4.1", "sse4_2": "sse4.2", "pni": "sse3", "bmi1": "bmi", "abm": "lzcnt",
    "avx512_vnni": "avx512vnni", "avx512_bf16": "avx512bf16", "avx512_fp16": "avx512fp16",
    "avx512_vbmi2": "avx512vbmi2", "avx512_bitalg": "avx512bitalg",
    "avx512_vpopcntdq": "avx512vpopcntdq", "avx_vnni": "avxvnni", "amx_tile": "amx-tile",
    "amx_int8": "amx-int8", "amx_bf16": "amx-bf16",
}  # fmt: skip
"""LLVM's feature names by Linux's names, where they differ."""


@dataclass(frozen=True)
class Target:
    """A machine to compile for.

    kind: backend.  cpu: LLVM's name.  features: sorted names of the features the code may use.
    Units: caches in bytes.  fma_latency in cycles, ports per cycle.
    Errors: TargetError names the unknown key, cpu or feature and near ones.
    """

    text: str = field(default="llvm -mcpu=x86-64", compare=False, repr=False)
    kind: str = field(init=False, default="llvm")
    cpu: str = field(init=False, default="x86-64")
    features: tuple[str, ...] = field(init=False, default=())
    l1_bytes: int = field(init=False, default=32 * KIB)
    l2_bytes: int = field(init=False, default=512 * KIB)
    l3_bytes: int = field(init=False, default=32 << 20)
    fma_latency: int = field(init=False, default=4)
    fma_ports: int = field(init=False, default=2)
    load_ports: int = field(init=False, default=2)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TargetError(
                "not a target",
                expected='a Target or text such as "llvm -mcpu=x86-64-v3"',
                got=repr(self.text),
            )
        try:
            words = shlex.split(self.text)
        except ValueError as err:
            raise TargetError("malformed target", got=f"{self.text!r}: {err}") from err
        if not words or words[0] not in _KINDS:
            raise unknown("target kind", words[0] if words else "", _KINDS)
        options = dict(_parse_option(word) for word in words[1:])
        cpu = options.get("mcpu", "x86-64")
        if cpu == "native":
            cpu = Target.host().cpu
        if cpu not in _CPUS:
            raise unknown("cpu", cpu, tuple(_CPUS))
        features = _apply_attributes(cpu, options.get("mattr", ""))
        values: dict[str, object] = {
            "kind": words[0],
            "cpu": cpu,
            "features": tuple(sorted(features)),
            "l1_bytes": _L1_KIB.get(cpu, 32) * KIB,
            "l2_bytes": _L2_KIB.get(cpu, 512) * KIB,
        }
        for key in ("l1", "l2", "l3"):
            if f"{key}-kib" in options:
                values[f"{key}_bytes"] = int(options[f"{key}-kib"]) * KIB
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def __str__(self) -> str:
        """Return the text that parses back to an equal target."""
        base = _features_of(self.cpu)
        changes = [f"+{f}" for f in self.features if f not in base]
        changes += [f"-{f}" for f in sorted(base) if f not in self.features]
        words = [self.kind, f"-mcpu={self.cpu}"]
        if changes:
            words.append("-mattr=" + ",".join(changes))
        words += [f"-{k}-kib={getattr(self, k + '_bytes') // KIB}" for k in ("l1", "l2", "l3")]
        return " ".join(words)

    @staticmethod
    @cache
    def host() -> Target:
        """Return this machine: its features from the CPU, its caches from the operating system."""
        flags = _host_flags()
        matching = [cpu for cpu in _CPUS if cpu.startswith("x86-64") and _features_of(cpu) <= flags]
        cpu = matching[-1] if matching else "x86-64"
        level, _ = _CPUS[cpu]
        extra = sorted((flags & set(_known_features(cpu))) - set(_LEVELS[level]))
        caches = " ".join(f"-{k}-kib={n}" for k, n in host_caches_kib().items())
        attributes = f" -mattr={','.join('+' + f for f in extra)}" if extra else ""
        return Target(f"llvm -mcpu={cpu}{attributes} {caches}")

    def has(self, feature: str) -> bool:
        """True if code for this target may use a CPU feature."""
        return feature in self.features

    @property
    def architecture(self) -> str:
        """The instruction set, named as in an LLVM triple."""
        level, _ = _CPUS[self.cpu]
        return _ARCHITECTURES[level]

    @property
    def triple(self) -> str:
        """LLVM target triple."""
        return f"{self.architecture}-unknown-linux-gnu"

    @property
    def needed_features(self) -> tuple[str, ...]:
        """The features that the code needs, including those LLVM derives from ``cpu``."""
        return tuple(sorted({*self.features, *_IMPLIED.get(self.cpu, ())}))

    @property
    def needed_flags(self) -> tuple[str, ...]:
        """``needed_features`` in Linux's names; empty for instruction sets other than x86-64.

        The loader compares them with /proc/cpuinfo.
        """
        if self.architecture != "x86_64":
            return ()
        linux_names = {ours: linux for linux, ours in _LLVM_NAMES.items()}
        return tuple(linux_names.get(feature, feature) for feature in self.needed_features)

    @property
    def attribute_string(self) -> str:
        """LLVM's feature string; it enables or disables every known feature."""
        known = _known_features(self.cpu)
        return ",".join(f"{'+' if f in self.features else '-'}{f}" for f in known)

    @property
    def vector_bits(self) -> int:
        """Width of a vector register."""
        if self.has("avx512f"):
            return 512
        return 256 if self.has("avx2") else 128

    @property
    def vector_registers(self) -> int:
        """Number of vector registers."""
        return 32 if self.has("avx512f") or self.has("neon") else 16

    @property
    def has_fma(self) -> bool:
        """True if a fused multiply-add is one instruction."""
        return self.has("fma") or self.has("neon")

    @property
    def has_rounding(self) -> bool:
        """True if rounding to an integral float is one instruction."""
        return self.has("sse4.1") or self.has("neon")

    @property
    def has_half_conversion(self) -> bool:
        """True if f16 to f32, or back, is one instruction."""
        return self.has("f16c") or self.has("neon")

    def lanes(self, element_bits: int) -> int:
        """Return the number of elements of a width in a vector register."""
        return self.vector_bits // element_bits


def cpu_names() -> tuple[str, ...]:
    """Return the processors that a target can name."""
    return tuple(_CPUS)


_OPTIONS = ("mcpu", "mattr", "l1-kib", "l2-kib", "l3-kib")


def _parse_option(word: str) -> tuple[str, str]:
    key, _, value = word.lstrip("-").partition("=")
    if not word.startswith("-") or key not in _OPTIONS:
        raise unknown("target option", word, tuple(f"-{o}" for o in _OPTIONS))
    if key.endswith("-kib") and not (value.isdigit() and int(value) > 0):
        raise TargetError(f"target option -{key}", expected="a size in KiB", got=value)
    return key, value


def _features_of(cpu: str) -> set[str]:
    """Return the features of a processor."""
    level, more = _CPUS[cpu]
    return {*_LEVELS[level], *more}


@cache
def _known_features(cpu: str) -> tuple[str, ...]:
    """Return the features that processors of an instruction set can have."""
    wanted = _ARCHITECTURES[_CPUS[cpu][0]]
    same = (other for other, (level, _) in _CPUS.items() if _ARCHITECTURES[level] == wanted)
    return tuple(sorted({feature for other in same for feature in _features_of(other)}))


def _apply_attributes(cpu: str, text: str) -> set[str]:
    """Return the features of a processor after changes such as ``+dotprod,-fma``."""
    features, known = _features_of(cpu), _known_features(cpu)
    what = f"CPU feature of {_ARCHITECTURES[_CPUS[cpu][0]]}"
    for item in filter(None, text.split(",")):
        sign, name = item[0], item[1:]
        if sign not in "+-" or name not in known:
            raise unknown(what, item, tuple(f"+{f}" for f in known))
        (features.add if sign == "+" else features.discard)(name)
    return features


def unknown(what: str, got: str, known: tuple[str, ...]) -> TargetError:
    """Return the error for an unknown name, with similar known names."""
    near = difflib.get_close_matches(got, known, n=3, cutoff=0.4) or known[:8]
    return TargetError(f"unknown {what}", got=repr(got), hint=f"did you mean {', '.join(near)}?")


@cache
def host_has(flag: str) -> bool:
    """Return whether this machine's processor has a flag, named as in ``_host_flags``."""
    return platform.machine() in ("x86_64", "AMD64") and flag in _host_flags()


def _host_flags() -> set[str]:
    """Return the host's CPU flags, in LLVM's spelling where ``_LLVM_NAMES`` has one."""
    if platform.machine() not in ("x86_64", "AMD64"):
        raise TargetError(
            "this host is not supported yet", expected="x86_64", got=platform.machine()
        )
    return {_LLVM_NAMES.get(flag, flag) for flag in cpu_flags()} or {"sse2"}


def missing_features(target: Target) -> tuple[str, ...]:
    """Return the target's features that this machine's processor lacks; same architecture only."""
    flags = _host_flags()
    return tuple(feature for feature in target.needed_features if feature not in flags)


def host_caches_kib(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> dict[str, int]:
    """Return the first core's data cache sizes, as the operating system reports them."""
    out: dict[str, int] = {}
    for cache_folder in sorted(folder.glob("index*")):
        try:
            level, kind, size = (
                (cache_folder / name).read_text().strip() for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if kind != "Instruction" and level in "123" and size.endswith("K") and size[:-1].isdigit():
            out[f"l{level}"] = int(size[:-1])
    return out
