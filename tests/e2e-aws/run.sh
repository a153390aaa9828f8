#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Scenarios against live tables: real servers and the simulator. Usage: run.sh BIN [NAME-PART...]
exec "$(dirname "$0")/../scenarios.sh" e2e-aws "$@"
