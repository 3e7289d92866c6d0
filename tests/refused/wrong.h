/* All that can be wrong with the arguments of a call. */
#ifndef REFUSED_WRONG_H
#define REFUSED_WRONG_H

#include "refused/trial.h"

enum { REFUSED = (int)(~0u ^ ST(TSL_OK)) };

/* The call with argument i as given */
#define WITH(t, i, field, to, wanted, ...)         \
    do {                                           \
        value changed_[MOST];                      \
        memcpy(changed_, (t)->a, sizeof changed_); \
        changed_[i].field = (to);                  \
        attempt(t, changed_, wanted, __VA_ARGS__); \
    } while (0)

static inline void wrong_view(trial *t, int i)
{
    const argument *a = &t->l->arguments[i];
    tsl_view v = t->a[i].v, w;
    if (!v.mat) return;
    WITH(t, i, v, (tsl_view){0}, has(a, '?') ? ANY : (unsigned)(ST(TSL_ERR_VIEW) | ST(TSL_ERR_NULL)) | (has(a, '0') ? ST(TSL_ERR_SHAPE) : 0), "%s without a matrix", a->name);
#define OUTSIDE(field, to) w = v, w.field = (to), w.uplo = v.uplo, (void)0; WITH(t, i, v, w, ST(TSL_ERR_VIEW), "%s with " #field " = " #to, a->name)
    OUTSIDE(i, -1);
    OUTSIDE(j, -1);
    OUTSIDE(i, v.m);
    OUTSIDE(m, v.m + 1);
    OUTSIDE(n, v.n + 1);
    OUTSIDE(n, -1);
    OUTSIDE(m, INT64_MAX);
    OUTSIDE(j, INT64_MIN);
#undef OUTSIDE
#define FLAGGED(field, type, to) w = v, w.field = (type)(to); WITH(t, i, v, w, ST(TSL_ERR_FLAG), "%s with " #field " = " #to, a->name)
    FLAGGED(op, tsl_op, 4);
    FLAGGED(op, tsl_op, -1);
    FLAGGED(uplo, tsl_uplo, 3);
    FLAGGED(uplo, tsl_uplo, 9);
    FLAGGED(uplo, tsl_uplo, -1);
    FLAGGED(diag, tsl_diag, 2);
#undef FLAGGED
    /* as others have it: it may be accepted */
    for (int op = 1; op < 4; ++op) WITH(t, i, v, (w = v, w.op = (tsl_op)op, w), ANY, "%s seen through op %d", a->name, op);
    for (int uplo = 0; uplo < 3; ++uplo) WITH(t, i, v, (w = v, w.uplo = (tsl_uplo)uplo, w), ANY, "%s as triangle %d", a->name, uplo);
    WITH(t, i, v, tsl_unit(tsl_lower(v)), ANY, "%s with a unit diagonal", a->name);
    if (v.m > 0) WITH(t, i, v, (w = v, --w.m, w), ANY, "%s with a row less", a->name);
    if (v.n > 0) WITH(t, i, v, (w = v, --w.n, w), ANY, "%s with a column less", a->name);
    WITH(t, i, v, (w = v, w.n = 0, w), ANY, "%s without columns", a->name);
    WITH(t, i, v, (w = v, w.m = w.n = 0, w), ANY, "%s without elements", a->name);
    WITH(t, i, v, (w = v, w.problem = 1, w), ANY, "%s as problem 1", a->name);
    WITH(t, i, v, (w = v, w.problem = 3, w), REFUSED, "%s as problem 3", a->name);
}

/* Is there a type of which operand i, as `other`, and all the rest suit? */
static inline bool suits(const trial *t, int i, tsl_type other)
{
    bool any = has(&t->l->arguments[i], '*');
    for (int type = TSL_S; type <= TSL_Z && !any; ++type) {
        any = true;
        for (int k = 0; k < t->l->count; ++k) {
            const argument *a = &t->l->arguments[k];
            if (a->kind == VIEW && world_size(t->w, a->rows)) any &= world_type((tsl_type)type, a) == (k == i ? other : world_type(t->type, a));
        }
    }
    return any;
}

