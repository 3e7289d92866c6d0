/* Every level 1 operation against its definition, in double precision: all types, increments and lengths, typed calls with
 * pointers to host and device memory and views of wrapped and created matrices; what lies between the elements stays as it was,
 * and the same call gives the same bits. */
#include "level1.h"

typedef enum way { TYPED_HOST, TYPED_DEVICE, VIEWS_HOST, VIEWS_DEVICE, WAYS } way;

static const char *const way_names[] = {"typed, host", "typed, device", "views, host", "views, device"};

/* Element i is at place(i): row |inc|-1 of an |inc| x (n+2) array, one column in; backwards if inc is negative. On views a
 * negative increment stands for a column of an (n+2) x 1 array. */
typedef struct vec {
    dense d; /* whole array, by its data and bytes */
    int64_t n, inc;
    tsl_op op;
    int column, backwards;
} vec;

static int64_t place(const vec *v, int64_t i)
{
    int64_t s = v->inc < 0 ? -v->inc : v->inc, k = v->backwards ? v->n - 1 - i : i;
    return v->column ? 1 + i : s - 1 + (1 + k) * s;
}

static vec vec_make(tsl_type t, int64_t n, int64_t inc, tsl_op op, way w, int written, uint64_t seed)
{
    int views = w >= VIEWS_HOST;
    vec v = {.n = n, .inc = inc, .op = op, .column = views && inc < 0, .backwards = !views && inc < 0};
    int64_t s = v.column ? 1 : inc < 0 ? -inc : inc, len = s * (n + 2);
    v.d = (dense){.t = t, .m = len, .n = 1, .ld = len, .cols = 1, .bytes = (size_t)len * tsl_type_size(t)};
    v.d.data = malloc(v.d.bytes);
    if (!v.d.data) abort();
    memset(v.d.data, written ? CANARY_FINITE : CANARY_NAN, v.d.bytes);
    for (int64_t i = 0; i < n; i++) {
        double re = dense_uniform(&seed), im = dense_uniform(&seed);
        dense_put(&v.d, place(&v, i), 0, CMPLX(re, im));
    }
    return v;
}

static tsl_scalar seen(tsl_scalar a, tsl_op op) { return op & TSL_CONJ ? conj(a) : a; }
static tsl_scalar vec_get(const vec *v, int64_t i) { return seen(dense_get(&v->d, place(v, i), 0), v->op); }

/* Did anything but the elements change? */
static int strayed(const vec *now, const vec *was)
{
    dense a = dense_copy(&now->d);
    for (int64_t i = 0; i < now->n; i++) dense_put(&a, place(now, i), 0, dense_get(&was->d, place(was, i), 0));
    int same = dense_same(&a, &was->d);
    dense_free(&a);
    return !same;
}

/* The array as the way wants it: a matrix over it, or one on the device with its contents */
typedef struct bound {
    tsl_matrix *host, *used;
    void *p;
    tsl_view v;
} bound;

static tsl_status bind(tsl_context *x, way w, vec *v, bound *b)
{
    int64_t s = v->inc < 0 ? -v->inc : v->inc, rows = w < VIEWS_HOST || v->column ? v->d.m : s, cols = v->d.m / rows;
    size_t offset = (size_t)(2 * s - 1) * tsl_type_size(v->d.t);
    *b = (bound){0};
    tsl_status st = tsl_matrix_wrap(x, v->d.t, rows, cols, v->d.data, rows, &b->host);
    b->used = b->host;
    if (!st && (w == TYPED_DEVICE || w == VIEWS_DEVICE)) {
        st = tsl_matrix_create(x, v->d.t, rows, cols, &b->used);
        if (!st) st = tsl_copy(x, tsl_whole(b->host), tsl_whole(b->used));
    }
    if (st) return st;
    b->p = (char *)tsl_matrix_data(b->used) + offset;
    b->v = v->column ? tsl_sub(tsl_whole(b->used), 1, 0, v->n, 1) : tsl_sub(tsl_whole(b->used), s - 1, 1, 1, v->n);
    if (w >= VIEWS_HOST) b->v.op = v->op;
    return TSL_OK;
}

