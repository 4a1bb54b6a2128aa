# A thin front for meson: see README.md. Every target installs what it needs first.
BUILD ?= build
PREFIX ?= /usr/local
MESON_FLAGS ?= --werror --buildtype=release --strip -Dtests=false --prefix=$(PREFIX)

.PHONY: all check test lint bench demo demo-down install generate images coverage clean fuzz
all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja: meson.build
	@tools/setup build
	@meson setup $(BUILD) $(MESON_FLAGS)

# about a minute: unit tests, golden files and fuzz corpora under ASan and UBSan
check:
	@tools/test check

# all of it, on a real Kubernetes and a real Slurm
test:
	@tools/test all

lint:
	@tools/setup test
	@tools/lint

bench:
	@tools/setup all
	@bench/run

demo:
	@tools/demo up

demo-down:
	@tools/demo down

install: all
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@ninja -C $(BUILD)
	@meson install -C $(BUILD) --no-rebuild

images:
	@tools/setup bed
	@images/build

# structs, tables, CRDs, RBAC and the field reference, from api/
generate:
	@python3 codegen/generate.py

coverage:
	@tools/test coverage

# every fuzzer for a while: make fuzz SECONDS=60
fuzz:
	@tools/test fuzz $(SECONDS)

clean:
	@rm -rf build build-*
