"""Tesela inside JAX's programs: a stack of systems in one call, eigenvalues that are differentiated, a loss minimized by them:
    pip install ./python && python3 examples/jax/solve.py"""

import sys

import jax
import jax.numpy as jnp

import tesela.jax as tj

jax.config.update("jax_enable_x64", True)  # else JAX has single precision alone

key = jax.random.key(1)
a = jax.random.normal(key, (100, 20, 20)) + 9 * jnp.eye(20)
b = jax.random.normal(key, (100, 20))

x = jax.jit(jax.vmap(tj.solve))(a, b)  # vmap makes no loop: the library has all matrices in one call
residual = jnp.abs(jnp.einsum("kij,kj->ki", a, x) - b).max()
print(f"100 systems:  residual {residual:.1e}")

s = a[0] @ a[0].T
w, V = jax.jit(tj.eigh)(s)
off = jnp.abs(s @ V - V * w).max() / w[-1]
print(f"eigenvalues:  {w[0]:.3f} .. {w[-1]:.3f}, residual {off:.1e}")

gradient = jax.jit(jax.grad(lambda s: tj.eigvalsh(s)[-1]))(s)  # of the largest one: v v^T
wrong = jnp.abs(gradient - jnp.outer(V[:, -1], V[:, -1])).max()
print(f"derivative:   off by {wrong:.1e}")


@jax.jit
def step(t):
    """A step of Newton's method to the diagonal t where log det(S + diag t) - sum t is largest: there the inverse has ones on its diagonal."""

    def loss(t):
        return t.sum() - tj.slogdet(s / 100 + jnp.diag(t)).logabsdet

    return t - tj.solve(jax.hessian(loss)(t), jax.grad(loss)(t))


t = jnp.full(20, 0.5)
for _ in range(12):
    t = step(t)
left = jnp.abs(jnp.diag(tj.inv(s / 100 + jnp.diag(t))) - 1).max()
print(f"Newton:       the inverse's diagonal is one but for {left:.1e}")

not_definite = tj.cholesky(-s)
print(f"not definite: {not_definite[0, 0]}, as in JAX")
sys.exit(not (max(residual, off, wrong, left) < 1e-10 and jnp.isnan(not_definite).all()))
