#include <math.h>
#include <stdio.h>

#include "cli/compute/job.h"

/* A product as re + im i times 2^exponent: it neither overflows nor underflows. */
typedef struct product {
    double re, im;
    int64_t exponent;
} product;

static void multiply(product *p, const double v[2])
{
    int e = 0;
    double re = p->re * v[0] - p->im * v[1], im = p->re * v[1] + p->im * v[0], size = fmax(fabs(re), fabs(im));
    if (size > 0 && isfinite(size)) {
        frexp(size, &e);
        re = ldexp(re, -e);
        im = ldexp(im, -e);
    }
    *p = (product){re, im, p->exponent + e};
}

/* Of an element, so that products of parts stay within range. */
static void factor(product *p, const cli_array *a, int64_t at)
{
    double v[2];
    int e = 0;
    cli_array_get(a, at, v);
    double size = fmax(fabs(v[0]), fabs(v[1]));
    if (size > 0 && isfinite(size)) {
        frexp(size, &e);
        v[0] = ldexp(v[0], -e);
        v[1] = ldexp(v[1], -e);
    }
    multiply(p, v);
    p->exponent += e;
}

/* Of L U that of U, with a sign for every exchange of rows; of L L^H the square of L's. */
static product determinant_of(const cli_job *job, const cli_square *s)
{
    product p = {1, 0, 0};
    const cli_array *a = &job->array[0];
    for (int64_t i = 0; i < a->n; i++) {
        factor(&p, a, i + i * a->n);
        if (s->uplo)
            factor(&p, a, i + i * a->n);
        else if (((const int64_t *)s->pivots.data)[i] != i + 1)
            multiply(&p, (double[]){-1, 0});
    }
    return p;
}

/* part 2^exponent, no zero with a sign */
static double value(double part, int64_t exponent) { return 0 + ldexp(part, exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : (int)exponent); }

static int tell(cli_job *job, const cli_square *s, product p)
{
    char sentence[320], det[80], sign[80];
    bool is_complex = job->wanted >= TSL_C;
    int64_t n = job->array[0].n;
    double size = hypot(p.re, p.im), logarithm = log(size) + (double)p.exponent * log(2);
    double sign_re = size > 0 ? p.re / size : size, sign_im = size > 0 ? p.im / size : size;
    double re = value(p.re, p.exponent), im = value(p.im, p.exponent);
    if (isnan(size) || isinf(size))
        cli_job_doubt(job, "the factors have NaN or infinite elements");
    snprintf(det, sizeof det, is_complex ? "%.15g%+.15gi" : "%.15g", re, im);
    snprintf(sign, sizeof sign, is_complex ? "%.6g%+.6gi" : "%.6g", sign_re, sign_im);
    snprintf(sentence, sizeof sentence, "determinant of %lld x %lld: %s; sign %s, log|det| %.15g", (long long)n, (long long)n, det, sign, logarithm);
    const cli_fact facts[] = {{"n", NULL, (double)n},
                              {"determinant", NULL, re},
                              {"sign", NULL, sign_re},
                              {"log_abs_determinant", NULL, logarithm},
                              {is_complex ? "determinant_imaginary" : NULL, NULL, im},
                              {"sign_imaginary", NULL, sign_im},
                              {NULL, NULL, 0}};
    double flops = (is_complex ? 4 : 1) * (s->uplo ? 1 : 2) / 3.0 * pow((double)n, 3);
    return cli_job_tell(job, sentence, flops, facts);
}

static int run(int argc, char **argv)
{
    cli_job job = {.command = "determinant", .numbers = true};
    cli_square s = {.uplo = NULL};
    const char *word;
    const cli_option options[] = {CLI_JOB_INPUTS(job), {"--pos", &s.uplo, NULL}, {NULL, NULL, NULL}};
    int count = cli_parse("determinant", argc, argv, options, &word, 1);
    if (count < 0)
        return CLI_USAGE;
    if (count < 1)
        return cli_usage("determinant: a file is needed");
    if (!cli_uplo("determinant", s.uplo))
        return CLI_USAGE;
    int status = cli_job_open(&job, &word, 1);
    if (!status)
        status = cli_square_factor(&job, &s, CLI_NO_NORM);
    if (!status)
        status = tell(&job, &s, determinant_of(&job, &s));
    cli_square_free(&s);
    cli_job_close(&job);
    return status;
}

const cli_command cli_determinant = {
    "determinant",
    run,
    "the determinant of a matrix in a file, its sign and logarithm",
    "tesela determinant A [--pos L|U]\n"
    "By LU with partial pivoting, or Cholesky. The sign (of complex elements a number of modulus 1) and the logarithm of the absolute value are\n"
    "right where the determinant itself is too large or too small for a number. A singular matrix: 0, sign 0, logarithm -inf.\n" CLI_JOB_NUMBERS_HELP
    "  --pos L|U        A is symmetric (Hermitian) positive definite; that triangle of it is read\n"
    CLI_JOB_STATUS("A or its\nfactors have NaN or infinite elements"),
    NULL,
};
