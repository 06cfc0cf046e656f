"""Programs traced from Python: functions of arrays become functions of graph ops.

tree.py        trees of arrays: dicts, lists, tuples
trace.py       the function that is being built; its lines of source are locations of ops
array.py       the values that the user's Python function computes with
transform.py   grad, value_and_grad, vjp, jvp, hvp
control.py     cond, scan, while_loop
custom.py      checkpoint, custom_vjp, stop_gradient
"""

from __future__ import annotations
