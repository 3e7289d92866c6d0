## expm (A) on the device; of a matrix that is not finite, Octave's.
function F = expm (A, varargin)
  F = [];
  if (nargin == 1 && rows (A) == columns (A) && ! isempty (A))
    F = __tesela__ ("expm", A);
  endif
  if (isempty (F))
    F = by_host ("expm", A, varargin{:});
  endif
endfunction
