/* The functions of the C library that the parts of a static program call: enough for entry.c,
 * weights.c, pool.c, timer.c, executor.c and program.c, not more.
 *
 * The system calls, memcpy, memset and snprintf, whose arguments are variable, are in start.c. This
 * file is the same for all instruction sets. The program is a static PIE without an
 * interpreter, so its start calls `tw_relocate`. Nothing before that reads the global offset table.
 * Threads have no thread-local memory.
 */

#define _GNU_SOURCE

#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bare.h"

/* The values of the system's vector that `tw_relocate` needs, and of the tables of an ELF file. */
enum { AUX_HEADERS = 3, AUX_COUNT = 5, HEADERS_AT = 64, KIND_DYNAMIC = 2, RELA = 7, RELA_BYTES = 8 };

/* ---- start ----------------------------------------------------------------------------------- */

struct header {
    uint32_t kind, flags;
    uint64_t offset, address, physical, size, memory, alignment;
};

struct relocation {
    uint64_t offset, kind;
    int64_t addend;
};

void tw_relocate(const uint64_t *stack, uint64_t relative)
{
    const uint64_t *vector = stack + 2 + stack[0];
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
        if (each[index].kind == relative)
            *(uint64_t *)(void *)(base + each[index].offset)
                = (uint64_t)(uintptr_t)base + (uint64_t)each[index].addend;
}

/* ---- memory and texts ------------------------------------------------------------------------ */

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

/* The pages of a new mapping are zero. */
void *calloc(size_t count, size_t bytes)
{
    size_t whole;
    return __builtin_mul_overflow(count, bytes, &whole) ? NULL : aligned_alloc(1, whole);
}

void free(void *block)
{
    enum { PAGE = 4096 };
    if (block == NULL)
        return;
    char *start = (char *)block - PAGE;
    munmap(start, *(size_t *)(void *)start);
}

/* ---- files ----------------------------------------------------------------------------------- */

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
    /* Emulators of Linux require all flags that C libraries set. */
    const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD
        | CLONE_SYSVSEM;
    return tw_spawn(flags, top) < 0 ? NO_THREAD : 0;
}

int pthread_detach(pthread_t thread)
{
    (void)thread;
    return 0;
}
