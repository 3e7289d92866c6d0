## logm (A) on the device; what has none there, as a real matrix whose result is complex, Octave's.
function F = logm (A, varargin)
  F = [];
  if (nargin == 1 && rows (A) == columns (A) && ! isempty (A))
    F = __tesela__ ("logm", A);
  endif
  if (isempty (F))
    F = by_host ("logm", A, varargin{:});
  endif
endfunction
