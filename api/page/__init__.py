"""The page: HTML from templates, plain ES modules and styles; all its data comes from `/v1`."""
