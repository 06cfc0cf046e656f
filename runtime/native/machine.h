/* The operations of the worker pool and the timer that differ between instruction sets. machine.c
 * defines them; codegen/prelude/ has its code for each instruction set, which LLVM inlines. */

#ifndef TILEWRIGHT_MACHINE_H
#define TILEWRIGHT_MACHINE_H

#include <stdint.h>

#include "packed.h"

/* Hint that the thread waits in a spin loop. */
void tw_relax(void) TW_HIDDEN;

/* Return the clock of spin loops; before: its last value, or UINT64_MAX. */
uint64_t tw_ticks_after(uint64_t before) TW_HIDDEN;

/* Return the ticks that a thread spins before it sleeps. */
uint64_t tw_spin_ticks(void) TW_HIDDEN;

/* Return the numbers of the system calls `futex` and `clock_gettime`. */
long tw_futex_number(void) TW_HIDDEN;
long tw_clock_number(void) TW_HIDDEN;

#endif
