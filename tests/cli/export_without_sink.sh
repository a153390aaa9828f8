# SPDX-License-Identifier: MIT
# shellcheck shell=bash
renorm export
