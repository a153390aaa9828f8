#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The kill, fence and crash scenarios of the PostgreSQL suite at full size: SIGKILL of the loader at
# 20 moments and a stop of the server at 10, in each mode.
KILLS=${KILLS:-20} CRASHES=${CRASHES:-10} SCALE=full LIMIT=${LIMIT:-7200} \
    exec "$(dirname "$0")/../pg/run.sh" "$1" kill fence crash
