/* Parameters of loaded modules: new values for the initializers of a model, and the values that the
 * packed weights contain. A part of tilewright.c, which includes it.
 *
 * In: the table of parameters in the manifest of a library, and its packed weights. repack.c checks new
 * values and makes weights of them; this file keeps the weights, and reads files of values.
 */

/* One of the programs of a library: the table of its parameters, and the slot for the address of its
 * weights. Before a call has filled it, the weights start at `weights_at` in those of the library.
 * `replaced` is the memory of weights that were loaded later. */
struct tw_part {
    struct tw_params *table;
    void **weights;
    const int32_t *running; /* the number of runs that may read the weights */
    int64_t weights_at;
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

static void free_params(struct tw_module *module)
{
    for (int32_t at = 0; at < module->part_count; at++) {
        struct tw_part *part = &module->parts[at];
        free(part->table);
        return_memory(part->replaced);
        free_retired(part);
        free(part->retired);
    }
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

static int32_t fail_params(const struct tw_module *module, const char *got)
{
    return fail(RUNTIME_ERROR, "%s: the parameters are malformed\n  expected: those of an export of "
        "this version\n  got: %s\n  hint: export the model again", module->path, got);
}

static int32_t fail_memory(void) { return fail(MEMORY_ERROR, "no memory is left for parameters"); }

/* ---- texts ----------------------------------------------------------------------------------- */

/* Return the text behind a JSON value. */
static const char *behind_value(const char *at)
{
    int depth = 0;
    do {
        const char *end = *at == '"' ? behind_string(at) : at + (*at != 0);
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at = end;
    } while (*at != 0 && (depth > 0 || strchr(",]}", *at) == NULL));
    return at;
}

/* Move behind spaces and one character; return whether it is there. */
static bool take_character(const char **at, char wanted)
{
    *at += strspn(*at, " \n\r\t");
    bool is_there = **at == wanted;
    *at += is_there;
    return is_there;
}

/* Store up to `room` integers of a JSON list; return how many it has, or -1. */
static int32_t read_integers(const char *at, int64_t *values, int32_t room)
{
    int32_t count = 0;
    if (at == NULL || !take_character(&at, '['))
        return -1;
    while (!take_character(&at, ']')) {
        char *end;
        long long value = strtoll(at, &end, 10);
        if (end == at || count == room)
            return -1;
        values[count++] = value;
        at = end + strspn(end, ", \n\r\t");
    }
    return count;
}

static uint32_t hex_of(const char *at)
{
    uint32_t value = 0;
    for (int digit = 0; digit < 4 && at[digit] != 0; digit++)
        value = value * 16 + (uint32_t)(at[digit] <= '9' ? at[digit] - '0' : (at[digit] | 32) - 'a' + 10);
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

/* Replace a JSON string that starts at its quote by its text with a NUL; return the text. No text is
 * longer than its string. */
static const char *unescape(char *start)
{
    char *to = start;
    for (const char *at = start + 1; *at != '"' && *at != 0;) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        const char *letter = strchr("b\bf\fn\nr\rt\t", at[1]);
        if (at[1] != 'u') {
            *to++ = letter != NULL ? letter[1] : at[1];
            at += 2;
            continue;
        }
        uint32_t code = hex_of(at + 2);
        at += 6;
        if (code >> 10 == 0xd800 >> 10 && at[0] == '\\' && at[1] == 'u') {
            code = 0x10000 + ((code & 1023) << 10) + (hex_of(at + 2) & 1023);
            at += 6;
        }
        to = put_utf8(to, code);
    }
    *to = 0;
    return start;
}

/* Return the number of bytes that a JSON string in base64 stands for, and copy them to `to` if it is not
 * null; 0 for other strings. A zero byte and a number n stand for n zeros. */
static size_t unpack(const char *at, char *to)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    size_t bytes = 0;
    int held = 0;
    bool is_run = false;
    for (at++; *at != '"' && *at != '='; at++) {
        const char *digit = strchr(DIGITS, *at);
        if (digit == NULL)
            return 0;
        bits = bits << 6 | (uint32_t)(digit - DIGITS);
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        uint8_t byte = (uint8_t)(bits >> held);
        size_t count = is_run ? byte : byte != 0;
        if (to != NULL)
            memset(to + bytes, is_run ? 0 : byte, count);
        bytes += count;
        is_run = !is_run && byte == 0;
    }
    return bytes;
}

/* Return the table in a JSON string, to be freed, or null. */
static struct tw_params *table_of(const char *text)
{
    size_t bytes = unpack(text, NULL);
    struct tw_params *made = bytes < sizeof *made ? NULL : malloc(bytes);
    if (made != NULL)
        unpack(text, (char *)made);
    return made;
}

/* ---- the parameters of a library --------------------------------------------------------------- */

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

/* Read the parameters of program `number`. */
static int32_t read_part(const struct tw_module *module, int32_t number, struct tw_part *part)
{
    const char *manifest = symbol_of_part(module, "__tw_manifest", number);
    const char *text = manifest == NULL ? NULL : json_value(manifest, "params");
    text = text == NULL ? NULL : json_value(text, "table");
    part->weights = symbol_of_part(module, "__tw_weights", number);
    part->running = symbol_of_part(module, "__tw_running", number);
    if (part->weights == NULL || part->running == NULL)
        return fail_params(module, "no place for weights");
    part->table = text == NULL || *text != '"' ? NULL : table_of(text);
    if (part->table == NULL || part->table->version != TW_PARAMS_VERSION)
        return fail_params(module, "a manifest without a table of this version");
    return 0;
}

/* Read the parameters of all programs, with the lock held. */
static int32_t read_params(struct tw_module *module)
{
    int32_t count = 0;
    while (symbol_of_part(module, "__tw_manifest", count) != NULL)
        count++;
    int32_t first = count == 0 ? -1 : 0;
    const char *places = json_value(module->manifest, "programs");
    module->parts = calloc((size_t)count + 1, sizeof *module->parts);
    if (module->parts == NULL)
        return fail_memory();
    for (module->part_count = 0; module->part_count < (count == 0 ? 1 : count);) {
        int32_t number = first + module->part_count;
        struct tw_part *part = &module->parts[module->part_count++];
        if (places != NULL) {
            places += strspn(places, "[, ");
            const char *at = json_value(places, "weights_at");
            part->weights_at = at == NULL ? 0 : strtoll(at, NULL, 10);
            places = behind_value(places);
        }
        if (read_part(module, number, part) != 0) {
            free_params(module);
            return -1;
        }
    }
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
        if (*part->weights == NULL && part->table->weights_bytes > 0)
            return fail_params(module, "weights that are not loaded");
    }
    return 0;
}

