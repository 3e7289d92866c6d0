## pinv (A), pinv (A, tol) on the device; of no elements, or of some that are not finite, Octave's.
function X = pinv (A, varargin)
  s = [];
  if (isa (A, "tesela") && ! isempty (A) && nargin < 3 && (nargin == 1 || (isnumeric (varargin{1}) && isscalar (varargin{1}))))
    [s, U, V] = __tesela__ ("svd", A, true, true);
    s = gather (s);
  endif
  if (isempty (s))
    X = by_host ("pinv", A, varargin{:});
    return;
  endif
  if (nargin > 1)
    tol = gather (varargin{1});
  else
    tol = max (size (A)) * s(1) * eps (class (A));
  endif
  r = sum (s > tol);
  if (r == 0)
    X = tesela (zeros (columns (A), rows (A), class (A)));
  else
    X = (V(:, 1:r) * diag (1 ./ s(1:r))) * U(:, 1:r)';
  endif
endfunction
