## a = gather (A): the elements of a matrix on the device, in the type they have; of anything else, itself.
function a = gather (A)
  a = A;
  if (isa (A, "tesela"))
    a = __tesela__ ("get", A);
  endif
endfunction
