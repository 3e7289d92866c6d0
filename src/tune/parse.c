/* A tuning table from its text. Strict: a table with anything wrong in it is no table. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

enum { LINE = 1024, LARGEST_TILE = 1 << 30 };

typedef struct reader {
    const char *at, *end;
    int line;
    char text[LINE];
    char *why;
    size_t room;
} reader;

static bool wrong(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(reader *r, const char *format, ...)
{
    va_list args;
    int used = snprintf(r->why, r->room, "line %d: ", r->line);
    va_start(args, format);
    if (used > 0 && (size_t)used < r->room) vsnprintf(r->why + used, r->room - (size_t)used, format, args);
    va_end(args);
    return false;
}

/* The next line that says something into r->text; *more is false at the end. */
static bool next_line(reader *r, bool *more)
{
    while (r->at < r->end) {
        const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        size_t length = (size_t)((stop ? stop : r->end) - r->at);
        ++r->line;
        if (length >= sizeof r->text) return wrong(r, "longer than %d bytes", LINE - 1);
        if (memchr(r->at, 0, length)) return wrong(r, "not text");
        memcpy(r->text, r->at, length);
        r->text[length] = 0;
        r->at = stop ? stop + 1 : r->end;
        if (r->text[0] != '#' && r->text[strspn(r->text, " \t")]) return *more = true;
    }
    *more = false;
    return true;
}

static bool read_header(reader *r, tsl_table *t)
{
    bool more;
    int version = 0, name = 0;
    if (!next_line(r, &more)) return false;
    if (!more) return wrong(r, "the table is empty");
    if (sscanf(r->text, "tesela-tune %9d %15s %n", &version, t->backend, &name) != 2 || !name || !r->text[name])
        return wrong(r, "not a header 'tesela-tune 1 BACKEND DEVICE'");
    if (version != 1) return wrong(r, "format %d; this library reads 1", version);
    if (strlen(r->text + name) >= sizeof t->device) return wrong(r, "the device's name is too long");
    strcpy(t->device, r->text + name);
    return true;
}

/* A decimal number from 1 to max; the word `other` stands for `value`. */
static bool read_size(const char *word, int64_t max, const char *other, int64_t value, int64_t *out)
{
    *out = value;
    if (!word) return false;
    if (!strcmp(word, other)) return true;
    if (strlen(word) > 18 || strspn(word, "0123456789") != strlen(word)) return false;
    *out = strtoll(word, NULL, 10);
    return *out >= 1 && *out <= max;
}

/* Digits with a point among them; strtod would go by the caller's locale. */
static bool read_rate(const char *word, double *rate)
{
    double unit = 1;
    bool point = false;
    *rate = 0;
    if (!*word || strlen(word) > 18) return false;
    for (; *word; ++word) {
        if (*word == '.' && !point) {
            point = true;
            continue;
        }
        if (*word < '0' || *word > '9') return false;
        *rate = *rate * 10 + (*word - '0');
        if (point) unit *= 10;
    }
    *rate /= unit;
    return *rate > 0;
}

/* NAME or NAME:SHAPE */
static bool read_variant(tsl_opcode op, char *word, int *variant, int *shape)
{
    char *colon = strchr(word, ':');
    int64_t number = 0;
    if (colon && (!tsl_trait(op, TSL_SHAPED) || !read_size(colon + 1, TSL_TUNE_SHAPES, "\n", 0, &number))) return false;
    if (colon) *colon = 0;
    *shape = (int)number;
    return tsl_find_variant(op, word, variant);
}

