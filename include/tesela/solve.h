/** @file
 * tesela/solve.h - solutions in mixed precision; conditions, scalings, error bounds and expert drivers. */
#ifndef TESELA_SOLVE_H
#define TESELA_SOLVE_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- mixed precision (docs/mixed.md) ------------------------------------------------------------------------------------
 * A X = B by factors of A in a lower precision. The solution is refined with residuals of A's own precision until its
 * backward error is as small as that of A's own factors. Where that does not succeed, A's own factors are used. */

/** Of the products that a factorization consists of. tf32, bf16 and fp16 round their factors to that, and sum up and
 * store in single precision. On a GPU fp32 may be three products of halves, by which factors have 22 bits of their 24;
 * the option "products" may ask for residues instead, by which they have all.
 * The host has products of single precision only: a request for anything below is one for fp32 there, and by tiles
 * everywhere. For matrices of single precision fp32 is the highest, and fp64 means that. TSL_AUTO: what is fastest by
 * the tuning tables: for double precision fp32, or for small orders and distributed matrices fp64; for single precision
 * fp32. */
typedef enum tsl_precision { TSL_AUTO = 0, TSL_FP64 = 1, TSL_FP32 = 2, TSL_TF32 = 3, TSL_BF16 = 4, TSL_FP16 = 5 } tsl_precision;
typedef enum tsl_method {
    TSL_BY_CORRECTIONS = 0, /**< X := X + inv(A) (B - A X) with the factors, again and again */
    TSL_BY_GMRES = 1,       /**< then GMRES with the factors as preconditioner, because corrections came too slowly */
    TSL_BY_FACTORS = 2      /**< the factors of A's own precision, with corrections only if elements have grown */
} tsl_method;

/** Zeros, as NULL, mean: as accurate as by factors of A's own precision, in what precision is fastest. */
typedef struct tsl_solve_options {
    /** Of the factorization; TSL_FP64: A's own. If it does not lead to a solution, and to its errors where these are asked
     * for, fp32 is tried, then fp64. */
    tsl_precision lowest;
    /** A backward error that is enough; less than A's own factors give is as good as 0. */
    double accuracy;
} tsl_solve_options;

typedef struct tsl_solution {
    int64_t info;            /**< as of gesv or posv; not 0: X is not there */
    int64_t iterations;      /**< corrections and steps of GMRES */
    tsl_method method;       /**< what led to X */
    tsl_precision precision; /**< of the factorization that led to X */
    /** |B - A X| / (|A| |X|), the largest of all columns; norms are inf, of columns the largest element. */
    double backward_error;
    /** An estimate of the largest |X - exact| / |X| of a column, by `condition`: rather too large than too small. 1 and
     * more: not a digit need be right. Infinite: see `singular`. */
    double forward_error;
    /** |A| |inv(A)|, inf, by solutions for random right-hand sides whose residuals were looked at. It is rarely too small
     * by more than 3, and may be too large by 2 sqrt(n). Infinite: see `singular`. */
    double condition;
    /** Not 0: A is singular to working precision, or has an element that is not finite. X is then one of many with so
     * small a residual; or info is not 0 and X is not there. forward_error and condition are infinite. */
    int singular;
} tsl_solution;

/** X := the solution of A X = B. A is square and may be seen through any op, or is a triangle of a symmetric or
 * Hermitian matrix that is positive definite. A and B are only read. *result, if not NULL, says how good X is; it is
 * written on success only. options and result may be NULL; their sizes are sizeof *options and sizeof *result. The call
 * waits.
 * Matrices of any size and place: what one device cannot hold is solved by tiles, with its factors in host memory.
 * Tiled matrices in a region: TSL_ERR_LAYOUT. By tiles and on grids there is no GMRES. A variant must be one of both
 * factorizations, that in lower precision and that in A's own, whether the second is needed or not: else
 * TSL_ERR_OPTION. */
