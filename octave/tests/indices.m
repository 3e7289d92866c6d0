## A(..), A(..) = b, A(..) = [] and [A, B], as of Octave's own matrices: answers, classes and errors.
1;
function x = after (x, text)
  eval ([text ";"]);
endfunction
of = {rand(4), single(rand(3, 5)), rand(4) + 1i * rand(4), rand(6, 1), rand(1, 6), zeros(0, 3), rand(4)'};
read = {@(x) x(:), @(x) x(5), @(x) x(end), @(x) x([1, 3], :), @(x) x(:, [2, 1]), @(x) x([3, 1], [1, 3]), @(x) x([2, 2, 2], 1), @(x) x(1:2:end, :), ...
  @(x) x(end:-1:1, :), @(x) x(:, end), @(x) x(end, end), @(x) x(1, 1), @(x) x(2, :), @(x) x(2:3), @(x) x(2:3, 1), @(x) x([1, 3; 2, 4]), @(x) x([1; 3]), ...
  @(x) x(:, :), @(x) x(:, :, 1), @(x) x(:)', @(x) x(:, 1)(2), @(x) x(1, :)(:), @(x) x([], :), @(x) x(1:0, :), @(x) x([]), @(x) x(zeros (1, 0)), ...
  @(x) x(x > 0.5), @(x) x(x(:, 1) > 0.5, :), @(x) x(logical ([1, 0, 1]), 1), @(x) x(logical ([1, 0, 1])), @(x) x(true, 1), @(x) x(:, false (1, columns (x))), ...
  @(x) x'(2, :), @(x) x.'(:, [1, 3]), @(x) x'(:), @(x) x(int8 (2), 1), @(x) x(single (1):2, 1), @(x) x(x(1) * 0 + 1), ...
  @(x) x(7, 7), @(x) x(99), @(x) x(0), @(x) x(1.5, 1), @(x) x(1, NaN), @(x) x(-1), @(x) x({}), @(x) x("a", 1), @(x) x(1, 1, 2), @(x) x{1}, @(x) x.field};
for f = read
  report (all (cellfun (@(a) alike (f{1}, {a}), of)), ["indexed: " strrep(func2str (f{1}), "\n", "")]);
endfor
written = {"x(2, 3) = 7", "x(1) = 7", "x(5) = 9", "x(end) = 3", "x(:) = 1", "x(:, :) = 2", "x(:) = 1:numel (x)", "x([1, 3], :) = 0", "x(1:2:end, :) = 5", ...
  "x(2:3, 1) = [8; 9]", "x(2:3, 1) = [8, 9]", "x(2:3) = [8; 9]", "x(:, 2) = (1:rows (x))'", "x(:, 2) = tesela ((1:rows (x))')", "x(2, :) = 1i", "x(2, 2) = single (3)", ...
  "x(1, 1) = true", "x(:, end + 1) = 1", "x(9, 9) = 4", "x(x > 0.5) = 0", "x(logical ([1, 0, 1]), 1) = -1", "x(:, 1) = x(:, 2)", "x(1:2, 1:2) = x(2:3, 2:3)", ...
  "x(:, :) = x'", "x(2, :) = []", "x(:, [1, 3]) = []", "x(:, logical ([0, 1])) = []", "x(:) = []", "x([]) = []", "x(3) = []", "x(1, 1) = []", "x(:, :, 2) = 1", "x(1) = 'a'", ...
  "x += 1", "x -= x", "x *= 2", "x++", "x--", "x(1, :) *= 2", "x(1, :) = 1:99", "x(100) = 1", "x(0) = 1", "x(1.5) = 1", "x{1} = 2", "x.field = 1", "x(1).field = 1", ...
  "y = x; y(1, 1) = 9", "y = x'; y(1, 1) = 9; x(1, 1)", "y.m = x; y.m(1, 1) = 9", "y = {x}; y{1}(1, 1) = 9", "y = subsasgn (x, substruct (\"()\", {1, 1}), 9)", "y = {x, x}; y{1}(1, 1) = 9; x = y{2}", "f = @() x(1, 1); x(1, 1) = 9; x(2, 1) = f ()"};
for text = written
  report (all (cellfun (@(a) alike (@(x) after (x, text{1}), {a}), of)), ["assigned: " text{1}]);
endfor
joined = {@(x) [x, x], @(x) [x; x], @(x) [x, x; x, x], @(x) [x], @(x) [gather(x), x], @(x) [x, gather(x)], @(x) [x; 1:columns(x)], @(x) [1:columns(x); x], ...
  @(x) [x, ones(rows (x), 1)], @(x) [x, single(x)], @(x) [x, 1i * x], @(x) [x, x > 0.5], @(x) [x, []], @(x) [x, zeros(rows (x), 0)], @(x) horzcat (x, x), ...
  @(x) vertcat (x, x), @(x) cat (1, x, x), @(x) cat (3, x, x), @(x) [x, 1; 2], @(x) {x}, @(x) [{x}, x]};
for f = joined
  report (all (cellfun (@(a) alike (f{1}, {a}), of([1:5, 7]))), ["joined: " strrep(func2str (f{1}), "\n", "")]);
endfor
report (alike (@(x) [x, x; 1:6], {zeros(0, 3)}) && alike (@(x) [x, sparse(x)](:, 5), {of{1}}), "joined: nothing, a sparse matrix");
a = rand (9, 7);
A = tesela (a);
on_device = {A(2:3, :), A(:), A([1, 3], :), A(:, end:-1:1), A', [A, A], [a; A], [A, ones(9, 1)], after(A, "x(2, 2) = 7"), after(A, "x(:, 1) = []"), after(A, "x(20, 20) = 1"), after(A, "x++")};
report (all (cellfun (@(x) isa (x, "tesela"), on_device)), "what is indexed, assigned and joined stays on the device");
numbers = {A(1, 1), A(end), A(:, 1)' * A(:, 1), A(:, 1)(3), sum(sum (A)), max(max (A)), norm(A), tesela(3), tesela(3) * 2, A(1:1, 1:1), mean(mean (A))};
report (! any (cellfun (@(x) isa (x, "tesela"), numbers)) && all (cellfun (@(x) isa (x, "double") && isscalar (x), numbers)), "one element is a number");
clear B
used = __tesela__ ("used");
B = A;
B(3, 3) = 1;
second = __tesela__ ("used");
for i = 1:9
  B(i, 2) = i;
  B(:, 5) = a(:, i - 2 * (i > 7));
endfor
report (second > used && __tesela__ ("used") == second && near (A, a) && near (B(:, 2), (1:9)'), "assignments write in place what has one name");
