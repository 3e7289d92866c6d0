/* OpenBLAS reads past the ends of matrices. There is memory of ours after each: here blocks end where a page does, and nothing
 * follows. */
#include <stdbool.h>
#include <sys/mman.h>

#include "tiled.h"

static size_t pages(size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

static void *take_to_the_end(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    char *p = mmap(NULL, pages(bytes) + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    (void)mprotect(p + pages(bytes), 4096, PROT_NONE);
    return p + (pages(bytes) - bytes) / 256 * 256;
}

static void give_to_the_end(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device;
    (void)munmap((char *)((uintptr_t)p / 4096 * 4096), pages(bytes) + 4096);
}

/* Panels of complex matrices: the cores compute, in the host's memory */
static void panels(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x;
    cfg.devices = "host:2,mem=3K";
    cfg.allocator = &(tsl_allocator){take_to_the_end, give_to_the_end, NULL};
    check(!tsl_context_create(&cfg, &x), "context");
    for (int64_t i = 0; i < 48; i++) {
        int64_t m = 17 + i % 12, n = 17 + i / 12;
        tsl_type t = i % 2 ? TSL_C : TSL_Z, real = i % 2 ? TSL_S : TSL_D;
        tsl_matrix *A = NULL, *d = NULL, *e = NULL, *p = NULL, *q = NULL;
        int64_t k = m < n ? m : n;
        bool made = !tsl_tiled_create(x, t, m, n, 7, &A) && !tsl_tiled_create(x, real, k, 1, 7, &d) &&
                    !tsl_tiled_create(x, real, k - 1, 1, 7, &e) && !tsl_tiled_create(x, t, k, 1, 7, &p) &&
                    !tsl_tiled_create(x, t, k, 1, 7, &q);
        check(made && !tsl_random(x, 3, tsl_whole(A)), "operands: %s", tsl_error(x));
        check(!tsl_gebrd(x, tsl_whole(A), tsl_whole(d), tsl_whole(e), tsl_whole(p), tsl_whole(q)), "gebrd: %s", tsl_error(x));
        tsl_matrix_free(A), tsl_matrix_free(d), tsl_matrix_free(e), tsl_matrix_free(p), tsl_matrix_free(q);
    }
    tsl_context_destroy(x);
    checked("columns that gemv reads past a panel");
}

/* Rows, which dot reads by strides: products have room on a device, the cores solve. */
static void rows(void)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x;
    cfg.devices = "host:2,mem=12K";
    cfg.allocator = &(tsl_allocator){take_to_the_end, give_to_the_end, NULL};
    check(!tsl_context_create(&cfg, &x), "context");
    for (int64_t i = 0; i < 12; i++) {
        int64_t m = 37 + i, n = 17;
        tsl_type t = i % 2 ? TSL_C : TSL_Z;
        tsl_matrix *A = NULL, *B = NULL, *C = NULL, *s = NULL;
        bool made = !tsl_tiled_create(x, t, m, m, 11, &A) && !tsl_tiled_create(x, t, n, n, 7, &B) &&
                    !tsl_tiled_create(x, t, m, n, 11, &C) && !tsl_tiled_create(x, i % 2 ? TSL_S : TSL_D, 1, 1, 7, &s);
        made = made && !tsl_random(x, 3, tsl_whole(A)) && !tsl_random(x, 4, tsl_whole(B)) && !tsl_random(x, 5, tsl_whole(C));
        check(made, "operands: %s", tsl_error(x));
        check(!tsl_trsyl(x, 1, tsl_whole(A), tsl_herm(tsl_whole(B)), tsl_whole(C), tsl_whole(s), NULL), "trsyl: %s", tsl_error(x));
        tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(s);
    }
    tsl_context_destroy(x);
    checked("elements that dot reads past a row");
}

/* LAPACK's own panels, in workspace of a device */
static void workspace(void)
{
    enum { MOST = 90 };
    static double _Complex A[MOST * MOST], tau[MOST];
    static double d[MOST], e[MOST];
    tsl_config cfg = tsl_config_default();
    tsl_context *x;
    cfg.devices = "host:1,mem=64M";
    cfg.allocator = &(tsl_allocator){take_to_the_end, give_to_the_end, NULL};
    for (int64_t n = 64; n < MOST; n++) {
        check(!tsl_context_create(&cfg, &x), "context");
        for (int64_t i = 0; i < n * n; i++) A[i] = (double)((i * 37) % 101) / 101;
        check(!tsl_zhetrd(x, 'L', n, A, n, d, e, tau, NULL), "order %d: %s", (int)n, tsl_error(x));
        tsl_context_destroy(x);
    }
    checked("panels in workspace");
}

int main(void)
{
    panels();
    rows();
    workspace();
    return tap_done();
}
