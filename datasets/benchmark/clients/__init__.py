"""What Locust runs: a folder of its own, since Locust looks for modules beside the file that it is given."""
