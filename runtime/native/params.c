/* Parameters of loaded modules: new values for the initializers of a model, and the values that the
 * packed weights contain. A part of tilewright.c, which includes it.
 *
 * In: the parameters and recipes in the manifest of a library (driver/params.py writes them), and its
 * packed weights. Out: weights that are packed anew, or tensors. runtime/module/params.py does the same in
 * Python, and runtime/file/recipes.py defines the steps of a recipe, whose results have the same bits here:
 * each product and each sum is rounded on its own, in the order of numpy.
 */

#include <locale.h>

/* Functions with many callers, of which copies would make the runtime a third larger. */
#define SHARED __attribute__((noinline))

/* ---- JSON ------------------------------------------------------------------------------------ */

enum { NONE = -1, MOST_DEPTH = 64 };

/* A value: its first byte, its place in the text, its elements (of an object: keys and values by turns)
 * and the next element of the list that it is in. */
struct json {
    char kind;
    const char *at;
    int32_t first, next, count;
};

/* The values of a text. `at` is where reading goes on, `end` the end of the text. */
struct json_tree {
    struct json *nodes;
    int32_t count, room;
    const char *at, *end;
};

static void skip_spaces(struct json_tree *tree)
{
    while (tree->at < tree->end && strchr(" \n\r\t", *tree->at) != NULL && *tree->at != 0)
        tree->at++;
}

static int32_t new_node(struct json_tree *tree)
{
    if (tree->count == tree->room) {
        int32_t room = tree->room < 64 ? 64 : 2 * tree->room;
        struct json *grown = realloc(tree->nodes, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return NONE;
        tree->nodes = grown;
        tree->room = room;
    }
    tree->nodes[tree->count] = (struct json){*tree->at, tree->at, NONE, NONE, 0};
    return tree->count++;
}

/* Move behind a string, a number or a word; return whether it is one. */
static bool skip_scalar(struct json_tree *tree)
{
    const char *start = tree->at;
    if (*start == '"') {
        for (tree->at++; tree->at < tree->end && *tree->at != '"'; tree->at++)
            tree->at += *tree->at == '\\';
        return tree->at++ < tree->end;
    }
    while (tree->at < tree->end && *tree->at != 0 && strchr(",:]} \n\r\t", *tree->at) == NULL)
        tree->at++;
    return tree->at > start;
}

/* Read the value at the place of the tree; return its number, or NONE for a malformed text. */
static int32_t read_json(struct json_tree *tree, int depth)
{
    skip_spaces(tree);
    if (tree->at >= tree->end || depth > MOST_DEPTH)
        return NONE;
    int32_t made = new_node(tree), last = NONE;
    if (made == NONE || (*tree->at != '[' && *tree->at != '{'))
        return made != NONE && skip_scalar(tree) ? made : NONE;
    char close = *tree->at == '[' ? ']' : '}';
    for (tree->at++;; tree->at++) {
        skip_spaces(tree);
        if (tree->at < tree->end && *tree->at == close && last == NONE)
            break;
        int32_t element = read_json(tree, depth + 1);
        if (element == NONE)
            return NONE;
        *(last == NONE ? &tree->nodes[made].first : &tree->nodes[last].next) = element;
        last = element;
        tree->nodes[made].count++;
        skip_spaces(tree);
        if (tree->at >= tree->end || *tree->at == close)
            break;
        bool is_key = close == '}' && tree->nodes[made].count % 2 == 1;
        if (*tree->at != (is_key ? ':' : ','))
            return NONE;
    }
    return tree->at++ < tree->end ? made : NONE;
}

/* Return element `position` of a list, or NONE. */
SHARED static int32_t element_of(const struct json_tree *tree, int32_t list, int32_t position)
{
    int32_t at = list == NONE ? NONE : tree->nodes[list].first;
    while (at != NONE && position-- > 0)
        at = tree->nodes[at].next;
    return at;
}

static int32_t count_of(const struct json_tree *tree, int32_t list)
{
    return list == NONE ? 0 : tree->nodes[list].count;
}

SHARED static int64_t integer_of(const struct json_tree *tree, int32_t value)
{
    return value == NONE ? 0 : strtoll(tree->nodes[value].at, NULL, 10);
}

static uint32_t hex_of(const char *at, int digits)
{
    uint32_t value = 0;
    for (; digits > 0; digits--, at++)
        value = value * 16 + (uint32_t)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
    return value;
}

/* Write a character of Unicode in UTF-8; return the end. */
static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(0xf00 >> (more + 1) | code >> 6 * more);
    while (more-- > 0)
        *to++ = (char)(0x80 | (code >> 6 * more & 63));
    return to;
}

/* Return a copy of a string's text, to be freed, or null without memory or for another value. */
SHARED static char *text_of(const struct json_tree *tree, int32_t value)
{
    if (value == NONE || tree->nodes[value].kind != '"')
        return NULL;
    const char *at = tree->nodes[value].at + 1;
    size_t length = (size_t)(behind_string(at - 1) - at);
    char *made = malloc(length + 1), *to = made;
    while (made != NULL && *at != '"') {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        const char *letter = strchr("b\bf\fn\nr\rt\t", at[1]);
        if (at[1] == 'u') {
            uint32_t code = hex_of(at + 2, 4);
            at += 6;
            if (code >> 10 == 0xd800 >> 10 && at[0] == '\\' && at[1] == 'u') {
                code = 0x10000 + ((code & 1023) << 10) + (hex_of(at + 2, 4) & 1023);
                at += 6;
            }
            to = put_utf8(to, code);
        } else {
            *to++ = letter != NULL ? letter[1] : at[1];
            at += 2;
        }
    }
    if (made != NULL)
        *to = 0;
    return made;
}

/* Return whether a string has a text without escapes. */
SHARED static bool is_word(const struct json_tree *tree, int32_t value, const char *text)
{
    size_t length = strlen(text);
    const char *at = value == NONE ? "" : tree->nodes[value].at;
    return *at == '"' && strncmp(at + 1, text, length) == 0 && at[length + 1] == '"';
}

/* Return the value of a key of an object, or NONE. */
SHARED static int32_t value_of_key(const struct json_tree *tree, int32_t object, const char *key)
{
    for (int32_t at = element_of(tree, object, 0); at != NONE;) {
        int32_t value = tree->nodes[at].next;
        if (is_word(tree, at, key) || value == NONE)
            return value;
        at = tree->nodes[value].next;
    }
    return NONE;
}

/* ---- element types --------------------------------------------------------------------------- */

/* Names of element types in recipes, which numpy and ml_dtypes give them, and in safetensors files. */
static const struct {
    const char *name, *tag;
    uint32_t dtype;
} DTYPES[] = {
    {"int8", "I8", TW_DTYPE(0, 8)}, {"int16", "I16", TW_DTYPE(0, 16)},
    {"int32", "I32", TW_DTYPE(0, 32)}, {"int64", "I64", TW_DTYPE(0, 64)},
    {"uint8", "U8", TW_DTYPE(1, 8)}, {"uint16", "U16", TW_DTYPE(1, 16)},
    {"uint32", "U32", TW_DTYPE(1, 32)}, {"uint64", "U64", TW_DTYPE(1, 64)},
    {"float16", "F16", TW_DTYPE(2, 16)}, {"float32", "F32", TW_DTYPE(2, 32)},
    {"float64", "F64", TW_DTYPE(2, 64)}, {"bfloat16", "BF16", TW_DTYPE(4, 16)},
    {"complex64", "", TW_DTYPE(5, 64)}, {"complex128", "", TW_DTYPE(5, 128)},
    {"bool", "BOOL", TW_DTYPE(6, 8)}, {"float8_e3m4", "", TW_DTYPE(7, 8)},
    {"float8_e4m3", "", TW_DTYPE(8, 8)}, {"float8_e4m3b11fnuz", "", TW_DTYPE(9, 8)},
    {"float8_e4m3fn", "F8_E4M3", TW_DTYPE(10, 8)}, {"float8_e4m3fnuz", "", TW_DTYPE(11, 8)},
    {"float8_e5m2", "F8_E5M2", TW_DTYPE(12, 8)}, {"float8_e5m2fnuz", "", TW_DTYPE(13, 8)},
    {"float8_e8m0fnu", "", TW_DTYPE(14, 8)}, {"float6_e2m3fn", "", TW_DTYPE(15, 6)},
    {"float6_e3m2fn", "", TW_DTYPE(16, 6)}, {"float4_e2m1fn", "", TW_DTYPE(17, 4)},
    {"int2", "", TW_DTYPE(0, 2)}, {"int4", "", TW_DTYPE(0, 4)}, {"uint2", "", TW_DTYPE(1, 2)},
    {"uint4", "", TW_DTYPE(1, 4)},
};

enum { DTYPE_COUNT = sizeof DTYPES / sizeof *DTYPES };
#define TW_FLOAT16 TW_DTYPE(2, 16)
#define TW_BFLOAT16 TW_DTYPE(4, 16)

/* Return the element type of a name or of a tag of safetensors; 0 if it is unknown. */
SHARED static uint32_t dtype_named(const struct json_tree *tree, int32_t name)
{
    for (size_t at = 0; at < DTYPE_COUNT; at++)
        if (is_word(tree, name, DTYPES[at].name) || is_word(tree, name, DTYPES[at].tag))
            return DTYPES[at].dtype;
    return 0;
}

