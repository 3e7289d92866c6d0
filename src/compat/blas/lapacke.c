/* LAPACKE's entries: LAPACKE_dpotrf, and LAPACKE_dpotrf_work, which has the workspace from its caller; with integers of 64 bits
 * LAPACKE_dpotrf_64. They call Fortran's entries. A matrix stored by rows is brought into columns and back. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "compat/blas/fortran.h"

#define V(x) (x)

enum { BY_ROWS = 101, BY_COLUMNS = 102, NO_MEMORY = -1010, NO_MEMORY_TO_TURN = -1011 };

/* Does the program want its operands looked through for NaN? As LAPACKE does where there is one. */
static bool looks_for_nan(void)
{
    static int (*get)(void);
    if (!get) get = (int (*)(void))dlsym(RTLD_DEFAULT, "LAPACKE_get_nancheck");
    const char *text = get ? NULL : getenv("LAPACKE_NANCHECK");
    return get ? get() != 0 : !text || atoi(text) != 0;
}

static int64_t told(const char *name, int64_t info)
{
    void (*tell)(const char *, int) = (void (*)(const char *, int))dlsym(RTLD_DEFAULT, "LAPACKE_xerbla");
    if (tell) tell(name, (int)info);
    return info;
}

/* Is (i, j) an element of it? part: L, U, or A for all */
static bool is_part(char part, int64_t i, int64_t j)
{
    return part == 'L' || part == 'l' ? i >= j : part == 'U' || part == 'u' ? i <= j : true;
}

/* Singular vectors that a letter means, on the side that has n, beside d values; O: none but those in A */
static int64_t svd_count(char job, int64_t n, int64_t d) { return job == 'A' || job == 'a' ? n : job == 'S' || job == 's' ? d : 0; }

/* As LAPACKE passes them, without and with workspace */
#define HIGH_letter(x) , char x
#define HIGH_number(x) , INT x
#define HIGH_in(x, shape, ...) , const T *x
#define HIGH_out(x, shape, ...) , T *x
#define HIGH_makes(x, shape, ...) , T *x
#define HIGH_reals(x, count) , R *x
#define HIGH_rows_in(x, count) , const INT *x
#define HIGH_rows_out(x, count) , INT *x
#define HIGH_rows_both(x, count) , INT *x
#define HIGH_workspace(x, length, least)
#define HIGH_spare(x, bytes)
#define HIGH_unless(x)
#define HIGH_changes(x, count) , R *x
#define HIGH_real_workspace(x, length, least)
#define HIGH_whole_workspace(x, length, least)
#define HIGH_marks(x, count, most) , INT *x
#define HIGH_real(x) , R x
#define HIGH_counted(x) , INT *x
#define HIGH_outcome(x)

#define WORK_letter(x) , char x
#define WORK_number(x) , INT x
#define WORK_in(x, shape, ...) , const T *x
#define WORK_out(x, shape, ...) , T *x
#define WORK_makes(x, shape, ...) , T *x
#define WORK_reals(x, count) , R *x
#define WORK_rows_in(x, count) , const INT *x
#define WORK_rows_out(x, count) , INT *x
#define WORK_rows_both(x, count) , INT *x
#define WORK_workspace(x, length, least) , T *x, INT length
#define WORK_spare(x, bytes) , void *x
#define WORK_unless(x)
#define WORK_changes(x, count) , R *x
#define WORK_real_workspace(x, length, least) , R *x, INT length
#define WORK_whole_workspace(x, length, least) , INT *x, INT length
#define WORK_marks(x, count, most) , INT *x
#define WORK_real(x) , R x
#define WORK_counted(x) , INT *x
#define WORK_outcome(x)

/* Arguments for Fortran's entry, and from one of LAPACKE's two entries to the other */
#define GIVEN_letter(x) , &x
#define GIVEN_number(x) , &x
#define GIVEN_in(x, shape, ...) , x
#define GIVEN_out(x, shape, ...) , x
#define GIVEN_makes(x, shape, ...) , x
#define GIVEN_reals(x, count) , x
#define GIVEN_rows_in(x, count) , x
#define GIVEN_rows_out(x, count) , x
#define GIVEN_rows_both(x, count) , x
#define GIVEN_workspace(x, length, least) , x, &length
#define GIVEN_spare(x, bytes) , x
#define GIVEN_unless(x)
#define GIVEN_changes(x, count) , x
#define GIVEN_real_workspace(x, length, least) , x, &length
#define GIVEN_whole_workspace(x, length, least) , x, &length
#define GIVEN_marks(x, count, most) , x
#define GIVEN_real(x) , &x
#define GIVEN_counted(x) , x
#define GIVEN_outcome(x) , &x

