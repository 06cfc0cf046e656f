/* The interfaces of device.c, which runs a program on a GPU: to the program's main function, and to hosts.
 *
 * Buffers of main are memory of the device: their addresses are numbers that the host never reads at.
 * lowering/main/device_printer.py prints the calls of these functions. */

#ifndef TILEWRIGHT_DEVICE_H
#define TILEWRIGHT_DEVICE_H

#include "entry.h"

/* ---- what each program defines; targets/gpu/device_tables.py writes it ------------------------ */

struct tw_device_kernel {
    const char *symbol;
    int32_t block[3];
    int32_t shared_bytes; /* of dynamic shared memory */
};

extern const struct tw_device_kernel tw_device_kernels[] TW_HIDDEN;
extern const int32_t tw_device_kernel_count TW_HIDDEN;
extern const int32_t tw_device_most_buffers TW_HIDDEN; /* of a kernel */
extern const int64_t tw_device_most_blocks[3] TW_HIDDEN; /* along x, y and z */
extern const int32_t tw_device_driver TW_HIDDEN; /* TW_DRIVERS: only the host can drive the device */
/* 1 if calls with equal addresses and sizes queue the same work: main reads no element. */
extern const int32_t tw_device_is_fixed TW_HIDDEN;
extern const int32_t tw_device_has_checks TW_HIDDEN; /* whether tw_device_check checks anything */
extern const int32_t tw_device_hosts TW_HIDDEN; /* numbers of tw_device_host */
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

/* Return memory of the host, which lives until the next request with the same number, less than
 * tw_device_hosts, in the same call; null after reporting an error. */
void *tw_device_host(struct tw_device *device, int32_t number, int64_t bytes) TW_HIDDEN;

/* Begin a stage of main, as tw_bind; return its block of the arena on the device, or null. `slots` are
 * those of main, which get the addresses of the arguments whose sizes are known now. */
char *tw_device_bind(struct tw_device *device, union tw_slot *slots, int32_t stage, int64_t value)
    TW_HIDDEN;

/* Copy from the device to the memory of the host with a number; return its address, or null after
 * reporting an error. */
void *tw_device_fetch(struct tw_device *device, int32_t number, char *address, int64_t bytes)
    TW_HIDDEN;

/* ---- what the module exports ------------------------------------------------------------------ */

/* The opened library of the driver; null: the first call opens it by its name. A loader may set it. */
extern void *__tw_device_library;

/* What a host does that drives the device itself. The arguments of its function are integers: an action,
 * the number of the device, and what the action needs. Each action on a device comes after those before.
 *     TW_OPEN      address of the code of the kernels, which a NUL ends; address of their struct
 *                  tw_device_kernel; their count; returns the alignment in bytes of the buffers of launches,
 *                  a power of 2
 *     TW_ALLOCATE  bytes; returns an address
 *     TW_FREE      address
 *     TW_WRITE     target on the device, source on the host, bytes
 *     TW_READ      target on the host, source on the device, bytes; after all queued work
 *     TW_COPY      target, source, bytes; both on the device
 *     TW_LAUNCH    kernel, three sizes of a block, bytes of shared memory, address of the addresses of
 *                  the buffers, address of their sizes in bytes, their count, address of the numbers (the
 *                  grid, then the integers behind the buffers), their count
 *     TW_WAIT      for all queued work */
enum tw_device_action {
    TW_OPEN,
    TW_ALLOCATE,
    TW_FREE,
    TW_WRITE,
    TW_READ,
    TW_COPY,
    TW_LAUNCH,
    TW_WAIT
};

struct tw_device_function {
    tw_packed_function *call;
    void *self;
};

/* The host's function; null: the driver of the device is a library. A loader may set it. */
extern struct tw_device_function __tw_device_function;

/* Queue a call on a stream of the caller. The arguments are the stream as an opaque pointer or None, which
 * is the default stream, then the inputs and the outputs. If all of them are on the device, and the model
 * reads no elements, the call returns before its work has ended; the stream must live until then. */
tw_packed_function __tw_main_on_stream;

#endif
