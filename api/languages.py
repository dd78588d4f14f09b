"""The languages of all doors: those of the rule texts. Their words are `api/i18n/*.CODE.ftl`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """A language, by its code (BCP 47)."""

    ENGLISH = "en"
    GERMAN = "de"
    ROMANIAN = "ro"


LANGUAGES: tuple[str, ...] = tuple(Language)
"""The codes of all languages."""
LANGUAGE_NAMES: Mapping[Language, str] = {
    Language.ENGLISH: "English",
    Language.GERMAN: "Deutsch",
    Language.ROMANIAN: "Română",
}
"""The languages' own names for themselves."""
