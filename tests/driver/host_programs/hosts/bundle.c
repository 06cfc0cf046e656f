/* Is linked with a bundle of the tail of a detector: reads boxes and scores from argv[1] as numbers,
 * and prints the sizes and numbers of the first two outputs. */

#include <stdio.h>

#include "detector.h"

enum { BOXES = 9 };

static void print(const struct tw_tensor *tensor)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        count *= tensor->shape[axis];
    printf("%d", (int)count);
    for (int64_t at = 0; at < count; at++)
        printf(" %.9g", (double)((const float *)tensor->data)[at]);
    printf("\n");
}

static int run(struct detector_executor *executor, FILE *file)
{
    static float boxes[4 * BOXES], scores[2 * BOXES];
    int64_t sizes[] = {1, BOXES, 4}, other[] = {1, 2, BOXES};
    struct tw_tensor inputs[] = {
        detector_tensor(0, boxes, sizes), detector_tensor(1, scores, other)};
    if (fread(boxes, sizeof boxes, 1, file) != 1 || fread(scores, sizeof scores, 1, file) != 1)
        return 2;
    if (detector_set_input(executor, "boxes", &inputs[0]) != 0 ||
        detector_set_input(executor, "scores", &inputs[1]) != 0 || detector_run(executor) != 0)
        return 3;
    print(detector_get_output(executor, 0));
    print(detector_get_output(executor, 1));
    return 0;
}

/* Each refusal is printed. */
static int refuse(struct detector_executor *executor)
{
    int64_t sizes[] = {1, BOXES, 4};
    struct tw_tensor flat = detector_tensor(0, sizes, sizes);
    flat.rank = 2;
    if (detector_run(executor) == 0)
        return 4;
    puts(detector_last_error);
    if (detector_get_output(executor, 0) != 0)
        return 5;
    puts(detector_last_error);
    if (detector_set_input(executor, "box", &flat) == 0)
        return 6;
    puts(detector_last_error);
    if (detector_set_input(executor, "boxes", &flat) == 0)
        return 7;
    puts(detector_last_error);
    return detector_set_input(0, "boxes", &flat) == 0;
}

int main(int argc, char **argv)
{
    struct detector_executor *executor = detector_create(), *other = detector_create();
    FILE *file = fopen(argv[argc - 1], "rb");
    if (executor == 0 || other == 0 || file == NULL)
        return 1;
    int status = refuse(executor);
    for (int call = 0; call < 3 && status == 0; call++)
        status = run(call == 1 ? other : executor, file);
    fclose(file);
    detector_destroy(executor);
    detector_destroy(other);
    detector_release();
    return status;
}