TSL_API tsl_status tsl_solve_sized(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view X, const tsl_solve_options *options,
                                   size_t options_size, tsl_solution *result, size_t result_size);

/** tsl_solve_sized with the sizes */
static inline tsl_status tsl_solve(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view X, const tsl_solve_options *options,
                                   tsl_solution *result)
{
    return tsl_solve_sized(ctx, A, B, X, options, sizeof *options, result, sizeof *result);
}

/** X := the solution of A X = B by LU, as LAPACK's. iter, if not NULL, := the number of corrections and steps of GMRES;
 * ipiv := the pivots of the factors in single precision (of a matrix made random first, docs/mixed.md, those of what it
 * became). A negative iter says why A has been overwritten by its factors in double precision: -2: A does not fit
 * single precision; -3: A is singular in it; -31: refinement did not converge; -1: another reason, as memory. info as
 * in gesv; if it is not 0 X is not there. Without right-hand sides A is factored all the same, for info. */
TSL_API tsl_status tsl_dsgesv(tsl_context *ctx, int64_t n, int64_t nrhs, double *A, int64_t lda, int64_t *ipiv, const double *B,
                              int64_t ldb, double *X, int64_t ldx, int64_t *iter, int64_t *info);
TSL_API tsl_status tsl_zcgesv(tsl_context *ctx, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda, int64_t *ipiv,
                              const tsl_cdouble *B, int64_t ldb, tsl_cdouble *X, int64_t ldx, int64_t *iter, int64_t *info);

/** The same by Cholesky; iter -3: A is not positive definite in single precision. info as in posv. */
TSL_API tsl_status tsl_dsposv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, double *A, int64_t lda, const double *B,
                              int64_t ldb, double *X, int64_t ldx, int64_t *iter, int64_t *info);
TSL_API tsl_status tsl_zcposv(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *B, int64_t ldb, tsl_cdouble *X, int64_t ldx, int64_t *iter, int64_t *info);

/* ---- condition by factors -----------------------------------------------------------------------------------------------
 * *rcond := about 1 / (|A| |inv(A)|). The norm of the inverse is estimated by a few solves (Hager, Higham), from below:
 * rcond may be too large, as a rule by a factor of at most 3. 0: singular, or as good as that. Order 0 gives 1. NaN if
 * a factor or anorm is. anorm is the norm of the matrix before it was factored (tsl_norm). The calls wait. Typed: norm
 * is 1 or O, or I; info = 1: rcond is NaN. */

/** From getrf's factors, in the norm one or inf. */
TSL_API tsl_status tsl_gecon(tsl_context *ctx, tsl_norm_kind kind, tsl_view A, double anorm, double *rcond);
TSL_API tsl_status tsl_sgecon(tsl_context *ctx, char norm, int64_t n, const float *A, int64_t lda, float anorm, float *rcond,
                              int64_t *info);
TSL_API tsl_status tsl_dgecon(tsl_context *ctx, char norm, int64_t n, const double *A, int64_t lda, double anorm, double *rcond,
                              int64_t *info);
TSL_API tsl_status tsl_cgecon(tsl_context *ctx, char norm, int64_t n, const tsl_cfloat *A, int64_t lda, float anorm,
                              float *rcond, int64_t *info);
TSL_API tsl_status tsl_zgecon(tsl_context *ctx, char norm, int64_t n, const tsl_cdouble *A, int64_t lda, double anorm,
                              double *rcond, int64_t *info);

/** From potrf's factor, a triangle, in the norm one. */
TSL_API tsl_status tsl_pocon(tsl_context *ctx, tsl_view A, double anorm, double *rcond);
TSL_API tsl_status tsl_spocon(tsl_context *ctx, char uplo, int64_t n, const float *A, int64_t lda, float anorm, float *rcond,
                              int64_t *info);
TSL_API tsl_status tsl_dpocon(tsl_context *ctx, char uplo, int64_t n, const double *A, int64_t lda, double anorm, double *rcond,
                              int64_t *info);