#define ON_letter(x) , x
#define ON_number(x) , x
#define ON_in(x, shape, ...) , x
#define ON_out(x, shape, ...) , x
#define ON_makes(x, shape, ...) , x
#define ON_reals(x, count) , x
#define ON_rows_in(x, count) , x
#define ON_rows_out(x, count) , x
#define ON_rows_both(x, count) , x
#define ON_workspace(x, length, least) , x, length
#define ON_spare(x, bytes) , x
#define ON_unless(x)
#define ON_changes(x, count) , x
#define ON_real_workspace(x, length, least) , x, length
#define ON_whole_workspace(x, length, least) , x, length
#define ON_marks(x, count, most) , x
#define ON_real(x) , x
#define ON_counted(x) , x
#define ON_outcome(x)

/* What has no place among the arguments */
#define NEW_letter(x)
#define NEW_number(x)
#define NEW_in(x, shape, ...)
#define NEW_out(x, shape, ...)
#define NEW_makes(x, shape, ...)
#define NEW_reals(x, count)
#define NEW_rows_in(x, count)
#define NEW_rows_out(x, count)
#define NEW_rows_both(x, count)
#define NEW_workspace(x, length, least)
#define NEW_spare(x, bytes)
#define NEW_unless(x)
#define NEW_changes(x, count)
#define NEW_real_workspace(x, length, least)
#define NEW_whole_workspace(x, length, least)
#define NEW_marks(x, count, most)
#define NEW_real(x)
#define NEW_counted(x)
#define NEW_outcome(x) INT x = 0;

#define TELL_letter(x)
#define TELL_number(x)
#define TELL_in(x, shape, ...)
#define TELL_out(x, shape, ...)
#define TELL_makes(x, shape, ...)
#define TELL_reals(x, count)
#define TELL_rows_in(x, count)
#define TELL_rows_out(x, count)
#define TELL_rows_both(x, count)
#define TELL_workspace(x, length, least)
#define TELL_spare(x, bytes)
#define TELL_unless(x)
#define TELL_changes(x, count)
#define TELL_real_workspace(x, length, least)
#define TELL_whole_workspace(x, length, least)
#define TELL_marks(x, count, most)
#define TELL_real(x)
#define TELL_counted(x)
#define TELL_outcome(x) if (x < 0) x--;

#define RESULT_letter(x)
#define RESULT_number(x)
#define RESULT_in(x, shape, ...)
#define RESULT_out(x, shape, ...)
#define RESULT_makes(x, shape, ...)
#define RESULT_reals(x, count)
#define RESULT_rows_in(x, count)
#define RESULT_rows_out(x, count)
#define RESULT_rows_both(x, count)
#define RESULT_workspace(x, length, least)
#define RESULT_spare(x, bytes)
#define RESULT_unless(x)
#define RESULT_changes(x, count)
#define RESULT_real_workspace(x, length, least)
#define RESULT_whole_workspace(x, length, least)
#define RESULT_marks(x, count, most)
#define RESULT_real(x)
#define RESULT_counted(x)
#define RESULT_outcome(x) x

/* A leading dimension comes after its matrix, and is the length of a row */
#define SHORT_letter(x) at++;
#define SHORT_number(x) at++;
#define SHORT_in(x, shape, ...) at++; SHORT_##shape(x, __VA_ARGS__)
#define SHORT_out(x, shape, ...) at++; SHORT_##shape(x, __VA_ARGS__)
#define SHORT_makes(x, shape, ...) at++; SHORT_##shape(x, __VA_ARGS__)
#define SHORT_reals(x, count) at++;
#define SHORT_rows_in(x, count) at++;
#define SHORT_rows_out(x, count) at++;
#define SHORT_rows_both(x, count) at++;
#define SHORT_workspace(x, length, least)
#define SHORT_spare(x, bytes)
#define SHORT_unless(x)
#define SHORT_changes(x, count) at++;
#define SHORT_real_workspace(x, length, least)
#define SHORT_whole_workspace(x, length, least)
#define SHORT_marks(x, count, most) at++;
#define SHORT_real(x) at++;
#define SHORT_counted(x)
#define SHORT_outcome(x)

