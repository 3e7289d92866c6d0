/* ScaLAPACK's symbols of singular values, norms, conditions, and solutions with a triangle, preloaded, on blocks whose first
 * block is on any process: beside the ScaLAPACK underneath, and by residuals. */
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

extern void pdgesvd_(void);

enum { NB = 5, ROOM = 100000 };

#define PART(x) x.d.data, &at, &at, x.desc

typedef struct svd {
    char jobu, jobvt;
    int m, n, at;
} svd;

typedef struct given {
    part A, U, VT;
    dense s;
    void *work, *reals;
    int info;
} given;

static void call_svd(any *fn, const svd *c, given *g, int room)
{
    static int m, n, at, lwork;
    char jobu = c->jobu, jobvt = c->jobvt;
    m = c->m, n = c->n, at = c->at, lwork = room, g->info = 77;
    void *real[FORTRAN_MOST] = {&jobu,      &jobvt,      &m,      &n,     PART(g->A), g->s.data,
                                PART(g->U), PART(g->VT), g->work, &lwork, &g->info,   FORTRAN_LENGTHS};
    void *complex_one[FORTRAN_MOST] = {&jobu,       &jobvt,  &m,     &n,       PART(g->A), g->s.data,      PART(g->U),
                                       PART(g->VT), g->work, &lwork, g->reals, &g->info,   FORTRAN_LENGTHS};
    call_fortran(fn, g->A.t >= TSL_C ? complex_one : real);
}

static given prepare(tsl_type type, const svd *c, const int src[2])
{
    dense zeros = dense_make(type, N, N, 0);
    dense_fill(&zeros, 0);
    given g = {.A = part_make(type, NB, NB, src[0], src[1], 7, 0),
               .U = part_of(&zeros, NB, NB, src[0], src[1]),
               .VT = part_of(&zeros, NB, NB, src[0], src[1]),
               .s = dense_make(eig_real(type), c->m < c->n ? c->m : c->n, 1, 0),
               .work = calloc(ROOM, 16),
               .reals = calloc(ROOM, 8)};
    if (!g.work || !g.reals) abort();
    dense_free(&zeros);
    return g;
}

static void drop(given *g)
{
    dense_free(&g->A.d), dense_free(&g->U.d), dense_free(&g->VT.d), dense_free(&g->s);
    free(g->work), free(g->reals);
}

/* |A - U diag(s) V^H| in units of eps, |A| and the order */
static double svd_residual(const dense *A, const dense *U, const dense *s, const dense *VT)
{
    int64_t m = A->m, n = A->n, k = s->m;
    tsl_scalar *a = eig_numbers(A, n, 1), *off = eig_numbers(A, n, 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t l = 0; l < k; l++) off[i + j * m] -= dense_get(U, i, l) * dense_get(s, l, 0) * dense_get(VT, l, j);
    double worst = qr_norm(off, m, n) / qr_norm(a, m, n);
    free(a), free(off);
    return worst / ((double)qr_max(m, n) * tsl_type_eps(A->t));
}

/* LAPACK's singular values: ScaLAPACK's are wrong where m and n differ, by 1e-2 and more */
static dense svd_lapack(const dense *A)
{
    dense B = dense_copy(A), s = dense_make(eig_real(A->t), A->m < A->n ? A->m : A->n, 1, CANARY_FINITE);
    lapack_int m = (lapack_int)A->m, n = (lapack_int)A->n, ld = (lapack_int)A->ld;
    void *a = B.data, *v = s.data;
    switch (A->t) {
    case TSL_S:
        LAPACKE_sgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, ld, v, NULL, 1, NULL, 1);
        break;
    case TSL_D:
        LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, ld, v, NULL, 1, NULL, 1);
        break;
    case TSL_C:
        LAPACKE_cgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, ld, v, NULL, 1, NULL, 1);
        break;
    default:
        LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, a, ld, v, NULL, 1, NULL, 1);
    }
    dense_free(&B);
    return s;
}

