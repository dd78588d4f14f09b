"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("wondertally", deadline=None)  # a shared machine is slow now and then
settings.load_profile("wondertally")
