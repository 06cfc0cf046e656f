/* The start of a static program, and the functions of the C library that its parts call, on the
 * system calls of Linux: enough for entry.c, weights.c, pool.c and program.c, not more.
 *
 * The program is a static PIE without an interpreter, so `_start` applies its own relocations.
 * Nothing before that reads the global offset table. Threads have no thread-local memory.
 */

#define _GNU_SOURCE

#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

/* The values of the system's vector that `_start` needs, and of the tables of an ELF file. */
enum { AUX_HEADERS = 3, AUX_COUNT = 5, HEADERS_AT = 64, KIND_DYNAMIC = 2, RELA = 7, RELA_BYTES = 8 };

#if defined(__x86_64__)
enum { RELATIVE = 8 };
__asm__(".globl _start\n"
        ".hidden _start\n"
        "_start:\n"
        "    mov %rsp, %rdi\n"
        "    and $-16, %rsp\n"
        "    call tw_start\n");

static long call_system(long number, const long a[6])
{
    long result;
    register long fourth __asm__("r10") = a[3];
    register long fifth __asm__("r8") = a[4];
    register long sixth __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth),
                     "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}

/* tw_spawn(flags, stack): clone; the new thread calls the function on its stack. */
__asm__(".hidden tw_spawn\n"
        "tw_spawn:\n"
        "    mov $56, %eax\n"
        "    xor %edx, %edx\n"
        "    xor %r10d, %r10d\n"
        "    xor %r8d, %r8d\n"
        "    syscall\n"
        "    test %rax, %rax\n"
        "    jnz 1f\n"
        "    xor %ebp, %ebp\n"
        "    pop %rax\n"
        "    pop %rdi\n"
        "    call *%rax\n"
        "    mov $60, %eax\n"
        "    xor %edi, %edi\n"
        "    syscall\n"
        "1:  ret\n");
#elif defined(__aarch64__)
enum { RELATIVE = 1027 };
__asm__(".globl _start\n"
        ".hidden _start\n"
        "_start:\n"
        "    mov x0, sp\n"
        "    and sp, x0, #-16\n"
        "    bl tw_start\n");

static long call_system(long number, const long a[6])
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a[0];
    register long x1 __asm__("x1") = a[1];
    register long x2 __asm__("x2") = a[2];
    register long x3 __asm__("x3") = a[3];
    register long x4 __asm__("x4") = a[4];
    register long x5 __asm__("x5") = a[5];
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

__asm__(".hidden tw_spawn\n"
        "tw_spawn:\n"
        "    mov x8, #220\n"
        "    mov x2, xzr\n"
        "    mov x3, xzr\n"
        "    mov x4, xzr\n"
        "    svc #0\n"
        "    cbnz x0, 1f\n"
        "    ldp x1, x0, [sp], #16\n"
        "    blr x1\n"
        "    mov x8, #93\n"
        "    mov x0, xzr\n"
        "    svc #0\n"
        "1:  ret\n");
#else
enum { RELATIVE = 3 };
__asm__(".globl _start\n"
        ".hidden _start\n"
        "_start:\n"
        "    mv a0, sp\n"
        "    andi sp, sp, -16\n"
        "    call tw_start\n");

static long call_system(long number, const long a[6])
{
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = a[0];
    register long a1 __asm__("a1") = a[1];
    register long a2 __asm__("a2") = a[2];
    register long a3 __asm__("a3") = a[3];
    register long a4 __asm__("a4") = a[4];
    register long a5 __asm__("a5") = a[5];
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
                     : "memory");
    return a0;
}

__asm__(".hidden tw_spawn\n"
        "tw_spawn:\n"
        "    li a7, 220\n"
        "    mv a2, zero\n"
        "    mv a3, zero\n"
        "    mv a4, zero\n"
        "    ecall\n"
        "    bnez a0, 1f\n"
        "    ld a1, 0(sp)\n"
        "    ld a0, 8(sp)\n"
        "    addi sp, sp, 16\n"
        "    jalr a1\n"
        "    li a7, 93\n"
        "    mv a0, zero\n"
        "    ecall\n"
        "1:  ret\n");
#endif

long tw_spawn(unsigned long flags, void *stack) TW_HIDDEN;
void tw_start(uint64_t *stack) TW_HIDDEN;

static long system_call(long number, long a, long b, long c)
{
    return call_system(number, (const long[6]){a, b, c, 0, 0, 0});
}

/* ---- start ----------------------------------------------------------------------------------- */

struct header {
    uint32_t kind, flags;
    uint64_t offset, address, physical, size, memory, alignment;
};

