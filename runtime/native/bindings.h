/* The interface between the programs of one model in a library, and the code that chooses one. */

#ifndef TILEWRIGHT_BINDINGS_H
#define TILEWRIGHT_BINDINGS_H

#include "entry.h"

/* The functions of a program that take its arguments. */
enum { TW_MAIN, TW_MAIN_THREADS, TW_MAIN_ALLOCATING, TW_OUTPUT_SHAPES, TW_ARENA_BYTES, TW_FUNCTIONS };

/* The value of an input, as bytes. */
struct tw_bound {
    const void *data;
    const int64_t *shape;
    int64_t bytes;
    int32_t rank;
};

/* A program for one binding. `bound` has a value for each bound input; the others are its inputs.
 * `weights` is its slot for the address of its weights, which start at `weights_at` in those of the
 * library. */
struct tw_program {
    tw_packed_function *functions[TW_FUNCTIONS];
    void (*release)(void);
    const struct tw_spec *specs;
    const struct tw_bound *bound;
    void **weights;
    int64_t weights_at;
    int32_t inputs;
    int32_t arguments;
};

/* What the export defines; codegen/bindings.py writes it, and the names, signature and specs of the
 * declared interface that entry.h names. An output has rank -1 if the programs differ in it. */
extern const struct tw_program tw_programs[] TW_HIDDEN;
extern const int32_t tw_program_count TW_HIDDEN;
extern const int32_t tw_bound_inputs[] TW_HIDDEN; /* positions of the bound inputs */
extern const int32_t tw_bound_count TW_HIDDEN;
extern const char tw_bindings[] TW_HIDDEN; /* all of them, for messages */

/* Find the program for the values of the inputs, and load its weights; store null and return -1 after
 * reporting an error. `count` may include outputs. */
int32_t __tw_choose(
    const struct tw_value *args, int32_t count, const struct tw_program **chosen);

/* Return whether an input is bound, and so no argument of a program. */
int32_t __tw_is_bound(int32_t input);

#endif
