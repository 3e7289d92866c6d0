/* One random call of a routine whose result is judged by residuals: its operands, families of matrices, and what must hold of every call. A routine is a function
 * that draws sizes, makes operands, calls, and, if judge() says that there is a result, looks at it. */
#ifndef FUZZ_CALL_H
#define FUZZ_CALL_H

#include "operand.h"
#include "residual.h"

typedef enum family { RANDOM, GRADED, LOW_RANK, ONES, ZERO, IDENTITY, TINY, HUGE_, BAD, FAMILIES } family;
static const char *const family_name[] = {"random", "graded", "low rank", "ones", "zero", "identity", "tiny", "huge", "not finite"};
enum { MOST_OPERANDS = 14, MOST_PLAINS = 96 };

/* BY_TYPE(c, potrf, ...): tsl_spotrf, ..; pointers are void, so that one list of arguments is for all types. BY_PREFIX: of those with other names for real and complex types. */
#define BY_PREFIX(c, s, d, k, z, name, ...) \
    ((c)->t == TSL_S ? tsl_##s##name(__VA_ARGS__) : (c)->t == TSL_D ? tsl_##d##name(__VA_ARGS__) : (c)->t == TSL_C ? tsl_##k##name(__VA_ARGS__) : tsl_##z##name(__VA_ARGS__))
#define BY_TYPE(c, name, ...) BY_PREFIX(c, s, d, c, z, name, __VA_ARGS__)
#define BY_SYMMETRY(c, name, ...) BY_PREFIX(c, ssy, dsy, che, zhe, name, __VA_ARGS__)
#define BY_Q(c, name, ...) BY_PREFIX(c, sor, dor, cun, zun, name, __VA_ARGS__)

typedef struct call {
    world *w;
    tsl_context *x;
    tsl_type t;
    bool typed;     /* the call's form; if not, operands may be tiled */
    bool tiled;     /* one is */
    family family;
    bool asked;     /* for an algorithm by name */
    bool bad;       /* an element was not finite: the call must end, and say so */
    double by;      /* elements are of this size */
    tsl_status st;
    int64_t info;
    operand o[MOST_OPERANDS];
    int count;
    plain kept[MOST_PLAINS]; /* freed at the end */
    int plains;
} call;

typedef struct routine {
    const char *name;
    const char *rows; /* of core/ops.def, that it calls */
    void (*draw)(call *c);
} routine;

static inline plain keep(call *c, plain p)
{
    if (c->plains == MOST_PLAINS) abort(); /* a mistake of the test's */
    return c->kept[c->plains++] = p;
}
static inline plain times_(call *c, plain A, plain B) { return keep(c, plain_times(&A, &B)); }
static inline plain herm_(call *c, plain A) { return keep(c, plain_herm(&A)); }
static inline plain eye_(call *c, int64_t m, int64_t n) { return keep(c, plain_identity(m, n)); }
static inline plain from_(call *c, plain A, int64_t diagonal, bool lower) { return keep(c, plain_from(&A, diagonal, lower)); }
static inline plain block_(call *c, plain A, int64_t i, int64_t j, int64_t m, int64_t n) { return keep(c, plain_block(&A, i, j, m, n)); }

static inline int64_t order_of(call *c)
{
    world *w = c->w;
    if (w->gpu && chance(w, 100)) return 100 + below(w, 200); /* past what one multiprocessor takes */
    return chance(w, 14) ? 0 : chance(w, 5) ? 1 + below(w, 4) : chance(w, 8) ? 30 + below(w, 40) : 1 + below(w, 30);
}
static inline bool may(call *c, int one_in) { return chance(c->w, one_in); }
static inline tsl_uplo any_uplo(call *c) { return may(c, 2) ? TSL_LOWER : TSL_UPPER; }

/* ---- families of matrices --------------------------------------------------------------------------------------------------- */

static inline double uniform(call *c) { return (double)(int64_t)draw(&c->w->seed) / 9.3e18; }
static inline tsl_scalar anything(call *c) { double re = uniform(c), im = uniform(c); return CMPLX(re, tsl_is_complex(c->t) ? im : 0); }

/* Rounded to the type of the call, or its real type. Not inline: gcc 12.2 at -O3 forgets the last of an odd number of complex elements to round. */
__attribute__((noinline, unused)) static tsl_scalar rounded(tsl_type t, tsl_scalar v)
{
    bool single = t == TSL_S || t == TSL_C, real = t == TSL_S || t == TSL_D;
    double re = creal(v), im = real ? 0 : cimag(v);
    return single ? CMPLX((float)re, (float)im) : CMPLX(re, im);
}

/* Which family: those with letters in `not` are none for this routine. g graded, l low rank, o ones, z zero, i identity, t tiny, h huge, n not finite */
static inline void draw_family(call *c, const char *not)
{
    static const char letter[] = "rglozithn";
    bool single = c->t == TSL_S || c->t == TSL_C;
    c->family = may(c, 2) ? RANDOM : (family)below(c->w, FAMILIES);
    if (strchr(not, letter[c->family])) c->family = RANDOM;
    c->by = c->family == TINY ? (single ? 0x1p-110 : 0x1p-980) : c->family == HUGE_ ? (single ? 0x1p110 : 0x1p980) : 1;
}

static inline void spoil_one(call *c, plain *A, bool hermitian)
{
    static const double what[] = {NAN, INFINITY, -INFINITY};
    if (c->family != BAD || A->m * A->n == 0) return;
    int64_t i = below(c->w, A->m), j = below(c->w, A->n);
    *plain_at(A, i, j) = ONE_OF(c->w, what);
    if (hermitian) *plain_at(A, j, i) = *plain_at(A, i, j);
    c->bad = true;
}

/* A general matrix of the family that was drawn */
static inline plain general(call *c, int64_t m, int64_t n)
{
    plain A = plain_make(m, n);
    int64_t rank = 1 + below(c->w, 3);
    plain F = keep(c, plain_make(m, rank)), G = keep(c, plain_make(rank, n));
    for (int64_t k = 0; k < m * rank; k++) F.a[k] = anything(c);
    for (int64_t k = 0; k < n * rank; k++) G.a[k] = anything(c);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = anything(c);
            switch (c->family) {
            case GRADED: v *= exp2(-20.0 * (double)(i + j) / (double)(m + n)); break;
            case ONES: v = 1; break;
            case ZERO: v = 0; break;
            case IDENTITY: v = i == j; break;
            default: break;
            }
            *plain_at(&A, i, j) = v;
        }
    if (c->family == LOW_RANK) plain_free(&A), A = plain_times(&F, &G);
    for (int64_t k = 0; k < m * n; k++) A.a[k] = rounded(c->t, c->by * A.a[k]);
    spoil_one(c, &A, false);
    return keep(c, A);
}

