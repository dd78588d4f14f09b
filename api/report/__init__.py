"""The report, the one document behind every front door: its schema, how it is built, and the snapshot it can be built
from again."""
