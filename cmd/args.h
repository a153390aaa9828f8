/* SPDX-License-Identifier: MIT */
/*
 * The words of the command line, taken out of the memory that other users of the machine can read
 * (ps, /proc/PID/cmdline): passwords in connection strings are blotted out there.
 */
#ifndef CMD_ARGS_H
#define CMD_ARGS_H

/*
 * Returns owned copies of the words, NULL-ended (args_free), and overwrites every password in the
 * words themselves. NULL when memory is short: then they are as they were.
 */
char **args_take(int argc, char **argv);

/* Overwrites the copies, then frees them. */
void args_free(char **args);

#endif
