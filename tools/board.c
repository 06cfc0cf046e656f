/* Runs a model of C source once on a Cortex-M processor that QEMU emulates, without a C library.
 *
 * Files of the host, through semihosting: inputs.bin holds the inputs one after the other, and
 * outputs.bin gets the outputs, then four numbers of 32 bits: the status of the model, the ticks of
 * the clock during the call, and the bytes that the call wrote at the end of the stack and at the
 * start of the arena. The program is linked with the model and with call.c, which tools/boards.py
 * writes.
 */
#include <stddef.h>
#include <stdint.h>

struct array {
    void *data;
    uint32_t bytes;
};
extern const struct array inputs[], outputs[];
extern const uint32_t input_count, output_count;
extern int call_model(void);
extern uint32_t stack_top[], stack_end[], bss_start[], bss_end[], arena_start[], arena_end[];

enum { OPEN = 1, WRITE = 5, READ = 6, EXIT = 0x20, READ_MODE = 1, WRITE_MODE = 5 };
enum { PATTERN = 0xA5A5A5A5u, EXITED = 0x20026, MOST_TICKS = 0xFFFFFF };
#define CLOCK ((volatile uint32_t *)0xE000E010)

static int semihost(int operation, const void *arguments)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void quit(uint32_t status)
{
    const uint32_t block[2] = {EXITED, status};
    semihost(EXIT, block);
    for (;;)
        __asm__ volatile("");
}

static uint32_t opened(const char *name, uint32_t length, uint32_t mode)
{
    const uint32_t block[3] = {(uint32_t)name, mode, length};
    const int handle = semihost(OPEN, block);
    if (handle < 0)
        quit(90);
    return (uint32_t)handle;
}

static void transfer(int operation, uint32_t file, const void *data, uint32_t bytes)
{
    const uint32_t block[3] = {file, (uint32_t)data, bytes};
    if (bytes != 0 && semihost(operation, block) != 0)
        quit(91);
}

/* The functions that compilers call; volatile, or they would become calls of themselves. */
static void copy(volatile unsigned char *target, const unsigned char *source, size_t count)
{
    for (size_t n = 0; n < count; n++)
        target[n] = source[n];
}

static void fill(volatile unsigned char *target, int value, size_t count)
{
    for (size_t n = 0; n < count; n++)
        target[n] = (unsigned char)value;
}

void *memcpy(void *target, const void *source, size_t count)
{
    copy(target, source, count);
    return target;
}

void *memset(void *target, int value, size_t count)
{
    fill(target, value, count);
    return target;
}

#define COPY(name) \
    void name(void *target, const void *source, size_t count) { copy(target, source, count); }
#define CLEAR(name) void name(void *target, size_t count) { fill(target, 0, count); }
#define FILL(name) \
    void name(void *target, size_t count, int value) { fill(target, value, count); }
COPY(__aeabi_memcpy) COPY(__aeabi_memcpy4) COPY(__aeabi_memcpy8)
CLEAR(__aeabi_memclr) CLEAR(__aeabi_memclr4) CLEAR(__aeabi_memclr8)
FILL(__aeabi_memset) FILL(__aeabi_memset4) FILL(__aeabi_memset8)

float sqrtf(float x) { return __builtin_sqrtf(x); }

static inline __attribute__((always_inline)) void paint(volatile uint32_t *word, volatile uint32_t *end)
{
    while (word < end)
        *word++ = PATTERN;
}

/* Call the model with a pattern in the stack and in the arena; count the bytes that it replaces. */
static __attribute__((noinline)) void measured_call(uint32_t results[4])
{
    volatile uint32_t *lowest = stack_end, *last = arena_end;
    uint32_t stack;
    __asm__ volatile("mov %0, sp" : "=r"(stack));
    paint(stack_end, (volatile uint32_t *)stack);
    paint(arena_start, arena_end);
    CLOCK[1] = MOST_TICKS;
    CLOCK[2] = 0;
    CLOCK[0] = 5;
    results[0] = (uint32_t)call_model();
    results[1] = MOST_TICKS - CLOCK[2];
    while (*lowest == PATTERN)
        lowest++;
    while (last > arena_start && last[-1] == PATTERN)
        last--;
    results[2] = stack - (uint32_t)lowest;
    results[3] = (uint32_t)last - (uint32_t)arena_start;
}

__attribute__((used)) static void run(void)
{
    for (volatile uint32_t *word = bss_start; word < bss_end; word++)
        *word = 0;
    uint32_t results[4], file = opened("inputs.bin", 10, READ_MODE);
    for (uint32_t n = 0; n < input_count; n++)
        transfer(READ, file, inputs[n].data, inputs[n].bytes);
    measured_call(results);
    file = opened("outputs.bin", 11, WRITE_MODE);
    for (uint32_t n = 0; n < output_count; n++)
        transfer(WRITE, file, outputs[n].data, outputs[n].bytes);
    transfer(WRITE, file, results, sizeof results);
    quit(0);
}

__attribute__((used)) static void fault(void) { quit(99); }

/* Allow the instructions of floats and vectors before any C code. */
__attribute__((naked)) void reset(void)
{
    __asm__ volatile("ldr r0, =0xE000ED88\n"
                     "ldr r1, [r0]\n"
                     "orr r1, r1, #0xF00000\n"
                     "str r1, [r0]\n"
                     "dsb\n"
                     "isb\n"
                     "b run\n"
                     ".ltorg\n");
}

__attribute__((section(".vectors"), used)) const void *const vectors[16] = {
    stack_top, (const void *)reset, (const void *)fault, (const void *)fault};
