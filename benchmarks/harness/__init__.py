"""Measuring systems side by side: processes that take turns, and what their times say."""
