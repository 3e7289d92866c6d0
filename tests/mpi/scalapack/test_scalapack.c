/* ScaLAPACK's symbols, preloaded: the same program, the same results. Each call is made twice, through the preloaded symbol and
 * by the ScaLAPACK underneath, on blocks that start anywhere of matrices whose first block is on any process. */
#if !WITH_SCALAPACK
#include "tap.h"
int main(void)
{
    skip("no ScaLAPACK was found when this was built");
    return tap_done();
}
#else
#include "parts.h"

extern void pdgemm_(void);

enum { K = 23 };

typedef struct call {
    const char *name;
    char side, uplo, trans, transb, diag;
} call;

#define M(x, i) x.d.data, &at[i], &at[i + 1], x.desc

/* One call on its matrices A, B, C, the last it has being written. */
static int make_call(any *fn, const call *c, part A, part B, part C)
{
    static const int at[] = {3, 3, 1, 5, 4, 2}, first = 6; /* a triangle on the diagonal; Cholesky from a block on */
    int m = 29, n = 31, k = K, info = 0;
    double z1[2] = {0.75, 0.5}, z2[2] = {-1.5, 0.25};
    float c1[2] = {0.75f, 0.5f}, c2[2] = {-1.5f, 0.25f};
    bool narrow = A.t == TSL_S || A.t == TSL_C;
    const void *alpha = narrow ? (void *)c1 : (void *)z1, *beta = narrow ? (void *)c2 : (void *)z2;
    if (!strcmp(c->name, "gemm"))
        ((void (*)(const char *, const char *, int *, int *, int *, const void *, void *, const int *, const int *, int *,
                   void *, const int *, const int *, int *, const void *, void *, const int *, const int *, int *))fn)(
            &c->trans, &c->transb, &m, &n, &k, alpha, M(A, 0), M(B, 2), beta, M(C, 4));
    else if (strstr(c->name, "mm") && c->name[0] != 't')
        ((void (*)(const char *, const char *, int *, int *, const void *, void *, const int *, const int *, int *, void *,
                   const int *, const int *, int *, const void *, void *, const int *, const int *, int *))fn)(
            &c->side, &c->uplo, &m, &n, alpha, M(A, 0), M(B, 2), beta, M(C, 4));
    else if (strstr(c->name, "2k"))
        ((void (*)(const char *, const char *, int *, int *, const void *, void *, const int *, const int *, int *, void *,
                   const int *, const int *, int *, const void *, void *, const int *, const int *, int *))fn)(
            &c->uplo, &c->trans, &n, &k, alpha, M(A, 0), M(B, 2), beta, M(C, 4));
    else if (strstr(c->name, "rk"))
        ((void (*)(const char *, const char *, int *, int *, const void *, void *, const int *, const int *, int *,
                   const void *, void *, const int *, const int *, int *))fn)(&c->uplo, &c->trans, &n, &k, alpha, M(A, 0), beta,
                                                                              M(C, 4));
    else if (c->name[0] == 't' && strcmp(c->name, "trtri"))
        ((void (*)(const char *, const char *, const char *, const char *, int *, int *, const void *, void *, const int *,
                   const int *, int *, void *, const int *, const int *, int *))fn)(&c->side, &c->uplo, &c->trans, &c->diag, &m,
                                                                                    &n, alpha, M(A, 0), M(C, 4));
    else if (!strcmp(c->name, "trtri"))
        ((void (*)(const char *, const char *, int *, void *, const int *, const int *, int *, int *, size_t, size_t))fn)(
            &c->uplo, &c->diag, &n, C.d.data, &first, &first, C.desc, &info, 1, 1);
    else if (!strcmp(c->name, "potrs") || !strcmp(c->name, "posv"))
        ((void (*)(const char *, int *, int *, void *, const int *, const int *, int *, void *, const int *, const int *, int *,
                   int *, size_t))fn)(&c->uplo, &n, &k, A.d.data, &first, &first, A.desc, C.d.data, &first, &first, C.desc,
                                      &info, 1);
    else
        ((void (*)(const char *, int *, void *, const int *, const int *, int *, int *, size_t))fn)(
            &c->uplo, &n, C.d.data, &first, &first, C.desc, &info, 1);
    return info;
}