/* Return what repack.c needs to know of a program. */
static struct tw_params_host host_of(
    const struct tw_module *module, const struct tw_part *part, char *message)
{
    return (struct tw_params_host){part->table, module->path, *part->weights, message};
}

/* Set the error of repack.c. */
static int32_t fail_part(int32_t kind, const char *message)
{
    return kind == 0 ? 0 : fail(kind == TW_NO_MEMORY ? MEMORY_ERROR : VALUE_ERROR, "%s", message);
}

/* Return the first program that has a parameter, or the first one. */
static struct tw_part *part_with(const struct tw_module *module, const char *name)
{
    for (int32_t at = 0; at < module->part_count; at++)
        if (__tw_param_index(module->parts[at].table, name) >= 0)
            return &module->parts[at];
    return module->parts;
}

/* ---- new values ------------------------------------------------------------------------------ */

/* New values: names, tensors, and their number. */
struct new_values {
    const char **names;
    const struct tw_tensor **tensors;
    int32_t count;
};

/* Make weights of a program with its new values; names that no program has are among those of the first
 * one, which reports them. `own` has room for all values. */
static int32_t repack_part(const struct tw_module *module, struct tw_part *part,
    const struct new_values *new, struct new_values *own, char **made)
{
    char message[TW_PARAMS_MESSAGE_BYTES];
    struct tw_params_host host = host_of(module, part, message);
    own->count = 0;
    for (int32_t at = 0; at < new->count; at++)
        if (part_with(module, new->names[at]) == part ||
            __tw_param_index(part->table, new->names[at]) >= 0) {
            own->names[own->count] = new->names[at];
            own->tensors[own->count++] = new->tensors[at];
        }
    if (part->table->weights_bytes > 0) {
        *made = take_memory((size_t)part->table->weights_bytes);
        if (*made == NULL)
            return fail_memory();
    }
    return fail_part(
        __tw_repack_params(&host, own->names, own->tensors, own->count, *made), message);
}

