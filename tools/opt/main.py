"""tw-opt: run passes on textual IR (``tw-opt -p te-fuse-elementwise in.mlir``).

The tool is xdsl-opt with the dialects and passes of Tilewright (registered by the plugin
`universe`), strict verification, ONNX input, and ``--to LEVEL``, which runs the pipeline of the
compiler. Exit code: 0, 1 for an error in the input, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from inspect import getdoc
from io import StringIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import VerifyException
from xdsl.xdsl_opt_main import xDSLOptMain

from ... import __version__
from ...ir import for_mlir
from ...ir.files import FORMS, OTHER_FORMS, as_module, parse
from ...support.diagnostics import TilewrightError
from ...support.located import LocatedParser, SourcePosition, locate, verify_located
from ...support.passes import own_names, pass_failure, shared_target
from ...support.registry import FRONTENDS, UPSTREAM_DIALECTS, dialect_factory, importer_of, unknown
from ..arguments import MODULE_LEVELS, STANDARD_OUTPUT, output_problem, parse_shapes, written_path
from ..failures import run_tool, user_errors
from ..plugin import Plugin, load_plugin
from .observer import ALL, ToolInstruments, verify_ops
from .usage import OptParser, add_pass_options

if TYPE_CHECKING:
    from .stages import CompilerStages


class _Kept(StringIO):
    """A text stream whose contents stay readable after it is closed, in the attribute ``text``."""

    text = ""

    def close(self) -> None:
        if not self.closed:
            self.text = self.getvalue()
        super().close()


class Opt(xDSLOptMain):
    """One run of tw-opt: xDSL's driver with the dialects, passes and options of Tilewright."""

    version_format = f"tw-opt {__version__} (xdsl {{xdsl_version}})"

    def __init__(self, args: Sequence[str]) -> None:
        # Load plugins first: they add passes, whose names are part of the help.
        early = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        early.add_argument("--load", action="append", type=Path, default=[])
        paths: list[Path] = early.parse_known_args(args)[0].load
        self.plugins = [load_plugin(path) for path in paths]
        self.weights: object = None
        self.places: Mapping[Operation, Callable[[], SourcePosition]] = {}
        self.check_types: Callable[[ModuleOp, ModulePass], None] | None = None
        self.first_line = 0
        self.output: IO[str] = sys.stdout
        self.form: Callable[[ModuleOp], bytes] | None = None
        """Makes the contents of the output file, if its suffix means another form than text."""
        self.data = b""
        self.own_passes: list[ModulePass] = []
        super().__init__("Run passes on textual IR.", args)

    def register_all_dialects(self) -> None:
        ours = {name: dialect_factory(entry) for name, entry in UPSTREAM_DIALECTS.items()}
        for name, factory in {**Universe.get_multiverse().all_dialects, **ours}.items():
            self.ctx.register_dialect(name, factory)
        for plugin in self.plugins:
            for dialect in plugin.dialects:
                if dialect.name in self.ctx.registered_dialect_names:
                    raise _taken("dialect", dialect.name, plugin)
                self.ctx.register_dialect(dialect.name, lambda dialect=dialect: dialect)

    def register_all_passes(self) -> None:
        super().register_all_passes()
        for plugin in self.plugins:
            for found in plugin.passes:
                if found.name in self.available_passes:
                    raise _taken("pass", found.name, plugin)
                self.register_pass(found.name, lambda found=found: found)

    def register_all_frontends(self) -> None:
        super().register_all_frontends()
        self.available_frontends["mlir"] = self._parse
        for suffix in FORMS:
            self.available_frontends.setdefault(suffix.removeprefix("."), self._read)
        for extension in FRONTENDS:
            self.available_frontends[extension] = self._importer(extension)

    def _parse(self, stream: IO[bytes]) -> ModuleOp:
        parser = LocatedParser(self.ctx, stream.read(), self.get_input_name(), self.first_line)
        module = parser.parse_module(not self.args.no_implicit_module)
        self.places = parser.places()
        return module

    def _read(self, stream: IO[bytes]) -> ModuleOp:
        name = self.get_input_name()
        return as_module(parse(stream.read(), name, self.ctx), name)

    def _importer(self, extension: str) -> Callable[[IO[bytes]], ModuleOp]:
        def read(stream: IO[bytes]) -> ModuleOp:
            importer = importer_of(extension)
            # Read by path if possible, because weights may be in files next to the model.
            source = stream.read() if self.args.input_file is None else self.args.input_file
            rows = [row for plugin in self.plugins for row in plugin.converters]
            return importer(source, shapes=parse_shapes(self.args.shapes), converters=rows)

        return read

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        arg_parser.__class__ = OptParser  # xDSL creates the parser; its class may become a subclass
        assert isinstance(arg_parser, OptParser), "just made"
        arg_parser.passes = self.available_passes.keys()
        self.parser = arg_parser
        arg_parser.prog, arg_parser.usage = "tw-opt", "%(prog)s [OPTIONS] [FILE]"
        super().register_all_arguments(arg_parser)
        group = arg_parser.add_argument_group("tilewright")
        add = group.add_argument
        add(
            "--load",
            action="append",
            metavar="FILE.py",
            help="dialects, passes, converters and backends to add",
        )
        add(
            "--to",
            metavar="LEVEL",
            help="first run the compiler's pipeline, from the level of the input to this one: "
            f"{', '.join(MODULE_LEVELS)}; simt with --for a GPU",
        )
        add(
            "--for",
            dest="machine",
            metavar="TARGET",
            help="target of --to (default: this host), and of passes that need one",
        )
        add("--precision", default="default", help="precision of --to: default or strict")
        add_pass_options(add)
        add(
            "--validate",
            action="store_true",
            help="run the program after every pass of --to and -p, or every step of its schedules",
        )
        add("--schedule", type=Path, metavar="FILE", help="apply these schedules (file or folder)")
        add("--shapes", action="append", default=[], metavar="x=1x3x224x224", help="bind sizes")
        add("--weights", type=Path, metavar="FILE", help="read weights named by the IR from here")
        add(
            "--save-weights",
            type=written_path,
            metavar="FILE",
            help="write the result's weights here",
        )
        add(
            "--save-irdl",
            type=written_path,
            metavar="FILE",
            help="write the dialects as IRDL here, and the result as MLIR reads it with them",
        )
        add("--verify-strict", action=argparse.BooleanOptionalAction, default=True)
        add("--list-passes", action="store_true", help="print the passes and what they do")
        add("--print-pipeline", action="store_true", help="print the pipeline and stop")
        add(
            "--print-after",
            action="append",
            default=[],
            metavar="PASS",
            help=f"print the IR after this pass, or after '{ALL}', to stderr",
        )
        add(
            "--print-diff",
            action="store_true",
            help="print only the lines that a pass changed; all passes without --print-after",
        )
        add(
            "--dump-ir",
            type=written_path,
            metavar="DIR",
            help="write the IR after each pass to files here",
        )
        add("--debug", action="store_true", help="show Python tracebacks")

    def setup_pipeline(self) -> None:
        specs = parse_pipeline(own_names(_bare(self.args.passes)))
        self.own_passes = [self._make_pass(spec) for spec in specs]
        self.instruments = ToolInstruments(
            self.args,
            self._verify,
            self.available_passes,
            own=[step.name for step in self.own_passes],
        )
        self._start_pipeline(None)

    def _start_pipeline(self, program: ModuleOp | None) -> None:
        """Set the passes to run: the passes of --to or --schedule, then the passes of -p.

        program: the program to run them on; None if it is not parsed yet.
        """
        stages = self._stages()
        self.compiler_passes = () if stages is None else stages.passes(program)
        passes = (*self.compiler_passes, *self.own_passes)
        self.pipeline = PassPipeline(passes, self.instruments.callback(self.ctx))

    def _stages(self) -> CompilerStages | None:
        """Return the stages of the compiler if an option needs them, else None.

        Importing the stages is slow.
        """
        options = self.args
        asked = (options.to, options.schedule, options.machine, options.opt_level)
        lists = (options.disable_pass, options.require_pass, options.config)
        if not options.validate and not any(lists) and all(option is None for option in asked):
            return None
        from .stages import CompilerStages

        backends = [backend for plugin in self.plugins for backend in plugin.backends]
        return CompilerStages(options, self.own_passes, self.ctx, backends)

    def _make_pass(self, spec: ArgSpec) -> ModulePass:
        if spec.name not in self.available_passes:
            raise unknown("pass", spec.name, self.available_passes)
        try:
            return self.available_passes[spec.name]().from_pass_spec(self._targeted(spec))
        except ValueError as err:
            raise TilewrightError("malformed pass options", got=str(err), where=spec.name) from err

    def _targeted(self, spec: ArgSpec) -> ArgSpec:
        """Add the target of --for to the options of a pass that has the option ``target``."""
        found = self.available_passes[spec.name]()
        options = {option.name for option in fields(found)}
        if "target" not in options or "target" in spec.parameters:
            return spec
        stages = self._stages() if self.args.machine else None
        if stages is None:
            return spec
        target = cast(str, stages.target)  # the pass takes the object as it is
        return ArgSpec(spec.name, {**spec.parameters, "target": (target,)})

    def _verify(self, done: ModulePass | None, module: ModuleOp) -> None:
        try:
            verify_located(module, self._verify_ops, self.places)
        except VerifyException as err:
            if done is not None:
                err.add_note(f"after the pass {done.name}")
            raise
        if done is not None and self.check_types is not None:
            self.check_types(module, done)

    def _verify_ops(self, module: ModuleOp) -> None:
        verify_ops(module, is_strict=self.args.verify_strict)

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        if self.args.input_file == "-":
            self.args.input_file = None  # standard input
        try:
            return super().prepare_input()
        except ValueError as err:
            raise TilewrightError(
                str(err),
                expected=f"one of {', '.join(self.available_frontends)}",
                hint="-f says what the file holds",
            ) from err
        except OSError as err:
            raise TilewrightError(
                "cannot read the input", got=err.strerror, where=str(self.args.input_file)
            ) from err

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        self.first_line = start_offset
        try:
            return super().parse_chunk(chunk, file_extension, start_offset)
        except UnicodeDecodeError as err:
            raise TilewrightError(
                "the input is not text", got=str(err), where=self.get_input_name()
            ) from err

    def prepare_output(self) -> IO[str]:
        self.output = sys.stdout if self.args.output_file is None else _Kept()
        return self.output

    def apply_passes(self, prog: ModuleOp) -> None:
        self._start_pipeline(prog)
        if self.args.to is not None:
            from ...dialects.results import record_names

            record_names(prog)
        stages = self._stages()
        if self.args.to is not None and stages is not None:
            self.check_types = stages.types_are_kept(prog, self.compiler_passes)
        if self.args.validate and stages is not None:
            stages.validate(prog)
        self._run_passes(prog)
        if self.args.save_weights is not None:
            from ...dialects.weights import save_weights

            save_weights(prog, self.args.save_weights)

    def _run_passes(self, prog: ModuleOp) -> None:
        """Run the pipeline; if a pass fails on the program, the error names the pass."""
        try:
            super().apply_passes(prog)
        except user_errors() as err:
            if isinstance(err, TilewrightError):
                locate(err, err.op, self.places)
            raise
        except (Exception, SystemExit) as err:
            passes = self.pipeline.passes
            if not passes:
                got = f"{type(err).__name__}: {err}".removesuffix(": ")
                raise TilewrightError(
                    "the program cannot be verified", got=got, hint="--debug shows the traceback"
                ) from err
            failed = passes[min(self.instruments.finished, len(passes) - 1)]
            raise pass_failure(failed.name, err).in_file(self.get_input_name()) from err

    def output_resulting_program(self, prog: ModuleOp) -> str:
        if self.form is not None:
            self.data = self.form(prog)
            return ""
        if self.args.save_irdl is not None:
            program = for_mlir(prog, [d for plugin in self.plugins for d in plugin.dialects])
            self.args.save_irdl.write_text(program.irdl, encoding="utf-8")
            return program.text
        try:
            return super().output_resulting_program(prog)
        except user_errors():
            raise
        except Exception as err:
            raise TilewrightError(
                "this program has no text for the target",
                got=f"{type(err).__name__}: {err}".removesuffix(": "),
                hint="`tw compile --to ll` prints the LLVM IR of a model",
                where=f"-t {self.args.target}",
            ) from err

    def run(self) -> None:
        if self.args.output_file == str(STANDARD_OUTPUT):
            self.args.output_file = None
        path: str | None = self.args.output_file
        if path is not None and Path(path).suffix in OTHER_FORMS:
            if self.args.split_input_file or self.args.target != "mlir":
                raise TilewrightError(
                    "the file of -o holds one module",
                    hint="without -t and --split-input-file, or with -o FILE.mlir",
                    where=path,
                )
            self.form = FORMS[Path(path).suffix]
        if path is not None and (problem := output_problem(Path(path))):
            raise TilewrightError("cannot write the output", got=problem, where=path)
        if self.args.list_passes:
            self._list_passes()
            return
        if self.args.print_pipeline:
            self._print_pipeline()
            return
        if self.args.weights is not None:
            from ...dialects.weights import load_weights

            # Attributes refer to the weights by key; this reference prevents their deletion.
            self.weights = load_weights(self.args.weights)
        super().run()
        # Written at the end, so that a failed run does not change the file.
        if path is not None and isinstance(self.output, _Kept):
            text = self.output.text
            Path(path).write_bytes(self.data if self.form is not None else text.encode())
        if self.args.time_passes:
            self.instruments.show_times()

    def _print_pipeline(self) -> None:
        """Print the passes of the pipeline with their options.

        If several passes have the same target, it is printed once, as the option --for, and not in
        each pass.
        """
        target, specs = shared_target(self.pipeline.passes)
        if target:
            print(f"with --for {shlex.quote(target)}", file=sys.stderr)
        print(",".join(map(str, specs)))

    def _list_passes(self) -> None:
        for name, make in self.available_passes.items():
            about = (getdoc(make()) or "").partition("\n")[0]
            print(f"{name:32}{about}".rstrip())


def _bare(pipeline: str) -> str:
    """Return a pipeline without the ``builtin.module(...)`` that mlir-opt requires."""
    found = re.fullmatch(r"\s*builtin\.module\((.*)\)\s*", pipeline, re.DOTALL)
    return pipeline if found is None else found[1]


def _taken(kind: str, name: str, plugin: Plugin) -> TilewrightError:
    return TilewrightError(f"{kind} defined twice", got=name, where=str(plugin.path))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the ``tw-opt`` command; return its exit code."""
    args = sys.argv[1:] if argv is None else list(argv)
    # xdsl-opt sets both for the whole process (--disable-verify, --syntax-highlight).
    post_init, colored = Attribute.__post_init__, Diagnostic.colored
    try:
        return run_tool(lambda: _run(args), debug="--debug" in args)
    finally:
        Attribute.__post_init__, Diagnostic.colored = post_init, colored


def _run(args: Sequence[str]) -> int:
    Opt(args).run()
    return 0
