"""Batches of photos: read on all cores or on a Dask cluster, resumable, with results, standings and a summary."""
