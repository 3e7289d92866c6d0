/* Which tuning table is in force: TESELA_TUNE=FILE, else the user's file for the device, and under either the one shipped for
 * the backend. A file that cannot be used is left out with a warning: it costs speed and never a result. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tune/tune.h"

enum { REASON = 160 };

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL; /* an empty variable is an unset one */
}

/* "NVIDIA H200" becomes "nvidia-h200". */
static void slug(const char *name, char *out)
{
    char *to = out;
    for (; *name; ++name) {
        if (isalnum((unsigned char)*name)) *to++ = (char)tolower((unsigned char)*name);
        else if (to > out && to[-1] != '-') *to++ = '-';
    }
    while (to > out && to[-1] == '-') --to;
    *to = 0;
}

/* The user's file for the device; "" where there is no home for it. */
static void name_file(const tsl_device *dev, char *out, size_t room)
{
    const char *cache = setting("XDG_CACHE_HOME"), *home = setting("HOME");
    char name[sizeof dev->name];
    *out = 0;
    slug(dev->name, name);
    if (!cache && !home) return;
    int length = snprintf(out, room, "%s%s/tesela/%s-%s.tune", cache ? cache : home, cache ? "" : "/.cache", dev->be->name, name);
    if (length < 0 || (size_t)length >= room) *out = 0;
}

/* The whole of a plain file; TSL_ERR_SPEC with a reason if it is none. */
static tsl_status read_all(const tsl_allocator *a, const char *path, char **text, size_t *room, size_t *size, char *why, size_t why_room)
{
    struct stat is;
    if (stat(path, &is) || !S_ISREG(is.st_mode) || is.st_size > TSL_TUNE_BYTES) {
        snprintf(why, why_room, "not a plain file of at most %d bytes", TSL_TUNE_BYTES);
        return TSL_ERR_SPEC;
    }
    FILE *f = fopen(path, "rb");
    if (!f) {
        snprintf(why, why_room, "it cannot be opened");
        return TSL_ERR_SPEC;
    }
    *room = (size_t)is.st_size + 1;
    *text = tsl_host_alloc(a, *room);
    if (*text) *size = fread(*text, 1, *room - 1, f);
    fclose(f);
    return *text ? TSL_OK : TSL_ERR_MEMORY;
}

/* Shapes that the backend's kernels do not have */
static const tsl_entry *unknown_shape(const tsl_device *dev, const tsl_table *t)
{
    for (int i = 0; i < t->count; ++i) {
        const tsl_entry *e = &t->entry[i];
        if (e->shape > (e->kind == TSL_ENTRY_CORE ? 0 : tsl_shapes(dev, e->op, e->type))) return e;
    }
    return NULL;
}

/* Only being out of memory is an error; what else keeps the table from being used is told, here and in `why`. */
static tsl_status read_user(tsl_context *x, const char *path, tsl_table *t, char why[REASON])
{
    char *text = NULL;
    size_t room = 0, size = 0;
    tsl_status st = read_all(&x->allocator, path, &text, &room, &size, why, REASON);
    if (!st) st = tsl_table_parse(&x->allocator, text, size, t, why, REASON);
    tsl_host_free(&x->allocator, text, room);
    if (!st && (strcmp(t->backend, x->dev->be->name) || strcmp(t->device, x->dev->name))) {
        snprintf(why, REASON, "it is for %s %s", t->backend, t->device);
        tsl_table_free(&x->allocator, t);
        st = TSL_ERR_SPEC;
    }
    const tsl_entry *unknown = st ? NULL : unknown_shape(x->dev, t);
    if (unknown) {
        snprintf(why, REASON, "there is no shape %d of %s", unknown->shape, tsl_ops[unknown->op].name);
        tsl_table_free(&x->allocator, t);
        st = TSL_ERR_SPEC;
    }
    if (st == TSL_ERR_MEMORY) return st;
    if (st) tsl_ignored(TSL_SETTING_TUNE, "tuning table %s ignored: %s", path, why);
    return TSL_OK;
}

static tsl_status read_shipped(tsl_context *x, tsl_table *t)
{
    char why[160];
    const char *text = tsl_shipped(x->dev->be->name);
    if (!text) return TSL_OK;
    tsl_status st = tsl_table_parse(&x->allocator, text, strlen(text), t, why, sizeof why);
    if (st == TSL_ERR_SPEC) tsl_log(TSL_LOG_ERROR, "the shipped tuning table: %s", why);
    return st == TSL_ERR_SPEC ? TSL_OK : st;
}

static void describe(struct tsl_tables *t, const char *path, bool asked, const char *why)
{
    const tsl_table *user = &t->table[TSL_TABLE_USER], *shipped = &t->table[TSL_TABLE_SHIPPED];
    char by_us[160] = "the rules alone";
    if (shipped->entry) snprintf(by_us, sizeof by_us, "shipped table of %s (%d entries)", shipped->device, shipped->count);
    if (user->entry)
        snprintf(t->line, sizeof t->line, "%s%s (%d entries), then %s", asked ? "TESELA_TUNE " : "", path, user->count, by_us);
    else if (path) snprintf(t->line, sizeof t->line, "%s; %s%s ignored: %s", by_us, asked ? "TESELA_TUNE " : "", path, why);
    else snprintf(t->line, sizeof t->line, "%s", by_us);
}

tsl_status tsl_tune_open(tsl_context *x)
{
    struct tsl_tables *t = x->tune = tsl_host_alloc(&x->allocator, sizeof *t);
    if (!t) return TSL_ERR_MEMORY;
    const char *asked = setting("TESELA_TUNE"), *path = asked;
    struct stat is;
    name_file(x->dev, t->file, sizeof t->file);
    if (asked && !strcmp(asked, "none")) path = NULL;
    else if (!asked && *t->file && !stat(t->file, &is)) path = t->file; /* nobody has to have one */
    tsl_status st = read_shipped(x, &t->table[TSL_TABLE_SHIPPED]);
    char why[REASON] = "";
    if (!st && path) st = read_user(x, path, &t->table[TSL_TABLE_USER], why);
    if (!st) describe(t, path, asked != NULL, why);
    return st;
}

void tsl_tune_close(tsl_context *x)
{
    if (!x->tune) return;
    for (int i = 0; i < TSL_TABLES; ++i) tsl_table_free(&x->allocator, &x->tune->table[i]);
    tsl_host_free(&x->allocator, x->tune, sizeof *x->tune);
}
