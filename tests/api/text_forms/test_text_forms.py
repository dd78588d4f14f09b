"""Any text that a person hands in is accepted, or refused with a code, and soon."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scoring.errors import WondertallyError
from tests.api.text_forms.forms import EXAMPLES, FORMS
from tests.api.text_forms.hostile import Given, give, no_hang


@pytest.mark.fuzz
@pytest.mark.parametrize("name", FORMS)
def test_no_text_causes_an_internal_error_or_a_wait(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form, folder = FORMS[name], tmp_path / "work"
    monkeypatch.setenv("WONDERTALLY_DATA", str(folder / "data"))
    texts = [*form.examples()]

    def take(text: str) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        with no_hang():
            form.take(folder, text)

    for text in texts:
        take(text)

    @given(given_text=give(st.sampled_from(texts).flatmap(form.mutate)))
    @settings(
        max_examples=EXAMPLES or settings().max_examples // 2,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
        derandomize=not EXAMPLES,
    )
    def check(given_text: Given) -> None:
        with suppress(WondertallyError):
            take(given_text.text)

    check()
