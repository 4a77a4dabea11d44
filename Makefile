# tessera: `make` builds; the other targets install what is missing, build, and run.
# The build itself is CMake's: see CMakeLists.txt and `cmake --list-presets`.

BUILD  ?= build
TYPE   ?= Release
PREFIX ?= /usr/local

.PHONY: all tess demo check check-all bench install clean deps-build deps-test configure

all: tess

deps-build:
	@tools/install-deps build
deps-test:
	@tools/install-deps test

configure:
	@[ -f $(BUILD)/build.ninja ] || cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=$(TYPE)

tess: deps-build configure
	@ninja -C $(BUILD) tess

# A training step of a transformer: sharded, explained, partitioned, run, verified.
demo: tess
	@examples/demo $(BUILD)/tess

# Layers, unit tests, text tests, the documentation's examples: under two minutes.
check: deps-test
	@cmake -S . -B $(BUILD) -G Ninja -DTESS_TESTS=ON >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@ninja -C $(BUILD)
	@ctest --test-dir $(BUILD) --output-on-failure

# Adds sanitizers, failing allocations, and the comparison with jaxlib where it is installed.
check-all: check
	@tests/check-all

bench: tess
	@tests/bench/language $(BUILD)/tess
	@tests/bench/shard $(BUILD)/tess
	@tests/bench/propagation $(BUILD)/tess
	@cmake -S . -B $(BUILD) -G Ninja -DTESS_TESTS=ON >/dev/null && ninja -C $(BUILD) --quiet stepper relayout arrays bench_partition bench_incremental bench_shards
	@tests/bench/executor $(BUILD)
	@$(BUILD)/tests/bench/relayout
	@$(BUILD)/tests/bench/shards
	@tests/bench/arrays_peers $(BUILD)
	@tests/bench/report $(BUILD)/tess
	@$(BUILD)/tests/bench/incremental examples/gpt_step.mlir $(wildcard $(TESS_CORPUS)/lower/gpt3_96l_train_remat.mlir.gz)
	@$(BUILD)/tests/bench/partition examples/*.mlir $(wildcard $(TESS_CORPUS)/lower/*.mlir.gz)

install: tess
	@ninja -C $(BUILD)
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf $(BUILD) build-*
