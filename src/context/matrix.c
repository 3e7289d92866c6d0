/* Matrices of a context: where their storage is, and which of them the caller holds. */
#include "context/context.h"

/* The device whose memory holds p; NULL: host memory. */
static tsl_device *home_of(tsl_context *x, const void *p)
{
    for (int d = 0; p && d < x->device_count; ++d)
        if (x->devices[d].be->owns(&x->devices[d], p)) return &x->devices[d];
    return NULL;
}

tsl_matrix tsl_borrow(tsl_context *x, tsl_type t, int64_t m, int64_t n, const void *data, int64_t ld)
{
    return (tsl_matrix){.ctx = x, .type = t, .m = m, .n = n, .ld = ld, .data = (void *)data, .home = home_of(x, data)};
}

/* Problems at pointers are all where the first is; so is the array of pointers, unless it is the host's. */
tsl_matrix tsl_borrow_batch(tsl_context *x, tsl_type t, int64_t count, const tsl_array *v)
{
    const void *first = !v->each ? v->p : home_of(x, v->each) ? (const void *)v->each : count > 0 ? v->each[0] : NULL;
    return (tsl_matrix){.ctx = x, .type = t, .m = v->m, .n = v->n, .ld = v->ld, .data = v->p, .home = home_of(x, first), .batch = true, .count = count,
                        .stride = v->stride, .each = v->each};
}

void tsl_matrix_keep(tsl_matrix *A)
{
    tsl_matrix **first = &A->ctx->matrices;
    A->next = *first;
    if (A->next) A->next->prev = A;
    *first = A;
    tsl_alive(&A->handle, NULL);
}

const tsl_remote_ops *tsl_remote_of(const tsl_context *x, const tsl_call *c)
{
    bool any = false;
    for (int i = 0; i < tsl_ops[c->op].operands; ++i) {
        if (c->v[i].mat && c->v[i].mat->remote) return c->v[i].mat->remote;
        any |= c->v[i].mat != NULL;
    }
    const tsl_matrix *m = any ? NULL : x->matrices;
    while (m && !m->remote) m = m->next;
    return m ? m->remote : NULL;
}
