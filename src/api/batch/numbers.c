/* Typed calls on batches that make numbers: one for each problem, in host or device memory. */
#include <string.h>

#include "api/batch/arguments.h"
#include "ops/lu/lu.h"
#include "ops/schur/geev.h"

tsl_status tsl_batch_count_first(check *k, tsl_call *c)
{
    tsl_status st = tsl_execute(k->d.x, c);
    return st || !k->result[0] ? st : tsl_count_first(k->d.x, k->l.schur.sort, c->v[1], c->v[2], k->result[0]);
}

/* Results, one for each problem, from here to where the caller wants them, or the other way */
static tsl_status bring(tsl_context *x, tsl_type t, int64_t count, const void *from, void *to)
{
    tsl_matrix a = tsl_borrow(x, t, count, 1, from, count), b = tsl_borrow(x, t, count, 1, to, count);
    if (!a.home && !b.home)
        return memcpy(to, from, tsl_times((size_t)count, tsl_type_size(t))), TSL_OK;
    return tsl_copy(x, tsl_whole(&a), tsl_whole(&b));
}

/* So many real numbers of type t, in the place of as many doubles, become these; and the reverse */
static void widen(tsl_type t, int64_t count, double *a)
{
    for (int64_t i = count - 1; i >= 0 && t == TSL_S; --i)
        a[i] = ((const float *)(void *)a)[i];
}

static void narrow(tsl_type t, int64_t count, double *a)
{
    for (int64_t i = 0; i < count && t == TSL_S; ++i)
        ((float *)(void *)a)[i] = (float)a[i];
}

tsl_status tsl_batch_norms(check *k, tsl_call *c)
{
    tsl_context *x = k->d.x;
    tsl_type real = tsl_real_type(k->l.type);
    int64_t count = k->l.count;
    size_t bytes = tsl_times((size_t)count, sizeof(double));
    double *value = tsl_host_alloc(&x->allocator, bytes);
    if (!value)
        return tsl_refuse(x, c, TSL_ERR_MEMORY, "%s", tsl_status_text(TSL_ERR_MEMORY));
    tsl_status st = tsl_execute_doubles(x, c, value, 0);
    narrow(real, count, value);
    if (!st)
        st = bring(x, real, count, value, k->result[0]);
    tsl_host_free(&x->allocator, value, bytes);
    return st;
}

/* 1 / (anorm |inv(A)|): with a norm of 1 first, then divided by each problem's own */
tsl_status tsl_batch_conditions(check *k, tsl_call *c)
{
    tsl_context *x = k->d.x;
    tsl_type real = tsl_real_type(k->l.type);
    int64_t count = k->l.count;
    size_t bytes = tsl_times(2 * (size_t)count, sizeof(double));
    double *rcond = tsl_host_alloc(&x->allocator, bytes), *anorm = rcond + count;
    if (!rcond)
        return tsl_refuse(x, c, TSL_ERR_MEMORY, "%s", tsl_status_text(TSL_ERR_MEMORY));
    c->norm.anorm = 1;
    tsl_status st = bring(x, real, count, k->result[0], anorm);
    widen(real, count, anorm);
    for (int64_t i = 0; i < count && !st; ++i)
        if (anorm[i] < 0)
            st = tsl_refuse(x, c, TSL_ERR_FLAG, "anorm of problem %lld is %g, must not be negative", (long long)i, anorm[i]);
    if (!st)
        st = tsl_execute_doubles(x, c, rcond, 1);
    for (int64_t i = 0; i < count && k->size[N]; ++i)
        rcond[i] = anorm[i] > 0 ? rcond[i] / anorm[i] : anorm[i];
    narrow(real, count, rcond);
    if (!st)
        st = bring(x, real, count, rcond, k->result[1]);
    tsl_host_free(&x->allocator, rcond, bytes);
    return st;
}

tsl_status tsl_batch_determinants(check *k, tsl_call *c)
{
    tsl_context *x = k->d.x;
    int64_t count = k->l.count;
    size_t bytes = tsl_times((size_t)count, sizeof(tsl_scalar) + sizeof(double));
    tsl_scalar *phase = tsl_host_alloc(&x->allocator, bytes);
    double *logabs = (double *)(phase + count);
    if (!phase)
        return tsl_refuse(x, c, TSL_ERR_MEMORY, "%s", tsl_status_text(TSL_ERR_MEMORY));
    c->v[0].uplo = k->l.uplo;
    tsl_status st = tsl_logdet_of(x, &k->d, c->v[0], c->v[1], phase, logabs);
    if (!st)
        tsl_narrow(k->l.type, count, phase);
    bool later = !tsl_borrow(x, TSL_D, count, 1, k->result[1], count).home; /* to the host's memory nothing can fail */
    if (!st && !later)
        st = bring(x, TSL_D, count, logabs, k->result[1]);
    if (!st)
        st = bring(x, k->l.type, count, phase, k->result[0]);
    if (!st && later)
        st = bring(x, TSL_D, count, logabs, k->result[1]);
    tsl_host_free(&x->allocator, phase, bytes);
    return st;
}