static const char *dtype_name(uint32_t dtype)
{
    for (size_t at = 0; at < DTYPE_COUNT; at++)
        if (DTYPES[at].dtype == dtype)
            return DTYPES[at].name;
    return "another type";
}

/* The formats of floats of at most 16 bits, by DLPack code: exponent bits, mantissa bits, bias, and
 * what the codes of NaN and infinity are. float8_e8m0fnu is not among them. */
enum { IEEE, ALL_ONES, MINUS_ZERO, FINITE };
static const struct {
    int8_t exponent, mantissa, bias, special;
} FORMATS[] = {
    [2] = {5, 10, 15, IEEE}, [7] = {3, 4, 3, IEEE}, [8] = {4, 3, 7, IEEE},
    [9] = {4, 3, 11, MINUS_ZERO}, [10] = {4, 3, 7, ALL_ONES}, [11] = {4, 3, 8, MINUS_ZERO},
    [12] = {5, 2, 15, IEEE}, [13] = {5, 2, 16, MINUS_ZERO}, [15] = {2, 3, 1, FINITE},
    [16] = {3, 2, 3, FINITE}, [17] = {2, 1, 1, FINITE},
};

static double double_of_bits(uint64_t bits)
{
    double made;
    memcpy(&made, &bits, sizeof made);
    return made;
}

static double power_of_two(int exponent) { return double_of_bits((uint64_t)(exponent + 1023) << 52); }

/* Return the value of a float of at most 16 bits. */
static double small_float(uint32_t dtype, uint32_t bits)
{
    const uint64_t NOT_A_NUMBER = 0x7ff8000000000000, INFINITE = 0x7ff0000000000000;
    uint32_t code = dtype & 255;
    if (code == 14)
        return bits == 255 ? double_of_bits(NOT_A_NUMBER) : power_of_two((int)bits - 127);
    int exponents = FORMATS[code].exponent, digits = FORMATS[code].mantissa;
    uint32_t mantissa = bits & ((1u << digits) - 1), most = (1u << exponents) - 1;
    uint32_t exponent = bits >> digits & most, sign = bits >> (digits + exponents) & 1;
    bool is_last = exponent == most;
    switch (FORMATS[code].special) {
    case IEEE:
        if (is_last)
            return double_of_bits((uint64_t)sign << 63 |
                                  (mantissa == 0 ? INFINITE
                                                 : NOT_A_NUMBER | (uint64_t)mantissa << (52 - digits)));
        break;
    case ALL_ONES:
        if (is_last && mantissa == (1u << digits) - 1)
            return double_of_bits((uint64_t)sign << 63 | NOT_A_NUMBER);
        break;
    case MINUS_ZERO:
        if (sign == 1 && exponent == 0 && mantissa == 0)
            return double_of_bits((uint64_t)1 << 63 | NOT_A_NUMBER);
        break;
    default:
        break;
    }
    int scale = (exponent == 0 ? 1 : (int)exponent) - FORMATS[code].bias - digits;
    double value = (double)(mantissa + (exponent == 0 ? 0 : 1u << digits)) * power_of_two(scale);
    return sign == 1 ? -value : value;
}