/* A symmetric or Hermitian one */
static inline plain hermitian_of(call *c, int64_t n, bool herm)
{
    family was = c->family;
    c->family = was == BAD ? RANDOM : was;
    plain A = general(c, n, n);
    c->family = was;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            tsl_scalar v = c->family == LOW_RANK ? rounded(c->t, c->by * *plain_at(&A, i, 0) * conj(*plain_at(&A, j, 0))) : *plain_at(&A, i, j);
            if (!herm && c->family == LOW_RANK) v = *plain_at(&A, i, j);
            if (herm && i == j) v = creal(v);
            *plain_at(&A, i, j) = v, *plain_at(&A, j, i) = herm ? conj(v) : v;
        }
    spoil_one(c, &A, true);
    return A;
}

/* Dominant on its diagonal: well conditioned, and if Hermitian definite */
static inline plain dominant(call *c, int64_t n, bool herm)
{
    plain A = herm ? hermitian_of(c, n, true) : general(c, n, n);
    for (int64_t i = 0; i < n; i++) *plain_at(&A, i, i) = rounded(c->t, creal(*plain_at(&A, i, i)) + c->by * (2 * (double)n + 2));
    return A;
}

static inline plain numbers_of(call *c, tsl_type t, int64_t m, int64_t n, double by)
{
    plain A = plain_make(m, n);
    for (int64_t k = 0; k < m * n; k++) A.a[k] = rounded(t, by * anything(c));
    return keep(c, A);
}

