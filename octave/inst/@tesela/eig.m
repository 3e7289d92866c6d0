## eig (A), [V, D] = eig (A), also with a B that is positive definite, "vector" and "matrix", on the device for symmetric and Hermitian
## matrices; what else there is, Octave's.
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
  endif
  [varargout{1:max (nargout, 1)}] = by_host ("eig", A, varargin{:});
endfunction

function yes = alike_types (A, B)
  yes = strcmp (class (A), class (B)) && iscomplex (A) == iscomplex (B);
endfunction
