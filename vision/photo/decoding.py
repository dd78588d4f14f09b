"""A photo's way in: bytes, checked before anything is decoded, become upright sRGB pixels.

OpenCV decodes plain JPEGs (12 megapixels: 70 ms on one core, where Pillow with its copy into numpy takes 145), large
ones in half their size, which takes half as long; what needs all their pixels decodes them once more, in full. Pillow
reads every header, and decodes what needs more care: CMYK, colour profiles, palettes, alpha, 16 bits.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from PIL import Image, ImageChops, ImageCms

from vision.arrays import Image as Pixels
from vision.errors import PhotoError
from vision.photo.pyramid import Halves

MAX_BYTES = 64 * 1024 * 1024
MAX_PIXELS = 64_000_000
"""Enough for the 50 megapixel pictures of phones; keeps a reading's memory under a gibibyte."""
MAX_SIDE_PX = 65_500
"""What a JPEG may have to a side: photos are kept, and drawn on, as JPEGs."""
MIN_HALVED_PIXELS = 8_000_000
"""Smaller photos are not read in half their size: there a whole game's tiles are too small."""

# The limit above is checked on the header, before a pixel is decoded; Pillow's own, higher one would only warn.
Image.MAX_IMAGE_PIXELS = None

T = TypeVar("T")

_ORIENTATION = 0x0112
_PNG_END = b"IEND\xaeB`\x82"
_OTHER_PICTURES = (b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\xff\x0a", b"\0\0\0\x0cJXL ", b"\0\0\0\x0cjP  ", b"8BPS")
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_OTHER_BRANDS = (b"avif", b"avis")


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photo, upright as a person sees it, BGR in sRGB; a large JPEG in half its size at first."""

    halves: Halves = field(repr=False)
    file: str
    sha256: str
    decode_ms: float

    @property
    def pixels(self) -> Pixels:
        """The pixels (height, width, 3) BGR, which may have to be decoded first."""
        return self.halves.whole

    @property
    def width(self) -> int:
        return self.halves.size[0]

    @property
    def height(self) -> int:
        return self.halves.size[1]

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], name: str = "") -> Photo:
        """Read a photo from a file, which may be called otherwise; raises PhotoError."""
        path = Path(path)
        return cls.from_bytes(_read_bytes(path), file=name or path.name)

    @classmethod
    def from_bytes(cls, data: bytes, file: str = "") -> Photo:
        """Decode a photo; raises PhotoError, with the file's name in its details."""
        started = time.perf_counter()
        halves = _inspect(data, file, _decode_as)
        return cls(halves, file, hashlib.sha256(data).hexdigest(), (time.perf_counter() - started) * 1000)


def check_photo(data: bytes, file: str = "") -> None:
    """Look at a photo's head and end alone, and decode nothing; raises PhotoError as `Photo.from_bytes` does."""
    _inspect(data, file, _check_as)


def _read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _build_size_error(path.stat().st_size, file=path.name)
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PhotoError("photo_not_found", details={"file": path.name}) from error
    except (OSError, ValueError) as error:
        raise PhotoError("photo_unreadable", details={"file": path.name}) from error


def _build_size_error(count: int, **details: str) -> PhotoError:
    text = f"The file is too large: {count / 2**20:.0f} MiB, at most {MAX_BYTES // 2**20} MiB are read."
    return PhotoError("too_large", text, {"bytes": count, "max_bytes": MAX_BYTES, **details})


def _inspect(data: bytes, file: str, look: Callable[[str, bytes], T]) -> T:
    """What looking at whole bytes of a known format tells; raises PhotoError, with the file's name."""
    try:
        return look(_check_whole(data), data)
    except PhotoError as error:
        error.details.setdefault("file", file)
        raise


def _check_whole(data: bytes) -> str:
    """The format, of bytes that are neither too many nor cut off."""
    if not data:
        raise PhotoError("empty_file")
    if len(data) > MAX_BYTES:
        raise _build_size_error(len(data))
    kind = _detect_format(data)
    if not _IS_WHOLE[kind](data):
        raise PhotoError("truncated_image", details={"format": kind, "bytes": len(data)})
    return kind


@contextmanager
def _open_picture(kind: str, data: bytes) -> Iterator[Image.Image]:
    """The picture, its head read and its size checked; whatever else goes wrong with it is PhotoError `broken_image`.

    On damaged bytes the decoders raise whatever their parsing happens to run into.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of damaged tags, which do the picture no harm
            with Image.open(io.BytesIO(data), formats=[kind]) as image:
                _check_size(image)
                yield image
    except PhotoError:
        raise
    except Exception as error:
        raise PhotoError("broken_image", details={"format": kind}) from error


def _check_as(kind: str, data: bytes) -> None:
    with _open_picture(kind, data):
        pass


def _decode_as(kind: str, data: bytes) -> Halves:
    """The picture in half its size, where that shows what mostly is looked at; else in full."""
    with _open_picture(kind, data) as image:
        width, height = image.size
        if not _is_plain_jpeg(image) or width % 2 or height % 2 or width * height < MIN_HALVED_PIXELS:
            return Halves(_turn_upright(_decode_pixels(image, data), _read_orientation(image)))
        half = _decode_jpeg(data, cv2.IMREAD_REDUCED_COLOR_2)
        turned = _read_orientation(image)
    return Halves.from_half(
        _turn_upright(half, turned), lambda: _turn_upright(_decode_jpeg(data, cv2.IMREAD_COLOR), turned)
    )


def _detect_format(data: bytes) -> str:
    """The format by its first bytes, in Pillow's names."""
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        if not _register_heif():
            raise PhotoError("heif_missing")
        return "HEIF"
    if data.startswith(_OTHER_PICTURES) or (data[4:8] == b"ftyp" and data[8:12] in _OTHER_BRANDS):
        raise PhotoError("unsupported_image")
    raise PhotoError("not_an_image")


@cache
def _register_heif() -> bool:
    """Whether pillow-heif can be loaded, and so teaches Pillow the pictures of iPhones."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener(thumbnails=False)
    return True


def _is_jpeg_whole(data: bytes) -> bool:
    """Whether the end-of-image marker follows the scans; one inside a thumbnail of the header does not count."""
    position = 2
    while data[position : position + 1] == b"\xff" and position + 4 <= len(data):
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
        elif marker == 0xDA:
            return data.rfind(b"\xff\xd9", position) >= 0
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            position += 2
        else:
            position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return False


def _is_png_whole(data: bytes) -> bool:
    return _PNG_END in data


def _is_webp_whole(data: bytes) -> bool:
    return len(data) >= 8 + int.from_bytes(data[4:8], "little")


def _is_heif_whole(data: bytes) -> bool:
    """Whether the boxes, one after the other, end where the bytes do; a box of size 0 goes on to the end."""
    position = 0
    while position + 16 <= len(data):
        size = int.from_bytes(data[position : position + 4], "big")
        if size == 1:
            size = int.from_bytes(data[position + 8 : position + 16], "big")
        if size < 8:
            return True
        position += size
    return position <= len(data)


_IS_WHOLE: dict[str, Callable[[bytes], bool]] = {
    "JPEG": _is_jpeg_whole,
    "PNG": _is_png_whole,
    "WEBP": _is_webp_whole,
    "HEIF": _is_heif_whole,
}


def _check_size(image: Image.Image) -> None:
    width, height = image.size
    if max(width, height) > MAX_SIDE_PX:
        text = f"The picture is too large: {width} x {height} pixels, at most {MAX_SIDE_PX:,} to a side are read."
        raise PhotoError("too_large", text, {"width": width, "height": height, "max_side": MAX_SIDE_PX})
    if width * height > MAX_PIXELS:
        text = f"The picture is too large: {width} x {height} pixels, at most {MAX_PIXELS:,} are read."
        raise PhotoError("too_large", text, {"width": width, "height": height, "max_pixels": MAX_PIXELS})


def _decode_pixels(image: Image.Image, data: bytes) -> Pixels:
    """The pixels as stored, (h, w, 3) BGR in sRGB."""
    if _is_plain_jpeg(image):
        return _decode_jpeg(data, cv2.IMREAD_COLOR)
    return _convert_to_bgr(_convert_to_srgb(_flatten(image), _find_foreign_profile(image)))


def _is_plain_jpeg(image: Image.Image) -> bool:
    """Whether OpenCV decodes it as Pillow would."""
    return image.format in ("JPEG", "MPO") and image.mode in ("RGB", "L") and _find_foreign_profile(image) is None


def _decode_jpeg(data: bytes, size: int) -> Pixels:
    """The pixels as stored, in a size that OpenCV has a flag for; raises PhotoError `broken_image`."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), size | cv2.IMREAD_IGNORE_ORIENTATION)
    if pixels is None:
        raise PhotoError("broken_image", details={"format": "JPEG"})
    return np.asarray(pixels, np.uint8)


def _find_foreign_profile(image: Image.Image) -> ImageCms.ImageCmsProfile | None:
    """The embedded colour profile where it is another than sRGB and can be read."""
    embedded = image.info.get("icc_profile")
    if not embedded:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        return None if "sRGB" in ImageCms.getProfileDescription(profile) else profile
    except (ImageCms.PyCMSError, OSError):
        return None


def _flatten(image: Image.Image) -> Image.Image:
    """8 bits a channel, without palette or alpha; what is transparent shows white, as on a page."""
    if image.mode.startswith(("I", "F")):
        return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).astype(np.uint8))
    if image.mode == "CMYK" and "adobe" not in image.info:
        return ImageChops.invert(image)  # Pillow takes every CMYK JPEG for one of Adobe's, whose inks are inverted
    if image.mode in ("LA", "RGBA", "PA") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), rgba).convert("RGB")
    return image if image.mode in ("RGB", "L", "CMYK") else image.convert("RGB")


