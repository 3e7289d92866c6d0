/* .npz: a zip archive of .npy files. At its end is a directory, which says of each file its name, sizes, check sum and place. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/file/array.h"
#include "cli/file/zip.h"

enum { TAIL = 22, TAIL64 = 56, LOCATOR = 20, COMMENT = 65535, ENTRY = 46, LOCAL = 30, RATIO = 1032 /* deflate's best */ };

typedef struct entry {
    char name[512];
    unsigned method, flags;
    uint32_t crc;
    uint64_t packed, size, at; /* bytes in the archive, bytes of the file, where its header is */
} entry;

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t v = 0;
    for (int b = bytes - 1; b >= 0; b--)
        v = v << 8 | at[b];
    return v;
}

static int broken(const cli_source *s) { return cli_fail("%s: not a whole .npz file: its directory makes no sense", s->name); }

/* `bytes` from a place of the file, of which there are `all`. */
static bool read_at(cli_source *s, uint64_t all, uint64_t place, void *to, size_t bytes)
{
    return bytes <= all && place <= all - bytes && !fseeko(s->f, (off_t)place, SEEK_SET) && fread(to, 1, bytes, s->f) == bytes;
}

/* Where the directory is, and how many bytes it has. Larger archives have a second end before the first, and a note where. */
static bool find_directory(cli_source *s, uint64_t all, uint64_t *place, uint64_t *bytes)
{
    static unsigned char end[TAIL + COMMENT];
    size_t have = all < sizeof end ? (size_t)all : sizeof end;
    if (have < TAIL || !read_at(s, all, all - have, end, have))
        return false;
    size_t at = have - TAIL;
    while (memcmp(end + at, "PK\5\6", 4) || number(end + at + 20, 2) != have - TAIL - at)
        if (at-- == 0)
            return false;
    *bytes = number(end + at + 12, 4);
    *place = number(end + at + 16, 4);
    unsigned char note[LOCATOR], tail[TAIL64];
    uint64_t here = all - have + at;
    if (here < LOCATOR || !read_at(s, all, here - LOCATOR, note, LOCATOR) || memcmp(note, "PK\6\7", 4))
        return true;
    if (!read_at(s, all, number(note + 8, 8), tail, TAIL64) || memcmp(tail, "PK\6\6", 4))
        return false;
    *bytes = number(tail + 40, 8);
    *place = number(tail + 48, 8);
    return true;
}

/* Numbers that do not fit 32 bits are all ones, and stand in a field behind the name, in this order. */
static bool wide_numbers(const unsigned char *field, size_t bytes, entry *e)
{
    uint64_t *const wide[] = {&e->size, &e->packed, &e->at};
    while (bytes >= 4) {
        size_t length = (size_t)number(field + 2, 2);
        if (length > bytes - 4)
            return false;
        if (number(field, 2) == 1) {
            size_t at = 4;
            for (int i = 0; i < 3; i++)
                if (*wide[i] == UINT32_MAX) {
                    if (at + 8 > 4 + length)
                        return false;
                    *wide[i] = number(field + at, 8);
                    at += 8;
                }
        }
        field += 4 + length;
        bytes -= 4 + length;
    }
    return true;
}

/* The next file of a directory; false: it makes no sense. */
static bool next_entry(const unsigned char **at, const unsigned char *end, entry *e)
{
    const unsigned char *p = *at;
    if (end - p < ENTRY || memcmp(p, "PK\1\2", 4))
        return false;
    size_t name = (size_t)number(p + 28, 2), extra = (size_t)number(p + 30, 2), comment = (size_t)number(p + 32, 2);
    if ((size_t)(end - p) < ENTRY + name + extra + comment)
        return false;
    *e = (entry){.flags = (unsigned)number(p + 8, 2), .method = (unsigned)number(p + 10, 2), .crc = (uint32_t)number(p + 16, 4),
                 .packed = number(p + 20, 4), .size = number(p + 24, 4), .at = number(p + 42, 4)};
    snprintf(e->name, sizeof e->name, "%.*s", (int)name, (const char *)p + ENTRY);
    *at = p + ENTRY + name + extra + comment;
    return wide_numbers(p + ENTRY + name, extra, e);
}

/* Is it the array of that name, which NumPy keeps as NAME.npy? */
static bool is_array(const entry *e, const char *name)
{
    size_t length = strlen(name), ends = strlen(e->name) >= 4 ? strlen(e->name) - 4 : 0;
    return !strcmp(e->name, name) || (ends == length && !strncmp(e->name, name, length) && !strcmp(e->name + length, ".npy"));
}

