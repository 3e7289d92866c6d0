/* Solve A x = b for a symmetric positive definite A:
 *     cc potrf.c $(pkg-config --cflags --libs tesela) && ./a.out */
#include <stdio.h>
#include <tesela.h>

int main(void)
{
    double a[9] = {4, 2, 2, 0, 5, 3, 0, 0, 6}; /* columns; only the lower triangle is read */
    double b[3] = {8, 10, 11};
    tsl_context *ctx;
    tsl_matrix *A = NULL, *B = NULL;
    int64_t info = 0;

    if (tsl_context_create(NULL, &ctx)) { /* all GPUs, or else the host */
        fprintf(stderr, "%s\n", tsl_error(NULL));
        return 1;
    }
    tsl_status st = tsl_matrix_wrap(ctx, TSL_D, 3, 3, a, 3, &A); /* our arrays, in host or device memory */
    if (!st)
        st = tsl_matrix_wrap(ctx, TSL_D, 3, 1, b, 3, &B);
    tsl_view L = tsl_lower(tsl_whole(A)), x = tsl_whole(B); /* of no matrix, if one could not be made */

    if (!st)
        st = tsl_potrf(ctx, L, &info); /* A = L L^H, L in the place of A */
    if (!st && !info)
        st = tsl_trsm(ctx, TSL_LEFT, 1, L, x); /* L y = b */
    if (!st && !info)
        st = tsl_trsm(ctx, TSL_LEFT, 1, tsl_herm(L), x); /* L^H x = y, x in the place of b */
    if (st || info)
        fprintf(stderr, "%s; info %lld\n", st ? tsl_error(ctx) : "A is not positive definite", (long long)info);
    else
        printf("x = %g %g %g\n", b[0], b[1], b[2]);

    tsl_matrix_free(B);
    tsl_matrix_free(A);
    tsl_context_destroy(ctx);
    return st || info;
}
