/* Decodes with the library argv[1]: runs the steps in argv[2] and writes what they return to argv[3].
 *
 * A step is one tensor: a float tensor is the input of a call; an int64 tensor of one element n rewinds
 * n positions, or for -1 resets, for -2 goes on in a fork, for -3 ends the fork and goes back, for -4
 * writes the value of state 0, for -5 begins a session with the float tensors that follow. */

#include "tensors.h"

enum { RESET = -1, FORK = -2, BACK = -3, STATE = -4, BEGIN = -5 };

static struct tw_module *module;
static struct tw_session sessions[2];
static struct tw_tensor_object *results[MAX_TENSORS];
static int32_t depth, result_count;

/* Run a call; an error is a result of one byte. */
static void run(struct tw_tensor_object *input)
{
    int64_t one[] = {1};
    if (tw_session_run(&sessions[depth], &input, 1, &results[result_count], 1) != 0) {
        fprintf(stderr, "%s\n", tw_error_message());
        results[result_count] = tw_tensor_new(TW_UINT8, 1, one, TW_CPU, 0);
        *(char *)tw_data(results[result_count]) = 1;
    }
    result_count++;
}

static void read_state(void)
{
    int64_t shape[] = {1, 4, 0, 8};
    check(tw_session_size(&sessions[depth], 0, &shape[2]));
    results[result_count] = tw_tensor_new(TW_FLOAT32, 4, shape, TW_CPU, 0);
    check(tw_session_state(&sessions[depth], 0, results[result_count++]));
}

static void change(int64_t step)
{
    switch (step) {
    case RESET: check(tw_session_reset(&sessions[depth])); break;
    case FORK: check(tw_session_fork(&sessions[depth], &sessions[1])); depth = 1; break;
    case BACK: tw_session_end(&sessions[1]); depth = 0; break;
    case STATE: read_state(); break;
    default:
        if (tw_session_rewind(&sessions[depth], step) != 0)
            fprintf(stderr, "%s\n", tw_error_message());
    }
}

int main(int argc, char **argv)
{
    struct tw_tensor_object *steps[MAX_TENSORS];
    if (argc != 4)
        return 2;
    load_model(argv[1], &module);
    int32_t count = read_tensors(argv[2], steps), at = 0;
    if (count > 2 && steps[0]->tensor.rank == 1 && *(int64_t *)tw_data(steps[0]) == BEGIN) {
        check(tw_session_begin(module, &steps[1], 2, &sessions[0]));
        at = 3;
    } else {
        check(tw_session_begin(module, NULL, 0, &sessions[0]));
    }
    for (; at < count; at++)
        if (steps[at]->tensor.rank == 1)
            change(*(int64_t *)tw_data(steps[at]));
        else
            run(steps[at]);
    write_tensors(argv[3], results, result_count);
    release_all(steps, count);
    release_all(results, result_count);
    tw_session_end(&sessions[0]);
    tw_unload(module);
    return 0;
}
