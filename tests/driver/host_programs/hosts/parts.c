/* The parts of the C runtime that need no model. Built bare, too, with an arena. Prints errors. */

#include <stdio.h>
#include <stdlib.h>

#include "tilewright.h"

#define CHECK(truth)                                                                               \
    do {                                                                                           \
        if (!(truth)) {                                                                            \
            printf("line %d: %s\n", __LINE__, #truth);                                             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static int32_t add(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    if (count != 2) {
        tw_set_error("TypeError", "add: number of arguments");
        return -1;
    }
    *result = tw_of_int(args[0].payload.integer + args[1].payload.integer);
    return 0;
}

static int32_t silent(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self, (void)args, (void)count, (void)result;
    return -1;
}

static void count_events(void *self, const struct tw_function *function, int32_t is_end)
{
    (void)function;
    ((int *)self)[is_end]++;
}

static void check_functions(void)
{
    struct tw_function found, own = {"addtwo", add, NULL}, quiet = {"quiet", silent, NULL};
    struct tw_value args[] = {tw_of_int(3), tw_of_int(4)}, result;
    const char *names[2];
    int events[2] = {0, 0};
    CHECK(tw_find("add", &found) == -1);
    puts(tw_error_message());
    CHECK(tw_register(&own, 0) == 0 && tw_register(&own, 1) == 0 && tw_register(&quiet, 0) == 0);
    CHECK(tw_register(&own, 0) == -1);
    puts(tw_error_message());
    CHECK(tw_find("add_two", &found) == -1);
    puts(tw_error_message());
    CHECK(tw_list(names, 2) == 2 && names[0] == own.name);
    tw_set_trace(count_events, events);
    CHECK(tw_find("addtwo", &found) == 0 && tw_call(&found, args, 2, &result) == 0);
    CHECK(result.type_index == TW_INT && result.payload.integer == 7);
    CHECK(tw_call(&found, args, 1, &result) == -1 && events[0] == 2 && events[1] == 2);
    puts(tw_error_message());
    CHECK(tw_find("quiet", &found) == 0 && tw_call(&found, args, 2, &result) == -1);
    puts(tw_error_message());
    tw_set_trace(NULL, NULL);
    CHECK(tw_remove("addtwo") == 0 && tw_remove("addtwo") == -1 && tw_list(names, 2) == 1);
}

static void check_tensors(void)
{
    int64_t shape[] = {2, 3}, turned[] = {3, 2}, strides[] = {1, 3}, bad[] = {2, -1};
    int64_t back[] = {-3, -1}, huge[] = {INT64_MAX, 2}, none[] = {0, INT64_MAX, INT64_MAX};
    struct tw_tensor_object *x = tw_tensor_new(TW_INT32, 2, shape, TW_CPU, 0);
    struct tw_tensor_object *y = tw_tensor_new(TW_INT32, 2, turned, TW_CPU, 0);
    CHECK(x != NULL && y != NULL && (uintptr_t)tw_data(x) % 64 == 0);
    for (int32_t at = 0; at < 6; at++)
        ((int32_t *)tw_data(x))[at] = at;
    struct tw_tensor_object *view = tw_tensor_view(x, 2, turned, strides, 0);
    struct tw_tensor_object *reversed = tw_tensor_view(x, 2, shape, back, 5);
    CHECK(reversed != NULL && *(int32_t *)tw_data(reversed) == 5);
    CHECK(tw_tensor_view(x, 2, shape, back, 4) == NULL);
    puts(tw_error_message());
    CHECK(tw_tensor_view(x, 2, turned, strides, INT64_MAX) == NULL);
    CHECK(tw_tensor_new(TW_INT32, 2, bad, TW_CPU, 0) == NULL);
    puts(tw_error_message());
    CHECK(tw_tensor_new(TW_INT32, 2, huge, TW_CPU, 0) == NULL);
    CHECK(tw_tensor_new(TW_INT32, 2, shape, 9, 0) == NULL);
    puts(tw_error_message());
    struct tw_tensor_object *empty = tw_tensor_new(TW_INT32, 3, none, TW_CPU, 0);
    CHECK(empty != NULL && tw_tensor_copy(&empty->tensor, &empty->tensor) == 0);
    CHECK(tw_tensor_copy(&view->tensor, &x->tensor) == -1);
    puts(tw_error_message());
    tw_release(x); /* the views keep the memory */
    CHECK(tw_tensor_copy(&view->tensor, &y->tensor) == 0);
    for (int32_t at = 0; at < 6; at++)
        CHECK(((int32_t *)tw_data(y))[at] == at / 2 + at % 2 * 3);
    struct tw_managed_tensor *shared = tw_to_dlpack(y);
    struct tw_tensor_object *again = tw_from_dlpack(shared);
    tw_release(y);
    CHECK(((int32_t *)tw_data(again))[1] == 3);
    CHECK(tw_tensor_view(again, 2, turned, strides, 1) == NULL);
    tw_release(again);
    tw_release(view);
    tw_release(reversed);
    tw_release(empty);
}

/* A device with 1 KiB of memory of its own. */
static char device_memory[1024];
static int device_users;

static void *allocate(void *self, int32_t number, size_t bytes)
{
    (void)number;
    device_users += bytes <= sizeof device_memory;
    return bytes <= sizeof device_memory ? self : NULL;
}

static void release(void *self, int32_t number, void *memory)
{
    (void)self, (void)number, (void)memory;
    device_users--;
}

static int32_t copy(
    void *self, const struct tw_tensor *from, const struct tw_tensor *to, size_t bytes)
{
    (void)self;
    for (size_t at = 0; at < bytes; at++)
        ((char *)to->data)[at] = ((const char *)from->data)[at];
    return 0;
}

static int32_t sync(void *self, int32_t number)
{
    (void)self, (void)number;
    return 0;
}

static void check_devices(void)
{
    struct tw_device device = {"simulated", device_memory, allocate, release, copy, sync};
    int64_t shape[] = {8}, large[] = {4096};
    CHECK(tw_register_device(TW_CPU, &device) == -1 && tw_register_device(12, &device) == 0);
    struct tw_tensor_object *host = tw_tensor_new(TW_FLOAT32, 1, shape, TW_CPU, 0);
    struct tw_tensor_object *there = tw_tensor_new(TW_FLOAT32, 1, shape, 12, 0);
    CHECK(tw_tensor_new(TW_FLOAT32, 1, large, 12, 0) == NULL);
    puts(tw_error_message());
    for (int at = 0; at < 8; at++)
        ((float *)tw_data(host))[at] = (float)at;
    CHECK(tw_tensor_copy(&host->tensor, &there->tensor) == 0 && tw_sync(12, 0) == 0);
    CHECK(((float *)(void *)device_memory)[7] == 7.0f);
    ((float *)tw_data(host))[7] = 0;
    CHECK(tw_tensor_copy(&there->tensor, &host->tensor) == 0);
    CHECK(((float *)tw_data(host))[7] == 7.0f);
    tw_release(there);
    tw_release(host);
    CHECK(device_users == 0);
}

static void check_arenas(void)
{
    static char memory[256];
    struct tw_arena arena = {memory, sizeof memory, 0};
    char *first = tw_take(&arena, 10, 16), *second = tw_take(&arena, 10, 64);
    CHECK((uintptr_t)first % 16 == 0 && (uintptr_t)second % 64 == 0 && second >= first + 10);
    CHECK(tw_take(&arena, 256, 1) == NULL && tw_take(&arena, SIZE_MAX, 1) == NULL);
    tw_reset(&arena);
    CHECK(tw_take(&arena, 256, 1) == memory);
}

int main(void)
{
#ifdef TW_BARE
    static char memory[1 << 14];
    static struct tw_arena arena = {memory, sizeof memory, 0};
    tw_use_arena(&arena);
#endif
    check_functions();
    check_tensors();
    check_devices();
    check_arenas();
    return 0;
}
