/* The arguments of the typed calls on batches, in their order: X(kind, name, which, type). The two forms of each call, at a
 * stride and by pointers, and the checks of its arguments follow from its list (batch.inc, batch.c).
 *   LETTER   which: what it says (batch.c)
 *   SIZE     which of the sizes M, N, K of the operation's row in core/ops.def
 *   NUMBER   an integer; SCALAR, REAL: of the call's type, and of its real type; which: what it is
 *   BLOCK    a matrix: operand number `which`; a leading dimension and a stride follow it
 *   MAYBE    the same, or NULL: it is not wanted
 *   COLUMN   a column, which has no leading dimension
 *   EACH     an array with an element for each problem, in both forms
 *   RESULT   the same, of what the call on views does not know as an operand; which: its number
 * The number of problems is the last argument before infos. */
#ifndef TSL_API_BATCH_CALLS_H
#define TSL_API_BATCH_CALLS_H

#define BATCH_GEMM(X)                                                                                                       \
    X(LETTER, transa, TRANS_OF_A) X(LETTER, transb, TRANS_OF_B) X(SIZE, m, M) X(SIZE, n, N) X(SIZE, k, K)                   \
    X(SCALAR, alpha, ALPHA) X(BLOCK, A, 0, const T) X(BLOCK, B, 1, const T) X(SCALAR, beta, BETA) X(BLOCK, C, 2, T)
#define BATCH_TRSM(X)                                                                                                       \
    X(LETTER, side, SIDE) X(LETTER, uplo, UPLO) X(LETTER, transa, TRANS_OF_A) X(LETTER, diag, DIAG) X(SIZE, m, M)           \
    X(SIZE, n, N) X(SCALAR, alpha, ALPHA) X(BLOCK, A, 0, const T) X(BLOCK, B, 1, T)
#define BATCH_TRIANGLE(X) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(BLOCK, A, 0, T)
#define BATCH_TRTRI(X) X(LETTER, uplo, UPLO) X(LETTER, diag, DIAG) X(SIZE, n, N) X(BLOCK, A, 0, T)
#define BATCH_POTRS(X) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, const T) X(BLOCK, B, 1, T)
#define BATCH_POSV(X) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, T) X(BLOCK, B, 1, T)
#define BATCH_GETRF(X) X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, ipiv, 1, int64_t)
#define BATCH_GETRS(X)                                                                                                      \
    X(LETTER, trans, TRANS_OF_A) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, const T) X(COLUMN, ipiv, 1, const int64_t)   \
    X(BLOCK, B, 2, T)
#define BATCH_GESV(X) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, T) X(COLUMN, ipiv, 1, int64_t) X(BLOCK, B, 2, T)
#define BATCH_GETRI(X) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, ipiv, 1, const int64_t)
#define BATCH_SYTRF(X) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, ipiv, 1, int64_t)
#define BATCH_SYTRS(X)                                                                                                      \
    X(LETTER, uplo, UPLO) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, const T) X(COLUMN, ipiv, 1, const int64_t)          \
    X(BLOCK, B, 2, T)
#define BATCH_SYSV(X)                                                                                                       \
    X(LETTER, uplo, UPLO) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, T) X(COLUMN, ipiv, 1, int64_t) X(BLOCK, B, 2, T)
#define BATCH_GEQRF(X) X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, tau, 1, T)
#define BATCH_ORMQR(X)                                                                                                      \
    X(LETTER, side, SIDE) X(LETTER, trans, TRANS_OF_Q) X(SIZE, m, M) X(SIZE, n, N) X(SIZE, k, K) X(BLOCK, A, 0, const T)    \
    X(COLUMN, tau, 1, const T) X(BLOCK, C, 2, T)
#define BATCH_ORGQR(X) X(SIZE, m, M) X(SIZE, n, N) X(SIZE, k, K) X(BLOCK, A, 0, T) X(COLUMN, tau, 1, const T)
#define BATCH_GELS(X)                                                                                                       \
    X(LETTER, trans, HERM_OF_A) X(SIZE, m, M) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, T) X(BLOCK, B, 1, T)
#define BATCH_GEQP3(X) X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, jpvt, 1, int64_t) X(COLUMN, tau, 2, T)
#define BATCH_GELSY(X)                                                                                                      \
    X(SIZE, m, M) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, T) X(BLOCK, B, 2, T) X(COLUMN, jpvt, 1, int64_t)            \
    X(REAL, rcond, RCOND) X(EACH, rank, 3, int64_t)
#define BATCH_GELSD(X)                                                                                                      \
    X(SIZE, m, M) X(SIZE, n, N) X(SIZE, nrhs, K) X(BLOCK, A, 0, T) X(BLOCK, B, 2, T) X(COLUMN, s, 1, R)                     \
    X(REAL, rcond, RCOND) X(EACH, rank, 3, int64_t)
#define BATCH_SYEV(X) X(LETTER, jobz, JOBZ) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, w, 1, R)
#define BATCH_SYEVX(X)                                                                                                      \
    X(LETTER, jobz, JOBZ) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(BLOCK, A, 0, T) X(NUMBER, il, IL) X(NUMBER, iu, IU)         \
    X(COLUMN, w, 1, R) X(BLOCK, Z, 2, T)
#define BATCH_SYGV(X)                                                                                                       \
    X(NUMBER, itype, ITYPE) X(LETTER, jobz, JOBZ) X(LETTER, uplo, UPLO) X(SIZE, n, N) X(BLOCK, A, 1, T) X(BLOCK, B, 0, T)   \
    X(COLUMN, w, 2, R)
#define BATCH_GESVD(X)                                                                                                      \
    X(LETTER, jobu, JOBU) X(LETTER, jobvt, JOBVT) X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, s, 1, R)          \
    X(BLOCK, U, 2, T) X(BLOCK, VT, 3, T)
