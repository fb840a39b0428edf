# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
WORKERS ?= 2

.PHONY: run test programs soak lint types gallery drawings format try install update uninstall clean help

help:            ## what can be asked for
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

run: $(VENV)/.run  ## the daemon on a simulated table: its bench in a browser, nothing to configure
	@$(BIN)/cavale run --sim --open $(ARGS)

test: $(VENV)/.test lint types programs  ## lint, format, types and all tests
	$(BIN)/python -m pytest -n $(WORKERS)

# Where we may install it; the tests that need it are skipped elsewhere, and that is said.
# $(1): a program of the package; $(2): packages; $(3): what is not tested without them
define program
	@PATH="$$PATH:/usr/sbin"; install="apt-get install -qq -y --no-install-recommends $(2)"; \
	command -v $(1) >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  { timeout 240 $$install || { timeout 60 apt-get update -qq && timeout 240 $$install; }; } \
	    >/dev/null 2>&1; } || echo "*** NOT TESTED: $(3), without $(1) (apt install $(2))"
endef

programs:
	$(call program,mosquitto,mosquitto mosquitto-clients,MQTT against a broker)
	$(call program,systemd-analyze,systemd,the service's unit)
	$(call program,chromium,chromium,the pages in a browser)

soak: $(VENV)/.test  ## the long versions: playouts, fuzzing, fault matrices
	$(BIN)/python -m pytest -n $(WORKERS) -m soak

lint: $(VENV)/.test  ## ruff, checks and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test  ## mypy, strict
	$(BIN)/mypy

gallery: $(VENV)/.run  ## docs/gallery.md, from a simulated evening
	$(BIN)/python -m firmware_host.gallery docs

drawings: $(VENV)/.run  ## wiring/, from the tables; needs graphviz
	@$(BIN)/pip install --quiet --disable-pip-version-check "wireviz>=0.4,<1"
	$(BIN)/python wiring/make.py

format: $(VENV)/.test  ## put the format right
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Cavale needs Python 3.11 or newer; try: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is missing; on Debian: sudo apt install python3-venv"; exit 1; }

$(VENV)/.run: pyproject.toml | $(BIN)/python
	@echo "Setting up (once)…"
	@$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@echo "Setting up for tests (once)…"
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.run

try: $(VENV)/.test  ## on a Pi: every part of its table, with your help (docs/try-every-part.md)
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[pi]'
	$(BIN)/python -m pytest -m pi -v -p no:xdist hw_tests/pi

install:         ## on a Pi, with sudo: as a service; ARGS="--dry-run" only says what it would do
	@$(PYTHON) systemd/install.py install $(ARGS)

update:          ## on a Pi, with sudo: bring the service up to date with this checkout
	@$(PYTHON) systemd/install.py update $(ARGS)

uninstall:       ## on a Pi, with sudo: take the service off; games and table stay
	@$(PYTHON) systemd/install.py uninstall $(ARGS)

clean:           ## forget the virtual environment and caches
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
