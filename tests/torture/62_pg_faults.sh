#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many system calls of a load into PostgreSQL fail, or kill it.
FAULTS=${FAULTS:-1500} exec bash "$(dirname "$0")/../pg/43_faults.sh" "$1"
