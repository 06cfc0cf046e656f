/* The weights of an exported library: inside of it, or in a file next to it.
 *
 * The file is in safetensors layout: eight bytes with the length of a header, the header (JSON), the
 * weights. The library holds the header that it expects, which contains the digest of the weights,
 * so a file of another model or version differs in it. The first call that needs the weights maps
 * the file; the library finds it by its own path, in every process that loads it.
 */

#define _GNU_SOURCE /* O_CLOEXEC */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "weights.h"

/* Several functions call one copy of such a function. */
#define SHARED __attribute__((noinline))

/* The mapped file, or null. */
static void *mapped;
static size_t mapped_bytes;

enum { PATH_BYTES = 4096, CHUNK_BYTES = 512 };

/* The length of the expected start of the file. */
static SHARED size_t header_bytes(void)
{
    enum { LENGTH_BYTES = 8 };
    size_t length = 0;
    for (int index = LENGTH_BYTES - 1; index >= 0; index--)
        length = length << 8 | (unsigned char)__tw_weights_header[index];
    return length + LENGTH_BYTES;
}

/* Return the file in a line of /proc/self/maps if its range holds this code, else null. */
static char *file_of(char *line)
{
    uintptr_t here = (uintptr_t)__tw_weights_header;
    char *end;
    uintptr_t first = (uintptr_t)strtoull(line, &end, 16);
    uintptr_t last = *end == '-' ? (uintptr_t)strtoull(end + 1, &end, 16) : 0;
    line[strcspn(line, "\n")] = '\0';
    end += strcspn(end, "/");
    return here < first || here >= last || *end == '\0' ? NULL : end;
}

/* Store the path of the file that holds this code, a library or a program; return whether it is
 * known. The system knows the whole path, unlike the dynamic loader. */
static int own_path(char path[PATH_BYTES])
{
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL)
        return 0;
    char line[PATH_BYTES + 128];
    char *found = NULL;
    while (found == NULL && fgets(line, sizeof line, maps) != NULL)
        found = file_of(line);
    fclose(maps);
    if (found == NULL || strlen(found) >= PATH_BYTES)
        return 0;
    strcpy(path, found);
    return 1;
}

/* Store the path of the weight file, which has the folder of this code; return whether it fits. */
static int weights_path(char path[PATH_BYTES])
{
    if (!own_path(path))
        return 0;
    size_t folder = strlen(path), length = strlen(tw_weights_file);
    while (path[folder - 1] != '/')
        folder--;
    if (folder + length >= PATH_BYTES)
        return 0;
    memcpy(path + folder, tw_weights_file, length + 1);
    return 1;
}

static int32_t fail(const char *path, const char *got)
{
    char message[TW_MESSAGE_BYTES];
    snprintf(message, sizeof message,
        "%s: the weights cannot be loaded\n"
        "    expected: %s next to the library, as it was exported with it\n"
        "    got: %s: %.600s",
        tw_name, tw_weights_file, got, path);
    return tw_fail("RuntimeError", message);
}

/* Return whether a file starts with the expected header. */
static int has_header(int file)
{
    char chunk[CHUNK_BYTES];
    for (size_t at = 0, end = header_bytes(); at < end;) {
        size_t wanted = end - at < CHUNK_BYTES ? end - at : CHUNK_BYTES;
        ssize_t got = read(file, chunk, wanted);
        if (got <= 0 || memcmp(chunk, __tw_weights_header + at, (size_t)got) != 0)
            return 0;
        at += (size_t)got;
    }
    return 1;
}

/* Map an open file; return 0 or -1. */
static int32_t map_file(int file, const char *path)
{
    size_t bytes = header_bytes() + (size_t)tw_weights_bytes;
    if (!has_header(file))
        return fail(path, "a file of another model or version");
    if (lseek(file, 0, SEEK_END) != (off_t)bytes)
        return fail(path, "a file of another length");
    void *start = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED)
        return fail(path, "a file that cannot be mapped");
    void *none = NULL;
    if (!__atomic_compare_exchange_n(
            &mapped, &none, start, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        munmap(start, bytes); /* another thread was faster */
        start = none;
    }
    mapped_bytes = bytes;
    __atomic_store_n(&__tw_weights, (char *)start + header_bytes(), __ATOMIC_RELEASE);
    return 0;
}

int32_t __tw_load_weights(void)
{
    if (tw_weights_bytes == 0 || __atomic_load_n(&__tw_weights, __ATOMIC_ACQUIRE) != NULL)
        return 0;
    if (tw_weights_file[0] == '\0') {
        __atomic_store_n(&__tw_weights, (void *)(uintptr_t)tw_weights_data, __ATOMIC_RELEASE);
        return 0;
    }
    char path[PATH_BYTES];
    if (!weights_path(path))
        return fail("?", "no path of the library");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(path, "no such file, or no access");
    int32_t status = map_file(file, path);
    close(file);
    return status;
}

void tw_unload_weights(void)
{
    void *start = __atomic_exchange_n(&mapped, NULL, __ATOMIC_ACQ_REL);
    if (start != NULL) {
        __tw_weights = NULL;
        munmap(start, mapped_bytes);
    }
}
