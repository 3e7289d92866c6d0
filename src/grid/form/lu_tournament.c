/* LU factorization of a panel whose pivots are those rows that are left of a tournament (Grigori, Demmel, Xiang, 2011).
 *
 * The rows stay with the processes of one column. Each names a set of its own: as many rows as the panel has columns, those
 * that partial pivoting of all it has would take. Sets meet by eights, along a tree: partial pivoting of their rows, as they
 * are in the panel, leaves one set. The last are the pivots, and their factors the first rows of the result. What is below is
 * divided by the triangle. So a panel takes two messages a set, one broadcast and one exchange of rows, and none a column.
 *
 * Each meeting is computed by one process, and all take over what the last one has found: which rows are exchanged does not
 * depend on how another process would have rounded. */
#include <string.h>

#include "grid/form/form.h"
#include "kernel/lu_exchanges.h"

enum { MEET = 8 };

typedef struct tournament {
    tsl_context *x;
    tsl_grid *g;
    tsl_view A;              /* the panel, m x n, and how many pivots it has */
    int64_t m, n, d;
    bool passing;
    tsl_axis rows;
    int size, first, me;     /* processes, of which that with the first row is counted as 0; -1: none of them */
    tsl_view all;            /* the panel, in this process column */
    tsl_view set, group;     /* of each process d rows, and room for those that meet there */
    tsl_view name, names;    /* their numbers in the panel, in host memory */
    tsl_view factors, pivots; /* room: of what is factored here */
} tournament;

/* Rows that are left of those of processes [i, i + count) */
static int64_t left_of(const tournament *t, int i, int count)
{
    int64_t rows = 0;
    for (int q = i; q < i + count && q < t->size; ++q) rows += tsl_axis_before(t->g, t->rows, (q + t->first) % t->size, t->m);
    return tsl_min(t->d, rows);
}

static void call(const tournament *t, tsl_call c) { tsl_locally(t->x, t->g, &c); }

static void copy(const tournament *t, tsl_view A, tsl_view B) { call(t, (tsl_call){.op = TSL_OP_COPY, .v = {A, B}}); }

static tsl_view pivots_of(const tournament *t, tsl_view A)
{
    return tsl_sub(t->pivots, 0, 0, tsl_min(A.m, t->n), 1);
}

static void exchange(const tournament *t, tsl_view A, bool backward)
{
    call(t, (tsl_call){.op = TSL_OP_LASWP, .lu = {.backward = backward}, .v = {A, pivots_of(t, A)}});
}

/* The rows that partial pivoting of A would take come first, in its order, and so do their numbers. Returns the factors. */
static tsl_view play(const tournament *t, tsl_view A, int64_t *number, bool passing)
{
    tsl_view F = tsl_sub(t->factors, 0, 0, A.m, t->n), p = pivots_of(t, A);
    copy(t, A, F);
    call(t, (tsl_call){.op = TSL_OP_GETRF, .passing = passing, .v = {F, p}});
    exchange(t, A, false);
    const int64_t *with = p.mat->data;
    for (int64_t i = 0; i < p.m && !t->g->failed; ++i) {
        int64_t row = number[i];
        number[i] = number[with[i] - 1], number[with[i] - 1] = row;
    }
    return F;
}

/* The set of this process is `count` rows of A. */
static void leave(const tournament *t, tsl_view A, const int64_t *number, int64_t count)
{
    if (count == 0) return;
    copy(t, tsl_sub(A, 0, 0, count, t->n), tsl_sub(tsl_local(t->set), 0, 0, count, t->n));
    memcpy(tsl_local(t->name).mat->data, number, (size_t)count * sizeof *number);
}

/* That of its own rows, which stay where they are */
static void name_own(const tournament *t, int64_t *number)
{
    tsl_view own = tsl_local(t->all);
    bool plays = own.m > t->d;
    for (int64_t i = 0; i < own.m; ++i) number[i] = tsl_global_row(t->all, i);
    if (plays) play(t, own, number, true);
    leave(t, own, number, tsl_min(t->d, own.m));
    if (plays) exchange(t, own, true);
}

