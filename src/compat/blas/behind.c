/* The common implementation of each routine, which its entries call: it runs the typed call of Tesela. */
#include <complex.h>

#include "compat/blas/blas.h"

#define V(x) (x)

/* Is an operand on a device? */
#define KEPT_letter(x)
#define KEPT_letter_both(x)
#define KEPT_number(x)
#define KEPT_scalar(x)
#define KEPT_real(x)
#define KEPT_in(x, ...) || tsl_blas_kept(x)
#define KEPT_out(x, ...) || tsl_blas_kept(x)
#define KEPT_makes(x, ...) || tsl_blas_kept(x)
#define KEPT_reals(x, count) || tsl_blas_kept(x)
#define KEPT_rows_in(x, count)
#define KEPT_rows_out(x, count)
#define KEPT_rows_both(x, count)
#define KEPT_workspace(x, length, least)
#define KEPT_spare(x, bytes)
#define KEPT_unless(x)
#define KEPT_changes(x, count) || tsl_blas_kept(x)
#define KEPT_real_workspace(x, length, least)
#define KEPT_whole_workspace(x, length, least)
#define KEPT_marks(x, count, most)
#define KEPT_counted(x)
#define KEPT_outcome(x)

/* Is a number too large for the host library? */
#define LONG_letter(x)
#define LONG_letter_both(x)
#define LONG_number(x) || x != (blas_int)x
#define LONG_scalar(x)
#define LONG_real(x)
#define LONG_in(x, ...)
#define LONG_out(x, ...)
#define LONG_makes(x, ...)
#define LONG_reals(x, count)
#define LONG_rows_in(x, count)
#define LONG_rows_out(x, count)
#define LONG_rows_both(x, count)
#define LONG_workspace(x, length, least) || length != (blas_int)length
#define LONG_spare(x, bytes)
#define LONG_unless(x)
#define LONG_changes(x, count)
#define LONG_real_workspace(x, length, least) || length != (blas_int)length
#define LONG_whole_workspace(x, length, least) || length != (blas_int)length
#define LONG_marks(x, count, most)
#define LONG_counted(x)
#define LONG_outcome(x)

/* Is there less workspace than it takes? */
#define ASKS_letter(x)
#define ASKS_letter_both(x)
#define ASKS_number(x)
#define ASKS_scalar(x)
#define ASKS_real(x)
#define ASKS_in(x, ...)
#define ASKS_out(x, ...)
#define ASKS_makes(x, ...)
#define ASKS_reals(x, count)
#define ASKS_rows_in(x, count)
#define ASKS_rows_out(x, count)
#define ASKS_rows_both(x, count)
#define ASKS_workspace(x, length, least) || length < MORE(1, least)
#define ASKS_spare(x, bytes)
#define ASKS_unless(x) || (x)
#define ASKS_changes(x, count)
#define ASKS_real_workspace(x, length, least) || length < MORE(1, least)
#define ASKS_whole_workspace(x, length, least) || length < MORE(1, least)
#define ASKS_marks(x, count, most)
#define ASKS_counted(x)
#define ASKS_outcome(x)

/* What is asked of sizes that the host library cannot count is answered here. */
#define ANSWER_letter(x)
#define ANSWER_letter_both(x)
#define ANSWER_number(x)
#define ANSWER_scalar(x)
#define ANSWER_real(x)
#define ANSWER_in(x, ...)
#define ANSWER_out(x, ...)
#define ANSWER_makes(x, ...)
#define ANSWER_reals(x, count)
#define ANSWER_rows_in(x, count)
#define ANSWER_rows_out(x, count)
#define ANSWER_rows_both(x, count)
#define ANSWER_workspace(x, length, least) if (length == -1 && call.is_long) return *x = (T)MORE(1, least), true;
#define ANSWER_spare(x, bytes)
#define ANSWER_unless(x)
#define ANSWER_changes(x, count)
#define ANSWER_real_workspace(x, length, least) if (length == -1 && call.is_long) *x = (R)MORE(1, least);
#define ANSWER_whole_workspace(x, length, least) if (length == -1 && call.is_long) return tsl_blas_whole(x, MORE(1, least), wide), true;
#define ANSWER_marks(x, count, most)
#define ANSWER_counted(x)
#define ANSWER_outcome(x)