/* ---- operands --------------------------------------------------------------------------------------------------------------- */

static inline operand *operand_at(call *c, place where, tsl_type t, int64_t m, int64_t n, usage usage, const plain *A)
{
    if (c->count == MOST_OPERANDS) abort(); /* a mistake of the test's */
    operand *o = &c->o[c->count];
    *o = (operand){.t = t, .m = m, .n = n, .usage = usage, .nb = may(c, 3) ? 3 + below(c->w, 20) : 8};
    o->place = where;
    c->tiled |= o->place >= TILED_HOST;
    c->count++;
    operand_make(c->w, o, A);
    return o;
}
static inline operand *operand_of(call *c, tsl_type t, int64_t m, int64_t n, usage usage, const plain *A)
{
    return operand_at(c, (place)below(c->w, c->typed ? TILED_HOST : PLACES), t, m, n, usage, A);
}
static inline operand *reads(call *c, plain A) { return operand_of(c, c->t, A.m, A.n, READ, &A); }
static inline operand *updates(call *c, plain A) { return operand_of(c, c->t, A.m, A.n, WRITTEN, &A); }
static inline operand *writes(call *c, int64_t m, int64_t n) { return operand_of(c, c->t, m, n, WRITTEN, NULL); }
static inline operand *reals(call *c, int64_t n) { return operand_of(c, real_of(c->t), n, 1, WRITTEN, NULL); }
static inline operand *indices(call *c, int64_t n) { return operand_of(c, TSL_INDEX, n, 1, WRITTEN, NULL); }

static inline tsl_view view(const operand *o) { return tsl_sub(tsl_whole(o->mat), o->i, o->j, o->m, o->n); }
static inline tsl_view half_view(const operand *o, tsl_uplo uplo) { return uplo == TSL_LOWER ? tsl_lower(view(o)) : tsl_upper(view(o)); }
static inline tsl_view no_view(void) { return (tsl_view){0}; }
static inline int64_t LD_(const operand *o) { return tsl_max(1, operand_is_array(o) ? o->d.ld : tsl_matrix_ld(o->mat)); }
static inline void *P_(const operand *o)
{
    char *p = operand_is_array(o) ? (char *)o->d.data : tsl_matrix_data(o->mat);
    return p ? p + (size_t)(o->i + o->j * LD_(o)) * tsl_type_size(o->t) : NULL;
}
static inline char letter_of(tsl_uplo uplo) { return uplo == TSL_LOWER ? 'L' : 'U'; }

/* ---- the call --------------------------------------------------------------------------------------------------------------- */

/* Before it: what is only read may not be written. And of routines with several algorithms any may be asked for. */
static inline void begin(call *c, const char *row)
{
    int variants = 0;
    while (row && tsl_variant_name(row, variants)) variants++;
    const char *variant = variants && may(c, 4) ? tsl_variant_name(row, (int)below(c->w, variants)) : NULL;
    size_t used = strlen(c->w->last);
    snprintf(c->w->last + used, sizeof c->w->last - used, "%s%s%s, %s", c->typed ? " (typed)" : "", variant ? " variant " : "",
             variant ? variant : "", family_name[c->family]);
    for (int k = 0; k < c->count && used < sizeof c->w->last; k++) {
        used = strlen(c->w->last);
        snprintf(c->w->last + used, sizeof c->w->last - used, ", %lldx%lld %s", (long long)c->o[k].m, (long long)c->o[k].n, place_name[c->o[k].place]);
    }
    if (variant && tsl_set(c->x, "variant", variant)) complain(c->w, "variant %s: %s", variant, tsl_error(c->x));
    c->asked = variant != NULL;
    for (int k = 0; k < c->count; k++)
        if (c->o[k].g.map && c->o[k].usage == READ) guarded_protect(&c->o[k].g, true);
    c->info = -99;
}

