"""Decoding of photos: bytes are checked before anything is decoded, and become upright sRGB pixels.

The file's own structure is checked first (`jpeg`, `containers`), so that no decoder sees more segments, scans or chunks
than a photo has. `simplejpeg` decodes JPEGs, large ones at half their size; work that needs all their pixels decodes
them again, in full. OpenCV decodes WebP, in a third of Pillow's memory. Pillow reads every header, and decodes PNG and
HEIC. Inks, colour profiles, palettes, alpha and 16 bits are converted strip by strip, so that only the decoded picture
and the wanted one are in memory.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TypeVar

import cv2
import numpy as np
from PIL import Image, ImageChops, ImageCms

from vision.arrays import Image as Pixels
from vision.errors import PhotoError
from vision.photo.containers import build_truncation_error, check_heif, check_webp, has_all_rows, strip_png
from vision.photo.jpeg import decode_jpeg, strip_jpeg
from vision.photo.pyramid import Halves

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a file. Bounds memory."""
MAX_PIXELS = 64_000_000
"""Maximum number of pixels: enough for the 50 megapixel pictures of phones. Bounds memory of a reading to below a
gibibyte.
"""
MAX_SIDE_PX = 65_500
"""Maximum side of a JPEG by the rules of libjpeg: photos are kept, and drawn on, as JPEGs."""
STRIP_PIXELS = 1_000_000
"""Number of pixels converted at once. Bounds memory to some megabytes, with few enough strips that cropping them is
cheap.
"""
MIN_HALVED_PIXELS = 8_000_000
"""Minimum number of pixels of a photo that is read at half its size: in smaller photos, a whole game's tiles would be
too small. A guess.
"""

# The limit above is checked on the header, before a pixel is decoded; Pillow's own, higher one would only warn.
Image.MAX_IMAGE_PIXELS = None

FORMATS = "JPEG, PNG, WebP or HEIC"
"""The formats of photos, for texts."""
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
"""Endings of their files' names, in lower case."""
_ORIENTATION = 0x0112
"""Tag of the orientation. By the rules of Exif."""
_OTHER_PICTURES = (b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\xff\x0a", b"\0\0\0\x0cJXL ", b"\0\0\0\x0cjP  ", b"8BPS")
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_OTHER_BRANDS = (b"avif", b"avis")
DECODE_SECONDS = 20.0
"""Maximum CPU seconds of decoding. Bounds time. Measured: the largest picture that is read takes 1 (JPEG) to 3.5 (HEIC)
on a core of 2 GHz; a machine may be 5 times as slow.
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photo, upright as a person sees it, BGR in sRGB; a large JPEG initially at half its size."""

    halves: Halves = field(repr=False)
    file: str
    sha256: str
    decode_ms: float

    @property
    def pixels(self) -> Pixels:
        """Return the pixels (height, width, 3) BGR, decoding them first if necessary."""
        return self.halves.whole

    @property
    def width(self) -> int:
        return self.halves.size[0]

    @property
    def height(self) -> int:
        return self.halves.size[1]

    def without_pixels(self) -> Photo:
        """Return the photo with its size and name alone."""
        return replace(self, halves=self.halves.without_pixels())

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], name: str = "") -> Photo:
        """Read a photo from a file, with another name if given; raise PhotoError."""
        path = Path(path)
        return cls.from_bytes(_read_bytes(path), file=name or path.name)

    @classmethod
    def from_bytes(cls, data: bytes, file: str = "") -> Photo:
        """Decode a photo; raise PhotoError, with the file's name in its details."""
        started = time.perf_counter()
        halves = _decode(data, file)
        return cls(halves, file, hashlib.sha256(data).hexdigest(), (time.perf_counter() - started) * 1000)


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


def _decode(data: bytes, file: str) -> Halves:
    """Decode the bytes of a known format, stripped of invisible content; raise PhotoError, with the file's name."""
    try:
        if not data:
            raise PhotoError("empty_file")
        if len(data) > MAX_BYTES:
            raise _build_size_error(len(data))
        kind = _detect_format(data)
        return limit_seconds(lambda: _decode_as(kind, data))
    except PhotoError as error:
        error.details.setdefault("file", file)
        raise


