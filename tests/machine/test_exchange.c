/* Rows exchanged by many pivots, forwards and backwards, of few columns and of more, against one exchange after the other:
 * pivots at random, all the same row, each the next, none; a part of the rows. Numbers are exact, so every bit counts. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

typedef enum kind { AT_RANDOM, LAST, NEXT, NONE, KINDS } kind;

static void exchange(double *A, int64_t ld, int64_t n, int64_t i, int64_t with)
{
    for (int64_t j = 0; j < n; j++) {
        double t = A[i + j * ld];
        A[i + j * ld] = A[with + j * ld];
        A[with + j * ld] = t;
    }
}

static void one(tsl_context *x, int64_t m, int64_t k, int64_t n, kind what, bool backward)
{
    int64_t ld = m + 3, *p = malloc((size_t)k * sizeof *p);
    double *A = malloc((size_t)(ld * n) * sizeof *A), *B = malloc((size_t)(ld * n) * sizeof *B);
    tsl_matrix *a = NULL, *q = NULL, *pivots = NULL, *host = NULL;
    uint64_t seed = 7;
    for (int64_t i = 0; i < k; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        p[i] = 1 + (what == AT_RANDOM ? i + (int64_t)(seed >> 33) % (m - i) : what == LAST ? m - 1 : what == NEXT && i + 1 < m ? i + 1 : i);
    }
    for (int64_t i = 0; i < ld * n; i++) A[i] = B[i] = (double)i;
    for (int64_t s = 0; s < k; s++) {
        int64_t i = backward ? k - 1 - s : s;
        exchange(B, ld, n, i, p[i] - 1);
    }
    check(!tsl_matrix_wrap(x, TSL_D, ld, n, A, ld, &host) && !tsl_matrix_wrap(x, TSL_INDEX, k, 1, p, k, &pivots) &&
              !tsl_matrix_create(x, TSL_D, ld, n, &a) && !tsl_matrix_create(x, TSL_INDEX, k, 1, &q), "%s", tsl_error(x));
    check(!tsl_copy(x, tsl_whole(host), tsl_whole(a)) && !tsl_copy(x, tsl_whole(pivots), tsl_whole(q)), "%s", tsl_error(x));
    check(!tsl_laswp(x, tsl_sub(tsl_whole(a), 0, 0, m, n), tsl_whole(q), backward), "%s", tsl_error(x));
    check(!tsl_copy(x, tsl_whole(a), tsl_whole(host)) && !tsl_wait(x), "%s", tsl_error(x));
    check(!memcmp(A, B, (size_t)(ld * n) * sizeof *A), "m %d, k %d, %d columns, pivots %d%s", (int)m, (int)k, (int)n, what, backward ? ", backward" : "");
    tsl_matrix_free(host), tsl_matrix_free(pivots), tsl_matrix_free(a), tsl_matrix_free(q);
    free(p), free(A), free(B);
}

int main(int argc, char **argv)
{
    static const int64_t rows[] = {600, 4133, 20011}, columns[] = {1, 5, 131};
    tsl_context *x;
    if (tsl_context_create(NULL, &x)) return puts("Bail out! no context"), 1;
    for (int r = 0; r < 3 && (argc < 2 || rows[r] <= atoi(argv[1])); r++) { /* how many rows at most */
        for (int c = 0; c < 3; c++)
            for (int what = 0; what < KINDS; what++)
                for (int backward = 0; backward < 2; backward++) {
                    one(x, rows[r], rows[r], columns[c], (kind)what, backward);
                    one(x, rows[r], rows[r] - 77, columns[c], (kind)what, backward);
                }
        checked("%d rows", (int)rows[r]);
    }
    tsl_context_destroy(x);
    return tap_done();
}
