# The verbs of this project. Each sets up what it needs in .venv first, and once only; all of them
# want nothing but Python 3.11 or newer, git, make and, for setup-models, a C++ compiler and cmake.

# Python 3.11, else the next newer one there is; choose yourself with `make PYTHON=python3.13`.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; \
	done)

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# pytest's worker processes: one for each processor.
JOBS ?= auto
# More for pytest: make test ARGS="-k hover"
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-models demo test vscode lint format types schema check bench peers manual clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## A virtual environment in .venv with the package and its tools

# Done once; again when the dependencies change.
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "datasheet-lsp needs Python 3.11 or newer; none was found" >&2; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

# Embedder and language model, for the parts that use them. llama.cpp is built portably: a build
# for the host's own processor can crash on machines with matrix extensions. pip keeps what was
# built for the next time, and brings cmake where there is none.
setup-models: $(READY) ## Adds the embedder and the language model (a build of several minutes)
	@command -v "$(CXX)" >/dev/null || { echo "llama.cpp is built from source and needs a C++ \
	compiler: install g++ (Debian, Ubuntu: apt install g++ cmake ninja-build) or name one with \
	make CXX=..." >&2; exit 1; }
	CMAKE_ARGS="-DGGML_NATIVE=OFF" $(BIN)/python -m pip install --disable-pip-version-check \
		-c constraints.txt -e '.[dev,embed,llm,demo,demo-llm]'

demo: $(READY) ## What an editor shows in the demo firmware
	@$(BIN)/python data/demo/tour.py

test: $(READY) vscode ## All tests
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)
	@if test -d clients/vscode/node_modules; then \
		npm --prefix clients/vscode run --silent types && npm --prefix clients/vscode run --silent test; \
	else echo "the VS Code extension was not tested: it needs npm"; fi

# The extension's tools, where npm is there.
vscode: clients/vscode/node_modules/.ready ## Builds the VS Code extension

clients/vscode/node_modules/.ready: clients/vscode/package.json clients/vscode/package-lock.json
	@if command -v npm >/dev/null; then \
		cd clients/vscode && npm ci --silent --ignore-scripts && npm run --silent build && touch node_modules/.ready; \
	else echo "the VS Code extension was not built: it needs npm"; fi

lint: $(READY) ## Style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY) ## Puts the code into the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY) ## Static types
	$(BIN)/mypy

schema: $(READY) ## Checks that the shipped schema of datasheet.toml is what the code says
	$(BIN)/python -m pytest -n 0 -p no:cacheprovider tests/test_project.py -k schema

check: lint types test ## All that a change must pass

bench: $(READY) ## Measures reading SVD files and the server
	$(BIN)/datasheet-lsp bench svd
	$(BIN)/datasheet-lsp bench server

# Other readers of SVD files, to compare with in tests and benchmarks. One of them wants Python 3.12.
PEERS := cmsis-svd==0.6 packaging==26.4 svd2py==2.0.0 svdsuite==0.2.2
PEER_PYTHON ?= $(shell for p in python3.12 python3.13 python3.14 python3 \
	$(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/3.1[2-9]*/bin/python3); do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo "$$p" && break; \
	done)
peers: .venv-peers/.ready ## Other SVD readers in .venv-peers, to compare with

.venv-peers/.ready: Makefile
	@test -n "$(PEER_PYTHON)" || { echo "the peers need Python 3.12 or newer; none was found" >&2; exit 1; }
	@test -x .venv-peers/bin/python || "$(PEER_PYTHON)" -m venv .venv-peers
	@echo '*' > .venv-peers/.gitignore
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check $(PEERS)
	@touch $@

manual: $(READY) ## Makes the demo manual's PDF anew from its source
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[manual]'
	$(BIN)/python data/demo/manual/build.py

clean: ## Removes the virtual environment and what the tools left
	rm -rf $(VENV) .venv-peers .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
