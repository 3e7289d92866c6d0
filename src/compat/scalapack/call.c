/* What every call does: its operands as views of distributed matrices, in place. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/scalapack/scalapack.h"
#include "core/log.h"
#include "grid/entry.h"

enum { CONTEXT = 1 }; /* place in a descriptor */
enum { FAILED = 10000 }; /* info of a call that failed: -FAILED - status; ScaLAPACK's own are above -2000 */

/* The order up to which the ScaLAPACK underneath is quicker, since it asks nobody before it begins: measured in
 * docs/cluster.md. TESELA_PASS names another. */
static double small_order(void)
{
    static double order = -1;
    if (order >= 0) return order;
    const char *text = getenv("TESELA_PASS");
    char *end = NULL;
    double asked = text && *text ? strtod(text, &end) : 0;
    bool good = end && !*end && asked >= 0;
    if (text && *text && !good) tsl_ignored(TSL_SETTING_PASS, "TESELA_PASS=%s ignored: it is no order of a matrix", text);
    return order = good ? asked : 128;
}

static bool small(const pblas *c)
{
    double order = small_order();
    return (double)c->size[0] * c->size[1] * c->size[2] <= order * order * order;
}

/* Its name without Fortran's underscore */
static int letters(const pblas *c)
{
    size_t length = strlen(c->symbol);
    return (int)(c->symbol[length - 1] == '_' ? length - 1 : length);
}

/* One process speaks for all. Silence costs nothing: small calls come by the thousand. */
static void say(tsl_log_level level, const pblas *c, const char *what, const char *why)
{
    static int silent = -1;
    int at[2];
    if (silent < 0) silent = !getenv("TESELA_LOG");
    if (silent) return;
    if (pblas_place(c->blacs, at) && at[0] == 0 && at[1] == 0)
        tsl_log(level, "%.*s (%d x %d x %d): %s%s%s", letters(c), c->symbol, c->size[0], c->size[1], c->size[2], what,
                *why ? ": " : "", why);
}

pblas pblas_open(tsl_type type, const char *symbol, void **next, const int *desc, int m, int n, int k)
{
    if (!*next) *next = pblas_next(symbol);
    pblas c = {.type = type, .symbol = symbol, .size = {m, n, k}, .blacs = desc[CONTEXT], .next = *next};
    c.passes = c.next && small(&c);
    if (c.passes) {
        say(TSL_LOG_INFO, &c, "passed on", "it is small");
        return c;
    }
    c.grid = pblas_grid(c.blacs, &c.none.mat);
    c.none.i = -1;
    c.ctx = c.grid ? pblas_context() : NULL;
    if (!c.grid && c.next) {
        say(TSL_LOG_INFO, &c, "passed on", "no grid or no context for it");
        c.passes = true;
    }
    return c;
}

tsl_view pblas_take(pblas *c, const void *local, int i, int j, const int *desc, int m, int n)
{
    if (!c->grid) return c->none;
    if (!c->st && desc[CONTEXT] != c->blacs) c->st = TSL_ERR_GRID;
    if (!c->st) c->st = tsl_wrap_desc_alone(c->ctx, c->grid, c->type, desc, (void *)local, &c->mat[c->count]);
    if (c->st) return c->none;
    tsl_view block = tsl_sub(tsl_whole(c->mat[c->count++]), i - 1, j - 1, m, n);
    return block.mat ? block : c->none;
}

tsl_view pblas_pivots(pblas *c, const int *ipiv, int from, const int *desc, bool cols, int count)
{
    if (!c->grid) return c->none;
    if (!c->st) c->st = tsl_vector_desc_alone(c->ctx, c->grid, TSL_INDEX, desc, cols, from - 1 + count, NULL, &c->mat[c->count]);
    if (c->st) return c->none;
    tsl_view p = tsl_sub(tsl_whole(c->mat[c->count++]), from - 1, 0, count, 1), own = tsl_local(p);
    int64_t *to = p.mat ? (int64_t *)tsl_matrix_data(p.mat) + own.i : NULL;
    for (int64_t i = 0; to && ipiv && i < own.m; ++i) to[i] = (int64_t)ipiv[own.i + i] - (from - 1);
    return p.mat ? p : c->none;
}

