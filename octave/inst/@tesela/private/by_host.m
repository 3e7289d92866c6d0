## f of the elements. The methods that are only this are made by src/Makefile.
function varargout = by_host (f, varargin)
  varargin = cellfun (@gather, varargin, "UniformOutput", false);
  [varargout{1:max (nargout, 1)}] = feval (f, varargin{:});
endfunction
