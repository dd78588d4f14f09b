"""HTTP around the routes: dependencies, limits, middleware, error responses, uploads and probes."""
