"""Kinds of alternative readings, one module for each subject."""
