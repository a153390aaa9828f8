# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the version itself comes from git
renorm --version | sed -E 's/^renorm [0-9a-z][-+.0-9a-z]*$/renorm VERSION/'
