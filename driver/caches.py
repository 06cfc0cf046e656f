"""The list of the compiler's memoized functions, whose caches grow with every compilation."""

from __future__ import annotations

from ..analysis.bounds.loop_ranges import upper_of_sizes
from ..analysis.strides import row_major_strides
from ..codegen.x86_features import used_in_object
from ..dialects.loop.indices import numbered_indices, numbered_map
from ..dialects.shape import SIZE_CACHES, dims_of
from ..dialects.te.codec import int_array, name_array
from ..support.inequalities import numbers_have_no_solution

CACHES = (
    *SIZE_CACHES,
    dims_of,
    int_array,
    name_array,
    numbered_indices,
    numbered_map,
    numbers_have_no_solution,
    row_major_strides,
    upper_of_sizes,
    used_in_object,
)
"""All functions of the compiler that memoize results; see `support.collection.free_memory`."""
