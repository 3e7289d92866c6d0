## The same class, sizes and elements, but for rounding.
function yes = near (A, b)
  A = gather (A);
  yes = strcmp (class (A), class (b)) && isequal (size (A), size (b));
  if (yes && isfloat (b))
    [a, b] = deal (full (A(:)), full (b(:)));
    finite = isfinite (b);
    yes = isequaln (a(! finite), b(! finite)) && norm (a(finite) - b(finite)) <= 1e3 * eps (class (b)) * max (1, norm (b(finite)));
  elseif (yes)
    yes = isequal (A, b);
  endif
endfunction
