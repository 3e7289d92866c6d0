## orth (A), orth (A, tol) on the device, from as many vectors as there are singular values; of no elements, or of some that are not finite, Octave's.
function Q = orth (A, varargin)
  s = [];
  if (isa (A, "tesela") && ! isempty (A) && (nargin == 1 || (nargin == 2 && isscalar (varargin{1}))))
    [s, U] = __tesela__ ("svd", A, true, true);
    s = gather (s);
  endif
  if (isempty (s))
    Q = by_host ("orth", A, varargin{:});
    return;
  endif
  if (nargin > 1)
    tol = gather (varargin{1});
  else
    tol = max (size (A)) * s(1) * eps (class (A));
  endif
  Q = U(:, 1:sum (s > tol));
endfunction
