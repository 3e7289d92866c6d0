classdef tesela < tesela_by_host
  ## A matrix on the device: A = tesela (a). Products, sums, A \ B, inv, chol, lu, qr and norm compute there; double (A) fetches it.
  properties (SetAccess = private, Hidden = true)
    id = 0;  # the library's matrix
    op = 0;  # as it is seen: 0 as stored, 1 transposed, 3 conjugate transposed
    of = [];  # whose storage it is, if it is another's: a transposed matrix keeps it alive
  endproperties
  methods
    function A = tesela (a, op, of)
      if (nargin == 3)  # another's storage, or a number that the library has made
        A.id = a;
        A.op = op;
        A.of = of;
      elseif (nargin == 1 && isobject (a) && isa (a, "tesela"))
        A.id = a.id;
        A.op = a.op;
        A.of = storage (a);
      elseif (nargin == 1)
        A.id = __tesela__ ("put", a);
      else
        error ("tesela: A = tesela (a)");
      endif
    endfunction
    function delete (A)
      if (! isobject (A.of) && A.id)
        try
          __tesela__ ("free", A.id);
        catch  # when Octave ends, functions may be gone before objects
        end_try_catch
      endif
    endfunction
    function a = double (A)
      a = double (__tesela__ ("get", A.id, A.op));
    endfunction
    function a = single (A)
      a = single (__tesela__ ("get", A.id, A.op));
    endfunction
    function a = gather (A)
      a = __tesela__ ("get", A.id, A.op);
    endfunction
    function varargout = size (A, varargin)
      s = __tesela__ ("size", A.id, A.op);
      if (nargin > 1)
        d = [varargin{:}];
        if (! isnumeric (d) || any (d < 1 | d != fix (d)))
          error ("size: a dimension is a whole number from 1 on");
        endif
        s = [s, 1](min (d, 3));
      endif
      if (nargout < 2)
        varargout = {s};
      elseif (nargin > 1)
        varargout = num2cell (s);
      else
        varargout = num2cell ([s, ones(1, nargout - 2)]);
      endif
    endfunction
    function n = rows (A)
      n = size (A, 1);
    endfunction
    function n = columns (A)
      n = size (A, 2);
    endfunction
    ## With subscripts: how many elements they are.
    function n = numel (A, varargin)
      n = prod (__tesela__ ("size", A.id, A.op));
      if (nargin > 1)
        n = 1;
      endif
      for k = 1:numel (varargin)
        if (is_colon (varargin{k}))
          n *= last (A, k, numel (varargin));
        else
          n *= numel (varargin{k});
        endif
      endfor
    endfunction
    function n = length (A)
      s = __tesela__ ("size", A.id, A.op);
      n = max (s) * all (s);
    endfunction
    function yes = isempty (A)
      yes = numel (A) == 0;
    endfunction
    function yes = isreal (A)
      yes = any (__tesela__ ("type", A.id) == "sd");
    endfunction
    function yes = iscomplex (A)
      yes = ! isreal (A);
    endfunction
    function n = end (A, k, count)
      n = last (A, k, count);
    endfunction
    function text = disp (A)
      s = size (A);
      names = struct ("s", "single", "d", "double", "c", "single complex", "z", "double complex");
      line = sprintf ("  %d x %d, %s, on the device\n", s(1), s(2), names.(__tesela__ ("type", A.id)));
      if (nargout)
        text = line;
      else
        puts (line);
      endif
    endfunction
    function B = transpose (A)
      B = seen_by (A, 1);
    endfunction
    function B = ctranspose (A)
      B = seen_by (A, 3);
    endfunction
    function C = mtimes (A, B)
      [A, B] = numbers_home (A, B);
      if (isscalar_number (A))
        C = with_number ("scale", B, A);
      elseif (isscalar_number (B))
        C = with_number ("scale", A, B);
      else
        [A, B] = both (A, B);
        C = own (__tesela__ ("mul", A.id, A.op, B.id, B.op));
      endif
    endfunction
    function C = mrdivide (A, B)
      [A, B] = numbers_home (A, B);
      if (isscalar_number (B))
        b = double_if_integer (B);
        A = tesela (A);
        kind = {"double", "single"}{1 + (isa (b, "single") || any (__tesela__ ("type", A.id) == "sc"))};
        if ((b != 0 && abs (b) < realmin (kind)) || (isfinite (b) && abs (b) > 1 / realmin (kind)))  # 1 / b is Inf, or has lost digits
          C = tesela (gather (A) / b);
        else
          C = A * (1 / b);
        endif
      else
        C = (B' \ A')';
      endif
    endfunction
    function C = mldivide (A, B)
      [A, B] = numbers_home (A, B);
      if (isscalar_number (A))
        C = tesela (B) / A;
      else
        [A, B] = both (A, B);
        C = own (__tesela__ ("solve", A.id, A.op, B.id, B.op));
      endif
    endfunction
    function C = plus (A, B)
      [A, B] = numbers_home (A, B);
      if (isscalar_number (A))
        C = with_number ("shift", B, A);
      elseif (isscalar_number (B))
        C = with_number ("shift", A, B);
      elseif (! isequal (size (A), size (B)))  # a row or a column to each, or an error
        C = tesela (gather (tesela (A)) + gather (tesela (B)));
      else
        [A, B] = both (A, B);
        C = own (__tesela__ ("sum", A.id, A.op, 1, B.id, B.op));
      endif
    endfunction
    function C = minus (A, B)
      [A, B] = numbers_home (A, B);
      if (isscalar_number (A) || isscalar_number (B))
        C = double_if_integer (A) + (-double_if_integer (B));
      elseif (! isequal (size (A), size (B)))
        C = tesela (gather (tesela (A)) - gather (tesela (B)));
      else
        [A, B] = both (A, B);
        C = own (__tesela__ ("sum", A.id, A.op, -1, B.id, B.op));
      endif
    endfunction
    function B = uplus (A)
      B = A;
    endfunction
    function B = uminus (A)
      B = (-1) * A;
    endfunction
    function B = inv (A)
      if (rows (A) != columns (A))
        error ("inverse: argument must be a square matrix");
      endif
      B = A \ eye (rows (A));
    endfunction
    function [R, p] = chol (A, uplo)
      lower = nargin > 1 && strcmpi (uplo, "lower");
      if (nargin > 1 && ! lower && ! strcmpi (uplo, "upper"))
        error ("chol: of a matrix on the device there are \"upper\" and \"lower\"");
      endif
      if (lower)  # its lower triangle is the upper one of A'
        A = ctranspose (A);
      endif
      out = cell (1, 2);
      [out{:}] = __tesela__ ("chol", A.id, A.op);
      p = out{2};
      if (p && nargout < 2)
        error ("chol: the matrix must be positive definite");
      endif
      if (p)  # the factor of what is definite: the first p - 1 rows and columns
        A = own (__tesela__ ("sub", A.id, A.op, 1, 1, p - 1, p - 1));
        [out{:}] = __tesela__ ("chol", A.id, A.op);
      endif
      R = own (out{1});
      if (lower)
        R = ctranspose (R);
      endif
    endfunction
    function [L, U, P] = lu (A)
      if (nargout < 2)
        L = own (__tesela__ ("factored", A.id, A.op));
        return;
      endif
      [l, u, rows] = __tesela__ ("lu", A.id, A.op);
      L = own (l);
      U = own (u);
      P = eye (numel (rows))(rows,:);
      if (nargout < 3)
        L = tesela (P') * L;
      endif
    endfunction
    function [Q, R] = qr (A, option)
      if (nargin > 1 && ! isequal (option, 0) && ! any (strcmp (option, {"0", "econ"})))
        error ("qr: of a matrix on the device there is Q with as many columns as the smaller size, and \"econ\" or 0 to say so");
      endif
      [q, r] = __tesela__ ("qr", A.id, A.op);
      Q = own (q);
      R = own (r);
      if (nargout < 2)
        Q = R;
      endif
    endfunction
    function x = norm (A, kind)
      if (nargin < 2)
        kind = 2;
      endif
      if (isnumeric (kind))
        kind = num2str (kind);
      endif
      if (strcmp (kind, "2") && any (size (A) == 1))  # of a vector
        kind = "fro";
      endif
      if (! ischar (kind) || ! any (strcmpi (kind, {"1", "inf", "fro"})))
        error ("norm: of a matrix on the device there are 1, Inf and 'fro', of a vector 2, too");
      endif
      kind = lower (kind);
      if (rows (A) == 1 && ! strcmp (kind, "fro"))  # of a vector 1 is its sum and Inf its largest, whichever way it lies
        kind = {"inf", "1"}{1 + strcmp (kind, "inf")};
      endif
      x = __tesela__ ("norm", A.id, A.op, kind);
      if (any (__tesela__ ("type", A.id) == "sc"))
        x = single (x);
      endif
    endfunction
    function varargout = subsref (A, s)
      if (strcmp (s(1).type, "."))
        [varargout{1:max (nargout, 1)}] = builtin ("subsref", A, s);
        return;
      endif
      most = __tesela__ ("size", A.id, A.op);
      subs = s(1).subs;
      line = numel (subs) == 1 && (isrow (subs{1}) || iscolumn (subs{1}));  # what is indexed by a matrix would have its shape
      if (line && most(2) == 1)  # of a column, or a row: as it lies
        subs = {subs{1}, 1};
      elseif (line && most(1) == 1 && ! is_colon (subs{1}))
        subs = {1, subs{1}};
      endif
      if (! strcmp (s(1).type, "()") || numel (subs) != 2)
        error ("tesela: A(i:j, k:l) is a block, v(i:j) of a vector; double (A) fetches the rest");
      endif
      [i, m] = span (subs{1}, most(1));
      [j, n] = span (subs{2}, most(2));
      B = own (__tesela__ ("sub", A.id, A.op, i, j, m, n));
      if (numel (s) > 1)
        B = subsref (B, s(2:end));
      endif
      varargout{1} = B;
    endfunction
  endmethods
  ## Methods, not functions of the file: here A.id is read at once, there it would go through subsref above.
  methods (Access = private)
    ## The same storage, seen through one op more.
    function B = seen_by (A, op)
      now = bitxor (A.op, op);
      if (now == 2)  # conjugated alone: a copy
        a = gather (A);
        if (op == 1)
          B = tesela (a.');
        else
          B = tesela (a');
        endif
        return;
      endif
      B = tesela (A.id, now, storage (A));
    endfunction
    ## The last subscript at place k of count; what is beyond two dimensions is of size 1.
    function n = last (A, k, count)
      s = [__tesela__("size", A.id, A.op), 1];
      if (count == 1)
        n = prod (s);
      else
        n = s(min (k, 3));
      endif
    endfunction
    ## Whose storage it is.
    function of = storage (A)
      of = A;
      if (isobject (A.of))
        of = A.of;
      endif
    endfunction
    ## A times a number, or a number to each of its elements; a complex one makes a real matrix complex, a single one a double matrix single.
    function C = with_number (word, A, number)
      A = tesela (A);
      t = __tesela__ ("type", A.id);
      if ((iscomplex (number) && any (t == "sd")) || (isa (number, "single") && any (t == "dz")))
        A = both (A, number);
      endif
      C = own (__tesela__ (word, A.id, A.op, double (number)));
    endfunction
    ## Both on the device, and of one type.
    function [A, B] = both (A, B)
      if (! isa (A, "tesela"))
        A = tesela (cast_like (A, B));
      endif
      if (! isa (B, "tesela"))
        B = tesela (cast_like (B, A));
      endif
      s = __tesela__ ("type", A.id);
      t = __tesela__ ("type", B.id);
      if (s != t)  # through the host: a single one and a complex one meet in single complex
        a = gather (A);
        b = gather (B);
        if (isa (a, "single") || isa (b, "single"))
          a = single (a);
          b = single (b);
        endif
        if (iscomplex (a) || iscomplex (b))
          a = complex (a);
          b = complex (b);
        endif
        A = tesela (a);
        B = tesela (b);
      endif
    endfunction
    function a = cast_like (a, A)
      if (any (__tesela__ ("type", A.id) == "sc"))
        a = single (a);
      endif
      if (any (__tesela__ ("type", A.id) == "cz"))
        a = complex (a);
      endif
    endfunction
  endmethods
endclassdef

function A = own (id)
  A = tesela (id, 0, []);
endfunction

## Integers of Octave saturate: 1 / uint8 (4) is 0, and -uint8 (3) too.
function x = double_if_integer (x)
  if (isinteger (x))
    x = double (x);
  endif
endfunction
function yes = isscalar_number (x)
  yes = ! isobject (x) && (isnumeric (x) || islogical (x)) && isscalar (x);
endfunction

## An operand of one element is a number, unless the other is one already.
function [A, B] = numbers_home (A, B)
  if (isobject (A) && ! isscalar_number (B) && isscalar (A))
    A = gather (A);
  elseif (isobject (B) && ! isscalar_number (A) && isscalar (B))
    B = gather (B);
  endif
endfunction

function yes = is_colon (s)
  yes = ischar (s) && strcmp (s, ":");
endfunction

## Where a range of subscripts begins, and how many they are.
function [i, count] = span (s, most)
  if (is_colon (s))
    s = 1:most;
  elseif (islogical (s) && numel (s) <= most)
    s = find (s);
  elseif (! isnumeric (s) || isobject (s))
    error ("tesela: subscripts must be i:j within the matrix");
  endif
  s = s(:).';
  if (isempty (s))
    i = 1;
    count = 0;
    return;
  endif
  if (any (s != fix (s)) || any (diff (s) != 1) || s(1) < 1 || s(end) > most)
    error ("tesela: subscripts must be i:j within the matrix");
  endif
  i = s(1);
  count = numel (s);
endfunction