SHARED static double element_value(uint32_t dtype, const char *from)
{
    float single;
    double number;
    uint16_t half;
    if (dtype == TW_FLOAT64)
        return memcpy(&number, from, sizeof number), number;
    if (dtype == TW_FLOAT32)
        return memcpy(&single, from, sizeof single), (double)single;
    if (element_bytes(dtype) == 1)
        return small_float(dtype, (uint8_t)*from);
    memcpy(&half, from, sizeof half);
    if (dtype == TW_FLOAT16)
        return small_float(dtype, half);
    uint32_t bits = (uint32_t)half << 16;
    memcpy(&single, &bits, sizeof single);
    return (double)single;
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

/* Store a value as an element; values of one byte must be exact. */
SHARED static void store_value(uint32_t dtype, char *to, double value)
{
    float single = (float)value;
    uint16_t half;
    if (dtype == TW_FLOAT64) {
        memcpy(to, &value, sizeof value);
    } else if (dtype == TW_FLOAT32) {
        memcpy(to, &single, sizeof single);
    } else if (dtype == TW_FLOAT16 || dtype == TW_BFLOAT16) {
        half = dtype == TW_FLOAT16 ? half_of(value) : bfloat_of(value);
        memcpy(to, &half, sizeof half);
    } else {
        uint32_t code = 0;
        for (double found; code < 255; code++) {
            found = small_float(dtype, code);
            if (memcmp(&found, &value, sizeof value) == 0)
                break;
        }
        *to = (char)code;
    }
}

static bool is_float_type(uint32_t dtype)
{
    uint32_t code = dtype & 255;
    return code == 2 || code == 4 || (code >= 7 && code <= 17);
}

/* ---- the parameters of a library --------------------------------------------------------------- */

enum { HEX_BYTES = 65 };

struct param {
    char *name, *reason;
    int64_t shape[TW_MAX_RANK];
    uint32_t dtype;
    int32_t rank;
    char digest[HEX_BYTES];
};

/* The steps of a recipe; see runtime/file/recipes.py. */
enum step { PARAM, CONSTANT, RESHAPE, TRANSPOSE, BROADCAST, SLICE, PAD, STORE, BITS, CONCAT, CONVERT,
    FINITE_STEP, WINOGRAD, ADD, SUB, MUL, DIV, NEG, SQRT, STEP_COUNT };
static const char *const STEPS[STEP_COUNT] = {"param", "constant", "reshape", "transpose", "broadcast",
    "slice", "pad", "store", "bits", "concat", "convert", "finite", "winograd", "add", "sub", "mul",
    "div", "neg", "sqrt"};

/* A step, its arguments and the rows of its operands, as JSON; the parameter that it is. */
struct recipe {
    enum step step;
    int32_t arguments, operands, param;
};

/* A constant of the code: its place in the packed weights, and the row of its recipe. */
struct constant {
    int64_t offset;
    int32_t row;
};

/* One of the programs of a library: its parameters, and the slot for the address of its weights.
 * Before a call has filled it, the weights start at `weights_at` in those of the library. `replaced` is
 * the memory of weights that were loaded later. */
struct tw_part {
    struct json_tree tree;
    struct param *params;
    struct recipe *recipes;
    struct constant *constants;
    int32_t param_count, recipe_count, constant_count;
    void **weights;
    const int32_t *running; /* the number of runs that may read the weights */
    int64_t weights_bytes, weights_at;
    void *replaced;
    void **retired; /* replaced weights that a run may read still */
    int32_t retired_count;
};

static void free_retired(struct tw_part *part)
{
    while (part->retired_count > 0)
        return_memory(part->retired[--part->retired_count]);
}

/* Let later runs read other weights. Runs in other threads finish with the old ones, which are kept
 * until a later replacement finds no run. */
static void replace_weights(struct tw_part *part, void *weights)
{
    void *old = part->replaced;
    part->replaced = weights;
    __atomic_store_n(part->weights, weights, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(part->running, __ATOMIC_SEQ_CST) == 0) {
        free_retired(part);
        return_memory(old);
        return;
    }
    size_t bytes = ((size_t)part->retired_count + 1) * sizeof *part->retired;
    void **retired = old == NULL ? NULL : realloc(part->retired, bytes);
    if (retired == NULL)
        return; /* without memory for the list, the old weights stay */
    part->retired = retired;
    part->retired[part->retired_count++] = old;
}

static void free_part(struct tw_part *part)
{
    for (int32_t at = 0; part->params != NULL && at < part->param_count; at++) {
        free(part->params[at].name);
        free(part->params[at].reason);
    }
    free(part->params);
    free(part->recipes);
    free(part->constants);
    free(part->tree.nodes);
    return_memory(part->replaced);
    free_retired(part);
    free(part->retired);
}

SHARED static int32_t fail_params(const struct tw_module *module, const char *got)
{
    return fail(RUNTIME_ERROR, "%s: the parameters are malformed\n  expected: those of an export of "
        "this version\n  got: %s\n  hint: export the model again", module->path, got);
}

static int32_t fail_memory(void) { return fail(MEMORY_ERROR, "no memory is left for parameters"); }

/* Store up to `room` integers of a list; return whether there are no more. */
SHARED static bool read_integers(
    const struct json_tree *tree, int32_t list, int64_t *values, int32_t room, int32_t *count)
{
    int32_t at = element_of(tree, list, 0);
    for (*count = 0; at != NONE && *count < room; at = tree->nodes[at].next)
        values[(*count)++] = integer_of(tree, at);
    return at == NONE;
}

static bool read_param(const struct json_tree *tree, int32_t row, struct param *param)
{
    param->name = text_of(tree, element_of(tree, row, 0));
    param->dtype = dtype_named(tree, element_of(tree, row, 1));
    param->reason = text_of(tree, element_of(tree, row, 3));
    char *digest = text_of(tree, element_of(tree, row, 4));
    append(param->digest, sizeof param->digest, 0, digest == NULL ? "" : digest);
    free(digest);
    return param->name != NULL && param->dtype != 0 && param->reason != NULL &&
           read_integers(tree, element_of(tree, row, 2), param->shape, TW_MAX_RANK, &param->rank);
}

static int32_t param_named(const struct tw_part *part, const char *name)
{
    for (int32_t at = 0; at < part->param_count; at++)
        if (strcmp(part->params[at].name, name) == 0)
            return at;
    return NONE;
}

static bool read_recipe(const struct tw_part *part, int32_t row, int32_t number)
{
    const struct json_tree *tree = &part->tree;
    struct recipe *recipe = &part->recipes[number];
    int32_t step = 0, name = element_of(tree, row, 0);
    while (step < STEP_COUNT && !is_word(tree, name, STEPS[step]))
        step++;
    if (step == STEP_COUNT)
        return false;
    *recipe = (struct recipe){(enum step)step, element_of(tree, row, 1), element_of(tree, row, 2), NONE};
    for (int32_t at = element_of(tree, recipe->operands, 0); at != NONE; at = tree->nodes[at].next)
        if (integer_of(tree, at) < 0 || integer_of(tree, at) >= number)
            return false;
    if (step != PARAM)
        return true;
    char *text = text_of(tree, element_of(tree, recipe->arguments, 0));
    recipe->param = text == NULL ? NONE : param_named(part, text);
    free(text);
    return recipe->param != NONE;
}

/* Read the lists of a manifest. Return null, or what is malformed. */
static const char *read_lists(struct tw_part *part, int32_t root)
{
    const struct json_tree *tree = &part->tree;
    int32_t params = value_of_key(tree, root, "params"), at;
    int32_t recipes = value_of_key(tree, root, "recipes");
    int32_t constants = value_of_key(tree, root, "constants");
    int32_t counts[] = {count_of(tree, params), count_of(tree, recipes), count_of(tree, constants)};
    part->params = calloc((size_t)counts[0] + 1, sizeof *part->params);
    part->recipes = calloc((size_t)counts[1] + 1, sizeof *part->recipes);
    part->constants = calloc((size_t)counts[2] + 1, sizeof *part->constants);
    if (part->params == NULL || part->recipes == NULL || part->constants == NULL)
        return "no memory";
    part->param_count = counts[0];
    at = element_of(tree, params, 0);
    for (int32_t n = 0; n < counts[0]; n++, at = tree->nodes[at].next)
        if (!read_param(tree, at, &part->params[n]))
            return "a parameter of another form";
    part->recipe_count = counts[1];
    at = element_of(tree, recipes, 0);
    for (int32_t n = 0; n < counts[1]; n++, at = tree->nodes[at].next)
        if (!read_recipe(part, at, n))
            return "a recipe with an unknown step or operand";
    part->constant_count = counts[2];
    at = element_of(tree, constants, 0);
    for (int32_t n = 0; n < counts[2]; n++, at = tree->nodes[at].next) {
        part->constants[n].offset = integer_of(tree, element_of(tree, at, 0));
        part->constants[n].row = (int32_t)integer_of(tree, element_of(tree, at, 1));
        if (part->constants[n].row < 0 || part->constants[n].row >= counts[1])
            return "a constant without a recipe";
    }
    return NULL;
}

/* Read the parameters of a program. `manifest` and `weights` are those of the program. */
static int32_t read_part(
    const struct tw_module *module, const char *manifest, void **weights, struct tw_part *part)
{
    const char *text = json_value(manifest, "params");
    const char *bytes = json_value(manifest, "weights_bytes");
    if (text == NULL || bytes == NULL)
        return fail_params(module, "a manifest without them");
    part->weights = weights;
    part->weights_bytes = strtoll(bytes, NULL, 10);
    part->tree = (struct json_tree){.at = text, .end = text + strlen(text)};
    int32_t root = read_json(&part->tree, 0);
    const char *broken = root == NONE ? "a text that is no JSON" : read_lists(part, root);
    return broken == NULL ? 0 : fail_params(module, broken);
}

static void free_params(struct tw_module *module)
{
    for (int32_t at = 0; at < module->part_count; at++)
        free_part(&module->parts[at]);
    free(module->parts);
    module->parts = NULL;
    module->part_count = 0;
}

/* Let code that stays in the process load its own weights again, not use those that are freed. */
static void forget_params(struct tw_module *module)
{
    for (int32_t at = 0; at < module->part_count; at++)
        if (module->parts[at].replaced != NULL)
            *module->parts[at].weights = NULL;
}

/* Return whether the weights of the library are none of its export. */
static bool has_new_weights(const struct tw_module *module)
{
    return module->part_count == 1 && module->parts[0].replaced != NULL;
}

/* Return a symbol of program `number`, or of the library if it has one program. */
static void *symbol_of_part(const struct tw_module *module, const char *name, int32_t number)
{
    char symbol[64];
    size_t length = append(symbol, sizeof symbol, 0, name);
    if (number >= 0) {
        length = append(symbol, sizeof symbol, length, ".");
        append_number(symbol, sizeof symbol, length, number);
    }
    return symbol_of(module, symbol);
}

/* Read the place of each program's weights in those of the library. */
static void read_places(struct tw_module *module)
{
    const char *text = json_value(module->manifest, "programs");
    if (text == NULL)
        return;
    struct json_tree tree = {.at = text, .end = text + strlen(text)};
    int32_t programs = read_json(&tree, 0);
    for (int32_t at = 0; at < module->part_count; at++)
        module->parts[at].weights_at = integer_of(
            &tree, value_of_key(&tree, element_of(&tree, programs, at), "weights_at"));
    free(tree.nodes);
}

/* Read the parameters of all programs, with the lock held. */
static int32_t read_params(struct tw_module *module)
{
    int32_t count = 0;
    while (symbol_of_part(module, "__tw_manifest", count) != NULL)
        count++;
    int32_t first = count == 0 ? -1 : 0, parts = count == 0 ? 1 : count;
    module->parts = calloc((size_t)parts, sizeof *module->parts);
    if (module->parts == NULL)
        return fail_memory();
    for (module->part_count = 0; module->part_count < parts;) {
        int32_t number = first + module->part_count;
        struct tw_part *part = &module->parts[module->part_count++];
        const char *manifest = symbol_of_part(module, "__tw_manifest", number);
        void **weights = symbol_of_part(module, "__tw_weights", number);
        part->running = symbol_of_part(module, "__tw_running", number);
        bool has_slots = weights != NULL && part->running != NULL;
        if (!has_slots || read_part(module, manifest, weights, part) != 0) {
            free_params(module);
            return has_slots ? -1 : fail_params(module, "no place for weights");
        }
    }
    read_places(module);
    return 0;
}

/* Read the parameters unless they are known. */
static int32_t know_params(struct tw_module *module)
{
    lock(&modules_lock);
    int32_t status = module->parts == NULL ? read_params(module) : 0;
    unlock(&modules_lock);
    return status;
}

/* ---- recipes --------------------------------------------------------------------------------- */

/* Elements row by row. `size`: the bytes of one. */
struct array {
    char *data;
    int64_t shape[TW_MAX_RANK];
    uint32_t dtype;
    int32_t rank, size;
    bool is_owned;
};

/* One replay of recipes. `values` has a value or null for each parameter. With `numbered`, the elements
 * are numbers: of an element of this parameter from 1, negative if negated; others have 0. */
struct replay {
    const struct tw_module *module;
    const struct tw_part *part;
    const struct tw_tensor *const *values;
    int32_t numbered;
    const struct recipe *failing;
};

static int64_t elements_of(const struct array *array)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < array->rank; axis++)
        count *= array->shape[axis];
    return count;
}

static void drop(struct array *array)
{
    if (array->is_owned)
        free(array->data);
    *array = (struct array){.data = NULL};
}

/* Take memory for an array whose shape is known; its elements are zeros. */
SHARED static int32_t allocate_array(const struct replay *replay, struct array *made)
{
    int64_t count = 1;
    made->size = replay->numbered != NONE ? (int32_t)sizeof(int64_t)
                                          : (int32_t)element_bytes(made->dtype);
    for (int32_t axis = 0; axis < made->rank; axis++)
        if (made->shape[axis] < 0 || __builtin_mul_overflow(count, made->shape[axis], &count))
            return fail_params(replay->module, "a shape with a wrong size");
    made->data = count > INT64_MAX / 16 ? NULL : calloc((size_t)count + 1, (size_t)made->size);
    made->is_owned = true;
    return made->data == NULL ? fail_memory() : 0;
}

/* Where each element goes: the sums of one entry per axis, of tables of offsets in elements. */
struct map {
    const struct array *from;
    struct array *to;
    int32_t rank;
    const int64_t *shape;
    int64_t *tables[2][TW_MAX_RANK]; /* of `from`, of `to` */
    int64_t start[2];
};

static void free_map(struct map *map)
{
    for (int side = 0; side < 2; side++)
        for (int32_t axis = 0; axis < map->rank; axis++)
            free(map->tables[side][axis]);
}

SHARED static int32_t make_map(struct map *map)
{
    bool is_made = true;
    for (int side = 0; side < 2; side++)
        for (int32_t axis = 0; axis < map->rank; axis++) {
            map->tables[side][axis] = calloc((size_t)map->shape[axis] + 1, sizeof(int64_t));
            is_made = is_made && map->tables[side][axis] != NULL;
        }
    if (!is_made)
        free_map(map);
    return is_made ? 0 : fail_memory();
}

SHARED static void fill_table(const struct map *map, int side, int32_t axis, int64_t stride)
{
    for (int64_t at = 0; at < map->shape[axis]; at++)
        map->tables[side][axis][at] = at * stride;
}

