"""Decoding of photos: every kind of picture gives the right pixels, every broken one a clear code."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, PngImagePlugin

from tests.processes import DEFINE_PEAK
from vision.errors import PhotoError
from vision.photo.decoding import MAX_BYTES, MAX_PIXELS, Photo, _register_heif

Pixels = NDArray[np.uint8]


def scene(width: int = 96, height: int = 64) -> Pixels:
    """Return a smooth RGB picture without symmetry, so that JPEG keeps it and every turn shows."""
    y, x = np.mgrid[0:height, 0:width]
    red, green, blue = 40 + x * 200 // width, 30 + y * 200 // height, 60 + (x + y) * 120 // (width + height)
    return np.dstack([red, green, blue]).astype(np.uint8)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def jpeg(**options: object) -> bytes:
    return encoded(Image.fromarray(scene()), "JPEG", **{"quality": 95, **options})


def rgb(photo: Photo) -> NDArray[np.int16]:
    return photo.pixels[:, :, ::-1].astype(np.int16)


def code_of(data: bytes) -> str:
    with pytest.raises(PhotoError) as caught:
        Photo.from_bytes(data, "x.jpg")
    assert caught.value.details["file"] == "x.jpg"
    assert set(caught.value.as_dict()["error"]) == {"code", "text", "details"}
    return caught.value.code


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, depth: int, colour: int, rows: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*chunk) for chunk in chunks)


def deep_rows(values: NDArray[np.uint16]) -> bytes:
    """Return PNG scan lines (filter 0) of (h, w, channels) 16-bit values."""
    return b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)


def test_a_photo_has_its_file_size_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(jpeg())
    photo = Photo.from_path(path)
    assert (photo.file, photo.width, photo.height) == ("table.jpg", 96, 64)
    assert photo.pixels.shape == (64, 96, 3)
    assert photo.pixels.flags.c_contiguous
    assert len(photo.sha256) == 64
    assert photo.decode_ms > 0


@pytest.mark.parametrize(
    ("kind", "options", "tolerance"),
    [
        ("PNG", {}, 0),
        ("WEBP", {"lossless": True}, 0),
        ("WEBP", {"quality": 95}, 20),
        ("JPEG", {"quality": 95, "subsampling": 0}, 6),
        ("JPEG", {"quality": 95, "progressive": True}, 20),
    ],
)
def test_colours_are_kept(kind: str, options: dict[str, object], tolerance: int) -> None:
    photo = Photo.from_bytes(encoded(Image.fromarray(scene()), kind, **options))
    assert np.abs(rgb(photo) - scene()).max() <= tolerance


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_exif_orientation_is_decoded_upright(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    plain = Image.fromarray(scene())
    options = {"lossless": True} if kind == "WEBP" else {"quality": 100, "subsampling": 0} if kind == "JPEG" else {}
    photo = Photo.from_bytes(encoded(plain, kind, exif=exif.tobytes(), **options))
    tagged = Image.open(io.BytesIO(encoded(plain, "PNG", exif=exif.tobytes())))
    expected = np.asarray(ImageOps.exif_transpose(tagged)).astype(np.int16)
    assert rgb(photo).shape == expected.shape
    assert np.abs(rgb(photo) - expected).max() <= 4


def test_damaged_exif_is_ignored() -> None:
    photo = Photo.from_bytes(jpeg(exif=b"Exif\0\0II*\0\xff\xff\xff\xff\xff"))
    assert (photo.width, photo.height) == (96, 64)


def test_a_greyscale_picture_is_decoded() -> None:
    grey = scene()[:, :, 0]
    for kind in ("JPEG", "PNG"):
        photo = Photo.from_bytes(encoded(Image.fromarray(grey), kind))
        assert np.abs(rgb(photo) - grey[:, :, None]).max() <= 6


@pytest.mark.parametrize("adobe", [True, False])
def test_a_cmyk_jpeg_is_decoded(adobe: bool) -> None:
    """Adobe's files hold inverted inks and say so in an APP14 segment; files without it hold plain inks."""
    inks = Image.fromarray(scene()).convert("CMYK")
    if adobe:
        data = encoded(inks, "JPEG", quality=98)
        assert b"Adobe" in data
    else:
        inverted = Image.merge("CMYK", [band.point(lambda v: 255 - v) for band in inks.split()])
        data = encoded(inverted, "JPEG", quality=98)
        start = data.index(b"\xff\xee")
        data = data[:start] + data[start + 2 + int.from_bytes(data[start + 2 : start + 4], "big") :]
        assert b"Adobe" not in data
    assert np.abs(rgb(Photo.from_bytes(data)) - scene()).max() <= 8