static const call calls[] = {
    {"gemm", 0, 0, 'N', 'N', 0},   {"gemm", 0, 0, 'T', 'C', 0},   {"symm", 'L', 'U', 0, 0, 0},     {"symm", 'R', 'L', 0, 0, 0},
    {"hemm", 'L', 'L', 0, 0, 0},   {"hemm", 'R', 'U', 0, 0, 0},   {"syrk", 0, 'L', 'N', 0, 0},     {"syrk", 0, 'U', 'T', 0, 0},
    {"herk", 0, 'L', 'C', 0, 0},   {"herk", 0, 'U', 'N', 0, 0},   {"syr2k", 0, 'L', 'T', 0, 0},    {"syr2k", 0, 'U', 'N', 0, 0},
    {"her2k", 0, 'L', 'N', 0, 0},  {"her2k", 0, 'U', 'C', 0, 0},  {"trmm", 'L', 'L', 'N', 0, 'N'}, {"trmm", 'R', 'U', 'C', 0, 'U'},
    {"trsm", 'L', 'U', 'N', 0, 'N'}, {"trsm", 'R', 'L', 'T', 0, 'N'}, {"trsm", 'L', 'L', 'C', 0, 'U'}, {"potrf", 0, 'L', 0, 0, 0},
    {"potrf", 0, 'U', 0, 0, 0},    {"potri", 0, 'L', 0, 0, 0},    {"potri", 0, 'U', 0, 0, 0},      {"trtri", 0, 'L', 0, 0, 'N'},
    {"trtri", 0, 'U', 0, 0, 'N'},  {"potrs", 0, 'L', 0, 0, 0},    {"potrs", 0, 'U', 0, 0, 0},      {"posv", 0, 'L', 0, 0, 0},
    {"posv", 0, 'U', 0, 0, 0},
};

static const struct {
    const char *name;
    char trans;
} lus[] = {{"getrf", 0}, {"getrs", 'N'}, {"getrs", 'T'}, {"getrs", 'C'}, {"gesv", 0}, {"getri", 0}, {"laswp", 'F'}, {"laswp", 'B'}};

static void one_call(const team *t, tsl_type type, const call *c)
{
    char symbol[16];
    snprintf(symbol, sizeof symbol, "p%c%s_", tsl_type_letter(type), c->name);
    any *ours = (any *)dlsym(RTLD_DEFAULT, symbol), *theirs = (any *)dlsym(real, symbol);
    bool triangular = c->diag, square = triangular || c->name[0] == 'p', blocked = square || c->side;
    bool alone = !strcmp(c->name, "potrf") || !strcmp(c->name, "potri") || !strcmp(c->name, "trtri"); /* C is all it has */
    /* ScaLAPACK wants square blocks and the same start for triangles */
    int mb = 5, rsrc = shape[0] - 1;
    part A = part_make(type, mb, mb, 0, 0, 1, blocked), B = part_make(type, mb, mb, 0, 0, 2, 0);
    part C[2];
    for (int i = 0; i < 2; i++) C[i] = part_make(type, mb, mb, square ? 0 : rsrc, 0, 3, alone);
    if (c->diag == 'U') /* ones are meant where these stand: keep the solution small */
        for (int64_t i = 0; i < A.d.m * A.d.n; i++)
            dense_put(&A.d, i % A.d.m, i / A.d.m, dense_get(&A.d, i % A.d.m, i / A.d.m) / N);
    part A2 = A; /* posv writes it */
    A2.d = dense_copy(&A.d);
    int info = ours ? make_call(ours, c, A, B, C[0]) : -1;
    if (theirs) info |= make_call(theirs, c, A2, B, C[1]);
    double far = worse(worse(0, apart(&C[0], &C[1], 4 * N * N)), apart(&A, &A2, 4 * N * N));
    all_ok(t, preloaded(ours) && theirs && info == 0 && far < 30, "%s %c%c%c%c%c on %dx%d: off by %.2g%s", symbol,
           c->side ? c->side : '-', c->uplo ? c->uplo : '-', c->trans ? c->trans : '-', c->transb ? c->transb : '-',
           c->diag ? c->diag : '-', t->rows, t->cols, far, preloaded(ours) ? "" : ", not preloaded");
    dense_free(&A.d), dense_free(&A2.d), dense_free(&B.d), dense_free(&C[0].d), dense_free(&C[1].d);
}

/* LU of the block from (6, 6) on, and what its factors and pivots are for. */
static int lu_call(any *fn, const char *name, char trans, part A, part B, int *ipiv)
{
    static double work[8 * N * N];
    static int iwork[8 * N];
    int m = !strcmp(name, "getrf") ? 29 : 31, n = 31, nrhs = K, at = 6, lwork = 4 * N * N, liwork = 8 * N, info = 0, k1 = 11, k2 = 14;
    if (!strcmp(name, "getrf"))
        ((void (*)(int *, int *, void *, int *, int *, int *, int *, int *))fn)(&m, &n, A.d.data, &at, &at, A.desc, ipiv, &info);
    else if (!strcmp(name, "getrs"))
        ((void (*)(const char *, int *, int *, void *, int *, int *, int *, int *, void *, int *, int *, int *, int *, size_t))fn)(
            &trans, &n, &nrhs, A.d.data, &at, &at, A.desc, ipiv, B.d.data, &at, &at, B.desc, &info, 1);
    else if (!strcmp(name, "gesv"))
        ((void (*)(int *, int *, void *, int *, int *, int *, int *, void *, int *, int *, int *, int *))fn)(
            &n, &nrhs, A.d.data, &at, &at, A.desc, ipiv, B.d.data, &at, &at, B.desc, &info);
    else if (!strcmp(name, "getri"))
        ((void (*)(int *, void *, int *, int *, int *, int *, void *, int *, int *, int *, int *))fn)(&n, A.d.data, &at, &at, A.desc, ipiv, work,
                                                                                                  &lwork, iwork, &liwork, &info);
    else /* of rows 11 to 14, which one block has, as the factorization of them has left its pivots in all process rows */
        ((void (*)(const char *, const char *, int *, void *, int *, int *, int *, int *, int *, int *, size_t, size_t))fn)(
            &trans, "R", &n, B.d.data, &at, &at, B.desc, &k1, &k2, ipiv, 1, 1);
    return info;
}

static void one_lu(const team *t, tsl_type type, const char *name, char trans)
{
    char symbol[16];
    snprintf(symbol, sizeof symbol, "p%cgesv_", tsl_type_letter(type));
    any *factor = (any *)dlsym(real, symbol);
    snprintf(symbol, sizeof symbol, "p%c%s_", tsl_type_letter(type), name);
    any *ours = (any *)dlsym(RTLD_DEFAULT, symbol), *theirs = (any *)dlsym(real, symbol);
    bool swaps = !strcmp(name, "laswp"), factored = !swaps && strcmp(name, "getrf") && strcmp(name, "gesv");
    part A[2], B[2];
    int ipiv[2][2 * N + 5] = {{0}}, info = 0;
    for (int i = 0; i < 2; i++) {
        A[i] = part_make(type, 5, 5, 0, 0, 4, 0), B[i] = part_make(type, 5, 5, 0, 0, 5, 0);
        if (factored && factor) info |= lu_call(factor, "gesv", 0, A[i], B[i], ipiv[i]);
        if (swaps) { /* pivots 15, 41, 13, 20, where row 11 is, or would be, in the local array */
            int before = 10, five = 5, zero = 0, at = numroc_(&before, &five, &shape[2], &zero, &shape[0]);
            memcpy(&ipiv[i][at], (int[4]){15, 41, 13, 20}, 4 * sizeof(int));
        }
    }
    if (trans == 'B') lu_call(ours, name, 'F', A[0], B[0], ipiv[0]); /* then back: ScaLAPACK's reads its pivots from another place there */
    info |= ours ? lu_call(ours, name, trans, A[0], B[0], ipiv[0]) : -1;
    if (trans != 'B') info |= theirs ? lu_call(theirs, name, trans, A[1], B[1], ipiv[1]) : -1;
    int n = N, five = 5, zero = 0, rows = numroc_(&n, &five, &shape[2], &zero, &shape[0]), same = 1;
    for (int l = 0; l < rows; l++) { /* those of the block's rows */
        int row = (l / 5 * shape[0] + shape[2]) * 5 + l % 5 + 1;
        same &= row < 6 || row > 34 || swaps || ipiv[0][l] == ipiv[1][l];
    }
    double far = worse(worse(0, apart(&A[0], &A[1], 4 * N * N)), apart(&B[0], &B[1], 4 * N * N));
    all_ok(t, preloaded(ours) && theirs && info == 0 && far < 30 && same, "%s %c on %dx%d: off by %.2g%s", symbol, trans ? trans : '-', t->rows, t->cols,
           far, same ? "" : ", other pivots");
    for (int i = 0; i < 2; i++) dense_free(&A[i].d), dense_free(&B[i].d);
}

