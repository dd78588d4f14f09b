"""Expensive pictures, and truncated ones with a proper end: refused before decoding, or read within bounds."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets.benchmark.attacks.hostile import (
    EXAMPLE,
    HOSTILE,
    make_deep_png,
    make_half_jpeg,
    make_half_png,
    make_scans,
    make_segments,
)
from tests.processes import DEFINE_PEAK
from vision.errors import PhotoError
from vision.photo import decoding
from vision.photo.decoding import Photo
from vision.photo.jpeg import MAX_SCANS, MAX_SEGMENTS

PEAK = f"""
import sys
from vision.photo.decoding import Photo
{DEFINE_PEAK}
Photo.from_path(sys.argv[1])
print(measure_peak() // 1024)
"""
MEMORY_MIB = 1024
"""The gibibyte that docs/settings.md promises for a reading."""


def code_of(data: bytes) -> str:
    try:
        return f"decoded {Photo.from_bytes(data).pixels.shape}"
    except PhotoError as error:
        return error.code


def save(picture: Image.Image, kind: str, **options: object) -> bytes:
    packed = io.BytesIO()
    picture.save(packed, kind, **options)
    return packed.getvalue()


def table() -> Image.Image:
    with Image.open(EXAMPLE) as picture:
        return picture.convert("RGB").resize((400, 300))


@pytest.mark.parametrize("kind", ["segments", "scans", "chunks", "boxes"])
def test_a_picture_of_countless_parts_is_refused_by_its_cost(kind: str) -> None:
    assert code_of(HOSTILE[kind]()) == "costly_image"


def test_usual_numbers_of_segments_and_scans_are_accepted() -> None:
    assert code_of(make_segments(MAX_SEGMENTS // 2)).startswith("decoded")
    assert code_of(make_scans(MAX_SCANS, (640, 480))) == "decoded (480, 640, 3)"
    assert code_of(make_scans(MAX_SCANS + 1, (640, 480))) == "costly_image"
    assert code_of(make_scans(MAX_SCANS, (8000, 8000))) == "costly_image", "scans of a large picture cost more"


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.9, 0.99])
def test_a_jpeg_without_data_but_with_an_end_is_reported_as_truncated(progressive: bool, share: float) -> None:
    data = save(table(), "JPEG", quality=85, progressive=progressive)
    assert code_of(data) == "decoded (300, 400, 3)"
    assert code_of(data[: int(len(data) * share)] + b"\xff\xd9") == "truncated_image"


def test_a_progressive_jpeg_without_scans_is_reported_as_truncated() -> None:
    data = save(table(), "JPEG", quality=85, progressive=True)
    for scans in range(2, data.count(b"\xff\xda")):
        start = -1
        for _ in range(scans):
            start = data.index(b"\xff\xda", start + 1)
        cut = data.rfind(b"\xff\xc4", 0, start) if data[start - 40 : start].count(b"\xff\xc4") else start
        assert code_of(data[:cut] + b"\xff\xd9") == "truncated_image"


def test_cmyk_and_grey_jpegs_without_data_are_reported_as_truncated() -> None:
    for mode in ("CMYK", "L"):
        data = save(table().convert(mode), "JPEG", quality=85)
        assert code_of(data) == "decoded (300, 400, 3)"
        assert code_of(data[: len(data) // 2] + b"\xff\xd9") == "truncated_image"


def test_half_pictures_with_an_end_are_reported_as_truncated() -> None:
    assert code_of(make_half_jpeg()) == "truncated_image"
    assert code_of(make_half_png()) == "truncated_image"


def test_a_png_with_a_black_last_row_is_accepted() -> None:
    for picture in (Image.new("RGB", (40, 30)), Image.new("RGBA", (40, 30)), Image.new("I;16", (40, 30))):
        assert code_of(save(picture, "PNG")) == "decoded (30, 40, 3)"


@pytest.mark.parametrize(("place", "junk"), [(-2, bytes(9)), (20, b"junk"), (10**9, b"a film" * 1000)])
def test_data_that_cameras_insert_is_harmless(place: int, junk: bytes) -> None:
    data = save(table(), "JPEG", quality=85)
    padded = data[:place] + junk + data[place:]
    assert np.array_equal(Photo.from_bytes(padded).pixels, Photo.from_bytes(data).pixels)


def test_a_jpeg_with_data_missing_in_the_middle_is_refused() -> None:
    data = save(table(), "JPEG", quality=85, restart_marker_blocks=20)
    middle = len(data) // 2
    assert code_of(data[:middle] + data[middle + 2000 :]) in ("broken_image", "truncated_image")


@pytest.mark.parametrize(
    ("marker", "place", "value"),
    [(0xDB, 4, 3), (0xDA, 6, 0x33), (0xC0, 11, 0x55), (0xC4, 4, 0x20), (0xDA, 4, 7)],
    ids=["no quantisation", "no Huffman table", "sampling", "table class", "components of a scan"],
)
@pytest.mark.parametrize("size", [(800, 600), (4000, 3000)], ids=str)
def test_a_damaged_header_of_a_large_picture_gives_a_clear_code(
    size: tuple[int, int], marker: int, place: int, value: int
) -> None:
    """A large picture is decoded in half its size, and libjpeg's fatal errors are no warnings."""
    data = bytearray(save(table().resize(size), "JPEG"))
    data[data.index(bytes((0xFF, marker))) + place] = value
    assert code_of(bytes(data)) == "broken_image"


def test_the_largest_16_bit_png_stays_within_the_memory_limit(tmp_path: Path) -> None:
    """It runs in a process of its own, so that its peak of memory can be measured."""
    path = tmp_path / "deep.png"
    path.write_bytes(make_deep_png())
    done = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < MEMORY_MIB


def test_a_decoder_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = save(Image.new("RGB", (6000, 6000), "green"), "JPEG", progressive=True)
    assert code_of(data) == "decoded (6000, 6000, 3)"
    monkeypatch.setattr(decoding, "DECODE_SECONDS", 0.001)
    with pytest.raises(PhotoError) as caught:
        Photo.from_bytes(data, "slow.jpg")
    assert (caught.value.code, caught.value.details["file"]) == ("costly_image", "slow.jpg")
