/* One session of the RPC server: files, memory, modules and functions, and the messages about them.
 *
 * In: requests of a stream. Out: a reply or an error for each. A client names objects by handles,
 * which are never used again; each access to memory is compared with its size. The code of a library
 * is mapped only after all its digests were compared, and its arguments are tensors of this session.
 */

enum {
    MAX_OBJECTS = 4096,
    MAX_FILES = 64,
    MAX_ARGUMENTS = 256,
    MAX_SIZES = 4096,
    MAX_REPEAT = 1000
};

enum { OBJECT_NONE, OBJECT_MEMORY, OBJECT_MODULE, OBJECT_FUNCTION };

static const uint64_t MAX_CALLS = (uint64_t)1 << 40;

/* Bytes with a count of their users. */
struct blob {
    uint8_t *data;
    size_t bytes, room;
    int32_t references;
};

struct file {
    char name[MAX_FILE_NAME + 1];
    struct blob *blob;
};

/* A loaded library, with the files that it reads. */
struct library {
    struct image image;
    struct tw_module *module;
    struct blob *weights;
    int32_t references;
};

struct object {
    uint64_t handle;
    int32_t kind;
    struct tw_tensor_object *tensor;
    uint64_t bytes;
    struct library *library;
    struct tw_function function;
    struct tw_function_object *made; /* the function is this object's, if not null */
};

struct call;

struct limits {
    uint64_t memory_bytes, file_bytes;
    int64_t timeout_ms;
};

/* The settings of a session's server. */
struct host {
    const char *token;
    const char *lacks; /* the parts of the sandbox that are missing, as a text */
    const char *local; /* the name of a socket for clients on the same machine; else empty */
    struct limits limits;
    bool may_poll; /* whether to wait for quick requests without sleep */
};

struct session {
    struct stream stream;
    const struct host *host;
    uint8_t nonces[2][NONCE_BYTES]; /* of the server, of the client */
    bool has_nonces, is_known;
    uint8_t *payload, ahead[AHEAD_BYTES];
    struct call *call; /* the memory of the arguments of a call */
    struct object objects[MAX_OBJECTS];
    struct file files[MAX_FILES];
    uint64_t next, used_bytes, file_bytes;
};

/* The processors and the memory of the machine, which a process reads before it enters the sandbox. */
static int64_t machine_threads = 1, machine_bytes;
static bool has_processors; /* several that this process may use */
static int counter[2]; /* a pipe: an emulator writes to its second end; see read_counter */
static bool has_counter;

/* Ask an emulator how many instructions this process has executed. Return whether it counts.
 * The plugin tools/count_instructions.c of QEMU sees this system call, which Linux does not have. */
static bool read_counter(uint64_t *executed)
{
    enum { COUNT_CALL = 0x7457 };
    uint8_t made[8];
    syscall(COUNT_CALL, counter[1]);
    if (read(counter[0], made, sizeof made) != sizeof made)
        return false;
    *executed = load_number(made, sizeof made);
    return true;
}

static void read_machine(void)
{
    machine_threads = sysconf(_SC_NPROCESSORS_ONLN);
    machine_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
    cpu_set_t usable;
    uint64_t executed;
    has_processors = sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) > 1;
    has_counter = pipe2(counter, O_CLOEXEC | O_NONBLOCK) == 0 && read_counter(&executed);
    read_cpu_flags();
}

static bool is_socket(int file)
{
    int kind;
    socklen_t length = sizeof kind;
    return getsockopt(file, SOL_SOCKET, SO_TYPE, &kind, &length) == 0;
}

/* ---- objects --------------------------------------------------------------------------------- */

static struct object *find_object(struct session *session, uint64_t handle, int32_t kind)
{
    static const char *const KINDS[] = {"", "memory", "module", "function"};
    struct object *found = &session->objects[handle % MAX_OBJECTS];
    if (handle != 0 && found->handle == handle && found->kind == kind)
        return found;
    fail(KEY_ERROR, "the session has no %s of this handle\n  got: %d", KINDS[kind],
        (int64_t)handle);
    return NULL;
}

/* Return a new object, or null after an error. */
static struct object *new_object(struct session *session, int32_t kind)
{
    for (size_t tries = 0; tries < MAX_OBJECTS; tries++) {
        uint64_t handle = ++session->next;
        struct object *made = &session->objects[handle % MAX_OBJECTS];
        if (made->kind != OBJECT_NONE)
            continue;
        *made = (struct object){.handle = handle, .kind = kind};
        return made;
    }
    fail(MEMORY_ERROR, "a session has too many objects\n  expected: at most %d",
        (int64_t)MAX_OBJECTS);
    return NULL;
}

static void release_blob(struct blob *blob)
{
    if (blob == NULL || --blob->references > 0)
        return;
    free(blob->data);
    free(blob);
}

static void release_library(struct library *library)
{
    if (--library->references > 0)
        return;
    tw_unload(library->module);
    unmap_image(&library->image);
    release_blob(library->weights);
    free(library);
}

/* Return a new function of a library, which may be null; null after an error. */
static struct object *new_function(struct session *session, struct library *library)
{
    struct object *made = new_object(session, OBJECT_FUNCTION);
    if (made != NULL && library != NULL) {
        made->library = library;
        library->references++;
    }
    return made;
}

