/* The loader of exported libraries: it maps a library that is in memory, without files.
 *
 * In: the bytes of an ELF64 shared object whose digest has been compared. Out: its code in memory,
 * and the list of its symbols. The server is a static program, which has no dynamic loader; and
 * code that is mapped from the bytes that were compared cannot change in between. A library gets
 * only the functions in FUNCTIONS; those that open files fail.
 */

#if defined(__x86_64__)
enum { RELATIVE = 8, GLOBAL = 6, JUMP_SLOT = 7, ABSOLUTE = 1 };
#elif defined(__aarch64__)
enum { RELATIVE = 1027, GLOBAL = 1025, JUMP_SLOT = 1026, ABSOLUTE = 257 };
#elif defined(__riscv)
enum { RELATIVE = 3, GLOBAL = 2, JUMP_SLOT = 5, ABSOLUTE = 2 };
#else
enum { RELATIVE = -1, GLOBAL = -1, JUMP_SLOT = -1, ABSOLUTE = -1 };
#endif

enum { SEGMENT_DYNAMIC = 2, EXECUTABLE = 1, WEAK_SYMBOL = 2 };
enum { TABLE_HASH = 4, TABLE_STRINGS = 5, TABLE_SYMBOLS = 6, TABLE_RELOCATIONS = 7,
    RELOCATION_BYTES = 8, STRING_BYTES = 10, TABLES = 11 };

static const uint64_t MAX_IMAGE_BYTES = (uint64_t)1 << 32;

/* A mapped library: the memory of all segments, and its exported symbols. */
struct image {
    uint8_t *base;
    size_t bytes;
    struct tw_linked *symbols;
};

struct elf_symbol {
    uint32_t name;
    uint8_t info, other;
    uint16_t section;
    uint64_t value, size;
};

struct elf_relocation {
    uint64_t offset, info;
    int64_t addend;
};

static void *refuse_file(void) { return NULL; }

static int refuse_descriptor(void)
{
    errno = EPERM;
    return -1;
}

#define FUNCTION(name) {#name, (void (*)(void))name}
#define REFUSED(name, function) {name, (void (*)(void))function}

/* The functions that a library may call. */
static const struct {
    const char *name;
    void (*code)(void);
} FUNCTIONS[] = {
    FUNCTION(aligned_alloc), FUNCTION(calloc), FUNCTION(free), FUNCTION(malloc), FUNCTION(realloc),
    FUNCTION(memchr), FUNCTION(memcmp), FUNCTION(memcpy), FUNCTION(memmove), FUNCTION(memset),
    FUNCTION(strcmp), FUNCTION(strncmp), FUNCTION(strcpy), FUNCTION(strcspn), FUNCTION(strspn),
    FUNCTION(strlen), FUNCTION(strtoull), FUNCTION(snprintf), FUNCTION(pthread_create),
    FUNCTION(pthread_detach), FUNCTION(sched_getaffinity), FUNCTION(syscall),
    FUNCTION(clock_gettime),
    REFUSED("fopen", refuse_file), REFUSED("fgets", refuse_file),
    REFUSED("fclose", refuse_descriptor), REFUSED("open", refuse_descriptor),
    REFUSED("close", refuse_descriptor), REFUSED("read", refuse_descriptor),
    REFUSED("lseek", refuse_descriptor), FUNCTION(mmap), FUNCTION(munmap),
};

static void unmap_image(struct image *image)
{
    if (image->base != NULL)
        munmap(image->base, image->bytes);
    free(image->symbols);
    *image = (struct image){NULL, 0, NULL};
}

/* Return an address of the image, or null if the bytes are not inside of it. */
static void *image_at(const struct image *image, uint64_t address, uint64_t bytes)
{
    bool is_inside = address <= image->bytes && bytes <= image->bytes - address;
    return is_inside ? image->base + address : NULL;
}

