/* TESELA_HOST_BLAS names what is no library, what is not there, and a BLAS without LAPACK (tests/hostlib/alone.c): what is
 * told, and that the last will do. An OpenBLAS that does not know the processor (old.c) is told what kernels to take. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tesela.h"

enum { N = 3 };

/* Does tsl_error speak of all these words; without any: is A factored? */
static int is_told(char **words)
{
    double A[N * N] = {4, 2, 2, 0, 5, 3, 0, 0, 6};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    int64_t info = -1;
    cfg.devices = "host:1";
    tsl_status st = tsl_context_create(&cfg, &x);
    if (!*words) {
        st = st ? st : tsl_dpotrf(x, 'L', N, A, N, &info);
        if (st || info) fprintf(stderr, "# %s, %s\n", tsl_status_name(st), tsl_error(x));
        return !st && !info && A[0] == 2 && A[1] == 1 && A[4] == 2;
    }
    for (; *words; ++words)
        if (st != TSL_ERR_NO_DEVICE || !strstr(tsl_error(NULL), *words)) {
            fprintf(stderr, "# %s, \"%s\" has no \"%s\"\n", tsl_status_name(st), tsl_error(NULL), *words);
            return 0;
        }
    return 1;
}

/* Is that its core type? */
static int has_core(const char *core)
{
    const char *is = strstr(tsl_libraries(), core);
    if (!is || is[-1] != '(') fprintf(stderr, "# \"%s\" has no core type %s\n", tsl_libraries(), core);
    return is && is[-1] == '(' && !getenv("OPENBLAS_CORETYPE") == !!strcmp(core, "Core2"); /* which is as it was */
}

/* In a process of its own, since the library is opened once */
static void run(const char *names, const char *what, char *first, char *second)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("TESELA_HOST_BLAS", names, 1);
        execv("/proc/self/exe", (char *[]){"child", (char *)what, first, second, NULL});
        _exit(1);
    }
    ok(child > 0 && waitpid(child, &status, 0) == child && status == 0, "TESELA_HOST_BLAS=%s", names);
}

static void named(const char *names, char *first, char *second) { run(names, "told", first, second); }

/* What this processor has kernels for, if OpenBLAS is of any help */
static char *core_here(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return "Prescott";
}

int main(int argc, char **argv)
{
    static const char text[] = "test_host_named.text";
    const char *alone = getenv("TESELA_TEST_ALONE");
    char both[4096];
    if (argc > 2 && !strcmp(argv[1], "core")) return !has_core(argv[2]);
    if (argc > 1) return !is_told(argv + 2);
    FILE *f = fopen(text, "w");
    ok(f && fputs("This is no library, however long it is, and the loader says so when it looks at its first bytes.\n", f) >= 0 && !fclose(f), "a file");
    named("./test_host_named.text", "no BLAS for the host", "test_host_named.text (invalid ELF header)");
    named("libnobody_has.so.7", "no BLAS for the host", "libnobody_has.so.7");
    if (alone) {
        named(alone, NULL, NULL);
        snprintf(both, sizeof both, "libnobody_has.so.7:%s", alone);
        named(both, NULL, NULL);
    } else {
        skip("TESELA_TEST_ALONE names no BLAS without LAPACK");
    }
    const char *old = getenv("TESELA_TEST_OLD");
    if (old) {
        unsetenv("OPENBLAS_CORETYPE");
        run(old, "core", core_here(), NULL);
        setenv("OPENBLAS_CORETYPE", "Core2", 1);
        run(old, "core", "Core2", NULL);
    } else {
        skip("TESELA_TEST_OLD names no OpenBLAS of a kind");
    }
    remove(text);
    return tap_done();
}
