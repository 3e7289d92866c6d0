## inv (A) on the device; with its condition, and of a singular matrix, Octave's.
function varargout = inv (A, varargin)
  varargout = {};
  if (nargin == 1 && nargout < 2 && rows (A) == columns (A) && ! isempty (A))
    varargout{1} = __tesela__ ("inv", A);
  endif
  if (isempty (varargout) || isempty (varargout{1}))
    [varargout{1:max (nargout, 1)}] = by_host ("inv", A, varargin{:});
  endif
endfunction