/* Before the call */
#define BEFORE_letter(x)
#define BEFORE_letter_both(x)
#define BEFORE_number(x)
#define BEFORE_scalar(x)
#define BEFORE_real(x)
#define BEFORE_in(x, ...)
#define BEFORE_out(x, ...)
#define BEFORE_makes(x, ...)
#define BEFORE_reals(x, count)
#define BEFORE_rows_in(x, count) int64_t *x##_wide = tsl_blas_rows(&call, x, count, wide, true);
#define BEFORE_rows_out(x, count) int64_t *x##_wide = tsl_blas_rows(&call, x, count, wide, false);
#define BEFORE_rows_both(x, count) int64_t *x##_wide = tsl_blas_rows(&call, x, count, wide, true);
#define BEFORE_workspace(x, length, least)
#define BEFORE_spare(x, bytes)
#define BEFORE_unless(x)
#define BEFORE_changes(x, count)
#define BEFORE_real_workspace(x, length, least)
#define BEFORE_whole_workspace(x, length, least)
#define BEFORE_marks(x, count, most) int64_t *x##_wide = (count) > 0 ? tsl_blas_rows(&call, x, most, wide, false) : NULL;
#define BEFORE_counted(x)
#define BEFORE_outcome(x)

/* What the typed call takes */
#define GIVES_letter(x) , x
#define GIVES_letter_both(x) , x
#define GIVES_number(x) , x
#define GIVES_scalar(x) , x
#define GIVES_real(x) , x
#define GIVES_in(x, ...) , tsl_blas_place(x)
#define GIVES_out(x, ...) , tsl_blas_place(x)
#define GIVES_makes(x, ...) , tsl_blas_place(x)
#define GIVES_reals(x, count) , tsl_blas_place(x)
#define GIVES_rows_in(x, count) , x##_wide
#define GIVES_rows_out(x, count) , x##_wide
#define GIVES_rows_both(x, count) , x##_wide
#define GIVES_workspace(x, length, least)
#define GIVES_spare(x, bytes)
#define GIVES_unless(x)
#define GIVES_changes(x, count) , tsl_blas_place(x)
#define GIVES_real_workspace(x, length, least)
#define GIVES_whole_workspace(x, length, least)
#define GIVES_marks(x, count, most) , x##_wide
#define GIVES_counted(x) , x
#define GIVES_outcome(x) , x

/* After it */
#define AFTER_letter(x)
#define AFTER_letter_both(x)
#define AFTER_number(x)
#define AFTER_scalar(x)
#define AFTER_real(x)
#define AFTER_in(x, ...)
#define AFTER_out(x, ...)
#define AFTER_makes(x, ...)
#define AFTER_reals(x, count)
#define AFTER_rows_in(x, count) tsl_blas_rows_back(x##_wide, (void *)x, 0, wide, false);
#define AFTER_rows_out(x, count) tsl_blas_rows_back(x##_wide, x, count, wide, st == TSL_OK);
#define AFTER_rows_both(x, count) tsl_blas_rows_back(x##_wide, x, count, wide, st == TSL_OK);
#define AFTER_workspace(x, length, least) if (st == TSL_OK) *x = (T)MORE(1, least);
#define AFTER_spare(x, bytes)
#define AFTER_unless(x)
#define AFTER_changes(x, count)
#define AFTER_real_workspace(x, length, least) if (st == TSL_OK) *x = (R)MORE(1, least);
#define AFTER_whole_workspace(x, length, least) if (st == TSL_OK) tsl_blas_whole(x, MORE(1, least), wide);
#define AFTER_marks(x, count, most) if (x##_wide) tsl_blas_rows_back(x##_wide, x, count, wide, st == TSL_OK);
#define AFTER_counted(x)
#define AFTER_outcome(x) told = x;

#define TYPED(name) JOIN(tsl_, name, )

#define RUN(name, one, class, work, sizes, result, ...)                                                                             \
    static void *fn;                                                                                                           \
    int64_t *told = NULL;                                                                                                      \
    blas_call call = {TEXT(name), TEXT(one), class, PRODUCT(work), SIZES(sizes), .kept = false EACH(KEPT, __VA_ARGS__),                   \
                      .is_long = false EACH(LONG, __VA_ARGS__), .asks = false EACH(ASKS, __VA_ARGS__)};                        \
    (void)wide;                                                                                                                \
    EACH(ANSWER, __VA_ARGS__)                                                                                                  \
    if (tsl_blas_open(&call, &fn)) {                                                                                           \
        EACH(BEFORE, __VA_ARGS__)                                                                                              \
        tsl_status st = TSL_ERR_SIZE;                                                                                          \
        if (!call.lacks) st = ((__typeof__(&TYPED(name)))call.fn)(call.ctx EACH(GIVES, __VA_ARGS__) result);                   \
        EACH(AFTER, __VA_ARGS__)                                                                                               \
        if (tsl_blas_close(&call, st, told)) return true;                                                                      \
    }                                                                                                                          \
    if (call.kept && !call.asks) {                                                                                             \
        EACH(HOME, __VA_ARGS__)                                                                                                \
    }                                                                                                                          \
    return false;

#define BODY "compat/blas/behind_body.inc"
#include "core/types.inc"
