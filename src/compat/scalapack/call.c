/* What every call does: its operands as views of distributed matrices, in place. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>

#include "compat/scalapack/scalapack.h"

enum { CONTEXT = 1 }; /* place in a descriptor */

pblas pblas_open(tsl_type type, const int *desc)
{
    pblas c = {.type = type, .blacs = desc[CONTEXT], .ctx = pblas_context(), .grid = pblas_grid(desc[CONTEXT])};
    if (!c.ctx || !c.grid) c.st = TSL_ERR_GRID;
    return c;
}

tsl_view pblas_take(pblas *c, const void *local, int i, int j, const int *desc, int m, int n)
{
    if (!c->st && desc[CONTEXT] != c->blacs) c->st = TSL_ERR_GRID;
    if (!c->st) c->st = tsl_matrix_wrap_desc(c->ctx, c->grid, c->type, desc, (void *)local, &c->mat[c->count]);
    return c->st ? (tsl_view){0} : tsl_sub(tsl_whole(c->mat[c->count++]), i - 1, j - 1, m, n);
}

bool pblas_close(pblas *c, tsl_status st)
{
    for (int i = 0; i < c->count; ++i) tsl_matrix_free(c->mat[i]);
    switch (c->st ? c->st : st) {
    case TSL_OK:
    case TSL_ERR_DEVICE:
    case TSL_ERR_MPI: return false; /* the operands may have changed */
    default: return true;
    }
}

static char upper(char letter) { return (char)toupper((unsigned char)letter); }

tsl_view pblas_seen(pblas *c, tsl_view v, char trans)
{
    switch (upper(trans)) {
    case 'N': return v;
    case 'T': return tsl_trans(v);
    case 'C': return tsl_herm(v);
    default: c->st = c->st ? c->st : TSL_ERR_FLAG; return v;
    }
}

tsl_view pblas_triangle(pblas *c, tsl_view v, char uplo, char diag)
{
    char u = upper(uplo), d = upper(diag);
    if (!c->st && ((u != 'L' && u != 'U') || (d != 'N' && d != 'U'))) c->st = TSL_ERR_FLAG;
    v = u == 'U' ? tsl_upper(v) : tsl_lower(v);
    return d == 'U' ? tsl_unit(v) : v;
}

tsl_side pblas_side(pblas *c, char side)
{
    char s = upper(side);
    if (!c->st && s != 'L' && s != 'R') c->st = TSL_ERR_FLAG;
    return s == 'R' ? TSL_RIGHT : TSL_LEFT;
}

bool pblas_plain(pblas *c, char trans)
{
    char t = upper(trans);
    if (!c->st && t != 'N' && t != 'T' && t != 'C') c->st = TSL_ERR_FLAG;
    return t == 'N';
}

void *pblas_next(const char *symbol) { return dlsym(RTLD_NEXT, symbol); }
