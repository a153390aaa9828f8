# SPDX-License-Identifier: MIT
# shellcheck shell=bash
renorm >usage
status=$?
head -n 1 usage
exit $status
