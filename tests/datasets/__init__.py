"""Tests of rendered tables and of the benchmarks."""
