/* What the worker pool needs of the instruction set: a hint and a clock for spin loops. */

#ifndef TILEWRIGHT_MACHINE_H
#define TILEWRIGHT_MACHINE_H

#include <stdint.h>

#if defined(__x86_64__)

/* The time stamp counter runs at the nominal frequency, 2 to 4 GHz: 60 to 125 us. */
enum { SPIN_TICKS = 250000 };

static inline void relax(void) { __builtin_ia32_pause(); }

static inline uint64_t ticks_after(uint64_t before)
{
    (void)before;
    return __builtin_ia32_rdtsc();
}

#else

/* Some systems forbid user code to read a cycle counter, so a tick is one iteration of the spin
 * loop, 5 to 20 ns. */
enum { SPIN_TICKS = 8000 };

static inline uint64_t ticks_after(uint64_t before) { return before + 1; }

#if defined(__aarch64__)

#include <arm_acle.h>

static inline void relax(void) { __yield(); }

#else

/* The pause hint of RISC-V (Zihintpause) is not in the base profile, so this only preserves the
 * spin loop. */
static inline void relax(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#endif
#endif

#endif
