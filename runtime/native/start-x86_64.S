# The start of a static program on x86-64, and what its C library (bare.c) needs in assembly.

    .text

# The stack has the arguments; a relocation of kind 8, R_X86_64_RELATIVE, adds the program's address.
    .globl _start
    .hidden _start
_start:
    mov %rsp, %rbx
    and $-16, %rsp
    mov %rbx, %rdi
    mov $8, %esi
    call tw_relocate
    mov (%rbx), %edi
    lea 8(%rbx), %rsi
    call tw_program
    mov %eax, %edi
    call _exit

# System calls by their numbers in <asm/unistd_64.h>. An error, -4095 to -1, becomes -1.
    .macro SYSTEM name, number
    .globl \name
\name:
    mov $\number, %eax
    jmp system
    .endm

    SYSTEM read, 0
    SYSTEM write, 1
    SYSTEM open, 2
    SYSTEM close, 3
    SYSTEM lseek, 8
    SYSTEM mmap, 9
    SYSTEM munmap, 11
    .hidden tw_arch_prctl
    SYSTEM tw_arch_prctl, 158
    SYSTEM sched_getaffinity, 204
    SYSTEM _exit, 231

    .globl syscall
syscall:
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    mov %r8, %rcx
    mov %r9, %r8
    mov 8(%rsp), %r9
system:
    mov %rcx, %r10
    syscall
    cmp $-4096, %rax
    jbe 1f
    mov $-1, %rax
1:  ret

# clone(flags, stack, 0, 0, 0); the new thread takes a function and its argument from its stack.
    .globl tw_spawn
    .hidden tw_spawn
tw_spawn:
    mov $56, %eax
    xor %edx, %edx
    xor %r10d, %r10d
    xor %r8d, %r8d
    syscall
    test %rax, %rax
    jnz 1f
    xor %ebp, %ebp
    pop %rax
    pop %rdi
    call *%rax
    mov $60, %eax
    xor %edi, %edi
    syscall
1:  ret

# Move the return address away, so that the arguments in registers precede those on the stack.
    .globl snprintf
snprintf:
    pop %rax
    push %r9
    push %r8
    push %rcx
    mov %rsp, %rcx
    push %rax
    call tw_print
    pop %rcx
    add $24, %rsp
    jmp *%rcx

    .globl memcpy
memcpy:
    mov %rdi, %rax
    mov %rdx, %rcx
    rep movsb
    ret

    .globl memset
memset:
    mov %rdi, %r8
    mov %esi, %eax
    mov %rdx, %rcx
    rep stosb
    mov %r8, %rax
    ret

    .section .note.GNU-stack, "", @progbits
