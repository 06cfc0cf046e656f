"""The packed-function ABI: constants and memory layouts of the tvm-ffi C ABI and of DLPack.

This module has only constants and ctypes structures, because the compiler imports it, too.

    int f(void *self, const Value *args, int32_t count, Value *result)   0, or -1 and an error

Source: tvm-ffi 0.1 `c_api.h`, DLPack 1.1 `dlpack.h`.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

ABI_VERSION = 3

# Symbols that a compiled model exports.
FUNCTION_PREFIX = "__tvm_ffi_"
SYMBOL_MAIN = "__tvm_ffi_main"
SYMBOL_DEFAULT = "__tvm_ffi_default"
SYMBOL_MAIN_THREADS = "__tw_main_threads"
SYMBOL_MAIN_ALLOCATING = "__tw_main_allocating"
SYMBOL_WEIGHTS = "__tw_weights"
SYMBOL_RUNNING = "__tw_running"
SYMBOL_POOL = "__tw_pool"
SYMBOL_DEFAULT_THREADS = "__tw_default_threads"
SYMBOL_RAISE = "__tw_raise"
SYMBOL_RAISE_TVM = "__TVMFFIErrorSetRaisedFromCStr"
SYMBOL_CONTEXT_TVM = "__tvm_ffi__library_ctx"
SYMBOL_MANIFEST = "__tw_manifest"
SYMBOL_LAST_ERROR = "__tw_last_error"
SYMBOL_ABI_VERSION = "__tw_abi_version"
SYMBOL_RELEASE = "__tw_release"
SYMBOL_OUTPUT_SHAPES = "__tw_output_shapes"
SYMBOL_ARENA_BYTES = "__tw_arena_bytes"
SYMBOL_ARGUMENTS = "__tw_arguments"
SYMBOL_MAIN_SHAPES = "__tvm_ffi_main_output_shapes"
SYMBOL_LOAD_WEIGHTS = "__tw_load_weights"
SYMBOL_WEIGHTS_HEADER = "__tw_weights_header"
# A library for a device has the code of its kernels as the driver takes it, and a NUL.
SYMBOL_KERNELS_CODE = "__tw_kernels_code"
# The same libraries have slots for the opened library of the device's driver, and for a function of
# the process that drives the device; and a function that queues a call on a stream.
SYMBOL_DEVICE_LIBRARY = "__tw_device_library"
SYMBOL_DEVICE_FUNCTION = "__tw_device_function"
SYMBOL_MAIN_ON_STREAM = "__tw_main_on_stream"
# The modules for other targets that a program for a device calls, as bytes.
SYMBOL_DEVICE_PARTS = "__tw_device_parts"
SYMBOL_IMPORTS = "__tw_imports"
SYMBOL_LINKED = "__tw_linked"
MODULE_SYMBOLS = (
    SYMBOL_MAIN, SYMBOL_DEFAULT, SYMBOL_MAIN_THREADS, SYMBOL_MAIN_ALLOCATING, SYMBOL_WEIGHTS,
    SYMBOL_POOL, SYMBOL_DEFAULT_THREADS, SYMBOL_RAISE, SYMBOL_RAISE_TVM, SYMBOL_CONTEXT_TVM,
    SYMBOL_MANIFEST, SYMBOL_LAST_ERROR, SYMBOL_ABI_VERSION, SYMBOL_RELEASE, SYMBOL_OUTPUT_SHAPES,
    SYMBOL_ARENA_BYTES, SYMBOL_ARGUMENTS, SYMBOL_MAIN_SHAPES, SYMBOL_RUNNING,
)  # fmt: skip

# A model that calls global functions also exports this table: for each function the pointer to
# its code and the handle that it takes.
SYMBOL_EXTERNS = "__tw_externs"

# A program that is compiled for profiling exports these symbols, too.
SYMBOL_TRACE = "__tw_trace"
SYMBOL_STEPS = "__tw_steps"
SYMBOL_COMPUTE_LOOP = "__tw_compute_loop"
SYMBOL_READ_LOOP = "__tw_read_loop"
SYMBOL_LOOP_SIZES = "__tw_loop_sizes"
LOOP_SYMBOLS = (SYMBOL_COMPUTE_LOOP, SYMBOL_READ_LOOP, SYMBOL_LOOP_SIZES)

# Symbols of the thread pool, and of other code that a process needs only once.
SYMBOL_POOL_RUN = "__tw_pool_run"
SYMBOL_POOL_RESET = "__tw_pool_reset"

# Symbols of the calls from Python.
SYMBOL_PYTHON = "__tw_python"
SYMBOL_PYTHON_CALL = "__tw_python_call"
SYMBOL_TIME_CALLS = "__tw_time_calls"
SYMBOL_SESSION_FUNCTIONS = "__tw_session_functions"
SYMBOL_EXECUTOR_FUNCTIONS = "__tw_executor_functions"

# Symbols of the code that replaces and reads parameters.
SYMBOL_REPACK_PARAMS = "__tw_repack_params"
SYMBOL_GET_PARAM = "__tw_get_param"
PROCESS_SYMBOLS = (
    SYMBOL_POOL_RUN, SYMBOL_POOL_RESET, SYMBOL_PYTHON, SYMBOL_PYTHON_CALL, SYMBOL_TIME_CALLS,
    SYMBOL_SESSION_FUNCTIONS, SYMBOL_EXECUTOR_FUNCTIONS, SYMBOL_REPACK_PARAMS, SYMBOL_GET_PARAM,
)  # fmt: skip

# Symbols that the code of sessions exports, in a library whose model has states.
SYMBOL_SESSION = "__tvm_ffi_session"
SYMBOL_SESSION_SHAPES = "__tvm_ffi_session_output_shapes"
SYMBOL_SESSION_RESET = "__tvm_ffi_session_reset"
SYMBOL_SESSION_REWIND = "__tvm_ffi_session_rewind"
SYMBOL_SESSION_FORK = "__tvm_ffi_session_fork"
SYMBOL_SESSION_SIZE = "__tvm_ffi_session_size"
SYMBOL_SESSION_STATE = "__tvm_ffi_session_state"
SYMBOL_SESSION_ALLOCATING = "__tw_session_allocating"
SYMBOL_STATES = "__tw_states"
SESSION_SYMBOLS = (
    SYMBOL_SESSION, SYMBOL_SESSION_SHAPES, SYMBOL_SESSION_RESET, SYMBOL_SESSION_REWIND,
    SYMBOL_SESSION_FORK, SYMBOL_SESSION_SIZE, SYMBOL_SESSION_STATE, SYMBOL_SESSION_ALLOCATING,
    SYMBOL_STATES,
)  # fmt: skip

# Symbols of the executors in an object for C programs.
SYMBOL_CREATE = "__tw_create"
SYMBOL_SET_INPUT = "__tw_set_input"
SYMBOL_RUN = "__tw_run"
SYMBOL_GET_OUTPUT = "__tw_get_output"
SYMBOL_DESTROY = "__tw_destroy"

# Symbols of a library with several programs of one model. The symbols of program N end in ".N".
SYMBOL_CHOOSE = "__tw_choose"
SYMBOL_IS_BOUND = "__tw_is_bound"
SHARED_SLOTS = (
    SYMBOL_POOL, SYMBOL_DEFAULT_THREADS, SYMBOL_RAISE, SYMBOL_RAISE_TVM, SYMBOL_CONTEXT_TVM,
    SYMBOL_LAST_ERROR, SYMBOL_ABI_VERSION,
)  # fmt: skip

WEIGHT_ALIGNMENT_BYTES = 64


def program_symbol(symbol: str, number: int) -> str:
    """Return the symbol that one program of several in a library has for a function.

    symbol: the symbol in a library with one program, such as the symbol of its main function.
    number: the number of the program, which is appended to the symbol.
    """
    return f"{symbol}.{number}"


class TypeIndex(IntEnum):
    """The kind of data in a `Value`."""

    NONE = 0
    INT = 1
    BOOL = 2
    FLOAT = 3
    OPAQUE_PTR = 4
    DATA_TYPE = 5
    DEVICE = 6
    TENSOR_PTR = 7
    RAW_STR = 8
    BYTES_PTR = 9
    SMALL_STR = 11
    SMALL_BYTES = 12
    STR = 65
    BYTES = 66
    ERROR = 67
    FUNCTION = 68
    SHAPE = 69
    TENSOR = 70
    ARRAY = 71
    OPAQUE_PYTHON = 74
    LIST = 75


OBJECT_KINDS = range(64, 1 << 31)
"""Type indices of values that refer to an object."""


class DeviceType(IntEnum):
    """The DLPack device types that this runtime names."""

    CPU = 1
    CUDA = 2
    OPENCL = 4
    VULKAN = 7
    METAL = 8
    ROCM = 10
    WEBGPU = 15


# numpy name (ml_dtypes' where numpy has none): DLPack type code, bits.
DTYPES: dict[str, tuple[int, int]] = {
    "int8": (0, 8), "int16": (0, 16), "int32": (0, 32), "int64": (0, 64),
    "uint8": (1, 8), "uint16": (1, 16), "uint32": (1, 32), "uint64": (1, 64),
    "float16": (2, 16), "float32": (2, 32), "float64": (2, 64),
    "bfloat16": (4, 16),
    "complex64": (5, 64), "complex128": (5, 128),
    "bool": (6, 8),
    "float8_e3m4": (7, 8), "float8_e4m3": (8, 8), "float8_e4m3b11fnuz": (9, 8),
    "float8_e4m3fn": (10, 8), "float8_e4m3fnuz": (11, 8), "float8_e5m2": (12, 8),
    "float8_e5m2fnuz": (13, 8), "float8_e8m0fnu": (14, 8),
    "float6_e2m3fn": (15, 6), "float6_e3m2fn": (16, 6), "float4_e2m1fn": (17, 4),
    "int2": (0, 2), "int4": (0, 4), "uint2": (1, 2), "uint4": (1, 4),
}  # fmt: skip
DTYPE_NAMES: dict[tuple[int, int], str] = {code: name for name, code in DTYPES.items()}


def packed_dtype(dtype: str) -> int:
    """Return the DLDataType of a dtype with one lane, encoded as one integer.

    Bits 0 to 7 contain the type code, bits 8 to 15 the width in bits, bit 16 the number of lanes.
    """
    code, bits = DTYPES[dtype]
    return code | bits << 8 | 1 << 16


def element_bytes(dtype: str) -> int:
    """Return an element's size in memory in bytes; types of less than 8 bits take one byte."""
    return -(-DTYPES[dtype][1] // 8)


def alignment_bytes(dtype: str) -> int:
    """Return an element's alignment: its size, or for a complex type the size of one part."""
    size = element_bytes(dtype)
    return size // 2 if DTYPES[dtype][0] == DTYPES["complex64"][0] else size


class DataType(ctypes.Structure):
    """The ctypes layout of DLPack's ``struct DLDataType``."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class DeviceId(ctypes.Structure):
    """The ctypes layout of DLPack's ``struct DLDevice``."""

    _fields_ = (("kind", ctypes.c_int32), ("index", ctypes.c_int32))


class DLTensor(ctypes.Structure):
    """The ctypes layout of DLPack's ``struct DLTensor``.

    `shape` and `strides` point at int64 numbers. Strides count elements; a null pointer means
    row-major.
    """

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", DeviceId),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class Payload(ctypes.Union):
    """The 8 payload bytes of a value; the type index of the value determines the union member."""

    _fields_ = (
        ("integer", ctypes.c_int64),
        ("number", ctypes.c_double),
        ("pointer", ctypes.c_void_p),
        ("dtype", DataType),
        ("device", DeviceId),
        ("text", ctypes.c_char * 8),
    )


class Value(ctypes.Structure):
    """An argument or a result of a packed function.

    `padding` is 0 or, for a small string, its length in bytes.
    """

    _fields_ = (
        ("type_index", ctypes.c_int32),
        ("padding", ctypes.c_uint32),
        ("payload", Payload),
    )


class Object(ctypes.Structure):
    """The header of every heap object.

    references: strong count in the low 32 bits, weak count in the high 32; the strong references
    together hold one weak reference.
    deleter: called when a count reaches zero, with flags: 1 strong, 2 weak, 3 both.
    """

    _fields_ = (
        ("references", ctypes.c_uint64),
        ("type_index", ctypes.c_int32),
        ("padding", ctypes.c_uint32),
        ("deleter", ctypes.c_void_p),
    )


class FunctionObject(ctypes.Structure):
    """A heap object that can be called: by ``safe_call(this, args, count, result)``."""

    _fields_ = (
        ("header", Object),
        ("safe_call", ctypes.c_void_p),
        ("cpp_call", ctypes.c_void_p),
    )


class BytesObject(ctypes.Structure):
    """A heap object with a string or bytes of any length."""

    _fields_ = (("header", Object), ("data", ctypes.c_void_p), ("size", ctypes.c_size_t))


class TensorObject(ctypes.Structure):
    """A heap object with a tensor, which owns the memory of the elements."""

    _fields_ = (("header", Object), ("tensor", DLTensor))


class ShapeObject(ctypes.Structure):
    """A heap object with the sizes of a tensor, as int64."""

    _fields_ = (("header", Object), ("data", ctypes.c_void_p), ("size", ctypes.c_size_t))


class SequenceObject(ctypes.Structure):
    """A heap object with a tuple or a list: values, each of which holds a reference to its object.

    data_deleter: frees ``data`` if it is not part of the object; may be null.
    """

    _fields_ = (
        ("header", Object),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("capacity", ctypes.c_int64),
        ("data_deleter", ctypes.c_void_p),
    )


class OpaqueObject(ctypes.Structure):
    """A heap object that stands for a Python object.

    ``handle`` is a pointer to the Python object.
    """

    _fields_ = (("header", Object), ("handle", ctypes.c_void_p))


class ByteSpan(ctypes.Structure):
    """A pointer to bytes, with the number of bytes."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_size_t))


class ErrorObject(ctypes.Structure):
    """A heap object with an error: the fields that every version of the ABI has."""

    _fields_ = (
        ("header", Object),
        ("kind", ByteSpan),
        ("message", ByteSpan),
        ("traceback", ByteSpan),
    )


# void delete(object, flags)
DeleterCFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32)
# int32 f(self, args, count, result)
PackedCFunction = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p
)
# void *allocate(context, output, shape)
AllocateCFunction = ctypes.CFUNCTYPE(
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int64)
)
# void raise(kind, message)
RaiseCFunction = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)
