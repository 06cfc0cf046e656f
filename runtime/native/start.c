/* The start of a static program, and the part of its C library (bare.c) that depends on the
 * instruction set: system calls, new threads, and variable arguments. codegen/prelude/ has an object
 * of this file for each instruction set.
 */

#define _GNU_SOURCE

#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bare.h"
#include "program.h"
#include "snprintf.h"

/* For each instruction set:
 * RELATIVE: the kind of relocation that adds the address of the program to a word.
 * NUMBER, A to F: the registers of the number and of the arguments of a system call.
 * RESULT: which of their values is its result; a negative one of at least -4095 is an error.
 * CALL: its instruction.  CHANGED: the other registers that the system changes.
 * START: the instructions at `_start`, which pass the stack to `tw_begin`.
 * SPAWN: the system call `clone`, and in the new thread a call of the function on its stack.
 * Programs with addresses of 32 bits have one thread, and are linked to a fixed address. */
#if defined(__x86_64__)

enum { RELATIVE = 8 };
#define NUMBER "rax"
#define A "rdi"
#define B "rsi"
#define C "rdx"
#define D "r10"
#define E "r8"
#define F "r9"
#define RESULT number
#define CALL "syscall"
#define CHANGED "rcx", "r11"
#define START "mov %rsp, %rdi; and $-16, %rsp; call tw_begin"
#define SPAWN "syscall; test %%rax, %%rax; jnz 1f; xor %%ebp, %%ebp; pop %%rax; pop %%rdi;" \
              "call *%%rax; mov $60, %%eax; xor %%edi, %%edi; syscall; 1:"

#elif defined(__aarch64__)

enum { RELATIVE = 1027 };
#define NUMBER "x8"
#define A "x0"
#define B "x1"
#define C "x2"
#define D "x3"
#define E "x4"
#define F "x5"
#define RESULT a
#define CALL "svc #0"
#define CHANGED "cc"
#define START "mov x0, sp; and sp, x0, #-16; bl tw_begin"
#define SPAWN "svc #0; cbnz x0, 1f; ldp x1, x0, [sp], #16; blr x1; mov x8, #93; mov x0, #0;" \
              "svc #0; 1:"

#elif defined(__riscv)

enum { RELATIVE = 3 };
#define NUMBER "a7"
#define A "a0"
#define B "a1"
#define C "a2"
#define D "a3"
#define E "a4"
#define F "a5"
#define RESULT a
#define CALL "ecall"
#define CHANGED "cc"
#define START "mv a0, sp; andi sp, sp, -16; call tw_begin"
#define SPAWN "ecall; bnez a0, 1f; ld a1, 0(sp); ld a0, 8(sp); addi sp, sp, 16; jalr a1;" \
              "li a7, 93; li a0, 0; ecall; 1:"

#elif defined(__loongarch__)

enum { RELATIVE = 3 };
#define NUMBER "$a7"
#define A "$a0"
#define B "$a1"
#define C "$a2"
#define D "$a3"
#define E "$a4"
#define F "$a5"
#define RESULT a
#define CALL "syscall 0"
#define CHANGED "$t0", "$t1", "$t2", "$t3", "$t4", "$t5", "$t6", "$t7", "$t8"
#define START "move $a0, $sp; bstrins.d $sp, $zero, 3, 0; bl tw_begin"
#define SPAWN "syscall 0; bnez $a0, 1f; ld.d $a1, $sp, 0; ld.d $a0, $sp, 8; addi.d $sp, $sp, 16;" \
              "jirl $ra, $a1, 0; li.w $a7, 93; move $a0, $zero; syscall 0; 1:"

#elif defined(__powerpc64__)

/* An error is a positive number with a condition. r2 has the address of the table of contents. */
enum { RELATIVE = 22 };
#define NUMBER "r0"
#define A "r3"
#define B "r4"
#define C "r5"
#define D "r6"
#define E "r7"
#define F "r8"
#define RESULT a
#define CALL "sc; bns+ 1f; neg 3, 3; 1:"
#define CHANGED "r9", "r10", "r11", "r12", "cr0", "ctr"
#define START "mr 3, 1; clrrdi 1, 1, 4; bcl 20, 31, 1f; 1: mflr 12; addis 2, 12, .TOC.-1b@ha;" \
              "addi 2, 2, .TOC.-1b@l; li 0, 0; stdu 0, -64(1); bl tw_begin; nop"
#define SPAWN "sc; bso- 2f; cmpdi 3, 0; bne 1f; ld 12, 0(1); ld 3, 8(1); li 0, 0; stdu 0, -64(1);" \
              "mtctr 12; bctrl; li 0, 1; li 3, 0; sc; 2: neg 3, 3; 1:"

#elif defined(__s390x__)

enum { RELATIVE = 12 };
#define NUMBER "r1"
#define A "r2"
#define B "r3"
#define C "r4"
#define D "r5"
#define E "r6"
#define F "r7"
#define RESULT a
#define CALL "svc 0"
#define CHANGED "cc"
#define START "lgr %r2, %r15; aghi %r15, -160; brasl %r14, tw_begin"
#define SPAWN "svc 0; ltgr %%r2, %%r2; jnz 1f; lg %%r1, 0(%%r15); lg %%r2, 8(%%r15);" \
              "aghi %%r15, -160; basr %%r14, %%r1; lghi %%r1, 1; lghi %%r2, 0; svc 0; 1:"

#elif defined(__arm__)

