/* The interface between device.c, which runs a program on a GPU, and the main function of the program.
 *
 * Buffers of main are memory of the device: their addresses are numbers that the host never reads at.
 * lowering/main/device_printer.py prints the calls of these functions. */

#ifndef TILEWRIGHT_DEVICE_H
#define TILEWRIGHT_DEVICE_H

#include "entry.h"

/* ---- what each program defines; targets/gpu/compiled/ writes it ------------------------ */

struct tw_device_kernel {
    const char *symbol;
    int32_t block[3];
    int32_t shared_bytes; /* of dynamic shared memory */
};

extern const struct tw_device_kernel tw_device_kernels[] TW_HIDDEN;
extern const int32_t tw_device_kernel_count TW_HIDDEN;
extern const int32_t tw_device_most_buffers TW_HIDDEN; /* of a kernel */
extern const int64_t tw_device_most_blocks[3] TW_HIDDEN; /* along x, y and z */
extern const int32_t tw_device_driver TW_HIDDEN; /* of TW_DRIVERS */
extern const int64_t tw_device_arena_bytes TW_HIDDEN; /* unused with symbolic sizes */
/* 1 if all calls queue the same work: the sizes are constants, and main reads no element. */
extern const int32_t tw_device_is_fixed TW_HIDDEN;
extern const char __tw_kernels_code[]; /* PTX or a code object, then a NUL */

enum { TW_CUDA, TW_HIP, TW_DRIVERS };

struct tw_device;

/* Check the indices in the inputs, which are in host memory; return 0 or -1. */
int32_t tw_device_check(union tw_slot *slots) TW_HIDDEN;

/* Main: queue the work of a call; `slots` and `arena` are addresses of the device. Return 0 or -1. */
int32_t tw_device_main(union tw_slot *slots, char *arena, struct tw_device *device) TW_HIDDEN;

/* ---- what device.c offers to main. All return 0, or -1 after reporting an error --------------- */

/* Launch a kernel. `addresses` and `bytes` describe its buffers. `numbers` are the blocks along x, y and
 * z, then `count` - 3 integers that the kernel takes behind its buffers. */
int32_t tw_device_launch(struct tw_device *device, int32_t kernel, char **addresses,
    const int64_t *bytes, int32_t buffers, int64_t *numbers, int32_t count) TW_HIDDEN;

int32_t tw_device_copy(struct tw_device *device, char *target, char *source, int64_t bytes)
    TW_HIDDEN;

/* Copy rows of operands into the result of a concat; lowering/main/concats.py describes the table,
 * which is `addresses[1]`. */
int32_t tw_device_concat(struct tw_device *device, char **addresses, int64_t operands) TW_HIDDEN;

/* Copy from the device to the host, after all queued work. */
int32_t tw_device_read(struct tw_device *device, void *host, char *address, int64_t bytes)
    TW_HIDDEN;

/* Copy from the host to the device, after all queued work. */
int32_t tw_device_write(struct tw_device *device, char *address, const void *host, int64_t bytes)
    TW_HIDDEN;

/* Copy from the device to memory of the host that lives until the next copy with the same number, 0
 * or 1; return its address, or null after reporting an error. */
void *tw_device_fetch(struct tw_device *device, int32_t number, char *address, int64_t bytes)
    TW_HIDDEN;

/* ---- what the module exports ------------------------------------------------------------------ */

/* The opened library of the driver; null: the first call opens it by its name. A loader may set it. */
extern void *__tw_device_library;

#endif
