/* A plugin of QEMU that counts the instructions that a program executes. It writes their number to
 * QEMU's log when the program ends, and to a file of the program, as 8 bytes, little-endian, when the
 * program makes the system call COUNT_CALL, which Linux does not have, with the number of the file.
 *
 * The declarations are those of QEMU's plugin interface (docs/devel/tcg-plugins.rst of QEMU), whose
 * header is not installed with QEMU; they are the same in all versions of the interface. VERSION is
 * a version that QEMU accepts. A translation block is a sequence of instructions that QEMU
 * translates at once and executes as a whole.
 */

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { COUNT_CALL = 0x7457 };

struct qemu_plugin_tb;

extern void qemu_plugin_register_vcpu_tb_trans_cb(
    uint64_t id, void (*translated)(uint64_t id, struct qemu_plugin_tb *block));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_exec_cb(
    struct qemu_plugin_tb *block, void (*executed)(unsigned cpu, void *data), int flags, void *data);
extern void qemu_plugin_register_vcpu_syscall_cb(
    uint64_t id, void (*called)(uint64_t id, unsigned cpu, int64_t number, uint64_t first, uint64_t,
                     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
extern void qemu_plugin_register_atexit_cb(
    uint64_t id, void (*ended)(uint64_t id, void *data), void *data);
extern void qemu_plugin_outs(const char *text);

EXPORT int qemu_plugin_version = VERSION;

static uint64_t executed_instructions;

static void executed(unsigned cpu, void *instructions)
{
    (void)cpu;
    __atomic_fetch_add(&executed_instructions, (uintptr_t)instructions, __ATOMIC_RELAXED);
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    void *instructions = (void *)qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, instructions);
}

static void called(uint64_t id, unsigned cpu, int64_t number, uint64_t file, uint64_t b, uint64_t c,
    uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number != COUNT_CALL)
        return;
    uint8_t made[8];
    for (int at = 0; at < 8; at++)
        made[at] = (uint8_t)(executed_instructions >> 8 * at);
    if (write((int)file, made, sizeof made) < 0)
        return; /* the program reads nothing, then */
}

static void ended(uint64_t id, void *data)
{
    (void)id;
    (void)data;
    char text[24];
    size_t at = sizeof text - 2;
    uint64_t rest = executed_instructions;
    text[at] = '\n';
    text[at + 1] = '\0';
    do
        text[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    qemu_plugin_outs("instructions: ");
    qemu_plugin_outs(text + at);
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments)
{
    (void)info;
    (void)count;
    (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