struct relocation {
    uint64_t offset, kind;
    int64_t addend;
};

/* Add the address of the program to all words that hold addresses in it. */
static void relocate(const struct header *headers, uint64_t count)
{
    char *base = (char *)(uintptr_t)headers - HEADERS_AT;
    const uint64_t *rows = NULL, *table = NULL;
    uint64_t bytes = 0;
    for (uint64_t index = 0; index < count; index++)
        if (headers[index].kind == KIND_DYNAMIC)
            rows = (const uint64_t *)(void *)(base + headers[index].address);
    for (; rows != NULL && rows[0] != 0; rows += 2) {
        if (rows[0] == RELA)
            table = (const uint64_t *)(void *)(base + rows[1]);
        if (rows[0] == RELA_BYTES)
            bytes = rows[1];
    }
    const struct relocation *each = (const void *)table;
    for (uint64_t index = 0; index < bytes / sizeof *each; index++)
        if (each[index].kind == RELATIVE)
            *(uint64_t *)(void *)(base + each[index].offset)
                = (uint64_t)(uintptr_t)base + (uint64_t)each[index].addend;
}

/* Run the program on the stack that the system has made: arguments, environment, vector. */
void tw_start(uint64_t *stack)
{
    int argc = (int)stack[0];
    char **argv = (char **)(void *)(stack + 1);
    uint64_t *vector = stack + 2 + argc;
    while (*vector != 0)
        vector++;
    const struct header *headers = NULL;
    uint64_t count = 0;
    for (vector++; vector[0] != 0; vector += 2) {
        if (vector[0] == AUX_HEADERS)
            headers = (const struct header *)(uintptr_t)vector[1];
        if (vector[0] == AUX_COUNT)
            count = vector[1];
    }
    relocate(headers, count);
    long status = tw_program(argc, argv);
    for (;;)
        system_call(SYS_exit_group, status, 0, 0);
}

/* ---- memory and texts ------------------------------------------------------------------------ */

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    char *target = to;
    const char *source = from;
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory");
#else
    for (; bytes >= 8; bytes -= 8, target += 8, source += 8)
        *(uint64_t *)(void *)target = *(const uint64_t *)(const void *)source;
    while (bytes-- > 0)
        *target++ = *source++;
#endif
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    char *target = to;
    const char *source = from;
    if (target <= source || target >= source + bytes)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        target[bytes] = source[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    char *target = to;
#if defined(__x86_64__)
    __asm__ volatile("rep stosb" : "+D"(target), "+c"(bytes) : "a"(value) : "memory");
#else
    while (bytes-- > 0)
        *target++ = (char)value;
#endif
    return to;
}

int memcmp(const void *one, const void *other, size_t bytes)
{
    const unsigned char *a = one, *b = other;
    for (; bytes > 0; bytes--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    return length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    return memcpy(to, from, strlen(from) + 1);
}

size_t strcspn(const char *text, const char *ends)
{
    size_t length = 0;
    for (; text[length] != '\0'; length++)
        for (const char *end = ends; *end != '\0'; end++)
            if (text[length] == *end)
                return length;
    return length;
}

/* Of hexadecimal digits, as in the maps of a process. */
unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    unsigned long long value = 0;
    for (;; text++) {
        int digit = *text >= '0' && *text <= '9' ? *text - '0' : *text - 'a' + 10;
        if (digit < 0 || digit >= base)
            break;
        value = value * (unsigned)base + (unsigned)digit;
    }
    *end = (char *)(uintptr_t)text;
    return value;
}

/* Each block is a mapping of its own; its size is before it. */
void *aligned_alloc(size_t alignment, size_t bytes)
{
    enum { PAGE = 4096 };
    if (alignment > PAGE || bytes > SIZE_MAX - 2 * PAGE)
        return NULL;
    size_t whole = bytes + PAGE;
    char *start = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    *(size_t *)(void *)start = whole;
    return start + PAGE;
}

void free(void *block)
{
    enum { PAGE = 4096 };
    if (block == NULL)
        return;
    char *start = (char *)block - PAGE;
    munmap(start, *(size_t *)(void *)start);
}

/* A text of limited length, to which the conversions of snprintf append. */
struct text {
    char *start;
    size_t room, length;
};

static void append(struct text *text, char letter)
{
    if (text->length + 1 < text->room)
        text->start[text->length] = letter;
    text->length++;
}

static void append_number(struct text *text, unsigned long long value, unsigned base)
{
    char digits[24];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (count > 0)
        append(text, digits[--count]);
}

