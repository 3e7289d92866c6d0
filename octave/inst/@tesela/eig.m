## eig (A), [V, D] = eig (A), "vector" and "matrix", also of a symmetric or Hermitian A with a B that is positive definite, on the device; what else there is, Octave's.
## Eigenvalues of a matrix that is not symmetric are Octave's numbers.
function varargout = eig (A, varargin)
  args = varargin;
  B = [];
  two = nargin > 1 && isnumeric (args{1});
  if (two)
    B = args{1};
    args(1) = [];
  endif
  known = nargout < 3 && numel (args) < 2 && all (cellfun (@(x) any (strcmp (x, {"vector", "matrix"})), args));
  if (known && rows (A) == columns (A) && rows (A) > 1 && (! two || (isequal (size (A), size (B)) && alike_types (A, B))))
    if (two)
      A = tesela (A);
      B = tesela (B);
    endif
    [w, V] = __tesela__ ("eig", A, B, nargout > 1);
    if (! isempty (w))
      if (isequal (args, {"matrix"}) || (nargout > 1 && isempty (args)))
        w = diag (gather (w));
      endif
      varargout = {V, w};
      if (nargout < 2)
        varargout = {w};
      endif
      return;
    endif
    if (! two)
      [w, V] = general (A, nargout > 1);
    endif
    if (! isempty (w))
      if (isequal (args, {"matrix"}) || (nargout > 1 && isempty (args)))
        w = diag (w);
      endif
      varargout = {V, w};
      if (nargout < 2)
        varargout = {w};
      endif
      return;
    endif
  endif
  [varargout{1:max (nargout, 1)}] = by_host ("eig", A, varargin{:});
endfunction

function yes = alike_types (A, B)
  yes = strcmp (class (A), class (B)) && iscomplex (A) == iscomplex (B);
endfunction

## Of any matrix; two columns of a real one are a vector and its conjugate.
function [w, V] = general (A, vectors)
  [p, V] = __tesela__ ("general", A, vectors);
  w = gather (p);
  if (columns (w) == 2 && any (w(:, 2)))
    w = complex (w(:, 1), w(:, 2));
    if (vectors)
      v = gather (V);
      first = find (imag (w) > 0)';
      c = complex (v);
      c(:, first) = complex (v(:, first), v(:, first + 1));
      c(:, first + 1) = conj (c(:, first));
      V = tesela (c);
    endif
  elseif (! isempty (w))
    w = w(:, 1);
  endif
endfunction
