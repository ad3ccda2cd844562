# Everything runs in .venv, made here by `make setup` with python3.
# Another interpreter: make PYTHON=python3.12 setup
PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help setup services web play check pages warm quick test looks test-installs bench screenshots docs clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.setup ## create .venv with the project and its development tools

services: ## install PostgreSQL, Redis, nginx, Chromium, tmux, zsh and fish, for the tests that need them, where that is allowed
	@sh tests/server/services.sh

web: $(VENV)/.room ## build the browser's pages into the package
	@$(BIN)/python web/build.py

play: web ## open the game room in the browser; e.g. make play ARGS="--host 0.0.0.0" for phones nearby
	@$(BIN)/ludotheque serve --open $(ARGS)

check: setup ## lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pages: web ## lint, types and tests of the browser's pages
	$(BIN)/python web/build.py test

warm: setup ## compile all games ahead
	$(BIN)/ludotheque warm

quick: setup check ## check, then the tests that take little time
	$(PYTEST) -m "not slow" --ignore tests/web/browser

test: setup services web ## check, then every test, on compiled and on interpreted rules
	@$(MAKE) --no-print-directory -j 2 warm check pages
	$(BIN)/python -m ludotheque.testing
	$(PYTEST) --ignore tests/server --ignore tests/web/browser -m "not big_install"
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/server
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not looks" tests/web/browser
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/games tests/core

looks: setup services web ## measure every table at ten sizes: nothing hidden, enough contrast, targets for fingers
	$(BIN)/python -m pytest -n 2 -m looks tests/web/browser

test-installs: setup services web ## install every extra into a fresh environment and use it there
	$(BIN)/python -m pytest -n 2 tests/installs

bench: $(VENV)/.bench ## measure the engine against its peers
	$(BIN)/python -m benchmarks.engine $(ARGS)

screenshots: web ## contact sheets of the games in ten sizes, and the documents' pictures, into docs/images
	$(BIN)/python -m tests.web.screenshots $(ARGS)

docs: $(VENV)/.docs ## build the documentation site into build/site
	NUMBA_DISABLE_JIT=1 NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "Open build/site/index.html"

clean: ## remove .venv, builds and caches
	rm -rf $(VENV) build dist web/node_modules src/ludotheque/server/page .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

# What each kind of work needs beside the games themselves. All of it includes the room.
$(VENV)/.room: EXTRAS := server,tui
$(VENV)/.setup: EXTRAS := dev
$(VENV)/.bench: EXTRAS := dev,bench
$(VENV)/.docs: EXTRAS := docs

# An environment that still works is kept; one that is broken or half made is made again.
$(VENV)/.room $(VENV)/.setup $(VENV)/.bench $(VENV)/.docs: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "$(PYTHON) is missing or older than 3.11: install Python 3.11 or later, or name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 || \
		{ echo "$(PYTHON) -m venv failed: install its venv and pip modules (Debian, Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo "Installing into $(VENV) (once)"
	@$(PIP) --editable '.[$(EXTRAS)]'
	@touch $(VENV)/.room $@