@pytest.mark.parametrize(
    ("colour", "shown"), [(0, [0, 0, 0]), (2, [0, 1, 2]), (6, [0, 1, 2])], ids=["grey", "rgb", "rgba"]
)
def test_16_bit_png(colour: int, shown: list[int]) -> None:
    layers = np.dstack([scene(), np.full((64, 96), 255, np.uint8)])[..., : {0: 1, 2: 3, 6: 4}[colour]]
    photo = Photo.from_bytes(png(96, 64, 16, colour, deep_rows(layers.astype(np.uint16) * 257)))
    assert np.array_equal(rgb(photo), layers[..., shown])


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_transparent_pixels_become_white(kind: str) -> None:
    rgba = np.dstack([scene(), np.full((64, 96), 255, np.uint8)])
    rgba[:, :10, 3] = 0
    photo = Photo.from_bytes(encoded(Image.fromarray(rgba), kind, **({"lossless": True} if kind == "WEBP" else {})))
    assert np.all(rgb(photo)[:, :10] == 255)
    assert np.array_equal(rgb(photo)[:, 10:], scene()[:, 10:])


def test_a_palette_png_is_decoded() -> None:
    palette = Image.fromarray(scene()).quantize(16)
    expected = np.asarray(palette.convert("RGB"))
    assert np.array_equal(rgb(Photo.from_bytes(encoded(palette, "PNG"))), expected)
    see_through = Photo.from_bytes(encoded(palette, "PNG", transparency=palette.getpixel((0, 0))))
    assert np.all(rgb(see_through)[0, 0] == 255)


def test_a_one_bit_png_is_decoded() -> None:
    bits = Image.fromarray(scene()[:, :, 0]).convert("1")
    expected = np.asarray(bits.convert("RGB"))
    assert np.array_equal(rgb(Photo.from_bytes(encoded(bits, "PNG"))), expected)


def test_srgb_profile_changes_nothing_and_a_foreign_one_is_converted() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    plain = Image.fromarray(scene())
    assert np.array_equal(rgb(Photo.from_bytes(encoded(plain, "PNG", icc_profile=srgb))), scene())
    lab = ImageCms.createProfile("LAB")
    transform = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), lab, "RGB", "LAB")
    assert transform.apply(plain).mode == "LAB"
    swapped = swapped_profile(srgb)
    photo = Photo.from_bytes(encoded(plain, "PNG", icc_profile=swapped))
    assert np.abs(rgb(photo) - scene()[:, :, ::-1]).max() <= 3


def swapped_profile(profile: bytes) -> bytes:
    """Return the profile with its red and blue primaries exchanged, under another name than sRGB."""
    exchanged = profile.replace(b"rXYZ", b"tmpX").replace(b"bXYZ", b"rXYZ").replace(b"tmpX", b"bXYZ")
    return exchanged.replace("sRGB".encode("utf-16-be"), "BGRs".encode("utf-16-be")).replace(b"sRGB", b"BGRs")


def test_a_damaged_profile_is_ignored() -> None:
    photo = Photo.from_bytes(encoded(Image.fromarray(scene()), "PNG", icc_profile=b"no profile at all"))
    assert np.array_equal(rgb(photo), scene())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@settings(max_examples=40, deadline=None)
@given(part=st.floats(0.0, 1.0, exclude_max=True))
def test_a_picture_cut_anywhere_is_reported_as_truncated(kind: str, part: float) -> None:
    data = encoded(Image.fromarray(scene()), kind)
    length = max(12, int(len(data) * part))
    assert code_of(data[:length]) == "truncated_image"


def test_a_jpeg_without_its_end_marker_is_reported_as_truncated() -> None:
    assert code_of(jpeg()[:-2]) == "truncated_image"


def test_a_thumbnail_in_the_header_does_not_hide_a_cut() -> None:
    thumbnail = encoded(Image.fromarray(scene(16, 16)), "JPEG")
    assert thumbnail.endswith(b"\xff\xd9")
    data = jpeg(exif=b"Exif\0\0" + thumbnail)
    assert Photo.from_bytes(data).width == 96
    assert code_of(data[:-40]) == "truncated_image"


def test_data_after_the_end_of_a_jpeg_is_harmless() -> None:
    assert Photo.from_bytes(jpeg() + b"a motion photo's film").width == 96


def outcome(data: bytes) -> str:
    try:
        return "decoded" if Photo.from_bytes(data).pixels.ndim == 3 else "no picture"
    except PhotoError as error:
        return error.code


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@settings(max_examples=60, deadline=None)
@given(changes=st.dictionaries(st.integers(12, 400), st.integers(0, 255), min_size=1, max_size=6))
def test_damage_gives_pixels_or_a_clear_code(kind: str, changes: dict[int, int]) -> None:
    data = bytearray(encoded(Image.fromarray(scene()), kind))
    for position, value in changes.items():
        data[position % len(data)] = value
    assert outcome(bytes(data)) in {"decoded", *PhotoError.texts}


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_clear_code(data: bytes) -> None:
    with pytest.raises(PhotoError) as caught:
        Photo.from_bytes(data)
    assert caught.value.code in PhotoError.texts


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"Dear players, the score was 35 to 52.\n", "not_an_image"),
        (b"\x00" * 100, "not_an_image"),
        (b"\x00\x00\x00\x18ftypavif" + b"\0" * 40, "unsupported_image"),
        (b"GIF89a" + b"\0" * 40, "unsupported_image"),
        (b"\x89PNG\r\n\x1a\n" + b"junk IEND\xaeB`\x82", "broken_image"),
    ],
    ids=["empty", "text", "zeros", "avif", "gif", "junk after a PNG signature"],
)
def test_invalid_photos_are_refused_with_a_code(data: bytes, code: str) -> None:
    assert code_of(data) == code


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none.jpg", "photo_not_found"), (tmp_path, "photo_unreadable")):
        with pytest.raises(PhotoError) as caught:
            Photo.from_path(path)
        assert caught.value.code == code


