/* The bundle: a model with inputs and outputs of its own, for programs that link one object. */

#ifndef TILEWRIGHT_EXECUTOR_H
#define TILEWRIGHT_EXECUTOR_H

#include "entry.h"

struct tw_executor;

/* What the export defines: the number of outputs. If data decides sizes, main also fills a tensor of
 * sizes behind the outputs, which an executor keeps to itself. */
extern const int32_t tw_outputs TW_HIDDEN;

/* Return an executor without inputs, or null after an error. */
struct tw_executor *__tw_create(void);

/* Copy a tensor to an input, by its name. Return 0 or -1. */
int32_t __tw_set_input(
    struct tw_executor *executor, const char *name, const struct tw_tensor *tensor);

/* Run the model on the inputs. Return 0 or -1. */
int32_t __tw_run(struct tw_executor *executor);

/* Return an output of the last run, with its actual sizes, or null after an error. The next run and
 * __tw_destroy invalidate the tensor. */
const struct tw_tensor *__tw_get_output(const struct tw_executor *executor, int32_t index);

/* Free an executor. Null is allowed. */
void __tw_destroy(struct tw_executor *executor);

#endif
