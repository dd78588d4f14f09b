"""Typed models of what goes over HTTP beside the report."""
