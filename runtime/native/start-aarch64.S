// The start of a static program on AArch64, and what its C library (bare.c) needs in assembly.

    .text

// The stack has the arguments; a relocation of kind 1027, R_AARCH64_RELATIVE, adds the program's
// address.
    .globl _start
    .hidden _start
_start:
    mov x19, sp
    mov x0, x19
    and sp, x0, #-16
    mov x1, #1027
    bl tw_relocate
    ldr w0, [x19]
    add x1, x19, #8
    bl tw_program
    bl _exit

// System calls by their numbers in <asm-generic/unistd.h>. An error, -4095 to -1, becomes -1.
    .macro SYSTEM name, number
    .globl \name
\name:
    mov x8, #\number
    b system
    .endm

    SYSTEM close, 57
    SYSTEM lseek, 62
    SYSTEM read, 63
    SYSTEM write, 64
    SYSTEM _exit, 94
    SYSTEM sched_getaffinity, 123
    SYSTEM munmap, 215
    SYSTEM mmap, 222

// openat(AT_FDCWD, path, flags, mode)
    .globl open
open:
    mov x3, x2
    mov x2, x1
    mov x1, x0
    mov x0, #-100
    mov x8, #56
    b system

    .globl syscall
syscall:
    mov x8, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    mov x3, x4
    mov x4, x5
    mov x5, x6
system:
    svc #0
    cmn x0, #4095
    b.lo 1f
    mov x0, #-1
1:  ret

    .globl tw_arch_prctl
    .hidden tw_arch_prctl
tw_arch_prctl:
    mov x0, #-1
    ret

// clone(flags, stack, 0, 0, 0); the new thread takes a function and its argument from its stack.
    .globl tw_spawn
    .hidden tw_spawn
tw_spawn:
    mov x8, #220
    mov x2, xzr
    mov x3, xzr
    mov x4, xzr
    svc #0
    cbnz x0, 1f
    ldp x1, x0, [sp], #16
    blr x1
    mov x8, #93
    mov x0, xzr
    svc #0
1:  ret

// Store the arguments in registers in front of those on the stack.
    .globl snprintf
snprintf:
    sub sp, sp, #48
    str x30, [sp]
    stp x3, x4, [sp, #8]
    stp x5, x6, [sp, #24]
    str x7, [sp, #40]
    add x3, sp, #8
    bl tw_print
    ldr x30, [sp]
    add sp, sp, #48
    ret

    .globl memcpy
memcpy:
    mov x3, x0
1:  subs x2, x2, #16
    b.lo 2f
    ldp x4, x5, [x1], #16
    stp x4, x5, [x3], #16
    b 1b
2:  adds x2, x2, #16
    b.eq 4f
3:  ldrb w4, [x1], #1
    strb w4, [x3], #1
    subs x2, x2, #1
    b.ne 3b
4:  ret

    .globl memset
memset:
    mov x3, x0
    cbz x2, 2f
1:  strb w1, [x3], #1
    subs x2, x2, #1
    b.ne 1b
2:  ret

    .section .note.GNU-stack, "", %progbits
