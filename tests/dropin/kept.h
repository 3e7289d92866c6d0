/* Arrays that the program keeps on a device: calls on them, what brings them home, other threads and children of a fork. Of
 * test_dropin.c. */
#ifndef KEPT_H
#define KEPT_H

static void test_kept(void)
{
    static double a[SIZE], b[SIZE], c[SIZE];
    const int n = ORDER, ld = LD;
    const double unit = 1, zero = 0, third = 3;
    for (int i = 0; i < SIZE; ++i) a[i] = b[i] = c[i] = number();
    ok(tesela_blas_keep(a, sizeof a) == 0 && tesela_blas_keep(a, sizeof a) == -1, "an array is kept, once");
    ok(tesela_blas_keep(a + 1, 8) == -1 && tesela_blas_keep(a + SIZE - 1, 8) == -1, "nor is a part of it");
    dscal_(&n, &third, a, (int[1]){1});
    CALL(true, dscal_, &n, &third, b, (int[1]){1});
    dgemm_("N", "N", &n, &n, &n, &unit, a, &ld, a, &ld, &zero, c, &ld);
    ok(memcmp(a, b, sizeof a) != 0, "the program's own is not up to date");
    ok(tesela_blas_release(a) == 0 && tesela_blas_release(a) == -1, "it is released, once");
    ok(gap(a, b, SIZE, false) < 1e-15, "and is what the calls have made of it");
    CALL(true, dgemm_, "N", "N", &n, &n, &n, &unit, b, &ld, b, &ld, &zero, a, &ld);
    ok(gap(c, a, ORDER, false) < 1e-12, "which calls with other arrays have seen");
}

void cblas_dtrmv(int order, int uplo, int trans, int diag, int n, const double *a, int lda, double *x, int incx);
void dlaswp_(const int *n, double *a, const int *lda, const int *k1, const int *k2, const int *piv, const int *incx);

/* What only the host library computes, or this one by turning the matrix in host memory, sees a kept array as it is now. */
static void use_at_home(int which, double *a, double *x)
{
    const int n = ORDER, ld = LD, first = 1, second = 2, apart = 2;
    int piv[ORDER], swaps[4] = {3, 0, 4, 0}, info;
    if (which == 0) cblas_dtrmv(101, 121, 111, 131, n, a, ld, x, 1);
    if (which == 1) info = LAPACKE_dgesv(101, n, 1, a, ld, piv, x, 1), check(info == 0, "LAPACKE_dgesv by rows: %d", info);
    if (which == 2) dlaswp_(&n, a, &ld, &first, &second, swaps, &apart);
}

static void test_kept_at_home(void)
{
    static const char *const names[] = {"by rows, in CBLAS", "by rows, in LAPACKE", "laswp with an increment"};
    const int size = SIZE, one = 1, n = ORDER;
    const double third = 3;
    for (int which = 0; which < 3; ++which) {
        static double a[SIZE], b[SIZE], x[ORDER], y[ORDER];
        for (int i = 0; i < SIZE; ++i) a[i] = b[i] = number();
        for (int i = 0; i < ORDER; ++i) x[i] = y[i] = 1, a[i * LD + i] = b[i * LD + i] += 20;
        check(tesela_blas_keep(a, sizeof a) == 0, "keep");
        dscal_(&size, &third, a, &one);
        CALL(true, dscal_, &size, &third, b, &one);
        use_at_home(which, a, x);
        use_at_home(which, b, y);
        check(gap(a, b, SIZE, false) < 1e-13 && gap(x, y, ORDER, false) < 1e-12, "%g, %g", gap(a, b, SIZE, false), gap(x, y, ORDER, false));
        dscal_(&n, &third, a, &one); /* an array like others from then on */
        CALL(true, dscal_, &n, &third, b, &one);
        check(gap(a, b, SIZE, false) < 1e-13, "after it: %g", gap(a, b, SIZE, false));
        check(tesela_blas_release(a) == 0 && tesela_blas_release(a) == -1, "it is released, once");
        check(gap(a, b, SIZE, false) < 1e-13, "and released: %g", gap(a, b, SIZE, false));
        checked("an array that is kept is brought home: %s", names[which]);
    }
}

/* Another thread computes on a kept array while it is brought home: with the copy, or with the array, but with nothing that is
 * gone. */
static double shared_a[SIZE], shared_b[SIZE];

static void *multiply_on(void *wrong)
{
    const int n = ORDER, ld = LD;
    const double unit = 1, zero = 0;
    static double c[SIZE], d[SIZE];
    CALL(true, dgemm_, "N", "N", &n, &n, &n, &unit, shared_b, &ld, shared_b, &ld, &zero, d, &ld);
    for (int round = 0; round < 20; ++round) {
        dgemm_("N", "N", &n, &n, &n, &unit, shared_a, &ld, shared_a, &ld, &zero, c, &ld);
        double off = gap(c, d, SIZE, false);
        if (!(off < 1e-12)) *(double *)wrong = off;
    }
    return NULL;
}

static void test_kept_by_threads(void)
{
    for (int round = 0; round < 10; ++round) {
        double x[ORDER], wrong = 0;
        pthread_t t;
        for (int i = 0; i < SIZE; ++i) shared_a[i] = shared_b[i] = number();
        for (int i = 0; i < ORDER; ++i) x[i] = 1;
        check(tesela_blas_keep(shared_a, sizeof shared_a) == 0, "keep");
        int refused = pthread_create(&t, NULL, multiply_on, &wrong);
        cblas_dtrmv(101, 121, 111, 131, ORDER, shared_a, LD, x, 1);
        if (!refused) pthread_join(t, NULL);
        check(!refused && tesela_blas_release(shared_a) == 0 && wrong == 0, "%g", wrong);
    }
    checked("an array that is kept is brought home under another thread's calls");
}

/* A child has no way to the device. */
static void test_kept_in_child(void)
{
    static double a[SIZE];
    const int size = SIZE, n = ORDER, one = 1;
    const double third = 3;
    int status = -1;
    for (int i = 0; i < SIZE; ++i) a[i] = 1;
    check(tesela_blas_keep(a, sizeof a) == 0, "keep");
    dscal_(&size, &third, a, &one);
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(20);
        bool right = a[0] == 3 && a[SIZE - 1] == 3;
        dscal_(&n, &third, a, &one);
        right = right && a[0] == 9 && a[ORDER] == 3 && tesela_blas_release(a) == 0 && a[0] == 9;
        int again = tesela_blas_keep(a, sizeof a); /* not on a GPU: that is the parent's */
        _exit(!right || tesela_blas_release(a) != again || a[0] != 9);
    }
    waitpid(child, &status, 0);
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "in the child: %x", (unsigned)status);
    dscal_(&size, &third, a, &one);
    check(tesela_blas_release(a) == 0 && a[0] == 9 && a[SIZE - 1] == 9, "in the parent it stays kept");
    checked("a child of a fork finds kept arrays in host memory");
}

#endif
