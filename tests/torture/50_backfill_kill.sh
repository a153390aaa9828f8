#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A backfill of a hundred thousand items and its undo, killed a hundred times.
ITEMS=${ITEMS:-100000} KILLS=${KILLS:-100} exec bash "$(dirname "$0")/../e2e-aws/45_backfill_kill.sh" "$1"
