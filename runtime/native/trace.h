/* What a program that is compiled for profiling records; runtime/measure/profile.py reads it. */

#ifndef TILEWRIGHT_TRACE_H
#define TILEWRIGHT_TRACE_H

#include <stdint.h>

#include "entry.h"

/* The end of a step of main. step: its number in the list of steps, or -1 for the start of main. */
struct tw_step {
    int64_t end_ns;
    int64_t step;
    int64_t tasks;
    int64_t flops;
    int64_t bytes;
};

/* One task of a launch. first_step: the number of records of steps before its launch. */
struct tw_ran {
    int64_t start_ns;
    int64_t end_ns;
    int64_t first_step;
    int64_t task;
    int64_t worker;
};

/* The records of one run, and the room for them. Records that find no room are counted only. */
struct tw_trace {
    struct tw_step *steps;
    struct tw_ran *tasks;
    int64_t steps_room;
    int64_t tasks_room;
    int64_t steps_made;
    int64_t tasks_made __attribute__((aligned(8))); /* by several threads at once */
};

extern struct tw_trace __tw_trace;

/* Record the end of a step. */
void __tw_trace_step(int64_t step, int64_t tasks, int64_t flops, int64_t bytes);

/* Run tasks as main without a profile does; record them if several threads share them. */
int32_t __tw_trace_launch(tw_task *fn, void *args, int64_t tasks, int32_t threads);

/* Run and record the tasks of several kernels, so that each kernel gets its part of the time. */
int32_t __tw_trace_sections(tw_task *fn, void *args, int64_t tasks, int32_t threads);

#endif
