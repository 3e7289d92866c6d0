/* The imaginary part of a Hermitian matrix's diagonal is taken as zero, whatever it is: NaN and Inf there change no bit of a
 * result. By every routine that knows of such a matrix, its variants, small and larger, flat and by tiles. */
#include <math.h>

#include "dense.h"
#include "tap.h"

enum { K = 5 };

typedef struct operands {
    tsl_type t;
    int64_t n;
    dense A, B, H, v; /* n x K factors; the Hermitian matrix; two vectors and a result */
} operands;

/* H's diagonal, dense, packed or by bands, gets this imaginary part. */
static void spoil(const dense *d, int64_t i, int64_t j, double imag)
{
    void *p = dense_at(d, i, j);
    if (d->t == TSL_C) ((float *)p)[1] = (float)imag;
    else ((double *)p)[1] = imag;
}

typedef enum { HER, HER2, HPR, HPR2, HERK, HER2K, HERK_SCALED, HER2K_SCALED, TYPED_HERK, TYPED_HER2K, HEMM, HEMV, HBMV, HPMV, EXPAND, NORM, POTRF, CALLS } kind;
static const char *const names[CALLS] = {"her", "her2", "hpr", "hpr2", "herk", "her2k", "herk without a product", "her2k without a product",
                                         "typed herk", "typed her2k", "hemm", "hemv", "hbmv", "hpmv", "expand", "norm", "potrf"};

static bool packed(kind k) { return k == HPR || k == HPR2 || k == HPMV; }
static bool level3(kind k) { return k == HERK || k == HER2K || k == HERK_SCALED || k == HER2K_SCALED || k == HEMM || k == POTRF; }

static tsl_matrix *wrap(tsl_context *x, const dense *d)
{
    tsl_matrix *m = NULL;
    check(!tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &m), "wrap");
    return m;
}

/* Runs it on copies; what was written is in H, or else in v, B or the number. */
static tsl_status perform(tsl_context *x, kind k, tsl_uplo uplo, operands *o, double *number)
{
    tsl_matrix *mat[4] = {wrap(x, &o->A), wrap(x, &o->B), wrap(x, &o->H), wrap(x, &o->v)};
    int64_t n = o->n, info;
    tsl_view A = tsl_whole(mat[0]), B = tsl_whole(mat[1]), S = tsl_whole(mat[2]), H = uplo == TSL_LOWER ? tsl_lower(S) : tsl_upper(S);
    tsl_view p = tsl_sub(tsl_whole(mat[3]), 0, 0, n, 1), q = tsl_sub(tsl_whole(mat[3]), 0, 1, n, 1), y = tsl_sub(tsl_whole(mat[3]), 0, 2, n, 1);
    tsl_scalar a = CMPLX(0.5, -0.25);
    char u = uplo == TSL_LOWER ? 'L' : 'U';
    tsl_status st = TSL_OK;
    switch (k) {
    case HER: st = tsl_her(x, 0.5, p, H); break;
    case HER2: st = tsl_her2(x, a, p, q, H); break;
    case HPR: st = tsl_hpr(x, uplo, n, 0.5, p, S); break;
    case HPR2: st = tsl_hpr2(x, uplo, n, a, p, q, S); break;
    case HERK: st = tsl_herk(x, 0.5, A, -0.5, H); break;
    case HER2K: st = tsl_her2k(x, a, A, B, 0.5, H); break;
    case HERK_SCALED: st = tsl_herk(x, 0, A, -0.5, H); break;
    case HER2K_SCALED: st = tsl_her2k(x, 0, A, B, 0.5, H); break;
    case TYPED_HERK:
        st = o->t == TSL_C ? tsl_cherk(x, u, 'N', n, K, 0.5f, (void *)o->A.data, o->A.ld, 1, (void *)o->H.data, o->H.ld)
                           : tsl_zherk(x, u, 'N', n, K, 0.5, (void *)o->A.data, o->A.ld, 1, (void *)o->H.data, o->H.ld);
        break;
    case TYPED_HER2K:
        st = o->t == TSL_C ? tsl_cher2k(x, u, 'N', n, K, (tsl_cfloat)a, (void *)o->A.data, o->A.ld, (void *)o->B.data, o->B.ld, 1, (void *)o->H.data, o->H.ld)
                           : tsl_zher2k(x, u, 'N', n, K, a, (void *)o->A.data, o->A.ld, (void *)o->B.data, o->B.ld, 1, (void *)o->H.data, o->H.ld);
        break;
    case HEMM: st = tsl_hemm(x, TSL_LEFT, a, H, A, 1, B); break;
    case HEMV: st = tsl_hemv(x, a, H, p, 1, y); break;
    case HBMV: st = tsl_hbmv(x, uplo, n, n - 1, a, S, p, 1, y); break;
    case HPMV: st = tsl_hpmv(x, uplo, n, a, S, p, 1, y); break;
    case EXPAND: st = tsl_expand(x, TSL_HERMITIAN, H, S); break;
    case NORM: st = tsl_norm(x, TSL_NORM_ONE, TSL_HERMITIAN, H, number); break;
    default: st = tsl_potrf(x, H, &info);
    }
    if (!st) st = tsl_wait(x);
    for (int i = 0; i < 4; i++) tsl_matrix_free(mat[i]);
    return st;
}