#define SHORT_WHOLE(x, rows, cols, ld) if (ld < MORE(1, cols)) return (INT)told(NAME, -at - 1);
#define SHORT_TRIANGLE(x, uplo, diag, n, ld) SHORT_WHOLE(x, n, n, ld)
#define SHORT_VECTOR(x, n)
#define SHORT_SYMMETRIC(x, uplo, n, ld) SHORT_WHOLE(x, n, n, ld)
#define SHORT_UPDATED(x, reads, rows, cols, ld) SHORT_WHOLE(x, rows, cols, ld)

/* Into columns, and back */
#define TURN_letter(x)
#define TURN_number(x)
#define TURN_in(x, shape, ...) TURN_##shape(x, true, __VA_ARGS__)
#define TURN_out(x, shape, ...) TURN_##shape(x, true, __VA_ARGS__)
#define TURN_makes(x, shape, ...) TURN_##shape(x, false, __VA_ARGS__)
#define TURN_reals(x, count)
#define TURN_rows_in(x, count)
#define TURN_rows_out(x, count)
#define TURN_rows_both(x, count)
#define TURN_workspace(x, length, least)
#define TURN_spare(x, bytes)
#define TURN_unless(x)
#define TURN_changes(x, count)
#define TURN_real_workspace(x, length, least)
#define TURN_whole_workspace(x, length, least)
#define TURN_marks(x, count, most)
#define TURN_real(x)
#define TURN_counted(x)
#define TURN_outcome(x)

#define TURN_PART(x, reads, part, rows, cols, ld)                                              \
    __typeof__(x) x##_rows = x;                                                                \
    const INT x##_ld = ld;                                                                     \
    T *x##_by_columns = FN(turned)(part, rows, cols, reads && !asks ? x : NULL, ld);               \
    missing |= !x##_by_columns;                                                                    \
    x = x##_by_columns;                                                                            \
    ld = MORE(1, rows);
#define TURN_WHOLE(x, reads, rows, cols, ld) TURN_PART(x, reads, 'A', rows, cols, ld)
#define TURN_TRIANGLE(x, reads, uplo, diag, n, ld) TURN_PART(x, reads, uplo, n, n, ld)
#define TURN_VECTOR(x, reads, n)
#define TURN_SYMMETRIC(x, reads, uplo, n, ld) TURN_PART(x, reads, 'A', n, n, ld)
#define TURN_UPDATED(x, reads, really, rows, cols, ld) TURN_PART(x, (really), 'A', rows, cols, ld)

#define BACK_letter(x)
#define BACK_number(x)
#define BACK_in(x, shape, ...) BACK_##shape(x, false, __VA_ARGS__)
#define BACK_out(x, shape, ...) BACK_##shape(x, true, __VA_ARGS__)
#define BACK_makes(x, shape, ...) BACK_##shape(x, true, __VA_ARGS__)
#define BACK_reals(x, count)
#define BACK_rows_in(x, count)
#define BACK_rows_out(x, count)
#define BACK_rows_both(x, count)
#define BACK_workspace(x, length, least)
#define BACK_spare(x, bytes)
#define BACK_unless(x)
#define BACK_changes(x, count)
#define BACK_real_workspace(x, length, least)
#define BACK_whole_workspace(x, length, least)
#define BACK_marks(x, count, most)
#define BACK_real(x)
#define BACK_counted(x)
#define BACK_outcome(x)

