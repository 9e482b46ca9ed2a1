# Shadow Time: `make book` builds the book and serves it; `make help` lists the rest.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
LOGS ?= $(SHADOWTIME_TRACES)

BIN := .venv/bin
HTML := _build/html
NPM := $(shell command -v npm)
CHAPTERS = $(wildcard book/*.ipynb)
SOLUTIONS = $(wildcard solutions/*.ipynb)
# Runs every cell; compares the outputs of those that are tagged nbval-check-output.
NBVAL = $(BIN)/pytest --nbval-lax --nbval-current-env --nbval-sanitize-with tests/book/sanitize.cfg

# Stamps: a second run installs nothing unless the files on the right of the colon changed.
INSTALLED := .venv/.installed
INSTALLED_DEV := .venv/.installed-dev
# Without npm the book takes Python and MathJax from their public addresses instead.
NODE_MODULES := $(if $(NPM),node_modules/.package-lock.json)

.DEFAULT_GOAL := help
.PHONY: help book html serve test exercises study lint clean

help: ## Say what can be made
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

book: html ## Build the book and serve it on localhost (PORT=8000)
	@$(MAKE) --no-print-directory serve

html: $(INSTALLED) $(NODE_MODULES) ## Build the book into _build/html
	$(BIN)/jupyter-book build . -W --keep-going $(BUILD)

serve: ## Serve the built book on localhost (PORT=8000)
	@test -f $(HTML)/index.html || { echo "There is no book yet: make html"; exit 1; }
	@echo "The book is at http://localhost:$(PORT)/ (Ctrl-C stops)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory $(HTML) >/dev/null 2>&1 \
	    || { echo "Port $(PORT) is not free: make serve PORT=8001"; exit 1; }

test: $(INSTALLED_DEV) $(NODE_MODULES) ## Run all tests: units, examples in docstrings, notebooks, the built book
	$(BIN)/pytest --ignore=tests/browser
	$(NBVAL) $(CHAPTERS) $(SOLUTIONS)
	$(if $(CI),env -u SHADOWTIME_TRACES $(NBVAL) $(CHAPTERS)) # from the records, without the logs
	@$(MAKE) --no-print-directory html BUILD=--all # also the pages that did not change
	SHADOWTIME_BOOK_HTML=$(CURDIR)/$(HTML) $(BIN)/pytest tests/browser

exercises: $(INSTALLED_DEV) ## Make the student notebooks from solutions/
	$(BIN)/python tools/release_exercises.py

study: $(INSTALLED) ## Do the study of runtime prediction on public logs anew (an hour; chapter 4 reads it)
	$(BIN)/python benchmarks/study.py
	$(BIN)/python benchmarks/study.py mira-2018-1 mira-2018-2 mira-2018-3 --window-days 5 --min-jobs 40 \
	    --out book/records/study-mira

benchmarks: $(INSTALLED_DEV) html ## Measure speeds for the book (LOGS=folder of the archive's logs)
	$(BIN)/python -m benchmarks $(LOGS) --html $(HTML) --record book/records/benchmarks.json

lint: $(INSTALLED_DEV) ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean: ## Remove what was built (the environment stays)
	rm -rf _build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .jupyter_cache

$(BIN)/python:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Shadow Time needs Python 3.11 or later: make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv .venv

$(INSTALLED): requirements.txt pyproject.toml | $(BIN)/python
	@echo "Installing into .venv, once; this takes a few minutes"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(INSTALLED_DEV): requirements-dev.txt $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

node_modules/.package-lock.json: package-lock.json
	$(NPM) ci --no-audit --no-fund
	@touch $@