@contextmanager
def _refuse_damage(kind: str, data: bytes) -> Iterator[None]:
    """Raise PhotoError `truncated_image` or `broken_image` for any other error.

    On damaged bytes, the decoders raise arbitrary errors.
    """
    try:
        yield
    except PhotoError:
        raise
    except Exception as error:
        if "truncated" in str(error):
            raise build_truncation_error(kind, data) from error
        raise PhotoError("broken_image", details={"format": kind}) from error


@contextmanager
def _open_picture(kind: str, data: bytes) -> Iterator[Image.Image]:
    """Open a picture: read its header and check its size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of damaged tags, which are harmless to the picture
        with Image.open(io.BytesIO(data), formats=[kind]) as image:
            _check_size(image)
            yield image


def _decode_as(kind: str, file: bytes) -> Halves:
    """Decode a picture at half its size if that suffices for most of the reading; otherwise in full."""
    with _refuse_damage(kind, file):
        data = _STRIP[kind](file)
        with _open_picture(kind, data) as image:
            (width, height), turned = image.size, _read_orientation(image)
            if kind != "JPEG" or not _is_plain(image) or width % 2 or height % 2 or width * height < MIN_HALVED_PIXELS:
                return Halves(_turn_upright(_decode_pixels(image, data), turned))

        def decode(divisor: int) -> Pixels:
            with _refuse_damage(kind, data):
                return _turn_upright(decode_jpeg(data, "BGR", (width, height), divisor), turned)

        return Halves.from_half(decode(2), lambda: limit_seconds(lambda: decode(1)))


def _detect_format(data: bytes) -> str:
    """Return the format by its first bytes, in Pillow's names."""
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
    """Register pillow-heif, which adds the pictures of iPhones to Pillow; return whether it can be loaded."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener(thumbnails=False)
    return True


_STRIP: dict[str, Callable[[bytes], bytes]] = {
    "JPEG": strip_jpeg,
    "PNG": strip_png,
    "WEBP": check_webp,
    "HEIF": check_heif,
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
    """Return the pixels as stored, (h, w, 3) BGR in sRGB."""
    if image.format == "JPEG":
        if _is_plain(image):
            return decode_jpeg(data, "BGR", image.size)
        inks = decode_jpeg(data, {"L": "GRAY", "RGB": "RGB"}.get(image.mode, "CMYK"), image.size)
        return _convert_to_bgr(image, lambda top, end: _cut_jpeg(image, inks[top:end]))
    if image.format == "WEBP" and not getattr(image, "is_animated", False):
        layers = _decode_webp(data)
        if layers.shape[2] == 3 and _is_plain(image):
            return layers
        order = cv2.COLOR_BGRA2RGBA if layers.shape[2] == 4 else cv2.COLOR_BGR2RGB
        return _convert_to_bgr(image, lambda top, end: Image.fromarray(cv2.cvtColor(layers[top:end], order)))
    image.load()
    if image.format == "PNG" and _may_lack_rows(image) and not has_all_rows(data):
        raise build_truncation_error("PNG", data)
    return _convert_to_bgr(image, lambda top, end: image.crop((0, top, image.width, end)))


def _may_lack_rows(image: Image.Image) -> bool:
    """Return whether rows of a PNG may be missing: Pillow leaves them black, and those of an interlaced one
    partly so.
    """
    last = image.crop((0, image.height - 1, image.width, image.height))
    return bool(image.info.get("interlace")) or last.getbbox(alpha_only=False) is None


def _is_plain(image: Image.Image) -> bool:
    """Return whether its decoded pixels are sRGB."""
    return image.mode in ("RGB", "L") and _find_foreign_profile(image) is None


def _cut_jpeg(image: Image.Image, inks: Pixels) -> Image.Image:
    """Return rows of a JPEG in Pillow's form, which assumes that every CMYK file is one of Adobe's, with
    inverted inks.
    """
    stored = 255 - inks if image.mode == "CMYK" else inks
    rows = Image.frombytes(image.mode, (inks.shape[1], inks.shape[0]), stored.tobytes())
    rows.info = image.info
    return rows


def _decode_webp(data: bytes) -> Pixels:
    """Return the first frame of a WebP: (h, w, 3) BGR, or with alpha (h, w, 4) BGRA; raise PhotoError
    `broken_image`.
    """
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise PhotoError("broken_image", details={"format": "WEBP"})
    return np.asarray(pixels, np.uint8)


def _find_foreign_profile(image: Image.Image) -> ImageCms.ImageCmsProfile | None:
    """Return the embedded colour profile if it is not sRGB and can be read."""
    embedded = image.info.get("icc_profile")
    if not embedded:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(embedded))
        return None if "sRGB" in ImageCms.getProfileDescription(profile) else profile
    except (ImageCms.PyCMSError, OSError):
        return None


def _convert_to_bgr(image: Image.Image, cut: Callable[[int, int], Image.Image]) -> Pixels:
    """Return the pixels (h, w, 3) BGR in sRGB of a picture; `cut` returns a range of its rows as decoded."""
    width, height = image.size
    pixels, profile = np.empty((height, width, 3), np.uint8), _find_foreign_profile(image)
    rows, to_srgb = max(1, STRIP_PIXELS // width), None
    for top in range(0, height, rows):
        strip = _flatten(cut(top, min(height, top + rows)))
        if profile is not None and top == 0:
            to_srgb = _build_transform(profile, strip.mode)
        with suppress(ImageCms.PyCMSError):
            strip = strip if to_srgb is None else to_srgb.apply(strip)
        cv2.cvtColor(np.asarray(strip.convert("RGB")), cv2.COLOR_RGB2BGR, pixels[top : top + rows])
    return pixels


def _build_transform(profile: ImageCms.ImageCmsProfile, mode: str) -> ImageCms.ImageCmsTransform | None:
    """Return the transform of a picture to sRGB; None for a profile that does not match its channels, which is
    ignored.
    """
    try:
        return ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), mode, "RGB")
    except ImageCms.PyCMSError:
        return None


def _flatten(image: Image.Image) -> Image.Image:
    """Return a picture with 8 bits per channel, without palette or alpha; transparent pixels become white, as on a
    page.
    """
    if image.mode.startswith(("I", "F")):
        return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).astype(np.uint8))
    if image.mode == "CMYK" and "adobe" not in image.info:
        return ImageChops.invert(image)
    if image.mode in ("LA", "RGBA", "PA") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), rgba).convert("RGB")
    return image if image.mode in ("RGB", "L", "CMYK") else image.convert("RGB")


def _read_orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 to 8; 1 if the tags are damaged."""
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


