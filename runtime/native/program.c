/* The main function of an exported program: it reads arrays from .npy and .npz files into an executor of
 * the model, runs it, and prints the results or writes them to such a file.
 *
 * Files are mapped and every offset in them is checked. Formats: NEP 1 of numpy; zip archives whose
 * members are stored without compression (PKWARE APPNOTE, sections 4.3.7 to 4.3.16).
 */

#define _GNU_SOURCE

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bare.h"
#include "executor.h"
#include "program.h"
#include "tensors.h"

/* Several functions call one copy of such a function. */
#define SHARED __attribute__((noinline))

enum { MOST_RANK = 32, LINE_BYTES = 1024, HEADER_ALIGNMENT = 64 };

/* Bytes of a file. */
struct bytes {
    const unsigned char *start;
    uint64_t count;
};

/* The executor of the model, and which of its inputs are set. */
struct inputs {
    struct tw_executor *executor;
    bool *are_set;
};

/* Write bytes to an open file; return whether all are written. */
static bool put(int file, const void *from, uint64_t count)
{
    const char *at = from;
    while (count > 0) {
        ssize_t done = write(file, at, (size_t)count);
        if (done <= 0)
            return false;
        at += done;
        count -= (uint64_t)done;
    }
    return true;
}

static bool print(int file, const char *text)
{
    return put(file, text, strlen(text));
}

/* Print an error; return 1. */
static int fail(const char *where, const char *rule)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "error: %.300s: %.600s\n", where, rule);
    print(2, text);
    return 1;
}

static int report(void)
{
    print(2, "error: ");
    print(2, __tw_last_error);
    print(2, "\n");
    return 1;
}

static int64_t item_bytes(uint32_t dtype) { return tw_tensor_bytes(dtype, 0, NULL); }