static tsl_status unbind(tsl_context *x, bound *b)
{
    tsl_status st = b->used != b->host ? tsl_copy(x, tsl_whole(b->used), tsl_whole(b->host)) : TSL_OK;
    if (b->used != b->host) tsl_matrix_free(b->used);
    tsl_matrix_free(b->host);
    return st;
}

static tsl_status run(tsl_context *x, way w, const level1 *c, vec *X, vec *Y, tsl_scalar *value)
{
    bound a, b;
    tsl_status st = bind(x, w, X, &a);
    if (!st) st = bind(x, w, Y, &b);
    if (st) return st;
    st = w < VIEWS_HOST ? l1_call(x, X->d.t, c, X->n, a.p, X->inc, b.p, Y->inc, value) : l1_views(x, c, a.v, b.v, value);
    tsl_status left = unbind(x, &a), right = unbind(x, &b);
    return st ? st : left ? left : right;
}

static double size1(tsl_scalar a) { return fabs(creal(a)) + fabs(cimag(a)); }

/* BLAS does not scale, sum or search a vector that is counted backwards. */
static int idle(level1_kind k, const vec *X)
{
    return X->backwards && (k == L1_SCAL || k == L1_SCAL_REAL || k == L1_ASUM || k == L1_IAMAX);
}

/* What element i of x and y should become, in *x and *y */
static void updated(const level1 *c, tsl_scalar *x, tsl_scalar *y)
{
    tsl_scalar a = *x, b = *y;
    double f = c->param[0], h11 = f == 0 ? 1 : c->param[1], h22 = f == 0 ? 1 : c->param[4];
    double h21 = f == 1 ? -1 : c->param[2], h12 = f == 1 ? 1 : c->param[3];
    switch (c->kind) {
    case L1_AXPY: *y = c->alpha * a + b; break;
    case L1_SCAL: *x = c->alpha * a; break;
    case L1_SCAL_REAL: *x = creal(c->alpha) * a; break;
    case L1_COPY: *y = a; break;
    case L1_SWAP: *x = b, *y = a; break;
    case L1_ROT: *x = c->c * a + c->s * b, *y = c->c * b - conj(c->s) * a; break;
    case L1_ROT_REAL: *x = c->c * a + creal(c->s) * b, *y = c->c * b - creal(c->s) * a; break;
    case L1_ROTM:
        if (f != -2) *x = h11 * a + h12 * b, *y = h21 * a + h22 * b;
        break;
    default: break;
    }
}

/* The number the operation makes; *scale: the sum of the sizes of its terms */
static tsl_scalar number(const level1 *c, const vec *X, const vec *Y, double *scale)
{
    tsl_scalar sum = 0;
    double largest = -1;
    *scale = 0;
    for (int64_t i = 0; i < X->n && !idle(c->kind, X); i++) {
        tsl_scalar a = vec_get(X, i), b = vec_get(Y, i), term = 0;
        if (c->kind == L1_DOT) term = a * b;
        if (c->kind == L1_DOTC) term = conj(a) * b;
        if (c->kind == L1_NRM2) term = creal(a) * creal(a) + cimag(a) * cimag(a);
        if (c->kind == L1_ASUM) term = size1(a);
        float narrow = (float)((float)fabs(creal(a)) + (float)fabs(cimag(a))); /* as it is compared in float */
        double size = tsl_type_eps(X->d.t) > 1e-10 ? narrow : size1(a);
        if (c->kind == L1_IAMAX && size > largest) largest = size, sum = (double)(i + 1);
        sum += term;
        *scale += size1(term);
    }
    return c->kind == L1_NRM2 ? sqrt(creal(sum)) : sum;
}

