## sylvester (A, B, C): X with A X + X B = C, on the device if all three are of one type; else, and where there is no unique solution, Octave's.
function X = sylvester (A, B, C)
  X = [];
  fits = rows (A) == columns (A) && rows (B) == columns (B) && rows (C) == rows (A) && columns (C) == columns (B) && ! isempty (C);
  if (fits && alike_types (A, B) && alike_types (A, C))
    X = __tesela__ ("sylvester", tesela (A), tesela (B), tesela (C));
  endif
  if (isempty (X))
    X = by_host ("sylvester", A, B, C);
  endif
endfunction

function yes = alike_types (A, B)
  yes = strcmp (class (A), class (B)) && iscomplex (A) == iscomplex (B);
endfunction
