"""Module imported by the process from which readers are forked: a signal to the process group ends none of them."""

from __future__ import annotations

from api.service.worker import ignore_group_signals

ignore_group_signals()
