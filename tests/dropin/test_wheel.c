/* What NumPy's wheels need: small calls go on to the library they bring along; increments that wrap around the address space,
 * as NumPy writes those of arrays that are read backwards; workspace queries, vectors and products with sizes beyond 32 bits.
 * And what no call should be silent about: devices that there are none of. */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tap.h"

void scipy_dscal_64_(const int64_t *n, const double *alpha, double *x, const int64_t *incx);
void scipy_dcopy_64_(const int64_t *n, const double *x, const int64_t *incx, double *y, const int64_t *incy);
void dcopy_64_(const int64_t *n, const double *x, const int64_t *incx, double *y, const int64_t *incy);
void scopy_64_(const int64_t *n, const float *x, const int64_t *incx, float *y, const int64_t *incy);
float sdot_64_(const int64_t *n, const float *x, const int64_t *incx, const float *y, const int64_t *incy);
void sgemm_64_(const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k, const float *alpha, const float *a,
               const int64_t *lda, const float *b, const int64_t *ldb, const float *beta, float *c, const int64_t *ldc);
void dgeqrf_64_(const int64_t *m, const int64_t *n, double *a, const int64_t *lda, double *tau, double *work, const int64_t *lwork, int64_t *info);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha, const double *a, const int *lda,
            const double *b, const int *ldb, const double *beta, double *c, const int *ldc);

void drotg_(double *a, double *b, double *c, double *s);
void cblas_zrotg(void *a, void *b, double *c, void *s);
void scipy_srotmg_64_(float *d1, float *d2, float *x1, const float *y1, float *param);

static const int64_t one = 1;

static void rotations(void)
{
    double a = 3e300, b = 4e300, c, s, z[2] = {0, 3e300}, w[2] = {0, 4e300}, t[2];
    drotg_(&a, &b, &c, &s);
    ok(fabs(a / 5e300 - 1) < 1e-15 && fabs(c - 0.6) < 1e-15 && fabs(s - 0.8) < 1e-15, "rotg near the largest numbers: %g, %g, %g", a, c, s);
    cblas_zrotg(z, w, &c, t);
    ok(z[0] == 0 && fabs(z[1] / 5e300 - 1) < 1e-15 && fabs(c - 0.6) < 1e-15 && fabs(t[0] - 0.8) < 1e-15, "zrotg: %g, %g", z[1], c);
    float d1 = 2, d2 = 3, x1 = 1, y1 = 2, param[5] = {7, 7, 7, 7, 7};
    scipy_srotmg_64_(&d1, &d2, &x1, &y1, param);
    ok(param[0] == 1 && fabs(param[1] * 1 + y1 - x1) < 1e-5 && fabs(param[4] - 0.5) < 1e-6, "rotmg: %g %g %g", param[0], param[1], x1);
}

static void backwards(void)
{
    const int64_t n = 5, back8 = ((int64_t)1 << 61) - 1, back8by2 = ((int64_t)1 << 61) - 2, back4 = ((int64_t)1 << 62) - 1, three = 3;
    const double x[5] = {1, 2, 3, 4, 5};
    const float s[5] = {1, 2, 3, 4, 5};
    double y[5] = {0}, z[5] = {0}, w[3] = {0};
    float t[5] = {0};
    dcopy_64_(&n, x + 4, &back8, y, &one);
    scipy_dcopy_64_(&n, x + 4, &back8, z, &one);
    dcopy_64_(&three, x + 4, &back8by2, w, &one);
    scopy_64_(&n, s + 4, &back4, t, &one);
    ok(y[0] == 5 && y[4] == 1 && z[0] == 5 && z[4] == 1 && t[0] == 5 && t[4] == 1, "increments that wrap around");
    ok(w[0] == 5 && w[1] == 3 && w[2] == 1, "two back each time");
}

static void beyond_32_bits(void)
{
    const int64_t m = ((int64_t)1 << 31) + 100, asks = -1, few = 3;
    double work[1] = {-1}, tau[3], a[1];
    int64_t info = 7;
    dgeqrf_64_(&m, &few, a, &m, tau, work, &asks, &info);
    ok(info == 0 && work[0] >= 3, "the workspace of so tall a QR: info %lld, %g", (long long)info, work[0]);
    float *x = mmap(NULL, (size_t)m * sizeof *x, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (x == MAP_FAILED) return skip("no address space for %lld elements", (long long)m);
    x[0] = 3, x[m - 1] = -4;
    float dot = sdot_64_(&m, x, &one, x, &one), c = 1;
    ok(dot == 25, "sdot_64_ of %lld elements: %g", (long long)m, dot);
    sgemm_64_("T", "N", &one, &one, &m, &(float){1}, x, &m, x, &m, &(float){1}, &c, &one);
    ok(c == 26, "sgemm_64_ of such: %g", c);
    munmap(x, (size_t)m * sizeof *x);
}

/* Before the library is there calls are the host library's; once it is, its own. */
static void brought_along(const char *library)
{
    const int64_t n = 2;
    double x[2] = {1, 2};
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    ok(handle != NULL, "a library that the program brings along");
    scipy_dscal_64_(&n, &(double){3}, x, &one);
    ok(x[0] == 1003 && x[1] == 1006, "small calls go there: %g %g", x[0], x[1]);
}

static void product(void)
{
    enum { N = 8 };
    const int n = N;
    double a[N * N] = {0}, c[N * N];
    dgemm_("N", "N", &n, &n, &n, &(double){1}, a, &n, a, &n, &(double){0}, c, &n);
}

/* In a process of its own */
static void told(const char *self, const char *devices, bool is_told)
{
    char command[4096], line[512], said[2048] = "";
    snprintf(command, sizeof command, "TESELA_OFFLOAD_MIN=0 TESELA_DEVICES=%s '%s' product 2>&1", devices, self);
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) strncat(said, line, sizeof said - strlen(said) - 1);
    int status = f ? pclose(f) : -1;
    ok(status == 0 && !is_told == !strstr(said, "TESELA_DEVICES=") && !is_told == !strstr(said, "ignored"), "TESELA_DEVICES=%s: %s", devices,
       *said ? said : "nothing is said\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "product")) return product(), 0;
    if (argc != 2) return 2;
    rotations();
    backwards();
    beyond_32_bits();
    brought_along(argv[1]);
    told(argv[0], "nonsense", true);
    told(argv[0], "host", false);
    return tap_done();
}