void pblas_pivots_back(tsl_view p, int *ipiv)
{
    tsl_view own = tsl_local(p);
    const int64_t *from = (const int64_t *)tsl_matrix_data(p.mat) + own.i;
    for (int64_t i = 0; i < own.m; ++i) ipiv[own.i + i] = (int)(from[i] + p.i);
}

tsl_view pblas_vector(pblas *c, const void *local, int from, const int *desc, bool cols, int count)
{
    if (!c->grid) return c->none;
    if (!c->st) c->st = tsl_vector_desc_alone(c->ctx, c->grid, c->type, desc, cols, from - 1 + count, (void *)local, &c->mat[c->count]);
    if (c->st) return c->none;
    tsl_view v = tsl_sub(tsl_whole(c->mat[c->count++]), from - 1, 0, count, 1);
    return v.mat ? v : c->none;
}

tsl_view pblas_everywhere(pblas *c, void *local, int count)
{
    tsl_type real = c->type == TSL_S || c->type == TSL_C ? TSL_S : TSL_D;
    if (!c->grid) return c->none;
    if (!c->st) c->st = tsl_everywhere_alone(c->ctx, c->grid, real, count, local, &c->mat[c->count]);
    return c->st ? c->none : tsl_whole(c->mat[c->count++]);
}

static void fail(const pblas *c, tsl_status st, int *info)
{
    const char *why = st == TSL_ERR_GRID ? "no grid of its processes, and no ScaLAPACK underneath" : tsl_error(c->ctx);
    int at[2] = {-1, -1};
    if (info) {
        *info = -FAILED - (int)st;
        say(TSL_LOG_ERROR, c, "failed", why);
        return;
    }
    pblas_place(c->blacs, at);
    fprintf(stderr, "{%5d,%5d}:  %.*s failed: %s\n", at[0], at[1], letters(c), c->symbol, why);
    pblas_abort(c->blacs, (int)st);
}

void pblas_close(pblas *c, tsl_status st, int64_t outcome, int *info)
{
    for (int i = 0; i < c->count; ++i) tsl_matrix_free(c->mat[i]);
    if (!c->grid) st = TSL_ERR_GRID;
    if (st == TSL_OK) {
        if (info) *info = (int)outcome;
        say(TSL_LOG_INFO, c, "computed here", "");
        return;
    }
    /* Where MPI failed the processes may not have come equally far: all must decide the same. */
    c->passes = c->next && st != TSL_ERR_MPI && st != TSL_ERR_LATE && !(c->grid && tsl_grid_touched(c->grid));
    if (c->passes) say(TSL_LOG_INFO, c, "passed on", tsl_error(c->ctx));
    else fail(c, st, info);
}

static char upper(char letter) { return (char)toupper((unsigned char)letter); }

/* A letter that is none: the view is refused, by all processes. */
static tsl_view strange(pblas *c)
{
    if (!c->st) c->st = TSL_ERR_FLAG;
    return c->none;
}

tsl_view pblas_seen(pblas *c, tsl_view v, char trans)
{
    switch (upper(trans)) {
    case 'N': return v;
    case 'T': return tsl_trans(v);
    case 'C': return tsl_herm(v);
    default: return strange(c);
    }
}

tsl_view pblas_triangle(pblas *c, tsl_view v, char uplo, char diag)
{
    char u = upper(uplo), d = upper(diag);
    if ((u != 'L' && u != 'U') || (d != 'N' && d != 'U')) return strange(c);
    v = u == 'U' ? tsl_upper(v) : tsl_lower(v);
    return d == 'U' ? tsl_unit(v) : v;
}

tsl_side pblas_side(pblas *c, char side)
{
    char s = upper(side);
    if (s != 'L' && s != 'R') strange(c);
    return s == 'R' ? TSL_RIGHT : TSL_LEFT;
}

bool pblas_plain(pblas *c, char trans)
{
    char t = upper(trans);
    if (t != 'N' && t != 'T' && t != 'C') strange(c);
    return t == 'N';
}

tsl_norm_kind pblas_norm(pblas *c, char norm)
{
    switch (upper(norm)) {
    case 'M': return TSL_NORM_MAX;
    case 'O':
    case '1': return TSL_NORM_ONE;
    case 'I': return TSL_NORM_INF;
    case 'F':
    case 'E': return TSL_NORM_FRO;
    default: strange(c); return TSL_NORM_MAX;
    }
}

void *pblas_next(const char *symbol) { return dlsym(RTLD_NEXT, symbol); }