static operands make(kind k, tsl_type t, int64_t n)
{
    operands o = {.t = t, .n = n, .A = dense_make(t, n, K, CANARY_FINITE), .B = dense_make(t, n, K, CANARY_FINITE), .v = dense_make(t, n, 3, CANARY_FINITE)};
    o.H = packed(k) ? dense_make(t, n * (n + 1) / 2, 1, CANARY_FINITE) : dense_make(t, n, n, CANARY_FINITE);
    dense_random(&o.A, 1), dense_random(&o.B, 2), dense_random(&o.v, 3);
    if (k == POTRF) dense_dominant(&o.H, 4);
    else dense_random(&o.H, 4);
    return o;
}

static void set_diagonal(kind k, tsl_uplo uplo, operands *o, double imag)
{
    int64_t n = o->n, at = 0;
    for (int64_t j = 0; j < n; j++) {
        int64_t diagonal = uplo == TSL_LOWER ? at : at + j;
        if (packed(k)) spoil(&o->H, diagonal, 0, imag);
        else if (k == HBMV) spoil(&o->H, uplo == TSL_LOWER ? 0 : n - 1, j, imag);
        else spoil(&o->H, j, j, imag);
        at += uplo == TSL_LOWER ? n - j : j + 1;
    }
}

static void discard(operands *o) { dense_free(&o->A), dense_free(&o->B), dense_free(&o->H), dense_free(&o->v); }

static void one(tsl_context *x, const char *how, kind k, tsl_uplo uplo, tsl_type t, int64_t n)
{
    static const double imag[] = {NAN, INFINITY, -7};
    operands right = make(k, t, n);
    double number = 0;
    set_diagonal(k, uplo, &right, 0);
    tsl_status st = perform(x, k, uplo, &right, &number);
    check(!st, "%s, %s: %s", names[k], how, tsl_error(x));
    for (int i = 0; i < 3; i++) {
        operands o = make(k, t, n);
        double other = 0;
        set_diagonal(k, uplo, &o, imag[i]);
        st = perform(x, k, uplo, &o, &other);
        if (k == HEMM || k == HEMV || k == HBMV || k == HPMV || k == NORM) set_diagonal(k, uplo, &o, 0); /* it is only read */
        check(!st && dense_same(&o.H, &right.H) && dense_same(&o.B, &right.B) && dense_same(&o.v, &right.v) && other == number,
              "%c%s %s n %d, %s: %g on the diagonal is seen", tsl_type_letter(t), names[k], uplo == TSL_LOWER ? "lower" : "upper", (int)n,
              how, imag[i]);
        discard(&o);
    }
    discard(&right);
}

static void test_all(const char *spec)
{
    static const int64_t sizes[] = {3, 37, 130};
    static const char *const variants[] = {"fused", "rec", "mp", "pm", "pp"};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = spec;
    check(!tsl_context_create(&cfg, &x), "a context");
    for (int t = TSL_C; t <= TSL_Z && x; t++)
        for (int uplo = TSL_LOWER; uplo <= TSL_UPPER; uplo++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                for (int k = 0; k < CALLS; k++) one(x, "flat", (kind)k, (tsl_uplo)uplo, (tsl_type)t, sizes[s]);
                check(!tsl_set(x, "tile", "16"), "tile");
                for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
                    check(!tsl_set(x, "variant", variants[v]), "variant");
                    one(x, variants[v], HER2K, (tsl_uplo)uplo, (tsl_type)t, sizes[s]);
                    if (v) one(x, variants[v], HERK, (tsl_uplo)uplo, (tsl_type)t, sizes[s]);
                }
                check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "path", "tiles"), "by tiles");
                for (int k = 0; k < CALLS; k++)
                    if (level3((kind)k)) one(x, "by tiles", (kind)k, (tsl_uplo)uplo, (tsl_type)t, sizes[s]);
                check(!tsl_set(x, "tile", "0") && !tsl_set(x, "path", "auto"), "as before");
            }
    tsl_device_info d = {0};
    if (x && !tsl_device_query(x, 0, &d) && strcmp(d.backend, "host")) one(x, "past what cuBLAS updates", HERK, TSL_LOWER, TSL_C, 4200);
    tsl_context_destroy(x);
    checked("%s: the imaginary part of a diagonal", spec ? spec : "the default devices");
}

int main(void)
{
    test_all("host");
    test_all("host:2");
    test_all(NULL);
    return tap_done();
}
