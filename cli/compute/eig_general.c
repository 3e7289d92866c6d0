/* Eigenvalues, and eigenvectors, of any square matrix in a file: complex numbers, of a real matrix too. */
#include <math.h>
#include <stdio.h>

#include "cli/compute/eig.h"

typedef struct pairs {
    /* as the library has them: real and imaginary parts in columns, vectors of a real matrix; a copy of what is overwritten */
    cli_array parts, packed, A;
    cli_array w, V;             /* complex */
} pairs;

static tsl_type complex_of(tsl_type t) { return t == TSL_S || t == TSL_C ? TSL_C : TSL_Z; }

static int make(cli_job *job, pairs *r)
{
    int64_t n = job->array[0].n, vectors = job->second ? n : 0;
    tsl_type t = job->wanted;
    int status = cli_array_make(&r->parts, job->out, t, n, t >= TSL_C ? 1 : 2);
    if (!status)
        status = cli_array_make(&r->w, job->out, complex_of(t), n, 1);
    if (!status && vectors)
        status = cli_array_make(&r->packed, job->second, t, n, vectors);
    if (!status && vectors)
        status = cli_array_make(&r->V, job->second, complex_of(t), n, vectors);
    if (!status && vectors)
        status = cli_array_copy(&r->A, job->input[0], &job->array[0]);
    r->w.vector = true;
    return status;
}

static int compute(cli_job *job, pairs *r)
{
    tsl_matrix *A = NULL, *w = NULL, *V = NULL;
    int64_t n = job->array[0].n, info = 0;
    int status = cli_job_wrap(job, &job->array[0], &A);
    if (!status)
        status = cli_job_wrap(job, &r->parts, &w);
    if (!status && job->second)
        status = cli_job_wrap(job, &r->packed, &V);
    if (!status) {
        tsl_view none = {0}, all = tsl_whole(w), im = r->parts.n == 2 ? tsl_sub(all, 0, 1, n, 1) : none;
        status = cli_job_status(job, tsl_geev(job->ctx, tsl_whole(A), tsl_sub(all, 0, 0, n, 1), im, none, V ? tsl_whole(V) : none, &info));
    }
    tsl_matrix_free(A), tsl_matrix_free(w), tsl_matrix_free(V);
    if (!status && info)
        status = cli_fail("eig: eigenvalues were not found: %s has an element that is NaN or infinite, or the iteration failed", job->input[0]);
    return status;
}

/* Two columns of a real matrix are one vector and its conjugate. */
static void join(pairs *r)
{
    int64_t n = r->w.m;
    for (int64_t j = 0; j < n; j++) {
        double l[2] = {0, 0}, im[2] = {0, 0};
        cli_array_get(&r->parts, j, l);
        if (r->parts.n == 2)
            cli_array_get(&r->parts, n + j, im), l[1] = im[0];
        cli_array_set(&r->w, j, l);
        int64_t first = r->parts.n == 2 && l[1] < 0 ? j - 1 : j;
        for (int64_t i = 0; i < r->V.m && r->V.n; i++) {
            double v[2] = {0, 0}, second[2] = {0, 0};
            cli_array_get(&r->packed, i + first * n, v);
            if (r->parts.n == 2 && l[1] != 0)
                cli_array_get(&r->packed, i + (first + 1) * n, second), v[1] = l[1] < 0 ? -second[0] : second[0];
            cli_array_set(&r->V, i + j * n, v);
        }
    }
}

/* The largest |A v - l v| / (|A| |v|), norms inf */
static double backward_error(const pairs *r)
{
    int64_t n = r->w.m;
    double norm = 0, worst = 0;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0, a[2];
        for (int64_t k = 0; k < n; k++)
            cli_array_get(&r->A, i + k * n, a), sum += hypot(a[0], a[1]);
        norm = fmax(norm, sum);
    }
    for (int64_t j = 0; j < n; j++) {
        double l[2], size = 0, most = 0;
        cli_array_get(&r->w, j, l);
        for (int64_t i = 0; i < n; i++) {
            double re = 0, im = 0, a[2], v[2];
            for (int64_t k = 0; k < n; k++) {
                cli_array_get(&r->A, i + k * n, a), cli_array_get(&r->V, k + j * n, v);
                re += a[0] * v[0] - a[1] * v[1], im += a[0] * v[1] + a[1] * v[0];
            }
            cli_array_get(&r->V, i + j * n, v);
            re -= l[0] * v[0] - l[1] * v[1], im -= l[0] * v[1] + l[1] * v[0];
            most = fmax(most, hypot(re, im)), size = fmax(size, hypot(v[0], v[1]));
        }
        if (norm > 0 && size > 0)
            worst = fmax(worst, most / (norm * size));
    }
    return worst;
}

enum { FEW = 500 }; /* order up to which the backward error is looked for: that takes n^3 operations here */

static int tell(cli_job *job, const pairs *r)
{
    char sentence[200], how[48] = "";
    int64_t n = r->w.m;
    double radius = 0, error = NAN, size = (double)n;
    for (int64_t i = 0; i < n; i++) {
        double l[2];
        cli_array_get(&r->w, i, l);
        radius = fmax(radius, hypot(l[0], l[1]));
    }
    if (job->second && n <= FEW)
        error = backward_error(r), snprintf(how, sizeof how, ", backward error %.2g", error);
    snprintf(sentence, sizeof sentence, "%lld eigen%s of %lld x %lld, the largest modulus %.6g%s", (long long)n, job->second ? "pairs" : "values", (long long)n, (long long)n, radius, how);
    const cli_fact facts[] = {{"n", NULL, size}, {"found", NULL, size}, {"radius", NULL, radius}, {"backward_error", NULL, error}, {NULL, NULL, 0}};
    return cli_job_tell(job, sentence, (job->wanted >= TSL_C ? 4 : 1) * (job->second ? 25 : 10) * size * size * size, facts);
}

int cli_eig_general(cli_job *job)
{
    pairs r = {0};
    const cli_array *a = &job->array[0];
    int status = a->m == a->n ? make(job, &r) : cli_fail("eig: %s is %lld x %lld, and must be square", job->input[0], (long long)a->m, (long long)a->n);
    cli_job_begin(job);
    if (!status)
        status = compute(job, &r);
    cli_job_end(job);
    if (!status)
        join(&r);
    if (!status)
        status = cli_job_write_all(job, &r.w, job->second ? &r.V : NULL, NULL);
    if (!status)
        status = tell(job, &r);
    cli_array_free(&r.parts), cli_array_free(&r.packed), cli_array_free(&r.A), cli_array_free(&r.w), cli_array_free(&r.V);
    return status;
}
