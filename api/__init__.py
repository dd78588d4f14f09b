"""The front doors: command line, HTTP API, page, batches and storage, all built around one report."""