TSL_API tsl_status tsl_cpocon(tsl_context *ctx, char uplo, int64_t n, const tsl_cfloat *A, int64_t lda, float anorm,
                              float *rcond, int64_t *info);
TSL_API tsl_status tsl_zpocon(tsl_context *ctx, char uplo, int64_t n, const tsl_cdouble *A, int64_t lda, double anorm,
                              double *rcond, int64_t *info);

/** Of A itself, a triangle, with its norm, one or inf. */
TSL_API tsl_status tsl_trcon(tsl_context *ctx, tsl_norm_kind kind, tsl_view A, double *rcond);
TSL_API tsl_status tsl_strcon(tsl_context *ctx, char norm, char uplo, char diag, int64_t n, const float *A, int64_t lda,
                              float *rcond, int64_t *info);
TSL_API tsl_status tsl_dtrcon(tsl_context *ctx, char norm, char uplo, char diag, int64_t n, const double *A, int64_t lda,
                              double *rcond, int64_t *info);
TSL_API tsl_status tsl_ctrcon(tsl_context *ctx, char norm, char uplo, char diag, int64_t n, const tsl_cfloat *A, int64_t lda,
                              float *rcond, int64_t *info);
TSL_API tsl_status tsl_ztrcon(tsl_context *ctx, char norm, char uplo, char diag, int64_t n, const tsl_cdouble *A, int64_t lda,
                              double *rcond, int64_t *info);

/** From sytrf's factors, in the norm one. */
TSL_API tsl_status tsl_sycon(tsl_context *ctx, tsl_view A, tsl_view p, double anorm, double *rcond);
TSL_API tsl_status tsl_ssycon(tsl_context *ctx, char uplo, int64_t n, const float *A, int64_t lda, const int64_t *ipiv,
                              float anorm, float *rcond, int64_t *info);
TSL_API tsl_status tsl_dsycon(tsl_context *ctx, char uplo, int64_t n, const double *A, int64_t lda, const int64_t *ipiv,
                              double anorm, double *rcond, int64_t *info);
TSL_API tsl_status tsl_csycon(tsl_context *ctx, char uplo, int64_t n, const tsl_cfloat *A, int64_t lda, const int64_t *ipiv,
                              float anorm, float *rcond, int64_t *info);
TSL_API tsl_status tsl_zsycon(tsl_context *ctx, char uplo, int64_t n, const tsl_cdouble *A, int64_t lda, const int64_t *ipiv,
                              double anorm, double *rcond, int64_t *info);

/** From hetrf's factors, in the norm one. */
TSL_API tsl_status tsl_hecon(tsl_context *ctx, tsl_view A, tsl_view p, double anorm, double *rcond);
TSL_API tsl_status tsl_checon(tsl_context *ctx, char uplo, int64_t n, const tsl_cfloat *A, int64_t lda, const int64_t *ipiv,
                              float anorm, float *rcond, int64_t *info);
TSL_API tsl_status tsl_zhecon(tsl_context *ctx, char uplo, int64_t n, const tsl_cdouble *A, int64_t lda, const int64_t *ipiv,
                              double anorm, double *rcond, int64_t *info);

/* ---- scalings ----------------------------------------------------------------------------------------------------------- */

/** r and c, columns of m and n elements of A's real type, := factors for the rows and columns of A, m x n as it is
 * stored, by which the largest element of each row is at most 1, and of each column about 1. Sizes are |re| + |im|.
 * *rowcnd := the smallest of r over the largest, *colcnd the same of c, *amax := the largest element of A; on views
 * each may be NULL. A need not be scaled if rowcnd and colcnd are at least 0.1 and amax is far from the ends of the
 * range. info = i: row i is zero; m + j: column j is zero. The call waits. */
TSL_API tsl_status tsl_geequ(tsl_context *ctx, tsl_view A, tsl_view r, tsl_view c, double *rowcnd, double *colcnd, double *amax,
                             int64_t *info);
