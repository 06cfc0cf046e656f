"""Parameters of graphs: another name of `tilewright.runtime`, as in programs for TVM."""

from __future__ import annotations

from ..runtime import __getattr__
from ..runtime.module.params import load_param_dict, save_param_dict

__all__ = ["__getattr__", "load_param_dict", "save_param_dict"]
