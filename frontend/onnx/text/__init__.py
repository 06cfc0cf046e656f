"""Strings at import: automata that run over their bytes, and converters of operators on strings."""
