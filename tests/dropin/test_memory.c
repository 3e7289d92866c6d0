/* Each allocation of a factorization fails in turn, alone and with all that follow: the factors are right, or info says that
 * there are none. The host library gets no matrix that somebody has begun to factor. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "tap.h"

enum { N = 61, MOST = 5000 };

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *piv, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

static bool armed, onwards;
static int asked, refused; /* allocations so far; the first that is refused */

/* The dynamic linker gives a thread its variables when it first uses them, and ends the program where there is no memory for
 * these. */
static uintptr_t linker, linker_end;

static int find_linker(struct dl_phdr_info *i, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (i->dlpi_addr != getauxval(AT_BASE)) return 0;
    linker = i->dlpi_addr;
    for (int k = 0; k < i->dlpi_phnum; ++k)
        if (i->dlpi_phdr[k].p_type == PT_LOAD) linker_end = linker + i->dlpi_phdr[k].p_vaddr + i->dlpi_phdr[k].p_memsz;
    return 1;
}

static bool refuses(const void *caller)
{
    if (!__atomic_load_n(&armed, __ATOMIC_SEQ_CST) || ((uintptr_t)caller >= linker && (uintptr_t)caller < linker_end)) return false;
    int k = __atomic_fetch_add(&asked, 1, __ATOMIC_SEQ_CST);
    return onwards ? k >= refused : k == refused;
}

/* Everybody's: glibc's own under another name */
void *__libc_malloc(size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);
__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    if (!refuses(__builtin_return_address(0))) return __libc_malloc(bytes);
    errno = ENOMEM;
    return NULL;
}
__attribute__((visibility("default"))) int posix_memalign(void **p, size_t align, size_t bytes)
{
    void *got = refuses(__builtin_return_address(0)) ? NULL : __libc_memalign(align, bytes);
    if (!got) return ENOMEM;
    *p = got;
    return 0;
}

static double start[N * N], a[N * N], right[2][N * N];

static int factor(int what)
{
    const int n = N;
    int piv[N], info = 1;
    memcpy(a, start, sizeof a);
    if (what) dpotrf_("L", &n, a, &n, &info);
    else dgetrf_(&n, &n, a, &n, piv, &info);
    return info;
}

int main(void)
{
    static const char *const names[] = {"dgetrf_", "dpotrf_"};
    check(dl_iterate_phdr(find_linker, NULL) && linker_end > linker, "no dynamic linker was found");
    for (int i = 0; i < N * N; ++i) start[i] = 0.5 * cos(i % N + i / N); /* symmetric */
    for (int i = 0; i < N; ++i) start[i * (N + 1)] += N;
    for (int what = 0; what < 2; ++what) {
        check(factor(what) == 0, "%s", names[what]);
        memcpy(right[what], a, sizeof a);
    }
    for (int what = 0; what < 2; ++what)
        for (int on = 0; on < 2; ++on) {
            int told = 0, k = 0;
            for (onwards = on, refused = 0; refused < MOST; ++refused) {
                asked = 0;
                __atomic_store_n(&armed, true, __ATOMIC_SEQ_CST);
                int info = factor(what);
                __atomic_store_n(&armed, false, __ATOMIC_SEQ_CST);
                double worst = 0;
                for (int i = 0; i < N * N; ++i) worst = worse(worst, fabs(a[i] - right[what][i]));
                check(info == 0 ? worst < 1e-12 * N : info <= -10000, "%s, allocation %d: info %d, off %g", names[what], refused, info, worst);
                told += info != 0;
                k = refused;
                if (asked <= refused) break;
            }
            check(k > 0 && k < MOST, "%d allocations", k);
            checked("%s: each of %d allocations fails%s: right, or told (%d times)", names[what], k, on ? " with all after it" : "", told);
        }
    return tap_done();
}