TSL_API tsl_status tsl_sgeequ(tsl_context *ctx, int64_t m, int64_t n, const float *A, int64_t lda, float *r, float *c,
                              float *rowcnd, float *colcnd, float *amax, int64_t *info);
TSL_API tsl_status tsl_dgeequ(tsl_context *ctx, int64_t m, int64_t n, const double *A, int64_t lda, double *r, double *c,
                              double *rowcnd, double *colcnd, double *amax, int64_t *info);
TSL_API tsl_status tsl_cgeequ(tsl_context *ctx, int64_t m, int64_t n, const tsl_cfloat *A, int64_t lda, float *r, float *c,
                              float *rowcnd, float *colcnd, float *amax, int64_t *info);
TSL_API tsl_status tsl_zgeequ(tsl_context *ctx, int64_t m, int64_t n, const tsl_cdouble *A, int64_t lda, double *r, double *c,
                              double *rowcnd, double *colcnd, double *amax, int64_t *info);

/** The same for a definite A, rows and columns alike: s(i) := 1 / sqrt(A(i,i)), *scond := the smallest over the
 * largest. info = i: A(i,i) is not positive. */
TSL_API tsl_status tsl_poequ(tsl_context *ctx, tsl_view A, tsl_view s, double *scond, double *amax, int64_t *info);
TSL_API tsl_status tsl_spoequ(tsl_context *ctx, int64_t n, const float *A, int64_t lda, float *s, float *scond, float *amax,
                              int64_t *info);
TSL_API tsl_status tsl_dpoequ(tsl_context *ctx, int64_t n, const double *A, int64_t lda, double *s, double *scond, double *amax,
                              int64_t *info);
TSL_API tsl_status tsl_cpoequ(tsl_context *ctx, int64_t n, const tsl_cfloat *A, int64_t lda, float *s, float *scond,
                              float *amax, int64_t *info);
TSL_API tsl_status tsl_zpoequ(tsl_context *ctx, int64_t n, const tsl_cdouble *A, int64_t lda, double *s, double *scond,
                              double *amax, int64_t *info);

/* ---- corrections and error bounds ---------------------------------------------------------------------------------------
 * ferr and berr are columns of A's real type, with an element for each column of B. ferr := about a bound of the
 * largest error in a column of X, over its largest element. berr := its backward error: the least relative change of
 * elements of A and B that makes it exact. The calls wait. */

/** X, a solution of A X = B by getrs, is corrected as long as that helps. AF, as it is stored, and p are getrf's
 * factors of A. With A seen through an op: of op(A) X = B. A copy of A is made in workspace. */
TSL_API tsl_status tsl_gerfs(tsl_context *ctx, tsl_view A, tsl_view AF, tsl_view p, tsl_view B, tsl_view X, tsl_view ferr,
                             tsl_view berr);
TSL_API tsl_status tsl_sgerfs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                              const float *AF, int64_t ldaf, const int64_t *ipiv, const float *B, int64_t ldb, float *X,
                              int64_t ldx, float *ferr, float *berr, int64_t *info);
TSL_API tsl_status tsl_dgerfs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                              const double *AF, int64_t ldaf, const int64_t *ipiv, const double *B, int64_t ldb, double *X,
                              int64_t ldx, double *ferr, double *berr, int64_t *info);
TSL_API tsl_status tsl_cgerfs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *AF, int64_t ldaf, const int64_t *ipiv, const tsl_cfloat *B, int64_t ldb,
                              tsl_cfloat *X, int64_t ldx, float *ferr, float *berr, int64_t *info);
TSL_API tsl_status tsl_zgerfs(tsl_context *ctx, char trans, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *AF, int64_t ldaf, const int64_t *ipiv, const tsl_cdouble *B, int64_t ldb,
                              tsl_cdouble *X, int64_t ldx, double *ferr, double *berr, int64_t *info);

