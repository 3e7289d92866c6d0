## hess (A), [P, H] = hess (A) on the device: A = P * H * P'; what it cannot compute, Octave's.
function varargout = hess (A, varargin)
  if (nargin == 1 && nargout < 3 && rows (A) == columns (A) && rows (A) > 2 && isfinite (norm (A, 1)))
    [P, H] = __tesela__ ("hess", A);
    varargout = {P, H};
    if (nargout < 2)
      varargout = {H};
    endif
  else
    [varargout{1:max (nargout, 1)}] = by_host ("hess", A, varargin{:});
  endif
endfunction
