/* Parameters of models; repack.h describes the interface.
 *
 * Each constant in the packed weights is computed from parameters by *nodes*, such as moves of elements
 * or products. A node computes one array from the arrays of earlier nodes. driver/param_table.py derives
 * the nodes from the steps of the constant's recipe, which dialects/recipes.py defines in numpy. The
 * results have the same bits here: each product and each sum is rounded on its own, in the same order.
 */

#include "repack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "names.h"
#include "sha256.h"
#include "tensors.h"

/* The kinds of nodes; `a` and `b` are their operands.
 *
 * PARAMETER: the values of parameter a. CONSTANT: the bytes at offset a. MOVE: the elements of a, by a
 * walk, in an array of zeros, or in the array of b if b is a node. SCATTER: element n of a at position n
 * of a list. CONVERT: a as floats of another type; if b is 1, all must be finite. LOOKUP: entry a of a
 * list. WINOGRAD: the products of a matrix, a 3x3 window, and the transposed matrix. The others are
 * arithmetic on elements by a walk. */
enum { PARAMETER, CONSTANT, MOVE, SCATTER, CONVERT, LOOKUP, WINOGRAD, ADD, SUB, MUL, DIV, NEG,
    SQRT };

/* `from` is the element type of the operands, `dtype` that of the result, `count` its number of elements.
 * `walk` is the offset of the walk, which has `rank` axes, or of the list or the matrix. */
struct node {
    int64_t kind, from, dtype, count, a, b, rank, walk;
};

/* A constant: its place in the packed weights, its nodes, the last of which is its array, and the numbers
 * of the parameters on which it depends. */
struct constant {
    int64_t offset, nodes, node_count, params, param_count;
};

/* Two positions that move through two arrays: where they start, then for each axis its size and the
 * steps of both, in elements. */
struct axis {
    int64_t size, steps[2];
};
struct walk {
    int64_t starts[2];
    struct axis axes[];
};

/* The arrays of the nodes of a constant. `has` is null, or says which elements are known. */
struct array {
    char *data;
    bool *has;
    bool is_owned;
};

/* Keeps the code small. */
#define SHARED __attribute__((noinline))

/* Report an error whose text the arguments of snprintf make. */
#define REPORT(kind, host, ...)                                                                    \
    (snprintf((host)->message, TW_PARAMS_MESSAGE_BYTES, __VA_ARGS__), kind)

static const void *at_offset(const struct tw_params *table, int64_t offset)
{
    return (const char *)table + offset;
}

static SHARED int32_t no_memory(const struct tw_params_host *host)
{
    return REPORT(TW_NO_MEMORY, host, "%s: no memory is left for parameters", host->module);
}

/* ---- element types --------------------------------------------------------------------------- */


static int64_t size_of(int64_t dtype) { return ((dtype >> 8 & 255) + 7) / 8; }

static float float_of_bits(uint32_t bits)
{
    float made;
    memcpy(&made, &bits, sizeof made);
    return made;
}

/* Source: IEEE 754. A float16 times 2^112 has the exponent of a float32 with the same digits. */
static double value_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, digits = (uint32_t)(half & 0x7fff) << 13;
    if (digits >= 0x7c00 << 13)
        return (double)float_of_bits(sign | 0x70000000 | digits); /* infinite, or not a number */
    double value = (double)float_of_bits(digits) * 5192296858534827628530496329220096.0; /* 2^112 */
    return sign == 0 ? value : -value;
}

static SHARED double element_value(int64_t dtype, const char *from)
{
    float single;
    double number;
    uint16_t half;
    if (dtype == FLOAT64)
        return memcpy(&number, from, sizeof number), number;
    if (dtype == FLOAT32)
        return memcpy(&single, from, sizeof single), (double)single;
    memcpy(&half, from, sizeof half);
    return dtype == FLOAT16 ? value_of_half(half) : (double)float_of_bits((uint32_t)half << 16);
}