static void free_object(struct session *session, struct object *object)
{
    if (object->kind == OBJECT_MEMORY) {
        session->used_bytes -= object->bytes;
        tw_release(object->tensor);
    }
    if (object->made != NULL)
        tw_release(object->made);
    if (object->library != NULL)
        release_library(object->library);
    *object = (struct object){.kind = OBJECT_NONE};
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Keep a tensor as memory; it belongs to the session, also after an error. Store its handle. */
static int32_t keep_memory(
    struct session *session, struct tw_tensor_object *tensor, uint64_t bytes, uint64_t *handle)
{
    struct object *made = NULL;
    if (bytes > session->host->limits.memory_bytes - session->used_bytes)
        fail(MEMORY_ERROR, "the session would use too much memory\n  expected: at most %d bytes\n"
            "  got: %d bytes", (int64_t)session->host->limits.memory_bytes,
            (int64_t)(session->used_bytes + bytes));
    else
        made = new_object(session, OBJECT_MEMORY);
    if (made == NULL) {
        tw_release(tensor);
        return -1;
    }
    made->tensor = tensor;
    made->bytes = bytes;
    session->used_bytes += bytes;
    *handle = made->handle;
    return 0;
}

/* Return the first of some bytes of memory, or null after an error. */
static uint8_t *memory_at(
    struct session *session, uint64_t handle, uint64_t offset, uint64_t bytes)
{
    struct object *found = find_object(session, handle, OBJECT_MEMORY);
    if (found == NULL)
        return NULL;
    if (offset > found->bytes || bytes > found->bytes - offset) {
        fail(VALUE_ERROR, "a message uses bytes outside of its memory\n  expected: bytes 0 to %d\n"
            "  got: %d bytes at %d", (int64_t)found->bytes, (int64_t)bytes, (int64_t)offset);
        return NULL;
    }
    return (uint8_t *)tw_data(found->tensor) + offset;
}

static int32_t allocate(struct session *session, struct reader *reader, struct writer *writer)
{
    uint32_t kind = take_u32(reader), index = take_u32(reader);
    uint64_t bytes = take_u64(reader), handle = 0;
    if (!is_whole(reader))
        return 1;
    if (kind != TW_CPU || index != 0)
        return fail(VALUE_ERROR, "this server has no such device\n  expected: kind 1 (cpu), index 0\n"
            "  got: kind %d, index %d", (int64_t)kind, (int64_t)index);
    if (bytes > session->host->limits.memory_bytes)
        return fail(MEMORY_ERROR, "the session would use too much memory\n  expected: at most %d "
            "bytes\n  got: %d bytes", (int64_t)session->host->limits.memory_bytes, (int64_t)bytes);
    struct tw_tensor_object *made =
        tw_tensor_new(TW_UINT8, 1, (int64_t[]){(int64_t)bytes}, TW_CPU, 0);
    if (made == NULL || keep_memory(session, made, bytes, &handle) != 0)
        return -1;
    put_u64(writer, handle);
    return 0;
}

static int32_t copy_memory(struct session *session, struct reader *reader)
{
    uint64_t target = take_u64(reader), into = take_u64(reader), source = take_u64(reader);
    uint64_t from = take_u64(reader), bytes = take_u64(reader);
    if (!is_whole(reader))
        return 1;
    uint8_t *end = memory_at(session, target, into, bytes);
    const uint8_t *start = end == NULL ? NULL : memory_at(session, source, from, bytes);
    if (start == NULL)
        return -1;
    memmove(end, start, (size_t)bytes);
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A name is no path: letters, digits and ._+-, and no dot at the start. */
static bool is_file_name(const char *name)
{
    for (const char *at = name; *at != 0; at++) {
        bool is_letter = (*at | 32) >= 'a' && (*at | 32) <= 'z';
        if (!is_letter && !(*at >= '0' && *at <= '9') && *at != '_' &&
            (at == name || strchr(".+-", *at) == NULL))
            return false;
    }
    return *name != 0;
}

static struct file *find_file(struct session *session, const char *name)
{
    for (size_t at = 0; at < MAX_FILES; at++)
        if (session->files[at].blob != NULL && strcmp(session->files[at].name, name) == 0)
            return &session->files[at];
    fail(KEY_ERROR, "the session has no file of this name\n  got: %s\n  hint: upload it first", name);
    return NULL;
}

static void remove_file(struct session *session, struct file *file)
{
    session->file_bytes -= file->blob->bytes;
    release_blob(file->blob);
    file->blob = NULL;
}

/* Begin a file, in place of one of the same name. */
static struct file *new_file(struct session *session, const char *name)
{
    struct file *made = NULL;
    for (size_t at = 0; at < MAX_FILES; at++) {
        struct file *file = &session->files[at];
        if (file->blob != NULL && strcmp(file->name, name) == 0)
            remove_file(session, file);
        if (made == NULL && file->blob == NULL)
            made = file;
    }
    struct blob *blob = made == NULL ? NULL : calloc(1, sizeof *blob);
    if (blob == NULL) {
        fail(MEMORY_ERROR, "a session has too many files\n  expected: at most %d",
            (int64_t)MAX_FILES);
        return NULL;
    }
    blob->references = 1;
    made->blob = blob;
    append(made->name, sizeof made->name, 0, name);
    return made;
}

static int32_t append_bytes(struct session *session, struct blob *blob, const void *data, size_t bytes)
{
    if (blob->references > 1)
        return fail(VALUE_ERROR, "a module uses this file\n  hint: upload it again from its start");
    if (bytes > session->host->limits.file_bytes - session->file_bytes)
        return fail(MEMORY_ERROR, "the files of the session are too large\n  expected: at most %d "
            "bytes", (int64_t)session->host->limits.file_bytes);
    if (bytes > blob->room - blob->bytes) {
        size_t room = 2 * (blob->bytes + bytes);
        void *grown = NULL;
        if (posix_memalign(&grown, ALIGNMENT, room) != 0)
            return fail(MEMORY_ERROR, "no memory is left for a file");
        if (blob->bytes > 0)
            memcpy(grown, blob->data, blob->bytes);
        free(blob->data);
        blob->data = grown;
        blob->room = room;
    }
    if (bytes > 0)
        memcpy(blob->data + blob->bytes, data, bytes);
    blob->bytes += bytes;
    session->file_bytes += bytes;
    return 0;
}

static int32_t upload(struct session *session, struct reader *reader)
{
    char name[MAX_FILE_NAME + 1];
    take_text(reader, name, sizeof name);
    uint64_t offset = take_u64(reader), bytes = take_u64(reader);
    const uint8_t *data = take_bytes(reader, (size_t)bytes);
    if (!is_whole(reader))
        return 1;
    if (!is_file_name(name))
        return fail(VALUE_ERROR, "a file of a session has a name that is not allowed\n  expected: "
            "letters, digits and ._+-, no folder\n  got: %s", name);
    struct file *file = offset == 0 ? new_file(session, name) : find_file(session, name);
    if (file == NULL)
        return -1;
    if (offset != file->blob->bytes)
        return fail(VALUE_ERROR, "a file is uploaded out of order\n  expected: offset %d\n  got: %d",
            (int64_t)file->blob->bytes, (int64_t)offset);
    return append_bytes(session, file->blob, data, (size_t)bytes);
}

/* ---- archives -------------------------------------------------------------------------------- */

/* Bytes of a file. */
struct part {
    const uint8_t *data;
    size_t bytes;
};

/* Return whether the bytes have the digest that a JSON object names, and its length. */
static bool has_listed_digest(struct part part, const char *row)
{
    const char *bytes = json_value(row, "bytes");
    struct sha256 sha = NEW_DIGEST;
    digest_bytes(&sha, part.data, part.bytes);
    return bytes != NULL && strtoull(bytes, NULL, 10) == part.bytes &&
           has_digest(&sha, row, "sha256");
}

/* Store the contents of a member of a tar archive. Return whether there is one of this name, which
 * is a plain file. */
static bool find_member(struct part archive, const char *name, struct part *found)
{
    enum { BLOCK = 512, NAME_BYTES = 100, SIZE_AT = 124, SIZE_BYTES = 11, TYPE_AT = 156 };
    for (size_t at = 0; at + BLOCK <= archive.bytes && archive.data[at] != 0;) {
        const uint8_t *header = archive.data + at;
        uint64_t bytes = 0;
        for (size_t digit = 0; digit < SIZE_BYTES; digit++) {
            if (header[SIZE_AT + digit] < '0' || header[SIZE_AT + digit] > '7')
                return false;
            bytes = bytes * 8 + (uint64_t)(header[SIZE_AT + digit] - '0');
        }
        at += BLOCK;
        if (bytes > archive.bytes - at)
            return false;
        bool is_plain = header[TYPE_AT] == '0' && header[NAME_BYTES - 1] == 0;
        if (is_plain && strcmp((const char *)header, name) == 0) {
            *found = (struct part){archive.data + at, (size_t)bytes};
            return true;
        }
        at += (size_t)((bytes + BLOCK - 1) / BLOCK * BLOCK);
    }
    return false;
}

/* Store the member that an archive's manifest lists in a role. Return null, or what is wrong. */
static const char *listed_member(
    struct part archive, const char *manifest, const char *role, struct part *found)
{
    char name[101];
    const char *row = json_value(manifest, role);
    const char *at = row == NULL ? NULL : json_value(row, "name");
    if (!next_name(&at, name, sizeof name) || !find_member(archive, name, found))
        return "an archive without the members that its manifest lists";
    return has_listed_digest(*found, row) ? NULL : "a member that differs from its digest";
}

/* Store library and weights of an archive of export_library. Return null, or what is wrong. */
static const char *open_archive(struct part archive, struct part *library, struct part *weights)
{
    enum { MAX_MANIFEST_BYTES = 1 << 20 };
    struct part text;
    if (!find_member(archive, "manifest.json", &text) || text.bytes > MAX_MANIFEST_BYTES)
        return "no archive of export_library";
    char *manifest = calloc(text.bytes + 1, 1);
    if (manifest == NULL)
        return "an archive for which no memory is left";
    memcpy(manifest, text.data, text.bytes);
    const char *broken = NULL;
    if (json_value(manifest, "programs") != NULL)
        broken = "an archive of several programs";
    if (broken == NULL)
        broken = listed_member(archive, manifest, "library", library);
    if (broken == NULL)
        broken = listed_member(archive, manifest, "params", weights);
    free(manifest);
    return broken;
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Check the weights of a library against its manifest, and store their address in the library. */
static const char *use_weights(const struct image *image, const char *manifest, struct part file)
{
    const char *text = json_value(manifest, "weights_bytes");
    uint64_t bytes = text == NULL ? 0 : strtoull(text, NULL, 10);
    const void **slot = linked_symbol(image->symbols, "__tw_weights");
    if (bytes == 0)
        return NULL;
    if (slot == NULL || file.bytes < bytes)
        return "weights that do not belong to the library";
    const uint8_t *weights = file.data + (file.bytes - bytes);
    struct sha256 sha = NEW_DIGEST;
    digest_bytes(&sha, weights, (size_t)bytes);
    if (!has_digest(&sha, manifest, "weights_sha256"))
        return "weights that differ from their digest";
    *slot = weights;
    return (uintptr_t)weights % ALIGNMENT == 0 ? NULL : "weights that are not aligned";
}

/* Store the file of weights that a manifest names; an empty one if it names none. */
static int32_t find_weights(struct session *session, const char *manifest, struct blob **found)
{
    char name[MAX_FILE_NAME + 1];
    const char *at = json_value(manifest, "weights_file");
    *found = NULL;
    if (!next_name(&at, name, sizeof name) || name[0] == 0)
        return 0;
    struct file *file = find_file(session, name);
    if (file == NULL)
        return -1;
    *found = file->blob;
    return 0;
}

/* Map a library and its weights, and connect it to the runtime. In: parts of one blob, or of two. */
static int32_t connect_library(struct session *session, const char *name, struct part code,
    struct part *weights, struct library *made)
{
    const char *broken = check_image((const char *)code.data, code.bytes);
    if (broken == NULL)
        broken = map_image(code.data, &made->image);
    if (broken != NULL)
        return fail_file(name, broken);
    const char *manifest = linked_symbol(made->image.symbols, "__tw_manifest");
    if (manifest == NULL)
        return fail_file(name, "a library without a manifest");
    if ((broken = check_rest((const char *)code.data, code.bytes, manifest)) != NULL)
        return fail_file(name, broken);
    if (weights == NULL) {
        struct blob *held = NULL;
        if (find_weights(session, manifest, &held) != 0)
            return -1;
        if (held != NULL) {
            made->weights = held;
            held->references++;
        }
    }
    struct part own = weights != NULL         ? *weights
                      : made->weights != NULL ? (struct part){made->weights->data, made->weights->bytes}
                                              : (struct part){NULL, 0};
    const char *file = json_value(manifest, "weights_file");
    bool is_apart = file != NULL && file[1] != '"';
    if (is_apart && (broken = use_weights(&made->image, manifest, own)) != NULL)
        return fail_file(name, broken);
    lock(&modules_lock);
    char *path = strdup(name);
    int32_t status = path == NULL ? fail(MEMORY_ERROR, "no memory is left for a module")
                                  : keep_module(&(struct tw_module){.path = path,
                                                    .symbols = made->image.symbols},
                                        &made->module);
    unlock(&modules_lock);
    if (status != 0)
        free(path);
    return status;
}

static int32_t load_library(
    struct session *session, const char *name, struct file *file, struct library *made)
{
    struct part whole = {file->blob->data, file->blob->bytes}, code, weights;
    bool is_tar = whole.bytes > 262 && memcmp(whole.data + 257, "ustar", 5) == 0;
    if (!is_tar)
        return connect_library(session, name, whole, NULL, made);
    const char *broken = open_archive(whole, &code, &weights);
    if (broken != NULL)
        return fail_file(name, broken);
    made->weights = file->blob;
    file->blob->references++;
    return connect_library(session, name, code, &weights, made);
}

static int32_t load_module(struct session *session, struct reader *reader, struct writer *writer)
{
    char name[MAX_FILE_NAME + 1];
    take_text(reader, name, sizeof name);
    uint32_t threads = take_u32(reader);
    if (!is_whole(reader))
        return 1;
    struct file *file = find_file(session, name);
    struct object *object = file == NULL ? NULL : new_object(session, OBJECT_MODULE);
    struct library *made = object == NULL ? NULL : calloc(1, sizeof *made);
    if (made == NULL) {
        if (object != NULL)
            free_object(session, object);
        return -1;
    }
    made->references = 1;
    object->library = made;
    int64_t wanted = threads == 0 ? machine_threads : (int64_t)threads;
    wanted = wanted < 1 ? 1 : wanted < MAX_THREADS ? wanted : MAX_THREADS;
    if (load_library(session, name, file, made) != 0 ||
        tw_set_threads(made->module, (int32_t)wanted) != 0) {
        free_object(session, object);
        return -1;
    }
    put_u64(writer, object->handle);
    put_text(writer, tw_manifest(made->module));
    return 0;
}

static int32_t find_function(struct session *session, struct reader *reader, struct writer *writer)
{
    char name[MAX_FUNCTION_NAME + 1];
    struct tw_function found;
    uint64_t handle = take_u64(reader);
    take_text(reader, name, sizeof name);
    if (!is_whole(reader))
        return 1;
    struct library *library = NULL;
    if (handle != 0) {
        struct object *module = find_object(session, handle, OBJECT_MODULE);
        if (module == NULL || tw_module_find(module->library->module, name, &found) != 0)
            return -1;
        library = module->library;
    } else if (tw_find(name, &found) != 0) {
        return -1;
    }
    struct object *made = new_function(session, library);
    if (made == NULL)
        return -1;
    made->function = found;
    put_u64(writer, made->handle);
    return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The arguments of a call, with the tensors and sizes that they point at. */
struct call {
    struct tw_value values[MAX_ARGUMENTS];
    struct tw_tensor_object tensors[MAX_ARGUMENTS];
    char texts[MAX_ARGUMENTS][MAX_FUNCTION_NAME + 1];
    int64_t sizes[MAX_SIZES];
    int32_t count;
    size_t size_count;
};

/* Read sizes. Return them, or null if the message is malformed; `rank` is stored. */
static const int64_t *take_sizes(struct reader *reader, struct call *call, int32_t *rank)
{
    uint32_t count = take_u32(reader);
    *rank = 0;
    if (count > TW_MAX_RANK || count > MAX_SIZES - call->size_count) {
        reader->is_short = true;
        return NULL;
    }
    int64_t *sizes = call->sizes + call->size_count;
    for (uint32_t axis = 0; axis < count; axis++)
        sizes[axis] = (int64_t)take_u64(reader);
    call->size_count += count;
    *rank = (int32_t)count;
    return sizes;
}

/* Read a tensor: memory of the session that has room for all elements. */
static int32_t take_tensor(struct session *session, struct reader *reader, struct call *call)
{
    struct tw_tensor_object *made = &call->tensors[call->count];
    uint64_t handle = take_u64(reader);
    uint32_t dtype = take_u32(reader);
    int32_t rank;
    int64_t bytes;
    const int64_t *shape = take_sizes(reader, call, &rank);
    if (reader->is_short)
        return 1;
    if (check_shape("a tensor of a message", dtype, rank, shape, &bytes) != 0)
        return -1;
    void *data = memory_at(session, handle, 0, (uint64_t)bytes);
    if (data == NULL)
        return -1;
    /* A callee that keeps the tensor counts references, of which one always remains. */
    made->header = (struct tw_object){ONE_WEAK + ((uint32_t)1 << 30), TW_TENSOR, 0, {0}};
    made->tensor = (struct tw_tensor){data, TW_CPU, 0, rank, dtype, shape, NULL, 0};
    call->values[call->count] = tw_of_tensor(made);
    return 0;
}

/* Read a value. Return 0, 1 if the message is malformed, or -1 after an error. */
static int32_t take_value(struct session *session, struct reader *reader, struct call *call)
{
    enum { VALUE_BOOL = 2, VALUE_RAW_TEXT = 8, VALUE_TEXT = 65 };
    struct tw_value *value = &call->values[call->count];
    uint32_t kind = take_u32(reader);
    *value = (struct tw_value){(int32_t)kind, 0, {0}};
    if (kind == TW_TENSOR)
        return take_tensor(session, reader, call);
    if (kind == TW_INT || kind == TW_FLOAT || kind == VALUE_BOOL) {
        value->payload.integer = (int64_t)take_u64(reader);
    } else if (kind == VALUE_TEXT) {
        take_text(reader, call->texts[call->count], sizeof *call->texts);
        value->type_index = VALUE_RAW_TEXT;
        value->payload.pointer = call->texts[call->count];
    } else if (kind == TW_FUNCTION) {
        struct object *found = find_object(session, take_u64(reader), OBJECT_FUNCTION);
        if (found == NULL)
            return -1;
        if (found->made == NULL)
            return fail(TYPE_ERROR, "only a function that a call returned can be an argument");
        value->payload.pointer = found->made;
    } else if (kind != TW_NONE) {
        return 1;
    }
    return reader->is_short;
}

/* Read all values of a list, the last field, to the call of the session. Then store the object of a
 * handle and a kind. */
static int32_t take_call(struct session *session, struct reader *reader, uint64_t handle, int32_t kind,
    struct object **found)
{
    uint32_t count = take_u32(reader);
    struct call *call = session->call;
    call->count = 0;
    call->size_count = 0;
    if (count > MAX_ARGUMENTS)
        return 1;
    for (; (uint32_t)call->count < count; call->count++) {
        int32_t status = take_value(session, reader, call);
        if (status != 0)
            return status;
    }
    if (!is_whole(reader))
        return 1;
    *found = find_object(session, handle, kind);
    return *found == NULL ? -1 : 0;
}

/* Write the result of a call: one value. */
static int32_t put_result(struct session *session, struct writer *writer,
    const struct tw_value *result, struct library *library)
{
    enum { VALUE_BOOL = 2 };
    int32_t kind = result->type_index;
    if (kind != TW_NONE && kind != TW_INT && kind != TW_FLOAT && kind != VALUE_BOOL &&
        kind != TW_FUNCTION)
        return fail(TYPE_ERROR, "a result has no form in a message\n  got: type %d", (int64_t)kind);
    struct object *made = NULL;
    if (kind == TW_FUNCTION) {
        struct tw_function_object *function = result->payload.pointer;
        made = new_function(session, library);
        if (made == NULL) {
            tw_release(function);
            return -1;
        }
        made->made = function;
        made->function = (struct tw_function){"a function that a call returned", function->call,
            function};
    }
    put_u32(writer, 1);
    put_u32(writer, (uint32_t)kind);
    if (made != NULL)
        put_u64(writer, made->handle);
    else if (kind != TW_NONE)
        put_u64(writer, (uint64_t)result->payload.integer);
    return 0;
}

static int32_t call_function(struct session *session, struct reader *reader, struct writer *writer)
{
    struct tw_value result;
    struct object *found;
    const struct call *call = session->call;
    int32_t status = take_call(session, reader, take_u64(reader), OBJECT_FUNCTION, &found);
    if (status != 0)
        return status;
    if (tw_call(&found->function, call->values, call->count, &result) != 0)
        return -1;
    return put_result(session, writer, &result, found->library);
}

/* Call a function `number` times; store the nanoseconds. */
static int32_t time_calls(
    const struct tw_function *function, const struct call *call, uint64_t number, int64_t *elapsed)
{
    struct tw_value result = {TW_NONE, 0, {0}};
    int64_t start = clock_ns();
    for (uint64_t at = 0; at < number; at++)
        if (function->call(function->self, call->values, call->count, &result) != 0)
            return -1;
    *elapsed = clock_ns() - start;
    return 0;
}

static void pause_for(uint64_t nanoseconds)
{
    struct timespec left = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    while (nanoseconds > 0 && nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* The numbers of a measurement; see Host.time in runtime/rpc/host.py. */
struct measurement {
    uint64_t number;
    uint32_t repeat;
    uint64_t least_ns, cooldown_ns;
    int64_t elapsed[MAX_REPEAT];
};

static int32_t measure(
    struct measurement *measured, const struct tw_function *function, const struct call *call)
{
    struct tw_value result;
    if (tw_call(function, call->values, call->count, &result) != 0)
        return -1;
    if (result.type_index >= 64) {
        tw_release(result.payload.pointer);
        return fail(TYPE_ERROR, "a function that returns an object cannot be timed");
    }
    for (uint32_t row = 0; row < measured->repeat;) {
        pause_for(measured->cooldown_ns);
        if (time_calls(function, call, measured->number, &measured->elapsed[row]) != 0)
            return -1;
        uint64_t took = (uint64_t)measured->elapsed[row];
        if (took >= measured->least_ns || measured->number >= MAX_CALLS) {
            row++;
            continue;
        }
        double enough = (double)measured->number * (double)measured->least_ns / (double)(took + 1);
        double grown = 1.6 * (double)measured->number;
        double next = (enough > grown ? enough : grown) + 1;
        measured->number = next < (double)MAX_CALLS ? (uint64_t)next : MAX_CALLS;
    }
    return 0;
}

static int32_t time_function(struct session *session, struct reader *reader, struct writer *writer)
{
    struct measurement measured;
    struct object *found;
    uint64_t handle = take_u64(reader);
    measured.number = take_u64(reader);
    measured.repeat = take_u32(reader);
    measured.least_ns = take_u64(reader);
    measured.cooldown_ns = take_u64(reader);
    int32_t status = take_call(session, reader, handle, OBJECT_FUNCTION, &found);
    if (status != 0)
        return status;
    if (measured.number < 1 || measured.number > MAX_CALLS || measured.repeat < 1 ||
        measured.repeat > MAX_REPEAT)
        return fail(VALUE_ERROR, "a measurement has a wrong number of calls\n  expected: number of "
            "at most 2^40, repeat of at most %d\n  got: number %d, repeat %d", (int64_t)MAX_REPEAT,
            (int64_t)measured.number, (int64_t)measured.repeat);
    if (measure(&measured, &found->function, session->call) != 0)
        return -1;
    put_u64(writer, measured.number);
    put_u32(writer, measured.repeat);
    for (uint32_t row = 0; row < measured.repeat; row++)
        put_u64(writer, (uint64_t)measured.elapsed[row]);
    return 0;
}

/* Count the instructions of a call, after another call, which may make memory. */
static int32_t count_call(struct session *session, struct reader *reader, struct writer *writer)
{
    struct object *found;
    const struct call *call = session->call;
    uint64_t start, end;
    int64_t elapsed;
    int32_t status = take_call(session, reader, take_u64(reader), OBJECT_FUNCTION, &found);
    if (status != 0)
        return status;
    if (!has_counter)
        return fail(RUNTIME_ERROR, "this server cannot count instructions\n  hint: start it by "
            "tw rpc-server --emulate, with a C compiler");
    struct measurement once = {.number = 1, .repeat = 1};
    if (measure(&once, &found->function, call) != 0 || !read_counter(&start) ||
        time_calls(&found->function, call, 1, &elapsed) != 0 || !read_counter(&end))
        return -1;
    put_u64(writer, end - start);
    return 0;
}

/* Return a symbol of a module that is exported with a profile, or null after an error. */
static void *recorded_symbol(const struct library *library, const char *name)
{
    void *found = library == NULL ? NULL : linked_symbol(library->image.symbols, name);
    if (found == NULL)
        fail(VALUE_ERROR, "the module does not record times\n  hint: export it with profile=True");
    return found;
}

static int32_t describe_steps(
    struct session *session, struct reader *reader, struct writer *writer)
{
    uint64_t handle = take_u64(reader);
    if (!is_whole(reader))
        return 1;
    struct object *module = find_object(session, handle, OBJECT_MODULE);
    const char *steps =
        module == NULL ? NULL : recorded_symbol(module->library, "__tw_steps");
    if (steps == NULL)
        return -1;
    put_text(writer, steps);
    return 0;
}

/* Call a function; its module writes the times of its steps and tasks to memory of the session. */
static int32_t record_call(struct session *session, struct reader *reader, struct writer *writer)
{
    struct object *found;
    const struct call *call = session->call;
    struct tw_value result;
    uint64_t handle = take_u64(reader), steps = take_u64(reader), tasks = take_u64(reader);
    int32_t status = take_call(session, reader, handle, OBJECT_FUNCTION, &found);
    if (status != 0)
        return status;
    struct tw_trace *trace = recorded_symbol(found->library, "__tw_trace");
    struct object *first = trace == NULL ? NULL : find_object(session, steps, OBJECT_MEMORY);
    struct object *second = first == NULL ? NULL : find_object(session, tasks, OBJECT_MEMORY);
    if (second == NULL)
        return -1;
    *trace = (struct tw_trace){tw_data(first->tensor), tw_data(second->tensor),
        (int64_t)(first->bytes / sizeof *trace->steps),
        (int64_t)(second->bytes / sizeof *trace->tasks), 0, 0};
    status = tw_call(&found->function, call->values, call->count, &result);
    put_u64(writer, (uint64_t)trace->steps_made);
    put_u64(writer, (uint64_t)trace->tasks_made);
    *trace = (struct tw_trace){NULL, NULL, 0, 0, 0, 0};
    if (status == 0 && result.type_index >= 64)
        tw_release(result.payload.pointer);
    return status;
}

/* Keep the outputs of a run as memory, and write them as values; after an error none is kept. */
static int32_t put_outputs(struct session *session, struct writer *writer,
    struct tw_tensor_object *const *outputs, int32_t count)
{
    int32_t status = 0;
    put_u32(writer, (uint32_t)count);
    for (int32_t at = 0; at < count; at++) {
        const struct tw_tensor *tensor = &outputs[at]->tensor;
        int64_t bytes = 0;
        uint64_t handle = 0;
        if (status == 0)
            status = check_shape("an output", tensor->dtype, tensor->rank, tensor->shape, &bytes);
        if (status != 0) {
            tw_release(outputs[at]);
            continue;
        }
        put_u32(writer, TW_TENSOR);
        size_t place = writer->bytes;
        put_u64(writer, 0);
        put_u32(writer, tensor->dtype);
        put_u32(writer, (uint32_t)tensor->rank);
        for (int32_t axis = 0; axis < tensor->rank; axis++)
            put_u64(writer, (uint64_t)tensor->shape[axis]);
        status = keep_memory(session, outputs[at], (uint64_t)bytes, &handle);
        if (!writer->has_failed)
            store_number(writer->data + place, handle, 8);
    }
    return status;
}

/* Run a module on the tensors of a call, and keep its outputs. */
static int32_t run_library(
    struct session *session, const struct library *library, struct writer *writer)
{
    struct call *call = session->call;
    struct tw_tensor_object *inputs[MAX_ARGUMENTS], *outputs[MAX_ARGUMENTS];
    int32_t input_count, output_count;
    for (int32_t at = 0; at < call->count; at++) {
        if (call->values[at].type_index != TW_TENSOR)
            return fail(TYPE_ERROR, "an input of a run is no tensor\n  got: input %d", (int64_t)at);
        inputs[at] = &call->tensors[at];
    }
    if (tw_module_counts(library->module, &input_count, &output_count) != 0)
        return -1;
    if (output_count > MAX_ARGUMENTS)
        return fail(VALUE_ERROR, "the module has too many outputs\n  expected: at most %d",
            (int64_t)MAX_ARGUMENTS);
    if (tw_module_run(library->module, inputs, call->count, outputs, output_count) != 0)
        return -1;
    return put_outputs(session, writer, outputs, output_count);
}

static int32_t run_module(struct session *session, struct reader *reader, struct writer *writer)
{
    struct object *found;
    int32_t status = take_call(session, reader, take_u64(reader), OBJECT_MODULE, &found);
    return status != 0 ? status : run_library(session, found->library, writer);
}

/* Read the shapes of all inputs as tensors without memory. */
static int32_t take_shapes(struct reader *reader, const struct tw_module *module, struct call *call)
{
    uint32_t count = take_u32(reader);
    int32_t inputs, outputs;
    if (count >= MAX_ARGUMENTS)
        return 1;
    if (tw_module_counts(module, &inputs, &outputs) != 0)
        return -1;
    if (count != (uint32_t)inputs)
        return fail(TYPE_ERROR, "%s: wrong number of shapes\n  expected: %d\n  got: %d",
            module->path, (int64_t)inputs, (int64_t)count);
    for (; (uint32_t)call->count < count; call->count++) {
        struct tw_tensor *tensor = &call->tensors[call->count].tensor;
        struct tw_argument argument;
        int32_t rank;
        int64_t bytes;
        const int64_t *shape = take_sizes(reader, call, &rank);
        if (shape == NULL || reader->is_short)
            return 1;
        if (tw_module_argument(module, call->count, &argument) != 0 ||
            check_shape("a shape of a message", argument.dtype, rank, shape, &bytes) != 0)
            return -1;
        *tensor = (struct tw_tensor){NULL, TW_CPU, 0, rank, argument.dtype, shape, NULL, 0};
        call->values[call->count] = (struct tw_value){TW_TENSOR_PTR, 0, {.pointer = tensor}};
    }
    return is_whole(reader) ? 0 : 1;
}

/* Compute the sizes of all outputs for shapes of inputs. */
static int32_t output_sizes(struct tw_module *module, struct call *call, struct writer *writer)
{
    struct arguments known;
    struct tw_function function;
    struct tw_value result;
    int64_t made[MAX_SIZES], count = 0;
    if (arguments_of(module, &known) != 0)
        return -1;
    for (int32_t at = 0; at < known.outputs; at++)
        count += known.specs[known.inputs + at].rank;
    count += known.has_sizes;
    if (count < 0 || count > MAX_SIZES)
        return fail(VALUE_ERROR, "the sizes of the outputs depend on the elements of the inputs");
    struct tw_tensor sizes = {made, TW_CPU, 0, 1, TW_INT64, &count, NULL, 0};
    call->values[call->count] = (struct tw_value){TW_TENSOR_PTR, 0, {.pointer = &sizes}};
    if (tw_module_find(module, "main_output_shapes", &function) != 0 ||
        tw_call(&function, call->values, call->count + 1, &result) != 0)
        return -1;
    put_u32(writer, (uint32_t)count);
    for (int64_t at = 0; at < count; at++)
        put_u64(writer, (uint64_t)made[at]);
    return 0;
}

static int32_t find_shapes(struct session *session, struct reader *reader, struct writer *writer)
{
    uint64_t handle = take_u64(reader);
    struct object *found = find_object(session, handle, OBJECT_MODULE);
    struct call *call = session->call;
    if (found == NULL)
        return -1;
    call->count = 0;
    call->size_count = 0;
    int32_t status = take_shapes(reader, found->library->module, call);
    if (status == 0)
        status = output_sizes(found->library->module, call, writer);
    return status;
}

/* ---- the handshake --------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define MACHINE_NAME "x86_64"
#elif defined(__aarch64__)
#define MACHINE_NAME "aarch64"
#elif defined(__riscv)
#define MACHINE_NAME "riscv64"
#else
#define MACHINE_NAME "unknown"
#endif

/* HMAC-SHA256. Source: RFC 2104. */
static void sign(const char *key, const uint8_t *text, size_t bytes, uint8_t made[32])
{
    enum { BLOCK = 64 };
    uint8_t padded[BLOCK] = {0}, mixed[BLOCK];
    struct sha256 sha = NEW_DIGEST;
    if (strlen(key) > BLOCK) {
        digest_bytes(&sha, key, strlen(key));
        finish_digest(&sha, padded);
    } else {
        memcpy(padded, key, strlen(key));
    }
    for (int round = 0; round < 2; round++) {
        for (size_t at = 0; at < BLOCK; at++)
            mixed[at] = padded[at] ^ (round == 0 ? 0x36 : 0x5c);
        sha = NEW_DIGEST;
        digest_bytes(&sha, mixed, sizeof mixed);
        if (round == 0)
            digest_bytes(&sha, text, bytes);
        else
            digest_bytes(&sha, made, 32);
        finish_digest(&sha, made);
    }
}

/* The proof of one end that it knows the token; see runtime/rpc/proof.py. */
static void prove(const char *token, uint8_t nonces[2][NONCE_BYTES], const char *role,
    const uint8_t *fields, size_t bytes, uint8_t made[32])
{
    struct writer text = {NULL, 0, 0, false};
    put_bytes(&text, "tilewright rpc 1 ", 17);
    put_bytes(&text, role, strlen(role));
    put_bytes(&text, nonces, (size_t)2 * NONCE_BYTES);
    put_bytes(&text, fields, bytes);
    sign(token, text.data, text.bytes, made);
    free(text.data);
}

static bool is_equal(const uint8_t *lhs, const uint8_t *rhs, size_t bytes)
{
    uint8_t differs = 0;
    for (size_t at = 0; at < bytes; at++)
        differs |= (uint8_t)(lhs[at] ^ rhs[at]);
    return differs == 0;
}

static int32_t hello(struct session *session, struct reader *reader, struct writer *writer)
{
    take_u32(reader);
    uint64_t bytes = take_u64(reader);
    const uint8_t *nonce = take_bytes(reader, (size_t)bytes);
    if (!is_whole(reader) || bytes != NONCE_BYTES || session->has_nonces)
        return 1;
    memcpy(session->nonces[1], nonce, NONCE_BYTES);
    session->has_nonces = true;
    put_u32(writer, PROTOCOL_VERSION);
    put_u64(writer, NONCE_BYTES);
    put_bytes(writer, session->nonces[0], NONCE_BYTES);
    return 0;
}

/* Write the server's description of itself, as JSON. */
static void put_facts(struct writer *writer, const struct host *host)
{
    const struct limits *limits = &host->limits;
    const char *lacks = host->lacks;
    char text[1024];
    size_t length = append(text, sizeof text, 0, "{\"server\": \"c\", \"machine\": \"" MACHINE_NAME
        "\", \"threads\": ");
    length = append_number(text, sizeof text, length, machine_threads);
    length = append(text, sizeof text, length, ", \"memory_bytes\": ");
    length = append_number(text, sizeof text, length, (int64_t)limits->memory_bytes);
    length = append(text, sizeof text, length, ", \"file_bytes\": ");
    length = append_number(text, sizeof text, length, (int64_t)limits->file_bytes);
    length = append(text, sizeof text, length, ", \"missing\": [");
    if (lacks[0] != 0) {
        length = append(text, sizeof text, length, "\"");
        length = append(text, sizeof text, length, lacks);
        length = append(text, sizeof text, length, "\"");
    }
    length = append(text, sizeof text, length, "], \"counters\": [");
    length = append(text, sizeof text, length, has_counter ? "\"instructions\"" : "");
    length = append(text, sizeof text, length, "], \"local\": \"");
    length = append(text, sizeof text, length, host->local);
    append(text, sizeof text, length, "\"}");
    put_text(writer, text);
}

/* Let the process end after the time that the client asks for. */
static void set_timeout(const struct session *session, uint64_t wanted_ms)
{
    int64_t most = session->host->limits.timeout_ms;
    int64_t ms = wanted_ms > 0 && wanted_ms < (uint64_t)most ? (int64_t)wanted_ms : most;
    struct itimerval timer = {{0, 0}, {(time_t)(ms / 1000), (suseconds_t)(ms % 1000 * 1000)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static int32_t authenticate(struct session *session, struct reader *reader, struct writer *writer)
{
    uint8_t expected[32], fields[8 + MAX_FUNCTION_NAME + 1];
    char key[MAX_FUNCTION_NAME + 1];
    take_text(reader, key, sizeof key);
    uint64_t timeout_ms = take_u64(reader), bytes = take_u64(reader);
    const uint8_t *proof = take_bytes(reader, (size_t)bytes);
    if (!is_whole(reader) || bytes != sizeof expected || !session->has_nonces)
        return 1;
    store_number(fields, timeout_ms, 8);
    memcpy(fields + 8, key, strlen(key));
    prove(session->host->token, session->nonces, "client", fields, 8 + strlen(key), expected);
    if (!is_equal(expected, proof, sizeof expected))
        return fail(RUNTIME_ERROR, "the client does not know the token of this server");
    session->is_known = true;
    set_timeout(session, timeout_ms);
    put_facts(writer, session->host);
    prove(session->host->token, session->nonces, "server", NULL, 0, expected);
    put_u64(writer, sizeof expected);
    put_bytes(writer, expected, sizeof expected);
    return 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

static int32_t describe_devices(struct reader *reader, struct writer *writer)
{
    char text[256];
    uint32_t kind = take_u32(reader);
    if (!is_whole(reader))
        return 1;
    put_u32(writer, kind == TW_CPU);
    size_t length = append(text, sizeof text, 0, "[");
    if (kind == TW_CPU) {
        length = append(text, sizeof text, length, "{\"name\": \"" MACHINE_NAME "\", \"threads\": ");
        length = append_number(text, sizeof text, length, machine_threads);
        length = append(text, sizeof text, length, ", \"memory_bytes\": ");
        length = append_number(text, sizeof text, length, machine_bytes);
        length = append(text, sizeof text, length, "}");
    }
    append(text, sizeof text, length, "]");
    put_text(writer, text);
    return 0;
}

/* Free the object of a handle, the only field. */
static int32_t free_handle(struct session *session, struct reader *reader, int32_t kind)
{
    uint64_t handle = take_u64(reader);
    if (!is_whole(reader))
        return 1;
    struct object *found = find_object(session, handle, kind);
    if (found == NULL)
        return -1;
    free_object(session, found);
    return 0;
}

static int32_t about_file(
    struct session *session, struct reader *reader, struct writer *writer, uint16_t kind)
{
    char name[MAX_FILE_NAME + 1];
    take_text(reader, name, sizeof name);
    if (!is_whole(reader))
        return 1;
    struct file *file = find_file(session, name);
    if (file == NULL)
        return -1;
    if (kind == MSG_FILE_SIZE)
        put_u64(writer, file->blob->bytes);
    else
        remove_file(session, file);
    return 0;
}

/* Find the data that READ or DOWNLOAD asks for. */
static int32_t find_data(
    struct session *session, struct reader *reader, uint16_t kind, struct part *found)
{
    char name[MAX_FILE_NAME + 1];
    uint64_t handle = 0;
    if (kind == MSG_READ)
        handle = take_u64(reader);
    else
        take_text(reader, name, sizeof name);
    uint64_t offset = take_u64(reader), bytes = take_u64(reader);
    if (!is_whole(reader) || bytes > MAX_CHUNK_BYTES)
        return 1;
    if (kind == MSG_READ) {
        *found = (struct part){memory_at(session, handle, offset, bytes), (size_t)bytes};
        return found->data == NULL ? -1 : 0;
    }
    const struct file *file = find_file(session, name);
    if (file == NULL)
        return -1;
    if (offset > file->blob->bytes || bytes > file->blob->bytes - offset)
        return fail(VALUE_ERROR, "a file has fewer bytes\n  expected: at most %d",
            (int64_t)file->blob->bytes);
    *found = (struct part){file->blob->data + offset, (size_t)bytes};
    return 0;
}

static int32_t synchronize(struct reader *reader)
{
    take_u64(reader); /* kind and index: calls on processors are done when they return */
    return is_whole(reader) ? 0 : 1;
}

/* Answer a message: 0, 1 if it is malformed, or -1 after an error. `data` follows the fields. */
static int32_t answer(
    struct session *session, struct reader *reader, struct writer *writer, struct part *data)
{
    switch (session->stream.kind) {
    case MSG_HELLO: return hello(session, reader, writer);
    case MSG_AUTHENTICATE: return authenticate(session, reader, writer);
    case MSG_PING: return is_whole(reader) ? 0 : 1;
    case MSG_ALLOCATE: return allocate(session, reader, writer);
    case MSG_FREE: return free_handle(session, reader, OBJECT_MEMORY);
    case MSG_READ:
    case MSG_DOWNLOAD: {
        int32_t status = find_data(session, reader, session->stream.kind, data);
        if (status == 0)
            put_u64(writer, data->bytes);
        return status;
    }
    case MSG_COPY: return copy_memory(session, reader);
    case MSG_UPLOAD: return upload(session, reader);
    case MSG_FILE_SIZE:
    case MSG_REMOVE: return about_file(session, reader, writer, session->stream.kind);
    case MSG_LOAD: return load_module(session, reader, writer);
    case MSG_UNLOAD: return free_handle(session, reader, OBJECT_MODULE);
    case MSG_FIND: return find_function(session, reader, writer);
    case MSG_DROP: return free_handle(session, reader, OBJECT_FUNCTION);
    case MSG_CALL: return call_function(session, reader, writer);
    case MSG_RUN: return run_module(session, reader, writer);
    case MSG_SHAPES: return find_shapes(session, reader, writer);
    case MSG_TIME: return time_function(session, reader, writer);
    case MSG_DEVICES: return describe_devices(reader, writer);
    case MSG_SYNCHRONIZE: return synchronize(reader);
    case MSG_STEPS: return describe_steps(session, reader, writer);
    case MSG_RECORD: return record_call(session, reader, writer);
    case MSG_COUNT: return count_call(session, reader, writer);
    default: return 1;
    }
}

/* Skip the rest of a message, and reply with an error. Return -1 if the stream ends. */
static int32_t refuse_message(struct stream *stream, const char *kind, const char *words)
{
    return skip_payload(stream) != 0 ? -1 : send_words(stream, STATUS_ERROR, kind, words);
}

/* Receive the data of WRITE into its memory, without a copy. Return -1 if the stream ends. */
static int32_t receive_memory(struct session *session)
{
    enum { FIELD_BYTES = 24 };
    uint8_t fields[FIELD_BYTES];
    struct stream *stream = &session->stream;
    struct writer none = {NULL, 0, 0, false};
    if (stream->left < FIELD_BYTES)
        return refuse_message(stream, VALUE_ERROR, "a message is malformed");
    if (read_payload(stream, fields, sizeof fields) != 0)
        return -1;
    uint64_t bytes = load_number(fields + 16, 8);
    if (bytes != stream->left)
        return refuse_message(stream, VALUE_ERROR, "a message is malformed");
    uint8_t *memory =
        memory_at(session, load_number(fields, 8), load_number(fields + 8, 8), bytes);
    if (memory == NULL)
        return refuse_message(stream, tw_error_kind(), tw_error_message());
    if (read_payload(stream, memory, (size_t)bytes) != 0)
        return -1;
    return send_frame(stream, STATUS_REPLY, &none, NULL, 0);
}

/* Receive a message, and reply. Return -1 if the stream ends. */
static int32_t receive_message(struct session *session)
{
    struct stream *stream = &session->stream;
    size_t bytes = (size_t)stream->left;
    if (read_payload(stream, session->payload, bytes) != 0)
        return -1;
    struct reader reader = {session->payload, bytes, false};
    struct writer writer = {NULL, 0, 0, false};
    struct part data = {NULL, 0};
    tw_clear_error();
    int32_t status = answer(session, &reader, &writer, &data), sent;
    if (status == 0 && writer.has_failed)
        status = fail(MEMORY_ERROR, "no memory is left for a reply");
    if (status == 0)
        sent = send_frame(stream, STATUS_REPLY, &writer, data.data, data.bytes);
    else if (status > 0)
        sent = send_words(stream, STATUS_ERROR, VALUE_ERROR, "a message is malformed");
    else
        sent = send_words(stream, STATUS_ERROR,
            tw_error_kind()[0] != 0 ? tw_error_kind() : RUNTIME_ERROR, tw_error_message());
    free(writer.data);
    return sent;
}

/* Answer a message of the handshake; any other ends the session. Return 0 if the session goes on. */
static int32_t shake_hands(struct session *session)
{
    struct stream *stream = &session->stream;
    struct writer writer = {NULL, 0, 0, false};
    const char *broken = NULL;
    if ((stream->kind != MSG_HELLO && stream->kind != MSG_AUTHENTICATE) ||
        stream->left > MAX_HANDSHAKE_BYTES)
        broken = "this message is not allowed before the handshake";
    else {
        struct reader reader = {session->payload, (size_t)stream->left, false};
        struct part none = {NULL, 0};
        if (read_payload(stream, session->payload, (size_t)stream->left) != 0)
            return -1;
        int32_t status = answer(session, &reader, &writer, &none);
        if (status > 0)
            broken = "the handshake is malformed";
        else if (status < 0)
            broken = tw_error_message();
    }
    int32_t sent = broken != NULL ? send_words(stream, STATUS_ENDED, RUNTIME_ERROR, broken)
                                  : send_frame(stream, STATUS_REPLY, &writer, NULL, 0);
    free(writer.data);
    return broken != NULL ? -1 : sent;
}

static void free_session(struct session *session)
{
    for (size_t at = 0; at < MAX_OBJECTS; at++)
        if (session->objects[at].kind != OBJECT_NONE)
            free_object(session, &session->objects[at]);
    for (size_t at = 0; at < MAX_FILES; at++)
        if (session->files[at].blob != NULL)
            remove_file(session, &session->files[at]);
    free(session->payload);
    free(session->call);
    free(session);
}

/* Serve one client until it ends the session. Before: the process is in the sandbox. */
static void serve_session(int in, int out, const struct host *host)
{
    struct session *session = calloc(1, sizeof *session);
    uint8_t *payload = malloc(MAX_PAYLOAD_BYTES);
    struct call *call = calloc(1, sizeof *call);
    if (session == NULL || payload == NULL || call == NULL) {
        free(session);
        free(payload);
        free(call);
        return;
    }
    session->stream.in = in;
    session->stream.out = out;
    session->stream.ahead = session->ahead;
    session->stream.may_poll = host->may_poll;
    session->host = host;
    session->payload = payload;
    session->call = call;
    int32_t status = 0;
    if (getrandom(session->nonces[0], NONCE_BYTES, 0) != NONCE_BYTES)
        status = -1;
    while (status == 0) {
        status = read_header(&session->stream);
        if (status < 0)
            send_words(&session->stream, STATUS_ENDED, RUNTIME_ERROR,
                "the client speaks another protocol");
        if (status != 0)
            break;
        bool is_handshake = session->stream.kind <= MSG_AUTHENTICATE;
        if (session->is_known && is_handshake) {
            send_words(&session->stream, STATUS_ENDED, RUNTIME_ERROR,
                "the handshake is done already");
            break;
        }
        status = !session->is_known                    ? shake_hands(session)
                 : session->stream.kind == MSG_WRITE ? receive_memory(session)
                                                     : receive_message(session);
    }
    free_session(session);
}