/* PBLAS may have an operand whole on every process, which we do not take: the ScaLAPACK underneath gets the call. */
static void passed_on(const team *t)
{
    static const call product = {"gemm", 0, 0, 'N', 'N', 0};
    part A = {.t = TSL_D, .d = dense_make(TSL_D, N, N, CANARY_FINITE)}, B = part_make(TSL_D, 5, 5, 0, 0, 2, 0), C[2];
    memcpy(A.desc, (int[9]){1, context, N, N, 5, 5, -1, -1, (int)A.d.ld}, sizeof A.desc);
    dense_random(&A.d, 1);
    for (int i = 0; i < 2; i++) C[i] = part_make(TSL_D, 5, 5, 0, 0, 3, 0);
    part before = {.t = TSL_D, .d = dense_copy(&C[0].d)};
    make_call((any *)dlsym(RTLD_DEFAULT, "pdgemm_"), &product, A, B, C[0]);
    make_call((any *)dlsym(real, "pdgemm_"), &product, A, B, C[1]);
    int changed = !everywhere(dense_same(&before.d, &C[0].d));
    all_ok(t, changed && dense_same(&C[0].d, &C[1].d), "what is not for us reaches the ScaLAPACK underneath");
    dense_free(&A.d), dense_free(&B.d), dense_free(&C[0].d), dense_free(&C[1].d), dense_free(&before.d);
}

/* potrf of a matrix that is not positive definite. */
static void outcomes(const team *t)
{
    void (*potrf)(const char *, int *, void *, int *, int *, int *, int *, size_t) =
        (void (*)(const char *, int *, void *, int *, int *, int *, int *, size_t))dlsym(RTLD_DEFAULT, "pdpotrf_");
    int n = N, one = 1, info = 0;
    part A = part_make(TSL_D, 5, 5, 0, 0, 1, 1);
    if (20 / 5 % shape[0] == shape[2] && 20 / 5 % shape[1] == shape[3]) { /* element (20, 20) is here */
        int before = 20, five = 5, zero = 0;
        dense_put(&A.d, numroc_(&before, &five, &shape[2], &zero, &shape[0]),
                  numroc_(&before, &five, &shape[3], &zero, &shape[1]), -1);
    }
    potrf("L", &n, A.d.data, &one, &one, A.desc, &info, 1);
    all_ok(t, info == 21, "info is %d", info);
    dense_free(&A.d);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    all_ok(&t, find_real(), "the ScaLAPACK underneath is loaded");
    for (int round = 0; round < 2; round++) { /* the second grid may have the first one's number */
        open_grid(round ? "Col" : "Row", round ? t.cols : t.rows, round ? t.rows : t.cols);
        for (int type = TSL_S; type <= TSL_Z; type++) /* half of the calls on one grid, the others on the other */
            for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
                if ((type >= TSL_C || strncmp(calls[i].name, "he", 2)) && (in_full() || (type + (int)i + round) % 2)) one_call(&t, (tsl_type)type, &calls[i]);
        for (int type = TSL_S; type <= TSL_Z; type++)
            for (size_t i = 0; i < sizeof lus / sizeof *lus; i++)
                if (in_full() || (type + (int)i + round) % 2) one_lu(&t, (tsl_type)type, lus[i].name, lus[i].trans);
        outcomes(&t);
        passed_on(&t);
        Cblacs_gridexit(context);
    }
    return team_close(&t);
}
#endif
