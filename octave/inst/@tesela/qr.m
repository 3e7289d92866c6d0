## R = qr (A), [Q, R] = qr (A), also with "econ" or 0, on the device; what else there is, Octave's.
function varargout = qr (A, varargin)
  econ = nargin == 2 && any (strcmp (varargin{1}, {"0", "econ"})) || isequal (varargin, {0});
  if (nargout > 2 || (nargin > 1 && ! econ))
    [varargout{1:max (nargout, 1)}] = by_host ("qr", A, varargin{:});
    return;
  endif
  [Q, R] = __tesela__ ("qr", A, econ);
  varargout = {Q, R};
  if (nargout < 2)
    varargout = {R};
  endif
endfunction
