#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many random models and items, judged by an oracle.
CASES=${CASES:-1000} SEED=${SEED:-1000} exec bash "$(dirname "$0")/../pg/38_verify_fuzz.sh" "$1"
