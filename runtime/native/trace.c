/* Trace: when each step of a profiled main ended, and which worker ran each of its tasks.
 *
 * A program that is compiled for profiling contains this code; no other program calls it. Main
 * calls __tw_trace_step at its start and after each step, and launches tasks through the two
 * functions below. The loader provides the memory of the records and reads them after the run. One
 * run at a time is recorded; without memory, nothing is counted and no clock is read. */

#define _GNU_SOURCE /* clock_gettime */

#include <stddef.h>
#include <time.h>

#include "trace.h"

struct tw_trace __tw_trace;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void __tw_trace_step(int64_t step, int64_t tasks, int64_t flops, int64_t bytes)
{
    if (__tw_trace.steps == NULL)
        return;
    int64_t position = __tw_trace.steps_made++;
    if (position < __tw_trace.steps_room)
        __tw_trace.steps[position] = (struct tw_step){now_ns(), step, tasks, flops, bytes};
}

/* A parallel loop whose tasks are recorded. */
struct loop {
    tw_task *fn;
    void *args;
    int64_t first_step;
};

/* Run and record one task of a loop. */
static void run_task(void *args, int64_t task, int64_t worker)
{
    const struct loop *loop = args;
    int64_t start = now_ns();
    loop->fn(loop->args, task, worker);
    int64_t end = now_ns();
    int64_t position = __atomic_fetch_add(&__tw_trace.tasks_made, 1, __ATOMIC_RELAXED);
    if (position < __tw_trace.tasks_room)
        __tw_trace.tasks[position] = (struct tw_ran){start, end, loop->first_step, task, worker};
}

int32_t __tw_trace_sections(tw_task *fn, void *args, int64_t tasks, int32_t threads)
{
    if (__tw_trace.steps == NULL && __tw_pool != NULL)
        return __tw_pool(fn, args, tasks, threads);
    struct loop loop = {fn, args, __tw_trace.steps_made};
    if (__tw_pool != NULL)
        return __tw_pool(run_task, &loop, tasks, threads);
    for (int64_t task = 0; task < tasks; task++)
        run_task(&loop, task, 0);
    return 0;
}

int32_t __tw_trace_launch(tw_task *fn, void *args, int64_t tasks, int32_t threads)
{
    if (threads > 1 && tasks > 1)
        return __tw_trace_sections(fn, args, tasks, threads);
    for (int64_t task = 0; task < tasks; task++)
        fn(args, task, 0);
    return 0;
}
