/* Band to tridiagonal form some sweeps at a time, in regions, and products with Q by some sweeps, as grids of GPUs have it. On
 * GPUs both shapes of the kernel. */
#include "sb2st.h"

/* Elements (i, j) .. of a, as a matrix; and back */
static dense part(const dense *a, int64_t i, int64_t j, int64_t m, int64_t n)
{
    dense p = dense_make(a->t, m, n, CANARY_FINITE);
    for (int64_t k = 0; k < m * n; k++) dense_put(&p, k % m, k / m, dense_get(a, i + k % m, j + k / m));
    return p;
}

static void put_back(dense *p, const dense *a, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < p->m * p->n; k++) dense_put(a, i + k % p->m, j + k / p->m, dense_get(p, k % p->m, k / p->m));
    dense_free(p);
}

/* A way through a band: so many sweeps at a time, each in so many regions of about as many chunks */
typedef struct way {
    int64_t n, kd, sweeps, regions;
} way;

/* The chunk of the first of some sweeps from the s-th on with which a region begins, whose columns stay; after the last: 0 */
static int64_t chunk_at(const way *p, int64_t s, int64_t region)
{
    int64_t chunks = (p->n - 1 + p->kd - 1) / p->kd, from = chunks / p->regions * region;
    return region == p->regions ? 0 : from - s / p->kd;
}

/* The chunks of one region; reflectors pass it by in R */
static tsl_status chase_region(env *x, chased *r, dense *W, dense *R, const way *p, int64_t s, int64_t w, int64_t region)
{
    int64_t begin = qr_max(0, chunk_at(p, s, region)), end = chunk_at(p, s, region + 1), low = qr_max(0, begin - (w - 1));
    if (region + 1 < p->regions && end <= 0) return TSL_OK;
    dense d = part(&r->d, s, 0, w + 1, 1), e = part(&r->e, s, 0, w, 1), V = part(&r->V, 0, s, p->n, w),
          tau = part(&r->tau, low, s, r->tau.m - low, w), passing = part(R, 0, 0, R->m, w);
    tsl_call c = {.op = TSL_OP_SB2ST_SOME, .k = w, .sweeps = {p->n, s + 1, begin, end}};
    tsl_status st = run(x, c, (dense *const[]){W, &d, &e, &V, &tau, &passing}, 6);
    put_back(&d, &r->d, s, 0), put_back(&e, &r->e, s, 0), put_back(&V, &r->V, 0, s);
    put_back(&tau, &r->tau, low, s), put_back(&passing, R, 0, 0);
    return st;
}

static chased chase_some(env *x, dense AB, const way *p)
{
    int64_t n = AB.n, kd = p->kd, chunks = (n + kd - 2) / kd;
    tsl_type real = real_of(AB.t);
    chased r = {AB, dense_make(real, n, 1, CANARY_FINITE), dense_make(real, n - 1, 1, CANARY_FINITE),
                dense_make(AB.t, 2, n, CANARY_FINITE), dense_make(AB.t, n, n, CANARY_FINITE),
                dense_make(AB.t, chunks, n, CANARY_FINITE), TSL_OK};
    dense W = dense_make(AB.t, 2 * kd, n, CANARY_FINITE), R = dense_make(AB.t, kd + 1, p->sweeps, CANARY_FINITE);
    dense_fill(&W, 0), dense_fill(&r.V, 0), dense_fill(&r.tau, 0), dense_fill(&R, NAN);
    for (int64_t k = 0; k < n * qr_min(AB.m, kd + 1); k++) dense_put(&W, k / n, k % n, dense_get(&AB, k / n, k % n));
    for (int64_t s = 0, w; s < n - 1 && !r.st; s += w) {
        w = qr_min(p->sweeps, n - 1 - s);
        for (int64_t region = 0; region < p->regions && !r.st; region++) r.st = chase_region(x, &r, &W, &R, p, s, w, region);
    }
    tridiagonal(&r);
    dense_free(&W), dense_free(&R);
    return r;
}

