"""The styles of drawn tiles that tests iterate over."""

from __future__ import annotations

import pytest

from datasets.art.style import STYLES


def list_styles(*usual: str, seeds: tuple[int, ...] = ()) -> list[object]:
    """List the usual styles and, only in the long run, all others and sampled ones."""
    others = [*(name for name in STYLES if name not in usual), *seeds]
    return [*usual, *(pytest.param(other, marks=pytest.mark.soak) for other in others)]
