/* Run a policy at 1 kHz: cc -O2 -o control control.c policy.o && ./control INPUT OUTPUT
 *
 * INPUT holds rows of 48 floats, recorded observations; OUTPUT gets a row of 12 actions for each of
 * them. On a robot, read_sensors and write_motors call its drivers instead.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include "policy.h"

enum { SENSORS = 48, MOTORS = 12, PERIOD_NS = 1000000, MOST_STEPS = 100000 };

static float observation[SENSORS], action[MOTORS];
static int64_t wake_ns[MOST_STEPS], work_ns[MOST_STEPS];

static int read_sensors(FILE *file) { return fread(observation, sizeof observation, 1, file) == 1; }

static int write_motors(FILE *file) { return fwrite(action, sizeof action, 1, file) == 1; }

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* An absolute time: the length of a step does not move the steps after it. */
static void sleep_until(int64_t time_ns)
{
    struct timespec time = {time_ns / 1000000000, time_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

static int in_order(const void *first, const void *second)
{
    int64_t a = *(const int64_t *)first, b = *(const int64_t *)second;
    return (a > b) - (a < b);
}

static void print_percentiles(const char *name, int64_t *times_ns, int count)
{
    static const double shares[] = {0.5, 0.9, 0.99, 0.999, 1};
    qsort(times_ns, (size_t)count, sizeof *times_ns, in_order);
    printf("%s", name);
    for (int n = 0; n < 5; n++)
        printf(" %9.1f", 1e-3 * (double)times_ns[(int)(shares[n] * (count - 1))]);
    printf("\n");
}

/* Keep page faults and other processes away, as far as the rights of the process allow. */
static void prepare(void)
{
    struct sched_param priority = {.sched_priority = 80};
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) perror("mlockall");
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) perror("SCHED_FIFO");
}

int main(int argc, char **argv)
{
    const int64_t sizes[] = {1, SENSORS}, results[] = {1, MOTORS};
    struct tw_tensor tensors[2];
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = in ? fopen(argv[2], "wb") : NULL;
    if (out == NULL) return fprintf(stderr, "usage: control INPUT OUTPUT\n"), 2;
    tensors[0] = policy_tensor(0, observation, sizes);
    tensors[1] = policy_tensor(3, action, results);
    prepare();

    /* The first step loads the weights and allocates memory, so it runs before the timer. */
    struct tw_function_object *session = policy_begin();
    if (session == NULL || policy_step(session, tensors) != 0 || policy_reset(session) != 0)
        return fprintf(stderr, "%s\n", policy_last_error), 1;

    int steps = 0, missed = 0;
    for (int64_t due_ns = now_ns() + PERIOD_NS; steps < MOST_STEPS && read_sensors(in); steps++) {
        sleep_until(due_ns);
        int64_t start_ns = now_ns();
        int32_t status = policy_step(session, tensors);
        int64_t end_ns = now_ns();
        if (status != 0 || !write_motors(out))
            return fprintf(stderr, "step %d: %s\n", steps, policy_last_error), 1;
        wake_ns[steps] = start_ns - due_ns;
        work_ns[steps] = end_ns - start_ns;
        for (due_ns += PERIOD_NS; due_ns < end_ns; due_ns += PERIOD_NS) missed++;
    }
    policy_end(session);
    if (steps == 0 || fclose(out) != 0) return fprintf(stderr, "nothing read or written\n"), 1;
    printf("%d steps, %d periods missed\nµs          p50       p90       p99     p99.9       max\n",
        steps, missed);
    print_percentiles("wake-up", wake_ns, steps);
    print_percentiles("policy ", work_ns, steps);
    return 0;
}
