#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The kill, fence and crash scenarios of the PostgreSQL suite at full size: SIGKILL of the loader at
# 20 moments, and an immediate stop of the server at 10 (and a clean one at 3), in each mode.
KILLS=${KILLS:-20} CRASHES=${CRASHES:-13} SCALE=full LIMIT=${LIMIT:-7200} \
    exec "$(dirname "$0")/../pg/run.sh" "$1" kill fence crash
