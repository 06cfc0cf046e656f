"""Random programs by seed, and their properties.

draw           random numbers that are the same on every machine
graph_builder  ONNX models under construction, with the shape of every value
graphs/        families of random graphs
pairs          quantized graphs in two forms, for equal bytes
te_programs    families of random tensor expressions
schedules      random schedules of these tensor expressions
program        a model or a text as plain data: check it, save it, load it
checks         the properties of programs; outcomes
dynamic_sizes  models with symbolic sizes, and their check at three sizes
references     the reference values of a model's results
families       all families; the program of a family and a seed
targets        classes of machines
runner         many programs in a worker that may crash or hang; a log that is resumed
"""
