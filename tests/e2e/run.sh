#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whole exports of files: interrupted, killed, crowded, out of disk, read back by others.
# Usage: run.sh BIN [NAME-PART...]
exec "$(dirname "$0")/../scenarios.sh" e2e "$@"
