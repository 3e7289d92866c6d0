function yes = isa (A, kind)
  yes = builtin ("isa", A, kind) | isa (__tesela__ ("none", A), kind);
endfunction
