/* Eigenvectors of a real symmetric tridiagonal matrix by divide and conquer, in rows.
 *
 * Each process has as many rows of Q as others, side by side, and solves the block of T that they meet. Neighbours then merge
 * (merge.h), in as many rounds as there are powers of two in the processes. A merge takes a row of each half's Q and the
 * eigenvalues, which all processes come to know; they share its roots and weights. The vectors S of the merge every process
 * makes for itself, some columns at a time, and Q := Q S is local work, on its rows. So nothing of Q travels, and with its copy
 * a process has 2 n^2 / p elements. Columns that one half does not have stay out of its products.
 *
 * Processes take the same steps with the same numbers, so these must be of one kind. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/numbers/largest.h"
#include "grid/eig/solver.h"

enum { COLUMNS = 64, WIDE = 1024 }; /* of S at a time, on cores and on a device */
enum { SHARE = 4 };    /* of a device's memory, the part that S may take */
enum { PARTS = 16 };   /* of what the host's cores do together */
enum { TOLD_SUMS = 7 }; /* that a root takes, as told: one to begin with, and six steps */

static int64_t end_of(const tsl_solver *s, int64_t block) { return tsl_min(s->n, block * s->nb); }
static bool has_rows(const tsl_solver *s) { return s->me < s->blocks; }
static int64_t rows(const tsl_solver *s) { return has_rows(s) ? end_of(s, s->me + 1) - s->me * s->nb : 0; }

static void add(void *mine, const void *other, const void *with)
{
    double *a = mine;
    const double *b = other;
    for (int64_t i = 0; i < *(const int64_t *)with; ++i) a[i] += b[i];
}

/* Each number is one process's, and 0 on the others: all have it then, with its bits. */
static void share(tsl_solver *s, int64_t count)
{
    tsl_line_combine(s->g, TSL_OVER_ALL, s->mine, s->other, (size_t)count * sizeof(double), add, &count);
}

/* T without the elements between blocks, |e| less beside each */
static void cut(tsl_solver *s)
{
    for (int64_t i = 0; i < s->n; ++i) {
        double less = i && i % s->nb == 0 ? fabs(s->e[i - 1]) : 0;
        if (i + 1 < s->n && (i + 1) % s->nb == 0) less += fabs(s->e[i]);
        tsl_put_real(s->values, i, 0, s->d[i] - less);
        if (i + 1 < s->n) tsl_put_real(s->beside, i, 0, s->e[i]);
    }
}

/* Of every block its Q, and zeros beside that */
static void leaves(tsl_solver *s)
{
    int64_t from = s->me * s->nb, m = rows(s);
    if (!tsl_is_told(s->g)) cut(s);
    if (!m) return;
    tsl_locally(s->x, s->g, &(tsl_call){.op = TSL_OP_SCALE, .v = {s->Q}});
    tsl_view d = tsl_sub(s->values, from, 0, m, 1), e = tsl_sub(s->beside, from, 0, m - 1, 1);
    tsl_locally(s->x, s->g, &(tsl_call){.op = TSL_OP_STEDC, .v = {tsl_sub(s->Q, 0, from, m, m), d, e}});
    tsl_note_at(s->x, s->g, from);
    for (int64_t i = 0; i < m && !tsl_is_told(s->g); ++i) s->d[from + i] = tsl_get_real(s->values, from + i, 0);
}

/* What this process has of what all are to know: the eigenvalues of problems of `width` blocks, each from the first of its
 * processes, and z of the merges of two */
static void put_mine(tsl_solver *s, int64_t width)
{
    double *values = s->mine, *z = values + s->n;
    int64_t b = s->me / width * width, from = b * s->nb, to = end_of(s, b + width), other = (b ^ width) * s->nb;
    bool second = b & width;
    memset(s->mine, 0, 2 * (size_t)s->n * sizeof(double));
    if (has_rows(s) && s->me == b) memcpy(values + from, s->d + from, (size_t)(to - from) * sizeof(double));
    /* the last row of a first half, or the first of a second one */
    if (has_rows(s) && other < s->n && s->me == (second ? b : b + width - 1)) {
        double by = second && s->e[from - 1] < 0 ? -sqrt(0.5) : sqrt(0.5);
        for (int64_t j = from; j < to; ++j) z[j] = by * tsl_get_real(s->Q, second ? 0 : rows(s) - 1, j);
    }
}

