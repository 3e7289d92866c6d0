## rcond (A), an estimate in the norm one, on the device.
function c = rcond (A)
  if (rows (A) == columns (A) && ! isempty (A))
    c = __tesela__ ("rcond", A);
    if (isa (A, "single"))
      c = single (c);
    endif
  else
    c = by_host ("rcond", A);
  endif
endfunction
