/* A plugin of QEMU that writes to QEMU's log how many instructions a program executes, at its end.
 *
 * The declarations are those of QEMU's plugin interface (docs/devel/tcg-plugins.rst of QEMU), whose
 * header is not installed with QEMU; they are the same in all versions of the interface. VERSION is
 * a version that QEMU accepts. A translation block is a sequence of instructions that QEMU
 * translates at once and executes as a whole.
 */

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;

extern void qemu_plugin_register_vcpu_tb_trans_cb(
    uint64_t id, void (*translated)(uint64_t id, struct qemu_plugin_tb *block));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_exec_cb(
    struct qemu_plugin_tb *block, void (*executed)(unsigned cpu, void *data), int flags, void *data);
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
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