def test_files_with_too_many_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(PhotoError) as caught:
        Photo.from_path(path)
    assert caught.value.code == "too_large"
    assert code_of(b"\xff\xd8\xff" + bytes(MAX_BYTES)) == "too_large"


def huge_png() -> bytes:
    """Return 30,000 x 30,000 one-bit pixels in about 100 KB."""
    packer = zlib.compressobj(9)
    row = b"\0" + bytes(30_000 // 8)
    body = b"".join(packer.compress(row * 1000) for _ in range(30)) + packer.flush()
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*chunk) for chunk in chunks)


def test_a_huge_png_is_refused_at_once(tmp_path: Path) -> None:
    """It runs in a process of its own, so that its peak of memory can be measured."""
    data = huge_png()
    assert 90_000 < len(data) < 130_000
    path = tmp_path / "huge.png"
    path.write_bytes(data)
    program = (
        "import sys\n"
        "from vision.photo.decoding import Photo, PhotoError\n"
        f"{DEFINE_PEAK}\n"
        "before = measure_peak()\n"
        "try:\n    Photo.from_path(sys.argv[1])\n"
        "except PhotoError as error:\n    print(error.code, measure_peak() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    code, kilobytes = done.stdout.split()
    assert code == "too_large"
    assert int(kilobytes) < 20_000


@pytest.mark.parametrize("size", [(9000, 8000), (12_000, 12_000), (30_000, 30_000)])
def test_too_many_pixels_are_refused_before_decoding(size: tuple[int, int]) -> None:
    """There is nothing to decode here: decoding would find a damaged picture."""
    data = png(*size, 8, 2, b"")
    assert size[0] * size[1] > MAX_PIXELS
    assert code_of(data) == "too_large"


def test_a_text_bomb_in_a_png_is_never_opened() -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("comment", "a" * 80_000_000, zip=True)
    photo = Photo.from_bytes(encoded(Image.fromarray(scene()), "PNG", pnginfo=info))
    assert np.array_equal(rgb(photo), scene())


def heic(**options: object) -> bytes:
    picture = pillow_heif.from_pillow(Image.fromarray(scene()))
    buffer = io.BytesIO()
    picture.save(buffer, quality=95, **options)
    return buffer.getvalue()


def test_a_heic_photo_is_read() -> None:
    photo = Photo.from_bytes(heic())
    assert rgb(photo).shape == scene().shape
    assert np.abs(rgb(photo) - scene()).max() <= 12
    assert code_of(heic()[:-40]) == "truncated_image"


def test_a_heic_photo_without_its_library_names_the_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    _register_heif.cache_clear()
    try:
        assert code_of(b"\x00\x00\x00\x18ftypheic" + b"\0" * 40) == "heif_missing"
    finally:
        _register_heif.cache_clear()


@pytest.mark.parametrize("orientation", [1, 6, *[pytest.param(way, marks=pytest.mark.soak) for way in (8, 3)]])
def test_a_large_photo_is_decoded_at_half_size_until_needed_in_full(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = Photo.from_bytes(encoded(Image.fromarray(scene(3600, 2400)), "JPEG", quality=95, exif=exif.tobytes()))
    half, scale = photo.halves.sized(0.3)
    turned = ImageOps.exif_transpose(
        Image.open(io.BytesIO(encoded(Image.fromarray(scene(3600, 2400)), "PNG", exif=exif, compress_level=0)))
    )
    assert (photo.width, photo.height) == turned.size
    reference = np.asarray(turned.reduce(2).resize(half.shape[1::-1], Image.Resampling.BOX))
    assert scale == pytest.approx(0.3, abs=0.01)
    assert np.abs(half[:, :, ::-1].astype(int) - reference).max() <= 6
    assert np.abs(rgb(photo) - np.asarray(turned)).max() <= 6


def test_a_large_photo_of_odd_size_is_decoded_in_full() -> None:
    photo = Photo.from_bytes(encoded(Image.fromarray(scene(3601, 2401)), "JPEG", quality=95))
    assert (photo.width, photo.height) == (3601, 2401) == photo.pixels.shape[1::-1]
