## lu (A), [L, U] = lu (A), [L, U, P] = lu (A), also with "vector", on the device; what else there is, Octave's.
function varargout = lu (A, varargin)
  vector = nargin == 2 && strcmp (varargin{1}, "vector");
  if (isempty (A) || nargout > 3 || (nargin > 1 && ! vector))
    [varargout{1:max (nargout, 1)}] = by_host ("lu", A, varargin{:});
  elseif (nargout < 2)
    varargout{1} = __tesela__ ("factored", A);
  else
    [L, U, p] = __tesela__ ("lu", A, nargout == 2);
    if (! vector)
      p = eye (numel (p))(p, :);
    endif
    varargout = {L, U, p};
  endif
endfunction