#define BATCH_POLAR(X) X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, T) X(MAYBE, H, 1, T)
#define BATCH_PINV(X)                                                                                                       \
    X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, T) X(REAL, rcond, TOLERANCE) X(MAYBE, P, 1, T) X(EACH, rank, 2, int64_t)
#define BATCH_FUNCTION(X) X(SIZE, n, N) X(BLOCK, A, 0, T)
#define BATCH_GEEV_REAL(X)                                                                                                  \
    X(LETTER, jobvl, JOBVL) X(LETTER, jobvr, JOBVR) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, wr, 1, T)                     \
    X(COLUMN, wi, 2, T) X(BLOCK, VL, 3, T) X(BLOCK, VR, 4, T)
#define BATCH_GEEV_COMPLEX(X)                                                                                               \
    X(LETTER, jobvl, JOBVL) X(LETTER, jobvr, JOBVR) X(SIZE, n, N) X(BLOCK, A, 0, T) X(COLUMN, w, 1, T) X(BLOCK, VL, 3, T)   \
    X(BLOCK, VR, 4, T)
#define BATCH_GEES_REAL(X)                                                                                                  \
    X(LETTER, jobvs, JOBVS) X(LETTER, sort, SORT) X(SIZE, n, N) X(BLOCK, A, 0, T) X(RESULT, sdim, 0, int64_t)               \
    X(COLUMN, wr, 1, T) X(COLUMN, wi, 2, T) X(BLOCK, VS, 3, T)
#define BATCH_GEES_COMPLEX(X)                                                                                               \
    X(LETTER, jobvs, JOBVS) X(LETTER, sort, SORT) X(SIZE, n, N) X(BLOCK, A, 0, T) X(RESULT, sdim, 0, int64_t)               \
    X(COLUMN, w, 1, T) X(BLOCK, VS, 3, T)
#define BATCH_LANGE(X) X(LETTER, norm, NORM_OF_A) X(SIZE, m, M) X(SIZE, n, N) X(BLOCK, A, 0, const T) X(RESULT, result, 0, R)
#define BATCH_GECON(X)                                                                                                      \
    X(LETTER, norm, NORM_OF_INVERSE) X(SIZE, n, N) X(BLOCK, A, 0, const T) X(RESULT, anorm, 0, const R) X(RESULT, rcond, 1, R)
#define BATCH_LOGDET(X)                                                                                                     \
    X(LETTER, factors, FACTORS_IN_A) X(SIZE, n, N) X(BLOCK, A, 0, const T) X(COLUMN, ipiv, 1, const int64_t)                \
    X(RESULT, phase, 0, T) X(RESULT, logabs, 1, double)

/* The calls: ROW(name, operation, arguments, what is particular, how it is run) */
#define BATCH_ROWS(ROW)                                                                                                     \
    ROW(gemm, GEMM, GEMM, as_product, NULL) ROW(trsm, TRSM, TRSM, NULL, NULL) ROW(potrf, POTRF, TRIANGLE, NULL, NULL)       \
    ROW(potrs, POTRS, POTRS, NULL, NULL) ROW(posv, POSV, POSV, NULL, NULL) ROW(potri, POTRI, TRIANGLE, NULL, NULL)          \
    ROW(trtri, TRTRI, TRTRI, NULL, NULL) ROW(getrf, GETRF, GETRF, NULL, NULL) ROW(getrs, GETRS, GETRS, NULL, NULL)          \
    ROW(gesv, GESV, GESV, NULL, NULL) ROW(getri, GETRI, GETRI, NULL, NULL) ROW(sytrf, SYTRF, SYTRF, NULL, NULL)             \
    ROW(sytrs, SYTRS, SYTRS, NULL, NULL) ROW(sysv, SYSV, SYSV, NULL, NULL) ROW(hetrf, SYTRF, SYTRF, as_hermitian, NULL)     \
    ROW(hetrs, SYTRS, SYTRS, as_hermitian, NULL) ROW(hesv, SYSV, SYSV, as_hermitian, NULL)                                  \
    ROW(geqrf, GEQRF, GEQRF, NULL, NULL) ROW(ormqr, ORMQR, ORMQR, with_q, NULL) ROW(orgqr, ORGQR, ORGQR, all_of_q, NULL)    \
    ROW(gels, GELS, GELS, NULL, NULL) ROW(geqp3, GEQP3, GEQP3, NULL, NULL) ROW(gelsy, GELSY, GELSY, NULL, NULL)             \
    ROW(gelsd, GELSD, GELSD, NULL, NULL) ROW(syev, SYEV, SYEV, with_vectors, NULL) ROW(syevx, SYEV, SYEVX, by_index, NULL)  \
    ROW(sygv, SYGV, SYGV, with_vectors, NULL) ROW(gesvd, GESVD, GESVD, with_sides, NULL)                                    \
    ROW(polar, POLAR, POLAR, with_factor, NULL) ROW(expm, EXPM, FUNCTION, NULL, NULL)                                       \
    ROW(geev_real, GEEV, GEEV_REAL, with_pairs, NULL) ROW(geev_complex, GEEV, GEEV_COMPLEX, with_pairs, NULL)               \
    ROW(gees_real, GEES, GEES_REAL, with_schur, tsl_batch_count_first)                                                      \
    ROW(gees_complex, GEES, GEES_COMPLEX, with_schur, tsl_batch_count_first) ROW(pinv, PINV, PINV, as_inverse, NULL)        \
    ROW(lange, NORM, LANGE, of_all, tsl_batch_norms) ROW(gecon, GECON, GECON, NULL, tsl_batch_conditions)                   \
    ROW(logdet, GETRF, LOGDET, of_factors, tsl_batch_determinants)

#endif
