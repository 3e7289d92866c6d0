/* A fork while another thread's first call loads the host library waits until that is whole. The library's name is that of a
 * pipe first: to open it takes until somebody writes there. What the child would compute is not tested: the other thread may be
 * in the host library by then. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum { ORDER = 30, WHILE = 200000 };

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

static const char pipe_name[] = "test_loading.pipe";
static int written;

/* 0 if it is right. */
static int compute(void)
{
    const int n = ORDER;
    double a[ORDER * ORDER] = {0};
    int info = 1;
    for (int i = 0; i < n; i++) a[i + i * n] = 9;
    dpotrf_("L", &n, a, &n, &info);
    return info || a[n * n - 1] != 3;
}

static void *call_first(void *wrong)
{
    *(int *)wrong = compute();
    return NULL;
}

static void *write_later(void *unused)
{
    usleep(2 * WHILE);
    __atomic_store_n(&written, 1, __ATOMIC_SEQ_CST);
    int f = open(pipe_name, O_WRONLY);
    if (f >= 0) close(f);
    return unused;
}

int main(void)
{
    pthread_t caller, writer;
    int wrong = 1, status = -1;
    char path[4096 + sizeof pipe_name], libraries[sizeof path + 64];
    alarm(60); /* a hang is a failure */
    if (!getcwd(path, 4096)) return 1;
    snprintf(libraries, sizeof libraries, "%s/%s:libopenblas.so.0:libopenblas.so", path, pipe_name);
    setenv("TESELA_HOST_BLAS", libraries, 1);
    remove(pipe_name);
    check(!mkfifo(pipe_name, 0600), "a pipe");
    /* the writer first: while a library is loaded no thread can be made */
    check(!pthread_create(&writer, NULL, write_later, NULL) && !pthread_create(&caller, NULL, call_first, &wrong), "threads");
    usleep(WHILE);
    pid_t child = fork();
    if (child == 0) _exit(!__atomic_load_n(&written, __ATOMIC_SEQ_CST));
    check(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    check(!pthread_join(caller, NULL) && !pthread_join(writer, NULL), "threads");
    check(!wrong && !compute(), "the parent");
    remove(pipe_name);
    checked("a fork while the host library is loaded");
    return tap_done();
}
