/* The mathematics of a merge (merge.h), which knows of no process. */
#include "grid/eig/merge.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/numbers/largest.h"

enum { STEPS = 100 };
enum { ONE, TWO, THREE }; /* a column of the first half alone, of both, of the second */
static const double ROUNDOFF = DBL_EPSILON / 2;

static int by_value(const void *a, const void *b)
{
    const tsl_ranked *p = a, *q = b;
    if (p->value != q->value) return p->value < q->value ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* May two poles t apart, with components y and z, be taken as one? A rotation makes y zero, and leaves |t y z| / (y^2 + z^2)
 * beside the diagonal. */
static bool close(double t, double y, double z, double most) { return fabs(t * y * z) <= most * (y * y + z * z); }

/* The pole before, that of column p, is deflated; that of column q goes on with the components of both. */
static double turn(tsl_merge *m, int64_t p, int64_t q, double *pole, double *z)
{
    int64_t k = m->k - 1;
    double a = m->pole[k], b = *pole, r = hypot(m->component[k], *z), c = *z / r, s = -m->component[k] / r;
    m->turn[m->turns++] = (tsl_turn){p, q, c, s};
    *pole = a * s * s + b * c * c;
    *z = r;
    return a * c * c + b * s * s;
}

/* Columns of both halves by a rotation have slots in the middle. */
static void number(tsl_merge *m, const int64_t *column)
{
    int64_t count[3] = {0};
    for (int64_t i = 0; i < m->k; ++i) ++count[m->kind[column[i]]];
    m->ones = count[ONE], m->twos = count[TWO];
    int64_t next[3] = {0, m->ones, m->ones + m->twos};
    for (int64_t i = 0; i < m->k; ++i) m->slot[i] = next[m->kind[column[i]]]++, m->source[m->slot[i]] = column[i];
}

void tsl_merge_deflate(tsl_merge *m)
{
    int64_t n = m->order, dead = n, *column = m->target; /* by place */
    double most = 0;
    for (int64_t i = 0; i < n; ++i) {
        m->ranked[i] = (tsl_ranked){m->d[i], i};
        m->kind[i] = i < m->top ? ONE : THREE;
        most = tsl_larger(most, tsl_larger(fabs(m->d[i]), fabs(m->z[i])));
    }
    qsort(m->ranked, (size_t)n, sizeof *m->ranked, by_value);
    most *= 8 * m->tiny;
    m->k = m->turns = 0;
    for (int64_t i = 0; i < n; ++i) {
        int64_t q = m->ranked[i].number, last = m->k - 1;
        double pole = m->ranked[i].value, z = m->z[q];
        if (!(m->rho * fabs(z) > most)) {
            m->pole[--dead] = pole, m->source[dead] = q;
            continue;
        }
        if (m->k && close(pole - m->pole[last], m->component[last], z, most)) {
            int64_t p = column[last];
            m->pole[--dead] = turn(m, p, q, &pole, &z), m->source[dead] = p;
            if (m->kind[p] != m->kind[q]) m->kind[q] = TWO;
        } else ++m->k;
        m->pole[m->k - 1] = pole, m->component[m->k - 1] = z, column[m->k - 1] = q;
    }
    number(m, column);
}

void tsl_merge_keep(tsl_merge *m)
{
    m->k = m->order, m->ones = m->top;
    m->twos = m->turns = 0;
}

/* A root between two poles, in coordinates from `base`, the nearer one: low < mu < high */
typedef struct root {
    double base, mu, low, high;
    double before; /* |f| one step ago */
    bool weighted; /* by the next interpolation the nearer pole keeps its weight */
} root;

/* f = 1/rho + psi + phi: psi is the sum over poles to the left of the root, phi over those to the right; and derivatives */
typedef struct sums {
    double psi, phi, dpsi, dphi;
} sums;

static void add(const tsl_merge *m, int64_t from, int64_t to, double base, double mu, double *value, double *slope)
{
    double v = 0, s = 0;
    for (int64_t i = from; i < to; ++i) {
        double z = m->component[i], t = z / ((m->pole[i] - base) - mu);
        v += z * t, s += t * t;
    }
    *value = v, *slope = s;
}

/* The root between x and y of c + a / (x - eta) + b / (y - eta), given as c, the sum p and the product q of c eta^2 - p eta + q
 * = 0 */
static double between(double c, double p, double q)
{
    double r = sqrt(fabs(p * p - 4 * q * c));
    return p <= 0 ? (p - r) / (2 * c) : 2 * q / (p + r);
}

/* f in the middle says which pole is nearer, and what those further away come to. The last root has no pole after it. */
static root begin(const tsl_merge *m, int64_t j)
{
    bool last = j == m->k - 1;
    const double *d = m->pole, *z = m->component;
    double gap = last ? m->rho : d[j + 1] - d[j], half = gap / 2, far = 1 / m->rho;
    double own = z[j] * z[j], other = last ? 0 : z[j + 1] * z[j + 1];
    for (int64_t i = 0; i < m->k; ++i)
        if (i != j && i != j + 1) far += z[i] * z[i] / ((d[i] - d[j]) - half);
    double middle = far - own / half + other / half;
    root r = {.base = d[j], .weighted = true};
    if (last) {
        r.mu = own / far, r.low = middle <= 0 ? half : 0, r.high = middle <= 0 ? gap * 1.0625 : half;
    } else if (middle >= 0) {
        r.mu = between(far, far * gap + own + other, own * gap), r.high = half;
    } else {
        r.base = d[j + 1], r.mu = between(far, own + other - far * gap, -other * gap), r.low = -half;
    }
    if (!(r.mu > r.low && r.mu < r.high)) r.mu = (r.low + r.high) / 2;
    return r;
}

/* f is interpolated by c + a / (x - eta) + b / (y - eta), x and y being the distances to the poles beside the root; `nearest`
 * is z^2 of the pole at base. */
static double interpolated(const root *r, sums s, double f, double x, double y, double nearest, bool left, bool last)
{
    double slope = s.dpsi + s.dphi, c;
    if (last) return x * f / (f - x * s.dpsi);
    if (!r->weighted) c = f - x * s.dpsi - y * s.dphi;
    else if (left) c = f - y * slope - (x - y) * nearest / (x * x);
    else c = f - x * slope - (y - x) * nearest / (y * y);
    return between(c, (x + y) * f - x * y * slope, x * y * f);
}

/* The middle of what is left, by exponents where it reaches over several */
static double halved(const root *r)
{
    double near = fmin(fabs(r->low), fabs(r->high)), far = tsl_larger(fabs(r->low), fabs(r->high));
    return near > 0 && far > 16 * near ? copysign(sqrt(near) * sqrt(far), r->mu) : (r->low + r->high) / 2;
}

bool tsl_merge_root(const tsl_merge *m, int64_t j)
{
    bool last = j == m->k - 1, done = false;
    root r = begin(m, j);
    bool left = r.base == m->pole[j];
    double z = m->component[left ? j : j + 1];
    for (int step = 0; step < STEPS && !done; ++step) {
        sums s;
        add(m, 0, j + 1, r.base, r.mu, &s.psi, &s.dpsi);
        add(m, j + 1, m->k, r.base, r.mu, &s.phi, &s.dphi);
        double f = 1 / m->rho + s.psi + s.phi;
        double x = (m->pole[j] - r.base) - r.mu, y = last ? 1 : (m->pole[j + 1] - r.base) - r.mu;
        *(f < 0 ? &r.low : &r.high) = r.mu;
        done = fabs(f) <= ROUNDOFF * (8 * (s.phi - s.psi) + 2 / m->rho + fabs(r.mu) * (s.dpsi + s.dphi));
        if (done) break;
        if (step > 0 && fabs(f) > 0.1 * r.before) r.weighted = !r.weighted;
        double next = r.mu + interpolated(&r, s, f, x, y, z * z, left, last);
        r.before = fabs(f);
        if (!(next > r.low && next < r.high) || step % 8 == 7) next = halved(&r);
        bool inside = next > r.low && next < r.high;
        done = !inside || fabs(next - r.mu) <= ROUNDOFF * fabs(next);
        if (inside) r.mu = next;
    }
    m->origin[j] = r.base;
    m->mu[j] = r.mu;
    return done;
}

/* z_i^2 = product of (lambda_j - d_i) over that of (d_j - d_i), but for a factor that all have in common */
void tsl_merge_weight(const tsl_merge *m, int64_t i)
{
    double product = 1, own = m->pole[i];
    for (int64_t j = 0; j < m->k; ++j) product *= ((m->origin[j] - own) + m->mu[j]) / (j == i ? 1 : m->pole[j] - own);
    m->weight[i] = copysign(sqrt(fabs(product)), m->component[i]);
}

void tsl_merge_place(tsl_merge *m)
{
    for (int64_t i = 0; i < m->order; ++i) m->ranked[i] = (tsl_ranked){i < m->k ? m->origin[i] + m->mu[i] : m->pole[i], i};
    qsort(m->ranked, (size_t)m->order, sizeof *m->ranked, by_value);
    for (int64_t i = 0; i < m->order; ++i) m->d[i] = m->ranked[i].value, m->target[m->ranked[i].number] = i;
}

void tsl_merge_by_slot(const tsl_merge *m, double *pole, double *weight)
{
    for (int64_t i = 0; i < m->k; ++i) pole[m->slot[i]] = m->pole[i], weight[m->slot[i]] = m->weight[i];
}