static void move_axis(const struct map *map, int32_t axis, int64_t from, int64_t to)
{
    int32_t size = map->to->size;
    if (axis == map->rank) {
        memcpy(map->to->data + to * size, map->from->data + from * size, (size_t)size);
        return;
    }
    const int64_t *source = map->tables[0][axis], *target = map->tables[1][axis];
    int64_t count = map->shape[axis];
    char *into = map->to->data + to * size;
    const char *out_of = map->from->data + from * size;
    if (axis + 1 < map->rank)
        for (int64_t at = 0; at < count; at++)
            move_axis(map, axis + 1, from + source[at], to + target[at]);
    else if (size == 4) /* a copy of constant length is one instruction */
        for (int64_t at = 0; at < count; at++)
            memcpy(into + target[at] * 4, out_of + source[at] * 4, 4);
    else
        for (int64_t at = 0; at < count; at++)
            memcpy(into + target[at] * size, out_of + source[at] * size, (size_t)size);
}

/* Return whether all sums of a side's tables are inside of an array. */
static bool stays_inside(const struct map *map, int side)
{
    int64_t low = map->start[side], high = low;
    for (int32_t axis = 0; axis < map->rank; axis++) {
        int64_t least = map->tables[side][axis][0], most = least;
        for (int64_t at = 1; at < map->shape[axis]; at++) {
            int64_t offset = map->tables[side][axis][at];
            least = offset < least ? offset : least;
            most = offset > most ? offset : most;
        }
        low += least;
        high += most;
    }
    return low >= 0 && high < elements_of(side == 0 ? map->from : map->to);
}

/* Move the elements, and free the tables. */
SHARED static int32_t move_elements(const struct replay *replay, struct map *map)
{
    bool is_empty = false, is_inside = true;
    for (int32_t axis = 0; axis < map->rank; axis++)
        is_empty = is_empty || map->shape[axis] == 0;
    if (!is_empty) {
        is_inside = stays_inside(map, 0) && stays_inside(map, 1);
        if (is_inside)
            move_axis(map, 0, map->start[0], map->start[1]);
    }
    free_map(map);
    return is_inside ? 0 : fail_params(replay->module, "a step that leaves its array");
}

/* Read a shape into an array; return whether it has few enough sizes. */
static bool read_shape(const struct json_tree *tree, int32_t list, struct array *made)
{
    return read_integers(tree, list, made->shape, TW_MAX_RANK, &made->rank);
}

/* The steps below move the elements of `x` to `made`, which has the element type of `x`. */
static int32_t do_reshape(
    const struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int64_t known = 1;
    if (!read_shape(tree, element_of(tree, recipe->arguments, 0), made))
        return fail_params(replay->module, "a shape of too many sizes");
    for (int32_t axis = 0; axis < made->rank; axis++)
        known *= made->shape[axis] < 0 ? 1 : made->shape[axis];
    for (int32_t axis = 0; axis < made->rank; axis++)
        if (made->shape[axis] < 0)
            made->shape[axis] = known == 0 ? 0 : elements_of(x) / known;
    if (elements_of(made) != elements_of(x))
        return fail_params(replay->module, "a reshape to another number of elements");
    made->data = x->data;
    made->size = x->size;
    made->is_owned = x->is_owned;
    x->is_owned = false;
    return 0;
}

static int32_t do_transpose(
    const struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int64_t perm[TW_MAX_RANK], strides[TW_MAX_RANK], own[TW_MAX_RANK];
    int32_t count;
    bool is_read = read_integers(tree, element_of(tree, recipe->arguments, 0), perm, TW_MAX_RANK, &count);
    made->rank = x->rank;
    for (int32_t axis = 0; axis < x->rank && count == x->rank; axis++) {
        is_read = is_read && perm[axis] >= 0 && perm[axis] < x->rank;
        made->shape[axis] = is_read ? x->shape[perm[axis]] : 0;
    }
    if (!is_read || count != x->rank || elements_of(made) != elements_of(x))
        return fail_params(replay->module, "a transpose of other axes");
    struct map map = {.from = x, .to = made, .rank = made->rank, .shape = made->shape};
    if (allocate_array(replay, made) != 0 || make_map(&map) != 0)
        return -1;
    set_row_major(own, x->rank, x->shape);
    set_row_major(strides, made->rank, made->shape);
    for (int32_t axis = 0; axis < made->rank; axis++) {
        fill_table(&map, 0, axis, own[perm[axis]]);
        fill_table(&map, 1, axis, strides[axis]);
    }
    return move_elements(replay, &map);
}

/* Broadcast, slice or pad: each axis of the result is one of `x`. */
static int32_t do_window(
    const struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    struct array starts = {.rank = 0};
    bool is_read = read_shape(tree, element_of(tree, recipe->arguments, 0), made);
    if (recipe->step == SLICE) {
        starts = *made;
        is_read = is_read && read_shape(tree, element_of(tree, recipe->arguments, 1), made) &&
                  made->rank == x->rank && starts.rank == x->rank;
        for (int32_t axis = 0; is_read && axis < x->rank; axis++) {
            int64_t end = made->shape[axis] < x->shape[axis] ? made->shape[axis] : x->shape[axis];
            made->shape[axis] = end > starts.shape[axis] ? end - starts.shape[axis] : 0;
        }
    }
    int32_t added = made->rank - x->rank; /* axes that a broadcast puts in front */
    if (!is_read || added < 0 || (added > 0 && recipe->step != BROADCAST))
        return fail_params(replay->module, "a step with another number of axes");
    const struct array *walked = recipe->step == PAD ? x : made;
    struct map map = {.from = x, .to = made, .rank = walked->rank, .shape = walked->shape};
    if (allocate_array(replay, made) != 0 || make_map(&map) != 0)
        return -1;
    int64_t own[TW_MAX_RANK], strides[TW_MAX_RANK];
    set_row_major(own, x->rank, x->shape);
    set_row_major(strides, made->rank, made->shape);
    for (int32_t axis = 0; axis < walked->rank; axis++) {
        int32_t inner = axis - added;
        bool repeats = recipe->step == BROADCAST && (inner < 0 || x->shape[inner] == 1);
        fill_table(&map, 0, axis, repeats ? 0 : own[inner]);
        fill_table(&map, 1, axis, strides[axis]);
        if (recipe->step == SLICE)
            map.start[0] += starts.shape[axis] * own[axis];
    }
    return move_elements(replay, &map);
}

/* Return the value of an expression of a layout at a place. */
static int64_t expression_at(const struct json_tree *tree, int32_t expression, const int64_t *place)
{
    if (tree->nodes[expression].kind != '[')
        return integer_of(tree, expression);
    int32_t name = element_of(tree, expression, 0), lhs = tree->nodes[name].next;
    if (is_word(tree, name, "dim"))
        return place[integer_of(tree, lhs)];
    int64_t a = expression_at(tree, lhs, place);
    int64_t b = expression_at(tree, tree->nodes[lhs].next, place);
    if (is_word(tree, name, "add"))
        return a + b;
    if (is_word(tree, name, "mul"))
        return a * b;
    int64_t rest = b == 0 ? 0 : a % b; /* of Python: with the sign of the divisor */
    rest += rest != 0 && (rest < 0) != (b < 0) ? b : 0;
    if (is_word(tree, name, "mod"))
        return rest;
    return b == 0 ? 0 : (a - rest) / b;
}

/* Return whether an expression is well formed; add the axes in it to a set. */
static bool find_axes(const struct json_tree *tree, int32_t expression, int32_t rank, uint64_t *axes)
{
    if (expression == NONE)
        return false;
    if (tree->nodes[expression].kind != '[')
        return true;
    int32_t name = element_of(tree, expression, 0), lhs = element_of(tree, expression, 1);
    if (is_word(tree, name, "dim")) {
        int64_t axis = integer_of(tree, lhs);
        if (lhs == NONE || axis < 0 || axis >= rank)
            return false;
        *axes |= (uint64_t)1 << axis;
        return true;
    }
    return find_axes(tree, lhs, rank, axes) &&
           find_axes(tree, element_of(tree, expression, 2), rank, axes);
}

/* Add an expression of a layout, times the stride of its axis, to the tables of a map. An expression
 * of several axes is a sum of expressions of one. */
static bool add_expression(
    const struct json_tree *tree, struct map *map, int32_t expression, int64_t stride)
{
    int64_t place[TW_MAX_RANK] = {0};
    uint64_t axes = 0;
    if (!find_axes(tree, expression, map->rank, &axes))
        return false;
    if (axes == 0) {
        map->start[1] += stride * expression_at(tree, expression, place);
        return true;
    }
    int32_t axis = __builtin_ctzll(axes);
    if ((axes & (axes - 1)) == 0) {
        for (place[axis] = 0; place[axis] < map->shape[axis]; place[axis]++)
            map->tables[1][axis][place[axis]] += stride * expression_at(tree, expression, place);
        return true;
    }
    int32_t name = element_of(tree, expression, 0), lhs = tree->nodes[name].next;
    int32_t rhs = tree->nodes[lhs].next;
    if (is_word(tree, name, "add"))
        return add_expression(tree, map, lhs, stride) && add_expression(tree, map, rhs, stride);
    if (is_word(tree, name, "mul") && tree->nodes[rhs].kind != '[')
        return add_expression(tree, map, lhs, stride * integer_of(tree, rhs));
    return false;
}

