"""Many photos at once: read on all cores or on a Dask cluster, resumable, with results, standings and a summary."""
