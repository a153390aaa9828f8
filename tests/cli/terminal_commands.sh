# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# an error message quotes a name, and sends none of its commands to the terminal
renorm export "$(printf 'no\033[2J\302\2332J\342\200\256such')" out -m model.json
