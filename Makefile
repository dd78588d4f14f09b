PYTHON ?= python3
# Not to be named from outside: what is installed goes into this folder and nowhere else.
override VENV := .venv
override BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv installs in a tenth of pip's time; where it is not there (in the container, say) or finds no package, pip does it.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
# A lock file names all that is installed; what some package asks for and nobody imports is in none (see lock).
install_lock = $(UV) --no-deps --require-hashes --requirements $(1) 2>/dev/null || \
	$(PIP) --no-compile --no-deps --require-hashes -r $(1)
# All cores compile bytecode, ours too, but not the packages' own tests, nor packages of which a run loads little; what a
# package has for another Python stays as it is.
COMPILE_PACKAGES := $(BIN)/python -m compileall -q -j 0 -x '/(tests|moto|mypy|mypyc|pip|setuptools|lexers)/' \
	$(VENV)/lib api datasets models scoring vision >/dev/null 2>&1 || true
PHOTO ?= datasets/examples/table.jpg
.DEFAULT_GOAL := demo

.PHONY: help demo install test test-all lint format lock sbom clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/run.stamp ## Score the example photo (or PHOTO=...): table, report and annotated photo under demo/
	@mkdir -p demo
	$(BIN)/wondertally score $(PHOTO) --json demo/report.json --annotated demo/annotated.jpg

install: $(VENV)/run.stamp ## Install what running needs, as the container does (PostgreSQL and S3 too)

# Tests start hundreds of processes, which would all compile the same where bytecode may not be kept, and many wait for
# them: on two cores two more workers have something to do meanwhile. In the order of the folders the long files come first.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder

test: $(VENV)/dev.stamp $(VENV)/client.stamp ## Run the tests, but for the variants that take their while (soak)
	$(PYTEST) -m "not soak"

test-all: $(VENV)/dev.stamp $(VENV)/client.stamp ## Run all tests, and more of each property's examples, as before a release
	$(PYTEST) --hypothesis-profile thorough

lint: $(VENV)/dev.stamp ## Check style, layout and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if test -x node_modules/.bin/tsc || npm ci --silent 2>/dev/null; then \
		$(BIN)/python -m tests.api.page.api_schemas && npm run --silent check; \
		else echo "The page's modules are not checked: npm is missing, or installs nothing here" >&2; fi

format: $(VENV)/dev.stamp ## Lay the code out
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@test ! -x node_modules/.bin/biome || npm run --silent format

# OR-tools asks for pandas, for functions that we do not load.
UNUSED := pandas
COMPILE_ALONE := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/python -m piptools compile --quiet --generate-hashes \
	--allow-unsafe --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
COMPILE := $(COMPILE_ALONE) --build-deps-for editable

lock: $(VENV)/dev.stamp ## Write all lock files anew; PIP_TOOLS=--upgrade takes the newest versions
	$(COMPILE) $(PIP_TOOLS) --extra cluster --extra postgresql --extra s3 --output-file requirements.lock pyproject.toml
	$(COMPILE) $(PIP_TOOLS) --extra dev --extra cluster --extra postgresql --extra s3 --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	$(COMPILE_ALONE) $(PIP_TOOLS) --output-file requirements-client.lock requirements-client.in
	for lock in requirements.lock requirements-dev.lock; do \
		awk '/^[a-z0-9]/ { left_out = /^($(UNUSED))==/ } !left_out' $$lock >$$lock.part && mv $$lock.part $$lock; done

SBOM ?= build/wondertally.cdx.json
sbom: $(VENV)/dev.stamp ## Write what running needs as an SBOM (CycloneDX) to build/, and its licences to docs/licences.md
	@mkdir -p $(dir $(SBOM))
	PYTHONWARNINGS=ignore $(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml \
		--mc-type application --output-reproducible --output-file $(SBOM)
	$(BIN)/python -m datasets.licences >docs/licences.md.part && mv docs/licences.md.part docs/licences.md

clean: ## Remove what make made
	rm -rf $(VENV) demo build node_modules *.egg-info

$(VENV)/run.stamp: $(VENV)/made.stamp requirements.lock pyproject.toml
	@echo "Installing what reading needs (once; a minute or two) ..."
	@$(call install_lock,requirements.lock)
	@$(COMPILE_PACKAGES)
	PYTHONWARNINGS=ignore $(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/made.stamp requirements-dev.lock pyproject.toml
	@echo "Installing what reading and testing need (once; a minute or two) ..."
	@$(call install_lock,requirements-dev.lock)
	@$(COMPILE_PACKAGES)
	PYTHONWARNINGS=ignore $(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# A test makes a client of the API with it. It has an environment of its own, since it takes an older typer than we do.
$(VENV)/client.stamp: $(VENV)/made.stamp requirements-client.lock
	@{ $(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/client && $(BIN)/uv pip install --quiet \
		--python $(VENV)/client/bin/python --require-hashes --requirements requirements-client.lock; } 2>/dev/null || \
		{ $(PYTHON) -m venv --clear $(VENV)/client && \
		$(VENV)/client/bin/python -m pip install --quiet --require-hashes -r requirements-client.lock; }
	@touch $@

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Wondertally needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@awk '/^[a-z]/ { wanted = /^uv==/ } wanted' requirements-dev.lock >$(VENV)/uv.lock 2>/dev/null && \
		$(PIP) --require-hashes -r $(VENV)/uv.lock 2>/dev/null || true
	@touch $@