/* NAME[:SHAPE]=RATE or NAME[:SHAPE]/TILE=RATE */
static bool read_measurement(reader *r, char *word, tsl_entry *e)
{
    char *equals = strchr(word, '='), *slash = strchr(word, '/');
    int variant, shape;
    int64_t tile = 0;
    double rate;
    if (!equals || !read_rate(equals + 1, &rate)) return wrong(r, "'%.40s' is not a rate", word);
    *equals = 0;
    if (slash) {
        *slash = 0;
        if (!read_size(slash + 1, LARGEST_TILE, "-", 0, &tile)) return wrong(r, "'%.40s' is not a tile", slash + 1);
    }
    if (!read_variant(e->op, word, &variant, &shape) || (variant == TSL_BY_RULE && !shape))
        return wrong(r, "no variant '%.40s'", word);
    if (variant == e->variant && shape == e->shape && tile == e->tile) e->rate = rate;
    if (rate > e->best) e->best = rate;
    return true;
}

static bool read_type(const char *word, tsl_type *t)
{
    static const char letters[] = "sdcz";
    if (!word || strlen(word) != 1 || !strchr(letters, *word)) return false;
    *t = (tsl_type)(strchr(letters, *word) - letters);
    return true;
}

static int find_operation(const char *word)
{
    int op = 0;
    while (op < TSL_OP_COUNT && strcmp(word, tsl_ops[op].name)) ++op;
    return op;
}

static bool read_entry(reader *r, char *word, char *rest, tsl_entry *e)
{
    *e = (tsl_entry){.kind = !strcmp(word, "core") ? TSL_ENTRY_CORE : !strcmp(word, "turned") ? TSL_ENTRY_TURNED : TSL_ENTRY_PLAIN};
    if (e->kind != TSL_ENTRY_PLAIN) word = strtok_r(NULL, " \t", &rest);
    if (!word) return wrong(r, "an entry without an operation");
    int op = find_operation(word);
    if (op == TSL_OP_COUNT || !(tsl_has_variants((tsl_opcode)op) || tsl_trait((tsl_opcode)op, TSL_SHAPED)))
        return wrong(r, "no operation '%.40s' with variants or shapes", word);
    e->op = (tsl_opcode)op;
    if (e->kind == TSL_ENTRY_TURNED && e->op != TSL_OP_GEMV) return wrong(r, "only gemv is turned");
    word = strtok_r(NULL, " \t", &rest);
    if (!read_type(word, &e->type)) return wrong(r, "a type is one of s, d, c, z");
    if (!read_size(strtok_r(NULL, " \t", &rest), INT64_MAX, "*", INT64_MAX, &e->order)) return wrong(r, "bad order");
    if (!read_size(strtok_r(NULL, " \t", &rest), INT64_MAX, "*", INT64_MAX, &e->width)) return wrong(r, "bad width");
    if (!read_size(strtok_r(NULL, " \t", &rest), LARGEST_TILE, "-", 0, &e->tile)) return wrong(r, "bad tile");
    word = strtok_r(NULL, " \t", &rest);
    if (!word || !read_variant(e->op, word, &e->variant, &e->shape)) return wrong(r, "%s has no such variant", tsl_ops[op].name);
    if (e->variant >= 0 && tsl_variant_is(e->variant, TSL_ONLY_ASKED)) return wrong(r, "'%s' must be asked for by name", word);
    while ((word = strtok_r(NULL, " \t", &rest)))
        if (!read_measurement(r, word, e)) return false;
    if (e->rate < TSL_TUNE_SLOWEST * e->best) return wrong(r, "the variant chosen is not the fastest recorded");
    return true;
}

static bool read_link(reader *r, char *rest, tsl_table *t)
{
    char *word = strtok_r(NULL, " \t", &rest);
    if (t->link > 0) return wrong(r, "a second link");
    return (word && read_rate(word, &t->link) && !strtok_r(NULL, " \t", &rest)) || wrong(r, "a link has one rate");
}

