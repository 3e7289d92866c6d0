/* MatrixMarket: a line that says what follows, comments, sizes, then elements: all of them by columns ("array") or those that
 * are not zero with their places ("coordinate"); of a symmetric matrix its lower triangle. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/file/array.h"

enum { LINE = 1024 };

typedef struct mtx_reader {
    cli_source *s;
    char line[LINE];
    int64_t number; /* of the line */
    bool coordinate, is_complex, pattern;
    char symmetry; /* g, s, h, k (skew) */
    bool below, above; /* entries on that side of the diagonal have come */
    const char *rest; /* of the line, not read yet */
} mtx_reader;

static int wrong(const mtx_reader *r, const char *what)
{
    return cli_fail("%s: line %" PRId64 ": %s", r->s->name, r->number, what);
}

/* The next line that has something on it; comments begin with %. At the end of the file *end is said, where somebody asks. */
static int next_line_or_end(mtx_reader *r, bool *end)
{
    do {
        r->number++;
        if (!fgets(r->line, LINE, r->s->f)) {
            if (end && !ferror(r->s->f)) {
                *end = true;
                return CLI_OK;
            }
            return ferror(r->s->f) ? wrong(r, strerror(errno)) : wrong(r, "truncated");
        }
        if (!strchr(r->line, '\n') && !feof(r->s->f))
            return wrong(r, "too long, or not text");
        r->rest = r->line + strspn(r->line, " \t\r\n");
    } while (!*r->rest || *r->rest == '%');
    return CLI_OK;
}

static int next_line(mtx_reader *r) { return next_line_or_end(r, NULL); }

/* Sizes that say less than there is are wrong, too. */
static int no_more(mtx_reader *r)
{
    bool end = false;
    if (next_line_or_end(r, &end))
        return CLI_FAILED;
    return end ? CLI_OK : wrong(r, "more elements than its sizes say");
}

static bool take(const char **at, const char *word)
{
    size_t length = strlen(word);
    *at += strspn(*at, " \t");
    if (strncasecmp(*at, word, length) || isalnum((unsigned char)(*at)[length]))
        return false;
    *at += length;
    return true;
}

static int read_banner(mtx_reader *r)
{
    r->number = 1;
    if (!fgets(r->line, LINE, r->s->f))
        return wrong(r, "truncated");
    const char *at = r->line;
    if (!take(&at, "%%MatrixMarket") || !take(&at, "matrix"))
        return wrong(r, "not the first line of a MatrixMarket matrix");
    r->coordinate = take(&at, "coordinate");
    if (!r->coordinate && !take(&at, "array"))
        return wrong(r, "neither 'array' nor 'coordinate'");
    r->is_complex = take(&at, "complex");
    r->pattern = !r->is_complex && take(&at, "pattern");
    if (!r->is_complex && !r->pattern && !take(&at, "real") && !take(&at, "integer") && !take(&at, "double"))
        return wrong(r, "elements are neither real, integer, complex nor pattern");
    r->symmetry = take(&at, "general") ? 'g' : take(&at, "symmetric") ? 's' : take(&at, "hermitian") ? 'h' : take(&at, "skew-symmetric") ? 'k' : 0;
    if (!r->symmetry)
        return wrong(r, "neither general, symmetric, hermitian nor skew-symmetric");
    return r->pattern && !r->coordinate ? wrong(r, "an array has no pattern") : CLI_OK;
}

static bool whole_number(mtx_reader *r, int64_t least, int64_t *v)
{
    char *end;
    errno = 0;
    *v = strtoll(r->rest, &end, 10);
    bool good = end != r->rest && !errno && (!*end || isspace((unsigned char)*end)) && *v >= least;
    r->rest = end;
    return good;
}

static bool real_number(mtx_reader *r, double *v)
{
    char *end;
    *v = strtod(r->rest, &end); /* too large a number is Inf, too small a one zero; nan and inf are numbers here */
    bool good = end != r->rest && (!*end || isspace((unsigned char)*end));
    r->rest = end;
    return good;
}

static int read_value(mtx_reader *r, double v[2])
{
    v[0] = 1;
    v[1] = 0;
    if (!r->pattern && !real_number(r, &v[0]))
        return wrong(r, "not a number");
    if (r->is_complex && !real_number(r, &v[1]))
        return wrong(r, "not a complex number: two are needed");
    return r->rest[strspn(r->rest, " \t\r\n")] ? wrong(r, "more than an element on a line") : CLI_OK;
}

/* Entries given twice are added, as sparse matrices are. */
static void put(const mtx_reader *r, cli_array *a, int64_t i, int64_t j, const double v[2])
{
    double *at = (double *)a->data + (size_t)(i + j * a->m) * (r->is_complex ? 2 : 1);
    at[0] += v[0];
    if (r->is_complex)
        at[1] += v[1];
}

