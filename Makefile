# The same few commands for a newcomer, a contributor and CI. They write to .venv and build; only the
# kernel's module is put into src, where Python finds it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
KERNEL_BUILD := build/kernel
KERNEL_TESTS := build/kernel-tests
SANITIZED := $(KERNEL_TESTS)/package
SCALAR := $(KERNEL_TESTS)-scalar/package
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -name '*.?pp' -o -name '*.inc' -o -name '*.txt')
# Python imports the files in src themselves, so editing one rebuilds nothing.
INSTALL = $(BIN)/python -m pip install --quiet --no-compile $(PIP) \
  --config-settings wheel.cmake=false --config-settings editable.mode=inplace --editable
FOR_PYTHON = -DPython_EXECUTABLE=$(abspath $(BIN))/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)
CMAKE := $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -S .
PYODIDE := 314.0.7
RUNTIME := build/pyodide-$(PYODIDE)
PYTEST_PARALLEL := -n $(JOBS) --dist worksteal
# The groups of tests that need more libraries.
GROUPS := libraries peers browser torch neural clusters adapters frameworks packaging site
FUZZ ?= tests/oracles/test_fuzz.py tests/contract

.PHONY: demo test quick test-of test-all fuzz faults differences reached check format bench serve calculator docs wheels release-check kernel-test kernel-clang kernel-threads kernel-scalar clean

demo: $(VENV)/installed $(KERNEL_BUILD)/installed
	$(BIN)/bleuet score examples/reference-1.txt examples/reference-2.txt \
	  -i examples/system-a.txt examples/system-b.txt -m bleu chrf ter
	@echo
	@echo "The command is $(BIN)/bleuet; after 'source $(BIN)/activate' it is bleuet."

# The tests that need nothing but what the extra `test` installs.
test: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	$(BIN)/python -m pytest $(PYTEST_PARALLEL) --run test $(PYTEST)

# Of these, the quick ones.
quick: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	$(BIN)/python -m pytest $(PYTEST_PARALLEL) --run quick $(PYTEST)

# All tests, of Python and of the kernel. What a group needs may be missing: then the others run,
# and the last line names it.
test-all: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	for group in $(GROUPS); do $(MAKE) $(VENV)/installed-test-$$group || true; done
	$(MAKE) kernel-test
	$(BIN)/python -m pytest $(PYTEST_PARALLEL) --run all $(PYTEST)

# The tests that hold one file best, such as FILE=src/bleuet/gate/history.py.
test-of: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	$(BIN)/python -m pytest $$($(BIN)/python -m tests.planted.faults $(FILE)) -x $(PYTEST)

# Many more examples, drawn anew in each run.
fuzz: $(VENV)/installed-test $(VENV)/installed-test-peers $(KERNEL_BUILD)/installed
	$(BIN)/python -m pytest $(PYTEST_PARALLEL) --run fuzz $(FUZZ)

# Whether the tests notice the faults that tests/planted/ lists.
faults: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	$(BIN)/python -m tests.planted --jobs $(JOBS) $(FAULTS)

# What drawn commands say otherwise than with the commit FROM.
differences: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	$(BIN)/python -m tests.differences $(or $(FROM),main) $(DIFFERENCES)

# Which test runs which line, for `python -m tests.planted.mutants`. RUN=all takes the tests of all groups.
reached: $(VENV)/installed-test $(KERNEL_BUILD)/installed
	$(BIN)/python -m pip install --quiet --group reached
	mkdir -p build/reached
	$(BIN)/python -m pytest $(PYTEST_PARALLEL) --run $(or $(RUN),test) --cov --cov-context=test --cov-report= $(PYTEST)

# Style, types and the format of the kernel.
check: $(VENV)/installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(shell find kernel -name '*.?pp')

format: $(VENV)/installed-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(shell find kernel -name '*.?pp')

bench: $(VENV)/installed-bench $(KERNEL_BUILD)/installed
	$(BIN)/python -m benchmarks $(BENCH)
	$(BIN)/python -m benchmarks.comparing

# The documentation, with the calculator if `make calculator` has built it. A link that leads nowhere is an error.
docs: $(VENV)/installed-docs $(KERNEL_BUILD)/installed
	$(BIN)/python -m website.build build/site

serve: $(VENV)/installed-web $(KERNEL_BUILD)/installed
	$(BIN)/bleuet serve examples/reference-1.txt -i examples/system-a.txt examples/system-b.txt

# The calculator as static files, for which the browser runs Python itself.
calculator: $(VENV)/installed-report $(RUNTIME)/package
	$(BIN)/python -m bleuet.web.site build/calculator $(RUNTIME)/package

$(RUNTIME)/package:
	mkdir -p $(RUNTIME)
	cd $(RUNTIME) && tar -xzf "$$(npm pack --silent pyodide@$(PYODIDE))"

