/* libtesela_blas, linked before the host library, against that library's own functions. Run at the defaults, and with all on
 * Tesela by small tiles (cmake/TeselaDropinTests.cmake). */
#define _GNU_SOURCE
#include <complex.h>
#include <dirent.h>
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"
#include "tesela_blas.h"

enum { ORDER = 37, LD = 40, SIZE = LD * ORDER, LWORK = 64 * ORDER };

/* A child starts threads of its own, which the thread sanitizer has to be told. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

static void *host;
static int complaints, complained;
static char complaint[8];

/* The program's own: the libraries must call it. */
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    complaints++;
    complained = *argument;
    snprintf(complaint, sizeof complaint, "%.*s", (int)(length < 6 ? length : 6), name);
}

static double number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

/* Calls a Fortran routine of this library, or with `its` that of the host library. */
#define WORD_(name) #name
#define WORD(name) WORD_(name)
#define CALL(its, name, ...) ((its) ? (__typeof__(&name))dlsym(host, WORD(name)) : &name)(__VA_ARGS__)

static double gap(const void *a, const void *b, size_t count, bool single)
{
    double worst = 0, size = 0;
    for (size_t i = 0; i < count; ++i) {
        double x = single ? ((const float *)a)[i] : ((const double *)a)[i], y = single ? ((const float *)b)[i] : ((const double *)b)[i];
        worst = worse(worst, fabs(x - y));
        size = tsl_larger(size, fabs(y));
    }
    return size > 0 ? worst / size : worst;
}

#define P_(p, name, end) p##name##end
#define JOINED(p, name, end) P_(p, name, end)
#define F(name) JOINED(P, name, _)
#define F64(name) JOINED(P, name, _64_)
#define C(name) JOINED(cblas_, P, name)
#define FN(name) JOINED(P, name, _test)
#define BODY "dropin/typed.inc"
#include "core/types.inc"

float _Complex cdotc_(const int *n, const float _Complex *x, const int *incx, const float _Complex *y, const int *incy);
double _Complex zdotu_(const int *n, const double _Complex *x, const int *incx, const double _Complex *y, const int *incy);
void cblas_zdotc_sub(int n, const void *x, int incx, const void *y, int incy, void *to);
void cblas_zdotc_sub_64(int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *to);
size_t cblas_idamax(int n, const double *x, int incx);
int idamax_(const int *n, const double *x, const int *incx);
double dzasum_(const int *n, const double _Complex *x, const int *incx);
void cblas_dgemm64_(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha, const double *a, int64_t lda, const double *b,
                    int64_t ldb, double beta, double *c, int64_t ldc);

static void test_values(void)
{
    float _Complex x[3] = {1 + 2 * I, 3, -1 * I}, y[3] = {2, 1 * I, 1 + 1 * I};
    double _Complex u[3] = {1 + 2 * I, 3, -1 * I}, v[3] = {2, 1 * I, 1 + 1 * I}, w = 0;
    const int n = 3, one = 1, none = 0;
    double d[3] = {1, -5, 2};
    ok(cdotc_(&n, x, &one, y, &one) == 1 + 0 * I, "cdotc_ returns its value in registers");
    ok(zdotu_(&n, u, &one, v, &one) == 3 + 6 * I, "and zdotu_");
    cblas_zdotc_sub(3, u, 1, v, 1, &w);
    ok(w == 1 + 0 * I, "cblas_zdotc_sub stores it");
    w = 0;
    cblas_zdotc_sub_64(3, u, 1, v, 1, &w);
    ok(w == 1 + 0 * I, "cblas_zdotc_sub_64 stores it");
    ok(idamax_(&n, d, &one) == 2 && cblas_idamax(3, d, 1) == 1, "idamax_ counts from 1, cblas_idamax from 0");
    ok(idamax_(&n, d, &none) == 0 && dzasum_(&none, u, &one) == 0, "no elements have no largest one");
}

void cblas_ssymv(int order, int uplo, int n, float alpha, const float *a, int lda, const float *x, int incx, float beta,
                 float *y, int incy);

/* Also where the host library's own function is replaced: some of its kernels have defects (OPENBLAS_CORETYPE=Prescott). */
static void test_order(void)
{
    enum { BY_COLUMNS = 102, UPPER = 121 };
    const float A[4] = {1, 2, 3, 4}, x[2] = {1, 1};
    float y[2] = {7, 7};
    cblas_ssymv(0, UPPER, 2, 1, A, 2, x, 1, 0, y, 1);
    ok(y[0] == 7 && y[1] == 7, "cblas_ssymv refuses an order that is none");
    cblas_ssymv(BY_COLUMNS, UPPER, 2, 1, A, 2, x, 1, 0, y, 1);
    ok(y[0] == 4 && y[1] == 7, "cblas_ssymv");
}

void srot_(const int *n, float *x, const int *incx, float *y, const int *incy, const float *c, const float *s);

/* LAPACK's eigenvalue solvers count on it. */
static void test_parts(void)
{
    float x[2][ORDER], y[2][ORDER];
    const float c = 0.6f, s = 0.8f;
    const int n = ORDER, one = 1;
    for (int i = 0; i < ORDER; ++i) x[0][i] = x[1][i] = (float)number(), y[0][i] = y[1][i] = (float)number();
    srot_(&n, x[0], &one, y[0], &one, &c, &s);
    for (int i = 0; i < ORDER; ++i) srot_(&one, x[1] + i, &one, y[1] + i, &one, &c, &s);
    ok(!memcmp(x[0], x[1], sizeof x[0]) && !memcmp(y[0], y[1], sizeof y[0]), "an element is turned alike in a long vector and alone");
}

static void test_complaints(void)
{
    double a[4] = {1, 0, 0, 1};
    const int two = 2, one = 1, minus = -1;
    const double unit = 1;
    int info = 0;
    dgemm_("N", "X", &two, &two, &two, &unit, a, &two, a, &two, &unit, a, &two);
    ok(complaints == 1 && complained == 2 && !strcmp(complaint, "DGEMM "), "a bad letter: the program's xerbla_ is called once, for %s, %d",
       complaint, complained);
    dgemm_("N", "N", &two, &two, &two, &unit, a, &one, a, &two, &unit, a, &two);
    ok(complaints == 2 && complained == 8, "a bad leading dimension is argument 8");
    dpotrf_("L", &two, a, &one, &info);
    ok(complaints == 3 && complained == 4 && info == -4, "of dpotrf too, and info is -4");
    dgetrf_(&minus, &two, a, &two, (int[2]){0}, &info);
    ok(complaints == 4 && info == -1, "a negative size");
    ok(a[0] == 1 && a[1] == 0 && a[2] == 0 && a[3] == 1, "nothing was touched");
}

/* Where they come to Tesela; the host library exchanges rows that are not there. */
static void test_pivots(void)
{
    void dgetri_(const int *n, double *a, const int *lda, const int *ipiv, double *work, const int *lwork, int *info);
    void dlaswp_(const int *n, double *a, const int *lda, const int *k1, const int *k2, const int *ipiv, const int *incx);
    double a[SIZE] = {0}, b[LD], work[LWORK], was[SIZE];
    const int n = ORDER, ld = LD, one = 1, lwork = LWORK;
    int ipiv[ORDER], info[2] = {1, 1}, before = complaints;
    for (int i = 0; i < ORDER; ++i) a[i * (LD + 1)] = 2, b[i] = i, ipiv[i] = i + 1;
    ipiv[5] = 1000000000;
    memcpy(was, a, sizeof a);
    dgetrs_("T", &n, &one, a, &ld, ipiv, b, &ld, &info[0]);
    ok(info[0] == -6 && complaints == before + 1 && complained == 6 && !strcmp(complaint, "DGETRS"), "dgetrs with a bad pivot: info %d", info[0]);
    dgetri_(&n, a, &ld, ipiv, work, &lwork, &info[1]);
    ok(info[1] == -4 && complaints == before + 2 && complained == 4, "dgetri: info %d", info[1]);
    dlaswp_(&one, b, &ld, &one, &n, ipiv, &one);
    ok(complaints == before + 3 && complained == 6 && !strcmp(complaint, "DLASWP"), "dlaswp complains of %d", complained);
    bool same = !memcmp(a, was, sizeof a);
    for (int i = 0; i < ORDER; ++i) same = same && b[i] == i;
    ok(same, "nothing was touched");
}

static void test_query(void)
{
    double a[SIZE] = {0}, tau[ORDER], work[LWORK];
    const int n = ORDER, ld = LD, ask = -1, little = 1;
    int info = 1, before = complaints;
    dgeqrf_(&n, &n, a, &ld, tau, work, &ask, &info);
    ok(info == 0 && work[0] >= ORDER && work[0] <= LWORK, "workspace that is asked for: %g", work[0]);
    dgeqrf_(&n, &n, a, &ld, tau, work, &little, &info);
    ok(info == -7 && complaints == before + 1, "and too little of it is refused");
}

int LAPACKE_dgesv(int layout, int n, int nrhs, double *a, int lda, int *ipiv, double *b, int ldb);
int64_t LAPACKE_dgesv_64(int layout, int64_t n, int64_t nrhs, double *a, int64_t lda, int64_t *ipiv, double *b, int64_t ldb);
int LAPACKE_zpotrf(int layout, char uplo, int n, double _Complex *a, int lda);
int LAPACKE_sgels(int layout, char trans, int m, int n, int nrhs, float *a, int lda, float *b, int ldb);
int LAPACKE_dsgesv(int layout, int n, int nrhs, double *a, int lda, int *ipiv, double *b, int ldb, double *x, int ldx, int *iter);
int LAPACKE_dgeqrf_work(int layout, int m, int n, double *a, int lda, double *tau, double *work, int lwork);

static void test_lapacke(void)
{
    const double by_rows[4] = {1, 2, 3, 5}, by_columns[4] = {1, 3, 2, 5}; /* x = (1, 2) */
    double a[4], b[4], x[4], tau[2], work[LWORK];
    int piv[2], iter;
    int64_t piv64[2];
    memcpy(a, by_rows, sizeof a), b[0] = 5, b[1] = 13;
    ok(LAPACKE_dgesv(101, 2, 1, a, 2, piv, b, 1) == 0 && fabs(b[0] - 1) + fabs(b[1] - 2) < 1e-12 && piv[0] == 2 && a[0] == 3 && a[1] == 5,
       "LAPACKE_dgesv by rows");
    memcpy(a, by_columns, sizeof a), b[0] = 5, b[1] = 13;
    ok(LAPACKE_dgesv_64(102, 2, 1, a, 2, piv64, b, 2) == 0 && fabs(b[0] - 1) + fabs(b[1] - 2) < 1e-12 && piv64[0] == 2,
       "and by columns, with integers of 64 bits");
    memcpy(a, by_rows, sizeof a), b[0] = 5, b[1] = 13;
    ok(LAPACKE_dsgesv(101, 2, 1, a, 2, piv, b, 1, x, 1, &iter) == 0 && fabs(x[0] - 1) + fabs(x[1] - 2) < 1e-12, "LAPACKE_dsgesv by rows");
    a[3] = NAN;
    ok(LAPACKE_dgesv(102, 2, 1, a, 2, piv, b, 2) == -4, "a NaN in argument 4");
    ok(LAPACKE_dgesv(101, 2, 1, a, 1, piv, b, 1) == -5, "rows that are longer than the leading dimension");
    ok(LAPACKE_dgesv(7, 2, 1, a, 1, piv, b, 1) == -1, "no such layout");
    double _Complex h[4] = {4, 2 * I, NAN, 5}; /* by rows, lower: the upper triangle is not looked at */
    h[1] = NAN, h[2] = 2 * I;
    ok(LAPACKE_zpotrf(101, 'L', 2, h, 2) == 0 && cabs(h[0] - 2) < 1e-15 && cabs(h[2] - I) < 1e-15 && cabs(h[3] - 2) < 1e-15 && isnan(creal(h[1])),
       "LAPACKE_zpotrf by rows leaves the other triangle alone");
    float f[6] = {1, 0, 0, 1, 0, 0}, g[3] = {3, 4, 7};
    ok(LAPACKE_sgels(101, 'N', 3, 2, 1, f, 2, g, 1) == 0 && fabsf(g[0] - 3) + fabsf(g[1] - 4) < 1e-5f, "LAPACKE_sgels by rows");
    memcpy(a, by_columns, sizeof a);
    ok(LAPACKE_dgeqrf_work(102, 2, 2, a, 2, tau, work, LWORK) == 0 && fabs(fabs(a[0]) - sqrt(10)) < 1e-12, "LAPACKE_dgeqrf_work");
}

void zdscal_(const int *, const double *, double _Complex *, const int *);

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Zero times a complex number is a complex product: an Inf or NaN spreads to both parts. By a real zero it does not. */
static void test_complex_scal(void)
{
    static const double complex values[] = {CMPLX(INFINITY, 1), CMPLX(3, -INFINITY), CMPLX(NAN, 1), CMPLX(1, 2)};
    const int n = 3, one = 1;
    const double complex zero = 0;
    const float complex low = 0;
    int wrong = 0;
    for (int k = 0; k < 4; k++) {
        const double complex v = values[k];
        const double want = 0 * creal(v) + 0 * cimag(v);
        double complex z[3] = {v, v, v}, parts[3] = {v, v, v};
        float complex c[3] = {(float complex)v, (float complex)v, (float complex)v};
        zscal_(&n, &zero, z, &one), cscal_(&n, &low, c, &one), zdscal_(&n, &(double){0}, parts, &one);
        for (int i = 0; i < 3; i++)
            wrong += !same_number(creal(z[i]), want) + !same_number(cimag(z[i]), want) + !same_number(crealf(c[i]), want) +
                     !same_number(cimagf(c[i]), want) + !same_number(creal(parts[i]), 0 * creal(v)) + !same_number(cimag(parts[i]), 0 * cimag(v));
    }
    ok(wrong == 0, "zero times complex Inf and NaN: %d parts are not the reference's", wrong);
}

static void test_mended(void)
{
    const int n = 2, one = 1, back = -1;
    const double zero = 0;
    double x[2] = {INFINITY, NAN}, tiny[2] = {3e-310, 4e-310}, y[2] = {3, 4}, a[4] = {4, 1, 1, NAN};
    int info = 0;
    dscal_(&n, &zero, x, &one);
    ok(isnan(x[0]) && isnan(x[1]), "zero times Inf is NaN");
    test_complex_scal();
    ok(fabs(dnrm2_(&n, tiny, &one) / 5e-310 - 1) < 1e-12, "tiny numbers have a norm");
    ok(fabs(dnrm2_(&n, y, &back) - 5) < 1e-15, "and so has a vector counted backwards");
    dpotrf_("L", &n, a, &n, &info);
    ok(info == 2, "a NaN on the diagonal is no positive number: info = %d", info);
}

static void test_wide(void)
{
    double a[4] = {1, 2, 3, 4}, c[4] = {0};
    const int64_t two = 2, huge = (int64_t)1 << 40, none = 0;
    const double unit = 1, zero = 0;
    cblas_dgemm64_(102, 111, 111, 2, 2, 2, 1, a, 2, a, 2, 0, c, 2);
    ok(c[0] == 7 && c[3] == 22, "OpenBLAS's name of it with integers of 64 bits");
    dgemm_64_("N", "N", &two, &two, &none, &unit, a, &huge, a, &huge, &zero, c, &two);
    ok(c[0] == 0 && c[3] == 0, "a leading dimension beyond 2^31");
}

static void *run_thread(void *bad)
{
    double a[SIZE], b[SIZE], c[SIZE], d[SIZE];
    const int n = ORDER, ld = LD;
    const double unit = 1, zero = 0;
    for (int i = 0; i < SIZE; ++i) a[i] = cos(i), b[i] = sin(3 * i);
    for (int turn = 0; turn < 10; ++turn) {
        CALL(true, dgemm_, "N", "T", &n, &n, &n, &unit, a, &ld, b, &ld, &zero, c, &ld);
        dgemm_("N", "T", &n, &n, &n, &unit, a, &ld, b, &ld, &zero, d, &ld);
        for (int j = 0; j < ORDER; ++j)
            if (!(gap(c + j * LD, d + j * LD, ORDER, false) < 1e-12)) ++*(int *)bad;
    }
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    int bad[THREADS] = {0}, sum = 0, status = -1;
    for (int i = 0; i < THREADS; ++i) pthread_create(&thread[i], NULL, run_thread, &bad[i]);
    for (int i = 0; i < THREADS; ++i) pthread_join(thread[i], NULL), sum += bad[i];
    ok(sum == 0, "eight threads at once");
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        int wrong = 0;
        run_thread(&wrong);
        _exit(wrong != 0);
    }
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "and in a child after fork");
}

#include "kept.h"

/* What Tesela computes for a context of the program's own comes through here, and is no call of the program's. */
static void test_program_uses_tesela(void)
{
    enum { LARGE = 300 };
    char name[] = "/tmp/dropin-XXXXXX", line[512];
    int file = mkstemp(name), status = -1, own = 0, its = 0;
    fflush(stdout);
    pid_t child = file < 0 ? -1 : fork();
    if (!child) {
        void *library = dlopen("libtesela.so.0", RTLD_NOW | RTLD_LOCAL);
        static double a[LARGE * LARGE], c[LARGE * LARGE];
        const int n = LARGE;
        const double unit = 1, zero = 0;
        tsl_context *x = NULL;
        setenv("TESELA_LOG", "info", 1);
        dup2(file, 2);
        tsl_config cfg = tsl_config_default();
        cfg.devices = "host";
        bool good = library && !((__typeof__(&tsl_context_create))dlsym(library, "tsl_context_create"))(&cfg, &x);
        good = good && !((__typeof__(&tsl_dgemm))dlsym(library, "tsl_dgemm"))(x, 'N', 'N', n, n, n, 1, a, n, a, n, 0, c, n);
        dgemm_("N", "N", &n, &n, &n, &unit, a, &n, a, &n, &zero, c, &n);
        _exit(!good);
    }
    waitpid(child, &status, 0);
    FILE *log = file < 0 ? NULL : fdopen(file, "r");
    if (log) rewind(log);
    while (log && fgets(line, sizeof line, log)) {
        if (strstr(line, "dgemm (300 x 300 x 300)")) its++;
        else if (strstr(line, "gemm (")) own++;
    }
    if (log) fclose(log);
    unlink(name);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0 && its == 1 && own == 0, "what Tesela's own leaves call is no call of the program's: %d, %d", its, own);
}

static int allowed_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static int entries(const char *directory)
{
    int count = 0;
    DIR *d = opendir(directory);
    while (d && readdir(d)) count++;
    if (d) closedir(d);
    return count;
}

void dcopy_(const int *n, const double *x, const int *incx, double *y, const int *incy);
void cblas_zcopy(int n, const void *x, int incx, void *y, int incy);

