/* ScaLAPACK's symbols of eigenpairs by number and by value, of one matrix and two, preloaded, on blocks whose first block is on
 * any process: as many pairs as the ScaLAPACK underneath finds; eigenvalues, residual and orthogonality of the vectors; the
 * same answers about workspace, and the same info of what is wrong. */
#if !WITH_SCALAPACK
#include "tap.h"
int main(void)
{
    skip("no ScaLAPACK was found when this was built");
    return tap_done();
}
#else
#include "parts.h"

#include "eig.h"

extern void pdsyevx_(void);

enum { NB = 5, ROOM = 200000 };
typedef enum routine { EVR, EVX, GVX } routine;

/* at: where the block starts, from 1 on; il 0: the range is what vl and vu are */
typedef struct call {
    routine which;
    char jobz, range, uplo;
    int n, at, itype, il, iu;
} call;

typedef struct given {
    part A, B, Z;
    dense w, limits; /* vl, vu, abstol, orfac */
    int found, vectors, info, *integers, *failed, *clusters;
    void *work, *reals, *gap;
} given;

static const char *name_of(tsl_type type, routine which)
{
    static const char *const names[2][3] = {{"syevr", "syevx", "sygvx"}, {"heevr", "heevx", "hegvx"}};
    return names[type >= TSL_C][which];
}

#define PART(x) x.d.data, &at, &at, x.desc
static int make_call(any *fn, const call *c, given *g, int room)
{
    static int itype, at, n, il, iu, lwork;
    char jobz = c->jobz, range = c->range, uplo = c->uplo;
    itype = c->itype, at = c->at, n = c->n, il = c->il, iu = c->iu, lwork = room, g->info = 77;
    void *limit[4], *a[FORTRAN_MOST] = {0};
    for (int i = 0; i < 4; i++) limit[i] = dense_at(&g->limits, i, 0);
    int k = 0;
#define PUT(...)                                                                                                               \
    do {                                                                                                                       \
        void *list[] = {__VA_ARGS__};                                                                                          \
        memcpy(a + k, list, sizeof list), k += (int)(sizeof list / sizeof *list);                                              \
    } while (0)
    if (c->which == GVX) PUT(&itype);
    PUT(&jobz, &range, &uplo, &n, PART(g->A));
    if (c->which == GVX) PUT(PART(g->B));
    PUT(limit[0], limit[1], &il, &iu);
    if (c->which != EVR) PUT(limit[2]);
    PUT(&g->found, &g->vectors, g->w.data);
    if (c->which != EVR) PUT(limit[3]);
    PUT(PART(g->Z), g->work, &lwork);
    if (g->A.t >= TSL_C) PUT(g->reals, &lwork);
    PUT(g->integers, &lwork);
    if (c->which != EVR) PUT(g->failed, g->clusters, g->gap);
    PUT(&g->info, FORTRAN_LENGTHS);
#undef PUT
    call_fortran(fn, a);
    return g->info;
}

/* All of the matrices of a call: B is far from singular. */
static dense matrix_of(tsl_type type, const call *c, bool second)
{
    dense full = eig_matrix(type, c->n, second ? EIG_BANDED : EIG_RANDOM);
    for (int64_t i = 0; second && i < c->n; i++) dense_put(&full, i, i, dense_get(&full, i, i) + 9);
    return full;
}

static part placed(tsl_type type, const call *c, bool second, const int src[2])
{
    dense full = matrix_of(type, c, second), all = part_whole(type, 3, 0);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->n; i++)
            if (c->uplo == 'L' ? i >= j : i <= j) dense_put(&all, c->at - 1 + i, c->at - 1 + j, dense_get(&full, i, j));
    part p = part_of(&all, NB, NB, src[0], src[1]);
    dense_free(&full), dense_free(&all);
    return p;
}

static given prepare(tsl_type type, const call *c, const dense *w, const int src[2])
{
    dense zeros = dense_make(type, N, N, 0);
    dense_fill(&zeros, 0);
    given g = {.A = placed(type, c, false, src),
               .B = placed(type, c, true, src),
               .Z = part_of(&zeros, NB, NB, src[0], src[1]),
               .w = dense_make(eig_real(type), c->n, 1, 0),
               .limits = dense_make(eig_real(type), 4, 1, 0),
               .found = -1,
               .vectors = -1,
               .integers = calloc(ROOM, sizeof(int)),
               .failed = calloc(N, sizeof(int)),
               .clusters = calloc(64, sizeof(int)),
               .work = calloc(ROOM, 16),
               .reals = calloc(ROOM, 8),
               .gap = calloc(32, 8)};
    dense_fill(&g.limits, 0);
    for (int i = 0; w && i < 2; i++) { /* between two eigenvalues */
        int64_t at = i ? 2 * c->n / 3 : 3;
        dense_put(&g.limits, i, 0, (dense_get(w, at - 1, 0) + dense_get(w, at, 0)) / 2);
    }
    dense_put(&g.limits, 3, 0, 1e-3);
    if (!g.integers || !g.failed || !g.clusters || !g.work || !g.reals || !g.gap) abort();
    dense_free(&zeros);
    return g;
}