def limit_seconds(decode: Callable[[], T]) -> T:
    """Return the result of decoding a picture; raise its errors, or PhotoError `costly_image` after the time limit.

    A decoder that hangs is abandoned in its own thread, which ends with the process.
    """
    outcome = Future[T]()
    thread = Thread(target=_settle, args=(outcome, decode), daemon=True)
    thread.start()
    measure = _find_clock(thread)
    while (left := DECODE_SECONDS - measure()) > 0:
        thread.join(left)
        if not thread.is_alive():
            return outcome.result()
    raise PhotoError("costly_image", details={"max_seconds": DECODE_SECONDS})


def _settle(outcome: Future[T], decode: Callable[[], T]) -> None:
    try:
        outcome.set_result(decode())
    except BaseException as error:
        outcome.set_exception(error)


def _find_clock(thread: Thread) -> Callable[[], float]:
    """Return a clock of a thread's CPU seconds, or of elapsed time if the system has no such clock."""
    started = time.monotonic()
    if not hasattr(time, "pthread_getcpuclockid") or thread.ident is None:
        return lambda: time.monotonic() - started
    with suppress(OSError):
        clock = time.pthread_getcpuclockid(thread.ident)

        def measure() -> float:
            with suppress(OSError):  # it has just ended
                return time.clock_gettime(clock)
            return 0.0

        return measure
    return lambda: 0.0
