# The few verbs, the same for a newcomer, a contributor and CI. Everything lives in .venv and build.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src kernel -name '*.py' -o -name '*.pyi' -o -name '*.?pp' -o -name '*.inc')
KERNEL_BUILD := build/kernel-tests
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: demo test check format bench serve docs kernel-test clean

demo: $(VENV)/installed
	$(BIN)/bleuet score examples/reference-1.txt examples/reference-2.txt \
	  -i examples/system-a.txt examples/system-b.txt -m bleu chrf ter

test: $(VENV)/installed-test kernel-test
	$(BIN)/python -m pytest $(PYTEST)

# What must hold before a change is sent: style, types and the format of the kernel.
check: $(VENV)/installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror kernel/*.?pp kernel/tests/*.?pp

format: $(VENV)/installed-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i kernel/*.?pp kernel/tests/*.?pp

bench: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks $(BENCH)

docs: $(VENV)/installed-docs
	$(BIN)/mkdocs build --strict --site-dir build/site

serve: $(VENV)/installed-docs
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000

# The kernel by itself, under AddressSanitizer and UndefinedBehaviorSanitizer.
kernel-test: $(VENV)/installed-test
	$(BIN)/cmake -S . -B $(KERNEL_BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	  -DBLEUET_KERNEL_TESTS=ON > /dev/null
	$(BIN)/cmake --build $(KERNEL_BUILD) --parallel $(JOBS)
	$(BIN)/ctest --test-dir $(KERNEL_BUILD) --output-on-failure

$(VENV)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/installed: $(VENV)/python pyproject.toml CMakeLists.txt kernel/CMakeLists.txt $(SOURCES)
	$(BIN)/python -m pip install --quiet --force-reinstall --no-deps .
	$(BIN)/python -m pip install --quiet bleuet
	touch $@

# bleuet itself is installed already: this adds what the extra needs.
$(VENV)/installed-%: $(VENV)/installed
	$(BIN)/python -m pip install --quiet 'bleuet[$*]'
	touch $@

clean:
	rm -rf $(VENV) build dist
