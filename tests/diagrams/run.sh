#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tables of models as text for other tools, read by these tools. Usage: run.sh BIN [NAME-PART...]
exec "$(dirname "$0")/../scenarios.sh" diagrams "$@"
