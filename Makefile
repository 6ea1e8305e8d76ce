# The commands the README names. Needs Rust, Python 3.9 or newer with venv, a JDK, Maven and make; everything
# else is fetched into .tools.

SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
# The first of these that runs and can make environments, else the usual one: a version manager has commands for versions that are switched off.
first-python = $(shell for python in $(1) $(PYTHON); do if $$python -c 'import ensurepip, venv' 2>/dev/null; then command -v $$python; break; fi; done)
# Those too that pyenv has and nobody switched on.
pyenv-python = $(lastword $(sort $(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/$(1).*/bin/python3)))
# Pynguin writes its tests with this one.
PYTHON310 ?= $(call first-python,python3.10 $(call pyenv-python,3.10))
# The corpus was confirmed with this one.
PYTHON311 ?= $(call first-python,python3.11 $(call pyenv-python,3.11))
# Shrink Ray needs 3.12, and so does sys.monitoring.
PYTHON312 ?= $(call first-python,python3.14 python3.13 python3.12 $(foreach version,3.14 3.13 3.12,$(call pyenv-python,$(version))))

TOOLS := .tools
VENV := $(TOOLS)/venv
OLDEST := $(TOOLS)/venv-oldest
MONITORING := $(TOOLS)/venv-monitoring
# Builds wheels: maturin, and zig as a linker that knows old glibcs.
MATURIN := $(TOOLS)/venv-maturin
# Where the wheel is installed and used, with the plugins it has to get along with.
WHEEL := $(TOOLS)/venv-wheel
# Where cargo puts what it builds, whatever the user's settings are.
TARGET = $(shell cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
PARING = $(TARGET)/release/paring

export PARING_TEST_PYTHON := $(CURDIR)/$(VENV)/bin/python
export PARING_TEST_PYTHON_OLDEST := $(CURDIR)/$(OLDEST)/bin/python
export PARING_TEST_PYTHON_MONITORING := $(CURDIR)/$(MONITORING)/bin/python
export PARING_TEST_JARS := $(CURDIR)/$(TOOLS)/jars

.PHONY: help
help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name what; do printf '  make %-14s %s\n' "$$name" "$$what"; done

.PHONY: test
test: fmt clippy tests wheel-tests doctests ## all that must hold: format, lints, tests side by side, documents (CI runs this)

.PHONY: quick
quick: fmt clippy ## the part of it that needs neither a virtual environment nor a JVM, in under a minute once built
	.ci/tests.py --quick

.PHONY: fmt
fmt:
	cargo fmt --all --check

.PHONY: clippy
clippy:
	cargo clippy --workspace --all-targets --locked -- -D warnings

# Tidy and the direction of dependencies are tests of paring_testkit.
.PHONY: tests
tests: $(VENV)/.complete $(OLDEST)/.complete $(MONITORING)/.complete $(TOOLS)/jars/.complete
	.ci/tests.py

.PHONY: doctests
doctests:
	cargo test --workspace --doc --locked

# In the dev profile, which shares what `tests` has built.
.PHONY: wheel-tests
wheel-tests: $(MATURIN)/.complete $(WHEEL)/.complete ## build a wheel, install it, and use it as `paring` and as `pytest --pare`
	rm -rf $(TARGET)/wheels-dev
	PATH="$(CURDIR)/$(MATURIN)/bin:$$PATH" maturin build --quiet --locked --profile dev --out $(TARGET)/wheels-dev
	$(WHEEL)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall $(TARGET)/wheels-dev/*.whl
	env -u VIRTUAL_ENV $(WHEEL)/bin/python -m pytest -q -p no:cacheprovider -p no:randomly -n 2 python/tests

.PHONY: wheel
wheel: $(MATURIN)/.complete ## build the wheel for Linux x86_64 (glibc 2.17 or newer) into dist/
	PATH="$(CURDIR)/$(MATURIN)/bin:$$PATH" maturin build --locked --release --zig --compatibility manylinux2014 --out dist

.PHONY: build
build:
	cargo build --release --locked -p paring

.PHONY: demo
demo: build ## pare a real failing test before your eyes
	@PARING=$(PARING) PYTHON=$(PYTHON) demo/run.sh

.PHONY: lint
lint: ## what needs more tools: cargo deny, typos, unreferenced snapshots, documentation
	cargo doc --workspace --no-deps --locked
	@if command -v cargo-deny >/dev/null; then cargo deny check; else echo "skipped: cargo install cargo-deny"; fi
	@if command -v typos >/dev/null; then typos; else echo "skipped: cargo install typos-cli"; fi
	@if command -v cargo-insta >/dev/null; then cargo insta test --workspace --unreferenced=reject; else echo "skipped: cargo install cargo-insta"; fi

.PHONY: bench-python
bench-python: build ## minimise and judge the corpus of real tests, then the peers; SAMPLE=50 for a quick look, JOBS=2
	PARING=$(PARING) PYTHON=$(PYTHON) PYTHON311=$(PYTHON311) PYTHON312=$(PYTHON312) bench/python/run.sh

.PHONY: bench-java
bench-java: build ## minimise and judge the corpus of real JUnit tests; SAMPLE=50 for a quick look, JOBS=2; needs a JDK and Maven
	PARING=$(PARING) PYTHON=$(PYTHON) bench/java/run.sh

.PHONY: bench-peers
bench-peers: build ## the strategies alone and public reducers on the same cases; N_CASES=16
	PARING=$(PARING) PYTHON=$(PYTHON) PYTHON311=$(PYTHON311) PYTHON312=$(PYTHON312) bench/python/peers.sh

.PHONY: bench-strategies
bench-strategies: build ## generated tests with each strategy; SAMPLE=20 for a quick look, JOBS=2; needs a JDK, Maven and Python 3.10
	PARING=$(PARING) PYTHON=$(PYTHON) PYTHON310=$(PYTHON310) bench/strategies/run.sh

.PHONY: bench-command
bench-command: build ## small programs in JavaScript, Rust, Go and C: paring and public reducers; needs node, go and gcc
	PARING=$(PARING) PYTHON=$(PYTHON) PYTHON312=$(PYTHON312) bench/command/run.sh

.PHONY: bench-localize
bench-localize: build ## faults, seeded and real, with tests as they are and pared; what recording costs; FAULTS=10 PARTS=seeded for less
	PARING=$(PARING) PYTHON=$(PYTHON) PYTHON312=$(PYTHON312) bench/localize/run.sh

.PHONY: bench-merge
bench-merge: build ## what of public suites is redundant, and what merging makes of a sample; MINUTES=20 CLASSES=4 SEED=1; needs a JDK and Maven
	PARING=$(PARING) PYTHON=$(PYTHON) PYTHON312=$(PYTHON312) bench/merge/run.sh

.PHONY: bench-good
bench-good: build $(VENV)/.complete ## good versions found in git histories of public packages, and what they cost
	$(PYTHON) bench/good/histories.py $(PARING) $(CURDIR)/$(VENV)/bin/python bench/work/good

.PHONY: bench-split
bench-split: build ## three splitters on public suites, and the tests of a simulator with each watcher; SAMPLE=20 for a quick look; goes on where it was stopped
	$(PYTHON) bench/split/suites.py --paring $(PARING) $(if $(SAMPLE),--sample $(SAMPLE)) --table bench/work/split/table.md
	$(PYTHON) bench/split/simulator.py --paring $(PARING)
	$(if $(SAMPLE),,$(PYTHON) bench/results.py split --table bench/work/split/table.md)

.PHONY: bench-engine
bench-engine: ## two builds of paring on a drawn sample of the corpora; BEFORE=file AFTER=file; goes on where it was stopped; needs a JDK, Maven and Python 3.11
	$(PYTHON) bench/engine/before_after.py draw --python $(PYTHON311)
	for language in python java; do $(PYTHON) bench/engine/before_after.py run $$language --before $(BEFORE) --after $(AFTER) || exit 1; done
	$(PYTHON) bench/engine/before_after.py tables

.PHONY: bench-scale
bench-scale: build ## analysis of generated tests of 1k, 3k and 10k statements
	$(PYTHON) bench/scale.py --paring $(PARING) --results bench/RESULTS.md

.PHONY: bench-spectrum
bench-spectrum: ## 10,000 tests x 1,000,000 lines ranked by every formula: seconds and memory
	cargo run --release --locked -p paring_spectrum --example bench_spectrum

.PHONY: clean
clean: ## remove what was built and fetched
	rm -rf $(TOOLS) bench/work
	cargo clean

$(VENV)/.complete:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check 'pytest>=8' pytest-asyncio hypothesis
	touch $@

# The oldest pytest paring works with.
$(OLDEST)/.complete:
	rm -rf $(OLDEST)
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check 'pytest==7.0.1; python_version < "3.12"' 'pytest==7.4.4; python_version >= "3.12"'
	touch $@

# One with sys.monitoring, where there is a Python 3.12 or newer, and with a plugin that measures coverage itself.
$(MONITORING)/.complete:
	rm -rf $(MONITORING)
	$(PYTHON312) -m venv $(MONITORING)
	$(MONITORING)/bin/python -m pip install --quiet --disable-pip-version-check 'pytest>=8' pytest-cov
	touch $@

$(MATURIN)/.complete:
	rm -rf $(MATURIN)
	$(PYTHON) -m venv $(MATURIN)
	$(MATURIN)/bin/python -m pip install --quiet --disable-pip-version-check 'maturin>=1.7,<2' ziglang
	touch $@

$(WHEEL)/.complete:
	rm -rf $(WHEEL)
	$(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/python -m pip install --quiet --disable-pip-version-check 'pytest>=8' pytest-xdist pytest-randomly pytest-asyncio pytest-cov pytest-rerunfailures
	touch $@

# JUnit 3, 4 and 5 as projects have them, each in a folder of its own.
$(TOOLS)/jars/.complete: $(wildcard testdata/java/jars/*.xml)
	rm -rf $(TOOLS)/jars
	for set in $(basename $(notdir $(wildcard testdata/java/jars/*.xml))); do \
	  mvn -B -q -f testdata/java/jars/$$set.xml org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
	    -DoutputDirectory=$(CURDIR)/$(TOOLS)/jars/$$set || exit 1; \
	done
	touch $@