/** The same for a definite A, a triangle; AF is potrf's factor, the same triangle. */
TSL_API tsl_status tsl_porfs(tsl_context *ctx, tsl_view A, tsl_view AF, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr);
TSL_API tsl_status tsl_sporfs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const float *A, int64_t lda,
                              const float *AF, int64_t ldaf, const float *B, int64_t ldb, float *X, int64_t ldx, float *ferr,
                              float *berr, int64_t *info);
TSL_API tsl_status tsl_dporfs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const double *A, int64_t lda,
                              const double *AF, int64_t ldaf, const double *B, int64_t ldb, double *X, int64_t ldx,
                              double *ferr, double *berr, int64_t *info);
TSL_API tsl_status tsl_cporfs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cfloat *A, int64_t lda,
                              const tsl_cfloat *AF, int64_t ldaf, const tsl_cfloat *B, int64_t ldb, tsl_cfloat *X, int64_t ldx,
                              float *ferr, float *berr, int64_t *info);
TSL_API tsl_status tsl_zporfs(tsl_context *ctx, char uplo, int64_t n, int64_t nrhs, const tsl_cdouble *A, int64_t lda,
                              const tsl_cdouble *AF, int64_t ldaf, const tsl_cdouble *B, int64_t ldb, tsl_cdouble *X,
                              int64_t ldx, double *ferr, double *berr, int64_t *info);

/** The same for a triangle A, without corrections: X is only read. */
TSL_API tsl_status tsl_trrfs(tsl_context *ctx, tsl_view A, tsl_view B, tsl_view X, tsl_view ferr, tsl_view berr);
TSL_API tsl_status tsl_strrfs(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t nrhs, const float *A,
                              int64_t lda, const float *B, int64_t ldb, const float *X, int64_t ldx, float *ferr, float *berr,
                              int64_t *info);
TSL_API tsl_status tsl_dtrrfs(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t nrhs, const double *A,
                              int64_t lda, const double *B, int64_t ldb, const double *X, int64_t ldx, double *ferr,
                              double *berr, int64_t *info);
TSL_API tsl_status tsl_ctrrfs(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t nrhs, const tsl_cfloat *A,
                              int64_t lda, const tsl_cfloat *B, int64_t ldb, const tsl_cfloat *X, int64_t ldx, float *ferr,
                              float *berr, int64_t *info);
TSL_API tsl_status tsl_ztrrfs(tsl_context *ctx, char uplo, char trans, char diag, int64_t n, int64_t nrhs, const tsl_cdouble *A,
                              int64_t lda, const tsl_cdouble *B, int64_t ldb, const tsl_cdouble *X, int64_t ldx, double *ferr,
                              double *berr, int64_t *info);

/* ---- expert drivers -----------------------------------------------------------------------------------------------------
 * Batches return TSL_ERR_LAYOUT; a problem of a batch (tsl_problem) is taken. Of distributed matrices all operands are
 * distributed, and fact and equed are the same on all processes. */

/** X := the solution of A X = B by LU, corrected as by gerfs, with *rcond as by gecon and ferr, berr as by gerfs. With
 * A seen through an op: of op(A) X = B.
 * fact N: AF, n x n, and p := getrf's factors of A. fact E: A is scaled first where geequ says that this helps, A :=
 * diag(r) A diag(c), and B too. fact F: AF and p are given, and so are equed, r and c, for an A that is scaled already.
 * *equed says what was scaled: N nothing, R rows, C columns, B both. r and c are as of geequ; for fact N they may be
 * missing.
 * *rpvgrw, if not NULL, := the largest element of A over that of U; much less than 1: the solution is not to be
 * trusted.
 * info = j <= n: U(j,j) is zero, there is no solution, and rcond is 0. info = n + 1: there is a solution, but rcond is
 * less than eps. The call waits. Typed: equed, rcond and rpvgrw are in host memory; rpvgrw may be NULL. */