static struct elf_segment segment_of(const uint8_t *file, size_t number)
{
    struct elf_header header;
    struct elf_segment segment;
    memcpy(&header, file, sizeof header);
    memcpy(&segment, file + header.segments_at + number * sizeof segment, sizeof segment);
    return segment;
}

static size_t segment_count(const uint8_t *file)
{
    struct elf_header header;
    memcpy(&header, file, sizeof header);
    return header.segments;
}

/* Reserve memory for all segments, and copy their bytes. Before: the segments are in the file. */
static const char *copy_segments(const uint8_t *file, struct image *image)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = 0;
    for (size_t number = 0; number < segment_count(file); number++) {
        struct elf_segment segment = segment_of(file, number);
        if (segment.kind != SEGMENT_LOAD)
            continue;
        if (segment.address % page != 0 || segment.address < end ||
            segment.memory_bytes < segment.file_bytes || segment.address > MAX_IMAGE_BYTES ||
            segment.memory_bytes > MAX_IMAGE_BYTES)
            return "segments that overlap or are too large";
        end = (segment.address + segment.memory_bytes + page - 1) / page * page;
    }
    void *memory = mmap(NULL, (size_t)end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
        -1, 0);
    if (end == 0 || memory == MAP_FAILED)
        return "a library for which no memory is left";
    image->base = memory;
    image->bytes = (size_t)end;
    for (size_t number = 0; number < segment_count(file); number++) {
        struct elf_segment segment = segment_of(file, number);
        if (segment.kind == SEGMENT_LOAD)
            memcpy(image->base + segment.address, file + segment.offset,
                (size_t)segment.file_bytes);
    }
    return NULL;
}

/* Give each segment its own rights: none is writable and executable. */
static const char *protect_segments(const uint8_t *file, const struct image *image)
{
    for (size_t number = 0; number < segment_count(file); number++) {
        struct elf_segment segment = segment_of(file, number);
        bool is_code = segment.flags & EXECUTABLE, is_data = segment.flags & WRITABLE;
        if (segment.kind != SEGMENT_LOAD)
            continue;
        if (is_code && is_data)
            return "a segment that is writable and executable";
        uint8_t *start = image->base + segment.address;
        int rights = PROT_READ | (is_code ? PROT_EXEC : 0) | (is_data ? PROT_WRITE : 0);
        if (is_code)
            __builtin___clear_cache((char *)start, (char *)start + segment.memory_bytes);
        if (mprotect(start, (size_t)segment.memory_bytes, rights) != 0)
            return "code that the system does not let run";
    }
    return NULL;
}

/* The tables of a library: addresses and sizes by their tags; symbols and names that were checked. */
struct tables {
    uint64_t tags[TABLES];
    const struct elf_symbol *symbols;
    const char *names;
    uint32_t count;
};

static const char *find_tables(
    const uint8_t *file, const struct image *image, struct tables *tables)
{
    for (size_t number = 0; number < segment_count(file); number++) {
        struct elf_segment segment = segment_of(file, number);
        const uint64_t *rows = image_at(image, segment.address, segment.file_bytes);
        if (segment.kind != SEGMENT_DYNAMIC || rows == NULL || segment.address % 8 != 0)
            continue;
        for (uint64_t at = 0; at + 2 <= segment.file_bytes / 8; at += 2)
            if (rows[at] < TABLES)
                tables->tags[rows[at]] = rows[at + 1];
    }
    const uint32_t *hash = image_at(image, tables->tags[TABLE_HASH], 8);
    uint64_t names = tables->tags[STRING_BYTES];
    tables->names = image_at(image, tables->tags[TABLE_STRINGS], names);
    tables->count = hash == NULL || tables->tags[TABLE_HASH] % 4 != 0 ? 0 : hash[1];
    tables->symbols = image_at(
        image, tables->tags[TABLE_SYMBOLS], (uint64_t)tables->count * sizeof(struct elf_symbol));
    if (tables->names == NULL || names == 0 || tables->names[names - 1] != 0 ||
        tables->symbols == NULL || tables->tags[TABLE_SYMBOLS] % 8 != 0 || tables->count == 0)
        return "damaged tables of symbols";
    for (uint32_t number = 0; number < tables->count; number++)
        if (tables->symbols[number].name >= names)
            return "a damaged name of a symbol";
    return NULL;
}

