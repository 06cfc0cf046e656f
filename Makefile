# Everything runs in .venv, made on first use from pyproject.toml.
#   make demo    `tw demo`: compile two networks, check, read and time them beside onnxruntime
#   make check   linters, types, layers, structure, tests not marked slow
#   make test    all tests, and a sample of each sweep (tests/sweeps.py)
#   make nightly  all tests, whole sweeps, ten times the random examples: some hours
#   make replay  the texts of all kernels at all levels, compared with tests/replay/digests.txt;
#                REPLAY=--write records them, REPLAY=zoo/resnet50 takes only some programs
#   make bench   the networks of benchmarks/zoo/, beside the extra `peers`; BENCH=--write writes
#                the tables of docs/performance.md and draws its chart
#   make plan-check  plans of drawn kernels against random points; fails under 0.9 of the best
#   make device-bundle  build/device/: the cases that check and measure a GPU, compiled here to run
#                there (docs/testing.md); BUNDLE=folder, ARCH='sm_80 sm_90a'
#   make cliffs  random operators and blocks beside onnxruntime, worst ratios first
#   make reference  docs/reference/ and the types of `ops`, made from the code
#   make prelude  codegen/prelude/, LLVM IR made from runtime/native/ by clang
#   make docs    the site: build/docs/index.html; a warning, such as a dead link, is an error
#   make rpc-wheel   dist/tilewright_rpc*.whl: the RPC server as programs for three machines
#   make wheel   dist/*.whl: the compiler, the runtime that it depends on, and the server; the same
#                commit gives the same bytes

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.tilewright-installed
DEMO := .venv/.tilewright-demo
PEERS := .venv/.tilewright-peers
DOCS := .venv/.tilewright-docs
DRIVERS := .venv/.tilewright-drivers
TORCH := .venv/.tilewright-torch
# Where torch has wheels without CUDA.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
JOBS ?= 2
BUNDLE ?= build/device
ARCH ?= sm_80 sm_90a
# The time of all files in wheels: that of the commit; outside of a clone, the first of zip files.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 315532800)

.PHONY: demo test nightly replay check lint bench plan-check device-bundle cliffs reference prelude docs wheel rpc-wheel setup torch clean
.DEFAULT_GOAL := check

setup: $(STAMP)

$(STAMP): pyproject.toml runtime/pyproject.toml serve/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		-e ./runtime -e ./serve -e '.[test,check]'
	mkdir -p .venv/typings
	ln -sfn ../.. .venv/typings/tilewright
	touch $@

# What `tw demo` needs, and no more: setting it up takes less than a minute.
$(DEMO): pyproject.toml runtime/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing Tilewright and onnxruntime into .venv, about 20 seconds with filled caches"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		-e ./runtime -e . 'onnxruntime>=1.20,<2'
	touch $@

demo: $(DEMO)
	$(BIN)/tw demo

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/lint-imports
	$(BIN)/pyright

check: lint docs
	$(BIN)/pytest -n $(JOBS) -m 'not slow and not nightly'

test: $(DOCS) $(DRIVERS)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m 'not nightly'

nightly: $(DOCS) $(DRIVERS)
	TILEWRIGHT_NIGHTLY=1 $(BIN)/pytest -n $(JOBS) --dist worksteal

replay: $(STAMP)
	PYTHONPATH=benchmarks $(BIN)/python -m tests.replay --jobs $(JOBS) $(REPLAY)

$(PEERS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--extra-index-url $(TORCH_INDEX) -e '.[peers]'
	touch $@

# Without torch, tests of its modules and tensors skip. Of the version of `peers`, which the index has
# without CUDA. Where the index is out of reach, pip would ask six times for each of 20 packages.
torch: $(TORCH)

$(TORCH): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 0 \
		--extra-index-url $(TORCH_INDEX) 'torch==2.13.0' -e '.[torch]'
	touch $@

bench: $(PEERS)
	$(BIN)/python benchmarks/zoo_bench.py $(BENCH)

plan-check: $(STAMP)
	$(BIN)/python benchmarks/plan_check.py $(BENCH)

device-bundle: $(DRIVERS) $(TORCH)
	$(BIN)/python -m tests.device.bundle $(BUNDLE) --arch $(ARCH)

cliffs: $(STAMP)
	$(BIN)/python benchmarks/cliffs.py $(BENCH)

reference: $(STAMP)
	$(BIN)/python -m tests.docs.reference

prelude: $(STAMP)
	$(BIN)/python -m tests.codegen.native

$(DOCS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

# PoCL, wgpu, ptxas and LLD: without them, tests of GPU programs skip. WebGPU also needs a driver of
# Vulkan, such as that of the system package mesa-vulkan-drivers.
$(DRIVERS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[opencl,cuda,rocm,webgpu]'
	touch $@

docs: $(DOCS)
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs/site \
		-d build/doctrees . build/docs

# The RPC server as programs for devices; zig compiles them for each machine.
rpc-wheel: $(STAMP)
	umask 022 && SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(BIN)/python -m pip wheel --quiet \
		--disable-pip-version-check --no-deps --wheel-dir dist ./rpc_wheel
	@ls dist/tilewright_rpc*.whl

wheel: $(STAMP)
	rm -rf build runtime/build serve/build
	umask 022 && SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(BIN)/python -m pip wheel --quiet \
		--disable-pip-version-check --no-deps --wheel-dir dist ./runtime ./serve .
	rm -rf build runtime/build serve/build
	@ls dist/*.whl

clean:
	rm -rf build runtime/build serve/build dist .pytest_cache .ruff_cache
