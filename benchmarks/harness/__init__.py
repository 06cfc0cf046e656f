"""Measuring systems side by side: processes that take turns, and the analysis of their times."""
