# SPDX-License-Identifier: MIT
# `make` builds build/renorm, `make demo` shows it, `make test` tests it, `make help` lists the rest
# (from the comments that begin with two hashes).
PREFIX ?= /usr/local
BUILD  ?= build
MODE   ?= release
DEPS   ?= yes
CI     ?= false
# what `make fuzz-short` gives each target
FUZZ_SECONDS ?= 20
# V=1 shows whole commands
Q := $(if $(V),,@)
# make's own rules are never used here, and looking through them costs more than all the rest
MAKEFLAGS += -r

GOALS := all install demo unit test test-asan test-tsan torture lint format fuzz-short fuzz bench conformance infer-score
.PHONY: $(GOALS) help deps clean
.DEFAULT_GOAL := all

## help          this list
help:
	@sed -n 's/^## /make /p' Makefile
	@echo 'With any: DEPS=no installs nothing, CI=true makes warnings errors, V=1 shows commands,'
	@echo 'MODE=asan|tsan|cov builds another way, into $(BUILD)/MODE.'

## deps          installs all that the targets below ask for by themselves
deps:
	@tests/tools/deps.sh $(BUILD) test lint fuzz

# Packages come first, in a make of their own: the flags below are asked of pkg-config when this
# file is read. DEPS=no skips the step.
ifneq ($(DEPS),no)
DEPS_all := build
DEPS_install := build
DEPS_format := lint
DEPS_test-asan := test
DEPS_test-tsan := test
DEPS_torture := test
DEPS_fuzz-short := fuzz
DEPS_infer-score := test
# All goals of a call in one step, and with -j in one make: two never install or build the same at once.
ASKED := $(or $(filter $(GOALS),$(MAKECMDGOALS)),all)
$(GOALS): with-deps
	@:
.PHONY: with-deps
with-deps:
	@tests/tools/deps.sh $(BUILD) $(sort $(foreach g,$(ASKED),$(or $(DEPS_$g),$g)))
	@+$(if $(filter -j%,$(MAKEFLAGS)),$(MAKE) --no-print-directory DEPS=no $(ASKED), \
	    for g in $(ASKED); do $(MAKE) --no-print-directory DEPS=no -j$$(nproc) $$g || exit; done)
else

# ---- sources: nothing is listed by hand ------------------------------------------------------
SRC     := $(sort $(shell find cmd pipeline sinks -name '*.c' 2>/dev/null))
UNIT    := $(sort $(shell find tests/unit -name "*_test.c" 2>/dev/null))
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
HLIB    := $O/libharness.a
MAIN    := $(patsubst %.c,$O/%.o,$(wildcard cmd/main.c))
LIBOBJ  := $(filter-out $O/cmd/main.o,$(SRC:%.c=$O/%.o))
HOBJ    := $(HARNESS:%.c=$O/%.o)
UNITBIN := $(UNIT:%.c=$O/%)
# T="decimal aws/creds" picks tests by their name, with or without _test, and by folder
PICKED  := $(if $(T),$(sort $(foreach t,$(patsubst tests/unit/%,%,$(patsubst %.c,%,$(subst *,%,$(T:%/=%)))), \
             $(or $(filter $O/tests/unit/$t/% %/$t_test %/$t,$(UNITBIN)),$(error no unit test is called $t)))), \
             $(UNITBIN))
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
override CFLAGS   += -std=c11 -pthread -fno-common -fvisibility=hidden $(WARN) $(FLAGS_$(MODE))
override LDFLAGS  += -pthread -Wl,-z,relro,-z,now $(filter -fsanitize% --coverage,$(FLAGS_$(MODE)))
LIBS              := $(shell pkg-config --libs $(PKGS)) -lm

# ---- build -----------------------------------------------------------------------------------
## all           builds build/renorm; what `make` does
all: $(if $(MAIN),$(BIN),$(LIB))

$(BIN): $(MAIN) $(LIB)
	@echo "link $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(LIBOBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(Q)$(AR) rcs --thin $@ $^

# archives, so that a test takes only what it calls
$(HLIB): $(HOBJ)
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
# A unit test is linked from the objects that it took out of the archives at its last link, listed
# in TEST.objs: whatever else is stale stays so, and a change links only the tests that hold it.
# What remains to be built is what the test calls, so a change of a header that all include costs
# a second for a leaf of the tree and more for what stands on top of it. A test with no list yet,
# or that calls more than the list holds, needs the whole library once.
-include $(wildcard $(PICKED:%=%.objs))
$(foreach t,$(PICKED),$(eval $t: $(or $(filter $(HOBJ) $(LIBOBJ),$(OBJS_$t)),$(HLIB) $(LIB))))

