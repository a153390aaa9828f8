/* SPDX-License-Identifier: MIT */
/*
 * Other users of the machine can read the words of the command line (ps, /proc/PID/cmdline). So
 * passwords in connection strings are overwritten there, and renorm works with copies.
 */
#ifndef CMD_SECRET_ARGS_H
#define CMD_SECRET_ARGS_H

#include <stdbool.h>

/*
 * Returns owned copies of the words, NULL-ended (secret_args_free), and overwrites every password
 * in the words themselves; *any says whether there was one. NULL when out of memory: then the words
 * are as they were.
 */
char **secret_args_take(int argc, char **argv, bool *any);

/* Overwrites the passwords in a word, or in a text that quotes such words. True: an address had one. */
bool secret_args_hide(char *text);

/* Overwrites the copies, then frees them. */
void secret_args_free(char **args);

#endif
