# SPDX-License-Identifier: MIT
# `make` builds build/renorm, `make demo` shows it, `make test` tests it; CONTRIBUTING.md has the rest.
PREFIX ?= /usr/local
BUILD  ?= build
MODE   ?= release
DEPS   ?= yes
CI     ?= false
# what `make fuzz-short` gives each target
FUZZ_SECONDS ?= 20
# V=1 shows whole commands
Q := $(if $(V),,@)

GOALS := all format demo test test-asan test-tsan lint fuzz fuzz-short bench torture conformance install
.PHONY: $(GOALS) deps deps-build deps-bench deps-conformance clean
.DEFAULT_GOAL := all

deps:
	@tests/tools/deps.sh $(BUILD) all

deps-build deps-bench deps-conformance:
	@tests/tools/deps.sh $(BUILD) $(@:deps-%=%)

# Packages come first, in a make of their own: the flags below are asked of pkg-config when this
# file is read. DEPS=no skips the step.
ifneq ($(DEPS),no)
all install: deps-build
bench conformance: %: deps-%
$(filter-out all install bench conformance,$(GOALS)): deps
$(GOALS):
	@+$(MAKE) --no-print-directory DEPS=no $@
else

# ---- sources: nothing is listed by hand ------------------------------------------------------
SRC     := $(sort $(shell find cmd pipeline sinks -name '*.c' 2>/dev/null))
UNIT    := $(sort $(wildcard tests/unit/*_test.c))
SIM     := $(sort $(wildcard tests/sim/*.c))
HARNESS := $(sort $(wildcard tests/harness/*.c))
TOOL    := $(sort $(wildcard tests/tools/*.c tests/bench/*.c))
PRELOAD := $(sort $(wildcard tests/preload/*.c))
FUZZ    := $(sort $(wildcard tests/fuzz/*_fuzz.c))
SQL     := $(sort $(wildcard sql/*.sql))
TESTSRC := $(UNIT) $(SIM) $(filter tests/harness/%,$(HARNESS)) $(TOOL) $(PRELOAD) $(FUZZ)
HDR     := $(sort $(shell find cmd pipeline sinks tests -name '*.h' 2>/dev/null))

# release stands at build/renorm, every other mode in its own folder, so that they never mix
O       := $(BUILD)/$(MODE)
BIN     := $(if $(filter release,$(MODE)),$(BUILD),$O)/renorm
LIB     := $O/librenorm.a
MAIN    := $(patsubst %.c,$O/%.o,$(wildcard cmd/main.c))
LIBOBJ  := $(filter-out $O/cmd/main.o,$(SRC:%.c=$O/%.o))
HOBJ    := $(HARNESS:%.c=$O/%.o)
UNITBIN := $(UNIT:%.c=$O/%)
TOOLBIN := $(TOOL:%.c=$O/%) $(patsubst %/main.c,$O/%/sim,$(filter tests/sim/main.c,$(SIM)))
SOBIN   := $(PRELOAD:%.c=$O/%.so)
FUZZBIN := $(FUZZ:%.c=$O/%)

# ---- flags -----------------------------------------------------------------------------------
PKGS := libcurl libcrypto libpq libzstd yyjson libisal libxxhash expat zlib
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wformat=2 \
        -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
        -Wwrite-strings -Wundef -Wvla -Wswitch-enum -Wnull-dereference -Wdouble-promotion \
        $(if $(filter true,$(CI)),-Werror)

FLAGS_release := -O2 -g -fno-plt -D_FORTIFY_SOURCE=2 -fstack-protector-strong
FLAGS_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan    := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
FLAGS_cov     := -O0 -g --coverage
FLAGS_fuzz    := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
                 -fno-sanitize-recover=all
# clang's idea of the warnings above differs; the other modes have shown them
ifeq ($(MODE),fuzz)
CC   := clang
WARN := -Wall
endif

override CPPFLAGS += -D_POSIX_C_SOURCE=200809L -I. -I$O \
                     $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PKGS)))
override CFLAGS   += -std=c11 -pthread -fno-common $(WARN) $(FLAGS_$(MODE))
override LDFLAGS  += -pthread $(filter -fsanitize% --coverage,$(FLAGS_$(MODE)))
LIBS              := $(shell pkg-config --libs $(PKGS)) -lm

# ---- build -----------------------------------------------------------------------------------
all: $(if $(MAIN),$(BIN),$(LIB))

$(BIN): $(MAIN) $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(LIBOBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(Q)$(AR) rcs --thin $@ $^

$O/%.o: %.c Makefile | $O/sql.inc $O/version.inc
	@mkdir -p $(@D)
	@echo "cc   $<"
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$O/sql.inc: sql/embed.awk $(SQL) sql
	@mkdir -p $(@D)
	$(Q)awk -f sql/embed.awk $(SQL) </dev/null >$@

# rewritten only when the version changes; only its includers are rebuilt then
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
$O/version.inc: always
	@mkdir -p $(@D)
	@echo '#define RENORM_VERSION "$(VERSION)"' | cmp -s - $@ || \
	  echo '#define RENORM_VERSION "$(VERSION)"' >$@
.PHONY: always

# ---- test programs ---------------------------------------------------------------------------
$O/tests/unit/%: $O/tests/unit/%.o $(HOBJ) $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$O/tests/sim/sim: $(SIM:%.c=$O/%.o) $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lssl

$O/tests/tools/%: $O/tests/tools/%.o $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$O/tests/bench/%: $O/tests/bench/%.o $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$O/tests/preload/%.so: tests/preload/%.c Makefile
	@mkdir -p $(@D)
	@echo "so   $@"
	$(Q)$(CC) $(CPPFLAGS) -D_GNU_SOURCE -std=c11 $(WARN) -O1 -g -fPIC -shared -o $@ $< -ldl

$O/tests/fuzz/%: $O/tests/fuzz/%.o $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# ---- what people call ------------------------------------------------------------------------
TEST_ENV := BIN=$(BIN) OBJDIR=$O BUILD=$(BUILD) MODE=$(MODE)

test: all $(UNITBIN) $(TOOLBIN) $(SOBIN)
	@$(TEST_ENV) tests/run.sh $(UNITBIN)

test-asan test-tsan:
	@+$(MAKE) --no-print-directory DEPS=no MODE=$(@:test-%=%) test

demo: all
	@$(TEST_ENV) examples/demo.sh

lint: $O/sql.inc $O/version.inc
	@CPPFLAGS='$(CPPFLAGS)' tests/lint.sh $(SRC) $(TESTSRC) $(HDR)

format:
	clang-format -i $(SRC) $(TESTSRC) $(HDR)

fuzz-short fuzz:
	@+$(MAKE) --no-print-directory DEPS=no MODE=fuzz run-$@

.PHONY: run-fuzz-short run-fuzz
run-fuzz-short run-fuzz: $(FUZZBIN)
	@FUZZ_SECONDS=$(if $(filter run-fuzz,$@),0,$(FUZZ_SECONDS)) \
	  FUZZ_SEED=$(if $(filter run-fuzz,$@),0,1) BUILD=$(BUILD) \
	  tests/fuzz/run.sh $(FUZZBIN)

bench torture conformance: all $(TOOLBIN) $(SOBIN)
	@$(TEST_ENV) tests/$@/run.sh $(BIN)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/renorm
	$(BIN) --manual >$O/renorm.1
	$(BIN) --completion >$O/renorm.bash
	install -m 644 $O/renorm.1 $(DESTDIR)$(PREFIX)/share/man/man1/renorm.1
	install -m 644 $O/renorm.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/renorm

-include $(SRC:%.c=$O/%.d) $(TESTSRC:%.c=$O/%.d)
endif

clean:
	rm -rf $(BUILD)

.SECONDARY:
