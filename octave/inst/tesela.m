## A = tesela (a): a matrix on the device, a GPU or the host's cores where there is none.
##
## Operators, indexing, elementwise functions, chol, lu, qr, inv and norm take it as Octave's own matrices, and their results stay on the
## device. Every other function fetches the elements and answers with Octave's arrays. double (A), single (A) and gather (A) fetch them too.
function A = tesela (a)
  A = __tesela__ ("put", a);
endfunction
