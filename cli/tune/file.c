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

/* The library's own judgement of a table: a context takes it or leaves it. */
static bool accepted(const char *path, const char *devices)
{
    int status;
    setenv("TESELA_TUNE", path, 1);
    tsl_context *ctx = cli_context(devices, &status);
    setenv("TESELA_TUNE", "none", 1);
    bool taken = ctx && !strncmp(tsl_tuning(ctx), "TESELA_TUNE ", 12);
    tsl_context_destroy(ctx);
    return taken;
}

/* Writes beside the file and renames, so that nobody ever reads half a table. */
static bool save(const tune_file *f)
{
    char beside[4200];
    if (snprintf(beside, sizeof beside, "%s.%ld", f->path, (long)getpid()) >= (int)sizeof beside)
        return !cli_fail("tune: the name %s is too long", f->path);
    FILE *out = fopen(beside, "wb");
    bool written = out && fputs(f->text, out) >= 0;
    if (out && fclose(out))
        written = false;
    if (written && !rename(beside, f->path))
        return true;
    const char *why = strerror(errno);
    if (out)
        remove(beside);
    return !cli_fail("tune: %s cannot be written: %s", f->path, why);
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

bool tune_holds(const tune_file *f, const char *key)
{
    for (const char *at = f->text; *at; at = next_line(at))
        if (matches(at, key))
            return true;
    return false;
}

bool tune_put(tune_file *f, const char *key, const char *entry)
{
    char *text = calloc(1, strlen(f->text) + strlen(entry) + 3), *to = text;
    if (!text)
        return !cli_fail("tune: out of memory");
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
    free(f->text);
    f->text = text;
    return save(f);
}

void tune_close(tune_file *f) { free(f->text); }
