# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the program is position independent, its tables of functions are read-only once it runs, and no function
# of a library can be taken for one of ours that has its name
bin=$(readlink -f "$(command -v renorm)")
readelf -hW "$bin" | grep -o 'DYN '
readelf -lW "$bin" | grep -o GNU_RELRO
readelf -dW "$bin" | grep -ow NOW
nm -D --defined-only "$bin" | grep ' T [^_]' || echo "no function of ours is seen"