static void put_mirrored(const mtx_reader *r, cli_array *a, int64_t i, int64_t j, const double v[2])
{
    double sign = r->symmetry == 'k' ? -1 : 1, mirrored[2] = {sign * v[0], r->symmetry == 'h' ? -v[1] : sign * v[1]};
    put(r, a, i, j, v);
    if (r->symmetry != 'g' && i != j)
        put(r, a, j, i, mirrored);
}

/* Of a symmetric matrix one triangle is given, and its diagonal is what it must be; else elements would be counted twice, or
 * half of what is said. */
static int check_symmetry(mtx_reader *r, int64_t i, int64_t j, const double v[2])
{
    r->below |= i > j;
    r->above |= i < j;
    if (r->symmetry != 'g' && r->below && r->above)
        return wrong(r, "elements on both sides of the diagonal of a symmetric matrix");
    if (i == j && ((r->symmetry == 'k' && (v[0] != 0 || v[1] != 0)) || (r->symmetry == 'h' && v[1] != 0)))
        return wrong(r, r->symmetry == 'k' ? "the diagonal of a skew-symmetric matrix is zero" : "the diagonal of a Hermitian matrix is real");
    return CLI_OK;
}

static int read_array(mtx_reader *r, cli_array *a)
{
    double v[2];
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = r->symmetry == 'g' ? 0 : j + (r->symmetry == 'k'); i < a->m; i++) {
            if (next_line(r) || read_value(r, v) || (r->symmetry != 'g' && check_symmetry(r, i, j, v)))
                return CLI_FAILED;
            put_mirrored(r, a, i, j, v);
        }
    return CLI_OK;
}

static int read_coordinates(mtx_reader *r, cli_array *a, int64_t entries)
{
    double v[2];
    for (int64_t e = 0; e < entries; e++) {
        int64_t i, j;
        if (next_line(r))
            return CLI_FAILED;
        if (!whole_number(r, 1, &i) || !whole_number(r, 1, &j) || i > a->m || j > a->n)
            return wrong(r, "not a place in the matrix");
        if (read_value(r, v) || check_symmetry(r, i, j, v))
            return CLI_FAILED;
        put_mirrored(r, a, i - 1, j - 1, v);
    }
    return CLI_OK;
}

int cli_read_mtx(cli_source *s, cli_array *a)
{
    mtx_reader r = {.s = s};
    int64_t m, n, entries = 0;
    if (read_banner(&r) || next_line(&r))
        return CLI_FAILED;
    if (!whole_number(&r, 0, &m) || !whole_number(&r, 0, &n) || (r.coordinate && !whole_number(&r, 0, &entries)) ||
        r.rest[strspn(r.rest, " \t\r\n")])
        return wrong(&r, "not the matrix's sizes");
    if (r.symmetry != 'g' && m != n)
        return wrong(&r, "not square, but symmetric");
    tsl_type type = r.is_complex ? TSL_Z : TSL_D;
    size_t bytes;
    /* An element takes two characters at least, and of a symmetric matrix about half are there: what cannot be in the file is
     * not made room for. */
    size_t per = r.symmetry == 'g' ? 8 : 16;
    if (!cli_bytes_of(m, n, tsl_type_size(type), &bytes) || (!r.coordinate && s->left >= 0 && bytes / per > (size_t)s->left))
        return wrong(&r, "more elements than the file can have");
    if (cli_array_make(a, s->name, type, m, n))
        return CLI_FAILED;
    int status = r.coordinate ? read_coordinates(&r, a, entries) : read_array(&r, a);
    return status ? status : no_more(&r);
}

bool cli_put_mtx(FILE *f, const cli_array *a)
{
    static const char *const fields[] = {[TSL_S] = "real", [TSL_D] = "real", [TSL_C] = "complex", [TSL_Z] = "complex", [TSL_INDEX] = "integer"};
    fprintf(f, "%%%%MatrixMarket matrix array %s general\n%lld %lld\n", fields[a->type], (long long)a->m, (long long)a->n);
    for (size_t i = 0, count = (size_t)a->m * (size_t)a->n; i < count && !ferror(f); i++)
        switch (a->type) {
        case TSL_S: fprintf(f, "%.9g\n", (double)((float *)a->data)[i]); break;
        case TSL_D: fprintf(f, "%.17g\n", ((double *)a->data)[i]); break;
        case TSL_C: fprintf(f, "%.9g %.9g\n", (double)((float *)a->data)[2 * i], (double)((float *)a->data)[2 * i + 1]); break;
        case TSL_Z: fprintf(f, "%.17g %.17g\n", ((double *)a->data)[2 * i], ((double *)a->data)[2 * i + 1]); break;
        default: fprintf(f, "%lld\n", (long long)((int64_t *)a->data)[i]);
        }
    return !ferror(f);
}
