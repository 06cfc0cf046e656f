/* The functions of processor.h for x86-64. */

#include "processor.h"

int32_t __tw_processor = -1;

static void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *registers)
{
    __asm__ volatile("cpuid"
                     : "=a"(registers[TW_EAX]), "=b"(registers[TW_EBX]), "=c"(registers[TW_ECX]),
                       "=d"(registers[TW_EDX])
                     : "a"(leaf), "c"(subleaf));
}

/* Return the low half of XCR0: the registers that the system saves; 0 without XGETBV. */
static uint32_t saved_registers(void)
{
    uint32_t registers[4], low, high;
    cpuid(1, 0, registers);
    if ((registers[TW_ECX] >> 27 & 1) == 0) /* OSXSAVE */
        return 0;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0)); /* xgetbv */
    return low;
}

static uint32_t value_at(const struct tw_mask *row)
{
    uint32_t registers[4];
    if (row->place == TW_XCR0)
        return saved_registers();
    /* For a leaf beyond the last one, processors return the values of another leaf. */
    cpuid(row->leaf & 0x80000000, 0, registers);
    if (registers[TW_EAX] < row->leaf)
        return 0;
    if (row->subleaf > 0) {
        cpuid(row->leaf, 0, registers);
        if (registers[TW_EAX] < row->subleaf)
            return 0;
    }
    cpuid(row->leaf, row->subleaf, registers);
    return registers[row->place];
}

static int32_t found(void)
{
    int32_t best = 0, lacking = 0;
    for (const struct tw_mask *row = tw_processor_masks; row->processor != 0; row++) {
        if ((value_at(row) & row->mask) != row->mask)
            lacking = row->processor;
        if (row[1].processor != row->processor && lacking != row->processor)
            best = row->processor;
    }
    return best;
}

int32_t tw_processor(void)
{
    /* Threads that find the number at the same time store the same number. */
    int32_t known = __atomic_load_n(&__tw_processor, __ATOMIC_RELAXED);
    if (known >= 0)
        return known;
    known = found();
    __atomic_store_n(&__tw_processor, known, __ATOMIC_RELAXED);
    return known;
}
