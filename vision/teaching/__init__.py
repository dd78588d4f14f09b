"""How photos become enrolments: tiles laid as a person says, and the spaces of a score board."""
