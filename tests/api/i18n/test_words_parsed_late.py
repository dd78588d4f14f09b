"""Messages are parsed at their first use: one by one they equal those of whole files."""

from __future__ import annotations

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax.ast import Junk, Message, Term

from api.i18n import Words, read_fluent_texts, split_entries
from api.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_the_files_is_found_individually(language: str) -> None:
    whole, split = dict[str, Message | Term](), dict[str, Message | Term]()
    for text in read_fluent_texts(language):
        body = FluentResource(text).body
        assert not [entry for entry in body if isinstance(entry, Junk)]
        whole |= {f"{'-' * isinstance(e, Term)}{e.id.name}": e for e in body if isinstance(e, Message | Term)}
        for name, source in split_entries(text):
            (split[name],) = (entry for entry in FluentResource(source).body if isinstance(entry, Message | Term))
    assert split.keys() == whole.keys()
    assert all(split[name].equals(entry, ignored_fields=["span", "comment"]) for name, entry in whole.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_without_values_equal_those_of_a_full_bundle(language: str) -> None:
    bundle, words = FluentBundle([language], use_isolating=False), Words(language)
    names = []
    for text in read_fluent_texts(language):
        resource = FluentResource(text)
        bundle.add_resource(resource)
        names += [entry.id.name for entry in resource.body if isinstance(entry, Message)]
    said = 0
    for name in names:
        assert name in words
        pattern = bundle.get_message(name).value
        assert pattern is not None
        said_whole, errors = bundle.format_pattern(pattern, {})
        if not errors:
            assert words.say(name) == said_whole
            said += 1
    assert said > 100


def test_missing_messages_and_terms_are_not_found() -> None:
    words = Words("en")
    assert "no-such-message" not in words
    with pytest.raises(LookupError):
        words.say("no-such-message")