static void one_case(tsl_context *x, way w, const level1 *c, tsl_type t, int64_t n, int64_t incx, int64_t incy, tsl_op opx, tsl_op opy)
{
    vec X = vec_make(t, n, incx, opx, w, l1_shape[c->kind].writes_x, 1), Y = vec_make(t, n, incy, opy, w, l1_shape[c->kind].writes_y, 2);
    vec X0 = X, Y0 = Y;
    X0.d = dense_copy(&X.d), Y0.d = dense_copy(&Y.d);
    double eps = tsl_type_eps(t), scale;
    tsl_scalar value = 4711, want = number(c, &X, &Y, &scale), again = 0;
    char what[120];
    snprintf(what, sizeof what, "n %d, inc %d %d, ops %d %d", (int)n, (int)incx, (int)incy, (int)opx, (int)opy);
    check(run(x, w, c, &X, &Y, &value) == TSL_OK, "%s: %s", what, tsl_error(x));
    if (l1_makes_number(c->kind)) {
        double room = c->kind == L1_IAMAX ? 0 : c->kind == L1_NRM2 ? (n + 4) * eps * creal(want) : (n + 8) * eps * scale;
        check(cabs(value - want) <= room, "%s: %g %g, not %g %g", what, creal(value), cimag(value), creal(want), cimag(want));
    }
    for (int64_t i = 0; i < n; i++) {
        tsl_scalar a = vec_get(&X0, i), b = vec_get(&Y0, i);
        double room = 16 * eps * (1 + size1(c->alpha) + size1(c->s) + fabs(c->param[1]) + fabs(c->param[4]));
        if (!idle(c->kind, &X)) updated(c, &a, &b);
        check(l1_shape[c->kind].writes_x ? cabs(vec_get(&X, i) - a) <= room : vec_get(&X, i) == a, "%s: x[%d]", what, (int)i);
        check(l1_shape[c->kind].writes_y ? cabs(vec_get(&Y, i) - b) <= room : vec_get(&Y, i) == b, "%s: y[%d]", what, (int)i);
    }
    check(!strayed(&X, &X0) && !strayed(&Y, &Y0), "%s: wrote between the elements", what);
    vec X1 = X0, Y1 = Y0;
    check(run(x, w, c, &X1, &Y1, &again) == TSL_OK && dense_same(&X1.d, &X.d) && dense_same(&Y1.d, &Y.d) &&
              (!l1_makes_number(c->kind) || !memcmp(&value, &again, sizeof value)), "%s: other bits the second time", what);
    dense_free(&X.d), dense_free(&Y.d), dense_free(&X0.d), dense_free(&Y0.d);
}

static void kind_and_type(tsl_context *x, const char *spec, way w, level1_kind k, tsl_type t)
{
    static const int64_t incs[] = {1, -1, 2, -2, 3, -3}, large[] = {100, 127, 128, 129, 255, 257, 300, 20011, 150001};
    static const double forms[] = {-1, 0, 1, -2}, alphas[] = {0.75, 0, 1, -1.5};
    int z = tsl_is_complex(t), views = w >= VIEWS_HOST;
    int last = l1_makes_number(k) && (w == TYPED_DEVICE || w == VIEWS_DEVICE) ? 70 + 9 : 70 + 8; /* past one round of all threads */
    int step = l1_by_tiles(spec) ? 7 : 1;
    if (step > 1) last = 70 + 7;
    for (int i = 0; i <= last; i += step) {
        int64_t n = i <= 70 ? i : large[i - 71];
        level1 c = {.kind = k, .alpha = CMPLX(alphas[i % 4], z && i % 3 ? -0.5 : 0), .c = 0.6, .s = CMPLX(0.5, z && i % 3 ? -0.625 : 0),
                    .param = {forms[i / 4 % 4], 0.5, -1.25, 0.75, 1.5}};
        tsl_op opx = views && z ? (tsl_op)(i & 3) : TSL_NOTRANS, opy = views && z ? (tsl_op)(i >> 2 & 3) : TSL_NOTRANS;
        one_case(x, w, &c, t, n, incs[i % 6], incs[i / 6 % 6], opx, opy);
    }
    checked("%s, %s: %c %s", spec, way_names[w], tsl_type_letter(t), l1_names[k]);
}

static void in_context(tsl_context *x, const char *spec)
{
    for (int w = 0; w < WAYS; w++)
        for (int k = 0; k < L1_KINDS; k++)
            for (int i = 0; i < 4; i++)
                if (l1_has((level1_kind)k, l1_types[i]) && (w < VIEWS_HOST || l1_has_views((level1_kind)k)))
                    kind_and_type(x, spec, (way)w, (level1_kind)k, l1_types[i]);
}

int main(void)
{
    l1_each_context(in_context);
    return tap_done();
}
