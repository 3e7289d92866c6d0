classdef tesela_by_host < handle
  ## What a tesela answers by way of the host: the elements are fetched, and Octave computes. What comes of that as a matrix of numbers goes
  ## back to the device; what is true or false, counts or is a single number is Octave's. Without these Octave would answer some questions
  ## as of any object, without a look at the elements.
  methods
    function yes = isnumeric (A)
      yes = true;
    endfunction
    function yes = isfloat (A)
      yes = true;
    endfunction
    function yes = isa (A, kind)
      yes = builtin ("isa", A, kind) | strcmp (kind, "numeric") | strcmp (kind, "float");
    endfunction
    ## Questions
    function yes = any (A, varargin)
      yes = on_host (@any, A, varargin{:});
    endfunction
    function yes = all (A, varargin)
      yes = on_host (@all, A, varargin{:});
    endfunction
    function yes = isequal (varargin)
      yes = on_host (@isequal, varargin{:});
    endfunction
    function yes = size_equal (varargin)
      sizes = cellfun (@size, varargin, "UniformOutput", false);
      yes = isequal (sizes{1}, sizes{:});
    endfunction
    function yes = ishermitian (A, varargin)
      yes = on_host (@ishermitian, A, varargin{:});
    endfunction
    function yes = issymmetric (A, varargin)
      yes = on_host (@issymmetric, A, varargin{:});
    endfunction
    function yes = isdefinite (A, varargin)
      yes = on_host (@isdefinite, A, varargin{:});
    endfunction
    function yes = isdiag (A)
      yes = on_host (@isdiag, A);
    endfunction
    function yes = istril (A)
      yes = on_host (@istril, A);
    endfunction
    function yes = istriu (A)
      yes = on_host (@istriu, A);
    endfunction
    function yes = isbanded (A, varargin)
      yes = on_host (@isbanded, A, varargin{:});
    endfunction
    function yes = isnan (A)
      yes = on_host (@isnan, A);
    endfunction
    function yes = isinf (A)
      yes = on_host (@isinf, A);
    endfunction
    function yes = isfinite (A)
      yes = on_host (@isfinite, A);
    endfunction
    function yes = eq (A, B)
      yes = on_host (@eq, A, B);
    endfunction
    function yes = ne (A, B)
      yes = on_host (@ne, A, B);
    endfunction
    function yes = lt (A, B)
      yes = on_host (@lt, A, B);
    endfunction
    function yes = le (A, B)
      yes = on_host (@le, A, B);
    endfunction
    function yes = gt (A, B)
      yes = on_host (@gt, A, B);
    endfunction
    function yes = ge (A, B)
      yes = on_host (@ge, A, B);
    endfunction
    ## Counts and numbers
    function n = nnz (A)
      n = on_host (@nnz, A);
    endfunction
    function n = nzmax (A)
      n = on_host (@nzmax, A);
    endfunction
    function x = trace (A)
      x = on_host (@trace, A);
    endfunction
    function x = det (A)
      x = on_host (@det, A);
    endfunction
    function x = rcond (A)
      x = on_host (@rcond, A);
    endfunction
    function r = colon (varargin)
      r = on_host (@colon, varargin{:});
    endfunction
    ## Matrices
    function B = abs (A)
      B = made_on_host (@abs, A);
    endfunction
    function B = real (A)
      B = made_on_host (@real, A);
    endfunction
    function B = imag (A)
      B = made_on_host (@imag, A);
    endfunction
    function B = conj (A)
      B = made_on_host (@conj, A);
    endfunction
    function B = sum (A, varargin)
      B = made_on_host (@sum, A, varargin{:});
    endfunction
    function B = prod (A, varargin)
      B = made_on_host (@prod, A, varargin{:});
    endfunction
    function [B, i] = max (A, varargin)
      [B, i] = extreme (@max, nargout, A, varargin{:});
    endfunction
    function [B, i] = min (A, varargin)
      [B, i] = extreme (@min, nargout, A, varargin{:});
    endfunction
    function B = diag (A, varargin)
      B = made_on_host (@diag, A, varargin{:});
    endfunction
    function B = tril (A, varargin)
      B = made_on_host (@tril, A, varargin{:});
    endfunction
    function B = triu (A, varargin)
      B = made_on_host (@triu, A, varargin{:});
    endfunction
    function C = kron (varargin)
      C = made_on_host (@kron, varargin{:});
    endfunction
    function B = reshape (A, varargin)
      B = made_on_host (@reshape, A, varargin{:});
    endfunction
    function B = repmat (A, varargin)
      B = made_on_host (@repmat, A, varargin{:});
    endfunction
    function C = horzcat (varargin)
      C = made_on_host (@horzcat, varargin{:});
    endfunction
    function C = vertcat (varargin)
      C = made_on_host (@vertcat, varargin{:});
    endfunction
    function C = cat (varargin)
      C = made_on_host (@cat, varargin{:});
    endfunction
    function C = times (A, B)
      C = made_on_host (@times, A, B);
    endfunction
    function C = rdivide (A, B)
      C = made_on_host (@rdivide, A, B);
    endfunction
    function C = ldivide (A, B)
      C = made_on_host (@ldivide, A, B);
    endfunction
    function C = power (A, B)
      C = made_on_host (@power, A, B);
    endfunction
    function C = mpower (A, B)
      C = made_on_host (@mpower, A, B);
    endfunction
    ## A(..) = B is a matrix of its own: another name of A keeps what it had.
    function C = subsasgn (A, s, B)
      if (! prod (builtin ("size", A)))  # x(..) = B of an x that there was not: Octave hands over no object at all
        A = [];
      endif
      if (numel (s) > 1 || ! strcmp (s.type, "()"))
        error ("tesela: of a matrix on the device A(..) = B is assigned");
      endif
      C = made_on_host (@subsasgn, A, s, B);
    endfunction
  endmethods
endclassdef

## f of the elements.
function varargout = on_host (f, varargin)
  for i = 1:numel (varargin)
    if (isobject (varargin{i}))
      varargin{i} = gather (varargin{i});
    endif
  endfor
  [varargout{1:max (nargout, 1)}] = f (varargin{:});
endfunction

## The same of what gives a matrix of numbers. As integers of Octave are double in a product on the device, they are here: else all elements
## would become integers, and those beyond the largest that one.
function varargout = made_on_host (f, varargin)
  whole = cellfun (@isinteger, varargin);
  varargin(whole) = cellfun (@double, varargin(whole), "UniformOutput", false);
  [varargout{1:max (nargout, 1)}] = on_host (f, varargin{:});
  varargout{1} = tesela (varargout{1});
endfunction

## max and min have a second result, the places, where it is asked for.
function [B, i] = extreme (f, count, varargin)
  i = [];
  if (count > 1)
    [B, i] = made_on_host (f, varargin{:});
  else
    B = made_on_host (f, varargin{:});
  endif
endfunction
