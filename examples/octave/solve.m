## Matrices that stay on the device between calls: a system by Cholesky, refined once, and a polynomial by least squares.
## pkg load tesela first.
1;
n = 300;
a = rand (n) - 0.5;
x = ones (n, 1);

A = tesela (a);                    # goes to the device
S = A' * A + n * tesela (eye (n)); # transposing moves nothing
b = S * x;
R = chol (S);                      # stays there
y = R \ (R' \ b);
r = b - S * y;
y = y + R \ (R' \ r);
printf ("%d x %d by Cholesky: |b - S y| / |b| = %.1e\n", n, n, norm (r, "fro") / norm (b, "fro"));
assert (norm (double (y) - x, Inf) < 1e-10); # double () brings it back

t = linspace (-1, 1, 200)';
V = tesela (t .^ (0:3));
c = double (V \ (1 + 2 * t - 3 * t .^ 3));
printf ("a cubic by least squares: %.3f %.3f %.3f %.3f\n", c);
assert (norm (c - [1; 2; 0; -3]) < 1e-10);