static void drop(given *g)
{
    dense_free(&g->A.d), dense_free(&g->B.d), dense_free(&g->Z.d), dense_free(&g->w), dense_free(&g->limits);
    free(g->integers), free(g->failed), free(g->clusters), free(g->work), free(g->reals), free(g->gap);
}

/* A x = l B x, A B x = l x or B A x = l x, as A v = l v with v = x, or what the inverse of a factor makes of it: the residual
 * in units of eps, the norms and the order */
static double off_of(tsl_type type, const call *c, const dense *Z, const dense *w, int found)
{
    dense A = matrix_of(type, c, false), B = matrix_of(type, c, true);
    int64_t n = c->n;
    tsl_scalar *a = eig_numbers(&A, n, 1), *b = eig_numbers(&B, n, 1), *z = eig_numbers(Z, found, 1), *left, *right;
    tsl_scalar *az = eig_product(a, z, n, found), *bz = eig_product(b, z, n, found);
    left = c->itype == 1 ? az : c->itype == 2 ? eig_product(a, bz, n, found) : eig_product(b, az, n, found);
    right = c->itype == 1 ? bz : z;
    tsl_scalar *off = qr_room(n, found);
    for (int64_t j = 0; j < found; j++)
        for (int64_t i = 0; i < n; i++) off[i + j * n] = left[i + j * n] - right[i + j * n] * dense_get(w, j, 0);
    double size = qr_norm(a, n, n) * qr_norm(b, n, n) * qr_norm(z, n, found), worst = qr_norm(off, n, found);
    if (left != az) free(left);
    free(a), free(b), free(z), free(az), free(bz), free(off), dense_free(&A), dense_free(&B);
    return found == 0 ? 0 : worst / size / ((double)n * tsl_type_eps(type));
}

static void one_call(const team *t, tsl_type type, const call *c, int turn)
{
    char text[20];
    const char *name = name_of(type, c->which);
    any *fn[] = {part_symbol(0, type, name, text), part_symbol(1, type, name, text)};
    const int src[2] = {turn % 2 ? shape[0] - 1 : 0, turn % 2 ? shape[1] - 1 : 0};
    dense full = matrix_of(type, c, false), w = eig_lapack(&full);
    given g[2];
    bool same = true;
    for (int i = 0; i < 2; i++) {
        g[i] = prepare(type, c, &w, src);
        same &= fn[i] && make_call(fn[i], c, &g[i], -1) == 0;
        same &= !memcmp(g[i].work, g[0].work, tsl_type_size(type)) && g[i].integers[0] == g[0].integers[0];
        if (fn[i]) make_call(fn[i], c, &g[i], ROOM);
    }
    int found = g[0].found, first = c->range == 'I' ? c->il - 1 : c->range == 'V' ? 3 : 0;
    bool count = found == g[1].found && found >= 0 && g[0].vectors == (c->jobz == 'V' ? found : -1);
    for (int i = 0; c->which != EVR && c->jobz == 'V' && i < found; i++) count &= g[0].failed[i] == 0;
    count &= c->jobz == 'N' || c->which == EVR || (g[0].clusters[0] == 0 && g[0].clusters[1] == 0);
    double values = 0, off = 0, apart = 0;
    if (count && c->which != GVX) values = eig_off(&g[0].w, &w, first, found);
    if (count && c->which == GVX) values = eig_off(&g[0].w, &g[1].w, 0, found) / N;
    dense Z = part_together(&g[0].Z, c->at - 1, c->at - 1, c->n, c->n);
    if (count && c->jobz == 'V' && c->which == GVX) off = off_of(type, c, &Z, &g[0].w, found);
    else if (count && c->jobz == 'V') off = eig_residual(&full, &Z, &g[0].w, found, 1), apart = eig_apart(&Z, found);
    all_ok(t, preloaded(fn[0]) && fn[1] && same && count && !g[0].info && values < BOUND && off < BOUND && apart < BOUND,
           "%s %c%c%c itype %d of order %d on %dx%d: %d pairs (%d), eigenvalues %.2g, residual %.2g, orthogonality %.2g; info "
           "%d, %d%s",
           text, c->jobz, c->range, c->uplo, c->itype, c->n, shape[0], shape[1], found, g[1].found, values, off, apart,
           g[0].info, g[1].info, same ? "" : "; another workspace");
    dense_free(&full), dense_free(&w), dense_free(&Z), drop(&g[0]), drop(&g[1]);
}