/* After it: may its results be looked at? */
static inline bool judge(call *c)
{
    bool said = c->info != 0 && c->info != -99, refused;
    if (!c->st) c->st = tsl_wait(c->x);
    for (int k = 0; k < c->count; k++)
        if (c->o[k].g.map) guarded_protect(&c->o[k].g, false);
    if (tsl_set(c->x, "variant", "auto")) complain(c->w, "variant auto: %s", tsl_error(c->x));
    bool fewer = c->tiled || *c->w->path == 't'; /* algorithms, by tiles */
    refused = (c->st == TSL_ERR_DEVICE_MEMORY && c->w->limited) || (c->st == TSL_ERR_OPTION && c->asked && fewer);
    if (c->st && !refused) complain(c->w, "%s: %s", tsl_status_name(c->st), tsl_error(c->x));
    size_t used = strlen(c->w->last);
    if (refused) snprintf(c->w->last + used, sizeof c->w->last - used, " (refused: %s)", tsl_error(c->x));
    for (int k = 0; k < c->count && !*c->w->wrong; k++) {
        plain p = operand_now(c->w, &c->o[k], refused || c->o[k].usage == READ, k);
        said |= c->o[k].usage == WRITTEN && c->o[k].t != TSL_INDEX && !plain_finite(&p);
        plain_free(&p);
    }
    if (*c->w->wrong || refused || c->st) return false;
    if (c->bad && !said) complain(c->w, "an element was not finite, and nobody says so");
    return !c->bad;
}

/* A further call with the results: they are only read, unless it is said again that they are written. */
static inline void go_on(call *c)
{
    for (int k = 0; k < c->count; k++) c->o[k].usage = READ, operand_move(c->w, &c->o[k], &c->o[k].was, true);
}

static inline plain result(call *c, operand *o) { return keep(c, operand_now(c->w, o, false, (int)(o - c->o))); }
static inline void none_of_it(call *c) { if (c->info) complain(c->w, "info %lld", (long long)c->info); }

/* ---- what must hold --------------------------------------------------------------------------------------------------------- */

static inline void near_(call *c, const char *what, double off, double size, int64_t n)
{
    double most = 40.0 * (double)(n + 10) * tsl_type_eps(c->t) * size;
    if (!(off <= most)) complain(c->w, "%s: %g, allowed %g", what, off, most);
}

static inline void same_(call *c, const char *what, plain A, plain B, double size) { near_(c, what, plain_off(&A, &B), size, tsl_max(tsl_max(A.m, A.n), B.n)); }

/* Q^H Q = I */
static inline void orthonormal(call *c, const char *what, plain Q) { same_(c, what, times_(c, herm_(c, Q), Q), eye_(c, Q.n, Q.n), 1 + 0.1 * (double)Q.m); }

static inline void values_are(call *c, const char *what, plain w, const double *right, int64_t first, int64_t count, double size)
{
    double off = 0;
    for (int64_t i = 0; i < count; i++) {
        double d = fabs(creal(w.a[i]) - right[first + i]);
        off = d <= off ? off : isnan(d) ? INFINITY : d;
    }
    near_(c, what, off, size, w.m);
}

static inline void call_end(call *c)
{
    for (int k = 0; k < c->count; k++) operand_free(&c->o[k]);
    for (int k = 0; k < c->plains; k++) plain_free(&c->kept[k]);
}

#endif
