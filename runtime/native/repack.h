/* Parameters of models: new values for the initializers of a model, and the values that the packed
 * weights contain.
 *
 * In: a table that driver/param_table.py writes, the packed weights, and new values by name. Out: packed
 * weights with these values, or the values of one parameter. The C runtime contains this code, and so
 * does every process of Python, in the library of the worker pool.
 */

#ifndef TILEWRIGHT_REPACK_H
#define TILEWRIGHT_REPACK_H

#include <stdint.h>

#include "packed.h"

/* The kinds of errors: a value that the model does not take, memory that is missing, and values that the
 * packed weights do not contain. */
enum { TW_REFUSED = 1, TW_NO_MEMORY = 2, TW_ABSENT = 3 };

enum { TW_PARAMS_MESSAGE_BYTES = 1024 };

/* The start of a table. It consists of 64-bit integers, and of texts and constants; `params` and all
 * other places are offsets in bytes from its start. */
struct tw_params {
    int64_t version;
    int64_t weights_bytes;
    int64_t param_count;
    int64_t params;
    int64_t constant_count;
    int64_t constants;
};

enum { TW_PARAMS_VERSION = 2 };

/* A parameter: texts, and the place of its sizes. `reason` says why its values cannot be replaced,
 * `folded` why the packed weights lack them, if they do; `digest` is the SHA-256 of its values, or "". */
struct tw_params_param {
    int64_t name;
    int64_t reason;
    int64_t folded;
    int64_t digest;
    int64_t dtype;
    int64_t rank;
    int64_t shape;
};

/* What a host knows in each call. `module` is a name for messages; `message` receives the text of an
 * error. */
struct tw_params_host {
    const struct tw_params *table;
    const char *module;
    const char *weights;
    char *message;
};

/* Return parameter `index` of a table, or null behind the last one. */
const struct tw_params_param *__tw_find_param(const struct tw_params *table, int64_t index);

/* Return the index of the parameter of a name, or -1. */
int64_t __tw_param_index(const struct tw_params *table, const char *name);

/* Check new values; write weights with them to `made`, which has room for weights_bytes, unless it is
 * null. Return 0, or the kind of an error. */
int32_t __tw_repack_params(const struct tw_params_host *host, const char *const *names,
    const struct tw_tensor *const *values, int32_t count, char *made);

/* Copy the values of a parameter to `made`, row by row, unless it is null. Return 0, or the kind of an
 * error: the packed weights need not contain the values of each parameter. */
int32_t __tw_get_param(const struct tw_params_host *host, const char *name, char *made);

#endif