/* Round to float16, ties to even. Source: IEEE 754. */
static uint16_t half_of(double value)
{
    uint64_t bits, kept;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 1024 && mantissa != 0) {
        uint16_t payload = (uint16_t)(mantissa >> 42);
        return (uint16_t)(sign | 0x7c00 | (payload == 0 ? 1 : payload));
    }
    if (exponent > 15)
        return sign | 0x7c00;
    if (exponent < -26)
        return sign;
    int dropped = exponent < -14 ? 42 + (-14 - exponent) : 42;
    kept = (mantissa | (uint64_t)1 << 52) >> dropped;
    uint64_t rest = (mantissa | (uint64_t)1 << 52) & (((uint64_t)1 << dropped) - 1);
    uint64_t middle = (uint64_t)1 << (dropped - 1);
    kept += rest > middle || (rest == middle && (kept & 1) == 1);
    /* The leading bit of a normal number adds 1 to the exponent below it, and so does a carry. */
    uint64_t base = exponent < -14 ? 0 : (uint64_t)(exponent + 14) << 10;
    return (uint16_t)(sign | (base + kept));
}

/* Round to bfloat16 by way of float32, as ml_dtypes does. */
static uint16_t bfloat_of(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (single != single)
        return (uint16_t)(bits >> 31 == 1 ? 0xffc0 : 0x7fc0);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static SHARED void store_value(int64_t dtype, char *to, double value)
{
    float single = (float)value;
    uint16_t half = 0;
    if (dtype == FLOAT64) {
        memcpy(to, &value, sizeof value);
    } else if (dtype == FLOAT32) {
        memcpy(to, &single, sizeof single);
    } else {
        half = dtype == FLOAT16 ? half_of(value) : bfloat_of(value);
        memcpy(to, &half, sizeof half);
    }
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* Return the square root of a positive normal number, rounded to nearest, digit by digit: some machines
 * have no instruction for it, and parameters have few. */
static double root_by_digits(double x)
{
    enum { MANTISSA_BITS = 52, BIAS = 1023 };
    uint64_t bits, remainder = 0, root = 0;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS) - BIAS - MANTISSA_BITS;
    uint64_t digits = (bits & (((uint64_t)1 << MANTISSA_BITS) - 1)) | (uint64_t)1 << MANTISSA_BITS;
    if (exponent % 2 != 0) {
        digits <<= 1;
        exponent -= 1;
    }
    /* Each step takes two digits of the number, zeros at the end, and gives one of the root. */
    for (int pair = MANTISSA_BITS / 2; pair > MANTISSA_BITS / 2 - MANTISSA_BITS - 2; pair--) {
        remainder = remainder << 2 | (pair >= 0 ? digits >> 2 * pair & 3 : 0);
        uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (remainder >= trial) {
            remainder -= trial;
            root |= 1;
        }
    }
    /* The last digit rounds; the root of a number with 53 digits is never halfway. */
    root = (root >> 1) + (root & 1);
    bits = ((uint64_t)(exponent / 2 + MANTISSA_BITS / 2 + BIAS) << MANTISSA_BITS) + root -
           ((uint64_t)1 << MANTISSA_BITS);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double square_root(double x)
{
    static const double two_to_54 = 18014398509481984.0, smallest_normal = 2.2250738585072014e-308;
    if (x < 0)
        return (x - x) / (x - x);
    if (x > 0 && x < smallest_normal)
        return root_by_digits(x * two_to_54) / 134217728.0; /* 2^27 */
    return x > 0 && x - x == 0 ? root_by_digits(x) : x;
}

static double sum_of(double lhs, double rhs) { return lhs + rhs; }
static double difference_of(double lhs, double rhs) { return lhs - rhs; }
static double product_of(double lhs, double rhs) { return lhs * rhs; }
static double quotient_of(double lhs, double rhs) { return lhs / rhs; }
static double negative_of(double lhs, double rhs) { return (void)rhs, -lhs; }
static double root_of(double lhs, double rhs) { return (void)rhs, square_root(lhs); }

/* The functions of arithmetic nodes, in f64; the results are rounded. For these steps on f32 this is the
 * same as one rounding, as 53 >= 2 * 24 + 2. */
static double (*const ARITHMETIC[])(double lhs, double rhs) = {
    [ADD] = sum_of, [SUB] = difference_of, [MUL] = product_of, [DIV] = quotient_of, [NEG] = negative_of,
    [SQRT] = root_of};

/* Return the sum of three products, each rounded on its own: volatile, so that no compiler fuses. */
static double three_products(const double *factors, const double *values)
{
    volatile double product = factors[0] * values[0];
    double sum = product;
    product = factors[1] * values[1];
    sum += product;
    product = factors[2] * values[2];
    return sum + product;
}

enum { WINDOW = 3, MOST_PRODUCTS = 16 };

/* Transform windows: the elements of x are (3, 3, pairs), of the result (products * products, pairs). The
 * matrix has `products` rows of three factors. */
static void transform_windows(
    const double *matrix, int64_t products, int64_t pairs, const float *x, float *made)
{
    double half[MOST_PRODUCTS][WINDOW], column[WINDOW];
    for (int64_t pair = 0; pair < pairs; pair++) {
        for (int j = 0; j < WINDOW; j++) {
            for (int i = 0; i < WINDOW; i++)
                column[i] = (double)x[(WINDOW * i + j) * pairs + pair];
            for (int64_t p = 0; p < products; p++)
                half[p][j] = three_products(matrix + WINDOW * p, column);
        }
        for (int64_t p = 0; p < products; p++)
            for (int64_t q = 0; q < products; q++)
                made[(p * products + q) * pairs + pair] =
                    (float)three_products(matrix + WINDOW * q, half[p]);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A walk through the arrays of a node. `place` is the position in the result of arithmetic. With `has`,
 * elements of the second array are copied to the first one, where they are known. */
struct step {
    const struct node *node;
    const struct axis *axes;
    const char *sides[2];
    char *made;
    bool *has;
    const bool *known;
    int64_t place;
};

/* Move elements along the last axis. */
static void move_row(struct step *step, const struct axis *axis, int64_t from, int64_t to)
{
    int64_t size = size_of(step->node->dtype);
    const char *source = step->sides[0] + from * size;
    char *target = step->made + to * size;
    int64_t out = axis->steps[0] * size, into = axis->steps[1] * size;
    if (out == size && into == size)
        memcpy(target, source, (size_t)(axis->size * size));
    else if (size == 4) /* a copy of constant length is one instruction */
        for (int64_t at = 0; at < axis->size; at++)
            memcpy(target + at * into, source + at * out, 4);
    else
        for (int64_t at = 0; at < axis->size; at++)
            memcpy(target + at * into, source + at * out, (size_t)size);
}

/* Move known elements back along the last axis. */
static void move_back(struct step *step, const struct axis *axis, int64_t to, int64_t from)
{
    int64_t size = size_of(step->node->dtype);
    for (int64_t at = 0; at < axis->size; at++, to += axis->steps[0], from += axis->steps[1])
        if (step->known[from]) {
            memcpy(step->made + to * size, step->sides[1] + from * size, (size_t)size);
            step->has[to] = true;
        }
}

static void compute_row(struct step *step, const struct axis *axis, int64_t first, int64_t second)
{
    int64_t dtype = step->node->dtype, size = size_of(dtype);
    double (*compute)(double lhs, double rhs) = ARITHMETIC[step->node->kind];
    for (int64_t at = 0; at < axis->size; at++) {
        double lhs = element_value(dtype, step->sides[0] + (first + at * axis->steps[0]) * size);
        double rhs = element_value(dtype, step->sides[1] + (second + at * axis->steps[1]) * size);
        store_value(dtype, step->made + step->place++ * size, compute(lhs, rhs));
    }
}

static SHARED void walk_axes(struct step *step, int64_t axis, int64_t first, int64_t second)
{
    const struct axis *own = &step->axes[axis];
    if (axis + 1 == step->node->rank) {
        if (step->node->kind != MOVE)
            compute_row(step, own, first, second);
        else if (step->has != NULL)
            move_back(step, own, first, second);
        else
            move_row(step, own, first, second);
        return;
    }
    for (int64_t at = 0; at < own->size; at++)
        walk_axes(step, axis + 1, first + at * own->steps[0], second + at * own->steps[1]);
}

static void take_walk(const struct tw_params *table, struct step *step)
{
    const struct walk *walk = at_offset(table, step->node->walk);
    step->axes = walk->axes;
    walk_axes(step, 0, walk->starts[0], walk->starts[1]);
}

/* The following functions compute the array of a node from its operands. They return whether a compilation
 * could do so, too. */
typedef bool compute_node(const struct tw_params *table, const struct node *node,
    const struct array *arrays, char *made);

static bool compute_walk(const struct tw_params *table, const struct node *node,
    const struct array *arrays, char *made)
{
    bool has_second = node->kind != MOVE && node->b >= 0;
    const char *a = arrays[node->a].data, *b = has_second ? arrays[node->b].data : a;
    struct step step = {.node = node, .sides = {a, b}, .made = made};
    take_walk(table, &step);
    return true;
}

static bool compute_scatter(const struct tw_params *table, const struct node *node,
    const struct array *arrays, char *made)
{
    int64_t size = size_of(node->dtype);
    const int64_t *list = at_offset(table, node->walk);
    for (int64_t at = 0; at < node->rank; at++)
        memcpy(made + list[at] * size, arrays[node->a].data + at * size, (size_t)size);
    return true;
}

/* Convert floats; with b = 1, all must be finite. */
static bool compute_convert(const struct tw_params *table, const struct node *node,
    const struct array *arrays, char *made)
{
    (void)table;
    int64_t from = size_of(node->from), to = size_of(node->dtype);
    for (int64_t at = 0; at < node->count; at++) {
        double value = element_value(node->from, arrays[node->a].data + at * from);
        store_value(node->dtype, made + at * to, value);
        value = element_value(node->dtype, made + at * to);
        if (node->b == 1 && value - value != 0)
            return false;
    }
    return true;
}

static bool compute_lookup(const struct tw_params *table, const struct node *node,
    const struct array *arrays, char *made)
{
    int64_t size = size_of(node->dtype);
    const char *list = at_offset(table, node->walk), *codes = arrays[node->a].data;
    for (int64_t at = 0; at < node->count; at++)
        memcpy(made + at * size, list + (uint8_t)codes[at] * size, (size_t)size);
    return true;
}

static bool compute_windows(const struct tw_params *table, const struct node *node,
    const struct array *arrays, char *made)
{
    int64_t pairs = node->count / (node->rank * node->rank);
    const void *a = arrays[node->a].data;
    transform_windows(at_offset(table, node->walk), node->rank, pairs, a, (void *)made);
    return true;
}

/* Tables of functions, since a switch becomes a jump table in objects, which our linker lacks on RISC-V. */
static compute_node *const COMPUTE[] = {[MOVE] = compute_walk, [SCATTER] = compute_scatter,
    [CONVERT] = compute_convert, [LOOKUP] = compute_lookup, [WINOGRAD] = compute_windows,
    [ADD] = compute_walk, [SUB] = compute_walk, [MUL] = compute_walk, [DIV] = compute_walk,
    [NEG] = compute_walk, [SQRT] = compute_walk};

static void free_arrays(struct array *arrays, int64_t count)
{
    for (int64_t at = 0; arrays != NULL && at < count; at++)
        if (arrays[at].is_owned) {
            free(arrays[at].data);
            free(arrays[at].has);
        }
    free(arrays);
}

/* Take memory for an array of zeros, none of whose elements is known; return whether there is some. */
static SHARED bool take_array(struct array *array, const struct node *node, bool has_marks)
{
    size_t count = (size_t)node->count + 1;
    array->is_owned = true;
    array->data = calloc(count, (size_t)size_of(node->dtype));
    array->has = has_marks ? calloc(count, sizeof *array->has) : NULL;
    return array->data != NULL && (array->has != NULL || !has_marks);
}

/* A replacement of values: `given` has the data of each parameter, or null; `found` those that are taken
 * from the packed weights. */
struct replacement {
    const struct tw_params_host *host;
    const char **given;
    char **found;
    char *made;
};

static const char *param_name(const struct tw_params *table, int64_t index)
{
    return at_offset(table, __tw_find_param(table, index)->name);
}

/* Write the names of a constant's parameters to a text: all, or those with or without a value. */
enum wanted { ALL, GIVEN, MISSING };
enum { MORE_BYTES = 40 }; /* at least the length of ", and N more" */
static SHARED void write_names(const struct replacement *own, const struct constant *constant,
    enum wanted wanted, char *text, int64_t room)
{
    const struct tw_params *table = own->host->table;
    const int64_t *params = at_offset(table, constant->params);
    int64_t length = 0, left = 0;
    text[0] = 0;
    for (int64_t at = 0; at < constant->param_count; at++) {
        const char *name = param_name(table, params[at]), *before = length == 0 ? "" : ", ";
        if (wanted != ALL && (own->given[params[at]] != NULL) != (wanted == GIVEN))
            continue;
        int64_t end =
            left > 0 ? room : APPEND(text, room - MORE_BYTES, length, "%s%s", before, name);
        if (end < room - MORE_BYTES)
            length = end;
        else
            left++;
    }
    if (left > 0)
        snprintf(text + length, (size_t)(room - length), "%s%lld %s",
            length == 0 ? "" : ", and ", (long long)left, length == 0 ? "parameters" : "more");
}

static SHARED int32_t refuse_param(
    const struct tw_params_host *host, const char *name, const char *reason)
{
    return REPORT(TW_REFUSED, host,
        "%s: parameter %s cannot be replaced\n    got: %s\n    hint: compile the model with the new "
        "values",
        host->module, name, reason);
}

/* Compute a constant from the values of its parameters, and store it in the new weights. */
static int32_t replace_constant(const struct replacement *own, const struct constant *constant)
{
    const struct tw_params *table = own->host->table;
    const struct node *nodes = at_offset(table, constant->nodes);
    struct array *arrays = calloc((size_t)constant->node_count, sizeof *arrays);
    char *to = own->made + constant->offset;
    bool has_memory = arrays != NULL, is_computed = true;
    for (int64_t at = 0; has_memory && is_computed && at < constant->node_count; at++) {
        const struct node *node = &nodes[at];
        if (node->kind == PARAMETER)
            arrays[at].data = (char *)(uintptr_t)own->given[node->a];
        else if (node->kind == CONSTANT)
            arrays[at].data = (char *)(uintptr_t)at_offset(table, node->a);
        else if (node->kind == MOVE && node->b >= 0)
            arrays[at].data = arrays[node->b].data;
        else if (at + 1 < constant->node_count)
            has_memory = take_array(&arrays[at], node, false);
        else /* the last one computes its array in place; a move may leave gaps */
            arrays[at].data = memset(to, 0, (size_t)(node->count * size_of(node->dtype)));
        if (has_memory && node->kind > CONSTANT)
            is_computed = COMPUTE[node->kind](table, node, arrays, arrays[at].data);
    }
    const struct node *last = &nodes[constant->node_count - 1];
    if (has_memory && is_computed && arrays[constant->node_count - 1].data != to)
        memcpy(to, arrays[constant->node_count - 1].data,
            (size_t)(last->count * size_of(last->dtype)));
    free_arrays(arrays, constant->node_count);
    if (!has_memory)
        return no_memory(own->host);
    if (is_computed)
        return 0;
    char names[512];
    write_names(own, constant, ALL, names, sizeof names);
    return refuse_param(own->host, names, "a constant that is computed from it is not finite");
}

/* ---- values in packed weights ---------------------------------------------------------------- */

/* Return whether a conversion keeps all values. */
static bool is_widening(int64_t from, int64_t dtype)
{
    bool is_wide = dtype == FLOAT32 || dtype == FLOAT64;
    return from == dtype || (is_wide && size_of(from) < size_of(dtype));
}

/* Store what an element was before its conversion or negation. */
static void restore_element(const struct node *node, const char *list, const char *from, char *to)
{
    int64_t size = size_of(node->dtype), code = 0;
    if (node->kind == LOOKUP) {
        while (code < 255 && memcmp(list + code * size, from, (size_t)size) != 0)
            code++;
        *to = (char)code;
    } else if (node->from == node->dtype && node->kind == CONVERT) {
        memcpy(to, from, (size_t)size);
    } else {
        double value = element_value(node->dtype, from);
        store_value(node->from, to, node->kind == NEG ? -value : value);
    }
}

/* Mark the elements of a node's operand that its own array contains, and store them. */
static void restore_operand(const struct tw_params *table, const struct node *node,
    const struct array *own, struct array *operand)
{
    const char *list = at_offset(table, node->walk);
    int64_t from = size_of(node->dtype), to = size_of(node->from);
    if (node->kind == MOVE) {
        struct step step = {.node = node, .sides = {NULL, own->data}, .made = operand->data,
            .has = operand->has, .known = own->has};
        take_walk(table, &step);
        return;
    }
    int64_t count = node->kind == SCATTER ? node->rank : node->count;
    for (int64_t at = 0; at < count; at++) {
        int64_t place = node->kind == SCATTER ? ((const int64_t *)(const void *)list)[at] : at;
        if (!own->has[place])
            continue;
        operand->has[at] = true;
        if (node->kind == SCATTER)
            memcpy(operand->data + at * to, own->data + place * from, (size_t)from);
        else
            restore_element(node, list, own->data + place * from, operand->data + at * to);
    }
}

/* Return whether the operands of a node follow from its array. */
static SHARED bool is_restorable(const struct node *node)
{
    if ((1 << node->kind & (1 << CONVERT | 1 << LOOKUP)) != 0)
        return is_widening(node->from, node->dtype);
    return (1 << node->kind & (1 << MOVE | 1 << SCATTER | 1 << NEG)) != 0;
}

/* Mark the nodes whose arrays contain elements of parameter `index`; return whether the last one does. */
static bool find_holders(const struct constant *constant, const struct node *nodes, int64_t index,
    bool *holds)
{
    for (int64_t at = 0; at < constant->node_count; at++) {
        const struct node *node = &nodes[at];
        if (node->kind == PARAMETER)
            holds[at] = node->a == index;
        else if (node->kind != CONSTANT && is_restorable(node))
            holds[at] = holds[node->a] || (node->kind == MOVE && node->b >= 0 && holds[node->b]);
    }
    return holds[constant->node_count - 1];
}

/* Restore the operands of all nodes, from the last one on, whose elements are known. Return whether
 * there is memory. */
static bool restore_nodes(const struct tw_params *table, const struct node *nodes, int64_t count,
    const bool *holds, const struct array *found, struct array *arrays)
{
    for (int64_t at = count - 1; at >= 0; at--) {
        const struct node *node = &nodes[at];
        if (node->kind <= CONSTANT || arrays[at].has == NULL)
            continue;
        if (node->kind == MOVE && node->b >= 0 && holds[node->b])
            arrays[node->b] = (struct array){arrays[at].data, arrays[at].has, false};
        if (!holds[node->a])
            continue;
        struct array *operand = &arrays[node->a];
        if (nodes[node->a].kind == PARAMETER)
            *operand = *found;
        else if (operand->has == NULL && !take_array(operand, &nodes[node->a], true))
            return false;
        restore_operand(table, node, &arrays[at], operand);
    }
    return true;
}

/* Store the elements of parameter `index` that a constant contains; return whether there is memory. */
static bool find_in_constant(const struct tw_params_host *host, const struct constant *constant,
    int64_t index, const struct array *found)
{
    const struct node *nodes = at_offset(host->table, constant->nodes);
    int64_t count = constant->node_count;
    const struct node *last = &nodes[count - 1];
    const char *data = host->weights + constant->offset;
    if (last->kind == PARAMETER) {
        memcpy(found->data, data, (size_t)(last->count * size_of(last->dtype)));
        memset(found->has, 1, (size_t)last->count);
        return true;
    }
    struct array *arrays = calloc((size_t)count, sizeof *arrays);
    bool *holds = calloc((size_t)count, sizeof *holds), *all = malloc((size_t)last->count + 1);
    bool has_memory = arrays != NULL && holds != NULL && all != NULL;
    if (has_memory && find_holders(constant, nodes, index, holds)) {
        memset(all, 1, (size_t)last->count);
        arrays[count - 1] = (struct array){(char *)(uintptr_t)data, all, false};
        has_memory = restore_nodes(host->table, nodes, count, holds, found, arrays);
    }
    free_arrays(arrays, count);
    free(holds);
    free(all);
    return has_memory;
}

static bool depends(const struct tw_params *table, const struct constant *constant, int64_t index)
{
    const int64_t *params = at_offset(table, constant->params);
    for (int64_t at = 0; at < constant->param_count; at++)
        if (params[at] == index)
            return true;
    return false;
}

static int64_t elements_of(const struct tw_params *table, const struct tw_params_param *param)
{
    const int64_t *shape = at_offset(table, param->shape);
    int64_t count = 1;
    for (int64_t axis = 0; axis < param->rank; axis++)
        count *= shape[axis];
    return count;
}

/* Store the values of a parameter, or null if the packed weights lack an element. Return 0, or the kind
 * of an error. */
static int32_t find_values(const struct tw_params_host *host, int64_t index, char **made)
{
    const struct tw_params_param *param = __tw_find_param(host->table, index);
    const struct constant *constants = at_offset(host->table, host->table->constants);
    int64_t count = elements_of(host->table, param);
    struct array found = {
        malloc((size_t)(count * size_of(param->dtype)) + 1), calloc((size_t)count + 1, 1), false};
    bool has_memory = found.data != NULL && found.has != NULL, is_whole = false;
    for (int64_t at = 0; has_memory && !is_whole && at < host->table->constant_count; at++)
        if (depends(host->table, &constants[at], index)) {
            has_memory = find_in_constant(host, &constants[at], index, &found);
            is_whole = has_memory && memchr(found.has, 0, (size_t)count) == NULL;
        }
    free(found.has);
    if (!is_whole)
        free(found.data);
    *made = is_whole ? found.data : NULL;
    return has_memory ? 0 : no_memory(host);
}

/* ---- new values ------------------------------------------------------------------------------ */

const struct tw_params_param *__tw_find_param(const struct tw_params *table, int64_t index)
{
    const struct tw_params_param *params = at_offset(table, table->params);
    return index >= 0 && index < table->param_count ? &params[index] : NULL;
}

int64_t __tw_param_index(const struct tw_params *table, const char *name)
{
    for (int64_t at = 0; at < table->param_count; at++)
        if (strcmp(param_name(table, at), name) == 0)
            return at;
    return -1;
}

static int32_t refuse_name(const struct tw_params_host *host, const char *name)
{
    const char *nearest = NULL;
    size_t least = MAX_NAME;
    for (int64_t at = 0; at < host->table->param_count; at++) {
        size_t edits = distance(name, param_name(host->table, at));
        if (nearest == NULL || edits < least) {
            least = edits;
            nearest = param_name(host->table, at);
        }
    }
    return REPORT(TW_REFUSED, host, "%s has no parameter '%s'\n    expected: %s%s", host->module, name,
        nearest == NULL ? "a model with initializers" : "a parameter, such as ",
        nearest == NULL ? "" : nearest);
}

static const char *data_of(const struct tw_tensor *tensor)
{
    return (const char *)tensor->data + tensor->byte_offset;
}

static int32_t check_value(const struct tw_params_host *host, const struct tw_params_param *param,
    const struct tw_tensor *tensor)
{
    const char *name = at_offset(host->table, param->name);
    const char *reason = at_offset(host->table, param->reason);
    const int64_t *shape = at_offset(host->table, param->shape);
    bool is_alike = (tensor->dtype & 0xffff) == param->dtype && tensor->dtype >> 16 == 1 &&
                    tensor->rank == param->rank;
    for (int64_t axis = 0; is_alike && axis < param->rank; axis++)
        is_alike = tensor->shape[axis] == shape[axis];
    if (!is_alike) {
        char expected[256], got[256];
        tw_write_type(expected, sizeof expected, (uint32_t)param->dtype, param->rank, shape);
        tw_write_type(got, sizeof got, tensor->dtype, tensor->rank, tensor->shape);
        return REPORT(TW_REFUSED, host,
            "%s: parameter %s has another shape or dtype\n    expected: %s\n    got: %s\n    hint: "
            "pass it in the layout of the model",
            host->module, name, expected, got);
    }
    if (!tw_is_plain(tensor))
        return REPORT(TW_REFUSED, host,
            "%s: parameter %s is not row by row in CPU memory\n    expected: a row-major tensor\n"
            "    got: another device, or strides",
            host->module, name);
    if (reason[0] == 0)
        return 0;
    uint8_t digest[32];
    char text[65];
    struct sha256 sha = NEW_DIGEST;
    digest_bytes(&sha, data_of(tensor),
        (size_t)(elements_of(host->table, param) * size_of(param->dtype)));
    finish_digest(&sha, digest);
    write_hex(text, digest);
    const char *expected = at_offset(host->table, param->digest);
    return strcmp(text, expected) == 0 ? 0 : refuse_param(host, name, reason);
}

/* Take the values of a constant's parameters that are not given from the packed weights. */
static int32_t complete(const struct replacement *own, const struct constant *constant)
{
    const struct tw_params *table = own->host->table;
    const int64_t *params = at_offset(table, constant->params);
    bool is_whole = true;
    for (int64_t at = 0; at < constant->param_count; at++) {
        int64_t index = params[at];
        if (own->given[index] != NULL)
            continue;
        int32_t status = 0;
        if (own->found[index] == NULL)
            status = find_values(own->host, index, &own->found[index]);
        if (status != 0)
            return status;
        is_whole = is_whole && own->found[index] != NULL;
    }
    for (int64_t at = 0; is_whole && at < constant->param_count; at++)
        if (own->given[params[at]] == NULL)
            own->given[params[at]] = own->found[params[at]];
    if (is_whole)
        return 0;
    char all[256], given[256], missing[256];
    write_names(own, constant, ALL, all, sizeof all);
    write_names(own, constant, GIVEN, given, sizeof given);
    write_names(own, constant, MISSING, missing, sizeof missing);
    return REPORT(TW_REFUSED, own->host,
        "%s: a parameter is combined with others, which are not given\n    expected: %s\n    got: "
        "%s\n    hint: pass %s too",
        own->host->module, all, given, missing);
}

/* Compute the constants that depend on new values. */
static int32_t replace_constants(const struct replacement *own, const bool *is_new)
{
    const struct tw_params *table = own->host->table;
    const struct constant *constants = at_offset(table, table->constants);
    for (int64_t at = 0; at < table->constant_count; at++) {
        const struct constant *constant = &constants[at];
        const int64_t *params = at_offset(table, constant->params);
        bool is_changed = false;
        for (int64_t each = 0; each < constant->param_count; each++)
            is_changed = is_changed || is_new[params[each]];
        int32_t status = is_changed ? complete(own, constant) : 0;
        if (is_changed && status == 0)
            status = replace_constant(own, constant);
        if (status != 0)
            return status;
    }
    return 0;
}

/* Check the new values, and note those that replace others. */
static int32_t check_values(const struct replacement *own, const char *const *names,
    const struct tw_tensor *const *values, int32_t count, bool *is_new)
{
    const struct tw_params_host *host = own->host;
    for (int32_t at = 0; at < count; at++) {
        int64_t index = __tw_param_index(host->table, names[at]);
        if (index < 0)
            return refuse_name(host, names[at]);
        const struct tw_params_param *param = __tw_find_param(host->table, index);
        int32_t status = check_value(host, param, values[at]);
        if (status != 0)
            return status;
        is_new[index] = *(const char *)at_offset(host->table, param->reason) == 0;
        own->given[index] = is_new[index] ? data_of(values[at]) : NULL;
    }
    return 0;
}

int32_t __tw_repack_params(const struct tw_params_host *host, const char *const *names,
    const struct tw_tensor *const *values, int32_t count, char *made)
{
    size_t room = (size_t)host->table->param_count + 1;
    struct replacement own = {
        host, calloc(room, sizeof *own.given), calloc(room, sizeof *own.found), made};
    bool *is_new = calloc(room, sizeof *is_new);
    bool has_memory = own.given != NULL && own.found != NULL && is_new != NULL;
    int32_t status =
        has_memory ? check_values(&own, names, values, count, is_new) : no_memory(host);
    if (status == 0 && made != NULL) {
        memcpy(made, host->weights, (size_t)host->table->weights_bytes);
        status = replace_constants(&own, is_new);
    }
    for (int64_t at = 0; own.found != NULL && at < host->table->param_count; at++)
        free(own.found[at]);
    free(own.given);
    free(own.found);
    free(is_new);
    return status;
}

int32_t __tw_get_param(const struct tw_params_host *host, const char *name, char *made)
{
    int64_t index = __tw_param_index(host->table, name);
    const struct tw_params_param *param = __tw_find_param(host->table, index);
    if (param == NULL)
        return refuse_name(host, name);
    const char *reason = at_offset(host->table, param->reason);
    char *found = NULL;
    int32_t status = reason[0] == 0 ? find_values(host, index, &found) : 0;
    if (status == 0 && found == NULL)
        status = REPORT(TW_ABSENT, host,
            "%s does not contain the values of parameter %s\n    got: %s\n    hint: take them from "
            "the model, or save them with save_params before the export",
            host->module, name,
            reason[0] != 0 ? reason : (const char *)at_offset(host->table, param->folded));
    if (status == 0 && made != NULL)
        memcpy(made, found, (size_t)(elements_of(host->table, param) * size_of(param->dtype)));
    free(found);
    return status;
}