$(UNITBIN): %: %.o
	@echo "link $@"
	$(Q)$(if $(OBJS_$@), \
	  $(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka 2>$@.err || { rm -f $@ $@.objs; \
	    echo "     it calls more than it did: it wants the whole library"; }, \
	  $(CC) $(LDFLAGS) -Wl,-t -o $@ $^ $(LIBS) -lcmocka >$@.took && \
	    sed -n 's|^$O/.*[.]o$$|OBJS_$@ += &|p' $@.took | grep -vF ' $@.o' >$@.objs)

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

# tests that wanted the whole library (see above) are built now
REST_OF_UNIT = +@for t in $(PICKED); do [ -x $$t ] || exec $(MAKE) --no-print-directory $(PICKED); done

## unit          builds and runs unit tests: T="decimal aws/creds" picks by name and folder
unit: $(PICKED)
	$(REST_OF_UNIT)
	@$(TEST_ENV) SUITES=unit tests/run.sh $(PICKED)

# a suite other than the unit tests wants the program and the tools, and nothing of the unit tests
SUITES_OF := $(if $(SCENARIO),scenario,$(or $(SUITES),unit scenario))
## test          every suite; SUITES="unit cli" picks some, SCENARIO="tests/pg/05_kill.sh ..." scripts
test: $(if $(filter unit,$(SUITES_OF)),$(PICKED)) \
      $(if $(filter-out unit,$(SUITES_OF)),all $(TOOLBIN) $(SOBIN))
	$(if $(filter unit,$(SUITES_OF)),$(REST_OF_UNIT))
	@$(TEST_ENV) SUITES='$(SUITES)' SCENARIO='$(SCENARIO)' tests/run.sh $(PICKED)

## test-asan     the same with AddressSanitizer and UBSan
## test-tsan     the same with ThreadSanitizer
test-asan test-tsan:
	@+$(MAKE) --no-print-directory DEPS=no MODE=$(@:test-%=%) test

## demo          an unknown file to tables, three designs of which one goes into a PostgreSQL of its own
demo:
	@mkdir -p $(BUILD)
	@echo "demo: building renorm, log in $(BUILD)/demo.log"
	@+$(MAKE) --no-print-directory all >$(BUILD)/demo.log 2>&1 || { tail -n 30 $(BUILD)/demo.log; exit 1; }
	@$(TEST_ENV) examples/demo.sh

## lint          formatting, clang-tidy, names, include rule and more; keeps what passed, FULL=1 looks deeper
lint: $O/sql.inc $O/version.inc
	@CPPFLAGS='$(CPPFLAGS)' BUILD=$(BUILD) FULL='$(FULL)' CI=$(CI) tests/lint.sh $(SRC) $(TESTSRC) $(HDR)

## format        clang-format over all C files
format:
	clang-format -i $(SRC) $(TESTSRC) $(HDR)

## fuzz-short    FUZZ_SECONDS (20) for each target of tests/fuzz
## fuzz          the same until stopped
fuzz-short fuzz:
	@+$(MAKE) --no-print-directory DEPS=no MODE=fuzz run-$@

.PHONY: run-fuzz-short run-fuzz
run-fuzz-short run-fuzz: $(FUZZBIN)
	@FUZZ_SECONDS=$(if $(filter run-fuzz,$@),0,$(FUZZ_SECONDS)) \
	  FUZZ_SEED=$(if $(filter run-fuzz,$@),0,1) BUILD=$(BUILD) \
	  tests/fuzz/run.sh $(FUZZBIN)

## torture       long runs: kills, and failures of every allocation
## bench         measurements, against others' tools as well
## conformance   the live suites against other DynamoDBs
bench torture conformance: all $(TOOLBIN) $(SOBIN)
	@$(TEST_ENV) tests/$@/run.sh $(BIN)

## infer-score   how good inferred models are, against the wanted limits: SEEDS=1-10 ONLY="level3 real own" pick
infer-score: all
	@$(TEST_ENV) SEEDS='$(SEEDS)' ONLY='$(ONLY)' tests/infer/score.sh $(BIN)

## install       into PREFIX (/usr/local), below DESTDIR
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

## clean         removes all that was built
clean:
	rm -rf $(BUILD)

.SECONDARY:
