/* Reciprocal conditions, scalings of rows and columns, bounds of errors, and the expert drivers: beside LAPACK's, by the leaf and by the algorithms that GPUs have. */
#include "qr.h"

enum { MOST = 48, RIGHT = 3 };
#define LD(n) ((n) + 3)
#define EPS (sizeof(R) == 4 ? 6e-8 : 1.2e-16)

typedef enum kind { PLAIN, HILBERT, ROWS, COLUMNS, BOTH, NO_ROW, NO_COLUMN, VERY_SMALL, LARGE, NOT_A_NUMBER, KINDS } kind;
static const char *const kind_name[KINDS] = {"random", "Hilbert's", "unlike rows", "unlike columns", "unlike both", "zero row", "zero column", "tiny", "large", "NaN"};

static double work[4 * MOST];
static bool by_algorithms; /* else by what the library chooses */

static tsl_context *by(tsl_context *x, const char *variant)
{
    check(!by_algorithms || !tsl_set(x, "variant", variant), "%s", tsl_error(x));
    return x;
}

#define FN(name) PASTE3(test_, P, name)
#define BODY "tests/solve/con.inc"
#include "core/types.inc"

static void all(tsl_context *x, const char *how, const int64_t *orders, int count)
{
    test_sall(x, how, orders, count);
    test_dall(x, how, orders, count);
    test_call(x, how, orders, count);
    test_zall(x, how, orders, count);
}

static void on(const char *devices)
{
    static const int64_t orders[] = {0, 1, 2, 3, 17, 40};
    tsl_context *x = context_on(devices);
    if (!x) return;
    all(x, devices, orders, 6);
    by_algorithms = true;
    char how[64];
    snprintf(how, sizeof how, "%s: by estimates", devices);
    all(x, how, (const int64_t[]){0, 1, 2, 21}, 4);
    by_algorithms = false;
    tsl_context_destroy(x);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    enum { N = 4 };
    double a[N * N] = {4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4}, f[N * N], b[N] = {1, 1, 1, 1}, y[N], r[N], c[N], e[2], number[3], rcond = -1;
    int64_t p[N] = {1, 2, 3, 4}, info = 0;
    char equed = 'X';
    tsl_context *x = context_on("host");
    tsl_matrix *A, *P, *B, *E, *Y;
    memcpy(f, a, sizeof f);
    if (!x || tsl_matrix_wrap(x, TSL_D, N, N, a, N, &A) || tsl_matrix_wrap(x, TSL_INDEX, N, 1, p, N, &P) || tsl_matrix_wrap(x, TSL_D, N, 1, b, N, &B) ||
        tsl_matrix_wrap(x, TSL_D, 2, 1, e, 2, &E) || tsl_matrix_wrap(x, TSL_D, N, 1, y, N, &Y)) {
        ok(false, "operands");
        return;
    }
    tsl_view v = tsl_whole(A), l = tsl_lower(v), first = tsl_sub(tsl_whole(E), 0, 0, 1, 1), second = tsl_sub(tsl_whole(E), 1, 0, 1, 1);
    says(x, tsl_gecon(x, TSL_NORM_FRO, v, 1, &rcond), TSL_ERR_FLAG, "gecon: the norm must be one or inf");
    says(x, tsl_gecon(x, TSL_NORM_ONE, v, -1, &rcond), TSL_ERR_FLAG, "anorm is -1");
    says(x, tsl_gecon(x, TSL_NORM_ONE, v, 1, NULL), TSL_ERR_NULL, "no place");
    says(x, tsl_gecon(x, TSL_NORM_ONE, tsl_trans(v), 1, &rcond), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_gecon(x, TSL_NORM_ONE, tsl_sub(v, 0, 0, 2, 3), 1, &rcond), TSL_ERR_SHAPE, "must be square");
    says(x, tsl_pocon(x, v, 1, &rcond), TSL_ERR_UPLO, "must be a triangle");
    says(x, tsl_sycon(x, l, tsl_sub(tsl_whole(P), 0, 0, 3, 1), 1, &rcond), TSL_ERR_SHAPE, "must be a column of 4 pivots");
    p[0] = 9;
    says(x, tsl_sycon(x, l, tsl_whole(P), 1, &rcond), TSL_ERR_PIVOT, "pivot 1 is row 9");
    says(x, tsl_gerfs(x, v, v, tsl_whole(P), tsl_whole(B), tsl_whole(B), first, second), TSL_ERR_OVERLAP, "");
    p[0] = 1;
    check(tsl_dgecon(x, 'F', N, a, N, 1, &rcond, &info) == TSL_ERR_FLAG && info == -1 && tsl_dgecon(x, '1', N, a, 2, 1, &rcond, &info) && info == -4 &&
              tsl_dgecon(x, '1', N, a, N, -1, &rcond, &info) && info == -5, "gecon: info %d", (int)info);
    check(tsl_dgeequ(x, -1, N, a, N, r, c, number, number + 1, number + 2, &info) && info == -1 && tsl_dgeequ(x, N, N, a, N, NULL, c, number, number + 1, number + 2, &info) && info == -5,
          "geequ: info %d", (int)info);
    check(tsl_dgesvx(x, 'Q', 'N', N, 1, a, N, f, N, p, &equed, r, c, b, N, y, N, &rcond, e, e + 1, NULL, &info) && info == -1 &&
              tsl_dgesvx(x, 'F', 'N', N, 1, a, N, f, N, p, &equed, r, c, b, N, y, N, &rcond, e, e + 1, NULL, &info) && info == -10 &&
              tsl_dgesvx(x, 'E', 'N', N, 1, a, N, f, N, p, &equed, NULL, c, b, N, y, N, &rcond, e, e + 1, NULL, &info) && info == -11, "gesvx: info %d", (int)info);
    equed = 'R', memset(r, 0, sizeof r);
    says(x, tsl_dgesvx(x, 'F', 'N', N, 1, a, N, f, N, p, &equed, r, c, b, N, y, N, &rcond, e, e + 1, NULL, &info), TSL_ERR_SIZE, "not positive");
    check(tsl_flops("zhecon", 0, 50, 0) == tsl_flops("zsycon", 0, 50, 0) && tsl_flops("dgesvx", 0, 50, 1) > tsl_flops("dposvx", 0, 50, 1), "work");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(P), tsl_matrix_free(B), tsl_matrix_free(E), tsl_matrix_free(Y);
    tsl_context_destroy(x);
}

/* The expert drivers and what they are made of on tiled matrices: as on flat ones */
enum { ORDER = 13, NUMBERS = ORDER * (2 * ORDER + 2 * RIGHT + 2) + 2 * RIGHT };

typedef struct system_of {
    double number[NUMBERS], rcond, growth, only;
    int64_t p[ORDER], info;
    char equed;
} system_of;

static void fill(system_of *s)
{
    dense A = dense_make(TSL_D, ORDER, ORDER, CANARY_FINITE), B = dense_make(TSL_D, ORDER, RIGHT, CANARY_FINITE);
    dense_dominant(&A, 3), dense_random(&B, 4);
    memset(s, 0, sizeof *s);
    for (int64_t j = 0; j < ORDER; j++)
        for (int64_t i = 0; i < ORDER; i++)
            s->number[i + j * ORDER] = creal(dense_get(&A, i, j)) * exp2((double)(i % 5 + j % 5 - 4) * 6);
    for (int64_t j = 0; j < RIGHT; j++)
        for (int64_t i = 0; i < ORDER; i++) s->number[2 * ORDER * ORDER + i + j * ORDER] = creal(dense_get(&B, i, j));
    dense_free(&A), dense_free(&B);
}

/* A and F, B and X, r and c, ferr and berr; tiles of nb, or flat for 0 */
static void expert(tsl_context *x, system_of *s, int64_t nb, bool definite)
{
    static const int64_t size[8][2] = {{ORDER, ORDER}, {ORDER, ORDER}, {ORDER, RIGHT}, {ORDER, RIGHT}, {ORDER, 1}, {ORDER, 1},
                                       {RIGHT, 1}, {RIGHT, 1}};
    double *at = s->number, right[ORDER * RIGHT];
    memcpy(right, s->number + 2 * ORDER * ORDER, sizeof right);
    tsl_matrix *m[9];
    tsl_view v[9];
    tsl_status st = TSL_OK;
    for (int i = 0; i < 9 && !st; i++) {
        int64_t rows = i < 8 ? size[i][0] : ORDER, cols = i < 8 ? size[i][1] : 1;
        tsl_type t = i < 8 ? TSL_D : TSL_INDEX;
        void *data = i < 8 ? (void *)at : s->p;
        if (nb) st = tsl_tiled_wrap(x, t, rows, cols, data, rows, nb, &m[i]);
        else st = tsl_matrix_wrap(x, t, rows, cols, data, rows, &m[i]);
        if (st) abort();
        v[i] = tsl_whole(m[i]), at += rows * cols;
    }
    if (definite)
        st = tsl_posvx(x, 'E', tsl_lower(v[0]), tsl_lower(v[1]), &s->equed, v[4], v[2], v[3], &s->rcond, v[6], v[7], &s->info);
    else st = tsl_gesvx(x, 'E', v[0], v[1], v[8], &s->equed, v[4], v[5], v[2], v[3], &s->rcond, v[6], v[7], &s->growth,
                        &s->info);
    memcpy(s->number + 2 * ORDER * ORDER, right, sizeof right); /* they were scaled */
    if (!st) st = definite ? tsl_pocon(x, tsl_lower(v[1]), 1, &s->only) : tsl_gecon(x, TSL_NORM_ONE, v[1], 1, &s->only);
    if (!st && definite)
        st = tsl_posvx(x, 'F', tsl_lower(v[0]), tsl_lower(v[1]), &s->equed, v[4], v[2], v[3], &s->rcond, v[6], v[7], &s->info);
    else if (!st)
        st = tsl_gesvx(x, 'F', v[0], v[1], v[8], &s->equed, v[4], v[5], v[2], v[3], &s->rcond, v[6], v[7], &s->growth,
                       &s->info);
    check(!st && s->equed != 'N' && s->rcond > 0 && s->only > 0, "nb %d: %s %s, equed %c", (int)nb, tsl_status_name(st),
          tsl_error(x), s->equed);
    for (int i = 0; i < 9; i++) tsl_matrix_free(m[i]);
}

static void tiled(const char *devices)
{
    tsl_context *x = context_on(devices), *one = context_on("host");
    for (int definite = 0; x && one && definite < 2; definite++) {
        system_of flat, cut;
        fill(&flat), expert(one, &flat, 0, definite);
        for (int64_t nb = 4; nb < 20; nb += 5) {
            double off = 0;
            bool bound = false;
            fill(&cut), expert(x, &cut, nb, definite);
            for (int i = 0; i < NUMBERS - 2 * RIGHT; i++)
                off = worse(off, fabs(cut.number[i] - flat.number[i]) / (1 + fabs(flat.number[i])));
            for (int i = 0; i < RIGHT; i++)
                bound |= !(fabs(cut.number[NUMBERS - 2 * RIGHT + i] / flat.number[NUMBERS - 2 * RIGHT + i] - 1) < 0.5);
            check(off < 1e-12 && !bound && cut.equed == flat.equed && cut.info == flat.info &&
                  fabs(cut.rcond / flat.rcond - 1) < 1e-10 && fabs(cut.only / flat.only - 1) < 1e-10 &&
                  fabs(cut.growth - flat.growth) < 1e-10,
                  "%s nb %d: off by %g, rcond %g %g, info %d", devices, (int)nb, off, cut.rcond, flat.rcond, (int)cut.info);
        }
    }
    tsl_context_destroy(x), tsl_context_destroy(one);
    checked("%s: gesvx, posvx, gecon, pocon of tiled matrices", devices);
}

/* Numbers that are not found are as they were, also where arrays are copied to a device and back */
static void zero_row(const char *devices)
{
    double a[4] = {0, 3, 0, 4}, r[2] = {7, 7}, c[2] = {7, 7}, number[3];
    int64_t info = -7;
    tsl_context *x = context_on(devices);
    if (!x) return;
    check(!tsl_dgeequ(x, 2, 2, a, 2, r, c, number, number + 1, number + 2, &info) && info == 1 && c[0] == 7 && c[1] == 7, "a zero row: info %d, c %g %g %s", (int)info, c[0], c[1],
          tsl_error(x));
    check(!tsl_dgeequ(x, 0, 2, a, 1, r, c, number, number + 1, number + 2, &info) && info == 0 && c[0] == 7 && c[1] == 7, "no rows: info %d, c %g %g", (int)info, c[0], c[1]);
    checked("%s: what geequ does not find", devices);
    tsl_context_destroy(x);
}

/* gesvx of a conjugated view, whose rows are unlike: they are scaled as those of the matrix are, and X solves conj(A) X = B */
static void conjugated(const char *devices)
{
    enum { N = 4 };
    tsl_cdouble a[N * N], keep[N * N], f[N * N], b[N], right[N], y[N];
    double r[N], c[N], ferr = 0, berr = 0, rcond, worst = 0;
    int64_t p[N], info = -7;
    char equed = '?';
    tsl_context *x = context_on(devices);
    tsl_matrix *m[9] = {0};
    if (!x) return;
    for (int i = 0; i < N; i++) b[i] = right[i] = CMPLX(1 + i, 2 - i);
    for (int i = 0; i < N * N; i++) keep[i] = a[i] = pow(1e4, i % N) * CMPLX(i % 5 - 1.5 + (i % N == i / N ? 9 : 0), i % 3 - 1.25);
    bool made = !tsl_matrix_wrap(x, TSL_Z, N, N, a, N, &m[0]) && !tsl_matrix_wrap(x, TSL_Z, N, N, f, N, &m[1]) && !tsl_matrix_wrap(x, TSL_INDEX, N, 1, p, N, &m[2]) &&
                !tsl_matrix_wrap(x, TSL_D, N, 1, r, N, &m[3]) && !tsl_matrix_wrap(x, TSL_D, N, 1, c, N, &m[4]) && !tsl_matrix_wrap(x, TSL_Z, N, 1, b, N, &m[5]) &&
                !tsl_matrix_wrap(x, TSL_Z, N, 1, y, N, &m[6]) && !tsl_matrix_wrap(x, TSL_D, 1, 1, &ferr, 1, &m[7]) && !tsl_matrix_wrap(x, TSL_D, 1, 1, &berr, 1, &m[8]);
    tsl_view v[9];
    for (int i = 0; i < 9; i++) v[i] = tsl_whole(m[i]);
    tsl_status st = tsl_gesvx(x, 'E', tsl_conj(v[0]), v[1], v[2], &equed, v[3], v[4], v[5], v[6], &rcond, v[7], v[8], NULL, &info);
    for (int i = 0; i < N && !st; i++) {
        tsl_cdouble sum = -right[i];
        double size = cabs(right[i]);
        for (int j = 0; j < N; j++) sum += conj(keep[i + j * N]) * y[j], size += cabs(keep[i + j * N]) * cabs(y[j]);
        if (!(cabs(sum) <= worst * size)) worst = cabs(sum) / size;
    }
    ok(made && !st && info == 0 && equed == 'R' && worst < 1e-14, "%s: gesvx of a conjugated view: %s, equed %c, off by %g", devices, tsl_status_name(st), equed, worst);
    for (int i = 0; i < 9; i++) tsl_matrix_free(m[i]);
    tsl_context_destroy(x);
}

int main(void)
{
    conjugated("host");
    on("host");
    on("cuda");
    zero_row("host"), zero_row("host:2"), zero_row("cuda");
    tiled("host:1"), tiled("host:3,mem=64K"), tiled("host");
    refusals();
    return tap_done();
}
