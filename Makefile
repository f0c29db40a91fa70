# Everything runs in .venv, which is built from constraints.txt at the first call and again when that or pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The suites run side by side, one process for each backend. The first also runs what computes nothing with Keras.
BACKENDS ?= torch tensorflow jax
# Proofs that take minutes (marker `slow`) run under these only.
SLOW_BACKENDS ?= torch
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
# A pipe fails where its first command does.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
# Quiet TensorFlow, and JAX keeps what it compiled: many tests compile the same small models.
export TF_CPP_MIN_LOG_LEVEL ?= 3
export JAX_COMPILATION_CACHE_DIR ?= $(CURDIR)/$(VENV)/jax-cache
export JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS ?= 0
export JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES ?= -1
# Most of the tests' time under JAX is compiling; without these optimizations they take about half as long.
test: export XLA_FLAGS ?= --xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false \
  --xla_llvm_disable_expensive_passes=true
# Threads of processes side by side would wait for each other.
test: export OMP_NUM_THREADS ?= 1

.PHONY: help demo test lint format clean

help: ## Show what there is to make
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

demo: $(VENV)/demo.stamp ## Train a tiny classifier from raw text, and show its accuracy and pictures in demo/
	$(BIN)/python examples/classify_short_texts.py --output demo

test: $(VENV)/test.stamp lint ## Lint, types, the suite under each backend, and once the proofs that take minutes
	@$(MAKE) --no-print-directory --jobs=$(JOBS) $(BACKENDS:%=suite-%) $(SLOW_BACKENDS:%=proofs-%)

suite-%: $(VENV)/test.stamp
	@KERAS_BACKEND=$* $(BIN)/python -m pytest -q $(PYTEST) \
	  -m "not slow$(if $(filter $*,$(firstword $(BACKENDS))),, and not any_backend)" | sed -u "s/^/$*: /"

proofs-%: $(VENV)/test.stamp
	@KERAS_BACKEND=$* $(BIN)/python -m pytest -q -m slow | sed -u "s/^/proofs under $*: /"

lint: $(VENV)/test.stamp ## Lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/test.stamp ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("keras_albert needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[tensorflow]'
	touch $@

$(VENV)/test.stamp: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[tensorflow,jax,torch,dev]'
	touch $@

clean: ## Remove what the other targets made
	rm -rf $(VENV) demo build *.egg-info .pytest_cache .mypy_cache .ruff_cache