/* False: they are not numbers. */
static bool exchange(tsl_solver *s, int64_t width)
{
    bool good = true, told = tsl_is_told(s->g);
    if (!told) put_mine(s, width);
    share(s, 2 * s->n);
    if (told) return true;
    memcpy(s->d, s->mine, (size_t)s->n * sizeof(double));
    for (int64_t i = 0; i < 2 * s->n; ++i) good &= (bool)isfinite(s->mine[i]);
    return good;
}

/* Which of k this process has, the i-th of p */
static int64_t part(int64_t k, int64_t i, int64_t p) { return k / p * i + tsl_min(i, k % p); }

static int64_t parts(const tsl_solver *s) { return s->x->dev->shares_host ? 1 : PARTS; }

typedef void (*sum_of)(tsl_solver *s, int64_t i);

typedef struct sums {
    tsl_solver *s;
    sum_of sum;
    int64_t low, count;
} sums;

static void some(const void *job, size_t number)
{
    const sums *j = job;
    int64_t p = parts(j->s), me = (int64_t)number;
    for (int64_t i = part(j->count, me, p); i < part(j->count, me + 1, p); ++i) j->sum(j->s, j->low + i);
}

/* For i from low to high; where what computes products is not the host's cores, by these together */
static void each(tsl_solver *s, sum_of sum, int64_t low, int64_t high)
{
    sums job = {s, sum, low, high - low};
    if (parts(s) == 1) some(&job, 0);
    else tsl_thread_pool_work(some, &job, (size_t)parts(s));
}

static void root(tsl_solver *s, int64_t j)
{
    if (!tsl_merge_root(&s->m, j)) s->m.mu[j] = NAN;
}

static void weight(tsl_solver *s, int64_t i) { tsl_merge_weight(&s->m, i); }

/* Roots, and then weights, each by one of the processes of the merge */
static void solve(tsl_solver *s, int64_t from, int64_t rank, int64_t p)
{
    tsl_merge *m = &s->m;
    double *all = s->mine;
    int64_t low = part(m->k, rank, p), high = part(m->k, rank + 1, p), n = s->n;
    if (tsl_is_told(s->g)) {
        tsl_tell_sums(s->g, (TOLD_SUMS + 1) * (high - low), m->k); /* and weights */
        share(s, 2 * n), share(s, n);
        return;
    }
    memset(all, 0, 2 * (size_t)n * sizeof(double));
    each(s, root, low, high);
    for (int64_t j = low; j < high; ++j) {
        if (isnan(m->mu[j])) s->g->info = tsl_first_info(s->g->info, from + j + 1);
        all[from + j] = m->origin[j], all[n + from + j] = m->mu[j];
    }
    share(s, 2 * n);
    memcpy(m->origin, all + from, (size_t)m->k * sizeof(double));
    memcpy(m->mu, all + n + from, (size_t)m->k * sizeof(double));
    memset(all, 0, (size_t)n * sizeof(double));
    each(s, weight, low, high);
    for (int64_t i = low; i < high; ++i) all[from + i] = m->weight[i];
    share(s, n);
    memcpy(m->weight, all + from, (size_t)m->k * sizeof(double));
    tsl_merge_place(m);
}

/* Problems of `width` blocks become ones of twice as many. Processes whose problem has no second half only share. */
static void merge(tsl_solver *s, int64_t width)
{
    tsl_merge *m = &s->m;
    int64_t b = s->me / (2 * width) * 2 * width, from = b * s->nb, mid = end_of(s, b + width), to = end_of(s, b + 2 * width);
    bool last = 2 * width >= s->blocks;
    m->k = m->order = m->turns = 0;
    if (mid < to) {
        m->top = mid - from, m->order = to - from, m->rho = 2 * fabs(s->e[mid - 1]);
        m->d = s->d + from, m->z = s->mine + s->n + from;
        (tsl_is_told(s->g) ? tsl_merge_keep : tsl_merge_deflate)(m);
    }
    solve(s, tsl_min(from, s->n), s->me - b, tsl_min(s->processes, b + 2 * width) - b);
    if (mid == to || !has_rows(s)) return;
    tsl_solver_multiply(s, from, s->me >= b + width, last ? s->first : 0, last ? s->count : m->order);
}

static void spoil(tsl_solver *s)
{
    for (int64_t i = 0; i < s->n; ++i) s->d[i] = NAN;
    for (int64_t j = 0; j < s->n; ++j)
        for (int64_t i = 0; i < rows(s); ++i) tsl_put_real(s->Q, i, j, NAN);
}

