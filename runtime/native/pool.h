/* The calling interface of the worker pool. */

#ifndef TILEWRIGHT_POOL_H
#define TILEWRIGHT_POOL_H

#include "packed.h"

/* The worker pool of this runtime, a tw_pool.
 *
 * At most 64 threads share a loop. Each has an equal share of consecutive tasks, which it runs in
 * order, so that loops over the same data find it in the cache of the core that wrote it. A thread
 * that has finished its share steals tasks of other shares, one by one. */
tw_pool __tw_pool_run;

/* Forget helpers and any running loop: for a forked child, which has no helpers. */
void __tw_pool_reset(void);

#endif
