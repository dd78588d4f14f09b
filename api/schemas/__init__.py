"""Typed models of the HTTP API's documents other than the report."""