/* From which order on an operation is by its variant for products by residues */
static bool read_wide(reader *r, const char *word, char *rest, tsl_table *t)
{
    tsl_type type;
    int op = find_operation(word);
    if (op == TSL_OP_COUNT || tsl_variant_for((tsl_opcode)op, TSL_BY_RESIDUES) < 0)
        return wrong(r, "no operation '%.40s' with a variant for products by residues", word);
    if (!read_type(strtok_r(NULL, " \t", &rest), &type)) return wrong(r, "a type is one of s, d, c, z");
    int64_t *from = &t->wide[op][type];
    if (*from) return wrong(r, "a second line of %s by residues of that type", word);
    return (read_size(strtok_r(NULL, " \t", &rest), INT64_MAX, "-", INT64_MAX, from) && !strtok_r(NULL, " \t", &rest)) ||
           wrong(r, "an operation by residues has an order, or -");
}

static bool read_emulated(reader *r, char *rest, tsl_table *t)
{
    tsl_type type;
    char *word = strtok_r(NULL, " \t", &rest);
    if (!word) return wrong(r, "emulated products have a type");
    if (!read_type(word, &type)) return read_wide(r, word, rest, t);
    tsl_emulated_from *e = &t->emulated[type];
    if (e->side) return wrong(r, "a second line of emulated products of that type");
    bool read = read_size(strtok_r(NULL, " \t", &rest), INT64_MAX, "-", INT64_MAX, &e->side) &&
                read_size(strtok_r(NULL, " \t", &rest), INT64_MAX, "-", INT64_MAX, &e->inner) && !strtok_r(NULL, " \t", &rest);
    return read || wrong(r, "emulated products have a side and an inner size, or -");
}

static bool read_line(reader *r, tsl_table *t)
{
    char *rest, *word = strtok_r(r->text, " \t", &rest);
    if (!strcmp(word, "link")) return read_link(r, rest, t);
    if (!strcmp(word, "emulated")) return read_emulated(r, rest, t);
    return read_entry(r, word, rest, &t->entry[t->count++]);
}

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int by_key(const void *a, const void *b)
{
    const tsl_entry *x = a, *y = b;
    int one = tsl_tune_key(x->kind, x->op, x->type), other = tsl_tune_key(y->kind, y->op, y->type);
    if (one != other) return compare(one, other);
    return x->order != y->order ? compare(x->order, y->order) : compare(x->width, y->width);
}

/* Sorts the entries and notes where those of each operation and type start. */
static bool arrange(reader *r, tsl_table *t)
{
    qsort(t->entry, (size_t)t->count, sizeof *t->entry, by_key);
    for (int i = 1; i < t->count; ++i)
        if (!by_key(&t->entry[i - 1], &t->entry[i])) return wrong(r, "two entries for one size of %s", tsl_ops[t->entry[i].op].name);
    for (int key = 0, i = 0; key <= TSL_TUNE_KEYS; ++key) {
        while (i < t->count && tsl_tune_key(t->entry[i].kind, t->entry[i].op, t->entry[i].type) < key) ++i;
        t->first[key] = i;
    }
    return true;
}

static bool read_entries(reader *r, tsl_table *t)
{
    bool more;
    while (next_line(r, &more)) {
        if (!more) return arrange(r, t);
        if (!read_line(r, t)) return false;
    }
    return false;
}

tsl_status tsl_table_parse(const tsl_allocator *a, const char *text, size_t size, tsl_table *out, char *why, size_t room)
{
    reader r = {.at = text, .end = text + size, .why = why, .room = room};
    *out = (tsl_table){.capacity = 1};
    if (!read_header(&r, out)) return TSL_ERR_SPEC;
    for (const char *p = r.at; p < r.end; ++p) out->capacity += *p == '\n';
    out->entry = tsl_host_alloc(a, tsl_times((size_t)out->capacity, sizeof *out->entry));
    if (!out->entry) return TSL_ERR_MEMORY;
    if (read_entries(&r, out)) return TSL_OK;
    tsl_table_free(a, out);
    return TSL_ERR_SPEC;
}

void tsl_table_free(const tsl_allocator *a, tsl_table *t)
{
    tsl_host_free(a, t->entry, tsl_times((size_t)t->capacity, sizeof *t->entry));
    *t = (tsl_table){0};
}
