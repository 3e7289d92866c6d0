/* BLAS's and LAPACK's symbols over Tesela. A call is ours or the host library's. The entries (fortran.c, cblas.c, lapacke.c)
 * are the symbols, made from blas.def and lapack.def. They call one function a routine and type, tsl_blas_dgemm, that takes
 * integers of 64 bits and says whether it has computed the call. If it has not, nothing was touched, and the host library gets
 * the same arguments. */
#ifndef TSL_COMPAT_BLAS_H
#define TSL_COMPAT_BLAS_H

#include <stdbool.h>

#include "compat/blas/each.h"
#include "hostlib/hostlib.h"
#include "tesela.h"

/* The host library's integer. libtesela_blas64 is this library once more, over one whose integers have 64 bits, and has no
 * other entries. */
#ifdef TSL_BLAS_64
typedef int64_t blas_int;
#else
typedef int blas_int;
#endif
#define WIDE (sizeof(INT) == sizeof(int64_t))

typedef enum blas_class { VECTORS, MATRICES, LEVEL3, FACTOR, BLAS_CLASSES } blas_class;

/* From this product of sizes on a call is looked at; all below go to the host library at once. Zero, as in the beginning, lets
 * none pass unseen: while nobody has asked for the settings, under TESELA_LOG, and while arrays are kept on a device. */
extern double tsl_blas_least[BLAS_CLASSES];
static inline double tsl_blas_least_of(int class)
{
    double least;
    __atomic_load(&tsl_blas_least[class], &least, __ATOMIC_RELAXED); /* it changes when arrays are kept, by any thread */
    return least;
}

#define MORE(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define ON_LEFT(side) ((side) == 'L' || (side) == 'l')
#define PRODUCT_(a, b, c) ((double)(a) * (double)(b) * (double)(c))
#define PRODUCT(sizes) PRODUCT_ sizes
#define SIZES_(a, b, c) {(int64_t)(a), (int64_t)(b), (int64_t)(c)}
#define SIZES(sizes) SIZES_ sizes
#define LIKELY_SMALL(class, sizes) __builtin_expect(PRODUCT(sizes) < tsl_blas_least_of(class), 1)

/* The letters of the type P before a name */
#define N(name) JOIN(, P, name)
#define NI(name) JOIN(i, P, name)
#define NR(name) JOIN(REAL_OF_, P, )(name)
#define NM(name) JOIN(MIXED_, P, )(name)
#define NQ(name) JOIN(Q_OF_, P, )(name)
#define NH(name) JOIN(H_OF_, P, )(name)
#define NL(name) JOIN(LOW_OF_, P, )(name)
#define IF_DOUBLE(...) JOIN(DOUBLE_, P, )(__VA_ARGS__)
#define DOUBLE_s(...)
#define DOUBLE_d(...) __VA_ARGS__
#define DOUBLE_c(...)
#define DOUBLE_z(...) __VA_ARGS__
#define LOW_OF_s(name) s##name /* there is none */
#define LOW_OF_d(name) ds##name
#define LOW_OF_c(name) c##name
#define LOW_OF_z(name) zc##name
#define REAL_OF_s(name) s##name
#define REAL_OF_d(name) d##name
#define REAL_OF_c(name) sc##name
#define REAL_OF_z(name) dz##name
#define MIXED_c(name) cs##name
#define MIXED_z(name) zd##name
#define H_OF_s(name) ssy##name
#define H_OF_d(name) dsy##name
#define H_OF_c(name) che##name
#define H_OF_z(name) zhe##name
#define Q_OF_s(name) sor##name
#define Q_OF_d(name) dor##name
#define Q_OF_c(name) cun##name
#define Q_OF_z(name) zun##name

/* call.c: one call, on its way to Tesela */
typedef struct blas_call {
    const char *name, *one; /* one: the call whose sizes `size` are: of a batch that on one problem */
    blas_class class;
    double work;
    int64_t size[3];
    bool kept;      /* an operand is on a device, and only there */
    bool is_long;   /* a number does not fit the host library's integers */
    /* for workspace, has too little, or LAPACK's answer is its own (unless): the host library will say so, and touch nothing */
    bool asks;
    bool lacks;     /* memory for its row numbers */
    bool *computes; /* of this thread (exec.h) */
    tsl_context *ctx;
    void *fn;       /* the typed call */
} blas_call;

/* False: the call is the host library's. True: ctx and fn are there, and tsl_blas_close must follow. */
bool tsl_blas_open(blas_call *c, void **fn);
/* Has the call been computed? One that failed, and left something changed, ends here: info, if there is one, tells, else the
 * program ends. */
bool tsl_blas_close(blas_call *c, tsl_status st, int64_t *info);
/* Row numbers as Tesela counts them; NULL: there is no memory for them. wide: they are such already. And back, and free. */
int64_t *tsl_blas_rows(blas_call *c, const void *rows, int64_t count, bool wide, bool read);
/* What is best of an integer workspace, where LAPACK says it */
void tsl_blas_whole(void *x, int64_t best, bool wide);
void tsl_blas_rows_back(int64_t *from, void *rows, int64_t count, bool wide, bool written);

/* library.c: a symbol of the host library, which must have it, and one of libtesela (NULL: no such symbol, or no such library);
 * or only if somebody has opened that */
