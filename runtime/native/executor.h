/* Executors: a model with inputs and outputs of its own, for programs that link one object, and for a host
 * with a model. */

#ifndef TILEWRIGHT_EXECUTOR_H
#define TILEWRIGHT_EXECUTOR_H

#include "model.h"

struct tw_executor;

/* ---- a linked program: bundle.c -------------------------------------------------------------- */

/* What the export defines: the number of outputs. If data decides sizes, main also fills a tensor of
 * sizes behind the outputs, which an executor keeps to itself. */
extern const int32_t tw_outputs TW_HIDDEN;

/* Return an executor without inputs, or null after an error. */
struct tw_executor *__tw_create(void);

/* ---- executors ------------------------------------------------------------------------------- */

/* The same for a model, which the executor copies. What the model points at must outlive it. */
struct tw_executor *tw_create_executor(const struct tw_model *model) TW_HIDDEN;

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

/* The functions for a host that has no linked program and makes the outputs of runs, such as Python. */
struct tw_executor_functions {
    struct tw_executor *(*create)(const struct tw_model *model);
    void (*destroy)(struct tw_executor *executor);
    int32_t (*set_input)(
        struct tw_executor *executor, const char *name, const struct tw_tensor *tensor);
    /* Return a new reference to an input, or null after an error. */
    struct tw_tensor_object *(*get_input)(const struct tw_executor *executor, const char *name);
    /* Check that all inputs are set. Return 0 or -1. */
    int32_t (*check_inputs)(const struct tw_executor *executor);
};

extern const struct tw_executor_functions __tw_executor_functions;

#endif