#define NUMBER "r7"
#define A "r0"
#define B "r1"
#define C "r2"
#define D "r3"
#define E "r4"
#define F "r5"
#define RESULT a
#define CALL "svc #0"
#define CHANGED "cc"
#define START "mov r0, sp; bic sp, sp, #7; bl tw_begin"

#elif defined(__hexagon__)

#define NUMBER "r6"
#define A "r0"
#define B "r1"
#define C "r2"
#define D "r3"
#define E "r4"
#define F "r5"
#define RESULT a
#define CALL "trap0(#1)"
#define CHANGED "p0"
#define START "r0 = r29; r29 = and(r29, #-8); call tw_begin"

#endif

__asm__(".text\n.globl _start\n.hidden _start\n.type _start, %function\n_start: " START);

/* The instructions of a system call, on the variables `number` and `a` to `f`. */
#define SYSTEM(instructions) \
    __asm__ volatile(instructions : "+r"(number), "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), \
                     "+r"(f) : : "memory", CHANGED)

static long call(long which, long first, long second, long third, long fourth, long fifth, long sixth)
{
    enum { LEAST_ERROR = -4095 };
    register long number __asm__(NUMBER) = which, a __asm__(A) = first, b __asm__(B) = second;
    register long c __asm__(C) = third, d __asm__(D) = fourth, e __asm__(E) = fifth;
    register long f __asm__(F) = sixth;
    SYSTEM(CALL);
    return RESULT >= LEAST_ERROR && RESULT < 0 ? -1 : RESULT;
}

long tw_spawn(unsigned long flags, void *stack)
{
#if !defined(SPAWN)
    (void)flags;
    (void)stack;
    return -1;
#else
#if defined(__s390x__)
    long first = (long)(uintptr_t)stack, second = (long)flags;
#else
    long first = (long)flags, second = (long)(uintptr_t)stack;
#endif
    register long number __asm__(NUMBER) = SYS_clone, a __asm__(A) = first, b __asm__(B) = second;
    register long c __asm__(C) = 0, d __asm__(D) = 0, e __asm__(E) = 0, f __asm__(F) = 0;
    SYSTEM(SPAWN);
    return RESULT;
#endif
}

/* What `_start` calls. On the stack are the number of arguments and their addresses. */
void tw_begin(const uintptr_t *stack) TW_HIDDEN;

void tw_begin(const uintptr_t *stack)
{
#if UINTPTR_MAX == UINT64_MAX
    tw_relocate(stack, RELATIVE);
#endif
    _exit(tw_program((int)stack[0], (char **)(uintptr_t)(stack + 1)));
}

/* ---- system calls ---------------------------------------------------------------------------- */

#define ADDRESS(pointer) ((long)(uintptr_t)(pointer))

long syscall(long number, ...)
{
    long values[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; index++)
        values[index] = va_arg(list, long);
    va_end(list);
    return call(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(list, int) : 0;
    va_end(list);
    return (int)call(SYS_openat, AT_FDCWD, ADDRESS(path), flags, mode, 0, 0);
}

int close(int file) { return (int)call(SYS_close, file, 0, 0, 0, 0, 0); }

ssize_t read(int file, void *to, size_t bytes)
{
    return call(SYS_read, file, ADDRESS(to), (long)bytes, 0, 0, 0);
}

ssize_t write(int file, const void *from, size_t bytes)
{
    return call(SYS_write, file, ADDRESS(from), (long)bytes, 0, 0, 0);
}

off_t lseek(int file, off_t offset, int from)
{
#if UINTPTR_MAX == UINT64_MAX
    return call(SYS_lseek, file, offset, from, 0, 0, 0);
#else
    int64_t made = 0, wide = offset;
    long status = call(SYS__llseek, file, (long)(wide >> 32), (long)wide, ADDRESS(&made), from, 0);
    return status < 0 ? -1 : (off_t)made;
#endif
}

void *mmap(void *start, size_t bytes, int access, int flags, int file, off_t offset)
{
    enum { PAGE = 4096 };
    const long values[6] = {ADDRESS(start), (long)bytes, access, flags, file, offset};
#if defined(__s390x__)
    long made = call(SYS_mmap, ADDRESS(values), 0, 0, 0, 0, 0);
#elif UINTPTR_MAX != UINT64_MAX
    long made = call(SYS_mmap2, values[0], values[1], values[2], values[3], values[4], values[5] / PAGE);
#else
    long made = call(SYS_mmap, values[0], values[1], values[2], values[3], values[4], values[5]);
#endif
    return (void *)(uintptr_t)made; /* MAP_FAILED is -1 */
}

int munmap(void *start, size_t bytes)
{
    return (int)call(SYS_munmap, ADDRESS(start), (long)bytes, 0, 0, 0, 0);
}

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set)
{
    return (int)call(SYS_sched_getaffinity, process, (long)bytes, ADDRESS(set), 0, 0, 0);
}

void _exit(int status)
{
    for (;;)
        call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

long tw_arch_prctl(long code, unsigned long argument)
{
#if defined(SYS_arch_prctl)
    return call(SYS_arch_prctl, code, (long)argument, 0, 0, 0, 0);
#else
    (void)code;
    (void)argument;
    return -1;
#endif
}

/* ---- memory and texts ------------------------------------------------------------------------ */

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    enum { BLOCK = 16 };
    char *target = to;
    const char *source = from;
    for (; bytes >= BLOCK; bytes -= BLOCK, target += BLOCK, source += BLOCK)
        __builtin_memcpy_inline(target, source, BLOCK);
    while (bytes-- > 0)
        *target++ = *source++;
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    for (char *target = to; bytes > 0; bytes--)
        *target++ = (char)value;
    return to;
}