/* Of another context, another type, another layout */
static inline void wrong_matrix(trial *t, int i)
{
    const argument *a = &t->l->arguments[i];
    world *w = t->w;
    const char *slot = w->base + (size_t)i * w->slot;
    tsl_type right = world_type(t->type, a);
    tsl_matrix *mat;
    if (!t->a[i].v.mat) return;
    if (!w->far) {
        mat = placed(t, i, slot, right, 0, w->other);
        WITH(t, i, v, seen(mat, a), ST(TSL_ERR_CONTEXT), "%s of another context", a->name);
        tsl_matrix_free(mat);
    }
    for (int other = TSL_S; other <= TSL_INDEX; ++other) {
        if (other == (int)right) continue;
        mat = placed(t, i, slot, (tsl_type)other, 0, w->x);
        WITH(t, i, v, seen(mat, a), suits(t, i, (tsl_type)other) ? ANY : ST(TSL_ERR_TYPE), "%s of type %c", a->name, tsl_type_letter((tsl_type)other));
        tsl_matrix_free(mat);
    }
    for (int tile = w->tile ? 0 : 3; tile < 5; tile += w->tile && !tile ? 3 : 1) {
        mat = placed(t, i, slot, right, tile, w->x);
        WITH(t, i, v, seen(mat, a), ANY, "%s in tiles of %d", a->name, tile);
        tsl_matrix_free(mat);
    }
    int64_t m = world_size(w, a->rows), n = world_size(w, a->cols);
    check(!tsl_batch_wrap(w->x, right, m, n, (void *)slot, world_ld(w, a), 0, 2, &mat), "a batch");
    WITH(t, i, v, seen(mat, a), ANY, "%s as a batch", a->name);
    tsl_matrix_free(mat);
}

/* Operands i and k share memory: all of it, or the first element of k is the last of i */
static inline void wrong_overlap(trial *t, bool lax)
{
    const line *l = t->l;
    for (int k = 0; k < l->count; ++k)
        for (int i = 0; i < l->count; ++i) {
            const argument *a = &l->arguments[i], *b = &l->arguments[k];
            if (i == k || !is_operand(a) || !is_operand(b) || !(has(a, 'w') || has(b, 'w')) || !strcmp(a->rows, "0") || !strcmp(b->rows, "0")) continue;
            int64_t m = world_size(t->w, a->rows), n = world_size(t->w, a->cols);
            size_t last = (size_t)(m - 1 + (n - 1) * world_ld(t->w, a)) * tsl_type_size(world_type(t->type, a));
            for (int end = 0; end < 2; ++end) {
                char *at = t->w->base + (size_t)i * t->w->slot + (end ? last : 0);
                bool may = lax || (has(a, '=') && has(b, '=')), by_value = !strcmp(t->setting, " range=V");
                unsigned right = may ? ANY : ST(TSL_ERR_OVERLAP) | (has(b, 'i') && !has(b, 'w') ? ST(TSL_ERR_PIVOT) : 0);
                if (end && strstr(l->name, "_batch")) continue; /* problems are compared with those of the same number, and others must not meet */
                if (end && by_value && !strcmp(a->name, "Z")) continue; /* of how many columns it is only the call finds out */
                if (b->kind == ARRAY) {
                    WITH(t, k, p, at, right, "%s in %s, end %d", b->name, a->name, end);
                    continue;
                }
                tsl_matrix *mat = placed(t, k, at, world_type(t->type, b), t->w->tile, t->w->x);
                WITH(t, k, v, seen(mat, b), right ? right | (t->w->tile ? ST(TSL_ERR_LAYOUT) : 0) : ANY, "%s in %s, end %d", b->name, a->name, end);
                tsl_matrix_free(mat);
            }
        }
}

