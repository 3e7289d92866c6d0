/* Where operands lie, and which of them may share elements (tesela.h says which). */
#include "exec/exec.h"

tsl_area tsl_area_of(const tsl_view *v)
{
    const tsl_matrix *mat = v->mat;
    const struct tsl_tiles *t = mat->tiles;
    tsl_area a = {.m = v->m, .n = v->n, .ld = mat->ld, .size = tsl_type_size(mat->type), .uplo = v->uplo, .unit = v->diag == TSL_UNIT && v->uplo,
                  .turned = v->op & TSL_TRANS, .reversed = mat->reversed};
    if (v->m == 0 || v->n == 0) return a;
    uintptr_t data = (uintptr_t)mat->data;
    if (t && t->wraps) data = (uintptr_t)t->tile[0].data, a.ld = t->tile[0].ld;
    else if (t) a.space = t, data = 0, a.ld = mat->m;
    a.at = data + (size_t)(v->i + v->j * a.ld) * a.size;
    if (a.ld == 0) a.n = a.ld = 1; /* an increment of zero */
    return a;
}

tsl_area tsl_locate_here(const tsl_call *c, int i, int k)
{
    (void)k;
    return tsl_area_of(&c->v[i]);
}

tsl_locate tsl_locate_for(const tsl_context *x, const tsl_call *c)
{
    const tsl_remote_ops *remote = tsl_remote_of(x, c);
    return remote ? remote->locate : tsl_locate_here;
}

bool tsl_stands_still(const tsl_call *c)
{
    bool zero = false;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) zero |= c->v[i].mat->ld == 0 && c->v[i].n > 1 && !c->v[i].mat->tiles;
    return zero;
}

bool tsl_by_elements(const tsl_call *c) { return !tsl_stands_still(c); }

static bool collide(const tsl_call *c, int i, int k, tsl_area a, tsl_area b)
{
    bool (*in_place)(const tsl_call *c) = tsl_rule[c->op]->in_place;
    a.vector = b.vector = in_place && tsl_is_vector(c->op, i) && tsl_is_vector(c->op, k);
    if (tsl_trait(c->op, TSL_COPIES)) { /* a triangle of one is one of both */
        tsl_uplo seen = c->v[i].uplo ? tsl_triangle(c->v[i]) : tsl_triangle(c->v[k]);
        tsl_uplo other = seen ? TSL_LOWER + TSL_UPPER - seen : seen;
        a.uplo = a.turned ? other : seen;
        b.uplo = b.turned ? other : seen;
    } else if (!tsl_only_read(c->op, i) && !tsl_only_read(c->op, k))
        a.uplo = b.uplo = TSL_GENERAL; /* posv by tiles writes whole tiles of both */
    return tsl_areas_meet(&a, &b, in_place && in_place(c) && !a.unplaced);
}

tsl_status tsl_check_apart(tsl_context *x, const tsl_call *c, tsl_locate locate)
{
    for (int k = 1; k < tsl_ops[c->op].operands; ++k)
        for (int i = 0; i < k; ++i) {
            if ((tsl_only_read(c->op, i) && tsl_only_read(c->op, k)) || !collide(c, i, k, locate(c, i, k), locate(c, k, i))) continue;
            return tsl_shared(x, c, k, i);
        }
    return TSL_OK;
}
