/* The interfaces inside a static program: its start in assembly (start-*.S), the functions of the C
 * library (bare.c), and its main function (program.c). */

#ifndef TILEWRIGHT_PROGRAM_H
#define TILEWRIGHT_PROGRAM_H

#include <stddef.h>

#include "bindings.h"

/* ---- start-*.S ------------------------------------------------------------------------------- */

/* Start a thread by the system call `clone`. On the new thread's stack lie a function and its
 * argument. Return a number that is negative after an error. */
long tw_spawn(unsigned long flags, void *stack) TW_HIDDEN;

/* The system call `arch_prctl` of x86-64; -1 on other machines. */
long tw_arch_prctl(long code, unsigned long argument) TW_HIDDEN;

/* ---- bare.c ---------------------------------------------------------------------------------- */

/* Run the program. stack: where the system has put arguments, environment and vector. relative: the
 * kind of a relocation that adds the address of the program. */
void tw_start(uint64_t *stack, uint64_t relative) TW_HIDDEN;

/* Print as snprintf does, with arguments in an array of words. */
int tw_print(char *start, size_t room, const char *format, const int64_t *values) TW_HIDDEN;

/* ---- program.c ------------------------------------------------------------------------------- */

/* Run the model on files; return the exit code. */
int tw_program(int argc, char **argv) TW_HIDDEN;

/* What the export adds: for each dimension of each output, the position of its actual size among
 * those that depend on data, or -1. A file with several programs has these of each. */
extern const int32_t tw_entries[] TW_HIDDEN;

/* What the export adds: 1 if the code uses the tile registers of AMX, else 0. */
extern const int32_t tw_uses_tiles[] TW_HIDDEN;

#endif
