## chol (A), chol (A, "lower"), [R, p] = chol (A) on the device; what else there is, Octave's.
function varargout = chol (A, varargin)
  uplo = "upper";
  if (nargin > 1)
    uplo = varargin{1};
  endif
  if (nargout > 2 || nargin > 2 || ! any (strcmpi (uplo, {"upper", "lower"})) || rows (A) != columns (A))
    [varargout{1:max (nargout, 1)}] = by_host ("chol", A, varargin{:});
    return;
  endif
  if (strcmpi (uplo, "lower"))  # its lower triangle is the upper one of A'
    A = A';
  endif
  [R, p] = __tesela__ ("chol", A);
  if (p && nargout < 2)
    error ("chol: input matrix must be positive definite");
  endif
  if (p)  # the factor of what is definite: the first p - 1 rows and columns
    R = chol (A(1:p-1, 1:p-1));
  endif
  if (strcmpi (uplo, "lower"))
    R = R';
  endif
  varargout = {R, p};
endfunction
