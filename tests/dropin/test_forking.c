/* A fork that has begun when another thread's first call loads libtesela passes over libtesela's handlers of forks. Still no lock or count of the
 * parent's is left in the child: it computes. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum { ORDER = 600, FORKS = 5 };

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

static pthread_t caller;
static int computed, over, wrong; /* atomic: calls of the other thread; */

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

static void *call_on(void *unused)
{
    while (!__atomic_load_n(&over, __ATOMIC_SEQ_CST)) {
        wrong += compute();
        __atomic_fetch_add(&computed, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

/* Of the first fork, before libtesela's and the drop-in's: the other thread begins, and goes on until the fork is over. */
static void begin_amidst(void)
{
    static int begun;
    if (begun++ || pthread_create(&caller, NULL, call_on, NULL)) return;
    while (!__atomic_load_n(&computed, __ATOMIC_SEQ_CST)) usleep(100);
    usleep(1000); /* so as to be within its next call */
}

int main(void)
{
    int good = 0;
    alarm(60); /* a hang is a failure */
    check(!pthread_atfork(begin_amidst, NULL, NULL), "the handler");
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(setenv("TESELA_DEVICES", "host:3", 1) || compute()); /* by tiles, which wait for other leaves: of the parent's there are none */
        }
        good += child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    check(good == FORKS, "%d of %d children computed", good, FORKS);
    __atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
    check(!pthread_join(caller, NULL) && !wrong, "the parent: %d calls were wrong", wrong);
    checked("a fork that has begun when libtesela is loaded, and others");
    return tap_done();
}
