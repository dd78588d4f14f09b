"""Whole games as series of drawn photos with exact truth."""