static int64_t bytes_of(const struct tw_tensor *tensor)
{
    return tw_tensor_bytes(tensor->dtype, tensor->rank, tensor->shape);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool map_file(const char *path, struct bytes *found)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    off_t count = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    void *start = count <= 0
        ? MAP_FAILED
        : mmap(NULL, (size_t)count, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    found->start = start;
    found->count = (uint64_t)count;
    return start != MAP_FAILED;
}

static SHARED uint32_t number(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static bool starts_with(const char *text, const char *start)
{
    return memcmp(text, start, strlen(start)) == 0;
}

/* Return the text behind a key of the header, or null. Before: the header is NUL-terminated. */
static SHARED const char *value_of(const char *header, const char *key)
{
    size_t length = strlen(key), end = strlen(header);
    for (size_t at = 0; at + length <= end; at++)
        if (memcmp(header + at, key, length) == 0) {
            at += length;
            while (header[at] == ' ' || header[at] == ':')
                at++;
            return header + at;
        }
    return NULL;
}

/* Return whether elements described as in '<f4' have a dtype. Types that numpy does not know are
 * stored as bytes: V2. */
static bool is_dtype(const char *text, uint32_t dtype)
{
    static const char kinds[] = "iuf  cb";
    uint32_t code = dtype & 255;
    char kind = code < sizeof kinds - 1 ? kinds[code] : ' ';
    int64_t size = 0;
    for (const char *digit = text + 3; strcspn(text + 1, "<>|") == 0;) {
        if (*digit < '0' || *digit > '9')
            break;
        size = size * 10 + (*digit++ - '0');
    }
    bool is_unknown = kind == ' ' || (dtype >> 8 & 255) < 8;
    return (text[2] == kind || (text[2] == 'V' && is_unknown)) && size == item_bytes(dtype);
}

/* Reverse the bytes of each number: copy elements of the other order. */
static void swap_bytes(char *to, const char *from, int64_t bytes, int64_t number_bytes)
{
    for (int64_t at = 0; at < bytes; at += number_bytes)
        for (int64_t index = 0; index < number_bytes; index++)
            to[at + index] = from[at + number_bytes - 1 - index];
}

/* Read a shape, as in "(4, 8), }"; return its rank, or -1. */
static int32_t read_shape(const char *text, int64_t *shape)
{
    int32_t rank = 0;
    for (; *text != ')'; text++) {
        if (*text == '\0')
            return -1;
        if (*text < '0' || *text > '9')
            continue;
        if (rank == MOST_RANK)
            return -1;
        int64_t size = 0;
        while (*text >= '0' && *text <= '9')
            if (__builtin_mul_overflow(size, 10, &size)
                || __builtin_add_overflow(size, *text++ - '0', &size))
                return -1;
        shape[rank++] = size;
        text--;
    }
    return rank;
}

/* Read an array for input `index`; return 0 or 1. */
static int read_array(
    const char *path, const struct bytes *file, int32_t index, const struct inputs *inputs)
{
    const struct tw_spec *spec = &tw_specs[index];
    char header[1 << 16];
    int wide = file->count > 6 && file->start[6] > 1 ? 4 : 2;
    if (file->count < 12 || memcmp(file->start, "\x93NUMPY", 6) != 0)
        return fail(path, "is not a file of numpy");
    uint64_t length = number(file->start + 8, wide), data_at = 8 + (uint64_t)wide + length;
    if (length >= sizeof header || data_at > file->count)
        return fail(path, "has a header that is too long");
    memcpy(header, file->start + 8 + wide, length);
    header[length] = '\0';
    const char *type = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'");
    const char *sizes = value_of(header, "'shape'");
    int64_t shape[MOST_RANK];
    int32_t rank = sizes == NULL ? -1 : read_shape(sizes, shape);
    if (type == NULL || strlen(type) < 4 || order == NULL || rank < 0)
        return fail(path, "has a header without type, order and shape");
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "does not fit %s: expected %.200s, got %.120s", spec->name,
        spec->text, header);
    if (!is_dtype(type, spec->dtype) || (spec->rank >= 0 && rank != spec->rank))
        return fail(path, text);
    if (rank > 1 && !starts_with(order, "False"))
        return fail(path, "is stored column by column: save numpy.ascontiguousarray(array)");
    int64_t bytes = tw_tensor_bytes(spec->dtype, rank, shape);
    if (bytes < 0 || (uint64_t)bytes > file->count - data_at)
        return fail(path, "is shorter than its array");
    void *data = (void *)(uintptr_t)(file->start + data_at);
    if (strcspn(type + 1, "<>") == 0 && type[1] != tw_byte_order[0]) {
        data = aligned_alloc(1, (size_t)bytes + 1);
        if (data == NULL)
            return fail(path, "does not fit into memory");
        /* Complex numbers have two parts. */
        swap_bytes(data, (const char *)file->start + data_at, bytes,
            item_bytes(spec->dtype) / (type[2] == 'c' ? 2 : 1));
    }
    struct tw_tensor tensor = {data, TW_CPU, 0, rank, spec->dtype, shape, NULL, 0};
    inputs->are_set[index] = true;
    return __tw_set_input(inputs->executor, spec->name, &tensor) == 0 ? 0 : report();
}

/* Return the input with a name, or -1. */
static int32_t input_named(const char *name, size_t length)
{
    for (int32_t index = 0; index < tw_inputs; index++)
        if (strlen(tw_specs[index].name) == length
            && memcmp(tw_specs[index].name, name, length) == 0)
            return index;
    return -1;
}

/* Read one member of an archive, whose row of the directory is given; return 0 or 1. */
static int read_member(
    const char *path, const struct bytes *file, const unsigned char *row, const struct inputs *inputs)
{
    enum { LOCAL_BYTES = 30, SUFFIX = 4 };
    uint64_t size = number(row + 20, 4), length = number(row + 28, 2), at = number(row + 42, 4);
    const char *name = (const char *)row + 46;
    int32_t index = length < SUFFIX ? -1 : input_named(name, length - SUFFIX);
    if (index < 0) {
        char text[LINE_BYTES], shown[128];
        size_t count = length < sizeof shown - 1 ? length : sizeof shown - 1;
        memcpy(shown, name, count);
        shown[count] = '\0';
        snprintf(text, sizeof text, "has a member without an input: %s", shown);
        return fail(path, text);
    }
    if (number(row + 10, 2) != 0)
        return fail(path, "is compressed: save it with numpy.savez");
    if (at + LOCAL_BYTES > file->count)
        return fail(path, "is damaged");
    uint64_t data = at + LOCAL_BYTES + number(file->start + at + 26, 2)
        + number(file->start + at + 28, 2);
    if (data > file->count || size > file->count - data)
        return fail(path, "is damaged, or larger than 4 GiB");
    struct bytes member = {file->start + data, size};
    return read_array(path, &member, index, inputs);
}

/* Read all members of an archive; return 0 or 1. */
static int read_archive(const char *path, const struct bytes *file, const struct inputs *inputs)
{
    enum { END_BYTES = 22, ROW_BYTES = 46 };
    uint64_t end = file->count;
    for (end -= END_BYTES; memcmp(file->start + end, "PK\5\6", 4) != 0; end--)
        if (end == 0 || file->count - end > (1 << 16))
            return fail(path, "has no directory");
    uint64_t at = number(file->start + end + 16, 4);
    for (uint32_t left = number(file->start + end + 10, 2); left > 0; left--) {
        if (at + ROW_BYTES > end || memcmp(file->start + at, "PK\1\2", 4) != 0)
            return fail(path, "has a damaged directory");
        const unsigned char *row = file->start + at;
        uint32_t name = number(row + 28, 2);
        at += ROW_BYTES + name + number(row + 30, 2) + number(row + 32, 2);
        if (at > end)
            return fail(path, "has a damaged directory");
        if (read_member(path, file, row, inputs) != 0)
            return 1;
    }
    return 0;
}

/* Read a word of the command line: FILE.npy, NAME=FILE.npy or FILE.npz; return 0 or 1. */
static int read_word(const char *word, const struct inputs *inputs)
{
    struct bytes file;
    size_t equals = strcspn(word, "=");
    bool is_named = word[equals] == '=';
    const char *path = is_named ? word + equals + 1 : word;
    int32_t index = is_named ? input_named(word, equals) : 0;
    if (index < 0)
        return fail(word, "names no input");
    if (!map_file(path, &file))
        return fail(path, "cannot be read, or is empty");
    if (file.count >= 22 && memcmp(file.start, "PK", 2) == 0)
        return read_archive(path, &file, inputs);
    while (!is_named && index < tw_inputs && inputs->are_set[index])
        index++;
    if (index == tw_inputs)
        return fail(word, "is one input too many");
    return read_array(path, &file, index, inputs);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Run the model with the threads of the system; return 0 or 1. */
static int run(struct tw_executor *executor)
{
    uint64_t processors[16] = {0};
    int32_t threads = 0;
    if (sched_getaffinity(0, sizeof processors, (cpu_set_t *)(void *)processors) >= 0)
        for (int word = 0; word < 16; word++)
            threads += __builtin_popcountll(processors[word]);
#if UINTPTR_MAX == UINT64_MAX /* else it has one thread */
    __tw_pool = __tw_pool_run;
#endif
    __tw_default_threads = threads > 0 ? threads : 1;
    return __tw_run(executor) == 0 ? 0 : report();
}

static const char *output_name(int32_t index) { return tw_specs[tw_inputs + index].name; }

/* ---- printing -------------------------------------------------------------------------------- */

/* Return a float of few bits as a double. */
static double widened(uint32_t bits, int exponent_bits, int fraction_bits)
{
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    double fraction = (double)(bits & ((1u << fraction_bits) - 1)) / (double)(1u << fraction_bits);
    double value = exponent == 0 ? fraction : 1 + fraction;
    if (exponent == (1 << exponent_bits) - 1)
        value = fraction == 0 ? __builtin_inf() : __builtin_nan("");
    for (int power = exponent == 0 ? 1 - bias : exponent - bias; power != 0;)
        if (power > 0) {
            value *= 2;
            power--;
        } else {
            value /= 2;
            power++;
        }
    return bits >> (exponent_bits + fraction_bits) & 1 ? -value : value;
}

/* Write a number with six digits, as printf("%e") does; all but the last are exact. */
static void write_float(char text[64], double value)
{
    if (value != value || value - value != 0) {
        strcpy(text, value != value ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    double size = value < 0 ? -value : value;
    int power = 0;
    while (size >= 10) {
        size /= 10;
        power++;
    }
    while (size > 0 && size < 1) {
        size *= 10;
        power--;
    }
    int64_t digits = (int64_t)(size * 1000000 + 0.5);
    if (digits == 10000000) {
        digits = 1000000;
        power++;
    }
    char rest[16];
    snprintf(rest, sizeof rest, "%d", (int)(digits % 1000000 + 1000000));
    snprintf(text, 64, "%s%d.%se%s%d", value < 0 ? "-" : "", (int)(digits / 1000000), rest + 1,
        power < 0 ? "-" : "+", power < 0 ? -power : power);
}

/* Write the element of a tensor at an address. */
static void write_element(char text[64], uint32_t dtype, const char *at)
{
    enum { SIGNED, UNSIGNED, FLOAT, BFLOAT = 4, BOOL = 6 };
    uint32_t code = dtype & 255, bits = dtype >> 8 & 255;
    int64_t bytes = item_bytes(dtype), value = 0;
    for (int64_t place = 0, count = bytes < 8 ? bytes : 8; place < count; place++) {
        int64_t from = tw_byte_order[0] == '<' ? count - 1 - place : place;
        value = (int64_t)((uint64_t)value << 8 | (unsigned char)at[from]);
    }
    if (code == FLOAT && bits == 64) {
        double wide;
        memcpy(&wide, at, 8);
        write_float(text, wide);
    } else if (code == FLOAT && bits == 32) {
        float wide;
        memcpy(&wide, at, 4);
        write_float(text, wide);
    } else if (code == FLOAT) {
        write_float(text, widened((uint32_t)value, 5, 10));
    } else if (code == BFLOAT) {
        write_float(text, widened((uint32_t)value, 8, 7));
    } else if (code == SIGNED) {
        int shift = 64 - 8 * (int)bytes;
        snprintf(text, 64, "%lld", (long long)((int64_t)((uint64_t)value << shift) >> shift));
    } else if (code == BOOL) {
        strcpy(text, value != 0 ? "True" : "False");
    } else {
        snprintf(text, 64, code == UNSIGNED ? "%llu" : "%#llx", (unsigned long long)value);
    }
}

/* Print an output: its name and shape, and its first elements. Return whether all is written. */
static bool show(const char *name, const struct tw_tensor *output)
{
    enum { MOST_SHOWN = 64 };
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "%s: ", name);
    bool is_done = print(1, text);
    for (int32_t axis = 0; is_done && axis < output->rank; axis++) {
        snprintf(text, sizeof text, axis == 0 ? "%lld" : " x %lld", (long long)output->shape[axis]);
        is_done = print(1, text);
    }
    is_done = is_done && print(1, "\n");
    int64_t bytes = item_bytes(output->dtype), count = bytes_of(output) / bytes;
    int64_t columns = output->rank == 0 ? 1 : output->shape[output->rank - 1];
    for (int64_t index = 0; is_done && index < count && index < MOST_SHOWN; index++) {
        write_element(text, output->dtype, (const char *)output->data + index * bytes);
        bool is_last = (index + 1) % columns == 0 || index + 1 == count;
        is_done = print(1, text) && print(1, is_last ? "\n" : " ");
    }
    if (is_done && count > MOST_SHOWN)
        is_done = print(1, count % columns == 0 && MOST_SHOWN % columns == 0 ? "...\n" : "\n...\n");
    return is_done;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Write the header of an array to `text`, of 1024 bytes; return its length, a multiple of 64. */
static int write_header(char *text, const struct tw_tensor *output)
{
    static const char kinds[] = "iufVVcbVVVVVVVVVVV";
    uint32_t dtype = output->dtype;
    char shape[700];
    int length = snprintf(shape, sizeof shape, "(");
    for (int32_t axis = 0; axis < output->rank; axis++)
        length += snprintf(
            shape + length, sizeof shape - (size_t)length, "%lld,", (long long)output->shape[axis]);
    char kind[2] = {kinds[dtype & 255], '\0'};
    length = 10 + snprintf(text + 10, LINE_BYTES - 10,
        "{'descr': '%s%s%d', 'fortran_order': False, 'shape': %s), }",
        kind[0] == 'V' || item_bytes(dtype) == 1 ? "|" : tw_byte_order[0] == '<' ? "<" : ">", kind,
        (int)item_bytes(dtype), shape);
    int whole = (length / HEADER_ALIGNMENT + 1) * HEADER_ALIGNMENT;
    memset(text + length, ' ', (size_t)(whole - length));
    text[whole - 1] = '\n';
    memcpy(text, "\x93NUMPY\1\0", 8);
    /* volatile: LLVM must not store both bytes at once in the order of one machine. */
    volatile char *number = text + 8;
    number[0] = (char)((whole - 10) & 255);
    number[1] = (char)((whole - 10) >> 8);
    return whole;
}

static SHARED uint32_t checksum(uint32_t sum, const void *from, uint64_t count)
{
    const unsigned char *at = from;
    sum = ~sum;
    while (count-- > 0) {
        sum ^= *at++;
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (0xEDB88320u & (0 - (sum & 1)));
    }
    return ~sum;
}

static SHARED void store(unsigned char *at, uint64_t value, int bytes)
{
    for (int index = 0; index < bytes; index++)
        at[index] = (unsigned char)(value >> 8 * index);
}

/* A member of the archive to write: the row of the directory, and its place. */
struct member {
    unsigned char row[46];
    uint64_t at, size;
};

/* Write one array, in an archive if there is a member for it. */
static bool put_array(
    int file, const char *name, const struct tw_tensor *output, struct member *member)
{
    char header[LINE_BYTES];
    int length = write_header(header, output);
    uint64_t bytes = (uint64_t)bytes_of(output);
    if (member != NULL) {
        uint32_t sum = checksum(checksum(0, header, (uint64_t)length), output->data, bytes);
        uint64_t letters = strlen(name) + 4, size = (uint64_t)length + bytes;
        unsigned char *row = member->row;
        memset(row, 0, sizeof member->row);
        memcpy(row, "PK\1\2\24\0\24\0\0\10", 10); /* the last byte: the name is UTF-8 */
        store(row + 14, 0x21, 2);
        store(row + 16, sum, 4);
        store(row + 20, size, 4);
        store(row + 24, size, 4);
        store(row + 28, letters, 2);
        store(row + 42, member->at, 4);
        unsigned char local[30] = "PK\3\4";
        memcpy(local + 4, row + 6, 26);
        member->size = sizeof local + letters + size;
        if (member->at + member->size > UINT32_MAX || !put(file, local, sizeof local)
            || !put(file, name, letters - 4) || !put(file, ".npy", 4))
            return false;
    }
    return put(file, header, (uint64_t)length) && put(file, output->data, bytes);
}

/* Write the directory of an archive. */
static bool put_directory(int file, struct member *members, int32_t count)
{
    unsigned char end[22] = "PK\5\6";
    uint64_t bytes = 0;
    for (int32_t index = 0; index < count; index++) {
        const char *name = output_name(index);
        if (!put(file, members[index].row, 46) || !put(file, name, strlen(name))
            || !put(file, ".npy", 4))
            return false;
        bytes += 46 + strlen(name) + 4;
    }
    store(end + 8, (uint64_t)count, 2);
    store(end + 10, (uint64_t)count, 2);
    store(end + 12, bytes, 4);
    store(end + 16, members[count - 1].at + members[count - 1].size, 4);
    return put(file, end, sizeof end);
}

/* Write the outputs to a file; return 0 or 1. */
static int save(const char *path, const struct tw_executor *executor)
{
    int32_t count = tw_outputs;
    size_t length = strlen(path);
    bool is_archive = length > 4 && memcmp(path + length - 4, ".npz", 4) == 0;
    if (!is_archive && count != 1)
        return fail(path, "holds one array: write several outputs to a file that ends in .npz");
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    struct member members[count];
    memset(members, 0, sizeof members);
    bool is_done = file >= 0;
    for (int32_t index = 0; is_done && index < count; index++) {
        struct member *member = is_archive ? &members[index] : NULL;
        if (index > 0)
            members[index].at = members[index - 1].at + members[index - 1].size;
        is_done = put_array(file, output_name(index), __tw_get_output(executor, index), member);
    }
    is_done = is_done && (!is_archive || put_directory(file, members, count));
    if (file >= 0)
        close(file);
    return is_done ? 0 : fail(path, "cannot be written");
}

/* Programs with code for one processor lack it. */
int32_t tw_processor(void) __attribute__((weak, visibility("hidden")));

/* ---- the command line ------------------------------------------------------------------------ */

static int explain(const char *program)
{
    print(2, tw_signature);
    print(2, "\nusage: ");
    print(2, program);
    print(2, " [-o OUTPUT.npy | -o OUTPUTS.npz] INPUT...\n"
             "    INPUT is a file of numpy, in the order of the signature: FILE.npy, or\n"
             "    NAME=FILE.npy, or FILE.npz with arrays of the names of inputs\n"
             "runs the code for the processor ");
    const char *name = tw_processors;
    for (int32_t left = tw_processor != NULL ? tw_processor() : 0; left > 0; left--)
        name += strlen(name) + 1;
    print(2, name);
    print(2, "\n");
    return 2;
}

/* Ask the kernel for the tile registers of AMX, if the code uses them: code 0x1023,
 * ARCH_REQ_XCOMP_PERM, for state 18. The permission is the process's, so later threads have it. */
static int request_tiles(const char *name)
{
    if (tw_uses_tiles[0] != 0 && tw_arch_prctl(0x1023, 18) != 0)
        return fail(name, "the kernel refuses the tile registers (AMX) that the code needs; expected "
            "arch_prctl(ARCH_REQ_XCOMP_PERM, 18) of Linux 5.16 or newer, on such a processor; "
            "else compile the model for a target with -mattr=-amx-tile");
    return 0;
}

int tw_program(int argc, char **argv)
{
    bool are_set[tw_inputs + 1];
    struct inputs inputs = {__tw_create(), are_set};
    const char *output = NULL;
    memset(are_set, 0, sizeof are_set);
    if (inputs.executor == NULL)
        return report();
    if (argc < 2 && tw_inputs > 0)
        return explain(argv[0]);
    for (int word = 1; word < argc; word++) {
        if (argv[word][0] != '-') {
            if (read_word(argv[word], &inputs) != 0)
                return 1;
        } else if (strlen(argv[word]) == 2 && argv[word][1] == 'o' && word + 1 < argc) {
            output = argv[++word];
        } else {
            return explain(argv[0]);
        }
    }
    for (int32_t index = 0; index < tw_inputs; index++)
        if (!are_set[index])
            return fail(tw_specs[index].name, "is an input without a file");
    if (request_tiles(argv[0]) != 0 || run(inputs.executor) != 0)
        return 1;
    if (output != NULL)
        return save(output, inputs.executor);
    for (int32_t index = 0; index < tw_outputs; index++)
        if (!show(output_name(index), __tw_get_output(inputs.executor, index)))
            return fail("the outputs", "cannot be written to the standard output");
    return 0;
}
