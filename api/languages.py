"""The languages of the whole program, which are those of the rule texts; their words are in `api/i18n/*.CODE.ftl`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """A language, by its code (BCP 47)."""

    ENGLISH = "en"
    GERMAN = "de"
    ROMANIAN = "ro"


LANGUAGES: tuple[str, ...] = tuple(Language)
"""Codes of all languages."""
LANGUAGE_NAMES: Mapping[Language, str] = {
    Language.ENGLISH: "English",
    Language.GERMAN: "Deutsch",
    Language.ROMANIAN: "Română",
}
"""The languages' own names for themselves."""
