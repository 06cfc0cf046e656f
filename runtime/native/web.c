/* What a WebAssembly module has in place of a C library and of a loader: memory, snprintf, weights.
 *
 * The memory of a module starts with its stack and its constants, among them the weights. The heap
 * follows at `__heap_base`, which wasm-ld defines, and grows by whole pages. A module has one thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "entry.h"
#include "snprintf.h"

enum { PAGE_BYTES = 1 << 16, ALIGNMENT = 64 };

extern char __heap_base;

/* The weights of the model, which the exporter links with the module. */
extern const unsigned char tw_weights_data[] TW_HIDDEN;

/* ---- the heap ---------------------------------------------------------------------------------- */

/* A block: its bytes, with this header, are a multiple of ALIGNMENT. The memory that the block serves
 * starts ALIGNMENT bytes after the header. `next` is the next free block in the order of addresses. */
struct chunk {
    size_t bytes;
    struct chunk *next;
};

static struct chunk *free_chunks;
static char *heap_end; /* null before the first block */

/* Return a new block behind all others, or null if the memory cannot grow. */
static struct chunk *grown(size_t bytes)
{
    if (heap_end == NULL)
        heap_end = &__heap_base + (-(uintptr_t)&__heap_base & (ALIGNMENT - 1));
    uintptr_t end = (uintptr_t)heap_end + bytes;
    size_t pages = __builtin_wasm_memory_size(0);
    size_t wanted = end / PAGE_BYTES + (end % PAGE_BYTES != 0);
    if (end < bytes || (wanted > pages && __builtin_wasm_memory_grow(0, wanted - pages) == SIZE_MAX))
        return NULL;
    struct chunk *made = (struct chunk *)(void *)heap_end;
    made->bytes = bytes;
    heap_end = (char *)end;
    return made;
}

/* Return memory that is aligned to 64 bytes, or null. Take the first free block that is large enough,
 * and leave its rest free. */
void *aligned_alloc(size_t alignment, size_t bytes)
{
    if (alignment > ALIGNMENT || bytes > SIZE_MAX - 2 * ALIGNMENT)
        return NULL;
    size_t whole = (bytes + 2 * ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct chunk **at = &free_chunks;
    while (*at != NULL && (*at)->bytes < whole)
        at = &(*at)->next;
    struct chunk *found = *at;
    if (found == NULL)
        found = grown(whole);
    else if (found->bytes == whole)
        *at = found->next;
    else {
        struct chunk *rest = (struct chunk *)(void *)((char *)found + whole);
        rest->bytes = found->bytes - whole;
        rest->next = found->next;
        *at = rest;
        found->bytes = whole;
    }
    return found == NULL ? NULL : (char *)found + ALIGNMENT;
}

/* Join a free block with the one behind it, if they are neighbors. */
static void join(struct chunk *chunk)
{
    struct chunk *next = chunk->next;
    if (next == NULL || (char *)chunk + chunk->bytes != (char *)next)
        return;
    chunk->bytes += next->bytes;
    chunk->next = next->next;
}

void free(void *memory)
{
    if (memory == NULL)
        return;
    struct chunk *chunk = (struct chunk *)(void *)((char *)memory - ALIGNMENT);
    struct chunk *before = NULL, *next = free_chunks;
    for (; next != NULL && next < chunk; next = next->next)
        before = next;
    chunk->next = next;
    join(chunk);
    if (before == NULL)
        free_chunks = chunk;
    else {
        before->next = chunk;
        join(before);
    }
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes); /* the instruction memory.copy */
}

/* ---- what the back end of LLVM calls -------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

/* Return the product of two numbers of 128 bits: for checks that a product of 64 bits overflows. */
wide __multi3(wide a, wide b)
{
    const uint64_t mask = UINT32_MAX;
    uint64_t a_low = (uint64_t)a, b_low = (uint64_t)b;
    uint64_t low = (a_low & mask) * (b_low & mask);
    uint64_t first = (a_low >> 32) * (b_low & mask) + (low >> 32);
    uint64_t second = (a_low & mask) * (b_low >> 32) + (first & mask);
    uint64_t high = (a_low >> 32) * (b_low >> 32) + (first >> 32) + (second >> 32);
    high += (uint64_t)(a >> 64) * b_low + a_low * (uint64_t)(b >> 64);
    return (wide)high << 64 | (low & mask) | second << 32;
}

/* ---- errors --------------------------------------------------------------------------------------- */

/* The kind of the last error, such as "ValueError"; the message is in __tw_last_error. */
char tw_error_kind[32];

/* The function of the host that entry.c reports an error to. */
void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message)
{
    (void)message;
    size_t at = 0;
    for (; kind[at] != 0 && at + 1 < sizeof tw_error_kind; at++)
        tw_error_kind[at] = kind[at];
    tw_error_kind[at] = 0;
}

/* ---- what a host calls --------------------------------------------------------------------------- */

/* Return memory for arrays, or null. */
void *tw_allocate_memory(size_t bytes)
{
    return aligned_alloc(ALIGNMENT, bytes);
}

void tw_free_memory(void *memory)
{
    free(memory);
}

int32_t __tw_load_weights(void)
{
    __tw_weights = (void *)(uintptr_t)tw_weights_data;
    return 0;
}

void tw_unload_weights(void) { __tw_weights = NULL; }