static int32_t do_store(
    const struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int32_t layout = element_of(tree, recipe->arguments, 1);
    if (!read_shape(tree, element_of(tree, recipe->arguments, 0), made) ||
        count_of(tree, layout) != made->rank)
        return fail_params(replay->module, "a layout of another rank");
    struct map map = {.from = x, .to = made, .rank = x->rank, .shape = x->shape};
    if (allocate_array(replay, made) != 0 || make_map(&map) != 0)
        return -1;
    int64_t own[TW_MAX_RANK], strides[TW_MAX_RANK];
    set_row_major(own, x->rank, x->shape);
    set_row_major(strides, made->rank, made->shape);
    for (int32_t axis = 0; axis < x->rank; axis++)
        fill_table(&map, 0, axis, own[axis]);
    for (int32_t axis = 0; axis < made->rank; axis++)
        if (!add_expression(tree, &map, element_of(tree, layout, axis), strides[axis])) {
            free_map(&map);
            return fail_params(replay->module, "a layout of another form");
        }
    return move_elements(replay, &map);
}

static int32_t do_concat(const struct replay *replay, const struct recipe *recipe,
    const struct array *operands, int32_t count, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int64_t axis = integer_of(tree, element_of(tree, recipe->arguments, 0)), place = 0;
    made->rank = operands[0].rank;
    if (axis < 0 || axis >= made->rank)
        return fail_params(replay->module, "a concatenation along another axis");
    memcpy(made->shape, operands[0].shape, sizeof made->shape);
    for (int32_t at = 1; at < count; at++)
        made->shape[axis] += operands[at].shape[axis];
    if (allocate_array(replay, made) != 0)
        return -1;
    int64_t own[TW_MAX_RANK], strides[TW_MAX_RANK];
    set_row_major(strides, made->rank, made->shape);
    for (int32_t at = 0; at < count; at++) {
        const struct array *x = &operands[at];
        struct map map = {.from = x, .to = made, .rank = x->rank, .shape = x->shape};
        if (x->rank != made->rank || x->dtype != made->dtype)
            return fail_params(replay->module, "a concatenation of other arrays");
        if (make_map(&map) != 0)
            return -1;
        set_row_major(own, x->rank, x->shape);
        for (int32_t each = 0; each < x->rank; each++) {
            fill_table(&map, 0, each, own[each]);
            fill_table(&map, 1, each, strides[each]);
        }
        map.start[1] = place * strides[axis];
        place += x->shape[axis];
        if (move_elements(replay, &map) != 0)
            return -1;
    }
    return 0;
}

/* Convert; `finite` refuses values that overflow. */
static int32_t do_convert(
    struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    made->rank = x->rank;
    memcpy(made->shape, x->shape, sizeof made->shape);
    made->dtype = dtype_named(tree, element_of(tree, recipe->arguments, 0));
    bool is_known = is_float_type(x->dtype) && is_float_type(made->dtype) &&
                    (made->dtype >> 8 & 255) >= 16;
    if (!is_known)
        return fail_params(replay->module, "a conversion of other types");
    if (allocate_array(replay, made) != 0)
        return -1;
    int64_t count = elements_of(x);
    for (int64_t at = 0; at < count; at++) {
        char *to = made->data + at * made->size;
        store_value(made->dtype, to, element_value(x->dtype, x->data + at * x->size));
        double value = element_value(made->dtype, to);
        if (recipe->step == FINITE_STEP && value - value != 0) {
            replay->failing = recipe;
            return -1;
        }
    }
    return 0;
}

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

/* Transform the 3x3 values of one pair of channels to products x products. */
static void transform_window(
    double matrix[][WINDOW], int32_t products, const double *window, double *made)
{
    double half[MOST_PRODUCTS][WINDOW], column[WINDOW];
    for (int32_t p = 0; p < products; p++)
        for (int j = 0; j < WINDOW; j++) {
            for (int i = 0; i < WINDOW; i++)
                column[i] = window[WINDOW * i + j];
            half[p][j] = three_products(matrix[p], column);
        }
    for (int32_t p = 0; p < products; p++)
        for (int32_t q = 0; q < products; q++)
            made[p * products + q] = three_products(matrix[q], half[p]);
}

static int32_t do_winograd(
    const struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int32_t rows = element_of(tree, recipe->arguments, 0), products = count_of(tree, rows);
    double matrix[MOST_PRODUCTS][WINDOW], window[WINDOW * WINDOW];
    double whole[MOST_PRODUCTS * MOST_PRODUCTS];
    bool is_known = x->rank == 4 && x->shape[0] == WINDOW && x->shape[1] == WINDOW &&
                    x->dtype == TW_FLOAT32 && products > 0 && products <= MOST_PRODUCTS;
    for (int32_t p = 0; is_known && p < products; p++)
        for (int32_t i = 0; i < WINDOW; i++) {
            int32_t number = element_of(tree, element_of(tree, rows, p), i);
            matrix[p][i] = number == NONE ? 0 : strtod(tree->nodes[number].at, NULL);
        }
    if (!is_known)
        return fail_params(replay->module, "a transformation of other weights");
    *made = (struct array){.rank = 3, .dtype = TW_FLOAT32,
        .shape = {(int64_t)products * products, x->shape[2], x->shape[3]}};
    if (allocate_array(replay, made) != 0)
        return -1;
    const float *from = (const void *)x->data;
    float *to = (void *)made->data;
    int64_t pairs = x->shape[2] * x->shape[3];
    for (int64_t pair = 0; pair < pairs; pair++) {
        for (int at = 0; at < WINDOW * WINDOW; at++)
            window[at] = (double)from[at * pairs + pair];
        transform_window(matrix, products, window, whole);
        for (int32_t at = 0; at < products * products; at++)
            to[at * pairs + pair] = (float)whole[at];
    }
    return 0;
}

#if !defined(__x86_64__) && !defined(__aarch64__) && !(defined(__riscv_flen) && __riscv_flen >= 64)
/* Return the square root of a positive normal number, rounded to nearest, digit by digit: other
 * machines may need libm for it, or round twice. */
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
    bits = ((uint64_t)(exponent / 2 + MANTISSA_BITS / 2 + BIAS) << MANTISSA_BITS)
        + root - ((uint64_t)1 << MANTISSA_BITS);
    memcpy(&x, &bits, sizeof x);
    return x;
}
#endif

static double square_root(double x)
{
#if defined(__x86_64__)
    __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
#elif defined(__aarch64__)
    __asm__("fsqrt %d0, %d1" : "=w"(x) : "w"(x));
#elif defined(__riscv_flen) && __riscv_flen >= 64
    __asm__("fsqrt.d %0, %1" : "=f"(x) : "f"(x));
#else
    static const double two_to_54 = 18014398509481984.0, smallest_normal = 2.2250738585072014e-308;
    if (x < 0)
        return (x - x) / (x - x);
    if (x > 0 && x < smallest_normal)
        return root_by_digits(x * two_to_54) / 134217728.0; /* 2^27 */
    if (x > 0 && x - x == 0)
        return root_by_digits(x);
#endif
    return x;
}

static double computed(enum step step, double lhs, double rhs)
{
    switch (step) {
    case ADD: return lhs + rhs;
    case SUB: return lhs - rhs;
    case MUL: return lhs * rhs;
    case DIV: return lhs / rhs;
    case SQRT: return square_root(lhs);
    default: return -lhs;
    }
}

/* Compute one axis of an elementwise step: `strides` of the operands are 0 where these repeat. */
static void compute_axis(enum step step, const struct array *made, const struct array *const *operands,
    int64_t strides[2][TW_MAX_RANK], int32_t axis, const int64_t at[2], int64_t *place)
{
    if (axis < made->rank) {
        for (int64_t n = 0; n < made->shape[axis]; n++) {
            int64_t next[2] = {at[0] + n * strides[0][axis], at[1] + n * strides[1][axis]};
            compute_axis(step, made, operands, strides, axis + 1, next, place);
        }
        return;
    }
    /* In f64, then rounded: for these steps on f32 the same as one rounding, as 53 >= 2 * 24 + 2. */
    int32_t size = made->size;
    double lhs = element_value(made->dtype, operands[0]->data + at[0] * size);
    double rhs = element_value(made->dtype, operands[1]->data + at[1] * size);
    store_value(made->dtype, made->data + (*place)++ * size, computed(step, lhs, rhs));
}

static int32_t do_arithmetic(const struct replay *replay, const struct recipe *recipe,
    const struct array *operands, int32_t count, struct array *made)
{
    const struct array *sides[2] = {&operands[0], &operands[count - 1]};
    int64_t strides[2][TW_MAX_RANK], own[TW_MAX_RANK], start[2] = {0, 0}, place = 0;
    bool is_unary = recipe->step == NEG || recipe->step == SQRT;
    bool is_known = count == (is_unary ? 1 : 2) && sides[0]->dtype == sides[1]->dtype &&
                    (made->dtype == TW_FLOAT32 || made->dtype == TW_FLOAT64);
    made->rank = sides[0]->rank > sides[1]->rank ? sides[0]->rank : sides[1]->rank;
    for (int32_t axis = 0; axis < made->rank; axis++)
        made->shape[axis] = 1;
    for (int side = 0; side < 2; side++) {
        const struct array *x = sides[side];
        int32_t added = made->rank - x->rank;
        set_row_major(own, x->rank, x->shape);
        for (int32_t axis = 0; axis < made->rank; axis++) {
            int64_t size = axis < added ? 1 : x->shape[axis - added];
            strides[side][axis] = size == 1 ? 0 : own[axis - added];
            is_known = is_known && (size == 1 || made->shape[axis] == 1 || made->shape[axis] == size);
            made->shape[axis] = size == 1 ? made->shape[axis] : size;
        }
    }
    if (!is_known)
        return fail_params(replay->module, "a step of other arrays");
    if (allocate_array(replay, made) != 0)
        return -1;
    compute_axis(recipe->step, made, sides, strides, 0, start, &place);
    return 0;
}