/* The same product, by so many sweeps at a time */
static void product_some(env *x, chased *r, int64_t cols, bool inverse, int64_t wide)
{
    tsl_type t = r->AB.t;
    int64_t n = r->V.n, pieces = (n - 2 + wide) / wide;
    dense C = dense_make(t, n, cols, CANARY_FINITE);
    dense_random(&C, 5);
    tsl_scalar *X = qr_room(n, cols);
    for (int64_t i = 0; i < n * cols; i++) X[i] = dense_get(&C, i % n, i / n);
    reflect(r, inverse, X, cols);
    tsl_status st = TSL_OK;
    for (int64_t i = 0; i < pieces && !st; i++) {
        int64_t s = (inverse ? i : pieces - 1 - i) * wide, w = qr_min(wide, n - 1 - s);
        dense V = part(&r->V, s, s, n - s, w), tau = part(&r->tau, 0, s, r->tau.m, w), below = part(&C, s, 0, n - s, cols);
        tsl_call c = {.op = TSL_OP_ORMTR_SB2ST, .k = r->AB.m - 1, .trans = inverse ? qr_herm(t) : TSL_NOTRANS};
        st = run(x, c, (dense *const[]){&V, &tau, &below}, 3);
        put_back(&below, &C, s, 0), dense_free(&V), dense_free(&tau);
    }
    double most = 0;
    for (int64_t i = 0; i < n * cols; i++) most = larger(most, cabs(X[i] - dense_get(&C, i % n, i / n)));
    check(!st && most < BOUND * (double)n * tsl_type_eps(t), "%c order %d, kd %d, by %d sweeps, inverse %d: %s, off %g, %s",
          tsl_type_letter(t), (int)n, (int)r->AB.m - 1, (int)wide, inverse, tsl_status_name(st), most, tsl_error(x->ctx));
    dense_free(&C), free(X);
}

/* All sweeps at once; is all of it the same, bit for bit? So it is on cores: a GPU has both triangles of a block between
 * sweeps, which its memory has not. */
static bool same_as_whole(env *x, const chased *r)
{
    int64_t n = r->AB.n;
    chased all = {r->AB, dense_make(r->d.t, n, 1, CANARY_FINITE), dense_make(r->e.t, n - 1, 1, CANARY_FINITE), {0},
                  dense_make(r->V.t, n, n, CANARY_FINITE), dense_make(r->V.t, r->tau.m, n, CANARY_FINITE), TSL_OK};
    dense AB = r->AB;
    tsl_status st = run(x, (tsl_call){.op = TSL_OP_SB2ST}, (dense *const[]){&AB, &all.d, &all.e, &all.V, &all.tau}, 5);
    bool same = !st && dense_same(&all.d, &r->d) && dense_same(&all.e, &r->e) && dense_same(&all.V, &r->V);
    same = same && dense_same(&all.tau, &r->tau);
    dense_free(&all.d), dense_free(&all.e), dense_free(&all.V), dense_free(&all.tau);
    return same;
}

static void some_sweeps(env *x, tsl_type t, const way *p)
{
    chased r = chase_some(x, band(t, p->n, p->kd, p->n % 2 ? BAND_RANDOM : BAND_GRADED), p);
    double apart = 0, off = r.st ? INFINITY : residual(&r, &apart), values = r.st ? 0 : values_apart(&r);
    bool good = !r.st && off < BOUND && apart < BOUND && values < BOUND;
    bool same = !r.st && (x->spec[0] == 'c' || same_as_whole(x, &r));
    check(good && same, "%c order %d, kd %d, by %d sweeps in %d regions: %s; off by %g, orthogonality %g, values %g, bits %d",
          tsl_type_letter(t), (int)p->n, (int)p->kd, (int)p->sweeps, (int)p->regions, tsl_error(x->ctx), off, apart, values,
          same);
    for (int inverse = 0; inverse < 2 && !r.st; inverse++) product_some(x, &r, 5, inverse, p->sweeps);
    done(&r);
}