/* A row of a large matrix, as NumPy copies it, is copied by several cores where the program lets the host library have them. */
static void test_far(void)
{
    enum { ROWS = 4096, LEAD = 640 };
    void (*set)(int) = (void (*)(int))dlsym(host, "openblas_set_num_threads");
    double *a = malloc(sizeof(double) * ROWS * LEAD), *y = calloc(ROWS, sizeof *y);
    const int n = ROWS, lead = LEAD, back = -LEAD, one = 1;
    if (!set || !a || !y) skip("no memory, or another host library");
    else {
        for (int i = 0; i < ROWS * LEAD; ++i) a[i] = i;
        set(2);
        int before = entries("/proc/self/task");
        dcopy_(&n, a + 3, &lead, y, &one);
        bool right = true;
        for (int i = 0; i < ROWS; ++i) right = right && y[i] == i * LEAD + 3;
        ok(right, "a row of a large matrix is copied");
        const int none = 0;
        dcopy_(&n, a + 3, &lead, y, &none);
        ok(y[0] == (ROWS - 1) * LEAD + 3, "all of it to one place: the last is there");
        dcopy_(&n, a + 3, &lead, y, &one);
        if (!getenv("TESELA_OFFLOAD_MIN") && allowed_cores() > 1)
            ok(entries("/proc/self/task") > before, "by several threads");
        dcopy_(&n, y, &one, a + 5, &back);
        for (int i = 0; i < ROWS; ++i) right = right && a[i * LEAD + 5] == (ROWS - 1 - i) * LEAD + 3 && a[i * LEAD + 4] == i * LEAD + 4;
        ok(right, "and back, from its end on");
        cblas_zcopy(ROWS / 2, a, LEAD, a + 2, LEAD);
        for (int i = 0; i < ROWS / 2; ++i) right = right && a[2 * i * LEAD + 2] == a[2 * i * LEAD] && a[2 * i * LEAD + 3] == a[2 * i * LEAD + 1];
        ok(right, "and within a matrix");
        set(1);
    }
    free(a), free(y);
}

/* A program without large calls has nothing of Tesela's in memory, and no thread of it. */
static void test_lean(void)
{
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) found = found || strstr(line, "/libtesela.so");
    if (maps) fclose(maps);
    ok(maps && !found, "small calls alone open no libtesela");
    ok(entries("/proc/self/task") == 2 + 1, "and start no thread"); /* . and .. and this one: OPENBLAS_NUM_THREADS is 1 */
}

/* Row numbers that lie apart reach the host library, too, and those with the last first. */
static void test_rows_apart(void)
{
    enum { N = 64, APART = 3 };
    void dlaswp_64_(const int64_t *n, double *a, const int64_t *lda, const int64_t *k1, const int64_t *k2, const int64_t *ipiv, const int64_t *incx);
    double a[N];
    int64_t rows[N * APART], one = 1, n = N, steps[] = {APART, -APART};
    for (int64_t i = 0; i < N * APART; ++i) rows[i] = i % APART ? 1 : (i / APART + 2 < N ? i / APART + 2 : N);
    for (int i = 0; i < N; ++i) a[i] = i;
    dlaswp_64_(&one, a, &n, &one, &n, rows, &steps[0]);
    ok(a[0] == 1 && a[N - 2] == N - 1 && a[N - 1] == 0, "dlaswp_64_ with row numbers that lie apart");
    dlaswp_64_(&one, a, &n, &one, &n, rows, &steps[1]);
    bool same = true;
    for (int i = 0; i < N; ++i) same = same && a[i] == i;
    ok(same, "and back");
}

int main(void)
{
    host = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!host) host = dlopen("libopenblas.so", RTLD_NOW | RTLD_LOCAL);
    if (!host) skip("no libopenblas.so.0 to compare with");
    if (!host) return tap_done();
    if (!getenv("TESELA_OFFLOAD_MIN")) test_program_uses_tesela(); /* before libtesela is there */
    stest(), dtest(), ctest(), ztest();
    test_values();
    if (getenv("TESELA_OFFLOAD_MIN")) test_parts(); /* the host library promises no such thing */
    test_complaints();
    test_order();
    if (getenv("TESELA_OFFLOAD_MIN")) test_pivots();
    test_query();
    test_lapacke();
    test_mended();
    if (!getenv("TESELA_OFFLOAD_MIN")) test_lean();
    test_far();
    test_wide();
    test_rows_apart();
    test_threads();
    test_kept();
    test_kept_at_home();
    test_kept_by_threads();
    test_kept_in_child();
    return tap_done();
}