/* T = Q L Q^T, d := L; or all are NaN. Columns of Q that are wanted: from column 0 on, or if there was one leaf `first`. */
static void conquer(tsl_solver *s)
{
    bool good = true;
    int64_t width = 1;
    leaves(s);
    for (; width < s->blocks && good; width *= 2) {
        good = exchange(s, width);
        if (good) merge(s, width);
    }
    if (!good || !exchange(s, width)) spoil(s);
}

/* The largest element of T is brought to about 1 by a power of two, whose exponent is returned; false: one is not finite. */
static bool into_range(tsl_solver *s, int *exponent)
{
    double most = 0;
    bool finite = true;
    for (int64_t i = 0; i < 2 * s->n - 1; ++i) {
        double v = i < s->n ? s->d[i] : s->e[i - s->n];
        finite &= (bool)isfinite(v);
        most = tsl_larger(most, fabs(v));
    }
    *exponent = most > 0 && finite ? ilogb(most) : 0;
    for (int64_t i = 0; i < s->n; ++i) {
        s->d[i] = scalbn(s->d[i], -*exponent);
        if (i + 1 < s->n) s->e[i] = scalbn(s->e[i], -*exponent);
    }
    return finite;
}

static void *room(const tsl_solver *s, int64_t count, size_t size)
{
    return tsl_work_get(s->g, false, tsl_times((size_t)count, size));
}

/* n pairs, on every process in host memory, and their view */
static double *pairs(tsl_solver *s, tsl_dmatrix *D, tsl_view *v)
{
    tsl_layout l = tsl_layout_whole(s->g, TSL_EVERY, TSL_EVERY);
    l.scheme = TSL_IN_HOST;
    tsl_dist_describe(D, s->x, &l, TSL_D, s->n, 2);
    D->local.data = room(s, 2 * s->n, sizeof(double)), D->local.ld = tsl_max(1, s->n);
    *v = tsl_local(tsl_whole(&D->head));
    return D->local.data;
}

static void make_room(tsl_solver *s, tsl_dmatrix *D)
{
    int64_t n = s->n;
    tsl_merge *m = &s->m;
    double **real[] = {&s->d, &s->e, &m->pole, &m->component, &m->weight};
    int64_t **index[] = {&m->slot, &m->source, &m->target};
    for (size_t i = 0; i < sizeof real / sizeof *real; ++i) *real[i] = room(s, n, sizeof(double));
    for (size_t i = 0; i < sizeof index / sizeof *index; ++i) *index[i] = room(s, n, sizeof(int64_t));
    m->origin = pairs(s, &D[0], &s->roots), m->mu = m->origin + n;
    s->mine = pairs(s, &D[1], &s->slots), s->other = room(s, 2 * n, sizeof(double));
    m->kind = room(s, n, sizeof *m->kind), m->turn = room(s, n, sizeof *m->turn), m->ranked = room(s, n, sizeof *m->ranked);
}

/* Columns of S at a time; none without a merge. On a device so many that a product is efficient, if S then takes no more than
 * its share. */
static int64_t columns_of(const tsl_solver *s, bool far, tsl_type type)
{
    size_t column = tsl_times((size_t)s->n, tsl_type_size(type)), room = tsl_device_room(s->x->dev) / SHARE;
    int64_t most = far && !tsl_is_told(s->g) ? tsl_max(COLUMNS, (int64_t)(room / column)) : WIDE;
    if (s->blocks < 2) return 0;
    return tsl_min(s->n, far ? tsl_min(most, WIDE) : COLUMNS);
}

/* Room for the copy of Q where products are computed. It is Z's own, if that is as large: nothing of Z is known until the
 * end. */
static tsl_view copy_of(tsl_solver *s, tsl_dmatrix *D, tsl_layout by_rows, tsl_view Z)
{
    const tsl_matrix *z = &tsl_dist(Z)->local;
    tsl_type type = s->Q.mat->type;
    bool all = Z.i == 0 && Z.j == 0 && Z.m == Z.mat->m && Z.n == Z.mat->n && z->ld == z->m;
    bool there = tsl_on_device(z) == (by_rows.scheme == TSL_ON_DEVICE && !s->x->dev->shares_host);
    bool fits = tsl_dense_bytes(z->type, z->m, z->n) >= tsl_dense_bytes(type, rows(s), s->n);
    if (s->blocks < 2) return tsl_work_matrix(s->x, D, &by_rows, type, s->n, 0);
    if (!all || !there || !fits) return tsl_work_matrix(s->x, D, &by_rows, type, s->n, s->n);
    tsl_dist_describe(D, s->x, &by_rows, type, s->n, s->n);
    D->local.data = z->data;
    return tsl_whole(&D->head);
}

