"""Target: the machine for which code is generated, with the numbers that plans use.

    Target("znver3")                                       a processor, by LLVM's name
    Target("native")                                       this machine: Target.host()
    Target("llvm -mcpu=znver3 -mattr=-avx2 -l2-kib=256")   in full; "llvm" alone is this machine
    Target("interpreter")                                  the reference backend
    str(target)                                            print in full, parses back equal

Features, cache sizes and FMA ports of processors are in support/processors.py; the cache sizes of
the host come from the operating system.  Plans and lowerings read the properties of a Target, never
its name.
"""

from __future__ import annotations

import platform
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ..runtime.host import cpu_flags, request_tiles
from ..runtime.spelling import SuggestsNames, nearest, suggests_arguments
from .diagnostics import TargetError
from .processors import LEVELS, PROCESSORS, features_known

KIB = 1 << 10

NATIVE = "native"
_KIND_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "interpreter": (),
    "opencl": ("max-threads", "shared-kib"),
    "metal": ("max-threads", "shared-kib"),
    "cuda": ("arch", "max-threads", "shared-kib"),
    "rocm": ("mcpu", "max-threads", "shared-kib"),
    "webgpu": ("max-threads", "shared-kib"),
}
"""The options of each kind that is not a CPU; support/gpu_limits.py reads those of GPUs."""
_MFMA_BYTES = ("mfma", "mfma-bytes")
VECTOR_ACCESS = "vector-access"
_LANES = ("shuffle", VECTOR_ACCESS)
_KIND_FEATURES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "opencl": {"": (VECTOR_ACCESS,)},
    "cuda": {"": ("async-copy", "mma", *_LANES)},
    "metal": {"": _LANES},
    "rocm": {
        "": (*_MFMA_BYTES, *_LANES), "gfx942": (*_MFMA_BYTES, *_LANES),
        "gfx950": (*_MFMA_BYTES, *_LANES), "gfx90a": ("mfma", *_LANES), "gfx1030": _LANES,
        "gfx1100": ("wmma", *_LANES), "gfx1151": ("wmma", *_LANES), "gfx1201": _LANES,
    },
}  # fmt: skip
"""The features of targets by kind and ``-mcpu`` ("" without this option).

mma, async-copy: mma.sync and cp.async of PTX, from sm_80 on.  mfma, wmma: matrix instructions of
CDNA and RDNA 3; mfma-bytes: mfma over 32 bytes.  shuffle: 32 consecutive threads can exchange
values; OpenCL and WebGPU do not guarantee this.
"""
ARCHITECTURES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "cuda": ("arch", ("sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120")),
    "rocm": (
        "mcpu", ("gfx942", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1151", "gfx1201"),
    ),
}  # fmt: skip
"""The option that names the architecture of a GPU, and the known architectures, the default first.

The names are those of ptxas (all of them run PTX for the first) or of LLVM (each has its own code).
"""
KINDS = ("llvm", *_KIND_OPTIONS)
"""The kinds of targets of this package: the first word of a target string."""

LLVM_NAMES = {
    "sse4_1": "sse4.1", "sse4_2": "sse4.2", "pni": "sse3", "bmi1": "bmi", "abm": "lzcnt",
    "avx512_vnni": "avx512vnni", "avx512_bf16": "avx512bf16", "avx512_fp16": "avx512fp16",
    "avx512_vbmi2": "avx512vbmi2", "avx512_bitalg": "avx512bitalg",
    "avx512_vpopcntdq": "avx512vpopcntdq", "avx_vnni": "avxvnni", "amx_tile": "amx-tile",
    "amx_int8": "amx-int8", "amx_bf16": "amx-bf16",
}  # fmt: skip
"""LLVM's names of features by the names of Linux, where these differ."""