static double rows_apart(const dense *VT)
{
    dense V = dense_make(VT->t, VT->n, VT->m, CANARY_FINITE);
    for (int64_t j = 0; j < VT->m; j++)
        for (int64_t i = 0; i < VT->n; i++) dense_put(&V, i, j, conj(dense_get(VT, j, i)));
    double off = eig_apart(&V, V.n);
    dense_free(&V);
    return off;
}

static void one_svd(const team *t, tsl_type type, const svd *c, int turn)
{
    char text[20];
    any *fn[] = {part_symbol(0, type, "gesvd", text), part_symbol(1, type, "gesvd", text)};
    const int src[2] = {turn % 2 ? shape[0] - 1 : 0, turn % 2 ? shape[1] - 1 : 0};
    given g[2];
    bool same = true;
    for (int i = 0; i < 2; i++) {
        g[i] = prepare(type, c, src);
        call_svd(fn[i], c, &g[i], -1);
        same &= g[i].info == 0 && !memcmp(g[i].work, g[0].work, tsl_type_size(type));
        call_svd(fn[i], c, &g[i], ROOM);
    }
    int least = c->m < c->n ? c->m : c->n;
    dense all = part_whole(type, 7, 0), A = dense_make(type, c->m, c->n, CANARY_FINITE);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++) dense_put(&A, i, j, dense_get(&all, c->at - 1 + i, c->at - 1 + j));
    dense U = part_together(&g[0].U, c->at - 1, c->at - 1, c->m, least),
          VT = part_together(&g[0].VT, c->at - 1, c->at - 1, least, c->n);
    dense s = svd_lapack(&A);
    double values = eig_off(&g[0].s, &s, 0, least), off = 0, apart = 0;
    if (c->jobu == 'V' && c->jobvt == 'V') off = svd_residual(&A, &U, &g[0].s, &VT);
    if (c->jobu == 'V') apart = eig_apart(&U, least);
    if (c->jobvt == 'V') apart = tsl_larger(apart, rows_apart(&VT));
    all_ok(t, preloaded(fn[0]) && fn[1] && same && !g[0].info && !g[1].info && values < BOUND && off < BOUND && apart < BOUND,
           "%s %c%c %d x %d on %dx%d: values %.2g, residual %.2g, orthogonality %.2g; info %d, %d%s", text, c->jobu, c->jobvt,
           c->m, c->n, shape[0], shape[1], values, off, apart, g[0].info, g[1].info, same ? "" : "; another workspace");
    dense_free(&all), dense_free(&A), dense_free(&U), dense_free(&VT), dense_free(&s), drop(&g[0]), drop(&g[1]);
}

static void svd_refused(const team *t, tsl_type type)
{
    static const svd bad[] = {{'X', 'V', 20, 20, 1}, {'V', 'V', 20, 99, 1}, {'V', 'V', 20, 20, 1}};
    static const svd plain = {'V', 'V', 20, 20, 1};
    const int src[2] = {0, 0};
    char text[20];
    for (int i = 0; i < 3; i++) {
        given g[2];
        for (int k = 0; k < 2; k++) {
            g[k] = prepare(type, &plain, src);
            call_svd(part_symbol(k, type, "gesvd", text), &bad[i], &g[k], i == 2 ? 3 : ROOM);
        }
        all_ok(t, g[0].info == g[1].info && g[0].info < 0 && dense_same(&g[0].A.d, &g[1].A.d), "%s refused: info is %d and %d",
               text, g[0].info, g[1].info);
        drop(&g[0]), drop(&g[1]);
    }
}