/* v on every process, in host memory */
static tsl_view everywhere(tsl_context *x, tsl_grid *g, tsl_dmatrix *D, tsl_view v)
{
    tsl_layout l = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    l.scheme = TSL_IN_HOST;
    tsl_view w = tsl_work_matrix(x, D, &l, v.mat->type, v.m, v.n);
    if (v.m && v.n) tsl_transfer_now(x, v, w, false);
    return w;
}

/* The real columns of Q as ones of Z's type, side by side in the same rows */
static tsl_view in_type(tsl_solver *s, tsl_dmatrix *D, const tsl_layout *by_rows, tsl_type type, tsl_view Q)
{
    if (!tsl_is_complex(type)) return Q;
    tsl_view Y = tsl_work_matrix(s->x, D, by_rows, type, Q.m, Q.n), to = tsl_local(Y), from = tsl_local(Q);
    for (int64_t j = 0; j < Q.n && !s->g->rehearsing; ++j)
        for (int64_t i = 0; i < rows(s); ++i) {
            memset(tsl_here(to, i, j), 0, tsl_type_size(type));
            tsl_put_real(to, i, j, tsl_get_real(from, i, j));
        }
    return Y;
}

/* Q and the values of what is in d and e */
static void pairs_of(tsl_solver *s)
{
    int exponent = 0;
    if (tsl_is_told(s->g)) {
        conquer(s);
        return;
    }
    for (int64_t i = 0; i < s->n; ++i) {
        s->d[i] = tsl_get_real(s->values, i, 0);
        s->e[i] = i + 1 < s->n ? tsl_get_real(s->beside, i, 0) : 0;
    }
    if (into_range(s, &exponent)) conquer(s);
    else spoil(s), s->g->info = tsl_first_info(s->g->info, s->n);
    for (int64_t i = 0; i < s->n; ++i) tsl_put_real(s->values, i, 0, scalbn(s->d[i], exponent));
}

/* Z := eigenvectors eig.first .. + columns of Z, d := all eigenvalues. Every process comes to the same. */
void tsl_dist_stedc(tsl_context *x, const tsl_call *c)
{
    tsl_view Z = c->v[0], d = c->v[1], e = c->v[2];
    tsl_grid *g = tsl_grid_of(d);
    tsl_work_mark mark = tsl_work_now(g), kept;
    tsl_type type = d.mat->type;
    tsl_dmatrix D[9];
    int p = g->size[0] * g->size[1];
    tsl_solver s = {.x = x, .g = g, .n = d.m, .nb = tsl_pieces(d.m, p), .processes = p, .first = c->eig.first, .count = Z.n};
    s.blocks = tsl_pieces(s.n, s.nb), s.me = tsl_axis_index(g, TSL_OVER_ALL, g->at);
    s.m.tiny = (type == TSL_S ? (double)FLT_EPSILON : DBL_EPSILON) / 2;
    tsl_layout by_rows = tsl_layout_vector(g, s.nb), alone = tsl_layout_whole(g, TSL_EVERY, TSL_EVERY);
    bool far = x->dev->be->accelerator;
    int64_t most = end_of(&s, 1), wide = columns_of(&s, far, type);
    by_rows.scheme = alone.scheme = TSL_IN_HOST;
    tsl_layout there = alone, rows_there = by_rows; /* where products are computed */
    if (far) there.scheme = rows_there.scheme = TSL_ON_DEVICE;
    tsl_view values = everywhere(x, g, &D[0], d), Q = tsl_work_matrix(x, &D[1], &by_rows, type, s.n, s.n);
    kept = tsl_work_now(g);
    s.values = tsl_local(values), s.beside = tsl_local(everywhere(x, g, &D[2], e)), s.Q = tsl_local(Q);
    s.W = tsl_local(copy_of(&s, &D[3], rows_there, Z));
    s.S = tsl_local(tsl_work_matrix(x, &D[4], &there, type, s.n, wide));
    s.C = tsl_local(tsl_work_matrix(x, &D[5], &there, type, most, wide));
    make_room(&s, &D[7]);
    if (!g->rehearsing) pairs_of(&s);
    tsl_work_back(g, kept);
    tsl_work_home(x, values, d);
    tsl_work_home(x, in_type(&s, &D[6], &by_rows, Z.mat->type, tsl_sub(Q, 0, s.blocks > 1 ? 0 : s.first, s.n, s.count)), Z);
    tsl_work_back(g, mark);
}
