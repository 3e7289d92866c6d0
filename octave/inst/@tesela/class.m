## The class of the elements, as of a sparse matrix or a range: functions make results of it. isa (A, "tesela") tells where they are.
function name = class (A)
  name = class (__tesela__ ("none", A));
endfunction
