## Keeps a value until Octave ends.
function keep (x)
  persistent kept;
  kept = x;
endfunction
