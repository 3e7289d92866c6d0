/* Operands of a batch that live elsewhere than on the computing device: brought there without gaps, all problems at once, and
 * written ones put back. Problems with gaps between them, or each at a pointer of its own, are packed on the host first, so
 * that one transfer does. */
#include <string.h>

#include "exec/batch.h"

/* What there is to move: of one matrix for all problems, that */
static int64_t problems(const tsl_view *v) { return v->mat->batch && (v->mat->stride || v->mat->each) ? v->mat->count : 1; }

static size_t bytes_of(const tsl_view *v) { return tsl_dense_bytes(v->mat->type, v->m, v->n); }

size_t tsl_batch_stage_bytes(const tsl_call *c)
{
    size_t sum = 0;
    for (int i = 0; i < tsl_operands(c); ++i) sum = tsl_plus(sum, bytes_of(&c->v[i]) + sizeof(void *));
    return sum;
}

static char *place(const tsl_view *v, int64_t k)
{
    const tsl_matrix *a = v->mat;
    size_t size = tsl_type_size(a->type), offset = (size_t)(v->i + v->j * a->ld) * size;
    return (a->each ? (char *)a->each[k] : (char *)a->data + (size_t)(k * a->stride) * size) + offset;
}

/* Whole columns, one after the other: a problem is one run of memory. */
static bool runs(const tsl_view *v) { return v->mat->ld == v->m || v->n == 1; }

/* Between the problems and a packed copy of them, on the host */
typedef struct packing {
    const tsl_view *v;
    char *packed;
    bool out;
    int64_t each; /* problems to a part */
} packing;

static void pack_part(const void *job, size_t part)
{
    const packing *p = job;
    size_t column = tsl_times((size_t)p->v->m, tsl_type_size(p->v->mat->type)), ld = tsl_times((size_t)p->v->mat->ld, tsl_type_size(p->v->mat->type));
    int64_t from = (int64_t)part * p->each, to = tsl_min(from + p->each, problems(p->v));
    for (int64_t k = from; k < to; ++k) {
        char *at = place(p->v, k), *packed = p->packed + (size_t)k * bytes_of(p->v);
        for (int64_t j = 0; j < p->v->n; ++j, at += ld, packed += column) memcpy(p->out ? at : packed, p->out ? packed : at, column);
    }
}

static void pack(const tsl_view *v, void *packed, bool out)
{
    enum { PARTS = 64 };
    packing p = {v, packed, out, tsl_max(1, tsl_pieces(problems(v), PARTS))};
    tsl_thread_pool_work(pack_part, &p, (size_t)tsl_pieces(problems(v), p.each));
}

/* All problems in one transfer; `at` is their place elsewhere, without gaps but perhaps between problems */
static tsl_status move(tsl_context *x, const tsl_view *v, const tsl_matrix *copy, char *at, size_t pitch, bool out)
{
    size_t bytes = bytes_of(v), count = (size_t)problems(v);
    if (pitch == bytes || count == 1) bytes = tsl_times(bytes, count), pitch = bytes, count = 1;
    tsl_move m = out ? (tsl_move){at, pitch, copy->data, bytes, bytes, count} : (tsl_move){copy->data, bytes, at, pitch, bytes, count};
    return tsl_carry(x, v->mat->home, &m, out);
}

/* The problems of another device's memory, one transfer each */
static tsl_status move_each(tsl_context *x, const tsl_view *v, const tsl_matrix *copy, bool out)
{
    size_t size = tsl_type_size(v->mat->type), rows = tsl_times((size_t)v->m, size), ld = tsl_times((size_t)v->mat->ld, size), cols = (size_t)v->n;
    tsl_status st = TSL_OK;
    for (int64_t k = 0; k < problems(v) && !st; ++k) {
        char *at = place(v, k), *here = (char *)copy->data + (size_t)k * bytes_of(v);
        tsl_move m = out ? (tsl_move){at, ld, here, rows, rows, cols} : (tsl_move){here, rows, at, ld, rows, cols};
        st = tsl_carry(x, v->mat->home, &m, out);
    }
    return st;
}

static tsl_status carry(tsl_context *x, const tsl_view *v, tsl_batch_staging *s, int i, bool out)
{
    tsl_device *home = v->mat->home;
    tsl_status st = out ? tsl_computed(x, home) : TSL_OK;
    if (st) return st;
    if (runs(v) && !v->mat->each) st = move(x, v, &s->copy[i], place(v, 0), tsl_times((size_t)v->mat->stride, tsl_type_size(v->mat->type)), out);
    else if (home) st = move_each(x, v, &s->copy[i], out);
    else st = move(x, v, &s->copy[i], s->packed[i], bytes_of(v), out);
    tsl_status late = tsl_carried(x, home);
    return st ? st : late;
}