/* Make the array of a parameter, or its numbers. */
static int32_t do_param(const struct replay *replay, const struct recipe *recipe, struct array *made)
{
    const struct param *param = &replay->part->params[recipe->param];
    made->dtype = param->dtype;
    made->rank = param->rank;
    memcpy(made->shape, param->shape, sizeof made->shape);
    made->size = (int32_t)element_bytes(made->dtype);
    if (replay->numbered == NONE) {
        made->data = address_of(replay->values[recipe->param]);
        return 0;
    }
    if (allocate_array(replay, made) != 0)
        return -1;
    int64_t count = elements_of(made), *numbers = (void *)made->data;
    for (int64_t at = 0; replay->numbered == recipe->param && at < count; at++)
        numbers[at] = at + 1;
    return 0;
}

static int32_t do_constant(const struct replay *replay, const struct recipe *recipe, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int32_t data = element_of(tree, recipe->arguments, 2);
    made->dtype = dtype_named(tree, element_of(tree, recipe->arguments, 0));
    if (made->dtype == 0 || !read_shape(tree, element_of(tree, recipe->arguments, 1), made))
        return fail_params(replay->module, "a constant of another form");
    if (allocate_array(replay, made) != 0 || replay->numbered != NONE)
        return replay->numbered != NONE && made->data != NULL ? 0 : -1;
    int64_t bytes = elements_of(made) * made->size;
    const char *at = data == NONE ? "\"\"" : tree->nodes[data].at;
    if (behind_string(at) - at != 2 * bytes + 2)
        return fail_params(replay->module, "a constant of another length");
    for (int64_t byte = 0; byte < bytes; byte++)
        made->data[byte] = (char)hex_of(at + 1 + 2 * byte, 2);
    return 0;
}

/* Negate numbers, or do nothing to them: what `neg` and conversions do with numbered elements. */
static int32_t pass_numbers(
    const struct replay *replay, const struct recipe *recipe, struct array *x, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    int64_t count = elements_of(x), *numbers = (void *)x->data;
    for (int64_t at = 0; recipe->step == NEG && at < count; at++)
        numbers[at] = -numbers[at];
    *made = *x;
    x->is_owned = false;
    if (recipe->step != NEG)
        made->dtype = dtype_named(tree, element_of(tree, recipe->arguments, 0));
    return 0;
}

static int32_t do_step(struct replay *replay, const struct recipe *recipe, struct array *operands,
    int32_t count, struct array *made)
{
    struct array *x = operands;
    if (count == 0)
        return fail_params(replay->module, "a step without operands");
    made->dtype = x->dtype;
    bool is_numbered = replay->numbered != NONE;
    switch (recipe->step) {
    case RESHAPE: return do_reshape(replay, recipe, x, made);
    case TRANSPOSE: return do_transpose(replay, recipe, x, made);
    case BROADCAST:
    case SLICE:
    case PAD: return do_window(replay, recipe, x, made);
    case STORE: return do_store(replay, recipe, x, made);
    case CONCAT: return do_concat(replay, recipe, operands, count, made);
    case BITS: return pass_numbers(replay, recipe, x, made);
    case WINOGRAD: return do_winograd(replay, recipe, x, made);
    case CONVERT:
    case FINITE_STEP:
        return is_numbered ? pass_numbers(replay, recipe, x, made)
                           : do_convert(replay, recipe, x, made);
    default:
        return is_numbered ? pass_numbers(replay, recipe, x, made)
                           : do_arithmetic(replay, recipe, operands, count, made);
    }
}

/* Make the array of a recipe; return 0, or -1 with an error set or with `failing`. */
static int32_t replay_row(struct replay *replay, int32_t row, struct array *made)
{
    const struct json_tree *tree = &replay->part->tree;
    const struct recipe *recipe = &replay->part->recipes[row];
    *made = (struct array){.data = NULL};
    if (recipe->step == PARAM)
        return do_param(replay, recipe, made);
    if (recipe->step == CONSTANT)
        return do_constant(replay, recipe, made);
    int32_t count = count_of(tree, recipe->operands), status = 0;
    struct array *operands = calloc((size_t)count + 1, sizeof *operands);
    if (operands == NULL)
        return fail_memory();
    for (int32_t at = 0; status == 0 && at < count; at++)
        status = replay_row(
            replay, (int32_t)integer_of(tree, element_of(tree, recipe->operands, at)), &operands[at]);
    if (status == 0)
        status = do_step(replay, recipe, operands, count, made);
    for (int32_t at = 0; at < count; at++)
        drop(&operands[at]);
    free(operands);
    if (status != 0)
        drop(made);
    return status;
}

/* Mark the parameters that a recipe uses. */
static void mark_params(const struct tw_part *part, int32_t row, bool *used)
{
    const struct recipe *recipe = &part->recipes[row];
    if (recipe->step == PARAM)
        used[recipe->param] = true;
    for (int32_t at = element_of(&part->tree, recipe->operands, 0); at != NONE;
         at = part->tree.nodes[at].next)
        mark_params(part, (int32_t)integer_of(&part->tree, at), used);
}

/* ---- values in packed weights ---------------------------------------------------------------- */

/* Return the element type of a recipe all of whose steps keep what their operands hold, else 0. */
static uint32_t kept_dtype(const struct tw_part *part, int32_t row)
{
    const struct json_tree *tree = &part->tree;
    const struct recipe *recipe = &part->recipes[row];
    uint32_t dtype = 0, wider = dtype_named(tree, element_of(tree, recipe->arguments, 0));
    if (recipe->step == PARAM)
        return part->params[recipe->param].dtype;
    if (recipe->step == CONSTANT)
        return wider;
    for (int32_t at = element_of(tree, recipe->operands, 0); at != NONE; at = tree->nodes[at].next) {
        dtype = kept_dtype(part, (int32_t)integer_of(tree, at));
        if (dtype == 0)
            return 0;
    }
    switch (recipe->step) {
    case CONVERT:
    case FINITE_STEP:
        return dtype == wider || (is_float_type(dtype) && (wider == TW_FLOAT32 || wider == TW_FLOAT64) &&
                                     (dtype >> 8 & 255) < (wider >> 8 & 255))
                   ? wider
                   : 0;
    case BITS: return element_bytes(dtype) == element_bytes(wider) ? wider : 0;
    case WINOGRAD:
    case ADD:
    case SUB:
    case MUL:
    case DIV:
    case SQRT: return 0;
    case NEG: return is_float_type(dtype) ? dtype : 0;
    default: return dtype;
    }
}

/* The elements of a parameter that are found so far. */
struct found {
    const struct param *param;
    char *data;
    bool *has;
    int64_t missing;
};

/* Take an element of a constant; `number` as struct replay describes it. */
static void take_element(struct found *found, int64_t number, uint32_t dtype, const char *from)
{
    int64_t at = (number < 0 ? -number : number) - 1;
    size_t size = (size_t)element_bytes(found->param->dtype);
    char *to = found->data + at * (int64_t)size;
    if (found->has[at])
        return;
    found->has[at] = true;
    found->missing--;
    bool is_same_size = element_bytes(dtype) == (int64_t)size;
    if (number > 0 && is_same_size) {
        memcpy(to, from, size);
        return;
    }
    double value = element_value(dtype, from);
    store_value(found->param->dtype, to, number < 0 ? -value : value);
}

/* Take what one constant holds of a parameter. */
static int32_t take_constant(const struct tw_module *module, const struct tw_part *part,
    const struct constant *constant, struct found *found)
{
    int32_t number = (int32_t)(found->param - part->params);
    uint32_t dtype = kept_dtype(part, constant->row);
    struct replay replay = {module, part, NULL, number, NULL};
    struct array numbers;
    if (dtype == 0)
        return 0;
    if (replay_row(&replay, constant->row, &numbers) != 0)
        return -1;
    const int64_t *each = (const void *)numbers.data;
    int64_t size = element_bytes(dtype), count = elements_of(&numbers);
    const char *weights = *part->weights;
    bool is_inside = constant->offset >= 0 && constant->offset <= part->weights_bytes &&
                     count <= (part->weights_bytes - constant->offset) / size;
    for (int64_t at = 0; is_inside && found->missing > 0 && at < count; at++)
        if (each[at] != 0)
            take_element(found, each[at], dtype, weights + constant->offset + at * size);
    drop(&numbers);
    return is_inside ? 0 : fail_params(module, "a constant that leaves the weights");
}

