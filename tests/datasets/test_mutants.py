"""Damaged pictures neither end the process nor fill its memory.

10,000 of them: python -m datasets.benchmark.mutants.
"""

from __future__ import annotations

from datasets.benchmark.mutants import MEMORY_MIB, make_mutant, make_originals, open_mutants
from vision.errors import PhotoError
from vision.photo.decoding import Photo

COUNT = 400


def test_originals_are_pictures_and_mutants_of_a_seed_are_the_same() -> None:
    assert all(Photo.from_bytes(data).pixels.size for data in make_originals())
    assert make_mutant(7) == make_mutant(7)
    assert len({make_mutant(seed) for seed in range(50)}) == 50


def test_mutants_give_pixels_or_a_clear_code() -> None:
    outcomes = open_mutants(100_000, COUNT)
    assert outcomes.died is None
    assert outcomes.codes.total() == COUNT
    assert set(outcomes.codes) <= {"decoded", *PhotoError.texts}
    assert len(outcomes.codes) > 3
    assert outcomes.peak_mib < MEMORY_MIB
