## svd (A), [U, S, V] = svd (A), also of the economic size ("econ"; 0: only if A has more rows than columns), on the device; what else there is, Octave's.
function varargout = svd (A, varargin)
  zero = isequal (varargin, {0});
  econ = isequal (varargin, {"econ"}) || (zero && rows (A) > columns (A));
  if ((isempty (varargin) || zero || econ) && nargout != 2 && nargout < 4 && ! isempty (A))
    [s, U, V] = __tesela__ ("svd", A, nargout > 1, econ);
    if (! isempty (s))
      if (nargout < 2)
        varargout = {s};
      else
        varargout = {U, diag(gather (s), columns (U), columns (V)), V};
      endif
      return;
    endif
  endif
  [varargout{1:max (nargout, 1)}] = by_host ("svd", A, varargin{:});
endfunction
