/* Eigenpairs of symmetric and Hermitian matrices, all and some of them, of one matrix, of two and of tridiagonal ones:
 * residuals, orthogonality, and eigenvalues beside LAPACK's. What is not a number, and what is refused. */
#include "eig.h"

static const tsl_uplo triangles[] = {TSL_LOWER, TSL_UPPER};
static char letter(tsl_uplo u) { return u == TSL_LOWER ? 'L' : 'U'; }

/* A matrix with its eigenvalues as LAPACK has them */
typedef struct problem {
    dense full, w;
    eig_kind kind;
    char who[96];
} problem;

static problem make(tsl_type t, int64_t n, eig_kind kind)
{
    problem p = {.full = eig_matrix(t, n, kind), .kind = kind};
    p.w = eig_lapack(&p.full);
    snprintf(p.who, sizeof p.who, "%c of order %d, %s", tsl_type_letter(t), (int)n, eig_name[kind]);
    return p;
}

static void done(problem *p) { dense_free(&p->full), dense_free(&p->w); }

static void good_pairs(const problem *p, const char *how, const dense *V, const dense *w, int64_t first, int64_t k)
{
    double by = eig_by(p->full.t, p->kind), off = V ? eig_residual(&p->full, V, w, k, by) : 0, q = V ? eig_apart(V, k) : 0, values = eig_off(w, &p->w, first, k);
    check(off < BOUND && q < BOUND && values < BOUND, "%s, %s: residual %g, orthogonality %g, eigenvalues %g", p->who, how, off, q, values);
}

static dense column(tsl_type t, int64_t n) { return dense_make(eig_real(t), n, 1, CANARY_FINITE); }

/* In place, and values alone */
static void all_pairs(tsl_context *x, const problem *p, tsl_uplo uplo)
{
    tsl_type t = p->full.t;
    int64_t n = p->full.n;
    for (int job = 0; job < 2; job++) {
        dense A = eig_triangle(&p->full, uplo), w = column(t, n), was = dense_copy(&A);
        int64_t info = -7;
        tsl_status st = (n % 2 ? eig_typed[t].evd : eig_typed[t].ev)(x, "NV"[job], letter(uplo), n, A.data, A.ld, w.data, &info);
        check(!st && !info, "%s: %s, info %d: %s", p->who, tsl_status_name(st), (int)info, tsl_error(x));
        if (!st && !info) good_pairs(p, job ? "all" : "values", job ? &A : NULL, &w, 0, n);
        check(!dense_strays(&A, &was, job ? TSL_GENERAL : uplo), "%s: wrote elsewhere", p->who);
        dense_free(&A), dense_free(&w), dense_free(&was);
    }
}

/* Numbers il .. iu, and those between two neighbours; the number of columns there is room for is what is wanted */
static void some_pairs(tsl_context *x, const problem *p, tsl_uplo uplo, char range, int64_t il, int64_t iu, bool old)
{
    tsl_type t = p->full.t;
    int64_t n = p->full.n, m = -7, info = -7, k = iu - il + 1, ifail[128];
    double size = fmax(fabs(creal(dense_get(&p->w, 0, 0))), fabs(creal(dense_get(&p->w, n - 1, 0))));
    double vl = il > 1 ? (creal(dense_get(&p->w, il - 2, 0)) + creal(dense_get(&p->w, il - 1, 0))) / 2 : -2 * size;
    double vu = iu < n ? (creal(dense_get(&p->w, iu - 1, 0)) + creal(dense_get(&p->w, iu, 0))) / 2 : 2 * size;
    dense A = eig_triangle(&p->full, uplo), w = column(t, n), Z = dense_make(t, n, k, CANARY_FINITE), none = dense_make(t, n, k, CANARY_FINITE);
    tsl_status st = eig_typed[t].evx(x, 'V', range, letter(uplo), n, A.data, A.ld, vl, vu, il, iu, &m, w.data, Z.data, Z.ld, old ? ifail : NULL, &info);
    check(!st && !info && m == k, "%s, %c %d to %d: %s, info %d, %d found: %s", p->who, range, (int)il, (int)iu, tsl_status_name(st), (int)info, (int)m, tsl_error(x));
    if (!st && !info && m == k) good_pairs(p, range == 'V' ? "by value" : "by index", &Z, &w, il - 1, k);
    for (int64_t i = 0; old && !st && i < m; i++) check(ifail[i] == 0, "ifail");
    check(!dense_strays(&Z, &none, TSL_GENERAL), "%s: wrote beside Z", p->who);
    dense_free(&A), dense_free(&w), dense_free(&Z), dense_free(&none);
}

