## What else a value does in Octave: conditions, loops, text, files, other names, and the end of its life.
1;
function yes = holds (x)
  yes = false;
  if (x)
    yes = true;
  endif
endfunction
a = rand (5) + 0.1;
A = tesela (a);
c = rand (3, 4) + 1i * rand (3, 4);
E = tesela (zeros (0, 3));
report (isa (A, "tesela") && isa (A, "double") && isa (A, "float") && isa (A, "numeric") && ! isa (A, "single") && ! isa (A, "integer") && isa (tesela (single (a)), "single") && isequal (isa (A, {"tesela", "cell"}), [true, false]), "isa");
report (strcmp (class (A), "double") && strcmp (class (tesela (single (a))), "single") && isreal (A) && iscomplex (tesela (c)) && ! isreal (tesela (c)), "the class of the elements");
report (iscomplex (gather (tesela (complex (a, 0)))) && near (gather (3), 3) && strcmp (gather ("text"), "text"), "gather gives what was put, or what it is given");
report (near (tesela (A), a) && near (tesela (A')', a), "a matrix on the device from another one");
report (near (tesela (1:4), 1:4) && near (tesela (eye (3)), full (eye (3))) && near (tesela (sparse (a)), a) && near (tesela (a > 0.5), double (a > 0.5)) && near (tesela (int8 ([1, 2])), [1, 2]), "ranges, diagonal and sparse matrices, integers, true and false");
conditions = {A, tesela([1, 0]), E, tesela(c)};
truth = cellfun (@holds, conditions);
report (isequal (truth, cellfun (@(x) holds (gather (x)), conditions)) && isequal (A && true, true) && isequal (tesela ([1, 0]) || false, false) && isequal (! tesela ([1, 0]), [false, true]), "conditions");
columns_seen = [];
for x = A
  columns_seen = [columns_seen, x];
endfor
report (near (columns_seen, a), "a loop over columns");
v = tesela ([3, 1, 2]);
report (near (a(v, 1), a([3, 1, 2], 1)) && near (A(v, v), a([3, 1, 2], [3, 1, 2])) && isequal (zeros (tesela ([2, 3])), zeros (2, 3)), "as subscripts and sizes");
b = a;
b(2:3, 1:5) = A(1:2, :);
b(1) = tesela (7);
report (near (b, [7, a(1, 2:5); a(1:2, :); a(4:5, :)]), "assigned to elements of an array");
none(2, 2) = A(1, 1);
other(2:3, 1) = tesela (single ([4; 5]));
report (near (none, [0, 0; 0, a(1, 1)]) && near (other, single ([0; 4; 5])), "a variable made by an assignment");
report (strcmp (disp (A), disp (a)) && strcmp (evalc ("A"), strrep (evalc ("a"), "a =", "A =")) && strcmp (sprintf ("%g ", A), sprintf ("%g ", a)) && strcmp (num2str (A), num2str (a)) && strcmp (mat2str (A), mat2str (a)), "text");
file = tempname ();
for format = {"-text", "-binary", "-hdf5", "-v6"}
  save (format{1}, file, "A", "E");
  loaded = load (file);
  report (near (loaded.A, a) && near (loaded.E, zeros (0, 3)) && ! isa (loaded.A, "tesela"), ["saved as a full matrix: " format{1}]);
endfor
unlink (file);
report (isequal (arrayfun (@(x) 2 * x, A), 2 * a) && isequal (cellfun (@(x) x(1, 1), {A, a}), [a(1, 1), a(1, 1)]) && isequal (nthargout (2, @max, A), nthargout (2, @max, a)), "functions of functions");
big = tesela ([1000.5, 2]);
B = big;
B(2) = int8 (3);
report (near (B, [1000.5, 3]) && near (big .* int8 (2), [2001, 4]) && near ([big, int8(1)], [1000.5, 2, 1]) && near (big - uint8 ([3, 3]), [997.5, -1]), "integers of Octave leave the elements as they are");
F = E';
clear E;
report (isequal (size (F), [3, 0]) && near (F' * ones (3, 2), zeros (0, 2)), "a transposed matrix of nothing keeps what it is of");
used = __tesela__ ("used");
B = A';
clear A;
report (near (B * tesela (eye (5)), a'), "a transposed matrix keeps what it is of");
clear B;
report (__tesela__ ("used") < used, "... and gives it back");
P = tesela (a);
clear functions
report (near (P * P, a * a) && near (chol (tesela (a * a')), chol (a * a')), "clear functions leaves matrices whole");
report (! isempty (strfind (get_help_text ("tesela"), "a matrix on the device")), "help tesela");
keep (tesela (a));
