# Everything for people: `make run` and `make test` need only python3 (3.11+) and make.

PYTHON ?= python3
VENV_PYTHON := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup run test lint fmt types layers bench lock clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: ## .venv with everything pinned; does nothing if that is done
	@$(PYTHON) requirements/install.py

run: setup ## the whole site with a demo quiz, until Ctrl-C; PORT=8000, ARGS="--no-demo"
	@exec $(VENV_PYTHON) manage.py up $(ARGS)

test: setup ## all tests, on real PostgreSQL and Redis; ARGS="-k packing"
	@exec $(VENV_PYTHON) -m pytest $(ARGS)

lint: setup ## ruff: rules and format
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .

fmt: setup ## ruff: repair what it can
	$(VENV_PYTHON) -m ruff check --fix .
	$(VENV_PYTHON) -m ruff format .

types: setup ## mypy, strict
	$(VENV_PYTHON) -m mypy

layers: setup ## who may import whom
	PYTHONPATH=. .venv/bin/lint-imports

bench: setup ## the benchmarks: a table, and JSON in benchmarks/results/
	@exec $(VENV_PYTHON) -m benchmarks $(ARGS)

lock: ## compile pyproject.toml to requirements/*.txt (needs uv); UPGRADE=--upgrade
	uv pip compile pyproject.toml $(UPGRADE) --quiet --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --output-file requirements/base.txt
	uv pip compile pyproject.toml $(UPGRADE) --group dev --quiet --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --output-file requirements/dev.txt

clean: ## caches and the embedded data; not .venv
	rm -rf .data .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
