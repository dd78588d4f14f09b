"""Settings: one table of all of them, and no secrets in plain text."""

from __future__ import annotations

import hashlib
import socket
from pathlib import Path

import pytest
from pydantic import ValidationError

from api.server.settings import Settings, format_settings_table
from api.server.tokens import generate_id, generate_token, hash_secret, is_known_secret, is_matching_secret
from tests.api.commands import error_of, run

SPANS = [name for name, field in Settings.model_fields.items() if field.annotation is float]
DOCS = Path(__file__).parents[3] / "docs" / "settings.md"


def test_the_documented_table_equals_the_settings_model() -> None:
    assert format_settings_table() in DOCS.read_text(encoding="utf-8")


def test_no_setting_is_required(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path))
    settings = Settings()
    assert settings.database_url == f"sqlite:///{tmp_path}/server.db"
    assert settings.photos_url == f"{tmp_path}/photos"
    assert settings.api_keys == frozenset()


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = [hashlib.sha256(key.encode()).hexdigest() for key in ("one", "two")]
    monkeypatch.setenv("WONDERTALLY_API_KEYS", f" {hashes[0]}, {hashes[1].upper()},")
    monkeypatch.setenv("WONDERTALLY_READERS", "3")
    settings = Settings()
    assert settings.readers == 3
    assert is_known_secret("two", settings.api_keys)
    assert not is_known_secret("three", settings.api_keys)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("API_KEYS", "a key in clear"),
        ("READERS", "0"),
        ("QUEUE", "-1"),
        ("KEEP_DAYS", "never"),
        ("KEEP_DAYS", "nan"),
        *(("HOSTS", value) for value in ("https://tally.example", "tally.example:8000", "*.example", "a b", "a..b")),
        *((name.upper(), value) for name in SPANS for value in ("inf", "-inf", "1e300")),
    ],
)
def test_invalid_settings_are_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"WONDERTALLY_{name}", value)
    with pytest.raises(ValidationError):
        Settings()


def test_a_server_that_cannot_start_states_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        status, _, errors = run(capsys, "serve", "--port", str(listener.getsockname()[1]))
        assert (status, error_of(errors)["code"]) == (2, "cannot_listen")
    status, _, errors = run(capsys, "serve", "--host", "no.such.host.invalid", "--port", "0")
    assert (status, error_of(errors)["code"]) == (2, "cannot_listen")
    monkeypatch.setenv("WONDERTALLY_READERS", "many")
    status, _, errors = run(capsys, "serve", "--port", "0")
    assert (status, error_of(errors)["code"]) == (2, "bad_settings")
    assert "WONDERTALLY_READERS" in errors


def test_a_file_as_the_data_folder_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file")
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    status, _, errors = run(capsys, "serve", "--port", "0")
    assert (status, error_of(errors)["code"]) == (2, "bad_settings")
    assert "WONDERTALLY_DATA" in errors


def test_secrets_are_kept_as_hashes() -> None:
    token = generate_token()
    assert is_matching_secret(token, hash_secret(token))
    assert not is_matching_secret(token + "x", hash_secret(token))
    assert len({generate_id() for _ in range(100)}) == 100
    assert len(generate_id()) == 22