/* The set of process i, of `count` rows, comes to process j, where `at` rows are. */
static void bring(const tournament *t, int i, int j, int64_t count, int64_t at)
{
    int64_t from = i * t->d, to = j * MEET * t->d + at;
    if (count == 0 || (!t->g->rehearsing && t->me != i && t->me != j)) return;
    tsl_transfer_now(t->x, tsl_sub(t->set, from, 0, count, t->n), tsl_sub(t->group, to, 0, count, t->n), false);
    tsl_transfer_now(t->x, tsl_sub(t->name, from, 0, count, 1), tsl_sub(t->names, to, 0, count, 1), false);
}

/* Sets of processes j, j + step, .. meet at j; last: there are no others. */
static void meet(const tournament *t, int j, int step, bool last)
{
    int64_t rows = 0;
    for (int k = 0, i = j; k < MEET && i < t->size; ++k, i += step) {
        int64_t count = left_of(t, i, step);
        bring(t, i, j, count, rows);
        rows += count;
    }
    if (t->me != j || t->g->rehearsing || t->g->broken) return;
    tsl_view A = tsl_sub(tsl_local(t->group), 0, 0, rows, t->n);
    int64_t *number = tsl_local(t->names).mat->data;
    if (last || rows > t->d) {
        tsl_view F = play(t, A, number, !last || t->passing);
        if (last && !t->passing) tsl_note_info(t->x, t->A);
        if (last) A = F;
    }
    leave(t, A, number, tsl_min(t->d, rows));
}

/* The pivots of the rows that are left, the same on all these processes whatever has failed on one of them: rows are sent by
 * them. */
static void tell(const tournament *t, int64_t *pivots, int64_t first)
{
    const int64_t *number = tsl_local(t->name).mat->data;
    int root = t->rows.over == TSL_OVER_ALL ? tsl_line_rank(t->g, t->rows.over, t->first) : t->first;
    for (int64_t i = 0; i < t->d && t->me == 0; ++i) pivots[i] = number[i] >= 0 && number[i] < t->m ? number[i] : i;
    if (t->me == 0) tsl_lu_exchanges(pivots, t->d, first, pivots);
    tsl_broadcast(t->g, t->rows.over, root, pivots, (size_t)t->d * sizeof *pivots);
}

/* The diagonal of U, on the device or, `at`, in host memory */
static tsl_matrix diagonal_of(const tournament *t, tsl_view U, void *at)
{
    return (tsl_matrix){.ctx = t->x, .type = U.mat->type, .m = 1, .n = t->d, .ld = at ? 1 : U.mat->ld + 1,
                        .home = at ? NULL : U.mat->home, .data = at ? at : tsl_at(&U)};
}

/* U, or a copy of it with ones in place of zeros on the diagonal: a zero pivot divides nothing. */
static tsl_view divisor(const tournament *t, tsl_view U, char *at)
{
    tsl_view V = tsl_sub(t->factors, 0, 0, t->d, t->d);
    tsl_matrix pivots = diagonal_of(t, U, NULL), here = diagonal_of(t, U, at), ones = diagonal_of(t, V, NULL);
    tsl_type type = U.mat->type;
    tsl_typed_scalar one = tsl_typed(type, 1);
    size_t size = tsl_type_size(type);
    bool singular = false;
    copy(t, tsl_whole(&pivots), tsl_whole(&here));
    for (int64_t j = 0; j < t->d && !t->g->failed; ++j) {
        if (tsl_modulus(type, at + (size_t)j * size) != 0) continue;
        memcpy(at + (size_t)j * size, &one, size);
        singular = true;
    }
    if (!singular) return U;
    copy(t, U, V);
    copy(t, tsl_whole(&here), tsl_whole(&ones));
    return V;
}

