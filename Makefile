# demo and test set everything up; they need Python 3.11 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
FUZZ ?= 10000
PROCESSES ?= auto

.PHONY: demo test test-adapters setup engines check docs docs-pictures fuzz bench bench-accuracy pipelines vectors comparator support release-check clean

demo: $(VENV)/.ready-demo
	$(BIN)/klopt demo --format table

# Keep compiled modules, even if the environment says otherwise: each process would compile them again.
test: $(VENV)/.ready-dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder $(if $(CI),,-m "not slow")

# Tests each adapter with its package, in its own environment in the cache folder; writes
# docs/how-to/adapters.md. Half an hour on two cores, 8 GB.
test-adapters: $(VENV)/.ready-dev
	$(BIN)/python -m tests.integrations.environments $(ADAPTERS)

setup: $(VENV)/.ready-dev

# Spark, Ray and data frame libraries, for tests that are skipped without: 1 GB. Spark needs Java.
engines: | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,engines]'

check: $(VENV)/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest --doctest-modules --doctest-ignore-import-errors klopt -q

# Builds the site in site/, without a network.
docs: $(VENV)/.ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Makes the pictures of the site with Chromium.
docs-pictures: $(VENV)/.ready-dev
	$(BIN)/python docs/explained.py
	$(BIN)/python -m tests.docs.pictures

# Different inputs each time; make fuzz FUZZ=100000 draws more.
fuzz: $(VENV)/.ready-dev
	KLOPT_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/fuzz tests/server/test_fuzzed.py -q --hypothesis-show-statistics

bench: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks --data $(DATA)

# Writes the figures into docs/accuracy.md and docs/how-to/second-opinions.md.
bench-accuracy: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks.accuracy --data $(DATA)
	$(BIN)/python -m benchmarks.opinions --data $(DATA)
	$(BIN)/python -m benchmarks.reference --data $(DATA)
	$(BIN)/python -m benchmarks.learning --data $(DATA)
	$(BIN)/python -m benchmarks.claims --data $(DATA)
	$(BIN)/python -m benchmarks.retrieval --data $(DATA)
	$(BIN)/python -m docs.figures

# Train the comparator of claims and passages. Word vectors: twelve minutes on one core; networks and
# weights: less than an hour on two.
vectors: $(VENV)/.ready-training
	$(BIN)/python -m training.vectors --data $(DATA)

comparator: $(VENV)/.ready-training
	$(BIN)/python -m training.comparator --data $(DATA)
	$(BIN)/python -m training.families --data $(DATA)

# Fits the weights of claims, the default profile and the calibration of its scores to labelled answers;
# twelve minutes on one core.
support: $(VENV)/.ready-dev
	$(BIN)/python -m training.support --data $(DATA)
	$(BIN)/python -m training.profile --data $(DATA)
	$(BIN)/python -m training.calibration --data $(DATA)

# Checks whether a release could be published: dist/, metadata, each installed Python, breaking changes.
release-check: $(VENV)-release/.ready
	$(VENV)-release/bin/python -m tests.release.check

# Trains the bundled spaCy pipelines from CoNLL-U files; two hours on one core.
pipelines: $(VENV)/.ready-dev
	$(BIN)/python -m training.pipelines --treebanks $(DATA)/treebanks --output klopt/text/pipelines

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready-demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all]'
	touch $@

$(VENV)/.ready-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.ready-demo

$(VENV)/.ready-docs: pyproject.toml $(VENV)/.ready-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,docs]'
	touch $@

$(VENV)-release/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)-release
	$(VENV)-release/bin/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	touch $@

$(VENV)/.ready-training: pyproject.toml $(VENV)/.ready-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,training]'
	touch $@

clean:
	rm -rf build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