/* Replace the values in all programs, or in none. */
static int32_t load_values(struct tw_module *module, const struct new_values *new)
{
    size_t room = (size_t)new->count + 1;
    char **made = calloc((size_t)module->part_count, sizeof *made);
    struct new_values own = {
        calloc(room, sizeof *own.names), calloc(room, sizeof *own.tensors), 0};
    bool has_memory = made != NULL && own.names != NULL && own.tensors != NULL;
    int32_t status = has_memory ? know_weights(module) : fail_memory();
    for (int32_t at = 0; status == 0 && at < module->part_count; at++)
        status = repack_part(module, &module->parts[at], new, &own, &made[at]);
    for (int32_t at = 0; made != NULL && at < module->part_count; at++) {
        if (status == 0 && made[at] != NULL)
            replace_weights(&module->parts[at], made[at]);
        else
            return_memory(made[at]);
    }
    free(made);
    free(own.names);
    free(own.tensors);
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
    struct new_values new = {(const char **)(uintptr_t)names, tensors, count};
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
    char *header;
    struct new_values values;
    struct tw_tensor *tensors;
    int64_t (*shapes)[TW_MAX_RANK];
};

/* Read one row of the header. Return null, or what is malformed. */
static const char *read_tensor_row(struct tensors_file *file, const char *name, const char *row)
{
    int32_t number = file->values.count;
    int64_t ends[2], *shape = file->shapes[number];
    const char *type = json_value(row, "dtype");
    char tag[16];
    uint32_t dtype = 0;
    if (next_name(&type, tag, sizeof tag))
        for (size_t at = 0; at < DTYPE_COUNT; at++)
            if (strcmp(tag, DTYPES[at].tag) == 0)
                dtype = DTYPES[at].dtype | 1 << 16;
    int32_t rank = read_integers(json_value(row, "shape"), shape, TW_MAX_RANK);
    if (dtype == 0 || rank < 0 || read_integers(json_value(row, "data_offsets"), ends, 2) != 2)
        return "a tensor without dtype, shape or place";
    int64_t bytes = element_bytes(dtype);
    for (int32_t axis = 0; axis < rank; axis++)
        if (shape[axis] < 0 || __builtin_mul_overflow(bytes, shape[axis], &bytes))
            return "a shape with a wrong size";
    if (ends[0] < 0 || ends[1] - ends[0] != bytes || (size_t)ends[1] > file->bytes - file->at)
        return "a tensor that leaves the file";
    char *data = (char *)(uintptr_t)file->data + file->at + ends[0];
    file->tensors[number] = (struct tw_tensor){data, TW_CPU, 0, rank, dtype, shape, NULL, 0};
    file->values.names[number] = name;
    file->values.tensors[number] = &file->tensors[number];
    file->values.count++;
    return NULL;
}

/* Read the rows of the header; there are fewer than it has braces. Return null, or what is malformed. */
static const char *read_rows(struct tensors_file *file)
{
    const char *at = file->header, *broken = NULL;
    size_t count = 1;
    for (const char *each = at; *each != 0; each++)
        count += *each == '{';
    file->values.names = calloc(count, sizeof *file->values.names);
    file->values.tensors = calloc(count, sizeof *file->values.tensors);
    file->tensors = calloc(count, sizeof *file->tensors);
    file->shapes = calloc(count, sizeof *file->shapes);
    if (file->values.names == NULL || file->values.tensors == NULL || file->tensors == NULL ||
        file->shapes == NULL)
        return "no memory";
    if (!take_character(&at, '{'))
        return "a header that is no JSON";
    while (broken == NULL && !take_character(&at, '}')) {
        const char *name = at, *row = *at == '"' ? behind_string(at) : at;
        if (row == name || !take_character(&row, ':') || (row += strspn(row, " \n\r\t"), *row != '{'))
            return "a header that is no JSON";
        at = behind_value(row);
        at += strspn(at, ", \n\r\t");
        if (strncmp(name, "\"__metadata__\"", 14) != 0)
            broken = read_tensor_row(file, unescape(file->header + (name - file->header)), row);
    }
    return broken;
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
    file->header = malloc((size_t)length + 1);
    if (file->header == NULL)
        return "no memory";
    memcpy(file->header, file->data + sizeof length, (size_t)length);
    file->header[length] = 0;
    return read_rows(file);
}

