## schur (A), [U, S] = schur (A) on the device, also of a real A as a complex one ("complex") and with eigenvalues left of the imaginary axis ("a") or not outside of the unit
## circle ("d") first; what else there is, Octave's.
function varargout = schur (A, opt = "u")
  known = ischar (opt) && any (strcmp (opt, {"u", "a", "d", "real", "complex"})) && nargout < 3;
  if (known && rows (A) == columns (A) && rows (A) > 1)
    if (strcmp (opt, "complex") && isreal (A))
      B = tesela (complex (gather (A)));
    else
      B = A;
    endif
    [U, S] = __tesela__ ("schur", B, opt);
    if (! isempty (S))
      varargout = {U, S};
      if (nargout < 2)
        varargout = {S};
      endif
      return;
    endif
  endif
  [varargout{1:max (nargout, 1)}] = by_host ("schur", A, opt);
endfunction