/* L21 := A21 inv(U11), of the rows that are here */
static void divide(const tournament *t, tsl_view top, char *diagonal)
{
    int64_t before = tsl_local_row(t->all, t->d);
    tsl_view own = tsl_local(t->all), here = tsl_sub(own, before, 0, own.m - before, t->n);
    if (here.m == 0) return;
    tsl_triangle_here(t->x, t->g, true, 1, tsl_upper(divisor(t, tsl_sub(top, 0, 0, t->d, t->d), diagonal)), here);
}

void tsl_lu_tournament(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0];
    tsl_grid *g = tsl_grid_of(A);
    tsl_type type = A.mat->type;
    tsl_layout where = tsl_owner_layout(A, 1), rows, sets, groups, set_names, group_names;
    tsl_dmatrix S[7];
    where.scheme = TSL_ON_DEVICE;
    rows = sets = groups = where;
    rows.rows = tsl_seen_axis(A, 0);
    tournament t = {.x = x, .g = g, .A = A, .m = tsl_rows(A), .n = tsl_cols(A), .passing = c->passing, .rows = rows.rows};
    int64_t d = t.d = tsl_min(t.m, t.n), high = MEET * d;
    t.size = tsl_axis_size(g, t.rows.over), t.first = tsl_axis_owner(g, t.rows, 0);
    t.me = tsl_layout_has(&where, g->at) ? (tsl_axis_index(g, t.rows.over, g->at) - t.first + t.size) % t.size : -1;
    sets.rows = (tsl_axis){t.rows.over, d, t.first * d};
    groups.rows = (tsl_axis){t.rows.over, high, t.first * high};
    set_names = sets, group_names = groups;
    set_names.scheme = group_names.scheme = TSL_IN_HOST;
    t.all = tsl_work_matrix(x, &S[0], &rows, type, t.m, t.n);
    t.set = tsl_work_matrix(x, &S[1], &sets, type, t.size * d, t.n);
    t.group = tsl_work_matrix(x, &S[2], &groups, type, t.size * high, t.n);
    t.name = tsl_work_matrix(x, &S[3], &set_names, TSL_INDEX, t.size * d, 1);
    t.names = tsl_work_matrix(x, &S[4], &group_names, TSL_INDEX, t.size * high, 1);
    tsl_view top = tsl_work_matrix(x, &S[5], &where, type, d, t.n), own = tsl_local(t.all);
    tsl_work_slot(g, tsl_ahead_slot(g)); /* sent from there */
    where.scheme = TSL_IN_HOST;
    tsl_view q = tsl_work_matrix(x, &S[6], &where, TSL_INDEX, d, 1);
    tsl_work_slot(g, 0);
    tsl_matrix factors, pivots = {.ctx = x, .type = TSL_INDEX, .m = t.n, .n = 1, .ld = t.n};
    t.factors = tsl_work_dense(x, g, &factors, type, tsl_max(own.m, high), t.n);
    pivots.data = tsl_work_get(g, false, tsl_times((size_t)t.n, sizeof(int64_t)));
    t.pivots = tsl_whole(&pivots);
    int64_t *number = tsl_work_get(g, false, tsl_times((size_t)own.m, sizeof *number));
    char *diagonal = tsl_work_get(g, false, tsl_dense_bytes(type, d, 1));
    bool here = t.me >= 0 && !g->rehearsing;
    tsl_transfer_now(x, A, t.all, false);
    if (here) name_own(&t, number);
    for (int step = 1; step < t.size; step *= MEET)
        for (int j = 0; j + step < t.size; j += step * MEET) meet(&t, j, step, step * MEET >= t.size);
    tsl_transfer_now(x, tsl_block_rows(t.set, 0, d).A1, top, false);
    if (here) tell(&t, S[6].local.data, c->lu.first);
    tsl_exchange_here(x, t.all, q, c->lu.first);
    if (here) divide(&t, tsl_local(top), diagonal);
    tsl_transfer_now(x, top, tsl_block_rows(t.all, 0, d).A1, false);
    tsl_transfer_now(x, t.all, A, false);
    tsl_ahead_send_pivots(x, q, c->v[1]);
}