/* A function of pointers and lengths that returns a real number of the type */
static double number(any *fn, tsl_type type, void *const a[9])
{
    typedef void *p;
    if (!fn) return NAN;
    if (type == TSL_S || type == TSL_C)
        return ((float (*)(p, p, p, p, p, p, p, p, p))fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    return ((double (*)(p, p, p, p, p, p, p, p, p))fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
}

/* Norms of a block that begins anywhere, its elements between NaN; of none, and of a letter that is none: what is underneath
 * says */
static void norms(const team *t, tsl_type type)
{
    static const char kinds[] = "MO1IFE", *const names[] = {"lange", "lansy", "lanhe"};
    for (int which = 0; which < (type >= TSL_C ? 3 : 2); which++) {
        char text[20];
        any *fn[] = {part_symbol(0, type, names[which], text), part_symbol(1, type, names[which], text)};
        double worst = 0;
        for (int k = 0; k < 12; k++) {
            part A = part_make(type, NB, NB, k % 2 ? shape[0] - 1 : 0, k % 2 ? shape[1] - 1 : 0, 5, 0);
            void *room = calloc(ROOM, 8), *length = (void *)1;
            char kind = kinds[k % 6], uplo = k < 6 ? 'L' : 'U';
            int m = 29, n = k == 11 ? 0 : 23, at = 6;
            double value[2];
            void *general[9] = {&kind, &m, &n, A.d.data, &at, &at, A.desc, room, length};
            void *half[9] = {&kind, &uplo, &n, A.d.data, &at, &at, A.desc, room, length};
            for (int i = 0; i < 2; i++) value[i] = number(fn[i], type, which ? half : general);
            worst = worse(worst, fabs(value[0] - value[1]) / (tsl_type_eps(type) * (value[1] + 1)));
            dense_free(&A.d), free(room);
        }
        all_ok(t, preloaded(fn[0]) && fn[1] && worst < BOUND, "%s on %dx%d: off by %.2g", text, shape[0], shape[1], worst);
    }
}

/* 1 / (3.5 |inv(A)|), norm one, of what the block from (6, 6) on are factors of. (ScaLAPACK's real estimates are too large by a
 * factor of up to forty.) */
static double condition(tsl_type type, int which)
{
    enum { n = 31 };
    dense all = part_whole(type, 5, 1), D = dense_make(type, n, n, CANARY_FINITE);
    tsl_scalar *x = qr_room(n, n), one = 1;
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = dense_get(&all, 5 + i, 5 + j);
            dense_put(&D, i, j, which && i > j ? 0 : v), x[i + j * n] = i == j;
        }
    tsl_scalar *d = eig_numbers(&D, n, 1);
    for (int first = 1; first >= 0; first--) /* inv(U) inv(L), or inv(U) inv(U^H) */
        cblas_ztrsm(CblasColMajor, CblasLeft, first && !which ? CblasLower : CblasUpper,
                    first && which ? CblasConjTrans : CblasNoTrans, first && !which ? CblasUnit : CblasNonUnit, n, n, &one, d,
                    n, x, n);
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) sum += cabs(x[i + j * n]);
        worst = tsl_larger(worst, sum);
    }
    free(x), free(d), dense_free(&all), dense_free(&D);
    return 1 / (3.5 * worst);
}

/* Conditions from factors, which need be no factors of a matrix whose norm is known */
static void conditions(const team *t, tsl_type type)
{
    static const char *const names[] = {"gecon", "pocon"};
    for (int which = 0; which < 2; which++) {
        char text[20];
        any *fn[] = {part_symbol(0, type, names[which], text), part_symbol(1, type, names[which], text)};
        dense rcond = dense_make(eig_real(type), 4, 1, 0);
        int info[2] = {77, 77}, bad[2] = {77, 77}, asked[2] = {77, 77};
        double room[2] = {0}, truth = condition(type, which);
        for (int i = 0; i < 2 && fn[i]; i++) {
            part A = part_make(type, NB, NB, 0, 0, 5, 1);
            void *work = calloc(ROOM, 16), *others = calloc(ROOM, 8);
            int n = 31, at = 6, lwork = ROOM, query = -1;
            char letter = which ? 'U' : '1', none = '?';
            dense_put(&rcond, 2, 0, 3.5);
            void *a[FORTRAN_MOST] = {&letter, &n,     PART(A),  dense_at(&rcond, 2, 0), dense_at(&rcond, i, 0), work, &lwork,
                                     others,  &lwork, &info[i], FORTRAN_LENGTHS};
            call_fortran(fn[i], a);
            a[0] = &none, a[12] = &bad[i];
            call_fortran(fn[i], a);
            a[0] = &letter, a[9] = &query, a[12] = &asked[i];
            call_fortran(fn[i], a);
            room[i] = creal(dense_get(&(dense){.t = type, .m = 1, .n = 1, .ld = 1, .data = work}, 0, 0));
            dense_free(&A.d), free(work), free(others);
        }
        double ours = creal(dense_get(&rcond, 0, 0));
        bool same = !info[0] && !info[1] && bad[0] == bad[1] && bad[0] < 0 && !asked[0] && !asked[1] && room[0] == room[1];
        all_ok(t, preloaded(fn[0]) && fn[1] && same && ours < 3.1 * truth && ours > 0.99 * truth,
               "%s on %dx%d: %.3g, and it is %.3g; info %d, %d, workspace %g, %g", text, shape[0], shape[1], ours, truth,
               info[0], info[1], room[0], room[1]);
        dense_free(&rcond);
    }
}