def _convert_to_srgb(image: Image.Image, profile: ImageCms.ImageCmsProfile | None) -> Image.Image:
    """In sRGB; a profile that does not fit the picture's channels is passed over."""
    if profile is not None:
        try:
            converted = ImageCms.profileToProfile(image, profile, ImageCms.createProfile("sRGB"), outputMode="RGB")
        except ImageCms.PyCMSError:
            converted = None
        if converted is not None:
            return converted
    return image.convert("RGB")


def _convert_to_bgr(image: Image.Image) -> Pixels:
    return np.asarray(cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR), np.uint8)


def _read_orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1 to 8; 1 where the tags are damaged."""
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except Exception:
        return 1


def _turn_upright(pixels: Pixels, orientation: int) -> Pixels:
    match orientation:
        case 2:
            turned = cv2.flip(pixels, 1)
        case 3:
            turned = cv2.rotate(pixels, cv2.ROTATE_180)
        case 4:
            turned = cv2.flip(pixels, 0)
        case 5:
            turned = cv2.transpose(pixels)
        case 6:
            turned = cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE)
        case 7:
            turned = cv2.rotate(cv2.transpose(pixels), cv2.ROTATE_180)
        case 8:
            turned = cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE)
        case _:
            return pixels
    return np.asarray(turned, np.uint8)