TSL_API tsl_status tsl_gesvx(tsl_context *ctx, char fact, tsl_view A, tsl_view AF, tsl_view p, char *equed, tsl_view r,
                             tsl_view c, tsl_view B, tsl_view X, double *rcond, tsl_view ferr, tsl_view berr, double *rpvgrw,
                             int64_t *info);
TSL_API tsl_status tsl_sgesvx(tsl_context *ctx, char fact, char trans, int64_t n, int64_t nrhs, float *A, int64_t lda,
                              float *AF, int64_t ldaf, int64_t *ipiv, char *equed, float *r, float *c, float *B, int64_t ldb,
                              float *X, int64_t ldx, float *rcond, float *ferr, float *berr, float *rpvgrw, int64_t *info);
TSL_API tsl_status tsl_dgesvx(tsl_context *ctx, char fact, char trans, int64_t n, int64_t nrhs, double *A, int64_t lda,
                              double *AF, int64_t ldaf, int64_t *ipiv, char *equed, double *r, double *c, double *B,
                              int64_t ldb, double *X, int64_t ldx, double *rcond, double *ferr, double *berr, double *rpvgrw,
                              int64_t *info);
TSL_API tsl_status tsl_cgesvx(tsl_context *ctx, char fact, char trans, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                              tsl_cfloat *AF, int64_t ldaf, int64_t *ipiv, char *equed, float *r, float *c, tsl_cfloat *B,
                              int64_t ldb, tsl_cfloat *X, int64_t ldx, float *rcond, float *ferr, float *berr, float *rpvgrw,
                              int64_t *info);
TSL_API tsl_status tsl_zgesvx(tsl_context *ctx, char fact, char trans, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                              tsl_cdouble *AF, int64_t ldaf, int64_t *ipiv, char *equed, double *r, double *c, tsl_cdouble *B,
                              int64_t ldb, tsl_cdouble *X, int64_t ldx, double *rcond, double *ferr, double *berr,
                              double *rpvgrw, int64_t *info);

/** The same by Cholesky for a definite A, a triangle; AF is the same triangle. Rows and columns are scaled alike by s,
 * as of poequ; *equed is N or Y. info = j <= n: as of potrf. */
TSL_API tsl_status tsl_posvx(tsl_context *ctx, char fact, tsl_view A, tsl_view AF, char *equed, tsl_view s, tsl_view B,
                             tsl_view X, double *rcond, tsl_view ferr, tsl_view berr, int64_t *info);
TSL_API tsl_status tsl_sposvx(tsl_context *ctx, char fact, char uplo, int64_t n, int64_t nrhs, float *A, int64_t lda, float *AF,
                              int64_t ldaf, char *equed, float *s, float *B, int64_t ldb, float *X, int64_t ldx, float *rcond,
                              float *ferr, float *berr, int64_t *info);
TSL_API tsl_status tsl_dposvx(tsl_context *ctx, char fact, char uplo, int64_t n, int64_t nrhs, double *A, int64_t lda,
                              double *AF, int64_t ldaf, char *equed, double *s, double *B, int64_t ldb, double *X, int64_t ldx,
                              double *rcond, double *ferr, double *berr, int64_t *info);
TSL_API tsl_status tsl_cposvx(tsl_context *ctx, char fact, char uplo, int64_t n, int64_t nrhs, tsl_cfloat *A, int64_t lda,
                              tsl_cfloat *AF, int64_t ldaf, char *equed, float *s, tsl_cfloat *B, int64_t ldb, tsl_cfloat *X,
                              int64_t ldx, float *rcond, float *ferr, float *berr, int64_t *info);
TSL_API tsl_status tsl_zposvx(tsl_context *ctx, char fact, char uplo, int64_t n, int64_t nrhs, tsl_cdouble *A, int64_t lda,
                              tsl_cdouble *AF, int64_t ldaf, char *equed, double *s, tsl_cdouble *B, int64_t ldb,
                              tsl_cdouble *X, int64_t ldx, double *rcond, double *ferr, double *berr, int64_t *info);

#ifdef __cplusplus
}
#endif
#endif