/* The one asked for, or the only one there is. */
static int choose(cli_source *s, const char *member, const unsigned char *directory, size_t bytes, entry *chosen)
{
    const unsigned char *at = directory, *end = directory + bytes;
    char names[256] = "";
    int count = 0;
    bool found = false;
    for (entry e; at < end;) {
        if (!next_entry(&at, end, &e))
            return broken(s);
        size_t used = strlen(names), ends = strlen(e.name) > 4 && !strcmp(e.name + strlen(e.name) - 4, ".npy") ? 4 : 0;
        snprintf(names + used, sizeof names - used, "%s%.*s", count++ ? ", " : "", (int)(strlen(e.name) - ends), e.name);
        if (!found && (!member || is_array(&e, member))) {
            *chosen = e;
            found = true;
        }
    }
    if (member ? found : count == 1)
        return CLI_OK;
    if (count == 0)
        return cli_fail("%s: has no arrays", s->name);
    return member ? cli_fail("%s: has no array '%s'; there are %s", s->name, member, names)
                  : cli_fail("%s: has %d arrays, which are named as FILE.npz:NAME: %s", s->name, count, names);
}

/* Elements where they are; only that they are right is looked at first. */
static int read_stored(cli_source *s, const entry *e, cli_array *a)
{
    static unsigned char block[1 << 16];
    uint32_t crc = 0;
    off_t begin = ftello(s->f);
    for (uint64_t left = e->size; left;) {
        size_t bytes = left < sizeof block ? (size_t)left : sizeof block;
        if (cli_source_bytes(s, block, bytes))
            return CLI_FAILED;
        crc = cli_crc32(crc, block, bytes);
        left -= bytes;
    }
    if (crc != e->crc)
        return cli_fail("%s: damaged: its check sum is another", s->name);
    if (fseeko(s->f, begin, SEEK_SET))
        return cli_fail("%s: %s", s->name, strerror(errno));
    s->left = (int64_t)e->size;
    return cli_read_npy(s, a);
}

static int read_packed(cli_source *s, const entry *e, cli_array *a)
{
    void *packed = NULL;
    if (e->size / RATIO > e->packed)
        return cli_fail("%s: damaged: it cannot become %llu bytes", s->name, (unsigned long long)e->size);
    if (cli_source_block(s, (size_t)e->packed, &packed))
        return CLI_FAILED;
    unsigned char *bytes = malloc((size_t)e->size + 1);
    int status = bytes ? CLI_OK : cli_fail("%s: no memory for %llu bytes", s->name, (unsigned long long)e->size);
    if (!status && (!cli_inflate(packed, (size_t)e->packed, bytes, (size_t)e->size) || cli_crc32(0, bytes, (size_t)e->size) != e->crc))
        status = cli_fail("%s: damaged: it cannot be unpacked", s->name);
    free(packed);
    if (!status) {
        cli_source unpacked = {s->name, fmemopen(bytes, (size_t)e->size + 1, "rb"), (int64_t)e->size};
        status = unpacked.f ? cli_read_npy(&unpacked, a) : cli_fail("%s: %s", s->name, strerror(errno));
        if (unpacked.f)
            fclose(unpacked.f);
    }
    free(bytes);
    return status;
}

static int read_entry(cli_source *s, uint64_t all, const entry *e, cli_array *a)
{
    unsigned char local[LOCAL];
    if (e->flags & 1)
        return cli_fail("%s: is encrypted", s->name);
    if (e->method != 0 && e->method != 8)
        return cli_fail("%s: is packed by method %u; there are 0 (stored) and 8 (deflate)", s->name, e->method);
    if (!read_at(s, all, e->at, local, LOCAL) || memcmp(local, "PK\3\4", 4))
        return broken(s);
    uint64_t place = e->at + LOCAL + number(local + 26, 2) + number(local + 28, 2);
    if (place > all || e->packed > all - place || (!e->method && e->packed != e->size) || fseeko(s->f, (off_t)place, SEEK_SET))
        return broken(s);
    s->left = (int64_t)(all - place);
    return e->method ? read_packed(s, e, a) : read_stored(s, e, a);
}

int cli_read_npz(cli_source *s, const char *member, cli_array *a)
{
    uint64_t place, bytes, all = (uint64_t)s->left;
    unsigned char *directory = NULL;
    entry e;
    if (s->left < 0)
        return cli_fail("%s: an .npz file is read from its end, not from a pipe", s->name);
    if (!find_directory(s, all, &place, &bytes) || bytes > all)
        return broken(s);
    directory = malloc((size_t)bytes + 1);
    if (!directory)
        return cli_fail("%s: no memory for its directory", s->name);
    int status = read_at(s, all, place, directory, (size_t)bytes) ? choose(s, member, directory, (size_t)bytes, &e) : broken(s);
    free(directory);
    char name[4096 + sizeof e.name];
    if (!status) {
        snprintf(name, sizeof name, "%s:%s", s->name, e.name);
        cli_source one = {name, s->f, s->left};
        status = read_entry(&one, all, &e, a);
    }
    return status;
}
