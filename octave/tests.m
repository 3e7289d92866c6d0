## Tests of the package: octave-cli --path inst --path src tests.m. TAP on standard output.
1;
function report (good, text)
  global count failed
  count++;
  failed += ! good;
  printf ("%s %d - %s\n", {"not ok", "ok"}{1 + logical (good)}, count, text);
endfunction
function yes = near (A, b)
  if (isa (A, "tesela"))
    A = gather (A);
  endif
  scale = max (1, norm (b, "fro"));
  yes = isequal (size (A), size (b)) && strcmp (class (A), class (b)) && norm (A - b, "fro") <= 1e3 * eps (class (b)) * scale;
endfunction
function yes = same (A, b)
  a = gather (A);
  yes = isequal (isnan (a), isnan (b)) && isequal (a(! isnan (a)), b(! isnan (b)));
endfunction
function yes = fails (f)
  yes = false;
  try
    f ();
  catch
    yes = true;
  end_try_catch
endfunction

global count failed
count = failed = 0;
rand ("seed", 1);
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
    report (fails (@() D \ tesela (c)) && fails (@() D' \ tesela (make (31, 2))), [name "no least squares of columns or rows that depend on each other"]);
    p = ((1:100)' * 1e4) .^ (0:3);
    report (near (tesela (p) \ tesela (p * [1e18; 1e12; 1e6; 1]), [1e18; 1e12; 1e6; 1]), [name "least squares of columns of very different sizes"]);
    s = a * a' + 10 * eye (30);
    report (near (chol (tesela (s))' * chol (tesela (s)), s) && near (chol (tesela (s), "lower"), chol (s, "lower")), [name "chol"]);
    [L, U, P] = lu (T);
    [l, u, p] = lu (t);
    report (near (L * U, P * t) && near (L, l) && near (U, u) && isequal (P, full (p)), [name "lu"]);
    [Q, R] = qr (T);
    report (near (Q * R, t) && near (Q' * Q, cast (eye (30), type{1})) && near (tril (gather (R), -1), zeros (30, type{1})), [name "qr"]);
    report (near (A(3:7, :), a(3:7, :)) && near (A'(2:3, 5:9), a'(2:3, 5:9)), [name "blocks"]);
    report (near (T(1:end, 1:end), t) && near (T(end, 2:end), t(end, 2:end)) && near (T'(end-3:end, 7:end), t'(end-3:end, 7:end)) && fails (@() T(end)), [name "end"]);
    report (abs (norm (A, "fro") - norm (a, "fro")) < 1e-4 && abs (norm (A, 1) - norm (a, 1)) < 1e-4 && abs (norm (A, Inf) - norm (a, Inf)) < 1e-4, [name "norms"]);
  endfor
endfor
A = tesela (rand (5));
report (near (A * (1i * ones (5)), gather (A) * (1i * ones (5))), "a real matrix times a complex one");
report (near (tesela (zeros (0, 3))' * tesela (zeros (0, 2)), zeros (3, 2)), "empty ones");
report (near (tesela ([0, 1; 1, 0; 1, 1; 2, 1]) \ tesela (zeros (4, 0)), zeros (2, 0)) && near (tesela (ones (2, 4)) \ tesela (zeros (2, 0)), zeros (4, 0)), "no right-hand sides");
report (fails (@() A * tesela (rand (4))) && fails (@() A + tesela (rand (4))) && fails (@() A \ tesela (rand (4))), "sizes that do not fit");
report (fails (@() tesela (zeros (3)) \ tesela (ones (3, 1))) && fails (@() chol (tesela (-eye (3)))), "singular, not positive definite");
c = rand (3, 4) + 1i * rand (3, 4);
report (near ((tesela (c).')', conj (c)) && near ((tesela (c)').', conj (c)) && near ((tesela (real (c)).')', real (c)), "conjugated");
v = tesela (c(1,:));
report (abs (norm (v, 1) - norm (c(1,:), 1)) < 1e-12 && abs (norm (v, Inf) - norm (c(1,:), Inf)) < 1e-12 && abs (norm (v) - norm (c(1,:))) < 1e-12 && abs (norm (v.', 2) - norm (c(1,:))) < 1e-12 && fails (@() norm (A, 2)) && fails (@() norm (A)) && fails (@() norm (A, {})), "norms of vectors, and those there are not");
report (fails (@() tesela ("text")) && fails (@() tesela ({1})) && fails (@() A(7, 1)) && fails (@() A(1:2:5, 1)), "nonsense");
singular = tesela (zeros (50));
right = tesela (ones (50, 3));
used = @() __tesela__ ("used");
for i = 1:3
  if (i == 2)
    before = used ();
  endif
  all_failed = fails (@() singular \ right) && fails (@() singular' \ right) && fails (@() __tesela__ ("scale", 1e9, 0, 2)) && fails (@() __tesela__ ("scale", singular.id, 0, {}));
endfor
report (all_failed && used () == before, "an error leaves nothing on the device");
report (near (tesela (zeros (0, 3)) + 1, zeros (0, 3)), "a number added to nothing");
z = [complex(Inf, 1), complex(1, Inf), complex(2, 3)];
Z = tesela (z);
report (isequal (gather (-Z), -z) && isequal (gather (2 * Z), 2 * z) && isequal (gather (Z + Z), z + z) && isequal (gather (Z + 1), z + 1), "an infinite part leaves the other");
report (isequal (gather (Z + Inf), z + Inf) && isequal (gather (Z - (1 + 2i)), z - (1 + 2i)) && isequal (gather (tesela (single (z)) + 2i), single (z) + 2i), "... and a number is added to each part");
report (same (0 * tesela ([NaN, Inf, 1]), [NaN, NaN, 0]) && same (tesela ([NaN, Inf, 1]) * 0, [NaN, NaN, 0]), "zero times NaN and Inf");
report (isequal (gather (tesela ([1e-310, 2e-310]) / 1e-310), [1, 2]) && isequal (gather (1e-39 \ tesela (single ([1e-39, 2e-39]))), single ([1, 2])), "division by numbers whose inverse is none");
report (fails (@() tesela (ones (2, 2, 2))) && fails (@() A(1.5, 1)) && fails (@() A(1, NaN)), "more dimensions, subscripts that are not whole");
s = gather (A) * gather (A)' + eye (5) + 1i * (gather (A) - gather (A)');
n = tril (s);
report (near (chol (tesela (n), "lower"), chol (n, "lower")) && near (chol (tesela (n.').', "lower"), chol (n, "lower")) && near (chol (tesela (n'), "upper"), chol (n')), "chol of the triangle that is asked for");
[R, p] = chol (tesela (diag ([1, 4, -1, 3])));
report (near (R, [1, 0; 0, 2]) && p == 3 && fails (@() chol (A, "vector")), "chol of what is definite of a matrix that is not");
a = rand (6, 4);
report (near (lu (tesela (a)), lu (a)) && near (lu (tesela (a)'), lu (a')) && near (lu (tesela (zeros (2))), zeros (2)), "lu in one matrix");
report (near (qr (tesela (a), "econ"), gather (qr (tesela (a)))) && near (qr (tesela (a), 0), gather (qr (tesela (a)))) && fails (@() qr (tesela (a), ones (6, 1))) && fails (@() qr (tesela (a), "vector")), "options of qr");
report (isa (norm (tesela (single (a)), 1), "single") && isa (norm (tesela (a), 1), "double"), "a norm's class");
E = tesela (zeros (0, 3));
report (isempty (E) && ! isempty (A) && length (E) == 0 && length (tesela (a)') == 6 && size (A, 3) == 1 && isreal (A) && iscomplex (Z) && ! isreal (Z) && ! iscomplex (A), "what is asked of an object");
report (isequal (any (tesela ([0, 1])), true) && isequal (all (tesela ([1, 0; 1, 1])), [true, false]) && isequal (tesela (a), a, tesela (a)) && ! isequal (tesela (a), tesela (a + 1)), "... and of its elements");
report (ishermitian (tesela (eye (3))) && ! ishermitian (tesela ([1, 2; 3, 4])) && isdefinite (tesela (eye (3))) && ! isdefinite (tesela (-eye (3))), "... and of the matrix they are");
of = {rand(3), rand(4, 2), rand(1, 3), rand(3, 1), 7, zeros(0, 3), [5, 4; 4, 5], tril(rand(3)), triu(rand(3)), full(diag([1, 2, 3])), single(rand(3)), rand(3) + 1i * rand(3)};
questions = {@isdiag, @istril, @istriu, @(x) isbanded (x, 1, 1), @isnumeric, @isfloat, @(x) isa (x, "float"), @isreal, @ishermitian, @issymmetric, ...
  @isvector, @isscalar, @isrow, @iscolumn, @issquare, @ismatrix, @isempty, @numel, @(x) numel (x, ":", 1), @ndims, @columns, @rows, @nnz, @nzmax, ...
  @size, @(x) size (x, 1, 2), @(x) nthargout (1:2, @size, x, [2, 1]), @isnan, @(x) x == x', @(x) x < 1, @(x) norm (x, 1), @(x) 1:numel (x), @(x) any (x(:, 1) != 0)};
results = {@(x) x + x, @abs, @real, @imag, @conj, @sum, @(x) sum (x, 2), @prod, @max, @diag, @tril, @triu, @(x) kron (x, x), @(x) [x, x], @(x) [x; double(x)], @(x) cat (1, x, x), ...
  @(x) x .* 2, @(x) 2 ./ (x + 1), @(x) x .^ 2, @(x) +x, @(x) repmat (x, 2, 2), @(x) reshape (x, 1, []), @(x) x + sum (x), @(x) sum (x, 2) - x, @(x) x(:, 1), ...
  @(x) x * tesela_or (x, 2), @(x) tesela_or (x, 2) + x, @(x) x / tesela_or (x, 4), @(x) tesela_or (x, 4) \ x, @(x) subsasgn (x, substruct ("()", {1, 2}), 3i)};
function y = tesela_or (x, y)  # a number of the kind that x is of
  if (isobject (x))
    y = tesela (y);
  endif
endfunction
function yes = alike (f, a)  # the same answer, or both an error
  answers = {};
  for x = {a, tesela(a)}
    try
      answers{end+1} = f (x{1});
    catch
      answers{end+1} = "an error";
    end_try_catch
  endfor
  [want, got] = answers{:};
  if (isa (got, "tesela"))
    got = gather (got);
  endif
  yes = strcmp (class (got), class (want)) && isequal (size (got), size (want)) && (! isfloat (want) || near (got, want)) && (isfloat (want) || isequal (got, want));
endfunction
for f = [questions, results]
  report (all (cellfun (@(a) alike (f{1}, a), of)), ["as of an array: " func2str(f{1})]);
endfor
report (all (cellfun (@(f) isa (f (tesela (of{1})), "tesela"), results)), "... and a matrix of numbers is on the device");
s = of{7};
report (alike (@isdefinite, s) && near (inv (tesela (s)), inv (s)) && abs (det (tesela (s)) - det (s)) < 1e-12 && trace (tesela (s)) == 10 && abs (rcond (tesela (s)) - rcond (s)) < 1e-12 && fails (@() inv (tesela (ones (2, 3)))), "inv, det, trace, rcond");
[m, at] = max (tesela (of{1}));
[want, where] = max (of{1});
report (near (m, want) && isequal (at, where), "places of the largest");
v = (1:5)';
report (near (tesela (v)(2:3), v(2:3)) && near (tesela (v')(end), 5) && near (tesela (v)(:), v) && near (tesela (v)(logical ([0, 1, 1, 0, 0])), v(2:3)) && near (tesela (s)(1:2, :)(2, 1), 4) && fails (@() tesela (v)([1, 3; 2, 4])) && fails (@() tesela (v')([1, 3; 2, 4])) && fails (@() tesela (s)({}, 1)) && fails (@() tesela (s)("a", 1)), "blocks of vectors, and of blocks");
S = T = tesela (s);
S(1, 1) = 9;
S(:, 3) = [1; 2];
report (near (S, [9, 4, 1; 4, 5, 2]) && near (T, s) && fails (@() subsasgn (T, substruct (".", "id"), 1)) && fails (@() subsasgn (T, substruct ("{}", {1}), 1)), "A(i, j) = b leaves what had the same name before");
big = tesela ([1000.5, 2]);
B = big;
B(2) = int8 (3);
report (near (B, [1000.5, 3]) && near (big .* int8 (2), [2001, 4]) && near ([big, int8(1)], [1000.5, 2, 1]) && near (max (big, uint8 (3)), [1000.5, 3]) && isequal (big > int8 (2), [true, false]), "integers of Octave leave the elements as they are");
report (size_equal (big, [1, 2], big) && ! size_equal (big, 1) && ! size_equal (1, big') && size_equal (big), "sizes that are equal");
none(2, 2) = tesela (7);
report (near (none, [0, 0; 0, 7]) && near (tesela (T)', s') && strcmp (disp (T), "  2 x 2, double, on the device\n"), "a matrix made by an assignment, of another one; its text");
F = E';
clear E;
report (isequal (size (F), [3, 0]), "a transposed matrix of nothing keeps what it is of");
E = F';
clear F;
report (near (E * ones (3, 2), zeros (0, 2)), "... and gives nothing back too early");
B = A';
clear A;
report (near (B * tesela (eye (5)), gather (B)), "a transposed matrix keeps what it is of");
report (! isempty (strfind (get_help_text ("tesela"), "A matrix on the device")), "help tesela");
printf ("1..%d\n", count);
exit (failed > 0);