static void append_signed(struct text *text, long long value)
{
    if (value < 0)
        append(text, '-');
    append_number(text, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, 10);
}

/* Take %s, %.600s, %d, %lld, %llu and %#llx. */
int snprintf(char *restrict start, size_t room, const char *restrict format, ...)
{
    struct text text = {start, room, 0};
    va_list values;
    va_start(values, format);
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            append(&text, *format);
            continue;
        }
        size_t most = SIZE_MAX;
        bool is_long = false;
        for (format++; strcspn("sdux", (const char[]){*format, '\0'}) == 4; format++) {
            if (*format == '.')
                most = 0;
            if (*format >= '0' && *format <= '9')
                most = most * 10 + (size_t)(*format - '0');
            is_long = is_long || *format == 'l';
        }
        if (*format == 's') {
            const char *value = va_arg(values, const char *);
            for (size_t index = 0; index < most && value[index] != '\0'; index++)
                append(&text, value[index]);
        } else if (*format == 'd') {
            append_signed(&text, is_long ? va_arg(values, long long) : va_arg(values, int));
        } else if (*format == 'u') {
            append_number(&text, va_arg(values, unsigned long long), 10);
        } else {
            append(&text, '0');
            append(&text, 'x');
            append_number(&text, va_arg(values, unsigned long long), 16);
        }
    }
    va_end(values);
    if (room > 0)
        start[text.length < room ? text.length : room - 1] = '\0';
    return (int)text.length;
}

/* ---- files ----------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...)
{
    va_list values;
    va_start(values, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(values, int) : 0;
    va_end(values);
    long file = call_system(
        SYS_openat, (const long[6]){AT_FDCWD, (long)(intptr_t)path, flags, mode, 0, 0});
    return file < 0 ? -1 : (int)file;
}

ssize_t read(int file, void *to, size_t bytes)
{
    return system_call(SYS_read, file, (long)(intptr_t)to, (long)bytes);
}

ssize_t write(int file, const void *from, size_t bytes)
{
    return system_call(SYS_write, file, (long)(intptr_t)from, (long)bytes);
}

off_t lseek(int file, off_t offset, int from)
{
    return system_call(SYS_lseek, file, offset, from);
}

int close(int file) { return (int)system_call(SYS_close, file, 0, 0); }

void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
    const long arguments[6] = {(long)(intptr_t)at, (long)bytes, access, flags, file, offset};
    long start = call_system(SYS_mmap, arguments);
    return start < 0 && start > -4096 ? MAP_FAILED : (void *)(intptr_t)start;
}

int munmap(void *start, size_t bytes)
{
    return (int)system_call(SYS_munmap, (long)(intptr_t)start, (long)bytes, 0);
}

/* The one stream, which weights.c reads line by line. */
static struct {
    int file;
    ssize_t at, count;
    char buffer[4096];
} stream;

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    (void)mode;
    stream.file = open(path, O_RDONLY | O_CLOEXEC);
    stream.at = stream.count = 0;
    return stream.file < 0 ? NULL : (FILE *)(void *)&stream;
}

int fclose(FILE *file)
{
    (void)file;
    return close(stream.file);
}

char *fgets(char *restrict line, int room, FILE *restrict file)
{
    (void)file;
    int length = 0;
    while (length < room - 1 && (length == 0 || line[length - 1] != '\n')) {
        if (stream.at == stream.count) {
            stream.count = read(stream.file, stream.buffer, sizeof stream.buffer);
            stream.at = 0;
        }
        if (stream.count <= 0)
            break;
        line[length++] = stream.buffer[stream.at++];
    }
    line[length] = '\0';
    return length == 0 ? NULL : line;
}

/* ---- threads --------------------------------------------------------------------------------- */

long syscall(long number, ...)
{
    long arguments[6];
    va_list values;
    va_start(values, number);
    for (int index = 0; index < 6; index++)
        arguments[index] = va_arg(values, long);
    va_end(values);
    return call_system(number, arguments);
}

/* Start a thread that runs until the program ends. */
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict options,
    void *(*function)(void *), void *restrict argument)
{
    enum { STACK_BYTES = 1 << 20, NO_THREAD = 11 };
    (void)options;
    char *stack = mmap(
        NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return NO_THREAD;
    void **top = (void **)(void *)(stack + STACK_BYTES) - 2;
    *(void *(**)(void *))(void *)&top[0] = function;
    top[1] = argument;
    *thread = 0;
    const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    return tw_spawn(flags, top) < 0 ? NO_THREAD : 0;
}

int pthread_detach(pthread_t thread)
{
    (void)thread;
    return 0;
}
