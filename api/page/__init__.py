"""The page: HTML from templates, ES modules and styles as they are; everything it shows it asks `/v1` for."""
