"""The program that the interpreter target makes: printed IR and weights.

`load_program` turns the stored program into a function that interprets the IR.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...codegen.signature import describe_main
from ...dialects.packed import CallOp, ExternOp
from ...dialects.weights import arrays_in, register_weights, weights_of, write_arrays_to
from ...interp import packed
from ...interp.sizes import output_sizes
from ...runtime.abi.ndarray import Array
from ...runtime.file.manifest import Manifest
from ...runtime.module.loading import LoadedCode, registered_functions
from ...runtime.module.python_program import load_function
from ...support.entry import entry_of
from ...support.ir_parser import IrParser
from ...support.registry import new_context
from ..backend import Artifact, EmittedProgram, EmittedText, Emitter, process_code
from ..call_errors import errors_of_calls

_COMMENT = "// "


class InterpretedProgram:
    """A module of kernels on buffers, which the interpreter runs.

    manifest: the description of the program as JSON.  calls: the kernel of each call in main.
    """

    def __init__(self, module: ModuleOp, manifest: str) -> None:
        self.module, self.manifest = module, manifest
        main = entry_of(module)
        self.calls = [op.kernel_name for op in main.walk() if isinstance(op, CallOp)]

    @property
    def tasks(self) -> Mapping[str, int]:
        """The number of parallel tasks of each kernel: one."""
        main = entry_of(self.module).sym_name.data
        return {name: 1 for name in packed.symbols(self.module) if name != main}

    def texts(self) -> Iterator[EmittedText]:
        """Yield one text: the manifest as a comment, then the printed module."""
        yield EmittedText("the program", f"{_COMMENT}{self.manifest}\n{self.module!s}\n")


class InterpreterEmitter(Emitter):
    """Emitter whose programs are printed modules for the interpreter."""

    def emit(self, module: ModuleOp, max_threads: int) -> InterpretedProgram:
        main = entry_of(module)
        externs = dict.fromkeys(op.function_name for op in main.walk() if isinstance(op, ExternOp))
        entry = replace(describe_main(main, self.target), externs=tuple(externs))
        return InterpretedProgram(module, entry.manifest())

    def link(self, program: EmittedProgram, objects: Sequence[bytes]) -> Artifact:
        assert isinstance(program, InterpretedProgram), "it was emitted for the interpreter"
        (code,) = objects
        file = BytesIO()
        write_arrays_to(weights_of(program.module), file)
        return Artifact(code, b"", file.getvalue())


def load_program(artifact: Artifact) -> LoadedCode:
    """Return the callable code of an interpreted program.

    Errors: LoadError for a malformed program, or a function that is not registered.
    """
    first, _, text = bytes(artifact.code).decode().partition("\n")
    manifest = Manifest.parse(first.removeprefix(_COMMENT))
    weights = register_weights(arrays_in(np.frombuffer(artifact.weights, np.uint8)))
    module = IrParser(new_context(), text).parse_module()
    functions = registered_functions(manifest)

    def run(arrays: Sequence[Array]) -> None:
        with errors_of_calls():
            packed.run_on(module, arrays, functions=functions)

    def results(inputs: Sequence[Array]) -> Sequence[Array]:
        with errors_of_calls():
            return packed.run(module, *inputs, functions=functions)

    def sizes(shapes: Sequence[tuple[int, ...]]) -> list[int]:
        names = [spec.name for spec in manifest.inputs]
        with errors_of_calls():
            return output_sizes(entry_of(module), names, shapes)

    return load_function(
        run, manifest, output_sizes=sizes, results=results, alive=weights,
        process_code=process_code,
    )  # fmt: skip
