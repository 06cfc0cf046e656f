"""Random programs by seed, what must hold of them, and making a failing one small.

draw      random numbers that are the same on every machine
"""
