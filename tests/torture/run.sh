#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What takes too long for `make test`: kill tests with many items, a backfill beside a busy writer, every system call that
# fails or kills an export, and a walk over every allocation, each of which fails once. ITEMS, KILLS, FAULTS and STEP
# (1: every allocation) make it smaller.
# Usage: run.sh BIN [NAME-PART...]
JOBS=${JOBS:-2} LIMIT=${LIMIT:-14400} exec "$(dirname "$0")/../scenarios.sh" torture "$@"
