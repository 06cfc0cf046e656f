"""A backend of another package: the interpreter's, under another name."""

from tilewright.targets.interpreter.backend import InterpreterBackend


class Simulator(InterpreterBackend):
    """Runs programs as the interpreter does."""

    kind = "simulator"


BACKENDS = [Simulator()]