/* On views, with a matrix of its own for vectors; "auto" and "one" */
static void on_views(tsl_context *x, const problem *p, tsl_uplo uplo, const tsl_selection *which, int64_t first, int64_t k)
{
    tsl_type t = p->full.t;
    int64_t n = p->full.n, m = -7, info = -7;
    dense A = eig_triangle(&p->full, uplo), w = column(t, n), V = dense_make(t, n, k, CANARY_FINITE);
    tsl_matrix *a = NULL, *b = NULL, *v = NULL;
    if (tsl_matrix_wrap(x, t, n, n, A.data, A.ld, &a) || tsl_matrix_wrap(x, w.t, n, 1, w.data, w.ld, &b) || tsl_matrix_wrap(x, t, n, k, V.data, V.ld, &v)) abort();
    tsl_view S = uplo == TSL_LOWER ? tsl_lower(tsl_whole(a)) : tsl_upper(tsl_whole(a));
    tsl_status st = tsl_syev(x, S, which, tsl_whole(b), tsl_whole(v), &m, &info);
    check(!st && !info && m == k, "%s on views: %s, info %d, %d found: %s", p->who, tsl_status_name(st), (int)info, (int)m, tsl_error(x));
    if (!st && !info && m == k) good_pairs(p, "on views", &V, &w, first, k);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(v);
    dense_free(&A), dense_free(&w), dense_free(&V);
}

static const int64_t orders[] = {1, 2, 3, 5, 33, 105};

static void families(tsl_context *x, const char *name, bool few)
{
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 6; s++)
            for (int kind = 0; kind < EIG_KINDS; kind++) {
                if ((orders[s] > 100 && kind % 4 != i && !(kind == EIG_GLUED && i == 1)) || (few && (kind + s) % 3)) continue;
                problem p = make(all_types[i], orders[s], (eig_kind)kind);
                int64_t n = orders[s];
                all_pairs(x, &p, triangles[kind % 2]);
                if (n < 50) all_pairs(x, &p, triangles[1 - kind % 2]);
                if (n >= 5) some_pairs(x, &p, triangles[s % 2], 'I', n / 3, n / 2, kind % 2);
                if (n >= 5 && kind == EIG_RANDOM) some_pairs(x, &p, triangles[1], 'V', 2, n - 2, true), some_pairs(x, &p, triangles[0], 'V', 1, n, false);
                on_views(x, &p, triangles[(kind + 1) % 2], NULL, 0, n);
                if (n >= 2) on_views(x, &p, triangles[kind % 2], &(tsl_selection){TSL_RANGE_INDEX, 2, n, 0, 0}, 1, n - 1);
                done(&p);
            }
        checked("%s: %c: all and some", name, tsl_type_letter(all_types[i]));
    }
    static const char *const variants[] = {"one", "two", "three"};
    for (int v = 0; v < 3; v++) {
        const char *variant = variants[v];
        int64_t n = v ? 75 : 33; /* several panels of the band */
        if (few && v == 2) break;
        check(!tsl_set(x, "variant", variant), "%s", tsl_error(x));
        for (int i = 0; i < 4; i++)
            for (int kind = v == 2 ? i : 0; kind < EIG_KINDS; kind += v == 2 ? 4 : 1) {
                problem p = make(all_types[i], n, (eig_kind)kind);
                for (int u = 0; u < 2; u++) all_pairs(x, &p, triangles[u]);
                on_views(x, &p, triangles[kind % 2], NULL, 0, n);
                on_views(x, &p, triangles[(kind + i) % 2], &(tsl_selection){TSL_RANGE_INDEX, 3, 9, 0, 0}, 2, 7);
                done(&p);
            }
        for (int64_t small = 0; small <= 3; small++)
            for (int i = 0; i < 4; i++) {
                problem p = make(all_types[i], small, EIG_RANDOM);
                for (int u = 0; u < 2; u++) all_pairs(x, &p, triangles[u]);
                done(&p);
            }
        checked("%s: variant %s", name, variant);
    }
    check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
}

static const double odd[] = {NAN, INFINITY, -INFINITY};

/* One number that is none: NaN, with an info */
static void not_numbers(tsl_context *x, const char *name)
{
    for (int i = 0; i < 4; i++)
        for (int64_t n = 1; n <= 40; n += 13)
            for (int k = 0; k < 3; k++)
                for (int job = 0; job < 2; job++) {
                    tsl_type t = all_types[i];
                    problem p = make(t, n, EIG_RANDOM);
                    dense A = eig_triangle(&p.full, TSL_LOWER), w = column(t, n), e = column(t, n);
                    int64_t info = -7, m = -7;
                    dense_put(&A, n - 1, 0, odd[k]);
                    tsl_status st = eig_typed[t].evd(x, "NV"[job], 'L', n, A.data, A.ld, w.data, &info);
                    check(!st && info > 0 && info <= n && eig_spoiled(&w, 1) && (!job || eig_spoiled(&A, n)), "%s, %g: %s, info %d", p.who, odd[k], tsl_status_name(st),
                          (int)info);
                    dense_put(&p.full, n - 1, 0, odd[k]);
                    st = eig_typed[t].evx(x, "NV"[job], 'V', 'L', n, p.full.data, p.full.ld, -1, 1, 0, 0, &m, w.data, A.data, A.ld, NULL, &info);
                    check(!st && info > 0 && info <= n && m == 0, "%s by value, %g: %s, info %d, %d found", p.who, odd[k], tsl_status_name(st), (int)info, (int)m);
                    for (int64_t j = 0; j < n; j++) dense_put(&w, j, 0, j == n / 2 ? odd[k] : 1), dense_put(&e, j, 0, 1);
                    st = eig_typed[t].stedc(x, "NI"[job], n, w.data, e.data, A.data, A.ld, &info);
                    check(!st && info == n && eig_spoiled(&w, 1) && (!job || eig_spoiled(&A, n)), "tridiagonal, %s, %g: info %d", p.who, odd[k], (int)info);
                    dense_free(&A), dense_free(&w), dense_free(&e), done(&p);
                }
    checked("%s: NaN and Inf", name);
}

static void of_two(tsl_context *x, tsl_type t, int64_t n, tsl_uplo uplo, int itype)
{
    char who[64];
    snprintf(who, sizeof who, "%c of two matrices of order %d, %c", tsl_type_letter(t), (int)n, letter(uplo));
    dense full = eig_matrix(t, n, EIG_RANDOM), A = eig_triangle(&full, uplo), B = dense_definite(t, n, TSL_GENERAL), F = eig_triangle(&B, uplo);
    dense w = column(t, n), values = column(t, n), Z = dense_make(t, n, n, CANARY_FINITE);
    int64_t info = -7, m = -7, il = n > 2 ? 2 : 1;
    tsl_status st = (n % 2 ? eig_typed[t].gvd : eig_typed[t].gv)(x, itype, 'V', letter(uplo), n, A.data, A.ld, F.data, F.ld, w.data, &info);
    check(!st && !info, "%s: %s, info %d: %s", who, tsl_status_name(st), (int)info, tsl_error(x));
    check_two(who, itype, &full, &B, &A, &w, n);
    dense A2 = eig_triangle(&full, uplo), F2 = eig_triangle(&B, uplo);
    st = eig_typed[t].gvx(x, itype, 'V', 'I', letter(uplo), n, A2.data, A2.ld, F2.data, F2.ld, 0, 0, il, n, &m, values.data, Z.data, Z.ld, &info);
    check(!st && !info && m == n - il + 1, "%s, some: %s, info %d, %d: %s", who, tsl_status_name(st), (int)info, (int)m, tsl_error(x));
    check_two(who, itype, &full, &B, &Z, &values, m);
    check(eig_off(&values, &w, il - 1, m) < BOUND, "%s: others by index", who);
    /* the factor is in F: A to the standard problem, whose eigenvalues are the same */
    dense C = eig_triangle(&full, uplo);
    st = eig_typed[t].gst(x, itype, letter(uplo), n, C.data, C.ld, F.data, F.ld, &info);
    if (!st) st = eig_typed[t].evd(x, 'N', letter(uplo), n, C.data, C.ld, values.data, &info);
    check(!st && !info && eig_off(&values, &w, 0, n) < BOUND, "%s: sygst: %s, off %g", who, tsl_status_name(st), eig_off(&values, &w, 0, n));
    tsl_device_info d;
    if (!tsl_device_query(x, 0, &d) && !d.is_virtual && n > 1) { /* by halves */
        dense H = eig_triangle(&full, uplo);
        check(!tsl_set(x, "variant", "wide"), "%s", tsl_error(x));
        st = eig_typed[t].gst(x, itype, letter(uplo), n, H.data, H.ld, F.data, F.ld, &info);
        check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
        if (!st) st = eig_typed[t].evd(x, 'N', letter(uplo), n, H.data, H.ld, values.data, &info);
        double off = eig_off(&values, &w, 0, n);
        check(!st && off < BOUND, "%s: sygst by halves: %s, off %g", who, tsl_status_name(st), off);
        dense_free(&H);
    }
    /* not definite: the column is told */
    dense G = eig_triangle(&B, uplo), D = eig_triangle(&full, uplo);
    dense_put(&G, n / 2, n / 2, -1);
    st = eig_typed[t].gvd(x, itype, 'V', letter(uplo), n, D.data, D.ld, G.data, G.ld, w.data, &info);
    check(!st && info == n + n / 2 + 1, "%s: %s, info %d", who, tsl_status_name(st), (int)info);
    dense_free(&full), dense_free(&A), dense_free(&B), dense_free(&F), dense_free(&w), dense_free(&values), dense_free(&Z), dense_free(&A2), dense_free(&F2);
    dense_free(&C), dense_free(&G), dense_free(&D);
}

static void generalized(tsl_context *x, const char *name)
{
    static const int64_t sizes[] = {1, 2, 5, 33, 150};
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 5; s++)
            for (int itype = 1; itype <= 3; itype++)
                for (int u = 0; u < 2; u++)
                    if (sizes[s] < 100 || (itype + u + i) % 4 == 0) of_two(x, all_types[i], sizes[s], triangles[u], itype);
        checked("%s: %c: of two matrices", name, tsl_type_letter(all_types[i]));
    }
}

/* Tridiagonal ones by every call: vectors, some, times a matrix */
static void tridiagonal(tsl_context *x, const char *name)
{
    static const eig_kind kinds[] = {EIG_RANDOM, EIG_GLUED, EIG_DIAGONAL, EIG_ZEROS, EIG_TINY, EIG_HUGE};
    for (int i = 0; i < 4; i++)
        for (int s = 0; s < 6; s++)
            for (int k = 0; k < 6; k++)
                for (int way = 0; way < (orders[s] > 100 ? (k < 2 ? 2 : 0) : 4); way++) { /* stedc I, V; steqr I, V */
                    tsl_type t = all_types[i];
                    int64_t n = orders[s], info = -7;
                    problem p = make(eig_real(t), n, kinds[k]);
                    dense Z = dense_make(t, n, n, CANARY_FINITE), w = column(t, n), e = column(t, n);
                    for (int64_t j = 0; j < n; j++)
                        for (int64_t r = 0; r < n; r++) {
                            if (r > j + 1 || j > r + 1) dense_put(&p.full, r, j, 0);
                            dense_put(&Z, r, j, r == j);
                        }
                    dense_free(&p.w), p.w = eig_lapack(&p.full);
                    for (int64_t j = 0; j < n; j++) dense_put(&w, j, 0, dense_get(&p.full, j, j)), dense_put(&e, j, 0, j + 1 < n ? dense_get(&p.full, j + 1, j) : 0);
                    tsl_status st = (way < 2 ? eig_typed[t].stedc : eig_typed[t].steqr)(x, "IV"[way % 2], n, w.data, e.data, Z.data, Z.ld, &info);
                    check(!st && !info, "%s: %s, info %d: %s", p.who, tsl_status_name(st), (int)info, tsl_error(x));
                    good_pairs(&p, way < 2 ? "stedc" : "steqr", &Z, &w, 0, n);
                    dense_free(&Z), dense_free(&w), dense_free(&e), done(&p);
                }
    checked("%s: tridiagonal", name);
    double d[4] = {2, 2, 2, 2}, e[3] = {-1, -1, -1}, w[4], Z[16];
    int64_t m = -7, info = -7, support[8];
    tsl_status st = tsl_dstevr(x, 'V', 'V', 4, d, e, 1, 3, 0, 0, 0, &m, w, Z, 4, support, &info);
    check(!st && !info && m == 2 && fabs(w[0] - (2 - 2 * cos(2 * acos(-1) / 5))) < 1e-15 * 10, "stevr by value: %s, info %d, %d found", tsl_status_name(st), (int)info, (int)m);
    checked("%s: some of a tridiagonal one", name);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(tsl_context *x)
{
    enum { N = 6 };
    tsl_matrix *A, *v, *V;
    int64_t info, m;
    if (tsl_matrix_create(x, TSL_Z, N, N, &A) || tsl_matrix_create(x, TSL_D, N, 3, &v) || tsl_matrix_create(x, TSL_Z, N, N, &V)) abort();
    tsl_view a = tsl_whole(A), l = tsl_lower(a), w = tsl_sub(tsl_whole(v), 0, 0, N, 1), d = tsl_sub(tsl_whole(v), 0, 1, N, 1), e = tsl_sub(tsl_whole(v), 0, 2, N - 1, 1);
    tsl_view Z = tsl_whole(V), none = {0};
    says(x, tsl_syev(x, a, NULL, w, Z, &m, &info), TSL_ERR_UPLO, "syev: A must be a triangle");
    says(x, tsl_syev(x, tsl_lower(tsl_sub(a, 0, 0, N, 3)), NULL, w, none, &m, &info), TSL_ERR_SHAPE, "A must be square");
    says(x, tsl_syev(x, tsl_trans(l), NULL, w, Z, &m, &info), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_syev(x, l, NULL, e, Z, &m, &info), TSL_ERR_SHAPE, "w is 5 x 1, must be a column of 6 elements");
    says(x, tsl_syev(x, l, NULL, w, tsl_sub(Z, 0, 0, N, 5), &m, &info), TSL_ERR_SHAPE, "vectors must have");
    says(x, tsl_syev(x, l, NULL, w, a, &m, &info), TSL_ERR_OVERLAP, "V overlaps A");
    says(x, tsl_syev(x, l, &(tsl_selection){TSL_RANGE_INDEX, 0, 3, 0, 0}, w, Z, &m, &info), TSL_ERR_SIZE, "eigenpairs 1 to 6");
    says(x, tsl_syev(x, l, &(tsl_selection){TSL_RANGE_VALUE, 0, 0, 2, 2}, w, Z, &m, &info), TSL_ERR_SIZE, "no eigenvalue");
    says(x, tsl_syev(x, l, &(tsl_selection){(tsl_range)5, 0, 0, 2, 2}, w, Z, &m, &info), TSL_ERR_FLAG, "no range 5");
    says(x, tsl_stedc(x, d, e, 3, tsl_sub(Z, 0, 0, N, 4), &info), TSL_ERR_SIZE, "there are 6 eigenpairs");
    says(x, tsl_sterf(x, d, d, &info), TSL_ERR_SHAPE, "e is 6 x 1");
    says(x, tsl_steqr(x, d, e, tsl_sub(Z, 0, 0, N, 4), &info), TSL_ERR_SHAPE, "Z must be square");
    says(x, tsl_sygst(x, 4, l, tsl_lower(Z)), TSL_ERR_FLAG, "itype is 4");
    says(x, tsl_sygv(x, 1, l, tsl_lower(tsl_sub(Z, 0, 0, 5, 5)), NULL, w, none, &m, &info), TSL_ERR_SHAPE, "one order");
    /* more values in the interval than columns: known late, and told how many */
    tsl_selection some = {TSL_RANGE_VALUE, 0, 0, -0.5, 3.5};
    m = -1;
    check(!tsl_laset(x, 0, 1, a), "%s", tsl_error(x));
    for (int i = 0; i < N; i++) check(!tsl_set_element(x, a, i, i, i), "%s", tsl_error(x));
    says(x, tsl_syev(x, l, &some, w, tsl_sub(Z, 0, 0, N, 3), &m, &info), TSL_ERR_SHAPE, "syev: 4 eigenvalues are in the interval");
    check(m == 4, "%d eigenvalues in the interval, not 4", (int)m);
    check(!tsl_laset(x, 0, 1, a) && !tsl_laset(x, 0, 1, Z), "%s", tsl_error(x));
    tsl_matrix *more = NULL;
    check(!tsl_matrix_create(x, TSL_Z, N, 3, &more), "%s", tsl_error(x));
    some.vu = 1.5, m = -1;
    says(x, tsl_sygv(x, 1, l, tsl_lower(Z), &some, w, tsl_whole(more), &m, &info), TSL_ERR_SHAPE, "sygv: 6 eigenvalues are in the interval");
    check(m == 6, "%d eigenvalues in the interval, not 6", (int)m);
    tsl_matrix_free(more);
    double b[4] = {1, 0, 0, 1}, c[4], k[2];
    check(tsl_dsyevx(x, 'V', 'I', 'L', 2, b, 2, 0, 0, 2, 1, 0, &m, k, c, 2, NULL, &info) == TSL_ERR_SIZE && info == -10, "iu < il: info %d", (int)info);
    check(tsl_dsyevx(x, 'V', 'V', 'L', 2, b, 2, 1, 1, 2, 1, 0, &m, k, c, 2, NULL, &info) == TSL_ERR_SIZE && info == -8, "vu = vl: info %d", (int)info);
    check(tsl_dsyevr(x, 'V', 'A', 'L', 2, b, 2, 1, 1, 2, 1, 0, &m, k, c, 1, NULL, &info) == TSL_ERR_LD && info == -15, "ldz: info %d", (int)info);
    check(tsl_dsygv(x, 0, 'V', 'L', 2, b, 2, c, 2, k, &info) == TSL_ERR_FLAG && info == -1, "itype: info %d", (int)info);
    check(tsl_dsyev(x, 'X', 'L', 2, b, 2, k, &info) == TSL_ERR_FLAG && info == -1, "jobz: info %d", (int)info);
    for (int i = 0; i < 4; i++) check(!eig_typed[i].evd(x, 'V', 'U', 0, NULL, 1, NULL, &info) && !info, "order 0");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(v), tsl_matrix_free(V);
}

int main(void)
{
    static const char *const where[] = {"host", "host:3", "host:1,mem=2M", "cuda"};
    for (int k = 0; k < 4; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        families(x, where[k], k == 1 || k == 2);
        not_numbers(x, where[k]);
        if (k != 1) generalized(x, where[k]);
        if (k != 2) tridiagonal(x, where[k]);
        if (!k) refusals(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
