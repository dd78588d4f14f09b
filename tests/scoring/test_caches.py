"""Permanent caches are bounded: layouts of wonders are created anew with each photo."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from inspect import signature

import scoring
import vision

MADE_ANEW = ("TileLayout", "WonderLayout", "Placement", "PlacedWonder", "Board", "Image", "Floats")


def list_caches() -> Iterator[tuple[str, _lru_cache_wrapper[object]]]:
    """Return the cached functions of all modules, by name."""
    for package in (scoring, vision):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, _lru_cache_wrapper) and value.__module__ == found.name:
                    yield f"{found.name}.{name}", value


def test_no_permanent_cache_holds_data_of_photos() -> None:
    caches = dict(list_caches())
    assert len(caches) > 50
    endless = {
        name: str(signature(cached))
        for name, cached in caches.items()
        if cached.cache_parameters()["maxsize"] is None
        and any(kind in str(one.annotation) for one in signature(cached).parameters.values() for kind in MADE_ANEW)
    }
    assert endless == {}
