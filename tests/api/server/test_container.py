"""The commands of Containerfile and compose.yaml are run here: each of their hosts is this machine."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from json import loads
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import yaml
from compose_spec import PyCompose

from api.server.settings import PREFIX, Settings
from datasets.benchmark.serving import find_free_port
from tests.api.serving import LEVEL, photo_form, until

ROOT = Path(__file__).parents[3]
POSTGRESQL = os.environ.get("WONDERTALLY_TEST_POSTGRESQL")
PYTHON_IMAGE = os.environ.get("WONDERTALLY_TEST_PYTHON_IMAGE")
"""An image with Python that buildah has already: on Debian `debootstrap --include=python3,python3-venv,make` makes its
root, and `buildah from scratch`, `buildah add` and `buildah commit` the image."""
NO_BUILDER = "buildah is not installed, or WONDERTALLY_TEST_PYTHON_IMAGE names no image to build on"
HOSTS = re.compile(r"\b(0\.0\.0\.0|scheduler(?=:))")
START_SECONDS = 240
IMAGE = re.compile(r"[a-z][a-z0-9-]*(:[a-z0-9.-]+)?(@sha256:[0-9a-f]{64})?")
CHOICE = re.compile(r"\$\{([A-Z_]+):-([^}]+)\}")
"""A variable of the file .env with its value."""
WANTED = re.compile(r"\$\{([A-Z_]+):\?[^}]+\}")
"""A required one without a value."""


@cache
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8")))


@cache
def container() -> tuple[tuple[str, str], ...]:
    """Return the Containerfile's instructions and the arguments of each."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line.strip() for line in text.splitlines())
    return tuple((line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line and line[0] != "#")


def said(instruction: str) -> list[str]:
    return [rest for name, rest in container() if name == instruction]


def here(command: list[str], ports: dict[str, int]) -> list[str]:
    """Return a command of a container as it runs on this machine alone."""
    words = []
    for word in command:
        word = HOSTS.sub("127.0.0.1", word)
        for inside, outside in ports.items():
            word = re.sub(rf"\b{inside}\b", str(outside), word)
        words.append(word)
    return words


def surroundings(**settings: str) -> dict[str, str]:
    """Return an environment whose programs are found like those of the image."""
    return {**os.environ, **settings, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def check_of(service: str) -> list[str]:
    """Return the command of a service's health check."""
    kind, *command = compose()["services"][service]["healthcheck"]["test"]
    assert kind == "CMD"
    return [str(word) for word in command]


def passes(check: list[str], ports: dict[str, int]) -> bool:
    done = subprocess.run(here(check, ports), env=surroundings(), capture_output=True, timeout=60, check=False)
    return done.returncode == 0


@contextmanager
def going(service: str, ports: dict[str, int], log: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a service by its own command; its health check passes then, and not before."""
    check, command = check_of(service), compose()["services"][service]["command"]
    assert not passes(check, ports)
    with (
        log.open("wb") as output,
        subprocess.Popen(
            here([str(word) for word in command], ports), env=surroundings(**settings), stdout=output, stderr=output
        ) as process,
    ):
        try:
            ended = time.monotonic() + START_SECONDS
            while not passes(check, ports):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < ended, log.read_text()
                time.sleep(0.2)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def settings_named() -> dict[str, str]:
    """Return all variables of ours that the two files set."""
    of_image = (word.split("=", 1) for line in said("ENV") for word in shlex.split(line))
    of_services = (service.get("environment", {}) for service in compose()["services"].values())
    named = {name: value for name, value in of_image if name.startswith(PREFIX)}
    for environment in of_services:
        named |= {name: str(value) for name, value in environment.items() if name.startswith(PREFIX)}
    return named


def test_every_variable_is_a_valid_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    named = settings_named()
    assert len(named) >= 4
    for name, value in named.items():
        assert name.removeprefix(PREFIX).lower() in Settings.model_fields, name
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert settings.log_format == "json"
    grace = compose()["services"]["app"]["stop_grace_period"]
    assert settings.stop_seconds + 20 <= int(grace.removesuffix("s")), "a stop is not cut off"


def fill_in(**chosen: str) -> str:
    """Return compose.yaml with the values of .env: merged, and without variables."""
    text = yaml.safe_dump(compose())
    assert {name for name, _ in CHOICE.findall(text)} | {*WANTED.findall(text)} == {*chosen}
    return WANTED.sub(lambda match: chosen[match[1]], CHOICE.sub(lambda match: chosen[match[1]], text))


DIGEST = f"@sha256:{'0' * 64}"
ENV_FILE = {
    "POSTGRES_PASSWORD": "a word",
    "PYTHON_IMAGE": f"python{DIGEST}",
    "POSTGRES_IMAGE": f"postgres{DIGEST}",
}


def test_the_services_obey_the_compose_specification() -> None:
    spec = PyCompose.from_yaml(fill_in(**ENV_FILE))
    spec.validate()
    assert {*spec.service_names()} == compose()["services"].keys()


def test_images_are_named_without_a_host_and_run_unprivileged() -> None:
    (argument,) = said("ARG")
    name, _, image = argument.partition("=")
    assert [line.split()[0] for line in said("FROM")] == [f"${name}"] * 2
    assert compose()["services"]["app"]["build"]["args"] == {name: f"${{{name}:-{image}}}"}
    images = [image, *(CHOICE.sub(r"\2", service["image"]) for service in compose()["services"].values())]
    assert all(IMAGE.fullmatch(image) for image in images), images
    assert {IMAGE.fullmatch(f"{image}@sha256:{'0' * 64}") is not None for image in images} == {True}
    last = max(place for place, (name, _) in enumerate(container()) if name == "FROM")
    users = [rest for name, rest in container()[last:] if name == "USER"]
    assert users == ["wondertally"]


def test_the_copied_files_exist_and_suffice_to_run() -> None:
    copied = [shlex.split(line)[:-1] for line in said("COPY") if not line.startswith("--from")]
    names = {name for names in copied for name in names}
    assert all((ROOT / name).exists() for name in names)
    assert {"api", "models", "scoring", "vision"} <= names
    assert not {"datasets", "tests"} & names


def steps(target: str) -> str:
    """Return the steps of make for a target if nothing was made before."""
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", target]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_image_installs_the_hashed_packages_of_make_install() -> None:
    assert "make install" in said("RUN")
    commands = steps("install")
    assert "--require-hashes --requirements requirements.lock" in commands
    assert "--require-hashes -r requirements.lock" in commands
    assert not re.search(r"(-r|--requirements) requirements-dev.lock", commands)
    assert commands.strip() in steps("demo")


def test_services_wait_for_their_dependencies_and_have_health_checks() -> None:
    services = compose()["services"]
    for name, service in services.items():
        check = service["healthcheck"]
        assert check.get("disable") or check["test"][0] == "CMD", name
        for other, how in service.get("depends_on", {}).items():
            ends = services[other]["healthcheck"].get("disable", False)
            assert how == {"condition": "service_completed_successfully" if ends else "service_healthy"}
    volumes = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert set(compose()["volumes"]) == {volume for volume in volumes if not volume.startswith(".")}


def test_services_have_minimal_rights() -> None:
    capabilities = {}
    for name, service in compose()["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "/tmp" in service["tmpfs"], name
        assert not service.get("privileged"), name
        capabilities[name] = set(service.get("cap_add", ()))
    assert {name for name, added in capabilities.items() if added} == {"database", "results"}
    assert capabilities["results"] == {"CHOWN"}
    assert [name for name, service in compose()["services"].items() if "ports" in service] == ["app"]
    assert all(port.startswith("127.0.0.1:") for port in compose()["services"]["app"]["ports"])


def test_services_reach_only_the_networks_they_need() -> None:
    networks, services = compose()["networks"], compose()["services"]
    assert {name for name, network in networks.items() if (network or {}).get("internal")} == {"database", "dask"}
    members = {
        network: {name for name, service in services.items() if network in service.get("networks", ())}
        for network in networks
    }
    assert members["database"] == {"app", "database"}
    assert members["dask"] == {"scheduler", "worker", "batch"}
    assert members["outside"] == {"app"}
    assert services["results"]["network_mode"] == "none"


def test_results_belong_to_the_user_who_writes_them() -> None:
    (uid,) = (words[words.index("--uid") + 1] for line in said("RUN") if "--uid" in (words := shlex.split(line)))
    results, batch = (compose()["services"][name] for name in ("results", "batch"))
    assert results["command"][:2] == ["chown", f"{uid}:{uid}"]
    assert results["user"] == "root"
    assert results["volumes"] == ["./results:/results"]
    assert set(results["volumes"]) < set(batch["volumes"])
    assert "user" not in batch


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root, and setpriv")
def test_a_transferred_folder_is_writable_only_by_its_user(tmp_path: Path) -> None:
    """It is the service's own command, with its one capability and no other, as in a container."""
    tmp_path.chmod(0o755)
    folder = tmp_path / "results"
    folder.mkdir(mode=0o755)
    tmp_path.parent.chmod(0o755)
    command = [{"/results": str(folder)}.get(word, word) for word in compose()["services"]["results"]["command"]]
    bounded = ["setpriv", "--bounding-set=-all,+chown", "--inh-caps=-all", "--no-new-privs"]
    subprocess.run([*bounded, *command], check=True)
    uid = int(compose()["services"]["results"]["command"][1].split(":")[0])
    assert (folder.stat().st_uid, folder.stat().st_mode & 0o777) == (uid, 0o755)
    assert folder.stat().st_uid != os.geteuid()


@pytest.mark.soak
def test_the_app_runs_by_its_command_and_its_checks_report_its_health(tmp_path: Path) -> None:
    """The settings are those of the files, except the places; on PostgreSQL if a server of it is available."""
    assert loads(said("CMD")[0]) == compose()["services"]["app"]["command"]
    ports = {"8000": find_free_port()}
    settings = {**settings_named(), "WONDERTALLY_DATA": str(tmp_path), "WONDERTALLY_DATABASE": POSTGRESQL or ""}
    of_image = loads(said("HEALTHCHECK")[0].split("CMD", 1)[1])
    log = tmp_path / "log"
    with going("app", ports, log, **settings) as process:
        assert passes(of_image, ports)
        process.terminate()
        assert process.wait(60) == 0
    assert not passes(of_image, ports)
    lines = [loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert "stopping" in {line["event"] for line in lines}


def buildah(*words: str, seconds: float = 1800.0) -> str:
    """Run a command of buildah, without a daemon, and in no namespaces but a folder of its own."""
    environment = {"STORAGE_DRIVER": "vfs", **os.environ, "BUILDAH_ISOLATION": "chroot"}
    done = subprocess.run(["buildah", *words], env=environment, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, (words, done.stderr[-3000:])
    return done.stdout.strip()


@pytest.fixture
def built() -> Iterator[str]:
    """Return a container of an image that was built just now."""
    words = ["--format", "docker", "--pull-never", "--build-arg", f"PYTHON_IMAGE={PYTHON_IMAGE}"]
    buildah("build", *words, "--file", str(ROOT / "Containerfile"), "--tag", "wondertally-test", str(ROOT))
    name = buildah("from", "--pull-never", "localhost/wondertally-test")
    yield name
    buildah("rm", name)
    buildah("rmi", "localhost/wondertally-test")


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("buildah") is None or PYTHON_IMAGE is None, reason=NO_BUILDER)
def test_the_image_is_built_starts_and_reads_a_photo(built: str, tmp_path: Path) -> None:
    assert "(wondertally)" in buildah("run", built, "--", "id").split()[0]
    port, command = find_free_port(), loads(said("CMD")[0])
    words = here(command, {"8000": port})
    environment = {"STORAGE_DRIVER": "vfs", **os.environ, "BUILDAH_ISOLATION": "chroot"}
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(
            ["buildah", "run", built, "--", *words], env=environment, stdout=log, stderr=log, start_new_session=True
        ) as server,
    ):
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
                until(lambda: is_well(client), START_SECONDS)
                answer = client.post("/v1/readings", **photo_form(LEVEL.read_bytes()))
                assert answer.status_code == 201, answer.text
                assert answer.json()["report"]["board"]["tiles"]
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(60)


def is_well(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.skipif(POSTGRESQL is None, reason="WONDERTALLY_TEST_POSTGRESQL names no server")
def test_the_databases_check_reports_whether_it_listens() -> None:
    from sqlalchemy import make_url

    where = make_url(str(POSTGRESQL))
    port = int(where.port or 5432)
    host = str(where.host or where.query.get("host") or "127.0.0.1")
    check = [host if word == "127.0.0.1" else word for word in check_of("database")]
    assert passes(check, {"5432": port})
    assert not passes(check_of("database"), {"5432": find_free_port()})


@pytest.mark.soak
def test_a_batch_is_read_by_a_worker_of_the_scheduler(tmp_path: Path) -> None:
    ports = {"8786": find_free_port(), "8787": find_free_port(), "8788": find_free_port()}
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "table.jpg").write_bytes(LEVEL.read_bytes())
    batch = [str(word) for word in compose()["services"]["batch"]["command"]]
    batch = [{"/photos": str(photos), "/results": str(tmp_path / "results")}.get(word, word) for word in batch]
    scheduler, worker = (
        going(service, ports, tmp_path / f"{service}.log", **compose()["services"][service]["environment"])
        for service in ("scheduler", "worker")
    )
    with scheduler, worker:
        done = subprocess.run(here(batch, ports), env=surroundings(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (line,) = (tmp_path / "results" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert loads(line)["scores"]["final_scoring"]