/* Store a tensor of the values of a parameter, or null if the packed weights lack an element. */
static int32_t find_values(const struct tw_module *module, const struct tw_part *part, int32_t number,
    struct tw_tensor_object **made)
{
    const struct param *param = &part->params[number];
    struct tw_tensor_object *tensor = tw_tensor_new(param->dtype, param->rank, param->shape, TW_CPU, 0);
    struct found found = {param, NULL, NULL, 1};
    int32_t status = 0;
    bool *used = calloc((size_t)part->param_count, sizeof *used);
    *made = NULL;
    if (tensor != NULL) {
        for (int32_t axis = 0; axis < param->rank; axis++)
            found.missing *= param->shape[axis];
        found.data = tw_data(tensor);
        found.has = calloc((size_t)found.missing + 1, sizeof *found.has);
    }
    if (tensor == NULL || found.has == NULL || used == NULL)
        status = tensor == NULL ? -1 : fail_memory();
    bool is_used = false;
    for (int32_t at = 0; status == 0 && at < part->constant_count; at++) {
        memset(used, 0, (size_t)part->param_count * sizeof *used);
        mark_params(part, part->constants[at].row, used);
        is_used = is_used || used[number];
        if (used[number] && found.missing > 0)
            status = take_constant(module, part, &part->constants[at], &found);
    }
    free(found.has);
    free(used);
    if (status == 0 && found.missing == 0 && is_used)
        *made = tensor;
    else
        tw_release(tensor);
    return status;
}

/* ---- new values ------------------------------------------------------------------------------ */

static int32_t fail_refused(const struct tw_module *module, const char *name, const char *reason)
{
    return fail(VALUE_ERROR, "%s: parameter %s cannot be replaced\n  expected: the values of the "
        "export\n  got: %s\n  hint: compile the model with the new values", module->path, name, reason);
}

static int32_t fail_unknown_param(const struct tw_module *module, const char *name)
{
    const char *nearest = NULL;
    size_t least = MAX_NAME;
    for (int32_t part = 0; part < module->part_count; part++)
        for (int32_t at = 0; at < module->parts[part].param_count; at++) {
            size_t edits = distance(name, module->parts[part].params[at].name);
            if (nearest == NULL || edits < least) {
                least = edits;
                nearest = module->parts[part].params[at].name;
            }
        }
    return fail(VALUE_ERROR, "%s has no parameter of this name\n  expected: %s%s\n  got: %s",
        module->path, nearest == NULL ? "a model with initializers" : "a parameter, such as ",
        nearest == NULL ? "" : nearest, name);
}

/* Return whether the bytes of a tensor have the digest of a parameter. */
static bool has_old_values(const struct param *param, const struct tw_tensor *tensor, int64_t bytes)
{
    uint8_t digest[32];
    char text[HEX_BYTES];
    struct sha256 sha = start_digest();
    digest_bytes(&sha, address_of(tensor), (size_t)bytes);
    finish_digest(&sha, digest);
    write_hex(text, digest);
    return strcmp(text, param->digest) == 0;
}

/* Check a new value; *is_kept: it is part of the code, and as it was. */
static int32_t check_value(const struct tw_module *module, const struct param *param,
    const struct tw_tensor *tensor, bool *is_kept)
{
    int64_t bytes = element_bytes(param->dtype);
    bool is_alike = tensor->dtype == param->dtype && tensor->rank == param->rank;
    *is_kept = false;
    for (int32_t axis = 0; is_alike && axis < param->rank; axis++) {
        is_alike = tensor->shape[axis] == param->shape[axis];
        bytes *= param->shape[axis];
    }
    if (!is_alike) {
        char shape[256];
        size_t length = append(shape, sizeof shape, 0, "");
        for (int32_t axis = 0; axis < param->rank; axis++) {
            length = append(shape, sizeof shape, length, axis == 0 ? "" : ", ");
            length = append_number(shape, sizeof shape, length, param->shape[axis]);
        }
        return fail(VALUE_ERROR, "%s: parameter %s has another shape or dtype\n  expected: %s[%s]\n  "
            "got: a tensor of %s and rank %d\n  hint: pass it in the layout of the model", module->path,
            param->name, dtype_name(param->dtype), shape, dtype_name(tensor->dtype),
            (int64_t)tensor->rank);
    }
    if (tensor->device_type != TW_CPU || !is_row_major(tensor))
        return fail(VALUE_ERROR, "%s: parameter %s is not row by row in CPU memory\n  expected: a "
            "row-major tensor\n  got: another device, or strides", module->path, param->name);
    *is_kept = param->reason[0] != 0;
    if (*is_kept && !has_old_values(param, tensor, bytes))
        return fail_refused(module, param->name, param->reason);
    return 0;
}

/* New values by number of the parameter, and those of the packed weights that are kept. */
struct values {
    const struct tw_tensor **given;
    struct tw_tensor_object **kept;
    bool *used;
};

/* Let the values have all parameters of a recipe. */
static int32_t complete(
    const struct tw_module *module, const struct tw_part *part, struct values *values)
{
    for (int32_t at = 0; at < part->param_count; at++) {
        if (!values->used[at] || values->given[at] != NULL)
            continue;
        if (find_values(module, part, at, &values->kept[at]) != 0)
            return -1;
        if (values->kept[at] == NULL)
            return fail(VALUE_ERROR, "%s: a parameter is combined with others, which are not given\n  "
                "expected: values of all that are combined\n  got: none of %s\n  hint: pass %s too",
                module->path, part->params[at].name, part->params[at].name);
        values->given[at] = &values->kept[at]->tensor;
    }
    return 0;
}

/* Compute one constant anew. */
static int32_t replace_constant(const struct tw_module *module, const struct tw_part *part,
    const struct constant *constant, const struct values *values, char *weights)
{
    struct replay replay = {module, part, values->given, NONE, NULL};
    struct array made;
    if (replay_row(&replay, constant->row, &made) != 0) {
        for (int32_t at = 0; replay.failing != NULL && at < part->param_count; at++)
            if (values->used[at])
                return fail_refused(module, part->params[at].name,
                    "a constant that is computed from it is not finite");
        return -1;
    }
    int64_t bytes = elements_of(&made) * made.size;
    bool is_inside = constant->offset >= 0 && constant->offset <= part->weights_bytes &&
                     bytes <= part->weights_bytes - constant->offset;
    if (is_inside && bytes > 0)
        memcpy(weights + constant->offset, made.data, (size_t)bytes);
    drop(&made);
    return is_inside ? 0 : fail_params(module, "a constant that leaves the weights");
}

/* Compute the constants that follow from new values. */
static int32_t replace_constants(const struct tw_module *module, const struct tw_part *part,
    struct values *values, const bool *is_new, char *weights)
{
    for (int32_t at = 0; at < part->constant_count; at++) {
        bool is_changed = false;
        memset(values->used, 0, (size_t)part->param_count * sizeof *values->used);
        mark_params(part, part->constants[at].row, values->used);
        for (int32_t param = 0; param < part->param_count; param++)
            is_changed = is_changed || (values->used[param] && is_new[param]);
        if (is_changed && (complete(module, part, values) != 0 ||
                              replace_constant(module, part, &part->constants[at], values, weights) != 0))
            return -1;
    }
    return 0;
}

/* The new values of a call: names, tensors, and their number. */
struct new_values {
    const char *const *names;
    const struct tw_tensor *const *tensors;
    int32_t count;
};

/* Check the values that one program has; *weights becomes a copy of its weights with them. */
static int32_t repack_part(const struct tw_module *module, const struct tw_part *part,
    const struct new_values *new, struct values *values, bool *is_new, char **weights)
{
    for (int32_t at = 0; at < new->count; at++) {
        int32_t param = param_named(part, new->names[at]);
        bool is_kept;
        if (param == NONE)
            continue;
        if (check_value(module, &part->params[param], new->tensors[at], &is_kept) != 0)
            return -1;
        is_new[param] = !is_kept;
        values->given[param] = is_kept ? NULL : new->tensors[at];
    }
    if (part->weights_bytes == 0)
        return 0;
    *weights = take_memory((size_t)part->weights_bytes);
    if (*weights == NULL)
        return fail_memory();
    memcpy(*weights, *part->weights, (size_t)part->weights_bytes);
    return replace_constants(module, part, values, is_new, *weights);
}

static int32_t repacked(const struct tw_module *module, const struct tw_part *part,
    const struct new_values *new, char **weights)
{
    size_t count = (size_t)part->param_count + 1;
    struct values values = {calloc(count, sizeof *values.given), calloc(count, sizeof *values.kept),
        calloc(count, sizeof *values.used)};
    bool *is_new = calloc(count, sizeof *is_new);
    bool has_memory = values.given != NULL && values.kept != NULL && values.used != NULL && is_new != NULL;
    int32_t status = has_memory ? repack_part(module, part, new, &values, is_new, weights)
                                : fail_memory();
    for (int32_t at = 0; values.kept != NULL && at < part->param_count; at++)
        tw_release(values.kept[at]);
    free(values.given);
    free(values.kept);
    free(values.used);
    free(is_new);
    return status;
}

/* Let every program have the address of its weights. */
static int32_t know_weights(const struct tw_module *module)
{
    if (load_weights(module) != 0)
        return -1;
    void **whole = symbol_of(module, "__tw_weights");
    for (int32_t at = 0; at < module->part_count; at++) {
        struct tw_part *part = &module->parts[at];
        if (whole != NULL && *whole != NULL && *part->weights == NULL)
            *part->weights = (char *)*whole + part->weights_at;
        if (*part->weights == NULL && part->weights_bytes > 0)
            return fail_params(module, "weights that are not loaded");
    }
    return 0;
}

