#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

enum { LARGEST = 1 << 20 };

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = in ? calloc(1, LARGEST + 1) : NULL;
    if (text && fread(text, 1, LARGEST, in) == 0)
        *text = 0;
    if (in)
        fclose(in);
    return text;
}

/* The library's own judgement of a table: a context takes it or leaves it. NULL: it does not */
static tsl_context *by_table(const char *path, const char *devices)
{
    int status;
    setenv("TESELA_TUNE", path, 1);
    tsl_context *ctx = cli_context(devices, &status);
    setenv("TESELA_TUNE", "none", 1);
    if (ctx && !strncmp(tsl_tuning(ctx), "TESELA_TUNE ", 12))
        return ctx;
    tsl_context_destroy(ctx);
    return NULL;
}

static bool accepted(const char *path, const char *devices)
{
    tsl_context *ctx = by_table(path, devices);
    tsl_context_destroy(ctx);
    return ctx;
}

enum { NAME = 4200 };

static bool failed(const tune_file *f)
{
    return !cli_fail("tune: %s cannot be written: %s", f->path, strerror(errno));
}

/* A file beside the table's with this text in it */
static bool write_beside(const tune_file *f, const char *text, char beside[NAME])
{
    if (snprintf(beside, NAME, "%s.%ld", f->path, (long)getpid()) >= NAME)
        return !cli_fail("tune: the name %s is too long", f->path);
    FILE *out = fopen(beside, "wb");
    bool written = out && fputs(text, out) >= 0;
    if (out && fclose(out))
        written = false;
    if (written)
        return true;
    failed(f);
    if (out)
        remove(beside);
    return false;
}

/* Writes beside the file and renames, so that nobody ever reads half a table. */
static bool save(const tune_file *f)
{
    char beside[NAME];
    if (!write_beside(f, f->text, beside))
        return false;
    if (!rename(beside, f->path))
        return true;
    failed(f);
    remove(beside);
    return false;
}

static bool start(tune_file *f, tsl_context *ctx)
{
    tsl_device_info d;
    char header[160];
    if (tsl_device_query(ctx, 0, &d))
        return !cli_fail("tune: %s", tsl_error(ctx));
    snprintf(header, sizeof header, "tesela-tune 1 %s %s\n", d.backend, d.name);
    f->text = strdup(header);
    return f->text ? save(f) : !cli_fail("tune: out of memory");
}

bool tune_open(tune_file *f, const char *path, const char *devices, tsl_context *ctx)
{
    *f = (tune_file){.path = path};
    if (access(path, F_OK))
        return start(f, ctx);
    if (!accepted(path, devices))
        return !cli_fail("tune: %s is not a tuning table for this device", path);
    f->text = read_text(path);
    return f->text ? true : !cli_fail("tune: %s cannot be read", path);
}

void tune_key(const tune_problem *p, const char *before, char key[TUNE_KEY])
{
    char width[24] = "*";
    if (p->width)
        snprintf(width, sizeof width, "%lld", (long long)p->width);
    snprintf(key, TUNE_KEY, "%s%s%s %c %lld %s", before, p->turned ? "turned " : "", p->r->name, tsl_type_letter(p->c.type),
             (long long)p->order, width);
}

/* Does the line at `at` begin with the key's words? */
static bool matches(const char *at, const char *key)
{
    for (;;) {
        at += strspn(at, " \t");
        size_t length = strcspn(key, " ");
        if (strcspn(at, " \t\n") != length || strncmp(at, key, length))
            return false;
        at += length;
        key += length;
        if (!*key++)
            return true;
    }
}

static const char *next_line(const char *at) { return at + strcspn(at, "\n") + (strchr(at, '\n') != NULL); }

static const char *line_of(const tune_file *f, const char *key)
{
    for (const char *at = f->text; *at; at = next_line(at))
        if (matches(at, key))
            return at;
    return NULL;
}

bool tune_holds(const tune_file *f, const char *key) { return line_of(f, key); }

/* After the words of the key, each with a blank before it but the first */
int64_t tune_number(const tune_file *f, const char *key)
{
    const char *at = line_of(f, key);
    for (; at && key; key = strchr(key + 1, ' '))
        at += strspn(at, " \t"), at += strcspn(at, " \t\n");
    return at ? strtoll(at, NULL, 10) : 0;
}

/* The text with the entry in place of the lines of that key; NULL after saying that there is no memory */
static char *with(const tune_file *f, const char *key, const char *entry)
{
    char *text = calloc(1, strlen(f->text) + strlen(entry) + 3), *to = text;
    if (!text) {
        cli_fail("tune: out of memory");
        return NULL;
    }
    for (const char *at = f->text, *next; *at; at = next) {
        next = next_line(at);
        if (matches(at, key))
            continue;
        memcpy(to, at, (size_t)(next - at));
        to += next - at;
        if (to[-1] != '\n')
            *to++ = '\n';
    }
    strcpy(to, entry);
    strcat(to, "\n");
    return text;
}

bool tune_put(tune_file *f, const char *key, const char *entry)
{
    char *text = with(f, key, entry);
    if (!text)
        return false;
    free(f->text);
    f->text = text;
    return save(f);
}

tsl_context *tune_try(const tune_file *f, const char *key, const char *entry, const char *devices)
{
    char beside[NAME], *text = with(f, key, entry);
    tsl_context *ctx = NULL;
    if (text && write_beside(f, text, beside)) {
        ctx = by_table(beside, devices);
        remove(beside);
    }
    free(text);
    return ctx;
}

void tune_close(tune_file *f) { free(f->text); }
