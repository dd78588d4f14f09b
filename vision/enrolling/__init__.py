"""From photos to enrolments: tiles laid as a person states, and the spaces of a score board."""
