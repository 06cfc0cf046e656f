/* The functions of machine.h, for each instruction set. Each is inlined where it is called. */

#include <sys/syscall.h>

#include "machine.h"

long tw_futex_number(void) { return SYS_futex; }

#ifndef SYS_clock_gettime /* 32-bit systems name it after the size of the seconds. */
#define SYS_clock_gettime SYS_clock_gettime32
#endif

long tw_clock_number(void) { return SYS_clock_gettime; }

#if defined(__x86_64__) || defined(__i386__)

/* The time stamp counter runs at the nominal frequency, 2 to 4 GHz: 60 to 125 us. */
uint64_t tw_spin_ticks(void) { return 250000; }

void tw_relax(void) { __builtin_ia32_pause(); }

uint64_t tw_ticks_after(uint64_t before)
{
    (void)before;
    return __builtin_ia32_rdtsc();
}

#else

/* Some systems forbid user code to read a cycle counter, so a tick is one iteration of the spin
 * loop, 5 to 20 ns. */
uint64_t tw_spin_ticks(void) { return 8000; }

uint64_t tw_ticks_after(uint64_t before) { return before + 1; }

#if defined(__aarch64__)

#include <arm_acle.h>

void tw_relax(void) { __yield(); }

#else

/* The pause hint of RISC-V (Zihintpause) is not in the base profile, so this only preserves the
 * spin loop. */
void tw_relax(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#endif
#endif
