"""HTTP around the routes: dependencies, limits, middleware, error answers, uploads and probes."""
