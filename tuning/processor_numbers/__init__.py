"""Measurement of the numbers of a processor core: kernels, and the row that their times give."""