/* Wrong on all processes: the info of the ScaLAPACK underneath, and nothing is touched. A B
 * that is not positive definite: info and the minor as it tells them. */
static void refused(const team *t, tsl_type type)
{
    static const call bad[] = {{EVR, 'X', 'A', 'L', 20, 1, 1, 1, 2},
                               {EVX, 'V', 'Q', 'L', 20, 1, 1, 1, 2},
                               {EVX, 'V', 'I', 'L', 20, 1, 1, 5, 99},
                               {GVX, 'V', 'A', 'x', 20, 1, 1, 1, 2},
                               {GVX, 'V', 'A', 'L', 20, 1, 4, 1, 2}};
    static const call plain = {EVR, 'V', 'A', 'L', 20, 1, 1, 1, 2};
    const int src[2] = {0, 0};
    char text[20];
    for (int i = 0; i < 5; i++) {
        given g[2];
        int info[2];
        for (int k = 0; k < 2; k++) {
            g[k] = prepare(type, &plain, NULL, src);
            info[k] = make_call(part_symbol(k, type, name_of(type, bad[i].which), text), &bad[i], &g[k], ROOM);
        }
        int any_bad = !everywhere(info[1] == 0);
        all_ok(t, info[0] == info[1] && any_bad && dense_same(&g[0].A.d, &g[1].A.d), "%s refused: info is %d and %d", text,
               info[0], info[1]);
        drop(&g[0]), drop(&g[1]);
    }
    static const call c = {GVX, 'V', 'A', 'L', 20, 1, 1, 1, 2};
    given g[2];
    for (int k = 0; k < 2; k++) {
        g[k] = prepare(type, &c, NULL, src);
        for (int64_t i = 0, li = 0; i < N; i++) /* element (7, 7) := -1 */
            if (i / NB % shape[0] == shape[2]) {
                if (i == 6 && 6 / NB % shape[1] == shape[3]) dense_put(&g[k].B.d, li, 6 / NB / shape[1] * NB + 6 % NB, -1);
                li++;
            }
        make_call(part_symbol(k, type, name_of(type, GVX), text), &c, &g[k], ROOM);
    }
    all_ok(t, g[0].info == 16 && g[1].info == 16 && g[0].failed[0] == 7 && g[1].failed[0] == 7,
           "%s of a B with a minor that is negative: info %d, %d, minor %d, %d", text, g[0].info, g[1].info, g[0].failed[0],
           g[1].failed[0]);
    drop(&g[0]), drop(&g[1]);
}

int main(int argc, char **argv)
{
    static const call calls[] = {{EVR, 'V', 'A', 'L', N, 1, 1, 0, 0},   {EVR, 'N', 'I', 'U', N, 1, 1, 3, 20},
                                 {EVR, 'V', 'V', 'L', 31, 6, 1, 0, 0},  {EVX, 'V', 'I', 'L', N, 1, 1, 30, N},
                                 {EVX, 'V', 'V', 'U', N, 1, 1, 0, 0},   {EVX, 'N', 'A', 'L', 31, 6, 1, 0, 0},
                                 {GVX, 'V', 'A', 'L', N, 1, 1, 0, 0},   {GVX, 'V', 'I', 'U', N, 1, 2, 2, 9},
                                 {GVX, 'N', 'I', 'L', 31, 6, 3, 1, 31}, {GVX, 'V', 'A', 'L', 31, 6, 3, 0, 0}};
    team t = team_open(argc, argv);
    all_ok(&t, find_real(), "the ScaLAPACK underneath is loaded");
    open_grid("Row", t.rows, t.cols);
    for (int type = TSL_S; type <= TSL_Z; type++) {
        for (int i = 0; i < 10; i++) one_call(&t, (tsl_type)type, &calls[i], i + type);
        refused(&t, (tsl_type)type);
    }
    Cblacs_gridexit(context);
    return team_close(&t);
}
#endif
