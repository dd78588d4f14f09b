"""Tests of batches, their journal, listings, workers and results."""