/* Store the address of a symbol. Return whether the library may have it. */
static bool find_symbol(const struct image *image, const struct tables *tables, uint32_t number,
    uint64_t *address)
{
    if (number >= tables->count)
        return false;
    const struct elf_symbol *symbol = &tables->symbols[number];
    const char *name = tables->names + symbol->name;
    *address = 0;
    if (symbol->section != 0) {
        *address = (uint64_t)(uintptr_t)image->base + symbol->value;
        return symbol->value <= image->bytes;
    }
    for (size_t at = 0; at < sizeof FUNCTIONS / sizeof *FUNCTIONS; at++)
        if (strcmp(FUNCTIONS[at].name, name) == 0)
            *address = (uint64_t)(uintptr_t)FUNCTIONS[at].code;
    return *address != 0 || symbol->info >> 4 == WEAK_SYMBOL;
}

/* Store the addresses that the code reads. Before: all segments are writable. */
static const char *relocate(const struct image *image, const struct tables *tables)
{
    uint64_t bytes = tables->tags[RELOCATION_BYTES], value;
    const struct elf_relocation *rows = image_at(image, tables->tags[TABLE_RELOCATIONS], bytes);
    if (bytes > 0 && (rows == NULL || tables->tags[TABLE_RELOCATIONS] % 8 != 0))
        return "a damaged table of relocations";
    for (uint64_t at = 0; at < bytes / sizeof *rows; at++) {
        int32_t kind = (int32_t)(rows[at].info & 0xffffffff);
        uint8_t *place = image_at(image, rows[at].offset, 8);
        if (place == NULL)
            return "a relocation outside of the library";
        if (kind == RELATIVE) {
            value = (uint64_t)(uintptr_t)image->base + (uint64_t)rows[at].addend;
        } else if (kind == GLOBAL || kind == JUMP_SLOT || kind == ABSOLUTE) {
            uint32_t number = (uint32_t)(rows[at].info >> 32);
            if (!find_symbol(image, tables, number, &value))
                return number < tables->count ? tables->names + tables->symbols[number].name
                                              : "a relocation of no symbol";
            value += (uint64_t)rows[at].addend;
        } else {
            return "a relocation of an unknown kind";
        }
        memcpy(place, &value, sizeof value);
    }
    return NULL;
}

/* List the exported symbols. */
static const char *list_symbols(struct image *image, const struct tables *tables)
{
    struct tw_linked *row = calloc((size_t)tables->count + 1, sizeof *row);
    if ((image->symbols = row) == NULL)
        return "a library for which no memory is left";
    for (uint32_t number = 1; number < tables->count; number++) {
        const struct elf_symbol *symbol = &tables->symbols[number];
        void *address = image_at(image, symbol->value, symbol->size);
        if (symbol->section != 0 && address != NULL)
            *row++ = (struct tw_linked){tables->names + symbol->name, address};
    }
    return NULL;
}

/* Map a library; return null, or what is wrong. Before: check_image has accepted the bytes. */
static const char *map_image(const uint8_t *file, struct image *image)
{
    struct tables tables = {{0}, NULL, NULL, 0};
    const char *broken;
    *image = (struct image){NULL, 0, NULL};
    if ((broken = copy_segments(file, image)) != NULL ||
        (broken = find_tables(file, image, &tables)) != NULL ||
        (broken = relocate(image, &tables)) != NULL ||
        (broken = list_symbols(image, &tables)) != NULL ||
        (broken = protect_segments(file, image)) != NULL) {
        static char words[256];
        append(words, sizeof words, 0, broken); /* it may be a name in the image */
        unmap_image(image);
        return words;
    }
    return NULL;
}
