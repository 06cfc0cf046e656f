"""The ONNX backend suite against compiled code.

suite       the cases of the installed onnx package as plain data, in groups
random_ops  the properties of operators that draw random numbers
check       one case: compile, run under guard pages, compare (runs in a worker process)
runner      all cases in workers that may crash or hang; results, tables, the expectation list
"""
