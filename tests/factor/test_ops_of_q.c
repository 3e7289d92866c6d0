/* Products with Q through each of the four ops, from both sides: flat, in device memory, by tiles, and by incremental QR. */
#include "context.h"
#include "qr.h"

#define BOUND 30.0

enum { OPS_M = 33, OPS_N = 20, OPS_C = 11, OPS_NB = 8, OPS_IB = 4 };
typedef enum form { FLAT, CREATED, TILES, INC, FORMS } form;
static const char *const form_name[FORMS] = {"flat", "in device memory", "tiled", "incremental"};

typedef struct problem {
    form form;
    tsl_matrix *mat[4]; /* A, T (of the incremental form), tau, C */
    dense d[4];
} problem;

static tsl_matrix *put(tsl_context *x, form f, dense *d)
{
    tsl_matrix *a = NULL, *host = NULL;
    if (f == TILES) check(!tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, OPS_NB, &a), "%s", tsl_error(x));
    else check(!tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &host), "%s", tsl_error(x));
    if (f == CREATED) {
        check(!tsl_matrix_create(x, d->t, d->m, d->n, &a) && !tsl_copy(x, tsl_whole(host), tsl_whole(a)), "%s", tsl_error(x));
        tsl_matrix_free(host);
    }
    return a ? a : host;
}

/* A factored, and a C that Q is applied to from a side */
static problem factored(tsl_context *x, form f, tsl_type t, tsl_side side)
{
    int64_t pairs = tsl_pairs(OPS_M, OPS_N, OPS_NB), count = f == INC ? OPS_NB : OPS_N;
    problem p = {f, {0}, {qr_matrix(t, OPS_M, OPS_N, RANDOM, 3), dense_make(t, OPS_IB, OPS_NB * pairs, CANARY_FINITE),
                          dense_make(t, count, f == INC ? pairs : 1, CANARY_FINITE),
                          dense_make(t, side == TSL_LEFT ? OPS_M : OPS_C, side == TSL_LEFT ? OPS_C : OPS_M, CANARY_FINITE)}};
    dense_random(&p.d[3], 4);
    for (int i = 0; i < 4; i++) p.mat[i] = put(x, f, &p.d[i]);
    tsl_view A = tsl_whole(p.mat[0]), T = tsl_whole(p.mat[1]), tau = tsl_whole(p.mat[2]);
    check(!(f == INC ? tsl_geqrf_inc(x, A, T, tau) : tsl_geqrf(x, A, tau)), "%s", tsl_error(x));
    return p;
}

static void drop(problem *p)
{
    for (int i = 0; i < 4; i++) tsl_matrix_free(p->mat[i]), dense_free(&p->d[i]);
}

/* op(Q) of a C, all seen through `seen` too; what comes of it, as numbers; NULL: it was refused */
static tsl_scalar *applied(tsl_context *x, form f, tsl_type t, tsl_side side, tsl_op op, tsl_op then, bool seen, tsl_status *st)
{
    problem p = factored(x, f, t, side);
    tsl_view v[4];
    for (int i = 0; i < 4; i++) v[i] = seen ? tsl_conj(tsl_whole(p.mat[i])) : tsl_whole(p.mat[i]);
    *st = f == INC ? tsl_ormqr_inc(x, op, v[0], v[1], v[2], v[3]) : tsl_ormqr(x, side, op, v[0], v[2], v[3]);
    if (!*st && then <= TSL_HERM) *st = f == INC ? tsl_ormqr_inc(x, then, v[0], v[1], v[2], v[3]) : tsl_ormqr(x, side, then, v[0], v[2], v[3]);
    if (!*st && f == CREATED) {
        tsl_matrix *host = put(x, FLAT, &p.d[3]);
        check(!tsl_copy(x, tsl_whole(p.mat[3]), tsl_whole(host)), "%s", tsl_error(x));
        tsl_matrix_free(host);
    }
    tsl_scalar *X = *st ? NULL : qr_numbers(&p.d[3], false);
    drop(&p);
    return X;
}

/* Of real elements an op with conjugation is the op without. Of complex ones only Q and Q^H are to be had. Q^H Q is the
 * identity, in every form. */
static void ops_of_q(const char *spec)
{
    tsl_context *x = context_on(spec);
    if (!x) return;
    check(!tsl_set(x, "tile", "8"), "tile");
    for (int i = 0; i < 4; i++)
        for (int f = 0; f < FORMS; f++)
            for (int side = TSL_LEFT; side <= (f == INC ? TSL_LEFT : TSL_RIGHT); side++) {
                tsl_type t = all_types[i];
                bool is_complex = tsl_is_complex(t);
                size_t bytes = OPS_M * OPS_C * sizeof(tsl_scalar);
                tsl_status st[4], seen;
                tsl_scalar *X[4];
                for (int op = 0; op < 4; op++) X[op] = applied(x, (form)f, t, (tsl_side)side, (tsl_op)op, (tsl_op)9, false, &st[op]);
                int other = is_complex ? TSL_HERM : TSL_TRANS;
                check(!st[TSL_NOTRANS] && !st[other] && memcmp(X[TSL_NOTRANS], X[other], bytes), "%s: Q and its inverse", form_name[f]);
                if (is_complex) check(st[TSL_CONJ] == TSL_ERR_FLAG && st[TSL_TRANS] == TSL_ERR_FLAG, "%s: no other ops", form_name[f]);
                else check(X[TSL_CONJ] && X[TSL_HERM] && !memcmp(X[TSL_CONJ], X[TSL_NOTRANS], bytes) && !memcmp(X[TSL_HERM], X[TSL_TRANS], bytes),
                           "%s %c side %d: conjugated", form_name[f], tsl_type_letter(t), side);
                tsl_scalar *both = applied(x, (form)f, t, (tsl_side)side, is_complex ? TSL_NOTRANS : TSL_CONJ, (tsl_op)other, false, &seen);
                problem p = factored(x, (form)f, t, (tsl_side)side);
                dense first = dense_make(t, p.d[3].m, p.d[3].n, CANARY_FINITE);
                dense_random(&first, 4);
                tsl_scalar *was = qr_numbers(&first, false);
                double off = both ? qr_difference(both, was, first.m, first.n, t) : INFINITY;
                check(off < BOUND, "%s %c side %d: Q^H Q C is C: off %g", form_name[f], tsl_type_letter(t), side, off);
                drop(&p), dense_free(&first), free(was), free(both);
                tsl_scalar *through = applied(x, (form)f, t, (tsl_side)side, TSL_NOTRANS, (tsl_op)9, true, &seen);
                if (is_complex) check(seen != TSL_OK, "%s: conjugated operands are refused", form_name[f]);
                else check(through && !memcmp(through, X[TSL_NOTRANS], bytes), "%s %c: operands seen conjugated: %s", form_name[f], tsl_type_letter(t), tsl_error(x));
                free(through);
                for (int op = 0; op < 4; op++) free(X[op]);
            }
    checked("%s: all ops of Q, from both sides, flat, by tiles and incremental", spec);
    tsl_context_destroy(x);
}

int main(void)
{
    ops_of_q("host"), ops_of_q("host:3"), ops_of_q("cuda:0");
    return tap_done();
}
