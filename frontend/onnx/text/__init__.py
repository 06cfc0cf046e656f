"""Automata that operators on strings run over bytes."""
