/* The functions of a static program below its C library: start.c, which depends on the instruction
 * set, and what it calls in bare.c. */

#ifndef TILEWRIGHT_BARE_H
#define TILEWRIGHT_BARE_H

#include <stddef.h>
#include <stdint.h>

#include "packed.h"

/* ---- start.c --------------------------------------------------------------------------------- */

/* Start a thread by the system call `clone`. On the new thread's stack lie a function and its
 * argument. Return a number that is negative after an error. */
long tw_spawn(unsigned long flags, void *stack) TW_HIDDEN;

/* The system call `arch_prctl` of x86-64; -1 on other machines. */
long tw_arch_prctl(long code, unsigned long argument) TW_HIDDEN;

/* ---- bare.c ---------------------------------------------------------------------------------- */

/* Add the address of the program to all words that hold addresses in it. stack: where the system has
 * put arguments, environment and vector. relative: the kind of relocation of such words. */
void tw_relocate(const uint64_t *stack, uint64_t relative) TW_HIDDEN;

#endif
