"""Photos of laid tables: random and arranged scenes, compositing, light and lens, table tops, and simulated
enrolment."""