@suggests_arguments
@dataclass(frozen=True)
class Target(SuggestsNames):
    """A machine to compile for.

    kind: the kind of backend.  cpu: LLVM's name of the processor; empty for a kind that is not a
    CPU.  features: sorted names of the features that code may use.  options: names and values, of
    kinds that are not CPUs.
    Units: caches in bytes; fma_latency in cycles; ports: operations per cycle.
    Errors: TargetError, which names the unknown option, processor or feature, and similar names.
    """

    text: str = field(default="x86-64", compare=False, repr=False)
    kind: str = field(init=False, default="llvm")
    cpu: str = field(init=False, default="")
    features: tuple[str, ...] = field(init=False, default=())
    options: tuple[tuple[str, str], ...] = field(init=False, default=())
    l1_bytes: int = field(init=False, default=32 * KIB)
    l2_bytes: int = field(init=False, default=512 * KIB)
    l3_bytes: int = field(init=False, default=32 << 20)
    fma_latency: int = field(init=False, default=4)
    fma_ports: int = field(init=False, default=2)
    load_ports: int = field(init=False, default=2)

    def __post_init__(self) -> None:
        kind, *options = _words(self.text)
        if kind in _KIND_OPTIONS:
            given = _parse_options(options, _KIND_OPTIONS[kind])
            _check_architecture(kind, dict(given))
            self._fill({"kind": kind, "options": given})
            return
        if kind != "llvm":
            kind, options = "llvm", [f"-mcpu={_known_cpu(kind)}", *options]
        self._fill(_numbers(dict(_parse_options(options, _OPTIONS))))

    @staticmethod
    def of_kind(kind: str, text: str, options: tuple[str, ...] = ()) -> Target:
        """Return a target of a kind that a backend in another package defines.

        options: the names of the options that ``text`` may set, as ``-name=value``.
        Errors: TargetError for another kind or option.
        """
        word, *rest = _words(text)
        if word != kind:
            raise unknown("target kind", word, (kind,))
        made = Target("interpreter")
        made._fill({"text": text, "kind": kind, "options": _parse_options(rest, options)})
        return made

    def _fill(self, values: Mapping[str, object]) -> None:
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def option(self, name: str, default: str = "") -> str:
        """Return the value of an option; only targets that are not CPUs have options."""
        return dict(self.options).get(name, default)

    def __str__(self) -> str:
        """Return the target string in full; parsing it returns an equal target."""
        if not self.cpu:
            return " ".join((self.kind, *(f"-{key}={value}" for key, value in self.options)))
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
        """Return the target of this machine, with its processor features and cache sizes."""
        flags = _host_flags()
        generic = [cpu for cpu in PROCESSORS if cpu.startswith("x86-64")]
        cpu = next((c for c in reversed(generic) if _features_of(c) <= flags), "x86-64")
        known = set(features_known(PROCESSORS[cpu].architecture))
        extra = sorted((flags & known) - set(LEVELS[PROCESSORS[cpu].level]))
        caches = " ".join(f"-{k}-kib={n}" for k, n in host_caches_kib().items())
        attributes = f" -mattr={','.join('+' + f for f in extra)}" if extra else ""
        return Target(f"llvm -mcpu={cpu}{attributes} {caches}")

    def has(self, feature: str) -> bool:
        """Return whether code for this target may use a feature."""
        kind = _KIND_FEATURES.get(self.kind, {})
        return feature in self.features or feature in kind.get(self.option("mcpu"), ())

    @property
    def architecture(self) -> str:
        """The instruction set, named as in an LLVM triple."""
        return PROCESSORS[self.cpu].architecture if self.cpu else ""

    @property
    def triple(self) -> str:
        """The LLVM target triple."""
        return f"{self.architecture}-unknown-linux-gnu"

    @property
    def needed_features(self) -> tuple[str, ...]:
        """The features that code needs to run, including those that LLVM derives from ``cpu``."""
        implied = PROCESSORS[self.cpu].implied if self.cpu else ()
        return tuple(sorted({*self.features, *implied}))

    @property
    def needed_flags(self) -> tuple[str, ...]:
        """``needed_features`` by their Linux names; empty for instruction sets other than x86-64.

        The loader compares these names with /proc/cpuinfo.
        """
        if self.architecture != "x86_64":
            return ()
        linux_names = {ours: linux for linux, ours in LLVM_NAMES.items()}
        return tuple(linux_names.get(feature, feature) for feature in self.needed_features)

    @property
    def attribute_string(self) -> str:
        """LLVM's feature string; it enables or disables every known feature."""
        known = features_known(self.architecture)
        return ",".join(f"{'+' if f in self.features else '-'}{f}" for f in known)

    @property
    def vector_bits(self) -> int:
        """The width of a vector register in bits."""
        if self.has("avx512f"):
            return 512
        return 256 if self.has("avx2") else 128

    @property
    def vector_registers(self) -> int:
        """The number of vector registers."""
        return 32 if any(map(self.has, ("avx512f", "neon", "v"))) else 16

    @property
    def has_fma(self) -> bool:
        """Whether a fused multiply-add is one instruction."""
        return any(map(self.has, ("fma", "neon", "v")))

    @property
    def has_rounding(self) -> bool:
        """Whether rounding a float to an integral value is one instruction."""
        return self.has("sse4.1") or self.has("neon")

    @property
    def has_half_conversion(self) -> bool:
        """Whether a conversion between f16 and f32 is one instruction."""
        return self.has("f16c") or self.has("neon")

    @property
    def multiplies_bf16(self) -> bool:
        """Whether a dot product of bf16 values is one instruction."""
        return self.has("avx512bf16") or (self.has("neon") and self.has("bf16"))

    def lanes(self, element_bits: int) -> int:
        """Return the number of elements of this width in a vector register."""
        return self.vector_bits // element_bits


