/* An operand of a call: a block somewhere in a matrix of its own, stored in any way there is. What is around the block must stay as it is, and so must
 * the block if it is only read, or if the call is refused. */
#ifndef FUZZ_OPERAND_H
#define FUZZ_OPERAND_H

#include "exec/exec.h"
#include "world.h"

typedef enum usage { READ, WRITTEN } usage;

typedef struct operand {
    tsl_type t;
    usage usage;
    place place;
    int64_t m, n, i, j, rows, cols, nb; /* the block, where it begins, and the matrix it is of */
    guarded g;
    dense d;         /* the caller's array */
    size_t past;     /* bytes after the last element */
    dense was;       /* all of the matrix before the call */
    tsl_matrix *mat;
} operand;

static inline tsl_type real_of(tsl_type t) { return t == TSL_C ? TSL_S : t == TSL_Z ? TSL_D : t; }

static inline tsl_scalar element_get(const dense *d, int64_t i, int64_t j)
{
    return d->t == TSL_INDEX ? (double)*(const int64_t *)dense_at(d, i, j) : dense_get(d, i, j);
}

static inline void element_put(const dense *d, int64_t i, int64_t j, tsl_scalar v)
{
    if (d->t == TSL_INDEX) *(int64_t *)dense_at(d, i, j) = (int64_t)creal(v);
    else dense_put(d, i, j, v);
}

static inline bool operand_is_array(const operand *o) { return o->place == ON_HOST || o->place == TILED_HOST; }

/* The devices' memory without its limit, for copies of the test's own; and with it again: what is kept must not be more */
static inline void limits_off(world *w, bool off)
{
    bool more = false;
    if (!w->limited || w->gpu) return;
    for (int d = 0; d < w->x->device_count; d++) {
        tsl_device *dev = &w->x->devices[d];
        dev->limit = off ? SIZE_MAX : w->limit;
        more |= dev->used > dev->limit;
    }
    if (more) tsl_trim(w->x);
}

/* Between all of the matrix and an array of the test's */
static inline void operand_move(world *w, operand *o, dense *all, bool fetch)
{
    size_t column = (size_t)o->rows * tsl_type_size(o->t);
    if (operand_is_array(o)) {
        for (int64_t j = 0; j < o->cols && o->rows; j++) {
            if (fetch) memcpy(dense_at(all, 0, j), dense_at(&o->d, 0, j), column);
            else memcpy(dense_at(&o->d, 0, j), dense_at(all, 0, j), column);
        }
        return;
    }
    tsl_matrix *m = NULL;
    limits_off(w, true);
    tsl_status st = tsl_matrix_wrap(w->x, o->t, o->rows, o->cols, all->data, all->ld, &m);
    if (!st) st = fetch ? tsl_copy(w->x, tsl_whole(o->mat), tsl_whole(m)) : tsl_copy(w->x, tsl_whole(m), tsl_whole(o->mat));
    if (!st) st = tsl_wait(w->x);
    if (st) complain(w, "moving an operand: %s %s", tsl_status_name(st), tsl_error(w->x));
    tsl_matrix_free(m);
    limits_off(w, false);
}

static inline tsl_status operand_storage(world *w, operand *o)
{
    size_t size = tsl_type_size(o->t);
    if (operand_is_array(o)) {
        int64_t ld = tsl_max(1, o->rows + (chance(w, 3) ? 0 : below(w, 5)));
        size_t bytes = o->rows && o->cols ? (size_t)(ld * (o->cols - 1) + o->rows) * size : 0;
        /* OpenBLAS's own LAPACK may read a column past the end (0.3.21's cgemv_n reads an element of a strided x too many): what is there must only stay as it is */
        o->past = (size_t)(ld + 16) * size;
        o->g = guarded_make(bytes + o->past, size);
        o->d = (dense){.t = o->t, .m = o->rows, .n = o->cols, .ld = ld, .cols = o->cols, .bytes = bytes, .data = o->g.data};
    }
    switch (o->place) {
    case ON_HOST: return tsl_matrix_wrap(w->x, o->t, o->rows, o->cols, o->d.data, o->d.ld, &o->mat);
    case ON_DEVICE: return tsl_matrix_create(w->x, o->t, o->rows, o->cols, &o->mat);
    case TILED_HOST: return tsl_tiled_wrap(w->x, o->t, o->rows, o->cols, o->d.data, o->d.ld, o->nb, &o->mat);
    default: return tsl_tiled_create(w->x, o->t, o->rows, o->cols, o->nb, &o->mat);
    }
}

/* With these contents; around them, and where they are only written (A NULL), numbers that are none of the call's */
static inline void operand_make(world *w, operand *o, const plain *A)
{
    bool inside = chance(w, 2);
    o->rows = o->m + (inside ? below(w, 6) : 0), o->cols = o->n + (inside ? below(w, 4) : 0);
    o->i = below(w, o->rows - o->m + 1), o->j = below(w, o->cols - o->n + 1);
    tsl_status st = operand_storage(w, o);
    if (st == TSL_ERR_DEVICE_MEMORY && w->limited && o->place == ON_DEVICE) o->place = ON_HOST, st = operand_storage(w, o);
    if (st) {
        complain(w, "an operand of %lld x %lld: %s %s", (long long)o->rows, (long long)o->cols, tsl_status_name(st), tsl_error(w->x));
        return;
    }
    o->was = dense_make(o->t, o->rows, o->cols, CANARY);
    for (int64_t j = 0; j < o->cols; j++)
        for (int64_t i = 0; i < o->rows; i++) {
            bool within = i >= o->i && i < o->i + o->m && j >= o->j && j < o->j + o->n;
            element_put(&o->was, i, j, within && A ? *plain_at(A, i - o->i, j - o->j) : 7.5 + (double)below(w, 9));
        }
    operand_move(w, o, &o->was, false);
}

static inline void operand_free(operand *o)
{
    tsl_matrix_free(o->mat);
    guarded_free(&o->g);
    dense_free(&o->was);
}

/* The block as it is now. What is around it must be as before, and if `same` the block too. */
static inline plain operand_now(world *w, operand *o, bool same, int number)
{
    plain p = plain_make(o->m, o->n);
    dense now = dense_make(o->t, o->rows, o->cols, CANARY);
    size_t size = tsl_type_size(o->t);
    operand_move(w, o, &now, true);
    for (int64_t j = 0; j < o->cols; j++)
        for (int64_t i = 0; i < o->rows; i++) {
            bool within = i >= o->i && i < o->i + o->m && j >= o->j && j < o->j + o->n;
            if ((!within || same) && memcmp(dense_at(&now, i, j), dense_at(&o->was, i, j), size))
                complain(w, "operand %d (%s): element (%lld,%lld) of %lld x %lld at (%lld,%lld) was changed", number, place_name[o->place], (long long)(i - o->i),
                         (long long)(j - o->j), (long long)o->m, (long long)o->n, (long long)o->i, (long long)o->j);
            if (within) *plain_at(&p, i - o->i, j - o->j) = element_get(&now, i, j);
        }
    if (operand_is_array(o) && o->rows && !margin_whole(&o->d)) complain(w, "operand %d: written between its columns", number);
    for (size_t b = 0; b < o->past; b++)
        if (o->g.data[o->d.bytes + b] != CANARY) complain(w, "operand %d: written past its end", number);
    dense_free(&now);
    return p;
}

#endif
