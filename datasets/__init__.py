"""Rendered tables with exact ground truth, labels of real photos, evaluation and benchmarks. No installed package
imports it."""
