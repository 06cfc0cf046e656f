"""Mutation testing: plant bugs in a copy of the checkout, and see which check finds each.

bugs       the list of bugs as data (bugs.toml)
sites      candidates for more bugs, drawn by a seed
probes     the small models that `tw bisect` checks
planted    a copy with one bug, and the checks that ought to see it

    python -m tilewright.testing.mutate [--only NAME …]
"""
