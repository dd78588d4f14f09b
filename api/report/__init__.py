"""The report, the one document behind every front door: its schema, its builder, and the snapshot from which it can be
built again.
"""
