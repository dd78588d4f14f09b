"""Services of the server: the life of readings, its queue and worker processes, events, enrolment and metrics."""