/* A dry run's operands are nowhere: nobody looks at them. */
static tsl_status take_memory(tsl_context *x, size_t bytes, void **p)
{
    tsl_status st = tsl_arena_get(&x->lanes[TSL_MAIN].arena, bytes, p);
    if (x->run->dry) *p = tsl_nowhere(x, TSL_S, 0, 0).data;
    return st;
}

static tsl_status take(tsl_context *x, tsl_batch_staging *s, tsl_view *v, int i)
{
    void *p;
    tsl_status st = take_memory(x, tsl_times(bytes_of(v), (size_t)problems(v)), &p);
    if (st) return st;
    s->original[i] = *v;
    s->copy[i] = (tsl_matrix){.ctx = x, .type = v->mat->type, .m = v->m, .n = v->n, .ld = v->m, .data = p, .home = x->dev, .batch = v->mat->batch,
                              .count = v->mat->count, .stride = v->mat->stride || v->mat->each ? v->m * v->n : 0};
    s->staged[i] = true;
    v->mat = &s->copy[i];
    v->i = v->j = 0;
    return TSL_OK;
}

/* Pointers of the host's, to problems in the device's memory, are to go to the device. Those of a view without elements stay
 * where the host can read them: nobody else does. */
static tsl_status take_pointers(tsl_context *x, tsl_batch_staging *s, tsl_view *v, int i)
{
    const tsl_matrix *a = v->mat;
    s->pointers[i] = NULL;
    if (!a->batch || !a->each || v->m == 0 || v->n == 0 || x->dev->shares_host || tsl_pointers_are_far(a)) return TSL_OK;
    tsl_status st = take_memory(x, tsl_times((size_t)a->count, sizeof *a->each), &s->pointers[i]);
    s->given[i] = a->each;
    s->copy[i] = *a;
    s->copy[i].each = s->pointers[i];
    v->mat = &s->copy[i];
    return st;
}

tsl_status tsl_batch_stage_take(tsl_context *x, tsl_call *c, tsl_batch_staging *s)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_operands(c) && !st; ++i)
        st = (s->staged[i] = tsl_is_staged(x, &c->v[i])) ? take(x, s, &c->v[i], i) : take_pointers(x, s, &c->v[i], i);
    return st;
}

tsl_status tsl_batch_stage_open(tsl_context *x, const tsl_call *c, tsl_batch_staging *s)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_operands(c) && !st; ++i) {
        const tsl_view *v = &c->v[i];
        if (!tsl_is_staged(x, v) || v->mat->home || (runs(v) && !v->mat->each)) continue;
        s->bytes[i] = tsl_times(bytes_of(v), (size_t)problems(v));
        s->packed[i] = tsl_host_alloc(&x->allocator, s->bytes[i]);
        if (!s->packed[i]) st = TSL_ERR_MEMORY;
    }
    return st;
}

tsl_status tsl_batch_stage_in(tsl_context *x, const tsl_call *c, tsl_batch_staging *s)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_operands(c) && !st; ++i) {
        size_t bytes = s->pointers[i] ? tsl_times((size_t)s->copy[i].count, sizeof(void *)) : 0;
        if (s->pointers[i] && !s->staged[i])
            st = x->dev->be->copy2d(x->lanes[TSL_MAIN].q, s->pointers[i], bytes, s->given[i], bytes, bytes, 1, TSL_TO_DEVICE);
        if (!s->staged[i] || !tsl_needs_contents(c, i)) continue;
        if (s->packed[i]) pack(&s->original[i], s->packed[i], false);
        st = carry(x, &s->original[i], s, i, false);
    }
    return st;
}

tsl_status tsl_batch_stage_out(tsl_context *x, const tsl_call *c, tsl_batch_staging *s)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < tsl_operands(c) && !st; ++i)
        if (s->staged[i] && tsl_writes(c, i)) st = carry(x, &s->original[i], s, i, true);
    bool packed = false;
    for (int i = 0; i < tsl_operands(c); ++i) packed |= s->packed[i] && tsl_writes(c, i);
    if (packed && !st) st = tsl_drain(x);
    for (int i = 0; i < tsl_operands(c) && !st; ++i)
        if (s->packed[i] && tsl_writes(c, i)) pack(&s->original[i], s->packed[i], true);
    return st;
}

void tsl_batch_stage_close(tsl_context *x, tsl_batch_staging *s)
{
    for (int i = 0; i < TSL_MAX_OPERANDS; ++i) {
        tsl_host_free(&x->allocator, s->packed[i], s->bytes[i]);
        s->packed[i] = NULL;
    }
}