def cpu_names() -> tuple[str, ...]:
    """Return the names of processors that a target may have."""
    return tuple(PROCESSORS)


_OPTIONS = ("mcpu", "mattr", "l1-kib", "l2-kib", "l3-kib")


def _words(text: object) -> list[str]:
    """Return the words of a target string.

    Errors: TargetError if the argument is no string, is empty, or has unbalanced quotes.
    """
    if not isinstance(text, str):
        raise TargetError(
            "not a target", expected='a Target or text such as "znver3"', got=repr(text)
        )
    try:
        words = shlex.split(text)
    except ValueError as err:
        raise TargetError("malformed target", got=f"{text!r}: {err}") from err
    if not words:
        raise TargetError("the target is empty", got=repr(text), hint=_SPELLINGS)
    return words


_SPELLINGS = (
    'a processor such as "znver3" or "x86-64-v3", "native" for this machine, '
    f'"llvm -mcpu=znver3 -mattr=-fma", or a kind: {", ".join(KINDS)}'
)


def _known_cpu(word: str) -> str:
    """Return the first word of a target string, if it names a processor or is "native".

    Errors: TargetError, which suggests similar names.
    """
    if word == NATIVE or word in PROCESSORS:
        return word
    names = (*PROCESSORS, NATIVE, *KINDS)
    near = nearest(word, names, 5)
    hint = f"did you mean {', '.join(near)}?" if near else f"a target is {_SPELLINGS}"
    raise TargetError("unknown target", got=repr(word), hint=hint)


def _parse_options(words: list[str], known: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(_parse_option(word, known) for word in words)


def _parse_option(word: str, known: tuple[str, ...]) -> tuple[str, str]:
    key, _, value = word.lstrip("-").partition("=")
    if not word.startswith("-") or key not in known:
        raise unknown("target option", word, tuple(f"-{o}" for o in known))
    is_count = value.isascii() and value.isdigit() and int(value) > 0
    if key.endswith("-kib") and not is_count:
        raise TargetError(f"target option -{key}", expected="a size in KiB", got=value)
    if key.startswith("max-") and not is_count:
        raise TargetError(
            f"target option -{key}", expected="a positive number", got=value, hint=f"-{key}=64"
        )
    return key, value


def _check_architecture(kind: str, options: Mapping[str, str]) -> None:
    """Check that the architecture of a GPU target is known.

    Errors: TargetError for an unknown architecture.
    """
    option, known = ARCHITECTURES.get(kind, ("", ()))
    name = options.get(option, known[0] if known else "")
    if known and name not in known:
        raise TargetError(
            "the target has an unknown architecture",
            expected=", ".join(known),
            got=name,
            hint=f"use -{option}={_near_architecture(name, known)}",
        )


def _near_architecture(name: str, known: tuple[str, ...]) -> str:
    """Return the architecture with the closest number; for a name without number, the first."""
    number = _number_in(name)
    if number is None:
        return known[0]
    return min(known, key=lambda each: abs((_number_in(each) or 0) - number))


def _number_in(name: str) -> int | None:
    """Return the number in the name of an architecture; it is hexadecimal in AMD's (``gfx90a``)."""
    found = re.fullmatch(r"sm_(\d+)[a-z]?|gfx([0-9a-f]+)", name)
    if found is None:
        return None
    return int(found[1]) if found[1] else int(found[2], 16)


def _numbers(options: Mapping[str, str]) -> Mapping[str, object]:
    """Return the fields of a CPU target.

    Without a processor, they are those of this machine, or of x86-64 if the host is not supported.
    """
    cpu = options.get("mcpu") or (NATIVE if is_supported_host() else "x86-64")
    if cpu == NATIVE:
        host = Target.host()
        values = {name: getattr(host, name) for name in ("cpu", "features", *_SIZES)}
        cpu, base = host.cpu, set(host.features)
    elif cpu in PROCESSORS:
        row, base = PROCESSORS[cpu], _features_of(cpu)
        values = {f"{k}_bytes": getattr(row, f"{k}_kib") * KIB for k in ("l1", "l2", "l3")}
    else:
        raise unknown("cpu", cpu, (*PROCESSORS, NATIVE))
    row = PROCESSORS[cpu]
    values |= {name: getattr(row, name) for name in ("fma_latency", "fma_ports", "load_ports")}
    features = _apply_attributes(row.architecture, base, options.get("mattr", ""))
    values |= {"kind": "llvm", "cpu": cpu, "features": tuple(sorted(features))}
    given = {k: v for k, v in options.items() if k.endswith("-kib")}
    return values | {f"{k.removesuffix('-kib')}_bytes": int(v) * KIB for k, v in given.items()}


_SIZES = ("l1_bytes", "l2_bytes", "l3_bytes")


def _features_of(cpu: str) -> set[str]:
    """Return the features of a processor."""
    return set(PROCESSORS[cpu].all_features)


def _apply_attributes(architecture: str, base: set[str], text: str) -> set[str]:
    """Return a set of features after changes such as ``+dotprod,-fma``."""
    features, known = set(base), features_known(architecture)
    for item in filter(None, text.split(",")):
        sign, name = item[0], item[1:]
        if sign not in "+-" or name not in known:
            raise unknown(f"CPU feature of {architecture}", item, tuple(f"+{f}" for f in known))
        (features.add if sign == "+" else features.discard)(name)
    return features


def unknown(what: str, got: str, known: tuple[str, ...]) -> TargetError:
    """Return the error for an unknown name; it suggests similar names."""
    near = nearest(got, known, 3, 0.4) or known[:8]
    hint = f"did you mean {', '.join(near)}?" if near else f"there is no {what}"
    return TargetError(f"unknown {what}", got=repr(got), hint=hint)


def is_supported_host() -> bool:
    """Return whether the compiler supports this machine as a target."""
    return platform.machine() in ("x86_64", "AMD64")


@cache
def host_has(flag: str) -> bool:
    """Return whether the processor of this machine has a flag, named as in ``_host_flags``."""
    return is_supported_host() and flag in _host_flags()


def _host_flags() -> set[str]:
    """Return the processor flags that code may use on this machine, by LLVM's names.

    AMX requires a permission of the kernel; without it, the flags of AMX are missing.
    """
    if not is_supported_host():
        raise TargetError(
            "this host is not supported yet", expected="x86_64", got=platform.machine()
        )
    flags = cpu_flags()
    if request_tiles(flags):
        flags = frozenset(flag for flag in flags if not flag.startswith("amx"))
    return {LLVM_NAMES.get(flag, flag) for flag in flags} or {"sse2"}


def missing_features(target: Target) -> tuple[str, ...]:
    """Return the features of a target that this machine lacks; both have the same architecture."""
    flags = _host_flags()
    return tuple(feature for feature in target.needed_features if feature not in flags)


def host_caches_kib(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> dict[str, int]:
    """Return the data cache sizes of the first core, as the operating system reports them."""
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
