/* Batches: problems of one shape, and the call on some of them, or on one. */
#include "exec/batch.h"

bool tsl_is_all(const tsl_view *v) { return v->mat && v->mat->batch && !v->problem; }

bool tsl_is_batch(const tsl_call *c)
{
    bool any = false;
    for (int i = 0; i < tsl_operands(c); ++i) any |= tsl_is_all(&c->v[i]);
    return any;
}

int64_t tsl_count_of(const tsl_call *c)
{
    int i = 0;
    while (!tsl_is_all(&c->v[i])) ++i;
    return c->v[i].mat->count;
}

/* Problems from..from + count of an operand */
static tsl_matrix part_of(const tsl_matrix *a, int64_t from, int64_t count)
{
    tsl_matrix part = *a;
    part.count = count;
    if (a->each) part.each = a->each + from;
    else part.data = (char *)a->data + (size_t)(from * a->stride) * tsl_type_size(a->type);
    return part;
}

static tsl_matrix one_of(const tsl_matrix *a, int64_t k, void *place)
{
    tsl_matrix one = part_of(a, k, 1);
    one.batch = false;
    if (a->each) one.data = place;
    one.each = NULL;
    one.count = one.stride = 0;
    return one;
}

tsl_call tsl_problems_of(const tsl_call *c, int64_t from, int64_t count, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call part = *c;
    for (int i = 0; i < tsl_operands(c); ++i) {
        if (!tsl_is_all(&c->v[i])) continue;
        mat[i] = part_of(c->v[i].mat, from, count);
        part.v[i].mat = &mat[i];
    }
    return part;
}

tsl_call tsl_problem_of(const tsl_call *c, int64_t k, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    tsl_call one = *c;
    for (int i = 0; i < tsl_operands(c); ++i) {
        const tsl_matrix *a = c->v[i].mat;
        if (!tsl_is_all(&c->v[i])) continue;
        mat[i] = one_of(a, k, a->each ? a->each[k] : NULL);
        one.v[i].mat = &mat[i];
    }
    return one;
}

bool tsl_pointers_are_far(const tsl_matrix *a)
{
    return a->each && a->home && !a->home->shares_host && a->home->be->owns(a->home, a->each);
}

tsl_status tsl_pick_problems(tsl_context *x, tsl_call *c, tsl_matrix mat[TSL_MAX_OPERANDS])
{
    for (int i = 0; i < tsl_operands(c); ++i) {
        tsl_view *v = &c->v[i];
        if (!v->mat || !v->problem) continue;
        const tsl_matrix *a = v->mat;
        const char *name = tsl_ops[c->op].operand[i].name;
        int64_t k = v->problem - 1;
        if (!a->batch || k < 0 || k >= a->count)
            return tsl_refuse(x, c, TSL_ERR_VIEW, "%s is problem %lld of %s", name, (long long)k, a->batch ? "a batch that has fewer" : "what is no batch");
        void *place = NULL;
        tsl_status st = TSL_OK;
        if (tsl_pointers_are_far(a)) st = tsl_read_from(x, a->home, &place, &a->each[k], sizeof place);
        else if (a->each) place = a->each[k];
        if (st) return st;
        if (a->each && !place && v->m > 0 && v->n > 0) return tsl_refuse(x, c, TSL_ERR_NULL, "%s: the pointer to problem %lld is null", name, (long long)k);
        mat[i] = one_of(a, k, place);
        v->mat = &mat[i];
        v->problem = 0;
    }
    return TSL_OK;
}
