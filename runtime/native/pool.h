/* The calling interface of the worker pool. */

#ifndef TILEWRIGHT_POOL_H
#define TILEWRIGHT_POOL_H

#include <stdint.h>

/* One task of a parallel loop. */
typedef void tw_task(void *args, int64_t task, int64_t worker);

/* Call fn(args, task, worker) once for every task in 0..tasks-1; return 0 when all calls have
 * returned. worker is in 0..threads-1, and no two calls with the same worker overlap.
 *
 * At most 64 threads share a loop. Each has an equal share of consecutive tasks, which it runs in
 * order, so that loops over the same data find it in the cache of the core that wrote it. A thread
 * that has finished its share steals tasks of other shares, one by one. */
int32_t __tw_pool_run(tw_task *fn, void *args, int64_t tasks, int32_t threads);

/* Forget helpers and any running loop: for a forked child, which has no helpers. */
void __tw_pool_reset(void);

#endif
