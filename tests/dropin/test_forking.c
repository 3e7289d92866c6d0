/* A fork that has begun when another thread's first call loads libtesela passes over libtesela's handlers of forks. Still no
 * lock or count of the parent's is left in the child: it computes. Linked with libtesela, whose handlers are called after the
 * drop-in's then, nobody waits for himself; nor does a fork that brings arrays home wait for a leaf which waits for it. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tesela_blas.h"

enum { ORDER = 600, FORKS = 5, PATIENCE = 10000 }; /* milliseconds */

void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

static pthread_t caller;
static int computed, keeping, over, wrong; /* atomic but the last: calls of the other thread, which it is to make, and its end */
static int amidst;                /* a call was computed while the first fork had begun */

static int compute(void)
{
    const int n = ORDER;
    int info = 1;
    double *a = calloc(ORDER * ORDER, sizeof *a);
    for (int i = 0; i < n; i++) a[i + i * n] = 9;
    dpotrf_("L", &n, a, &n, &info);
    int bad = info || a[n * n - 1] != 3;
    free(a);
    return bad;
}

/* Its parts come through the drop-in again, from a leaf. */
static void factor(void)
{
    const int n = 400, lwork = 64 * n;
    int info = 1;
    double *a = calloc((size_t)n * n, sizeof *a), *tau = malloc((size_t)n * sizeof *tau), *work = malloc((size_t)lwork * sizeof *work);
    for (int i = 0; i < n; i++) a[i + i * n] = 1 + i % 7;
    dgeqrf_(&n, &n, a, &n, tau, work, &lwork, &info);
    wrong += info != 0;
    free(a), free(tau), free(work);
}

static void *call_on(void *unused)
{
    while (!__atomic_load_n(&over, __ATOMIC_SEQ_CST)) {
        if (__atomic_load_n(&keeping, __ATOMIC_SEQ_CST)) factor();
        else wrong += compute();
        __atomic_fetch_add(&computed, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

/* Of the first fork, before libtesela's and the drop-in's: the other thread begins, and goes on until the fork is over. Not
 * where the C library lets nobody load a library meanwhile (glibc before 2.36). */
static void begin_amidst(void)
{
    static int begun;
    if (begun++ || pthread_create(&caller, NULL, call_on, NULL)) return;
    for (int i = 0; i < PATIENCE && !__atomic_load_n(&computed, __ATOMIC_SEQ_CST); i++) usleep(1000);
    amidst = __atomic_load_n(&computed, __ATOMIC_SEQ_CST) > 0;
    usleep(1000); /* so as to be within its next call */
}

/* Children that computed */
static int fork_some(void)
{
    int good = 0;
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            if (!amidst) _exit(0);
            alarm(20);
            _exit(setenv("TESELA_DEVICES", "host:3", 1) || compute()); /* by tiles, which wait for other leaves: of the parent's there are none */
        }
        good += child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return good;
}

int main(void)
{
    static double kept[12 << 20];
    alarm(60);              /* a hang is a failure */
    unsetenv("TESELA_TILE"); /* QR is one leaf */
    check(!pthread_atfork(begin_amidst, NULL, NULL), "the handler");
    int good = fork_some();
    check(good == FORKS, "%d of %d children computed", good, FORKS);
    check(!amidst || (tesela_blas_keep(kept, sizeof kept) == 0 && (__atomic_store_n(&keeping, 1, __ATOMIC_SEQ_CST), fork_some() == FORKS)), "with an array that is kept");
    __atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
    check(!pthread_join(caller, NULL) && !wrong, "the parent: %d calls were wrong", wrong);
    if (amidst) checked("a fork that has begun when libtesela is loaded, and others");
    else skip("the C library loads nothing while a process forks");
    return tap_done();
}
