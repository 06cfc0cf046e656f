/* Random steps in sessions of the decoder argv[1]: each works, or names what is wrong. */

#include <string.h>

#include "tensors.h"

enum { STEPS = 4000, SESSIONS = 3 };

static struct tw_module *module;
static struct tw_session sessions[SESSIONS];
static uint64_t random_state = 88172645463325252u;

static int pick(int count)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)count);
}

static struct tw_tensor_object *random_tensor(int32_t rank, int64_t rows, int64_t columns)
{
    static const uint32_t dtypes[] = {TW_FLOAT32, TW_FLOAT64, TW_INT64, TW_UINT8};
    int64_t shape[] = {1 + pick(2), rows, columns, 8};
    if (rank == 4) {
        shape[1] = 4;
        shape[2] = rows;
    }
    if (pick(6) == 0)
        shape[pick(4)] = pick(9);
    struct tw_tensor_object *made =
        tw_tensor_new(dtypes[pick(8) ? 0 : pick(4)], pick(12) ? rank : pick(5), shape, TW_CPU, 0);
    check(made == NULL ? -1 : 0);
    memset(tw_data(made), 0, bytes_of(&made->tensor));
    return made;
}

static int32_t run(struct tw_session *session)
{
    struct tw_tensor_object *x = random_tensor(3, pick(5), 32), *y = NULL;
    int32_t status = tw_session_run(session, &x, pick(20) ? 1 : 0, &y, pick(20) ? 1 : 2);
    tw_release(x);
    tw_release(y);
    return status;
}

static int32_t begin(struct tw_session *session)
{
    struct tw_tensor_object *initial[] = {random_tensor(4, pick(15), 8), random_tensor(4, pick(15), 8)};
    tw_session_end(session);
    int32_t status =
        tw_session_begin(module, pick(3) ? NULL : initial, pick(9) ? 2 : pick(4) % 2, session);
    release_all(initial, 2);
    return status;
}

static int32_t fork_to(struct tw_session *from, struct tw_session *to)
{
    struct tw_session made;
    int32_t status = tw_session_fork(from, &made);
    tw_session_end(to);
    *to = made;
    return status;
}

/* Call an exported function with arguments of any kind. */
static int32_t call_raw(struct tw_session *session)
{
    static const char *const names[] = {"session", "session_output_shapes", "session_reset",
        "session_rewind", "session_fork", "session_size", "session_state"};
    struct tw_value args[5], result;
    struct tw_function found;
    struct tw_tensor_object *tensor = random_tensor(pick(5), pick(5), 32);
    int32_t count = pick(5);
    for (int32_t at = 0; at < count; at++)
        args[at] = pick(3) == 0 ? tw_of_int(pick(4) - 1)
                                : pick(6) ? tw_of_tensor(tensor) : tw_of_float(1);
    if (count > 0 && pick(4) && session->object != NULL)
        args[0] = (struct tw_value){TW_FUNCTION, 0, {.pointer = session->object}};
    check(tw_module_find(module, names[pick(7)], &found));
    int32_t status = tw_call(&found, args, count, &result);
    if (status == 0 && result.type_index == TW_FUNCTION)
        tw_release(result.payload.pointer);
    tw_release(tensor);
    return status;
}

static int32_t read_state(struct tw_session *session)
{
    int64_t size = 0;
    int32_t state = pick(4) - 1;
    if (tw_session_size(session, state, &size) != 0)
        return -1;
    struct tw_tensor_object *value = random_tensor(4, size, 8);
    int32_t status = tw_session_state(session, state, value);
    tw_release(value);
    return status;
}

static int32_t step(struct tw_session *session)
{
    switch (pick(12)) {
    case 0: return begin(session);
    case 1: return fork_to(session, &sessions[pick(SESSIONS)]);
    case 2: return tw_session_reset(session);
    case 3: return tw_session_rewind(session, pick(9) - 2);
    case 4: return read_state(session);
    case 5: return call_raw(session);
    default: return run(session);
    }
}

int main(int argc, char **argv)
{
    int worked = 0, refused = 0;
    if (argc != 2)
        return 2;
    check(tw_load(argv[1], &module));
    for (int at = 0; at < STEPS; at++) {
        tw_clear_error();
        if (step(&sessions[pick(SESSIONS)]) == 0) {
            worked++;
            continue;
        }
        refused++;
        if (!*tw_error_kind() || !strstr(tw_error_message(), "expected:") ||
            !strstr(tw_error_message(), "got:"))
            printf("an error without expected and got: %s\n", tw_error_message());
    }
    for (int at = 0; at < SESSIONS; at++)
        tw_session_end(&sessions[at]);
    tw_unload(module);
    printf("%s\n", worked > 500 && refused > 500 ? "both" : "one kind of outcome only");
    return 0;
}