static inline void wrong_number(trial *t, int i)
{
    const argument *a = &t->l->arguments[i];
    char text[32];
    for (const char *at = a->flags; *at; at += *at == ' ') {
        int used = 0;
        sscanf(at, "%31[^ ]%n", text, &used);
        at += used;
        WITH(t, i, i, world_size(t->w, text), (unsigned)REFUSED & ~ST(TSL_ERR_MEMORY) & ~ST(TSL_ERR_DEVICE_MEMORY), "%s = %s", a->name, text);
    }
}

static inline void wrong_selection(trial *t, int i)
{
    int64_t n = world_size(t->w, "n");
    const tsl_selection bad[] = {{.range = (tsl_range)3}, {.range = (tsl_range)-1}, {.range = TSL_RANGE_INDEX, .il = 0, .iu = 2}, {.range = TSL_RANGE_INDEX, .il = 1, .iu = n + 1},
                                 {.range = TSL_RANGE_INDEX, .il = 5, .iu = 2}, {.range = TSL_RANGE_VALUE, .vl = 1, .vu = 1}, {.range = TSL_RANGE_VALUE, .vl = NAN, .vu = 1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) WITH(t, i, p, (void *)&bad[k], ST(TSL_ERR_FLAG) | ST(TSL_ERR_SIZE), "%s number %d", t->l->arguments[i].name, (int)k);
}

static inline void wrong_argument(trial *t, int i)
{
    const argument *a = &t->l->arguments[i];
    switch (a->kind) {
    case VIEW: wrong_view(t, i), wrong_matrix(t, i); break;
    case ARRAY: WITH(t, i, p, NULL, has(a, '?') ? ANY : ST(TSL_ERR_NULL), "%s NULL", a->name); break;
    case PLACE: WITH(t, i, p, NULL, has(a, '?') ? ANY : ST(TSL_ERR_NULL), "%s NULL", a->name); break;
    case LEAD: WITH(t, i, i, world_size(t->w, a->rows) - 1, ST(TSL_ERR_LD), "%s too small", a->name); break;
    case STEP: WITH(t, i, i, 0, ANY, "%s zero", a->name); break;
    case LETTER:
        for (const char *c = "?@ \x7f"; ; ++c) {
            WITH(t, i, c, *c, ST(TSL_ERR_FLAG), "%s '%c'", a->name, *c);
            if (!*c) break;
        }
        break;
    case MEMBER:
        for (int k = -1; k < 10; k += k < 0 ? 6 : 4) WITH(t, i, i, k, ST(TSL_ERR_FLAG), "%s = %d", a->name, k);
        break;
    case NUMBER: wrong_number(t, i); break;
    case SELECTION: wrong_selection(t, i); break;
    case SCALAR: WITH(t, i, z, CMPLX(1, 1), tsl_is_complex(t->type) ? ANY : ST(TSL_ERR_TYPE), "%s complex", a->name); break;
    case REAL: WITH(t, i, z, 0, ANY, "%s zero", a->name); break;
    }
}

/* Each allocation refused, alone or with all that follow. Tiles that are on their way are lost then: their matrix is undefined. */
static inline void wrong_memory(trial *t, bool twice)
{
    if (t->w->tile || strncmp(t->w->devices, "host", 4)) return; /* a GPU's memory is not the hook's */
    unsigned right = ST(TSL_OK) | ST(TSL_ERR_MEMORY) | ST(TSL_ERR_DEVICE_MEMORY);
    tsl_trim_workspace(t->w->x);
    long calls = t->w->calls;
    if (attempt(t, t->a, ANY, "with all memory")) return;
    calls = t->w->calls - calls;
    for (long k = 1; k <= calls; ++k)
        for (int all = 0; all <= twice; ++all) {
            tsl_trim_workspace(t->w->x);
            t->w->refuse = (all ? -1 : 1) * (t->w->calls + k);
            attempt(t, t->a, right, "allocation %ld of %ld%s refused", k, calls, all ? ", and all that follow," : "");
        }
}

#endif
