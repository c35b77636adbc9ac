# demo and test set everything up on a machine that has Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
FUZZ ?= 10000
PROCESSES ?= auto

.PHONY: demo test test-adapters setup engines check docs docs-pictures fuzz bench bench-encoders bench-accuracy bench-reference bench-translation pipelines vectors comparator embedder patterns profile release-check clean

demo: $(VENV)/.ready-demo
	$(BIN)/klopt demo --format table

# Compiled modules are kept, also where the environment says otherwise: each process would make them anew.
test: $(VENV)/.ready-dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder $(if $(CI),,-m "not slow")

# Each adapter with its package, in an environment of its own in the cache folder; writes
# docs/adapters.md. Half an hour on two cores, and 8 GB.
test-adapters: $(VENV)/.ready-dev
	$(BIN)/python -m tests.adapters.environments $(ADAPTERS)

setup: $(VENV)/.ready-dev

# Spark, Ray and libraries of tables, for the tests that are skipped without: 1 GB. Spark needs Java.
engines: | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,engines]'

check: $(VENV)/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest --doctest-modules --doctest-ignore-import-errors klopt -q

# The site, in site/: no network is used, and none is needed to read it.
docs: $(VENV)/.ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The pictures of the site, anew, by a Chromium on this machine.
docs-pictures: $(VENV)/.ready-dev
	$(BIN)/python docs/explained.py
	$(BIN)/python -m tests.docs.pictures

# Other inputs each time; make fuzz FUZZ=100000 draws more.
fuzz: $(VENV)/.ready-dev
	KLOPT_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/fuzz tests/server/test_fuzzed.py -q --hypothesis-show-statistics

bench: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks --data $(DATA)

# Beside encoders: one that is asked for opinions, and a detector of ModernBERT-base's shape; downloads
# torch and transformers.
bench-encoders: $(VENV)/.ready-training
	$(BIN)/python -m benchmarks.encoders --data $(DATA)

bench-accuracy: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks.left_out --data $(DATA)
	$(BIN)/python -m benchmarks.learning --data $(DATA)
	$(BIN)/python -m benchmarks.claims --data $(DATA)
	$(BIN)/python -m benchmarks.pairs --data $(DATA)
	$(BIN)/python -m benchmarks.opinions --data $(DATA)
	$(BIN)/python -m benchmarks.retrieval --data $(DATA)

bench-reference: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks.reference --data $(DATA)

bench-translation: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks.translation --data $(DATA)

# What compares statements with passages. The spaces of words: about twelve minutes on one core; the
# networks, the weights of the families and the trees: under an hour on two.
vectors: $(VENV)/.ready-training
	$(BIN)/python -m training.vectors --data $(DATA)

# The encoder that finds pages by what they mean, from published weights; two minutes.
embedder: $(VENV)/.ready-training
	$(BIN)/python -m training.embedder --data $(DATA)

patterns: $(VENV)/.ready-dev
	$(BIN)/python -m training.patterns

comparator: $(VENV)/.ready-training
	$(BIN)/python -m training.comparator --data $(DATA)
	$(BIN)/python -m training.families --data $(DATA)
	$(BIN)/python -m training.statements --data $(DATA)

# Learns the default profile from the rated turns; about five minutes.
profile: $(VENV)/.ready-dev
	$(BIN)/python -m training.profile --data $(DATA)

# Whether this could be published: dist/, its metadata, each Python of this machine, what broke.
release-check: $(VENV)-release/.ready
	$(VENV)-release/bin/python -m tests.release.check

# Trains the bundled pipelines from CoNLL-U files; about two hours on one core.
pipelines: $(VENV)/.ready-dev
	$(BIN)/python -m training.pipelines --treebanks $(DATA)/treebanks --output klopt/pipelines

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
