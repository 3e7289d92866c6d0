/* The secular equation of a merge, f = 1 + sum z(j)^2 / (p(j)^2 - s^2) = 0 with poles 0 = p(0) < p(1) < ..: its roots s are
 * the singular values of the matrix that has z in its first row and p on its diagonal. A root is a pole and what it is away
 * from it, so that all differences to poles have small relative errors. Numbers are doubles, of matrices of floats too:
 * quotients have far larger and smaller squares than elements. Of a group a part has a root. */
#ifndef TSL_CUDA_BATCH_SPECTRA_SVD_SECULAR_CUH
#define TSL_CUDA_BATCH_SPECTRA_SVD_SECULAR_CUH

#include "kernel/cuda/batch/spectra/group.cuh"

namespace tsl::spectra::svd {

constexpr int STEPS = 60; /* at most */

struct secular {
    const double *pole, *z;
    int k;         /* poles */
    double finest; /* what a root may be off, by its distance to the nearest pole */

    /* p(j)^2 - s^2 of the root s = p(b) + mu */
    __device__ double apart(int j, int b, double mu) const { return ((pole[j] - pole[b]) - mu) * ((pole[j] + pole[b]) + mu); }
};

/* Sums over poles on either side of a root, and their derivatives by s^2 */
struct sides {
    double psi, phi, dpsi, dphi;
};

template <class G> __device__ sides sum_sides(const G &g, const secular &f, int i, int b, double mu)
{
    sides a = {};
    const double base = f.pole[b];
#pragma unroll 4
    for (int j = g.rank % G::PART; j < f.k; j += G::PART) {
        const double z = f.z[j], p = f.pole[j], t = z / (((p - base) - mu) * ((p + base) + mu));
        const bool is_left = j <= i;
        a.psi = fma(is_left ? z : 0.0, t, a.psi), a.phi = fma(is_left ? 0.0 : z, t, a.phi);
        a.dpsi = fma(is_left ? t : 0.0, t, a.dpsi), a.dphi = fma(is_left ? 0.0 : t, t, a.dphi);
    }
    return {g.part_sum(a.psi), g.part_sum(a.phi), g.part_sum(a.dpsi), g.part_sum(a.dphi)};
}

/* eta with c + a / (x - eta) + b / (y - eta) = 0 between x and y, given by c eta^2 - p eta + q = 0 */
__device__ inline double between(double c, double p, double q)
{
    const double r = sqrt(fabs(p * p - 4 * q * c));
    return p <= 0 ? (p - r) / (2 * c) : 2 * q / (p + r);
}

/* The change of s^2 by interpolation: f = 1 + psi + phi, and x and y are p(i)^2 - s^2 and p(i+1)^2 - s^2. weighted: the pole b
 * keeps its weight, else each side its slope. */
__device__ inline double interpolate(const sides &a, double f, double x, double y, double weight, bool at_left, bool last,
                                     bool weighted)
{
    const double slope = a.dpsi + a.dphi;
    if (last) return x * f / (f - x * a.dpsi);
    double c = f - x * a.dpsi - y * a.dphi;
    if (weighted && at_left) c = f - y * slope - (x - y) * weight / (x * x);
    if (weighted && !at_left) c = f - x * slope - (y - x) * weight / (y * y);
    return between(c, (x + y) * f - x * y * slope, x * y * f);
}

/* A first guess for root i: those poles that are not beside it count as in the middle, where all come to f. */
__device__ inline double first_guess(const secular &e, int i, int b, double f, double half, bool last)
{
    const double own = e.z[i] * e.z[i], other = last ? 0.0 : e.z[i + 1] * e.z[i + 1];
    const double far = f - own / e.apart(i, i, half) - (last ? 0.0 : other / e.apart(i + 1, i, half));
    const double gap = last ? 0.0 : (e.pole[i + 1] - e.pole[i]) * (e.pole[i + 1] + e.pole[i]), p = e.pole[b];
    const double eta = last     ? own / far
                  : b == i ? between(far, fma(far, gap, own + other), own * gap)
                           : between(far, fma(-far, gap, own + other), -other * gap);
    return eta / (p + sqrt(fmax(fma(p, p, eta), 0.0)));
}

/* Root i: the number of the pole in *base, and how far it is from there. A part of the group calls. */
template <class G> __device__ double find_root(const G &g, const secular &e, int i, double squares, int *base)
{
    const bool last = i == e.k - 1;
    const double own = e.pole[i];
    const double gap = last ? squares / (own + sqrt(fma(own, own, squares))) * (1 + 4 * EPSILON<double>) : e.pole[i + 1] - own;
    const sides middle = sum_sides(g, e, i, i, gap / 2);
    const double f_middle = 1 + middle.psi + middle.phi;
    const bool below = f_middle >= 0, at_left = last || below;
    const int b = at_left ? i : i + 1;
    const double weight = e.z[b] * e.z[b];
    double low = at_left ? (last && !below ? gap / 2 : 0.0) : -gap / 2, high = at_left ? (below ? gap / 2 : gap) : 0.0;
    double mu = first_guess(e, i, b, f_middle, gap / 2, last), before = LARGEST<double>;
    if (!(mu > low && mu < high)) mu = (low + high) / 2;
    bool weighted = true;
    *base = b;
    for (int step = 0; step < STEPS; step++) {
        const sides a = sum_sides(g, e, i, b, mu);
        const double f = 1 + a.psi + a.phi, slope = a.dpsi + a.dphi, s = e.pole[b] + mu;
        if (f < 0) low = mu;
        else high = mu;
        if (fabs(f) <= e.finest * (8 * (a.phi - a.psi) + 2 + fabs(e.apart(b, b, mu)) * slope)) break;
        if (step > 0 && fabs(f) > 0.1 * before) weighted = !weighted;
        before = fabs(f);
        const double x = e.apart(i, b, mu), y = last ? 1.0 : e.apart(i + 1, b, mu);
        const double eta = interpolate(a, f, x, y, weight, at_left, last, weighted), square = fma(s, s, eta);
        double next = mu + eta / (s + sqrt(fmax(square, 0.0)));
        if (!(next > low && next < high) || step % 8 == 7) {
            next = (low + high) / 2;
            const double near = fmin(fabs(low), fabs(high)), far = fmax(fabs(low), fabs(high));
            if (near > 0 && far > 16 * near) next = copysign(sqrt(near) * sqrt(far), low + high);
        }
        const bool ends = !(next > low && next < high) || fabs(next - mu) <= e.finest * fabs(next);
        if (next > low && next < high) mu = next;
        if (ends) break;
    }
    return mu;
}

template <int P> __device__ double product_of_part(double a)
{
    const unsigned mask = (P == 32 ? 0xffffffffu : (1u << (P % 32)) - 1) << (threadIdx.x % 32 / P * P);
#pragma unroll
    for (int bit = P / 2; bit > 0; bit /= 2) a *= __shfl_xor_sync(mask, a, bit);
    return a;
}

/* The z(j) whose roots these are exactly (Gu and Eisenstat): z(j)^2 is the product of s(i)^2 - p(j)^2 by that of p(i)^2 -
 * p(j)^2 */
template <class G> __device__ double exact_weight(const G &g, const secular &e, int j, const int *base, const double *mu)
{
    double product = 1;
#pragma unroll 4
    for (int i = g.rank % G::PART; i < e.k; i += G::PART) {
        const double under = i == j ? 1.0 : (e.pole[i] - e.pole[j]) * (e.pole[i] + e.pole[j]);
        product *= -e.apart(j, base[i], mu[i]) / under;
    }
    product = product_of_part<G::PART>(product);
    return copysign(sqrt(fabs(product)), e.z[j]);
}

} // namespace tsl::spectra::svd
#endif
