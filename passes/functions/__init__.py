"""Passes that remove calls, closures, recursion and data from programs of graph ops."""
