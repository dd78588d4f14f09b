"""Pictures and files of a report: overlay, drawn board, tiles as SVG, PDF and CSV."""
