"""What the server does: the life of readings, its queue and worker processes, events, enrolment and metrics."""
