"""Code run by Locust, in its own folder because Locust looks for modules beside its input file."""