# The kernel under AddressSanitizer and UndefinedBehaviorSanitizer: its own tests, and those that compare
# it with the Python backend. They run with a copy of the package that has this kernel alone: CMake installs no file
# over another one of the same second.
kernel-test: $(VENV)/installed-test
	$(CMAKE) -B $(KERNEL_TESTS) -DBLEUET_KERNEL_TESTS=ON $(FOR_PYTHON) > /dev/null
	$(BIN)/cmake --build $(KERNEL_TESTS) --parallel $(JOBS)
	$(BIN)/ctest --test-dir $(KERNEL_TESTS) --output-on-failure
	rm -rf $(SANITIZED) && mkdir $(SANITIZED) && cp -r src/bleuet $(SANITIZED)
	rm -f $(SANITIZED)/bleuet/statistics/_kernel*.so
	$(BIN)/cmake --install $(KERNEL_TESTS) --prefix $(SANITIZED) > /dev/null
	$(BIN)/python -m tests.sanitized $(SANITIZED) $(PYTEST_PARALLEL) --run test $(PYTEST)

# The kernel and its own tests with clang's sanitizers, where a warning is an error.
kernel-clang: $(VENV)/build-tools
	$(CMAKE) -B $(KERNEL_TESTS)-clang -DBLEUET_KERNEL_TESTS=ON -DCMAKE_CXX_COMPILER=clang++ \
	  -DCMAKE_CXX_FLAGS=-Werror $(FOR_PYTHON) > /dev/null
	$(BIN)/cmake --build $(KERNEL_TESTS)-clang --parallel $(JOBS)
	$(BIN)/ctest --test-dir $(KERNEL_TESTS)-clang --output-on-failure

# The kernel's own tests with clang's sanitizer of threads.
kernel-threads: $(VENV)/build-tools
	$(CMAKE) -B $(KERNEL_TESTS)-threads -DBLEUET_KERNEL_TESTS=ON -DBLEUET_SANITIZERS=thread \
	  -DCMAKE_CXX_COMPILER=clang++ $(FOR_PYTHON) > /dev/null
	$(BIN)/cmake --build $(KERNEL_TESTS)-threads --parallel $(JOBS) --target kernel_tests
	$(BIN)/ctest --test-dir $(KERNEL_TESTS)-threads --output-on-failure

# The kernel as for a machine without SSE2: its own tests, and the laws of the counters.
kernel-scalar: $(VENV)/installed-test
	$(CMAKE) -B $(KERNEL_TESTS)-scalar -DBLEUET_KERNEL_TESTS=ON -DBLEUET_SANITIZERS= -DBLEUET_SCALAR=ON \
	  -DCMAKE_BUILD_TYPE=Release $(FOR_PYTHON) > /dev/null
	$(BIN)/cmake --build $(KERNEL_TESTS)-scalar --parallel $(JOBS)
	$(BIN)/ctest --test-dir $(KERNEL_TESTS)-scalar --output-on-failure
	rm -rf $(SCALAR) && mkdir $(SCALAR) && cp -r src/bleuet $(SCALAR)
	rm -f $(SCALAR)/bleuet/statistics/_kernel*.so
	$(BIN)/cmake --install $(KERNEL_TESTS)-scalar --prefix $(SCALAR) > /dev/null
	$(BIN)/python -m tests.sanitized --scalar $(SCALAR) $(PYTEST_PARALLEL) --run test tests/contract/test_backends.py

# The sdist, and wheels for Linux for each Python that is here (PYTHONS and PLATFORMS choose), in dist.
wheels: $(VENV)/release-tools
	$(BIN)/python -m release.wheels $(if $(PYTHONS),--pythons $(PYTHONS)) $(if $(PLATFORMS),--platforms $(PLATFORMS))

# What can be checked before a release; it publishes nothing.
release-check: check docs $(VENV)/release-tools
	$(BIN)/python -m release.check

$(VENV)/release-tools: $(VENV)/build-tools
	$(BIN)/python -m pip install --quiet --group release
	touch $@

$(KERNEL_BUILD)/installed: $(VENV)/build-tools pyproject.toml $(KERNEL_SOURCES)
	$(CMAKE) -B $(KERNEL_BUILD) -DCMAKE_BUILD_TYPE=Release $(FOR_PYTHON) > /dev/null
	$(BIN)/cmake --build $(KERNEL_BUILD) --parallel $(JOBS)
	$(BIN)/cmake --install $(KERNEL_BUILD) --prefix src > /dev/null
	touch $@

$(VENV)/installed: PIP := --no-build-isolation
$(VENV)/installed: $(VENV)/build-tools
	$(INSTALL) .
	touch $@

$(VENV)/installed-test: PIP := --only-binary :all:
$(VENV)/installed-%: $(VENV)/build-tools
	$(INSTALL) '.[$*]'
	touch $@

$(VENV)/build-tools: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --group build
	touch $@

clean:
	rm -rf $(VENV) build dist src/bleuet/statistics/_kernel*.so