/* y := A x, A being Hermitian with these diagonals below the main one */
static void times(const dense *A, const dense *x, int64_t column, tsl_scalar *y)
{
    for (int64_t i = 0; i < A->n; i++) y[i] = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m && i + j < A->n; i++) {
            tsl_scalar a = i ? dense_get(A, i, j) : creal(dense_get(A, i, j));
            y[i + j] += a * dense_get(x, j, column);
            if (i) y[j] += conj(a) * dense_get(x, i + j, column);
        }
}

/* Too large for a product with the matrix itself: Q T Q^H x beside A x, of a few x */
static void large(env *x, tsl_type t, const way *p)
{
    enum { COLUMNS = 3 };
    int64_t n = p->n;
    chased r = chase_some(x, band(t, n, p->kd, BAND_RANDOM), p);
    dense X = dense_make(t, n, COLUMNS, CANARY_FINITE), Y = dense_make(t, n, COLUMNS, CANARY_FINITE);
    tsl_scalar *y = qr_room(n, 1);
    double off = 0;
    dense_random(&X, 9);
    for (int64_t k = 0; k < n * COLUMNS; k++) dense_put(&Y, k % n, k / n, dense_get(&X, k % n, k / n));
    for (int inverse = 1; inverse >= 0 && !r.st; inverse--) {
        tsl_call c = {.op = TSL_OP_ORMTR_SB2ST, .k = p->kd, .trans = inverse ? qr_herm(t) : TSL_NOTRANS};
        r.st = run(x, c, (dense *const[]){&r.V, &r.tau, &Y}, 3);
        for (int64_t j = 0; j < COLUMNS && inverse; j++) {
            times(&r.B, &Y, j, y);
            for (int64_t i = 0; i < n; i++) dense_put(&Y, i, j, y[i]);
        }
    }
    for (int64_t j = 0; j < COLUMNS; j++) {
        times(&r.AB, &X, j, y);
        for (int64_t i = 0; i < n; i++) off = larger(off, cabs(y[i] - dense_get(&Y, i, j)));
    }
    off /= tsl_type_eps(t) * (double)n;
    check(!r.st && off < BOUND, "%c order %d, kd %d, by %d sweeps in %d regions: %s, residual %g", tsl_type_letter(t), (int)n,
          (int)p->kd, (int)p->sweeps, (int)p->regions, tsl_status_name(r.st), off);
    dense_free(&X), dense_free(&Y), free(y);
    done(&r);
}

/* at_once: not by rounds, which take long of large bands */
static void all_cases(env *x, bool at_once)
{
    static const way cases[] = {{2, 1, 1, 1},     {5, 2, 1, 1},     {9, 4, 4, 1},     {41, 3, 5, 1},    {41, 8, 16, 1},
                                {41, 33, 7, 1},   {70, 1, 9, 1},    {41, 3, 3, 2},    {70, 2, 4, 3},    {90, 1, 2, 5},
                                {131, 4, 4, 6},   {150, 4, 8, 3},   {150, 32, 64, 1}, {150, 5, 5, 6},   {301, 64, 64, 1},
                                {300, 64, 100, 1}, {200, 80, 80, 1}, {250, 4, 128, 1}, {330, 8, 8, 5}};
    static const way more[] = {{400, 9, 9, 4}, {1100, 16, 16, 4}, {2100, 16, 32, 3}, {1600, 20, 40, 2}, {1000, 80, 80, 1}};
    bool gpu = x->spec[0] == 'c';
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            if (cases[k].n <= 150 || gpu) some_sweeps(x, all_types[i], &cases[k]);
        for (size_t k = 0; k < (gpu && at_once ? sizeof more / sizeof *more : 1); k++)
            large(x, all_types[i], &more[k]);
        if (gpu && at_once) large(x, all_types[i], &(way){8500, 64, 64, 1 + i % 2});
        checked("%s: %c by some sweeps at a time, and in regions", env_name(x), tsl_type_letter(all_types[i]));
    }
}

