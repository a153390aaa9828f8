#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
set -u
for t in "$@"; do "$t" || exit 1; done