/* Replace the values in all programs, or in none. */
static int32_t replace_values(struct tw_module *module, const struct new_values *new)
{
    char **made = calloc((size_t)module->part_count, sizeof *made);
    int32_t status = made == NULL ? fail_memory() : know_weights(module);
    for (int32_t at = 0; status == 0 && at < new->count; at++) {
        bool is_known = false;
        for (int32_t part = 0; part < module->part_count; part++)
            is_known = is_known || param_named(&module->parts[part], new->names[at]) != NONE;
        status = is_known ? 0 : fail_unknown_param(module, new->names[at]);
    }
    for (int32_t at = 0; status == 0 && at < module->part_count; at++)
        status = repacked(module, &module->parts[at], new, &made[at]);
    for (int32_t at = 0; made != NULL && at < module->part_count; at++) {
        struct tw_part *part = &module->parts[at];
        if (status == 0 && made[at] != NULL)
            replace_weights(part, made[at]);
        else
            return_memory(made[at]);
    }
    free(made);
    return status;
}

/* Numbers are read as in the C locale, whatever the program has set. */
static locale_t use_c_locale(locale_t *own)
{
    locale_t made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *own = made == (locale_t)0 ? (locale_t)0 : uselocale(made);
    return made;
}

static void leave_c_locale(locale_t made, locale_t own)
{
    if (made == (locale_t)0)
        return;
    uselocale(own);
    freelocale(made);
}

static int32_t load_values(struct tw_module *module, const struct new_values *new)
{
    locale_t own, made = use_c_locale(&own);
    int32_t status = made == (locale_t)0 ? fail_memory() : replace_values(module, new);
    leave_c_locale(made, own);
    return status;
}

int32_t tw_load_params(struct tw_module *module, const char *const *names,
    struct tw_tensor_object *const *values, int32_t count)
{
    if (module == NULL || ((names == NULL || values == NULL) && count > 0))
        return fail_null("tw_load_params", module == NULL ? "the module" : "a list");
    if (count < 0)
        return fail(VALUE_ERROR, "tw_load_params: the number of values is negative\n  expected: 0 or "
            "more\n  got: %d", (int64_t)count);
    const struct tw_tensor **tensors = calloc((size_t)count + 1, sizeof *tensors);
    int32_t status = tensors == NULL ? fail_memory() : know_params(module);
    for (int32_t at = 0; status == 0 && at < count; at++) {
        if (names[at] == NULL || values[at] == NULL)
            status = fail_null("tw_load_params", names[at] == NULL ? "a name" : "a value");
        else
            tensors[at] = &values[at]->tensor;
    }
    struct new_values new = {names, tensors, count};
    if (status == 0)
        status = load_values(module, &new);
    free(tensors);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file in safetensors layout: 8 bytes with the length of the header, the header (JSON), the data. */
struct tensors_file {
    const char *data;
    size_t bytes, at; /* where the data begins */
    struct json_tree tree;
    int32_t count;
    char **names;
    struct tw_tensor *tensors;
    const struct tw_tensor **listed;
    int64_t (*shapes)[TW_MAX_RANK];
};

static int32_t fail_layout(const char *path, const char *got)
{
    return fail(VALUE_ERROR, "%s is not in the layout of safetensors\n  expected: a file of "
        "save_params\n  got: %s", path, got);
}

/* Read one row of the header. Return null, or what is malformed. */
static const char *read_tensor_row(struct tensors_file *file, int32_t name, int32_t row)
{
    const struct json_tree *tree = &file->tree;
    struct tw_tensor *tensor = &file->tensors[file->count];
    int64_t ends[2], bytes, *shape = file->shapes[file->count];
    int32_t count, rank;
    uint32_t dtype = dtype_named(tree, value_of_key(tree, row, "dtype"));
    bool is_read = read_integers(tree, value_of_key(tree, row, "data_offsets"), ends, 2, &count) &&
                   read_integers(tree, value_of_key(tree, row, "shape"), shape, TW_MAX_RANK, &rank);
    if (dtype == 0 || !is_read || count != 2)
        return "a tensor without dtype, shape or place";
    bytes = element_bytes(dtype);
    for (int32_t axis = 0; axis < rank; axis++)
        if (shape[axis] < 0 || __builtin_mul_overflow(bytes, shape[axis], &bytes))
            return "a shape with a wrong size";
    if (ends[0] < 0 || ends[1] - ends[0] != bytes || (size_t)ends[1] > file->bytes - file->at)
        return "a tensor that leaves the file";
    char *data = (char *)(uintptr_t)file->data + file->at + ends[0];
    *tensor = (struct tw_tensor){data, TW_CPU, 0, rank, dtype, shape, NULL, 0};
    file->names[file->count] = text_of(tree, name);
    file->listed[file->count] = tensor;
    return file->names[file->count++] == NULL ? "a tensor without a name" : NULL;
}

static const char *read_tensors_file(struct tensors_file *file)
{
    uint64_t length;
    if (file->bytes < sizeof length)
        return "fewer than 8 bytes";
    memcpy(&length, file->data, sizeof length);
    if (length > file->bytes - sizeof length)
        return "a header that leaves the file";
    file->at = sizeof length + (size_t)length;
    file->tree = (struct json_tree){.at = file->data + sizeof length, .end = file->data + file->at};
    int32_t root = read_json(&file->tree, 0);
    if (root == NONE || file->tree.nodes[root].kind != '{')
        return "a header that is no JSON";
    size_t count = (size_t)file->tree.nodes[root].count / 2 + 1;
    file->names = calloc(count, sizeof *file->names);
    file->tensors = calloc(count, sizeof *file->tensors);
    file->listed = calloc(count, sizeof *file->listed);
    file->shapes = calloc(count, sizeof *file->shapes);
    if (file->names == NULL || file->tensors == NULL || file->listed == NULL || file->shapes == NULL)
        return "no memory";
    const struct json *nodes = file->tree.nodes;
    const char *broken = NULL;
    for (int32_t at = nodes[root].first; broken == NULL && at != NONE; at = nodes[nodes[at].next].next)
        if (!is_word(&file->tree, at, "__metadata__"))
            broken = read_tensor_row(file, at, nodes[at].next);
    return broken;
}

int32_t tw_load_params_file(struct tw_module *module, const char *path)
{
    struct tensors_file file = {.count = 0};
    if (module == NULL || path == NULL)
        return fail_null("tw_load_params_file", module == NULL ? "the module" : "the path");
    if (know_params(module) != 0 || map_file(path, &file.data, &file.bytes) != 0)
        return -1;
    const char *broken = read_tensors_file(&file);
    struct new_values new = {(const char *const *)file.names, file.listed, file.count};
    int32_t status = broken == NULL ? load_values(module, &new) : fail_layout(path, broken);
    for (int32_t at = 0; file.names != NULL && at < file.count; at++)
        free(file.names[at]);
    free(file.names);
    free(file.tensors);
    free(file.listed);
    free(file.shapes);
    free(file.tree.nodes);
    munmap((void *)(uintptr_t)file.data, file.bytes);
    return status;
}

/* ---- descriptions ---------------------------------------------------------------------------- */

int32_t tw_param_count(struct tw_module *module, int32_t *count)
{
    if (module == NULL || count == NULL)
        return fail_null("tw_param_count", module == NULL ? "the module" : "the result");
    if (know_params(module) != 0)
        return -1;
    *count = module->parts[0].param_count;
    return 0;
}

int32_t tw_describe_param(struct tw_module *module, int32_t index, struct tw_param *described)
{
    if (module == NULL || described == NULL)
        return fail_null("tw_describe_param", module == NULL ? "the module" : "the result");
    if (know_params(module) != 0)
        return -1;
    const struct tw_part *part = &module->parts[0];
    if (index < 0 || index >= part->param_count)
        return fail(VALUE_ERROR, "%s has no parameter of this position\n  expected: 0 to %d\n  got: %d",
            module->path, (int64_t)part->param_count - 1, (int64_t)index);
    const struct param *param = &part->params[index];
    *described = (struct tw_param){
        param->name, param->reason, param->shape, param->dtype, param->rank};
    return 0;
}

/* Refuse to return values that the packed weights lack. */
static void fail_absent(const struct tw_module *module, const struct tw_part *part, const char *name)
{
    const char *reason = part->params[param_named(part, name)].reason;
    fail(VALUE_ERROR, "%s does not contain the values of parameter %s\n  expected: a parameter whose "
        "elements the weights hold\n  got: %s\n  hint: take them from the model", module->path, name,
        reason[0] != 0 ? reason : "one that is combined with others, transformed or not used");
}

struct tw_tensor_object *tw_get_param(struct tw_module *module, const char *name)
{
    struct tw_tensor_object *made = NULL;
    if (module == NULL || name == NULL) {
        fail_null("tw_get_param", module == NULL ? "the module" : "the name");
        return NULL;
    }
    if (know_params(module) != 0 || know_weights(module) != 0)
        return NULL;
    int32_t known = NONE;
    for (int32_t at = 0; made == NULL && at < module->part_count; at++) {
        int32_t number = param_named(&module->parts[at], name);
        known = number == NONE ? known : at;
        if (number != NONE && find_values(module, &module->parts[at], number, &made) != 0)
            return NULL;
    }
    if (known == NONE)
        fail_unknown_param(module, name);
    else if (made == NULL)
        fail_absent(module, &module->parts[known], name);
    return made;
}