#define BACK_PART(x, writes, part, rows, cols, ld)                                             \
    if (writes && !missing && !asks) FN(turn_back)(part, rows, cols, x##_by_columns, (T *)x##_rows, x##_ld); \
    free(x##_by_columns);
#define BACK_WHOLE(x, writes, rows, cols, ld) BACK_PART(x, writes, 'A', rows, cols, ld)
#define BACK_TRIANGLE(x, writes, uplo, diag, n, ld) BACK_PART(x, writes, uplo, n, n, ld)
#define BACK_VECTOR(x, writes, n)
#define BACK_SYMMETRIC(x, writes, uplo, n, ld) BACK_PART(x, writes, 'A', n, n, ld)
#define BACK_UPDATED(x, writes, really, rows, cols, ld) BACK_PART(x, writes, 'A', rows, cols, ld)

/* Operands that are read, and have a NaN */
#define NAN_IN_letter(x) at++;
#define NAN_IN_number(x) at++;
#define NAN_IN_in(x, shape, ...) at++; NAN_IN_##shape(x, __VA_ARGS__)
#define NAN_IN_out(x, shape, ...) at++; NAN_IN_##shape(x, __VA_ARGS__)
#define NAN_IN_makes(x, shape, ...) at++;
#define NAN_IN_reals(x, count) at++;
#define NAN_IN_rows_in(x, count) at++;
#define NAN_IN_rows_out(x, count) at++;
#define NAN_IN_rows_both(x, count) at++;
#define NAN_IN_workspace(x, length, least)
#define NAN_IN_spare(x, bytes)
#define NAN_IN_unless(x)
#define NAN_IN_changes(x, count) at++; NAN_IN_COLUMN(x, count)
#define NAN_IN_real_workspace(x, length, least)
#define NAN_IN_whole_workspace(x, length, least)
#define NAN_IN_marks(x, count, most) at++;
#define NAN_IN_real(x) at++;
#define NAN_IN_counted(x) at++;
#define NAN_IN_outcome(x)

#define NAN_IN_WHOLE(x, rows, cols, ld) if (FN(has_nan)(layout == BY_ROWS, 'A', false, rows, cols, x, ld)) return -at;
#define NAN_IN_TRIANGLE(x, uplo, diag, n, ld) \
    if (FN(has_nan)(layout == BY_ROWS, uplo, (diag) == 'U' || (diag) == 'u', n, n, x, ld)) return -at;
#define NAN_IN_VECTOR(x, n) if (FN(has_nan)(false, 'A', false, n, 1, x, MORE(1, n))) return -at;
#define NAN_IN_SYMMETRIC(x, uplo, n, ld) NAN_IN_TRIANGLE(x, uplo, 'N', n, ld)
#define NAN_IN_UPDATED(x, reads, rows, cols, ld) if ((reads) && FN(has_nan)(layout == BY_ROWS, 'A', false, rows, cols, x, ld)) return -at;
#define NAN_IN_COLUMN(x, count) for (int64_t i = 0; i < (count); ++i) if (x[i] != x[i]) return -at;

/* Workspace: how long, is asked first */
#define ASKS_letter(x)
#define ASKS_number(x)
#define ASKS_in(x, shape, ...)
#define ASKS_out(x, shape, ...)
#define ASKS_makes(x, shape, ...)
#define ASKS_reals(x, count)
#define ASKS_rows_in(x, count)
#define ASKS_rows_out(x, count)
#define ASKS_rows_both(x, count)
#define ASKS_workspace(x, length, least) || length == -1
#define ASKS_spare(x, bytes)
#define ASKS_unless(x) || (x)
#define ASKS_changes(x, count)
#define ASKS_real_workspace(x, length, least) || length == -1
#define ASKS_whole_workspace(x, length, least) || length == -1
#define ASKS_marks(x, count, most)
#define ASKS_real(x)
#define ASKS_counted(x)
#define ASKS_outcome(x)

#define ASK_letter(x)
#define ASK_number(x)
#define ASK_in(x, shape, ...)
#define ASK_out(x, shape, ...)
#define ASK_makes(x, shape, ...)
#define ASK_reals(x, count)
#define ASK_rows_in(x, count)
#define ASK_rows_out(x, count)
#define ASK_rows_both(x, count)
#define ASK_workspace(x, length, least) T x##_best = 0, *x = &x##_best; INT length = -1; asks = true;
#define ASK_spare(x, bytes) void *x = malloc(MORE(1, (size_t)(bytes))); missing |= !x;
#define ASK_unless(x)
#define ASK_changes(x, count)
#define ASK_real_workspace(x, length, least) R x##_best = 0, *x = &x##_best; INT length = -1; asks = true;
#define ASK_whole_workspace(x, length, least) INT x##_best = 0, *x = &x##_best; INT length = -1; asks = true;
#define ASK_marks(x, count, most)
#define ASK_real(x)
#define ASK_counted(x)
#define ASK_outcome(x)

#define GET_letter(x)
#define GET_number(x)
#define GET_in(x, shape, ...)
#define GET_out(x, shape, ...)
#define GET_makes(x, shape, ...)
#define GET_reals(x, count)
#define GET_rows_in(x, count)
#define GET_rows_out(x, count)
#define GET_rows_both(x, count)
#define GET_ROOM(x, length)                          \
    x = malloc((size_t)MORE(1, length) * sizeof *x); \
    missing |= !x;
#define GET_NUMBERS(x, length)                                                                                       \
    length = (INT)(creal(x##_best) * (sizeof(R) == sizeof(float) ? 1 + FLT_EPSILON : 1)); /* rounded, perhaps down */ \
    GET_ROOM(x, length)
#define GET_workspace(x, length, least) GET_NUMBERS(x, length)
#define GET_spare(x, bytes)
#define GET_unless(x)
#define GET_changes(x, count)
#define GET_real_workspace(x, length, least) GET_NUMBERS(x, length)
#define GET_whole_workspace(x, length, least) length = x##_best; GET_ROOM(x, length)
#define GET_marks(x, count, most)
#define GET_real(x)
#define GET_counted(x)
#define GET_outcome(x)

#define FREE_letter(x)
#define FREE_number(x)
#define FREE_in(x, shape, ...)
#define FREE_out(x, shape, ...)
#define FREE_makes(x, shape, ...)
#define FREE_reals(x, count)
#define FREE_rows_in(x, count)
#define FREE_rows_out(x, count)
#define FREE_rows_both(x, count)
#define FREE_workspace(x, length, least) if (x != &x##_best) free(x);
#define FREE_spare(x, bytes) free(x);
#define FREE_unless(x)
#define FREE_changes(x, count)
#define FREE_real_workspace(x, length, least) if (x != &x##_best) free(x);
#define FREE_whole_workspace(x, length, least) if (x != &x##_best) free(x);
#define FREE_marks(x, count, most)
#define FREE_real(x)
#define FREE_counted(x)
#define FREE_outcome(x)

#define FN(name) JOIN(P, _, name)
#define ENTRY_WORK(name, entry, high, work, ...)                                                            \
    void entry(LIST(FORTRAN, __VA_ARGS__));                                                                 \
    TSL_API INT work(int layout EACH(WORK, __VA_ARGS__))                                                    \
    {                                                                                                       \
        static const char NAME[] = TEXT(work);                                                              \
        EACH(NEW, __VA_ARGS__)                                                                              \
        if (layout == BY_COLUMNS) {                                                                         \
            entry(LIST(GIVEN, __VA_ARGS__));                                                                \
            EACH(TELL, __VA_ARGS__)                                                                         \
            return EACH(RESULT, __VA_ARGS__);                                                               \
        }                                                                                                   \
        if (layout != BY_ROWS) return (INT)told(NAME, -1);                                                  \
        int at = 1;                                                                                         \
        EACH(SHORT, __VA_ARGS__)                                                                            \
        (void)at;                                                                                           \
        bool missing = false, asks = false EACH(ASKS, __VA_ARGS__);                                         \
        (void)asks;                                                                                         \
        EACH(HOME, __VA_ARGS__)                                                                             \
        EACH(TURN, __VA_ARGS__)                                                                             \
        if (!missing) entry(LIST(GIVEN, __VA_ARGS__));                                                      \
        EACH(BACK, __VA_ARGS__)                                                                             \
        EACH(TELL, __VA_ARGS__)                                                                             \
        return missing ? (INT)told(NAME, NO_MEMORY_TO_TURN) : EACH(RESULT, __VA_ARGS__);                    \
    }                                                                                                       \
    TSL_API INT high(int layout EACH(HIGH, __VA_ARGS__))                                                    \
    {                                                                                                       \
        if (layout != BY_COLUMNS && layout != BY_ROWS) return (INT)told(TEXT(high), -1);                    \
        if (layout == BY_ROWS) {                                                                            \
            EACH(HOME, __VA_ARGS__)                                                                         \
        }                                                                                                   \
        if (looks_for_nan()) {                                                                              \
            int at = 1;                                                                                     \
            EACH(NAN_IN, __VA_ARGS__)                                                                       \
        }                                                                                                   \
        bool missing = false, asks = false;                                                                 \
        INT outcome = 0;                                                                                    \
        EACH(ASK, __VA_ARGS__)                                                                              \
        if (asks && !missing) outcome = work(layout EACH(ON, __VA_ARGS__));                                 \
        if (asks && !missing && !outcome) {                                                                 \
            EACH(GET, __VA_ARGS__)                                                                          \
        }                                                                                                   \
        if (!missing && !outcome) outcome = work(layout EACH(ON, __VA_ARGS__));                             \
        EACH(FREE, __VA_ARGS__)                                                                             \
        return missing ? (INT)told(TEXT(high), NO_MEMORY) : outcome;                                        \
    }

#define BODY "compat/blas/lapacke.inc"
#include "core/types.inc"
