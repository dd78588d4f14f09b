"""The languages of the whole program, which are those of the rule texts; their words are in `api/i18n/*.CODE.ftl`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class LanguageCode(StrEnum):
    """A language, by its code (BCP 47)."""

    ENGLISH = "en"
    GERMAN = "de"
    ROMANIAN = "ro"


LANGUAGES: tuple[str, ...] = tuple(LanguageCode)
"""Codes of all languages."""
LANGUAGE_NAMES: Mapping[LanguageCode, str] = {
    LanguageCode.ENGLISH: "English",
    LanguageCode.GERMAN: "Deutsch",
    LanguageCode.ROMANIAN: "Română",
}
"""The languages' own names for themselves."""
