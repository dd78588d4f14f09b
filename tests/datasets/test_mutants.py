"""Damaged pictures neither end the process nor fill its memory.

10,000 of them: python -m datasets.benchmark.mutants.
"""

from __future__ import annotations

from datasets.benchmark.mutants import KINDS, MEMORY_MIB, SIZES, make_mutant, make_original, open_mutants
from vision.errors import PhotoError, ReadingError
from vision.photo.decoding import Photo

COUNT, READ = 200, 30


def test_originals_are_pictures_and_mutants_of_a_seed_are_the_same() -> None:
    for kind in range(KINDS):
        for size, (width, height) in enumerate(SIZES):
            photo = Photo.from_bytes(make_original(kind, size, 1))
            assert {photo.width, photo.height} == {width, height}
    assert make_mutant(7) == make_mutant(7)
    assert len({make_mutant(seed) for seed in range(50)}) == 50


def test_mutants_give_pixels_or_a_clear_code() -> None:
    outcomes = open_mutants(100_000, COUNT)
    assert (outcomes.died, outcomes.faults) == (None, [])
    assert outcomes.codes.total() == COUNT
    assert set(outcomes.codes) <= {"decoded", *PhotoError.texts}
    assert len(outcomes.codes) > 3
    assert outcomes.peak_mib < MEMORY_MIB


def test_mutants_are_read_or_give_a_clear_code() -> None:
    outcomes = open_mutants(200_000, READ, read=True)
    assert (outcomes.died, outcomes.faults) == (None, [])
    assert outcomes.codes.total() == READ
    assert set(outcomes.codes) <= {"read", *PhotoError.texts, *ReadingError.texts}
    assert outcomes.peak_mib < MEMORY_MIB
