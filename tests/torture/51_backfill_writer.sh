#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A hundred thousand operations of a live application during a backfill of as many items.
ITEMS=${ITEMS:-100000} OPERATIONS=${OPERATIONS:-100000} exec bash "$(dirname "$0")/../e2e-aws/46_backfill_writer.sh" "$1"