void *tsl_blas_host(const char *symbol);
void *tsl_blas_tesela(const char *symbol);
void *tsl_blas_loaded(const char *symbol);
/* brought.c: a function of this very name in a library that the program has loaded, other than this one; NULL: there is none */
void *tsl_blas_brought(const char *symbol);
/* together.c: that function of the host library's, or what asks all cores where that is faster */
void *tsl_blas_together(const char *symbol, void *host);

/* ending.c: the calls of a thread, which the end of the program waits for; those that come later are held. A call within a call
 * is its part. */
typedef struct blas_calls {
    int depth;
    bool taken;
    char apart[56];
} blas_calls;
extern bool tsl_blas_ends;
extern _Thread_local blas_calls *tsl_blas_mine;
blas_calls *tsl_blas_take_place(void);
void tsl_blas_held(blas_calls *mine);
_Noreturn void tsl_blas_stop(void); /* the program has ended, and nobody computes any more */
static inline blas_calls *tsl_blas_enter(void)
{
    blas_calls *mine = tsl_blas_mine ? tsl_blas_mine : tsl_blas_take_place();
    __atomic_store_n(&mine->depth, mine->depth + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* ending.c has the processors keep this order */
    if (__builtin_expect(__atomic_load_n(&tsl_blas_ends, __ATOMIC_RELAXED), 0)) tsl_blas_held(mine);
    return mine;
}
static inline void tsl_blas_leave(blas_calls *mine) { __atomic_store_n(&mine->depth, mine->depth - 1, __ATOMIC_RELEASE); }
/* Asked by a libtesela when the program ends: is its end, `over`, called by this library later, when handlers are through? */
TSL_API bool tesela_blas_ends_later(void (*over)(void));

/* library.c: an argument of a call with integers of 64 bits that neither of the two can take, told as BLAS tells it: by
 * xerbla_ */
void tsl_blas_refuse(const char *name, int argument);

/* keep.c: the place where an operand's elements are, and whether that is on a device; and home, where they stay, for the host
 * library */
void *tsl_blas_place(const void *p);
bool tsl_blas_kept(const void *p);
/* call.c: is there a NaN among its real numbers, of so many bytes each? One that is on a device is not looked through. */
bool tsl_blas_has_nan(size_t size, const void *a, int64_t rows, int64_t cols, int64_t ld);
/* call.c: is this thread one that computes for Tesela, in a context of ours or of the program's? Its products are small parts
 * of a call that is there already. */
bool tsl_blas_within(void);
void tsl_blas_home(const void *p);
bool tsl_blas_keeps(void); /* anything? */
void tsl_blas_keep_left(void); /* in a child of a fork: what is on a device is the parent's */
/* between them no copy goes home: around a call with operands that are kept */
void tsl_blas_begin_use(void);
void tsl_blas_end_use(void);

/* call.c: the context, made on first use; NULL: it cannot be. And the settings, anew. */
tsl_context *tsl_blas_context(void);
void tsl_blas_settle(void);

/* What the common implementations take */
#define TAKES_letter(x) , char x
#define TAKES_letter_both(x) , char *x
#define TAKES_number(x) , int64_t x
#define TAKES_scalar(x) , T x
#define TAKES_real(x) , R x
#define TAKES_in(x, ...) , const T *x
#define TAKES_out(x, ...) , T *x
#define TAKES_makes(x, ...) , T *x
#define TAKES_reals(x, count) , R *x
#define TAKES_rows_in(x, count) , const void *x
#define TAKES_rows_out(x, count) , void *x
#define TAKES_rows_both(x, count) , void *x
#define TAKES_workspace(x, length, least) , T *x, int64_t length
#define TAKES_spare(x, bytes)
#define TAKES_unless(x)
#define TAKES_changes(x, count) , R *x
#define TAKES_real_workspace(x, length, least) , R *x, int64_t length
#define TAKES_whole_workspace(x, length, least) , void *x, int64_t length
#define TAKES_marks(x, count, most) , void *x
#define TAKES_counted(x) , int64_t *x
#define TAKES_outcome(x) , int64_t *x

#define HOME_letter(x)
#define HOME_letter_both(x)
#define HOME_number(x)
#define HOME_scalar(x)
#define HOME_real(x)
#define HOME_in(x, ...) tsl_blas_home(x);
#define HOME_out(x, ...) tsl_blas_home(x);
#define HOME_makes(x, ...) tsl_blas_home(x);
#define HOME_reals(x, count) tsl_blas_home(x);
#define HOME_rows_in(x, count)
#define HOME_rows_out(x, count)
#define HOME_rows_both(x, count)
#define HOME_workspace(x, length, least)
#define HOME_spare(x, bytes)
#define HOME_unless(x)
#define HOME_changes(x, count) tsl_blas_home(x);
#define HOME_real_workspace(x, length, least)
#define HOME_whole_workspace(x, length, least)
#define HOME_marks(x, count, most)
#define HOME_counted(x)
#define HOME_outcome(x)

#define BEHIND(name) JOIN(tsl_blas_, name, )

#define BODY "compat/blas/behind.inc"
#include "core/types.inc"
#undef BODY

#endif
