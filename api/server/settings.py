"""The server's settings, from environment variables: `WONDERTALLY_` and the name in capitals. All are optional."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from api.server.clients import Network, parse_hosts, parse_networks
from api.server.logs import Form, Level
from vision.enrolment.store import resolve_data_folder
from vision.photo.decoding import MAX_BYTES

PREFIX = "WONDERTALLY_"

_OF_THE_MACHINE = ("data", "readers")
_DAY_SECONDS = 86_400.0
_MANY = 10_000_000
"""Upper bound of limits, so high that the limit has no effect."""
_KEY_HASH = re.compile(r"[0-9a-f]{64}")


class Settings(BaseSettings):
    """The server's settings; raises pydantic's ValidationError for invalid ones."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, allow_inf_nan=False)

    data: Path = Field(
        default_factory=resolve_data_folder,
        description="Folder of all data: the database, photos, enrolments. By default the user's data folder",
    )
    database: str = Field(
        default="",
        description="SQLAlchemy URL of another database, such as PostgreSQL; empty: `server.db` (SQLite) in the data "
        "folder",
    )
    photos: str = Field(
        default="",
        description="fsspec URL of another place for photos; empty: `photos` in the data folder",
    )
    readers: int = Field(
        default=max(1, (os.cpu_count() or 2) // 2),
        ge=1,
        le=64,
        description="Readings at once, each in a process of its own of about 1 GiB. By default half the cores",
    )
    queue: int = Field(
        default=16, ge=0, le=1000, description="Maximum number of waiting readings; further ones are refused"
    )
    wait_seconds: float = Field(
        default=60.0, ge=0, le=_DAY_SECONDS, description="How long a POST waits for its reading before it answers 202"
    )
    reading_seconds: float = Field(default=120.0, gt=0, le=_DAY_SECONDS, description="Time limit of a reading")
    keep_days: float = Field(
        default=30.0,
        gt=0,
        le=36_500,
        description="Time after which a reading and its photos are deleted; a game, after its last change",
    )
    sweep_minutes: float = Field(default=15.0, gt=0, le=10_080, description="Time between checks for expired readings")
    stray_minutes: float = Field(
        default=60.0,
        ge=0,
        le=525_600,
        description="Age at which a photo or an upload without a reading is deleted; longer than an upload takes",
    )
    body_mib: int = Field(
        default=MAX_BYTES // 2**20 + 1,
        ge=1,
        le=1024,
        description="Maximum size of an upload in MiB, all photos together",
    )
    photos_most: int = Field(default=8, ge=1, le=50, description="Maximum number of photos of one table read together")
    body_seconds: float = Field(default=300.0, gt=0, le=_DAY_SECONDS, description="How long an upload may take")
    idle_seconds: float = Field(default=20.0, gt=0, le=_DAY_SECONDS, description="How long an upload may stall")
    requests_per_minute: int = Field(default=600, ge=1, le=_MANY, description="Requests of one client to the API")
    readings_per_minute: int = Field(
        default=20, ge=1, le=_MANY, description="Photos that one client may send for reading"
    )
    connections_per_client: int = Field(
        default=128, ge=1, le=_MANY, description="Connections that one client may have open"
    )
    uploads_per_client: int = Field(
        default=32, ge=1, le=_MANY, description="Uploads of one client that may be under way at once"
    )
    proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        default=(),
        description="Addresses or networks (comma-separated) of proxies whose `X-Forwarded-For` is trusted. Empty: "
        "none",
    )
    hosts: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(),
        description="Names (comma-separated) under which the server answers, beside `localhost` and its own address; "
        "`*` for any. Empty: any, unless it listens on this machine alone",
    )
    api_keys: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(),
        description="SHA-256 hashes (hex, comma-separated) of keys; if any is set, a POST needs one as "
        "`X-API-Key`. Empty: no key is required",
    )

    stop_seconds: float = Field(
        default=30.0,
        ge=0,
        le=_DAY_SECONDS,
        description="How long a stopping server continues readings in progress; unfinished ones are read after the "
        "next start",
    )
    log_format: Form = Field(
        default="auto", description="`json`, `text`, or `auto`: text if standard error is a terminal"
    )
    log_level: Level = Field(default="info", description="`debug`, `info`, `warning` or `error`")

    @field_validator("api_keys", mode="before")
    @classmethod
    def _read_hashes(cls, value: object) -> object:
        """Read hashes separated by commas; raises ValueError for anything else, so that no key is kept in clear."""
        if not isinstance(value, str):
            return value
        hashes = [word.strip().lower() for word in value.split(",") if word.strip()]
        if not all(_KEY_HASH.fullmatch(word) for word in hashes):
            raise ValueError("an API key is given as the SHA-256 of the key, 64 hex digits")
        return frozenset(hashes)

    @field_validator("proxies", mode="before")
    @classmethod
    def _read_proxies(cls, value: object) -> object:
        """Read networks separated by commas; raises ValueError for an invalid one."""
        return parse_networks(value) if isinstance(value, str) else value

    @field_validator("hosts", mode="before")
    @classmethod
    def _read_hosts(cls, value: object) -> object:
        """Read host names separated by commas; raises ValueError for an invalid one."""
        return parse_hosts(value) if isinstance(value, str) else value

    @property
    def database_url(self) -> str:
        """URL of the database."""
        return self.database or f"sqlite:///{self.data / 'server.db'}"

    @property
    def photos_url(self) -> str:
        """URL or folder of the photos."""
        return self.photos or str(self.data / "photos")


def format_settings_table() -> str:
    """Format all settings as a Markdown table, as in docs/settings.md."""
    rows = ["| variable | default | what it sets |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "" if name in _OF_THE_MACHINE else _format_default(field.get_default())
        rows.append(f"| `{PREFIX}{name.upper()}` | {default} | {field.description} |")
    return "\n".join(rows) + "\n"


def _format_default(default: object) -> str:
    """Format a default for the table; an empty default stays empty."""
    return f"{default:g}" if isinstance(default, int | float) else str(default or "")


if __name__ == "__main__":
    print(format_settings_table(), end="")
