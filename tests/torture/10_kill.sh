#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An export of a million items, killed twenty times.
ITEMS=${ITEMS:-1000000} KILLS=${KILLS:-20} exec bash "$(dirname "$0")/../e2e/10_kill.sh" "$1"
