#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every system call of an export fails in each way, and kills it, once.
FAULTS=${FAULTS:-0} MORE=${MORE:-1500} exec bash "$(dirname "$0")/../e2e/37_faults.sh" "$1"
