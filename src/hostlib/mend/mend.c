/* What replaces functions of the host library that do something wrong (defects.h). Each has the library's own form, asks the
 * library where that is right, and leaves it to that to refuse arguments. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/blue.h"
#include "hostlib/defects.h"
#include "hostlib/product.h"
#include "hostlib/routines.h"

/* CBLAS's numbers */
enum { BY_ROWS = 101, BY_COLUMNS, NO_TRANS = 111, TRANS, CONJ_TRANS, UPPER = 121, LOWER, ON_THE_LEFT = 141 };
/* elements that are copied to the stack; rows of what one thread computes (mend_threads.inc): measured on two cores */
enum { FEW = 64, FEW_COMPLEX = 32 };

host_defects tsl_hostlib_wrong[4];

static bool is_letter(const char *at, char letter) { return (*at | 32) == letter; }
static bool is_triangle(const char *uplo) { return is_letter(uplo, 'u') || is_letter(uplo, 'l'); }
static bool is_op(const char *trans) { return is_letter(trans, 'n') || is_letter(trans, 't') || is_letter(trans, 'c'); }
static bool is_small(int64_t n) { return n > 0 && n <= SMALL_PRODUCT; }
static bool are(int64_t rows, int64_t cols, int64_t ld) { return rows > 0 && cols > 0 && ld >= rows; }
/* Where a vector's first element is, counted from its lowest address */
static int64_t first_of(int64_t n, int64_t inc) { return inc < 0 ? (1 - n) * inc : 0; }

static int64_t pivot_at(const void *ipiv, int64_t i) { return tsl_hostlib_wide() ? ((const int64_t *)ipiv)[i] : ((const int *)ipiv)[i]; }
static int64_t library_integer(const void *at) { return pivot_at(at, 0); }
static void set_pivot(void *ipiv, int64_t i, int64_t row)
{
    if (tsl_hostlib_wide()) ((int64_t *)ipiv)[i] = row;
    else ((int *)ipiv)[i] = (int)row;
}

#define FN(name) PASTE3(mended_, P, _##name)
#define RAW(name) PASTE3(tsl_hostlib_raw_, P, ).name
#define WRONG tsl_hostlib_wrong[TYPE]
#define BODY "hostlib/mend/mend_parts.inc"
#include "core/types.inc"
#undef BODY
#define BODY "hostlib/mend/mend_level1.inc"
#include "core/types.inc"
#undef BODY
#define BODY "hostlib/mend/mend_level23.inc"
#include "core/types.inc"
#undef BODY
#define BODY "hostlib/mend/mend_lapack.inc"
#include "core/types.inc"
#undef BODY
#define BODY "hostlib/mend/mend_inner.inc"
#include "core/types.inc"
#undef BODY
#define BODY "hostlib/mend/mend_cblas.inc"
#include "core/types.inc"
#undef BODY

typedef struct mend {
    const char *symbol;
    bool *wrong, *wrong_too; /* one of these must be, in one of the symbol's rows */
    void *function;
    void **cell; /* where a function of CBLAS is kept; those of Fortran are in the tables */
    bool whole;  /* it does without the library's */
} mend;

static const mend mends[] = {
#define MEND(symbol, family, name) {symbol, &WRONG.family, &WRONG.family, (void *)FN(name), NULL, false},
#define MEND_WHOLE(symbol, family, name) {symbol, &WRONG.family, &WRONG.family, (void *)FN(name), NULL, true},
#define MEND_EITHER(symbol, family, other, name) {symbol, &WRONG.family, &WRONG.other, (void *)FN(name), NULL, false},
#define MEND_CBLAS(symbol, family, other, name) {symbol, &WRONG.family, &WRONG.other, (void *)FN(name), (void **)&CELL(name), false},
#define BODY "hostlib/mend/mends.inc"
#include "core/types.inc"
#undef BODY
};

void tsl_hostlib_mend_inside(void)
{
    mended_s_redirect();
    mended_d_redirect();
    mended_c_redirect();
    mended_z_redirect();
}

void *tsl_hostlib_mended(const char *symbol, void *host)
{
    for (size_t i = 0; i < sizeof mends / sizeof *mends; ++i) {
        const mend *m = &mends[i];
        if (strcmp(m->symbol, symbol)) continue;
        if (host ? !*m->wrong && !*m->wrong_too : !m->whole) continue;
        if (m->cell) *m->cell = host;
        return m->function;
    }
    return host;
}