/* The solution, and the place of a zero on the diagonal */
static void triangles(const team *t, tsl_type type)
{
    static const struct {
        char uplo, trans, diag;
        int zero;
    } calls[] = {{'L', 'N', 'N', -1}, {'U', 'C', 'N', -1}, {'L', 'T', 'N', 17}, {'U', 'N', 'U', 17}, {'L', 'N', 'N', 30}};
    char text[20];
    any *fn[] = {part_symbol(0, type, "trtrs", text), part_symbol(1, type, "trtrs", text)};
    for (int k = 0; k < 5; k++) {
        part B[2];
        int info[2] = {77, 77}, n = 31, nrhs = 23, at = 6;
        for (int i = 0; i < 2; i++) {
            dense all = part_whole(type, 1, 1);
            for (int64_t j = 0; calls[k].diag == 'U' && j < N * N; j++)
                dense_put(&all, j % N, j / N, dense_get(&all, j % N, j / N) / N);
            for (int64_t j = 5 + calls[k].zero; calls[k].zero >= 0 && j < 36; j += 3) dense_put(&all, j, j, 0);
            part A = part_of(&all, NB, NB, 0, 0);
            char uplo = calls[k].uplo, trans = calls[k].trans, diag = calls[k].diag;
            B[i] = part_make(type, NB, NB, 0, 0, 2, 0);
            void *a[FORTRAN_MOST] = {&uplo, &trans, &diag, &n, &nrhs, PART(A), PART(B[i]), &info[i], FORTRAN_LENGTHS};
            if (fn[i]) call_fortran(fn[i], a);
            dense_free(&A.d), dense_free(&all);
        }
        double far = apart(&B[0], &B[1], 4 * N * N);
        int first = calls[k].diag == 'U' ? 0 : calls[k].zero + 1; /* ScaLAPACK tells of another than the first */
        all_ok(t, preloaded(fn[0]) && fn[1] && info[0] == first && (info[0] > 0) == (info[1] > 0) && far < BOUND,
               "%s %c%c%c on %dx%d: off by %.2g; info %d, %d", text, calls[k].uplo, calls[k].trans, calls[k].diag, shape[0],
               shape[1], far, info[0], info[1]);
        dense_free(&B[0].d), dense_free(&B[1].d);
    }
}

int main(int argc, char **argv)
{
    static const svd calls[] = {{'V', 'V', N, N, 1},  {'V', 'V', 33, 17, 6}, {'V', 'V', 17, 33, 6},
                                {'N', 'N', N, 20, 1}, {'V', 'N', 20, N, 1},  {'N', 'V', 20, N, 1}};
    team t = team_open(argc, argv);
    all_ok(&t, find_real(), "the ScaLAPACK underneath is loaded");
    open_grid("Row", t.rows, t.cols);
    for (int type = TSL_S; type <= TSL_Z; type++) {
        for (int i = 0; i < 6; i++) one_svd(&t, (tsl_type)type, &calls[i], i + type);
        svd_refused(&t, (tsl_type)type);
        norms(&t, (tsl_type)type);
        conditions(&t, (tsl_type)type);
        triangles(&t, (tsl_type)type);
    }
    Cblacs_gridexit(context);
    return team_close(&t);
}
#endif
