## sqrtm (A) on the device; what has none there, as a real matrix whose result is complex, Octave's.
function F = sqrtm (A, varargin)
  F = [];
  if (nargin == 1 && rows (A) == columns (A) && ! isempty (A))
    F = __tesela__ ("sqrtm", A);
  endif
  if (isempty (F))
    F = by_host ("sqrtm", A, varargin{:});
  endif
endfunction
