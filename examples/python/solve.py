"""Solve equations with SciPy's names, on host data and on matrices that stay on the device:
    pip install ./python && python3 examples/python/solve.py"""

import numpy as np

import tesela

rng = np.random.default_rng(1)
n = 1000
a = rng.standard_normal((n, n)) + n * np.eye(n)
b = rng.standard_normal((n, 3))

x = tesela.solve(a, b)  # as scipy.linalg.solve: arrays in, an array out
print("general system:   residual %.1e" % np.abs(a @ x - b).max())

x, how = tesela.solve(a, b, precision="fp32", full_output=True)  # factors of single precision, refined to double
print("mixed precision:  residual %.1e after %d corrections" % (np.abs(a @ x - b).max(), how.iterations))

A = tesela.asarray(a)  # on the device from here on
S = A.T @ A + n * tesela.eye(n)
L = tesela.cholesky(S, lower=True)
print("Cholesky:         residual %.1e" % (tesela.norm(L @ L.H - S) / tesela.norm(S)))
Q, R = tesela.qr(A[:, :200], mode="economic")  # a slice is a view
print("QR:               residual %.1e" % (tesela.norm(Q @ R - A[:, :200]) / tesela.norm(A)))
print("R's corner:\n%s" % np.asarray(R[:3, :3]))

with tesela.options(devices="host:2", memory="4M"):  # two virtual devices too small for a: by parts
    print("out of core:      residual %.1e" % np.abs(a @ tesela.inv(a) - np.eye(n)).max())
    print(tesela.explain("dgetrf", n, n).splitlines()[0])

try:
    tesela.cholesky(-a)
except tesela.LinAlgError as error:
    print("not definite:     %s" % error)
