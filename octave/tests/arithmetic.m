## Operators, systems, factorizations and norms, against Octave's own.
for type = {"double", "single"}
  for z = [0, 1]
    make = @(m, n) cast (rand (m, n) - 0.5 + (z * 1i) * rand (m, n), type{1});
    name = sprintf ("%s%s: ", type{1}, {"", " complex"}{1 + z});
    a = make (30, 30);
    b = make (30, 4);
    t = make (40, 30);
    c = make (40, 3);
    A = tesela (a);
    B = tesela (b);
    T = tesela (t);
    report (near (A, a), [name "there and back"]);
    report (isequal (size (T), [40, 30]) && rows (T) == 40 && columns (T) == 30 && numel (T) == 1200, [name "sizes"]);
    report (near (A * B, a * b) && near (A' * B, a' * b) && near (T.' * tesela (c), t.' * c) && near (A'', a), [name "products"]);
    report (near (A * b, a * b) && near (2 * A, 2 * a) && near (A / 4, a / 4), [name "with arrays and numbers"]);
    report (near (A + A', a + a') && near (A - a, a - a) && near (-A, -a), [name "sums"]);
    report (near (A - uint8 (3), a - 3) && near (uint8 (4) \ A, a / 4) && near (A / int8 (4), a / 4), [name "numbers of integer classes"]);
    report (near (A + 1, a + 1) && near (2 - A, 2 - a) && near (A' - 3, a' - 3) && near (4 \ A, 4 \ a), [name "numbers added and divided by"]);
    report (near (A * 2i, a * 2i) && near (A + 1i, a + 1i) && near (A / 2i, a / 2i) && near (single (3) * A, single (3) * a), [name "complex and single numbers"]);
    report (near (A * (A \ B), b) && near (A' * (A' \ B), b) && near ((b' / A) * A, b'), [name "A \\ B, B / A"]);
    report (near (T \ tesela (c), t \ c), [name "least squares"]);
    D = tesela ([t, t(:,1) + t(:,2)]);
    d = gather (D);
    h = d'; # Octave itself has an error for d' \ e
    e = make (31, 2);
    report (near (D \ tesela (c), d \ c) && near (D' \ tesela (e), h \ e) && near (c' / D', c' / h), [name "least squares of columns or rows that depend on each other"]);
    p = ((1:100)' * 1e4) .^ (0:3);
    report (near (tesela (p) \ tesela (p * [1e18; 1e12; 1e6; 1]), [1e18; 1e12; 1e6; 1]), [name "least squares of columns of very different sizes"]);
    s = a * a' + 10 * eye (30);
    report (near (chol (tesela (s))' * chol (tesela (s)), s) && near (chol (tesela (s), "lower"), chol (s, "lower")), [name "chol"]);
    [L, U, P] = lu (T);
    [l, u, p] = lu (t);
    report (near (L * U, P * t) && near (L, l) && near (U, u) && isequal (P, full (p)), [name "lu"]);
    [Q, R] = qr (T);
    [q, r] = qr (t);
    report (near (Q * R, t) && near (Q' * Q, cast (eye (40), type{1})) && near (R, r) && near (Q, q), [name "qr"]);
    [Q, R] = qr (T, "econ");
    [q, r] = qr (t, 0);
    report (near (Q * R, t) && near (R, r) && near (Q, q) && near (qr (T', 0), triu (qr (t', 0))), [name "qr of the economic size"]);
    g = a + a';
    G = tesela (g);
    [V, D] = eig (G);
    report (near (G * V, gather (V * D)) && near (V' * V, cast (eye (30), type{1})) && near (D, full (eig (g, "matrix"))) && isa (V, "tesela") && isdiag (D), [name "eig of a symmetric matrix"]);
    [V, w] = eig (G, "vector");
    report (near (eig (G), eig (g)) && near (w, eig (g)) && near (eig (G, "matrix"), full (eig (g, "matrix"))) && isa (eig (G), "tesela") && near (G * V, gather (V * diag (gather (w)))), [name "its eigenvalues"]);
    [V, D] = eig (G, tesela (s));
    report (near (G * V, s * gather (V * D)) && near (V' * s * V, cast (eye (30), type{1})) && near (eig (G, s), eig (g, s)) && near (eig (g, tesela (s)), eig (g, s)) && isa (V, "tesela"), [name "eig of two matrices"]);
    report (near (sort (abs (eig (A))), sort (abs (eig (a)))) && near (sort (abs (eig (G, A))), sort (abs (eig (g, a)))) && ! isa (eig (A), "tesela"), [name "eig of other matrices, and of pairs of them"]);
    [V, D] = eig (A);
    report (near (A * V, gather (V) * D) && isa (V, "tesela") && isdiag (D), [name "eigenvectors of a matrix that is not symmetric"]);
    [U, S] = schur (A);
    report (near (U * S * U', a) && near (U' * U, cast (eye (30), type{1})) && isa (S, "tesela") && all (all (tril (gather (S), -2) == 0)), [name "schur"]);
    [U, S] = schur (A, "a");
    report (near (U * S * U', a) && issorted (real (ordeig (gather (S))) >= 0), [name "schur in an order"]);
    [P, H] = hess (A);
    report (near (P * H * P', a) && near (P' * P, cast (eye (30), type{1})) && all (all (tril (gather (H), -2) == 0)) && near (hess (A), gather (H)), [name "hess"]);
    [U, S, V] = svd (T);
    [U1, S1, V1] = svd (T', "econ");
    report (near (U * S * V', t) && near (U1 * S1 * V1', t') && near (U' * U, cast (eye (rows (t)), type{1})) && near (diag (S), svd (t)) && near (svd (T), svd (t)) && isa (U, "tesela") && isa (svd (T), "tesela") && isequal (size (S), size (t)), [name "svd"]);
    e = expm (A / 4);
    q = tesela (a * a' + eye (rows (a)));
    report (near (e, expm (a / 4)) && isa (e, "tesela") && near (sqrtm (q) * sqrtm (q), gather (q)) && near (expm (logm (q)), gather (q)) && isa (logm (q), "tesela"), [name "expm, sqrtm, logm"]);
    report (abs (rcond (A) / rcond (a) - 1) < 1e-3 && rcond (tesela (zeros (3))) == 0, [name "rcond"]);
    X = sylvester (A, tesela (s), A);
    report (near (A * X + X * tesela (s), a) && isa (X, "tesela") && near (sylvester (A, s, a), gather (X)), [name "sylvester"]);
    report (near (A(3:7, :), a(3:7, :)) && near (A'(2:3, 5:9), a'(2:3, 5:9)), [name "blocks"]);
    report (near (T(1:end, 1:end), t) && near (T(end, 2:end), t(end, 2:end)) && near (T'(end-3:end, 7:end), t'(end-3:end, 7:end)) && near (T(end), t(end)), [name "end"]);
    norms = {{}, {1}, {2}, {Inf}, {"fro"}, {"inf"}, {1.5}, {1, "rows"}, {"columns"}};
    for x = {a, t, t(:, 1), t(1, :), zeros(0, 3)}
      good = cellfun (@(k) near (norm (tesela (x{1}), k{:}), norm (x{1}, k{:})), norms(1:end - 3 * (numel (x{1}) == 0)));
      report (all (good), sprintf ("%snorms of %d x %d", name, rows (x{1}), columns (x{1})));
    endfor
  endfor
endfor
A = tesela (rand (5));
report (near (A * (1i * ones (5)), gather (A) * (1i * ones (5))), "a real matrix times a complex one");
report (near (tesela (zeros (0, 3))' * tesela (zeros (0, 2)), zeros (3, 2)), "empty ones");
report (near (tesela ([0, 1; 1, 0; 1, 1; 2, 1]) \ tesela (zeros (4, 0)), zeros (2, 0)) && near (tesela (ones (2, 4)) \ tesela (zeros (2, 0)), zeros (4, 0)), "no right-hand sides");
bad = ones (3);
bad(2, 2) = NaN;
[V, D, W] = eig (tesela (diag (3:-1:1)));
report (near (eig (tesela (zeros (0))), eig (zeros (0))) && fails (@() eig (tesela (ones (2, 3)))) && fails (@() eig (tesela (bad))) && fails (@() eig (A + A', "nonsense")) && near (diag (D), (1:3)') && near (eig (tesela (eye (2)), single (eye (2))), eig (eye (2), single (eye (2)))) && near (eig (tesela (eye (2)), -eye (2)), [-1; -1]), "eig of what it cannot compute on the device");
report (fails (@() A * tesela (rand (4))) && fails (@() A + tesela (rand (4))) && fails (@() A \ tesela (rand (4))), "sizes that do not fit");
warning ("off", "Octave:singular-matrix", "local");
report (near (tesela (zeros (3)) \ tesela (ones (3, 1)), zeros (3, 1)) && near (ones (1, 2) / tesela (ones (2)), ones (1, 2) / 2) && near (inv (tesela (ones (2))), Inf (2)) && fails (@() chol (tesela (-eye (3)))), "singular, not positive definite");
lastwarn ("");
warning ("on", "Octave:singular-matrix", "local");
evalc ("tesela (ones (3)) \\ [1; 2; 3];");
report (! isempty (strfind (lastwarn (), "singular")), "... and Octave's warning");
c = rand (3, 4) + 1i * rand (3, 4);
report (near ((tesela (c).')', conj (c)) && near ((tesela (c)').', conj (c)) && near ((tesela (real (c)).')', real (c)), "conjugated");
report (fails (@() tesela ("text")) && fails (@() tesela ({1})) && fails (@() norm (A, {})) && fails (@() A{1}) && fails (@() A.id), "nonsense");
singular = tesela (zeros (50));
right = tesela (ones (50, 3));
used = @() __tesela__ ("used");
for i = 1:3
  if (i == 2)
    before = used ();
  endif
  all_failed = fails (@() chol (singular)) && fails (@() singular \ ones (3)) && fails (@() [singular, ones(3)]) && fails (@() singular * ones (3)) && fails (@() singular(51, 1));
endfor
report (all_failed && used () == before, "an error leaves nothing on the device");
report (near (tesela (zeros (0, 3)) + 1, zeros (0, 3)), "a number added to nothing");
z = [complex(Inf, 1), complex(1, Inf), complex(2, 3)];
Z = tesela (z);
report (isequal (gather (-Z), -z) && isequal (gather (2 * Z), 2 * z) && isequal (gather (Z + Z), z + z) && isequal (gather (Z + 1), z + 1), "an infinite part leaves the other");
report (isequal (gather (Z + Inf), z + Inf) && isequal (gather (Z - (1 + 2i)), z - (1 + 2i)) && isequal (gather (tesela (single (z)) + 2i), single (z) + 2i), "... and a number is added to each part");
report (isequaln (gather (0 * tesela ([NaN, Inf, 1])), [NaN, NaN, 0]) && isequaln (gather (tesela ([NaN, Inf, 1]) * 0), [NaN, NaN, 0]), "zero times NaN and Inf");
report (isequal (gather (tesela ([1e-310, 2e-310]) / 1e-310), [1, 2]) && isequal (gather (1e-39 \ tesela (single ([1e-39, 2e-39]))), single ([1, 2])), "division by numbers whose inverse is none");
report (fails (@() tesela (ones (2, 2, 2))), "more dimensions");
s = gather (A) * gather (A)' + eye (5) + 1i * (gather (A) - gather (A)');
n = tril (s);
report (near (chol (tesela (n), "lower"), chol (n, "lower")) && near (chol (tesela (n.').', "lower"), chol (n, "lower")) && near (chol (tesela (n'), "upper"), chol (n')), "chol of the triangle that is asked for");
[R, p] = chol (tesela (diag ([1, 4, -1, 3])));
report (near (R, [1, 0; 0, 2]) && p == 3 && fails (@() chol (A, "nonsense")) && fails (@() chol (tesela (ones (2, 3)))), "chol of what is definite of a matrix that is not");
[R, p] = chol (tesela (-eye (2)));
report (isempty (R) && p == 1, "... and of one of which nothing is");
a = rand (6, 4);
report (near (lu (tesela (a)), lu (a)) && near (lu (tesela (a)'), lu (a')) && near (lu (tesela (zeros (2))), zeros (2)), "lu in one matrix");
[L, U] = lu (tesela (a));
[l, u] = lu (a);
[M, V, p] = lu (tesela (a), "vector");
[m, v, q] = lu (a, "vector");
report (near (L, l) && near (U, u) && near (M, m) && near (V, v) && isequal (p, q) && fails (@() lu (tesela (a), "nonsense")), "lu's other forms");
[Q, R, p] = qr (tesela (a), "vector");
report (near (Q * R, a(:, p)) && near (qr (tesela (a), 0), gather (qr (tesela (a), "econ"))) && fails (@() qr (tesela (a), "nonsense")), "options of qr");
report (isa (norm (tesela (single (a)), 1), "single") && isa (norm (tesela (a), 1), "double"), "a norm's class");
