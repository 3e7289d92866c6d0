/* What tests of QR with column pivoting and of least squares share: matrices of every kind, shapes. */
#ifndef QRP_H
#define QRP_H

#include "eig.h"

typedef enum qrp_kind { QRP_RANDOM, QRP_GRADED, QRP_DEFICIENT, QRP_TWINS, QRP_ZERO_COLUMN, QRP_ZEROS, QRP_KAHAN, QRP_UNLIKE, QRP_TINY, QRP_HUGE, QRP_KINDS } qrp_kind;
static const char *const qrp_name[QRP_KINDS] = {"random", "graded", "rank-deficient", "twin columns", "zero column", "zeros", "Kahan's", "unlike columns", "tiny", "huge"};

static inline dense qrp_matrix(tsl_type t, int64_t m, int64_t n, qrp_kind kind)
{
    static const qr_kind like[QRP_KINDS] = {RANDOM, GRADED, DEFICIENT, RANDOM, ZERO_COLUMN, ZEROS, RANDOM, UNLIKE_COLUMNS, TINY, HUGE_ONES};
    dense A = qr_matrix(t, m, n, like[kind], (uint64_t)(m + 7 * n + kind));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = dense_get(&A, i, j);
            double s = 0.95, c = sqrt(1 - s * s);
            if (kind == QRP_TWINS && j % 3) v = dense_get(&A, i, j - j % 3);
            if (kind == QRP_KAHAN) v = (i > j ? 0 : i == j ? 1 : -c) * pow(s, (double)i) * (1 + 25 * tsl_type_eps(t) * (double)(n - j));
            dense_put(&A, i, j, v);
        }
    return A;
}

static inline void who(char line[96], tsl_type t, int64_t m, int64_t n, qrp_kind kind) { snprintf(line, 96, "%c %d x %d, %s", tsl_type_letter(t), (int)m, (int)n, qrp_name[kind]); }

static const int64_t shapes[][2] = {{1, 1}, {2, 2}, {3, 2}, {2, 3}, {1, 5}, {6, 1}, {33, 33}, {40, 21}, {21, 40}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static inline void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

#endif
