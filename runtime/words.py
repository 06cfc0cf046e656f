"""A table of words of TVM, torch and onnxruntime, with the hint on what to write here.

`WORDS` has a row for each module (``tilewright``, ``te``), class and function (``compile()``) of
the API: words of other libraries that it does not have, with the hint in the error.
"""

from __future__ import annotations

from collections.abc import Mapping

_EXPORT = "export_library(path) writes the module to a file"
_LOAD = "tilewright.load_module(path) loads an exported file"
_COMPILE = "tilewright.compile(model) reads ONNX models and torch modules and compiles them"
_IMPORT = "tilewright.from_onnx(model) returns mod, params; tilewright.compile(model) goes on"
_TEXT = 'get_source(level) shows the program at a level, such as "graph", "te", "loop" or "ll"'
_TIME = "time_evaluator(name)(*arrays) measures calls"
_RUN = "call the module, as mod(x), or mod.run({name: array})"
_NUMPY = "x.numpy() is a numpy array on the same memory"
_DEVICE = "x.copyto(tilewright.device(kind, 0)) copies to a device"
_INFERENCE = "compiled modules are for inference only"
_SCHEDULE = "s = te.create_schedule(C.op); s[C].split(…) appends a step"
_TARGET = 'pass target="…" to compile or build'
_HOST = 'Target("cuda", host="aarch64") is a target with a host'
_CALLABLE = "a packed function is called, as f(x)"