int32_t tw_load_params_file(struct tw_module *module, const char *path)
{
    struct tensors_file file = {.header = NULL};
    if (module == NULL || path == NULL)
        return fail_null("tw_load_params_file", module == NULL ? "the module" : "the path");
    if (know_params(module) != 0 || map_file(path, &file.data, &file.bytes) != 0)
        return -1;
    const char *broken = read_tensors_file(&file);
    int32_t status = broken == NULL ? load_values(module, &file.values)
                                    : fail(VALUE_ERROR, "%s is not in the layout of safetensors\n  "
                                          "expected: a file of save_params\n  got: %s", path, broken);
    free(file.header);
    free(file.values.names);
    free(file.values.tensors);
    free(file.tensors);
    free(file.shapes);
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
    *count = (int32_t)module->parts[0].table->param_count;
    return 0;
}

/* Describe a parameter of a program. */
static struct tw_param description(const struct tw_params *table, const struct tw_params_param *param)
{
    return (struct tw_param){at_offset(table, param->name), at_offset(table, param->reason),
        at_offset(table, param->shape), (uint32_t)param->dtype | 1 << 16, (int32_t)param->rank};
}

int32_t tw_describe_param(struct tw_module *module, int32_t index, struct tw_param *described)
{
    if (module == NULL || described == NULL)
        return fail_null("tw_describe_param", module == NULL ? "the module" : "the result");
    if (know_params(module) != 0)
        return -1;
    const struct tw_params *table = module->parts[0].table;
    const struct tw_params_param *param = __tw_find_param(table, index);
    if (param == NULL)
        return fail(VALUE_ERROR, "%s has no parameter of this position\n  expected: 0 to %d\n  got: %d",
            module->path, table->param_count - 1, (int64_t)index);
    *described = description(table, param);
    return 0;
}

/* Return a copy of the values of a parameter of a program, or null; store the kind of the error. */
static struct tw_tensor_object *copy_param(
    const struct tw_params_host *host, const char *name, int32_t *kind)
{
    int64_t index = __tw_param_index(host->table, name);
    struct tw_tensor_object *made = NULL;
    *kind = TW_NO_MEMORY;
    if (index >= 0) {
        struct tw_param param = description(host->table, __tw_find_param(host->table, index));
        made = tw_tensor_new(param.dtype, param.rank, param.shape, TW_CPU, 0);
        if (made == NULL)
            return NULL;
    }
    *kind = __tw_get_param(host, name, made == NULL ? NULL : tw_data(made));
    if (*kind == 0)
        return made;
    tw_release(made);
    return NULL;
}

struct tw_tensor_object *tw_get_param(struct tw_module *module, const char *name)
{
    char message[TW_PARAMS_MESSAGE_BYTES] = "no memory is left for parameters";
    int32_t kind = TW_ABSENT;
    if (module == NULL || name == NULL) {
        fail_null("tw_get_param", module == NULL ? "the module" : "the name");
        return NULL;
    }
    if (know_params(module) != 0 || know_weights(module) != 0)
        return NULL;
    struct tw_tensor_object *made = NULL;
    struct tw_part *known = part_with(module, name);
    for (int32_t at = 0; kind == TW_ABSENT && at < module->part_count; at++) {
        struct tw_part *part = &module->parts[at];
        struct tw_params_host host = host_of(module, part, message);
        if (part == known || __tw_param_index(part->table, name) >= 0)
            made = copy_param(&host, name, &kind);
    }
    fail_part(kind, message);
    return made;
}
