/* Timing: call a packed function in a loop that is compiled, so that the time per call is its own. */

#define _GNU_SOURCE /* syscall */

#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"
#include "packed.h"

static int64_t now_ns(void)
{
    struct timespec now;
    /* Libraries that are no profile need no clock_gettime of their process. */
    syscall(tw_clock_number(), CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Call a function `number` times and store the nanoseconds that all calls took. Stop at the first
 * call that fails, and return its status, else 0. Before: no result is an object. */
int32_t __tw_time_calls(tw_packed_function *function, void *self, const struct tw_value *args,
    int32_t count, struct tw_value *result, int64_t number, int64_t *elapsed_ns);

int32_t __tw_time_calls(tw_packed_function *function, void *self, const struct tw_value *args,
    int32_t count, struct tw_value *result, int64_t number, int64_t *elapsed_ns)
{
    int64_t start = now_ns();
    for (int64_t call = 0; call < number; call++) {
        int32_t status = function(self, args, count, result);
        if (status != 0)
            return status;
    }
    *elapsed_ns = now_ns() - start;
    return 0;
}
