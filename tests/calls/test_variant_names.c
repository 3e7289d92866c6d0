/* A variant by a name the operation does not have is an error of its call, and nothing is touched; one that it has, or that a
 * part of a composite has, is taken; so is any by what has no variants. The same by tiles, where there are fewer. */
#include "dense.h"
#include "tap.h"

enum { N = 40, RHS = 5 };

static const struct rule {
    const char *name;
    const char *flat, *tiles; /* the operations that take it, each followed by a space */
} rules[] = {
    {"auto", "gemm trsm syr2k potrf trtri lauum potri potrs posv ", "gemm trsm syr2k potrf trtri lauum potri potrs posv "},
    {"leaf", "gemm trsm syr2k potrf trtri lauum potri potrs posv ", "gemm trsm syr2k potrf trtri lauum potri potrs posv "},
    {"1", "potrf posv ", "potrf posv "},
    {"3", "potrf posv ", "potrf posv "},
    {"wide", "trtri lauum potri potrf posv ", ""},
    {"ahead", "trsm potrf potrs posv ", "trsm potrf potrs posv "},
    {"mp", "gemm trsm syr2k potrs posv ", ""},
    {"rec", "gemm trsm syr2k potrs posv ", ""},
    {"fused", "syr2k ", ""},
    {"rows", "trtri potri ", "trtri potri "},
    {"sweep", "trtri lauum potri ", "lauum potri "},
    {"parts", "potri potrs posv ", "potri potrs posv "},
};

static bool listed(const char *list, const char *op)
{
    char word[16];
    snprintf(word, sizeof word, "%s ", op);
    const char *at = strstr(list, word);
    return at && (at == list || at[-1] == ' ');
}

typedef struct arrays {
    dense a, b, c;
    tsl_matrix *A, *B, *C;
} arrays;

static tsl_matrix *wrap(tsl_context *x, const dense *d, int64_t nb)
{
    tsl_matrix *m = NULL;
    tsl_status st = nb ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, &m) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, &m);
    check(!st, "wrap");
    return m;
}

static tsl_status call(tsl_context *x, const char *op, tsl_view A, tsl_view B, tsl_view C)
{
    tsl_view L = tsl_lower(A), few = tsl_sub(B, 0, 0, N, RHS);
    if (!strcmp(op, "gemm")) return tsl_gemm(x, 1, A, B, 0, C);
    if (!strcmp(op, "trsm")) return tsl_trsm(x, TSL_LEFT, 1, L, B);
    if (!strcmp(op, "syr2k")) return tsl_syr2k(x, 1, A, B, 0, tsl_lower(C));
    if (!strcmp(op, "potrf")) return tsl_potrf(x, L, NULL);
    if (!strcmp(op, "trtri")) return tsl_trtri(x, L, NULL);
    if (!strcmp(op, "lauum")) return tsl_lauum(x, L);
    if (!strcmp(op, "potri")) return tsl_potri(x, L, NULL);
    if (!strcmp(op, "potrs")) return tsl_potrs(x, L, few);
    return tsl_posv(x, L, few, NULL);
}

static void test_names(const char *spec, const char *path, int64_t nb, tsl_type t)
{
    static const char *const ops[] = {"gemm", "trsm", "syr2k", "potrf", "trtri", "lauum", "potri", "potrs", "posv"};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    bool tiles = nb || !strcmp(path, "tiles");
    cfg.devices = spec;
    check(!tsl_context_create(&cfg, &x) && !tsl_set(x, "path", path) && !tsl_set(x, "tile", "16"), "a context");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            arrays m = {dense_make(t, N, N, CANARY_FINITE), dense_make(t, N, N, CANARY_FINITE), dense_make(t, N, N, CANARY_FINITE), NULL, NULL, NULL};
            dense_dominant(&m.a, 1), dense_random(&m.b, 2), dense_random(&m.c, 3);
            dense wasA = dense_copy(&m.a), wasB = dense_copy(&m.b), wasC = dense_copy(&m.c);
            m.A = wrap(x, &m.a, nb), m.B = wrap(x, &m.b, nb), m.C = wrap(x, &m.c, nb);
            bool has = listed(tiles ? rules[r].tiles : rules[r].flat, ops[o]);
            check(!tsl_set(x, "variant", rules[r].name), "set %s", rules[r].name);
            tsl_status st = call(x, ops[o], tsl_whole(m.A), tsl_whole(m.B), tsl_whole(m.C));
            check(st == (has ? TSL_OK : TSL_ERR_OPTION), "%s by %s: %s", ops[o], rules[r].name, tsl_status_name(st));
            bool same = dense_same(&m.a, &wasA) && dense_same(&m.b, &wasB) && dense_same(&m.c, &wasC);
            if (!has)
                check(same && strstr(tsl_error(x), ops[o]) == tsl_error(x) && strstr(tsl_error(x), rules[r].name), "%s by %s: '%s'", ops[o],
                      rules[r].name, tsl_error(x));
            else check(!same, "%s by %s: something was computed", ops[o], rules[r].name);
            st = tsl_copy(x, tsl_whole(m.A), tsl_whole(m.B));
            if (!st) st = tsl_scale(x, 2, tsl_whole(m.B));
            check(!st, "copy and scale have nothing to choose: %s", tsl_error(x));
            tsl_matrix_free(m.A), tsl_matrix_free(m.B), tsl_matrix_free(m.C);
            dense_free(&m.a), dense_free(&m.b), dense_free(&m.c), dense_free(&wasA), dense_free(&wasB), dense_free(&wasC);
        }
    char text[2000];
    check(!tsl_set(x, "variant", "1") && !tsl_explain(x, "dpotrf", 500, 500, 1, text, sizeof text), "explain: %s", tsl_error(x));
    tsl_context_destroy(x);
    checked("%s, path %s, %s, %c", spec, path, nb ? "tiled" : "flat", tsl_type_letter(t));
}

int main(void)
{
    for (int t = 0; t < 4; t++) {
        test_names("host", "auto", 0, (tsl_type)t);
        test_names("host:2", "auto", 0, (tsl_type)t); /* what has no form by tiles is computed on one device */
        test_names("host:2", "tiles", 0, (tsl_type)t);
        test_names("host", "auto", 16, (tsl_type)t);
    }
    return tap_done();
}
