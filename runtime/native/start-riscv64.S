# The start of a static program on RV64, and what its C library (bare.c) needs in assembly.

    .option norelax
    .text

# The stack has the arguments; a relocation of kind 3, R_RISCV_RELATIVE, adds the program's address.
    .globl _start
    .hidden _start
_start:
    mv s0, sp
    andi sp, sp, -16
    mv a0, s0
    li a1, 3
    call tw_relocate
    lw a0, 0(s0)
    addi a1, s0, 8
    call tw_program
    call _exit

# System calls by their numbers in <asm-generic/unistd.h>. An error, -4095 to -1, becomes -1.
    .macro SYSTEM name, number
    .globl \name
\name:
    li a7, \number
    j system
    .endm

    SYSTEM close, 57
    SYSTEM lseek, 62
    SYSTEM read, 63
    SYSTEM write, 64
    SYSTEM _exit, 94
    SYSTEM sched_getaffinity, 123
    SYSTEM munmap, 215
    SYSTEM mmap, 222

# openat(AT_FDCWD, path, flags, mode)
    .globl open
open:
    mv a3, a2
    mv a2, a1
    mv a1, a0
    li a0, -100
    li a7, 56
    j system

    .globl syscall
syscall:
    mv a7, a0
    mv a0, a1
    mv a1, a2
    mv a2, a3
    mv a3, a4
    mv a4, a5
    mv a5, a6
system:
    ecall
    li t0, -4096
    bleu a0, t0, 1f
    li a0, -1
1:  ret

    .globl tw_arch_prctl
    .hidden tw_arch_prctl
tw_arch_prctl:
    li a0, -1
    ret

# clone(flags, stack, 0, 0, 0); the new thread takes a function and its argument from its stack.
    .globl tw_spawn
    .hidden tw_spawn
tw_spawn:
    li a7, 220
    mv a2, zero
    mv a3, zero
    mv a4, zero
    ecall
    bnez a0, 1f
    ld a1, 0(sp)
    ld a0, 8(sp)
    addi sp, sp, 16
    jalr a1
    li a7, 93
    mv a0, zero
    ecall
1:  ret

# Store the arguments in registers in front of those on the stack.
    .globl snprintf
snprintf:
    addi sp, sp, -48
    sd ra, 0(sp)
    sd a3, 8(sp)
    sd a4, 16(sp)
    sd a5, 24(sp)
    sd a6, 32(sp)
    sd a7, 40(sp)
    addi a3, sp, 8
    call tw_print
    ld ra, 0(sp)
    addi sp, sp, 48
    ret

# Words, if both addresses are aligned, then bytes.
    .globl memcpy
memcpy:
    mv a3, a0
    or a4, a0, a1
    andi a4, a4, 7
    bnez a4, 2f
    li a5, 8
1:  bltu a2, a5, 2f
    ld a4, 0(a1)
    sd a4, 0(a3)
    addi a1, a1, 8
    addi a3, a3, 8
    addi a2, a2, -8
    j 1b
2:  beqz a2, 3f
    lbu a4, 0(a1)
    sb a4, 0(a3)
    addi a1, a1, 1
    addi a3, a3, 1
    addi a2, a2, -1
    j 2b
3:  ret

    .globl memset
memset:
    mv a3, a0
    beqz a2, 2f
1:  sb a1, 0(a3)
    addi a3, a3, 1
    addi a2, a2, -1
    bnez a2, 1b
2:  ret

    .section .note.GNU-stack, "", %progbits
