# One command runs the game (make run), one passes the tests (make test). Both set up .venv by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-$(shell cksum pyproject.toml constraints.txt | cksum | cut -d' ' -f1)

.DEFAULT_GOAL := install
.PHONY: install run test lint types clean train-env

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Pilewatch needs Python 3.11 or later; make PYTHON=python3.12 names another one.") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "This Python cannot make a virtual environment: install the package python3-venv."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@rm -f $(VENV)/.installed-* && touch $@

run: install
	@$(BIN)/pilewatch run

test: lint types
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: install
	$(BIN)/ruff check .

types: install
	$(BIN)/mypy

train-env: # torch and ultralytics, several GB, only to train the nets again
	test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --constraint constraints.txt --editable '.[train]'

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
