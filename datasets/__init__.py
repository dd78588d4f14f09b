"""Rendered tables with exact truth, labels of real ones, evaluation and benchmarks. Nothing that is installed imports
it."""
