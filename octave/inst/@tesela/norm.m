## Norms 1, 2, Inf and "fro" on the device; the others are Octave's.
function x = norm (A, varargin)
  kind = 2;
  if (nargin > 1)
    kind = varargin{1};
  endif
  vector = any (size (A) == 1);
  x = [];
  if (nargin < 3 && (isequal (kind, "fro") || (isequal (kind, 2) && vector)))
    x = __tesela__ ("norm", A, "fro");
  elseif (nargin < 3 && (isequal (kind, 1) || isequal (kind, Inf) || any (strcmp (kind, {"inf", "Inf"}))))
    if (rows (A) == 1)  # of a vector 1 is its sum and Inf its largest, whichever way it lies
      A = A.';
    endif
    x = __tesela__ ("norm", A, {"inf", "1"}{1 + isequal (kind, 1)});
  elseif (nargin < 3 && isequal (kind, 2) && ! isempty (A))
    s = __tesela__ ("svd", A, false, false);
    if (! isempty (s))  # else an element is not finite
      x = s(1);
    endif
  endif
  if (isempty (x))
    x = by_host ("norm", A, varargin{:});
  endif
endfunction
