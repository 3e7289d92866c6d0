#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file/array.h"

bool cli_bytes_of(int64_t m, int64_t n, size_t size, size_t *bytes)
{
    size_t count;
    return m >= 0 && n >= 0 && !__builtin_mul_overflow((size_t)m, (size_t)n, &count) && !__builtin_mul_overflow(count, size, bytes) &&
           *bytes <= INT64_MAX;
}

int cli_source_bytes(cli_source *s, void *to, size_t bytes)
{
    size_t got = fread(to, 1, bytes, s->f);
    if (s->left >= 0)
        s->left -= (int64_t)got;
    if (got == bytes)
        return CLI_OK;
    return ferror(s->f) ? cli_fail("%s: %s", s->name, strerror(errno)) : cli_fail("%s: truncated", s->name);
}

static int too_short(const cli_source *s, size_t bytes)
{
    return cli_fail("%s: truncated: %lld bytes of elements are there, %zu were announced", s->name, (long long)s->left, bytes);
}

/* Memory grows with what has come, so that a pipe that announces more than it has fails for that reason. */
int cli_source_block(cli_source *s, size_t bytes, void **data)
{
    if (s->left >= 0 && (size_t)s->left < bytes)
        return too_short(s, bytes);
    size_t room = s->left >= 0 || bytes < 1 << 20 ? bytes : 1 << 20, have = 0;
    char *block = malloc(room ? room : 1);
    int status = block ? CLI_OK : cli_fail("%s: no memory for %zu bytes", s->name, bytes);
    while (!status && have < bytes) {
        status = cli_source_bytes(s, block + have, room - have);
        have = room;
        if (status || have == bytes)
            continue;
        room = bytes / 2 < room ? bytes : room * 2;
        char *more = realloc(block, room);
        if (more)
            block = more;
        else
            status = cli_fail("%s: no memory for %zu bytes", s->name, bytes);
    }
    if (status)
        free(block);
    else
        *data = block;
    return status;
}

int cli_map(cli_source *s, cli_array *a, bool *mapped)
{
    size_t bytes, page = (size_t)sysconf(_SC_PAGESIZE);
    long at = ftell(s->f);
    *mapped = false;
    if (s->left < 0 || at < 0 || !cli_bytes_of(a->m, a->n, tsl_type_size(a->type), &bytes) || bytes < 16 * page)
        return CLI_OK;
    if ((size_t)s->left < bytes)
        return too_short(s, bytes);
    size_t skip = (size_t)at % page;
    if (skip % tsl_type_size(a->type))
        return CLI_OK; /* elements would not be aligned */
    void *map = mmap(NULL, bytes + skip, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fileno(s->f), at - (long)skip);
    if (map == MAP_FAILED)
        return CLI_OK;
    a->map = map;
    a->map_bytes = bytes + skip;
    a->data = (char *)map + skip;
    *mapped = true;
    return CLI_OK;
}