static void on(const char *devices)
{
    env x = {.spec = devices, .tile = "0", .ctx = context_on(devices), .via = VIA_WRAPPED};
    if (x.ctx) all_cases(&x, true);
    if (x.ctx && devices[0] == 'c') { /* by rounds */
        check(!tsl_set(x.ctx, "shape", "2"), "%s", tsl_error(x.ctx));
        all_cases(&x, false);
    }
    tsl_context_destroy(x.ctx);
}

static void refusals(void)
{
    env x = {.spec = "host", .tile = "0", .ctx = context_on("host"), .via = VIA_WRAPPED};
    dense W = dense_make(TSL_Z, 4, 9, CANARY_FINITE), odd = dense_make(TSL_Z, 3, 9, CANARY_FINITE);
    dense d = dense_make(TSL_D, 9, 1, CANARY_FINITE), e = dense_make(TSL_D, 8, 1, CANARY_FINITE);
    dense V = dense_make(TSL_Z, 9, 9, CANARY_FINITE), tau = dense_make(TSL_Z, 4, 9, CANARY_FINITE),
          none = dense_make(TSL_Z, 0, 0, CANARY_FINITE);
    dense R = dense_make(TSL_Z, 3, 9, CANARY_FINITE), one = dense_make(TSL_D, 1, 1, CANARY_FINITE);
    struct {
        dense *W, *d, *V, *tau, *R;
        tsl_sweeps_args p;
        const char *line;
    } bad[] = {{&odd, &d, &none, &none, &R, {9, 1, 0, 0}, "W must have two rows"},
               {&W, &d, &V, &none, &R, {9, 1, 0, 0}, "V must have a column for each sweep"},
               {&W, &d, &V, &tau, &R, {2, 1, 0, 0}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &R, {10, 1, 0, 0}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &R, {9, 0, 0, 0}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &R, {99, 1, 0, 5}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &R, {99, 1, 2, 3}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &R, {99, -9, 5, 7}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &R, {INT64_MAX, 1, 0, 3}, "W must have the columns of all chunks"},
               {&W, &d, &V, &tau, &W, {9, 1, 0, 0}, "R must have a reflector for each sweep"},
               {&W, &d, &V, &W, &R, {9, 1, 0, 0}, "tau must have a column for each sweep"},
               {&W, &one, &V, &tau, &R, {9, 1, 0, 0}, ""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t columns = bad[i].V == &none ? 0 : i == 1 ? 4 : 3, chunks = bad[i].tau == &W ? 2 : bad[i].tau->m;
        dense Vi = part(bad[i].V, 0, 0, bad[i].V->m, columns), Ri = part(bad[i].R, 0, 0, bad[i].R->m, 3);
        dense taui = part(bad[i].tau, 0, 0, chunks, chunks ? 3 : 0), ei = part(&e, 0, 0, 3, 1);
        dense di = part(bad[i].d, 0, 0, bad[i].d->m > 4 ? 4 : 1, 1);
        tsl_call c = {.op = TSL_OP_SB2ST_SOME, .k = 3, .sweeps = bad[i].p};
        tsl_status st = run(&x, c, (dense *const[]){bad[i].W, &di, &ei, &Vi, &taui, &Ri}, 6);
        bool told = strstr(tsl_error(x.ctx), bad[i].line);
        const char *said = tsl_error(x.ctx);
        check(st == TSL_ERR_SHAPE && told, "%d: %s, '%s'; not '%s'", (int)i, tsl_status_name(st), said, bad[i].line);
        dense_free(&Vi), dense_free(&Ri), dense_free(&taui), dense_free(&di), dense_free(&ei);
    }
    dense_free(&R), dense_free(&one);
    checked("what is refused, and why");
    dense_free(&W), dense_free(&odd), dense_free(&d), dense_free(&e), dense_free(&V), dense_free(&tau), dense_free(&none);
    tsl_context_destroy(x.ctx);
}

int main(void)
{
    on("host");
    on("cuda");
    refusals();
    return tap_done();
}