WORDS: Mapping[str, Mapping[str, str]] = {
    "tilewright": {
        "load": _LOAD,
        "lower": f"tilewright.build(…) compiles, and mod.{_TEXT}",
        "build_module": "tilewright.build(tensors) compiles tensor expressions",
        "frontend": _IMPORT,
        "onnx": _COMPILE,
        "InferenceSession": _COMPILE,
        "tensor": "tilewright.nd.array(values) makes an array",
        "array": "tilewright.nd.array(values) makes an array",
        "empty": "tilewright.nd.empty(shape, dtype) makes an array",
        "tir": "tilewright.te describes computations; mod.get_source(level) shows their programs",
        "topi": "tilewright.ops has operators on whole tensors",
        "relax": _IMPORT,
        "jit": _COMPILE,
        "optimize": "compile optimizes always; precision= and target= choose how",
        "autotvm": "plans need no tuning; te.create_schedule changes a schedule by hand",
        "auto_scheduler": "plans need no tuning; te.create_schedule changes a schedule by hand",
        "context": "tilewright.device(kind, index) returns a device",
        "gpu": 'tilewright.device("cuda", 0) returns a device',
        "TVMError": "tilewright.Error is the base class of all errors",
    },
    "tilewright.runtime": {
        "build": _COMPILE,
        "frontend": _COMPILE,
        "optimize": _COMPILE,
        "create": "GraphModule(module) makes an executor of a compiled module",
        "NDArray": "tilewright.NDArray is the class of arrays",
        "Module": "tilewright.Module is the class of compiled modules",
        "ndarray_array": "tilewright.nd.array(values) makes an array",
    },
    "nd": {
        "ndarray": "array(values) makes an array",
        "tensor": "array(values) makes an array",
        "ones": "array(numpy.ones(shape, dtype)) makes an array",
        "from_numpy": "array(values) copies, from_dlpack(array) shares the memory",
    },
    "te": {
        "schedule": _SCHEDULE,
        "min_reduce": "min(value, axis=k) reduces",
        "size": "te.var(name) is a size",
        "hybrid": "te.compute and te.scan describe computations",
        "if_else": "if_then_else(condition, a, b) or select(condition, a, b) chooses a value",
        "where": "select(condition, a, b) chooses a value",
        "mean": "tilewright.ops.mean reduces a whole tensor; in a compute, divide te.sum(…)",
        "pow": "power(x, y) is the function",
    },
    "Module": {
        "save": _EXPORT, "export": _EXPORT, "dump": _EXPORT, "serialize": _EXPORT,
        "save_module": _EXPORT, "export_file": _EXPORT, "to_file": _EXPORT, "write": _EXPORT,
        "load": _LOAD,
        "benchmark": _TIME, "bench": _TIME, "timeit": _TIME, "time": _TIME,
        "source": _TEXT, "asm": _TEXT, "code_text": _TEXT, "as_text": _TEXT, "script": _TEXT,
        "get_lib": "the module is callable; export_library(path) writes its library",
        "lib": "the module is callable; export_library(path) writes its library",
        "forward": _RUN, "predict": _RUN, "execute": _RUN, "invoke": _RUN, "infer": _RUN,
        "run_with_iobinding": "pass outputs after the inputs, as mod(x, y); mod fills them",
        "io_binding": "pass outputs after the inputs, as mod(x, y); mod fills them",
        "get_inputs": "mod.inputs is a list of names, dtypes and shapes",
        "get_outputs": "mod.outputs is a list of names, dtypes and shapes",
        "get_input": "tilewright.GraphModule(mod) has set_input and get_output",
        "get_output": "tilewright.GraphModule(mod) has set_input and get_output",
        "set_input": "tilewright.GraphModule(mod) has set_input and get_output",
        "get_providers": "compile(target=…) chooses the machine; mod.metadata says it",
        "state_dict": "get_params() returns the parameters, load_params(…) replaces them",
        "load_state_dict": "load_params(…) replaces the parameters, get_params() returns them",
        "parameters": "get_params() returns the parameters",
        "set_params": "load_params(…) replaces the parameters",
        "eval": _INFERENCE, "train": _INFERENCE, "backward": _INFERENCE, "grad": _INFERENCE,
        "to": "compile(target=…) chooses the machine", "cuda": 'compile(target="cuda") does that',
        "cpu": "compile(target=…) chooses the machine", "target": "mod.metadata.target is the text",
        "signature": "mod.metadata has names, dtypes and shapes; print(mod) shows them",
        "ir_mod": _TEXT, "mod": _TEXT, "import_modules": "imported_modules lists them",
    },
    "GraphModule": {
        "debug_get_output": "mod.profile(x) shows the kernels; get_output(n) returns a result",
        "set_params": "load_params(…) replaces the parameters",
        "get_input_info": "get_num_inputs() and get_input(n) describe the inputs",
        "time_evaluator": "benchmark() measures calls",
    },
    "NDArray": {
        "asnumpy": _NUMPY, "cpu": _NUMPY, "detach": _NUMPY, "array": _NUMPY, "data": _NUMPY,
        "sort": _NUMPY, "put": _NUMPY, "resize": _NUMPY, "fill": "x.copyfrom(values) fills it",
        "to": _DEVICE, "cuda": _DEVICE, "as_in_ctx": _DEVICE, "copy_to": _DEVICE,
        "to_device": _DEVICE,
        "ctx": "x.device is the device", "context": "x.device is the device",
        "backward": _INFERENCE, "grad": _INFERENCE,
        "view": "x.reshape(…) returns a numpy array", "permute": "x.transpose(…) permutes axes",
        "numel": "x.size is the number of elements", "dim": "x.ndim is the number of dimensions",
        "to_dlpack": "any consumer takes x itself, as torch.from_dlpack(x)",
        "copy": "x.copyto(x.device) copies, x.numpy().copy() returns a numpy array",
    },
    "Device": {
        "exists": "exist says whether the device is there",
        "device_type": "kind is the number of the kind", "type": "kind is the number of the kind",
        "device_id": "index is the number of the device", "id": "index is the number of the device",
        "synchronize": "sync() waits for the device",
        "max_threads_per_block": 'attributes["max_threads_per_block"], where the driver knows it',
    },
    "PackedFunc": {
        "call": _CALLABLE, "invoke": _CALLABLE, "run": _CALLABLE,
        "entry_func": _CALLABLE,
    },
    "Session": {
        "get_outputs": "run(…) returns the results", "get_inputs": "run(…) takes the inputs",
        "clear": "reset() forgets the states", "close": "del session frees its memory",
        "states": "state(name) is the current value of a state",
    },
    "TimeEvaluator": {
        "run": "call the evaluator with the arguments", "mean": "evaluator(*arrays).mean",
        "results": "evaluator(*arrays).results has the times",
    },
    "BenchmarkResult": {
        "average": "mean, in seconds", "stddev": "std, in seconds", "times": "results, in seconds",
        "mean_ms": "mean, in seconds",
    },
    "Target": {
        "attrs": "option(name) is an option", "mcpu": "cpu is the processor",
        "mattr": "features lists the features", "keys": "kind and features describe a target",
        "current": _TARGET, "with_host": _HOST, "name": "kind is the first word",
        "host_target": "main_target is it", "arch": "gpu_architecture is it",
        "max_num_threads": "option('max-threads') is the limit that the text sets",
    },
    "Schedule": {
        "op": "create_schedule takes operations, as C.op", "lower": "print(schedule) shows it",
        "normalize": "steps take effect at once", "create_group": "compute_at places a stage",
        "mod": "program is the module after the steps", "get": "s[tensor] is a stage",
        "outputs_": "outputs lists the tensors",
        "show": "print(schedule) shows it", "trace": "script is the list of steps",
        **dict.fromkeys(
            ("split", "tile", "fuse", "reorder", "vectorize", "unroll", "parallel", "bind",
             "compute_at", "compute_inline", "compute_root", "tensorize", "get_block"),
            "steps are methods of a stage: s[C].split(axis, factor=8)",
        ),
    },
    "Stage": {
        "set_store": "set_scope(scope) chooses the memory",
        "env_threads": "bind(axis, thread) binds a loop to a thread",
        "inline": "compute_inline() inlines a stage", "at": "compute_at(consumer, axis) does that",
        "leaf_iter_vars": "loops lists the names of the loops",
        "iter_vars": "op.axis and op.reduce_axis are the axes",
        "store_predicate": "set_store_predicate(…) restricts the stores",
        "simd": "vectorize(axis) makes lanes of a loop", "gpu_threads": "bind(axis, thread)",
    },
    "Tensor": {
        "axis": "C.op.axis are the axes", "reduce_axis": "C.op.reduce_axis are the axes",
        "numpy": "a te tensor has no elements; tilewright.build compiles it",
        "asnumpy": "a te tensor has no elements; tilewright.build compiles it",
        "rank": "ndim is the number of dimensions",
        "sum": "te.sum in a compute reduces, tilewright.ops.sum a whole tensor",
        "reshape": "tilewright.ops.reshape(x, …) reshapes a whole tensor",
        "T": "tilewright.ops.transpose(x) transposes a whole tensor",
    },
    "Definition": {
        "axes": "axis are the axes", "body": "ir is the te.compute",
        "input_tensors": "inputs are the tensors that the definition reads",
    },
    "compile()": {
        "target_host": _HOST, "device": _TARGET, "dev": _TARGET,
        "opt_level": "compile optimizes always; precision= chooses the allowed error",
        "params": "weights are in the model; values= makes constants of inputs",
        "shape": "shapes= binds sizes", "shape_dict": "shapes= binds sizes",
        "example_inputs": "inputs=(x,) are the example inputs of a torch module",
        "args": "inputs=(x,) are the example inputs of a torch module",
        "providers": _TARGET, "num_threads": "threads= is the number of threads",
        "dtype": "the model says its dtypes; precision= chooses the allowed error",
    },
    "build()": {
        "target_host": _HOST, "inputs": "args= are the arguments",
        "outputs": "args= are the arguments, results last", "binds": "args= are the arguments",
        "extensions": "compile and compile_module take extensions=",
    },
    "split()": {"parts": "nparts= is the number of parts", "num": "factor= is the inner size"},
    "export_library()": {
        "fcompile": "the linker is our own", "cc": "the linker is our own",
        "addons": "import_module adds modules", "workspace_dir": "path= names the file",
    },
    "time_evaluator()": {
        "dev": "the arrays say the device", "f_preproc": "number= and repeat= choose the calls",
        "min_repeat_s": "min_repeat_ms= is in milliseconds",
    },
}  # fmt: skip
"""Hints, by the module, class or function, then by the word of another library."""
